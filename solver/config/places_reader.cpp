#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "solver/config/case_reader.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// Calls refuse(rule, remark) where `at` is no coordinate of the box along `axis`.
template <class Refuse>
void check_coordinate(const GridCase& grid, std::size_t axis, double at, Refuse refuse) {
  const double first = grid.origin.at(axis);
  const double last = first + grid.length.at(axis);
  if (at >= first && at <= last) return;
  refuse(fmt::format("from {} to {}", number_text(first), number_text(last)),
         fmt::format("; that is the domain along {}", axis_names.at(axis)));
}

/// Where a plane normal to `axis` is.
void check_plane(
    ValueReader& reader, const std::string& path, const GridCase& grid, int axis, double at) {
  const auto refuse = [&](const auto&... words) { reader.add_mistake(path, words...); };
  if (reader.is_right(path)) check_coordinate(grid, static_cast<std::size_t>(axis), at, refuse);
}

void check_point(ValueReader& reader,
                 const std::string& path,
                 const GridCase& grid,
                 const std::array<double, 3>& point) {
  if (!reader.is_right(path)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto refuse = [&](const auto&... words) {
      reader.add_item_mistake(path, axis, words...);
    };
    check_coordinate(grid, axis, point.at(axis), refuse);
  }
}

void check_line(ValueReader& reader,
                const GridCase& grid,
                const ProbeCase& line,
                const std::string& path) {
  for (const char* const word : {".from", ".to", ".count"}) reader.require(path + word);
  check_point(reader, path + ".from", grid, line.from);
  check_point(reader, path + ".to", grid, line.to);
  const bool are_both_given = reader.is_given(path + ".from") && reader.is_given(path + ".to");
  if (are_both_given && line.from == line.to)
    reader.add_problem(path, "a line ends at another place than it begins; at makes it a point");
}

void check_probe(ValueReader& reader,
                 const GridCase& grid,
                 ProbeCase& probe,
                 const std::string& path) {
  const bool is_point = reader.is_given(path + ".at");
  const bool is_line =
      std::ranges::any_of(std::array{".from", ".to", ".count"},
                          [&](const char* word) { return reader.is_given(path + word); });
  if (is_point && is_line) {
    reader.add_problem(path, "a point has at, a line from, to and count, but none has both");
  } else if (is_line) {
    check_line(reader, grid, probe, path);
  } else if (is_point) {
    probe.to = probe.from;
    check_point(reader, path + ".at", grid, probe.from);
  } else if (reader.may_be_missed(path + ".at")) {
    reader.add_problem(path, "needs at, the place of a point, or from, to and count, a line");
  }
}

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
  check_plane(reader, path + ".at", read.grid, plane.axis, plane.at);
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
  if (plane.low && plane.high && *plane.low >= *plane.high) {
    reader.add_mistake(
        path + ".max", "> min", fmt::format("; that is {}", number_text(*plane.low)));
  }
}

}  // namespace

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

void check_planes(ValueReader& reader, const Case& read) {
  for (const PlaneCase& plane : read.output.planes->planes) {
    const std::string path = "output.planes." + plane.name;
    if (!reader.is_wrong(path) && reader.is_right(path + ".axis"))
      check_plane(reader, path + ".at", read.grid, plane.axis, plane.at);
  }
  if (read.output.planes->planes.empty() && reader.is_map("output.planes"))
    reader.add_problem("output.planes", "names no plane, such as inlet: {axis: x, at: 1}");
}

void check_probes(ValueReader& reader, Case& read) {
  std::vector<ProbeCase>& probes = read.output.probes->probes;
  for (ProbeCase& probe : probes) {
    const std::string path = "output.probes." + probe.name;
    if (!reader.is_wrong(path)) check_probe(reader, read.grid, probe, path);
  }
  if (!probes.empty()) return;
  if (reader.is_map("output.probes"))
    reader.add_problem("output.probes", "names no point, such as wake: {at: [2, 0, 0]}");
  read.output.probes.reset();
}

}  // namespace dns
