#include "solver/files/plane_grid.hpp"

#include <fmt/format.h>

#include <utility>

#include "solver/flow/variables.hpp"
#include "solver/grid/plane_points.hpp"

namespace dns {

namespace {

std::vector<std::string> scalars_of(const Case& resolved) {
  std::vector<std::string> names;
  for (const Variable& variable : solved_variables(resolved))
    if (variable.transport != Variable::Transport::momentum) names.push_back(variable.name);
  return names;
}

}  // namespace

PlaneGrid plane_grid(const Case& resolved, const PlaneCase& plane) {
  PlaneGrid grid;
  grid.name = plane.name;
  grid.axis = plane.axis;
  grid.at = plane.at;
  grid.is_of_cells = resolved.scheme == Scheme::projection;
  grid.scalars = scalars_of(resolved);
  grid.precision = resolved.output.planes->precision;
  const AxesInPlane axes = axes_in_plane(plane.axis);
  for (std::size_t which = 0; which < 2; ++which) {
    PlaneGrid::Along& along = grid.along.at(which);
    along.axis = static_cast<int>(which == 0 ? axes.first : axes.second);
    along.is_periodic = resolved.is_periodic(along.axis);
    along.points = point_coordinates(resolved, along.axis);
    if (grid.is_of_cells) along.faces = face_coordinates(resolved.grid, along.axis);
  }
  return grid;
}

PlaneGrid line_grid(const Case& resolved, const ProbeCase& line) {
  PlaneGrid grid;
  grid.name = line.name;
  grid.scalars = scalars_of(resolved);
  grid.precision = resolved.precision;
  for (int point = 0; point < line.count; ++point) {
    for (int axis = 0; axis < 3; ++axis) grid.line[axis].push_back(line.place(point)[axis]);
  }
  return grid;
}

std::vector<PlaneDataset> datasets_of(const PlaneGrid& grid) {
  std::vector<PlaneDataset> datasets;
  const auto add = [&](std::string name, int variable, bool is_at_faces) {
    PlaneDataset dataset{
        .name = std::move(name), .variable = variable, .is_at_faces = is_at_faces, .axes = {}};
    if (grid.is_line()) {
      dataset.axes = {"", "point"};
      dataset.points = {1, grid.line[0].size()};
      return datasets.push_back(std::move(dataset));
    }
    for (const std::size_t which : {0U, 1U}) {
      const PlaneGrid::Along& along = grid.along.at(1 - which);
      const bool has_faces = is_at_faces && along.axis == variable;
      dataset.axes.at(which) =
          has_faces ? fmt::format("{}_faces", axis_name(along.axis)) : axis_name(along.axis);
      dataset.points.at(which) = has_faces ? along.faces.size() : along.points.size();
    }
    datasets.push_back(std::move(dataset));
  };
  for (int axis = 0; axis < 3; ++axis) add(std::string(velocity_names.at(axis)), axis, false);
  int number = first_scalar;
  for (const std::string& name : grid.scalars) add(name, number++, false);
  for (int axis = 0; axis < 3 && grid.is_of_cells; ++axis) {
    if (axis == grid.axis) continue;
    add(fmt::format("{}_faces", velocity_names.at(axis)), axis, true);
  }
  return datasets;
}

}  // namespace dns
