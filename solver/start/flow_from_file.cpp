#include "solver/start/flow_from_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {
namespace {

const char* places_of(Scheme scheme) {
  return scheme == Scheme::splitting ? "nodes" : "cells";
}

/// Coordinates of the nodes, or of the faces of the cells, along one axis [L].
std::vector<double> grid_coordinates(const Case& resolved, int axis) {
  return resolved.scheme == Scheme::splitting ? point_coordinates(resolved, axis)
                                              : face_coordinates(resolved.grid, axis);
}

/// Throws CaseError unless the file's case has the same scheme and nodes or cells.
void require_same_grid(const Case& resolved, const std::string& path) {
  const Case stored = parse_case(read_case_text(path), path, {});
  if (stored.scheme != resolved.scheme) {
    throw CaseError(fmt::format("it is of scheme {}, whose {} are another kind of grid",
                                name_of(stored.scheme),
                                places_of(stored.scheme)));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> here = grid_coordinates(resolved, axis);
    const double rounding = 1e-9 * (here.back() - here.front());
    const auto are_close = [=](double a, double b) { return std::abs(a - b) <= rounding; };
    if (!std::ranges::equal(here, grid_coordinates(stored, axis), are_close)) {
      throw CaseError(fmt::format("its {} along {} are not those of this case",
                                  places_of(resolved.scheme),
                                  axis_name(axis)));
    }
  }
}

/// The values of a field stored for restart, without its ghost points.
HostField without_surroundings(const HostField& stored, Extents cells) {
  HostField inner(stored.name(), cells, Precision::double_precision);
  const auto from = stored.values<double>();
  auto to = inner.values<double>().begin();
  const auto row = static_cast<std::size_t>(cells.nx) + 2;
  const std::size_t plane = row * (static_cast<std::size_t>(cells.ny) + 2);
  for (int k = 0; k < cells.nz; ++k) {
    for (int j = 0; j < cells.ny; ++j) {
      const std::size_t first =
          (static_cast<std::size_t>(k) + 1) * plane + (static_cast<std::size_t>(j) + 1) * row + 1;
      to = std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), cells.nx, to);
    }
  }
  return inner;
}

/// Velocities at low faces from those at centres, by linear interpolation.
HostField at_low_faces(const HostField& centres, std::size_t axis, const StaggeredAxis& along) {
  const Extents n = centres.extents();
  const std::array<std::size_t, 3> strides{
      1,
      static_cast<std::size_t>(n.nx),
      static_cast<std::size_t>(n.nx) * static_cast<std::size_t>(n.ny)};
  HostField faces(centres.name(), n, Precision::double_precision);
  const auto from = centres.values<double>();
  const auto to = faces.values<double>();
  const auto cells = static_cast<std::size_t>(along.cells());
  for (std::size_t point = 0; point < to.size(); ++point) {
    const std::size_t index = point / strides.at(axis) % cells;
    if (index == 0 && !along.is_periodic) {
      to[point] = from[point];
      continue;
    }
    const std::size_t below =
        index > 0 ? point - strides.at(axis) : point + (cells - 1) * strides.at(axis);
    const double width_below = along.width(static_cast<int>(index) - 1);
    const double width = along.width(static_cast<int>(index));
    to[point] = (width * from[below] + width_below * from[point]) / (width_below + width);
  }
  return faces;
}

/// Velocities at low faces and temperature from a flow read from a file of scheme projection.
std::vector<HostField> staggered_fields(const FlowState& read, const Case& resolved) {
  const Extents cells = resolved.grid.points;
  const Extents stored{cells.nx + 2, cells.ny + 2, cells.nz + 2};
  const StaggeredGrid grid = staggered_grid(resolved);
  const bool is_restart = !read.fields.empty() && read.fields.front().extents() == stored;
  const std::size_t variables = resolved.has_temperature() ? 4 : 3;
  std::vector<HostField> fields;
  for (std::size_t variable = 0; variable < variables; ++variable) {
    const HostField field = field_in(
        read, field_names[variable], is_restart ? stored : cells, Precision::double_precision);
    if (is_restart) {
      fields.push_back(without_surroundings(field, cells));
    } else {
      fields.push_back(variable < 3 ? at_low_faces(field, variable, grid[variable]) : field);
    }
  }
  return fields;
}

}  // namespace

FlowState flow_from_file(const Case& resolved) {
  const std::string& path = *resolved.initial.file;
  FlowState state;
  try {
    require_same_grid(resolved, path);
    const FlowState read = read_flow(path);
    state.fields = resolved.scheme == Scheme::projection
                       ? staggered_fields(read, resolved)
                       : fields_in_order(read, resolved.grid.points, Precision::double_precision);
  } catch (const CaseError& mismatch) {
    throw CaseError("initial.path is " + path + ": " + mismatch.what());
  }
  return state;
}

}  // namespace dns
