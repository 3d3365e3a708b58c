#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case_reader.hpp"
#include "solver/config/pieces_of_axis.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// Finds the faces of type pieces. Returns whether there are any.
bool read_pieces(ValueReader& reader, Case& read, int axis) {
  const std::string section = "grid.stretching." + axis_names[axis];
  std::vector<UniformPart> parts;
  double ratio = 0;
  const bool has_parts = reader.read(section + ".uniform", parts);
  const bool has_ratio = reader.read(section + ".ratio", ratio);
  const double low = read.grid.origin[axis];
  const double high = low + read.grid.length[axis];
  if (!has_parts || !has_ratio || reader.is_wrong("grid.length") || reader.is_wrong("grid.origin"))
    return false;
  try {
    read.grid.stretching[axis].coordinates = faces_of_pieces(low, high, parts, ratio);
  } catch (const ValueMistake& mistake) {
    reader.add_mistake(section + ".uniform", mistake.what(), mistake.remark);
    return false;
  }
  return true;
}

void read_stretching(ValueReader& reader, Case& read, int axis) {
  using Kind = StretchingCase::Kind;
  const std::string section = "grid.stretching." + axis_names[axis];
  if (!reader.is_given(section)) return;
  StretchingCase& stretching = read.grid.stretching[axis];
  const auto has = [&](const char* word) { return reader.is_given(section + word); };
  std::string kind = has(".coordinates") ? "coordinates" : has(".uniform") ? "pieces" : "tanh";
  reader.read(section + ".type", kind);
  reader.read_section(section, read, axis);
  const bool has_kind = !reader.is_wrong(section + ".type");
  if (has_kind) reader.check_keys_of_kind(section, "type", kind);
  const bool is_right = kind == "pieces" ? read_pieces(reader, read, axis)
                        : kind == "tanh" ? reader.is_right(section + ".factor")
                                         : reader.is_right(section + ".coordinates");
  if (!has_kind || !is_right) return;
  stretching.kind = kind == "tanh" ? Kind::tanh : Kind::coordinates;
}

/// A length or origin given with coordinates must agree with them, and is then exactly theirs.
void use_coordinates(ValueReader& reader, int axis, GridCase& grid) {
  const std::vector<double>& faces = grid.stretching[axis].coordinates;
  const int cells = grid.points[axis];
  const std::string section = "grid.stretching." + axis_names[axis];
  const bool are_given = reader.is_given(section + ".coordinates");
  const std::string path = section + (are_given ? ".coordinates" : ".uniform");
  if (std::ssize(faces) != cells + 1 && !are_given) {
    reader.add_item_mistake("grid.points",
                            axis,
                            fmt::format("{} or auto", faces.size() - 1),
                            fmt::format("; so many cells {} makes", section));
    return;
  }
  if (std::ssize(faces) != cells + 1) {
    reader.add_problem(path,
                       fmt::format("holds {} numbers, but must hold {}, one more than the {} cells "
                                   "of grid.points[{}]",
                                   faces.size(),
                                   cells + 1,
                                   cells,
                                   axis));
    return;
  }
  const double span = faces.back() - faces.front();
  const auto settle = [&](const std::string& key, double of_coordinates, double& value) {
    constexpr double rounding = 1e-9;  // of numbers written by hand
    if (reader.is_given(key) && std::abs(value - of_coordinates) > rounding * span) {
      const std::string remark = fmt::format("; so say {}", path);
      reader.add_item_mistake(key, axis, number_text(of_coordinates), remark);
    }
    value = of_coordinates;
  };
  settle("grid.length", span, grid.length[axis]);
  settle("grid.origin", faces.front(), grid.origin[axis]);
}

/// The cells that coordinates have, where grid.points is auto along an axis.
void count_cells(ValueReader& reader, int axis, GridCase& grid) {
  int& cells = grid.points[axis];
  if (cells > 0) return;
  const StretchingCase& stretching = grid.stretching[axis];
  if (stretching.kind == StretchingCase::Kind::coordinates) {
    cells = static_cast<int>(stretching.coordinates.size()) - 1;
    const Range range = find_key("grid.points")->range;
    if (cells < range.minimum || cells > range.maximum) {
      reader.add_problem("grid.points",
                         fmt::format("auto makes {} cells along {}, but must make a number {}",
                                     cells,
                                     axis_names[axis],
                                     range_text(*find_key("grid.points"))));
    }
    return;
  }
  const std::string section = "grid.stretching." + axis_names[axis];
  if (!reader.may_be_missed(section) || reader.is_given(section + ".uniform")) return;
  reader.add_problem(
      "grid.points",
      fmt::format("auto along {} needs {} with type pieces or coordinates, in scheme "
                  "projection",
                  axis_names[axis],
                  section));
}

}  // namespace

void read_grid(ValueReader& reader, Case& read) {
  GridCase& grid = read.grid;
  reader.read_section("grid", read);
  const bool has_points = reader.is_right("grid.points");
  // Beyond it the fields of a step in double exceed the 2^47 bytes that a process can address.
  constexpr std::int64_t most_points = std::int64_t{1} << 40U;
  if (has_points && std::int64_t{grid.points.nx} * grid.points.ny * grid.points.nz > most_points)
    reader.add_mistake("grid.points", "at most 2^40 points in all");
  for (int axis = 0; axis < 3; ++axis) {
    if (reader.may_be(Scheme::projection)) read_stretching(reader, read, axis);
    if (!has_points) continue;
    count_cells(reader, axis, grid);
    if (grid.stretching[axis].kind == StretchingCase::Kind::coordinates)
      use_coordinates(reader, axis, grid);
  }
}

}  // namespace dns
