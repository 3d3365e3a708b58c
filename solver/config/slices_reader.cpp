#include <fmt/format.h>

#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/config/section_readers.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// A flow driven by buoyancy shows best in its temperature.
std::string default_variable(const Case& read) {
  return read.buoyancy && read.has_temperature() ? "temperature" : "velocity_magnitude";
}

double middle_of(const GridCase& grid, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  return grid.origin.at(a) + grid.length.at(a) / 2;
}

std::vector<SliceCase> middle_planes(const Case& read) {
  std::vector<SliceCase> planes(3);
  for (int axis = 0; axis < 3; ++axis) {
    SliceCase& plane = planes.at(static_cast<std::size_t>(axis));
    plane.name = axis_name(axis);
    plane.axis = axis;
    plane.at = middle_of(read.grid, axis);
    plane.variable = default_variable(read);
  }
  return planes;
}

void check_slice(ValueReader& reader, const Case& read, SliceCase& plane, const std::string& path) {
  check_place_of_plane(reader, path + ".at", read.grid, plane.axis, plane.at);
  if (!reader.is_given(path + ".at")) plane.at = middle_of(read.grid, plane.axis);
  if (plane.variable.empty()) plane.variable = default_variable(read);
  if (plane.variable == "temperature" && !read.has_temperature()) {
    reader.add_mistake(path + ".variable",
                       "a variable that the flow has",
                       "; it has a temperature only with fluid.prandtl");
  }
  if (plane.variable == "pressure" && !reader.may_be(Scheme::projection)) {
    reader.add_mistake(
        path + ".variable", "a velocity or temperature", "; pressure belongs to scheme projection");
  }
  if (plane.low && plane.high && *plane.low >= *plane.high)
    reader.add_mistake(
        path + ".max", "> min", fmt::format("; that is {}", number_text(*plane.low)));
}

}  // namespace

void check_place_of_plane(
    ValueReader& reader, const std::string& path, const GridCase& grid, int axis, double at) {
  const auto a = static_cast<std::size_t>(axis);
  const double first = grid.origin.at(a);
  const double last = first + grid.length.at(a);
  if (!reader.is_right(path) || (at >= first && at <= last)) return;
  reader.add_mistake(path,
                     fmt::format("from {} to {}", number_text(first), number_text(last)),
                     fmt::format("; that is the domain along {}", axis_names.at(a)));
}

void check_slices(ValueReader& reader, Case& read) {
  std::vector<SliceCase>& planes = read.output.slices->planes;
  for (SliceCase& plane : planes) {
    const std::string path = "output.slices.planes." + plane.name;
    if (!reader.is_wrong(path)) check_slice(reader, read, plane, path);
  }
  if (planes.empty()) planes = middle_planes(read);
}

SlicesCase slices_to_draw(const Case& resolved) {
  if (resolved.output.slices) return *resolved.output.slices;
  SlicesCase slices;
  slices.every = 0;
  slices.planes = middle_planes(resolved);
  return slices;
}

}  // namespace dns
