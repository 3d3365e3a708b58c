#include <fmt/format.h>

#include <string>

#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

using Shape = SolidCase::Shape;

void check_corners(ValueReader& reader, const SolidCase& box, const std::string& path) {
  if (!reader.is_right(path + ".min") || !reader.is_right(path + ".max")) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.low[axis] < box.high[axis]) continue;
    reader.add_item_mistake(
        path + ".max", axis, "> min", fmt::format("; that is {}", box.low[axis]));
  }
}

void read_temperature(ValueReader& reader, SolidCase& body, const std::string& path) {
  reader.refuse_without_temperature(path);
  if (!reader.has_temperature()) return;
  reader.require(path);
  body.is_adiabatic = reader.is_map(path);
  if (body.is_adiabatic) {
    double zero = 0;
    reader.read(path + ".gradient", zero);
    return reader.require(path + ".gradient");
  }
  Expression value;
  if (!reader.read(path, value)) return;
  if (!value.is_constant()) return reader.add_mistake(path, "a number, or {gradient: 0}");
  body.temperature = value(0, 0, 0, 0);
}

void check_body(ValueReader& reader, SolidCase& body, const std::string& path) {
  for (const std::string& face : face_names) {
    if (body.name == "flux_" + face)
      reader.add_problem(path, "heat_" + body.name + " is a wall's column of timeseries.csv");
  }
  read_temperature(reader, body, path + ".temperature");
  if (!reader.is_right(path + ".shape")) return;
  reader.check_keys_of_kind(path, "shape", name_in(SolidCase::shape_names, body.shape));
  if (body.shape == Shape::sphere || body.shape == Shape::cylinder)
    reader.require(path + ".center");
  if (body.shape == Shape::box) check_corners(reader, body, path);
}

}  // namespace

void read_solids(ValueReader& reader, Case& read) {
  reader.read_section("solids", read);
  for (SolidCase& body : read.solids) {
    const std::string path = "solids." + body.name;
    if (!reader.is_wrong(path)) check_body(reader, body, path);
  }
}

}  // namespace dns
