#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "solver/config/case_reader.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// What is wrong with a coordinate along `axis`; none where the box has it.
std::optional<ValueMistake> mistake_in(double at, const GridCase& grid, int axis) {
  const double first = grid.origin[axis];
  const double last = first + grid.length[axis];
  if (at >= first && at <= last) return std::nullopt;
  return ValueMistake(fmt::format("from {} to {}", number_text(first), number_text(last)),
                      fmt::format("; that is the domain along {}", axis_names[axis]));
}

/// Where a plane normal to `axis` is.
void check_plane(
    ValueReader& reader, const std::string& path, const GridCase& grid, int axis, double at) {
  const auto mistake = mistake_in(at, grid, axis);
  if (mistake && reader.is_right(path)) reader.add_mistake(path, mistake->what(), mistake->remark);
}

void check_point(ValueReader& reader,
                 const std::string& path,
                 const GridCase& grid,
                 const PerAxis<double>& point) {
  if (!reader.is_right(path)) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (const auto mistake = mistake_in(point[axis], grid, axis))
      reader.add_item_mistake(path, axis, mistake->what(), mistake->remark);
  }
}

void check_probe(ValueReader& reader,
                 const GridCase& grid,
                 ProbeCase& probe,
                 const std::string& path) {
  const auto has = [&](const char* word) { return reader.is_given(path + word); };
  const bool is_line = has(".from") || has(".to") || has(".count");
  if (is_line && has(".at")) {
    reader.add_problem(path, "a point has at, a line from, to and count, but none has both");
  } else if (is_line) {
    for (const char* const word : {".from", ".to", ".count"}) reader.require(path + word);
    check_point(reader, path + ".from", grid, probe.from);
    check_point(reader, path + ".to", grid, probe.to);
    if (has(".from") && has(".to") && probe.from == probe.to)
      reader.add_problem(path, "a line ends at another place than it begins; at makes it a point");
  } else if (has(".at")) {
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
  return grid.origin[axis] + grid.length[axis] / 2;
}

std::vector<SliceCase> middle_planes(const Case& read) {
  std::vector<SliceCase> planes;
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = middle_of(read.grid, axis);
    planes.push_back({.name = axis_name(axis),
                      .axis = axis,
                      .at = middle,
                      .variable = default_variable(read),
                      .low = {},
                      .high = {}});
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
  return resolved.output.slices.value_or(SlicesCase{.every = 0, .planes = middle_planes(resolved)});
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
