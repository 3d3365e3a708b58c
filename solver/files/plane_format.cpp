#include "solver/files/plane_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

constexpr std::string_view of_cells = "cells";
constexpr std::string_view of_nodes = "nodes";
constexpr std::string_view of_a_line = "line";

std::string faces_name(int axis) {
  return axis_name(axis) + "_faces";
}
std::string periodic_name(int axis) {
  return axis_name(axis) + "_is_periodic";
}

/// "velocity temperature pressure"
std::string variables_text(const PlaneGrid& grid) {
  std::string text(velocity_name);
  for (const std::string& name : grid.scalars) text += ' ' + name;
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

/// The points of a line.
void read_line(const Hdf5File& file, PlaneGrid& grid) {
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& along = grid.line[axis];
    along = read_list(file, axis_name(axis));
    const bool is_finite = std::ranges::all_of(along, [](double x) { return std::isfinite(x); });
    if (is_finite && along.size() >= 2 && along.size() == grid.line[0].size()) continue;
    throw IoError(fmt::format(
        "{}: dataset {}: not a coordinate of two points or more", file.path(), axis_name(axis)));
  }
}

}  // namespace

void write_plane(Hdf5File& file, const PlaneGrid& grid) {
  file.write_text("name", grid.name);
  if (grid.is_line()) {
    file.write_text("location", std::string(of_a_line));
    file.write_text("variables", variables_text(grid));
    for (int axis = 0; axis < 3; ++axis) write_list(file, axis_name(axis), grid.line[axis]).close();
    return;
  }
  file.write_text("axis", axis_name(grid.axis));
  file.write_real("at", grid.at);
  file.write_text("location", std::string(grid.is_of_cells ? of_cells : of_nodes));
  file.write_text("variables", variables_text(grid));
  for (const PlaneGrid::Along& along : grid.along)
    file.write_integer(periodic_name(along.axis), along.is_periodic ? 1 : 0);
}

std::string_view prefix_of(const PlaneGrid& grid) {
  return grid.is_line() ? probes_prefix : planes_prefix;
}

std::vector<hsize_t> shape_of(const PlaneDataset& dataset, std::size_t records) {
  const auto [rows, points] = dataset.points;
  if (dataset.axes[0].empty()) return {records, points};
  return {records, rows, points};
}

Scales write_scales(Hdf5File& file, const PlaneGrid& grid, const std::vector<double>& times) {
  Scales scales;
  add_scale(file, "time", times, scales);
  for (const PlaneGrid::Along& along : grid.along) {
    if (grid.is_line()) break;
    add_scale(file, axis_name(along.axis), along.points, scales);
    if (grid.is_of_cells) add_scale(file, faces_name(along.axis), along.faces, scales);
  }
  return scales;
}

PlaneGrid read_plane(const Hdf5File& file) {
  PlaneGrid grid;
  grid.name = file.read_text("name");
  const std::string location = file.read_text("location");
  std::istringstream variables(file.read_text("variables"));
  for (std::string name; variables >> name;)
    if (name != velocity_name) grid.scalars.push_back(name);
  grid.precision = read_precision(file);
  if (location == of_a_line) {
    read_line(file, grid);
    return grid;
  }
  const std::string axis = file.read_text("axis");
  const std::optional<int> normal = value_named<int>(axis, axis_names);
  if (!normal)
    throw IoError(fmt::format("{}: axis is {}, but must be x, y or z", file.path(), axis));
  grid.axis = *normal;
  grid.at = file.read_real("at");
  if (!std::isfinite(grid.at))
    throw IoError(fmt::format("{}: at is {}, but must be finite", file.path(), grid.at));
  grid.is_of_cells = location == of_cells;
  if (!grid.is_of_cells && location != of_nodes) {
    throw IoError(fmt::format(
        "{}: location is {}, but must be {} or {}", file.path(), location, of_cells, of_nodes));
  }
  const AxesInPlane axes = axes_in_plane(grid.axis);
  for (std::size_t which = 0; which < 2; ++which) {
    PlaneGrid::Along& along = grid.along.at(which);
    along.axis = static_cast<int>(which == 0 ? axes.first : axes.second);
    along.is_periodic = file.read_integer(periodic_name(along.axis)) != 0;
    along.points = read_list(file, axis_name(along.axis));
    require_ascending(file, axis_name(along.axis), along.points);
    if (!grid.is_of_cells) continue;
    along.faces = read_list(file, faces_name(along.axis));
    require_ascending(file, faces_name(along.axis), along.faces);
    if (along.faces.size() != along.points.size() + 1) {
      throw IoError(fmt::format(
          "{}: dataset {}: does not fit the cells", file.path(), faces_name(along.axis)));
    }
  }
  return grid;
}

}  // namespace dns
