#include "solver/output/plane_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/output/file_format.hpp"

namespace dns {
namespace {

constexpr std::string_view of_cells = "cells";
constexpr std::string_view of_nodes = "nodes";

std::string faces_name(int axis) {
  return axis_name(axis) + "_faces";
}
std::string periodic_name(int axis) {
  return axis_name(axis) + "_is_periodic";
}

/// "velocity temperature pressure"
std::string variables_text(const PlaneGrid& grid) {
  std::string text = "velocity";
  if (grid.has_temperature) text += fmt::format(" {}", temperature_name);
  if (grid.has_pressure) text += fmt::format(" {}", pressure_name);
  return text;
}

void require_ascending(const Hdf5File& file,
                       const std::string& name,
                       const std::vector<double>& values) {
  const bool is_finite = std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
  if (is_finite && std::ranges::adjacent_find(values, std::ranges::greater_equal{}) == values.end())
    return;
  throw IoError(fmt::format("{}: dataset {}: not ascending numbers", file.path(), name));
}

}  // namespace

PlaneGrid plane_grid(const Case& resolved, const PlaneCase& plane) {
  PlaneGrid grid;
  grid.name = plane.name;
  grid.axis = plane.axis;
  grid.at = plane.at;
  grid.is_of_cells = resolved.scheme == Scheme::projection;
  grid.has_temperature = resolved.has_temperature();
  grid.has_pressure = grid.is_of_cells;
  grid.precision = resolved.output.planes->precision;
  const AxesInPlane axes = axes_in_plane(static_cast<Axis>(plane.axis));
  for (std::size_t which = 0; which < 2; ++which) {
    PlaneGrid::Along& along = grid.along.at(which);
    along.axis = static_cast<int>(which == 0 ? axes.first : axes.second);
    along.is_periodic = resolved.is_periodic(along.axis);
    along.points = point_coordinates(resolved, along.axis);
    if (grid.is_of_cells) along.faces = face_coordinates(resolved.grid, along.axis);
  }
  return grid;
}

std::vector<PlaneDataset> datasets_of(const PlaneGrid& grid) {
  std::vector<PlaneDataset> datasets;
  const auto add = [&](std::string name, int variable, bool is_at_faces) {
    PlaneDataset dataset{
        .name = std::move(name), .variable = variable, .is_at_faces = is_at_faces, .axes = {}};
    for (const std::size_t which : {0U, 1U}) {
      const PlaneGrid::Along& along = grid.along.at(1 - which);
      const bool has_faces = is_at_faces && along.axis == variable;
      dataset.axes.at(which) = has_faces ? faces_name(along.axis) : axis_name(along.axis);
      dataset.points.at(which) = has_faces ? along.faces.size() : along.points.size();
    }
    datasets.push_back(std::move(dataset));
  };
  for (int axis = 0; axis < 3; ++axis)
    add(std::string(velocity_names.at(static_cast<std::size_t>(axis))), axis, false);
  if (grid.has_temperature) add(std::string(temperature_name), temperature_variable, false);
  if (grid.has_pressure) add(std::string(pressure_name), pressure_in_plane, false);
  for (int axis = 0; axis < 3 && grid.is_of_cells; ++axis) {
    if (axis == grid.axis) continue;
    add(fmt::format("{}_faces", velocity_names.at(static_cast<std::size_t>(axis))), axis, true);
  }
  return datasets;
}

void write_plane(Hdf5File& file, const PlaneGrid& grid) {
  file.write_text("name", grid.name);
  file.write_text("axis", axis_name(grid.axis));
  file.write_real("at", grid.at);
  file.write_text("location", std::string(grid.is_of_cells ? of_cells : of_nodes));
  file.write_text("variables", variables_text(grid));
  for (const PlaneGrid::Along& along : grid.along)
    file.write_integer(periodic_name(along.axis), along.is_periodic ? 1 : 0);
}

DatasetWriter write_list(Hdf5File& file,
                         const std::string& name,
                         const std::vector<double>& values) {
  const hsize_t count = values.size();
  DatasetWriter dataset =
      file.create_dataset(name, {.shape = {count}, .precision = Precision::double_precision});
  dataset.append(count, values.data());
  return dataset;
}

std::vector<PlaneScale> write_scales(Hdf5File& file,
                                     const PlaneGrid& grid,
                                     const std::vector<double>& times) {
  std::vector<PlaneScale> scales;
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    scales.push_back({name, write_list(file, name, values)});
    scales.back().dataset.become_scale(name);
  };
  add("time", times);
  for (const PlaneGrid::Along& along : grid.along) {
    add(axis_name(along.axis), along.points);
    if (grid.is_of_cells) add(faces_name(along.axis), along.faces);
  }
  return scales;
}

std::vector<double> read_list(const Hdf5File& file, const std::string& name) {
  const DatasetReader dataset = file.open_dataset(name);
  if (dataset.shape().size() != 1 || dataset.precision() != Precision::double_precision)
    throw IoError(fmt::format("{}: dataset {}: not a list of numbers", file.path(), name));
  std::vector<double> values;
  dataset.read([&](hsize_t, hsize_t count, const void* read) {
    const auto* const first = static_cast<const double*>(read);
    values.insert(values.end(), first, first + count);
  });
  return values;
}

PlaneGrid read_plane(const Hdf5File& file) {
  PlaneGrid grid;
  grid.name = file.read_text("name");
  const std::string axis = file.read_text("axis");
  const std::optional<int> normal = value_named<int>(axis, axis_names);
  if (!normal)
    throw IoError(fmt::format("{}: axis is {}, but must be x, y or z", file.path(), axis));
  grid.axis = *normal;
  grid.at = file.read_real("at");
  if (!std::isfinite(grid.at))
    throw IoError(fmt::format("{}: at is {}, but must be finite", file.path(), grid.at));
  const std::string location = file.read_text("location");
  grid.is_of_cells = location == of_cells;
  if (!grid.is_of_cells && location != of_nodes)
    throw IoError(fmt::format(
        "{}: location is {}, but must be {} or {}", file.path(), location, of_cells, of_nodes));
  const std::string variables = file.read_text("variables");
  grid.has_temperature = variables.find(temperature_name) != std::string::npos;
  grid.has_pressure = variables.find(pressure_name) != std::string::npos;
  grid.precision = read_precision(file);
  const AxesInPlane axes = axes_in_plane(static_cast<Axis>(grid.axis));
  for (std::size_t which = 0; which < 2; ++which) {
    PlaneGrid::Along& along = grid.along.at(which);
    along.axis = static_cast<int>(which == 0 ? axes.first : axes.second);
    along.is_periodic = file.read_integer(periodic_name(along.axis)) != 0;
    along.points = read_list(file, axis_name(along.axis));
    require_ascending(file, axis_name(along.axis), along.points);
    if (!grid.is_of_cells) continue;
    along.faces = read_list(file, faces_name(along.axis));
    require_ascending(file, faces_name(along.axis), along.faces);
    if (along.faces.size() != along.points.size() + 1)
      throw IoError(fmt::format(
          "{}: dataset {}: does not fit the cells", file.path(), faces_name(along.axis)));
  }
  return grid;
}

}  // namespace dns
