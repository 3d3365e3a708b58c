#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "solver/config/case_reader.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

void read_stretching(ValueReader& reader, Case& read, int axis) {
  using Kind = StretchingCase::Kind;
  const std::string section = "grid.stretching." + axis_names[axis];
  if (!reader.is_given(section)) return;
  StretchingCase& stretching = read.grid.stretching[axis];
  stretching.kind = reader.is_given(section + ".coordinates") ? Kind::coordinates : Kind::tanh;
  reader.read_section(section, read, axis);
  const bool has_kind = !reader.is_wrong(section + ".type");
  const std::string_view kind = name_in(StretchingCase::kind_names, stretching.kind);
  if (has_kind) reader.check_keys_of_kind(section, "type", kind);
  const char* const its_key = stretching.kind == Kind::tanh ? ".factor" : ".coordinates";
  if (!has_kind || !reader.is_right(section + its_key)) stretching.kind = Kind::uniform;
}

/// A length or origin given with coordinates must agree with them, and is then exactly theirs.
void use_coordinates(ValueReader& reader, int axis, GridCase& grid) {
  const std::vector<double>& faces = grid.stretching[axis].coordinates;
  const int cells = grid.points[axis];
  const std::string path = "grid.stretching." + axis_names[axis] + ".coordinates";
  if (faces.size() != static_cast<std::size_t>(cells) + 1) {
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

}  // namespace

void read_grid(ValueReader& reader, Case& read) {
  GridCase& grid = read.grid;
  reader.read_section("grid", read);
  const bool has_points = reader.is_right("grid.points");
  // Beyond it the fields of a step in double exceed the 2^47 bytes that a process can address.
  constexpr std::int64_t most_points = std::int64_t{1} << 40U;
  if (has_points && std::int64_t{grid.points.nx} * grid.points.ny * grid.points.nz > most_points)
    reader.add_mistake("grid.points", "at most 2^40 points in all");
  if (!reader.may_be(Scheme::projection)) return;
  for (int axis = 0; axis < 3; ++axis) {
    read_stretching(reader, read, axis);
    if (has_points && grid.stretching[axis].kind == StretchingCase::Kind::coordinates)
      use_coordinates(reader, axis, grid);
  }
}

}  // namespace dns
