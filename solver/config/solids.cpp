#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"

namespace dns {
namespace {

std::string scalar_text(const ScalarAtBody& scalar) {
  return scalar.is_insulated ? "{gradient: 0}" : yaml_text(scalar.value);
}

/// "{salt: 1, dye: {gradient: 0}}": those besides temperature.
std::string scalars_of_body(const Case& resolved, std::size_t body) {
  const std::vector<ScalarAtBody>& scalars = resolved.solids[body].scalars;
  std::vector<std::string> entries;
  std::size_t place = scalars.size() - resolved.scalars.size();
  for (const ScalarCase& scalar : resolved.scalars)
    entries.push_back(yaml_text(scalar.name) + ": " + scalar_text(scalars[place++]));
  return entries.empty() ? "" : fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_solids() {
  using Shape = SolidCase::Shape;
  const auto file = [](auto& c, std::size_t) { return &c; };
  const auto body = [](auto& c, std::size_t n) { return &c.solids[n]; };
  const auto reference = [](auto& c, std::size_t n) { return held(c.solids[n].reference); };
  const auto stl_body = [](auto& c, std::size_t n) {  // files of other shapes are not looked at
    return c.solids[n].shape == Shape::stl ? &c.solids[n] : nullptr;
  };
  return {
      section("solids", {.condition = "default: none"}, "solid bodies in the flow"),
      records("solids.NAME", file, &Case::solids, {.named = "body", .marks = "_"},
          "one body; columns of the time series have its NAME (letters, digits, '_')"),
      choice("solids.NAME.shape", body, &SolidCase::shape, SolidCase::shape_names,
          {.is_required = true},
          "shape of the body; formula: any shape, stl: a closed surface of triangles in a file"),
      key("solids.NAME.center", body, &SolidCase::center,
          {.condition = "sphere, cylinder: required; else default [0, 0, 0]", .unit = "L"},
          "centre of the body, about which its surface turns and torques are taken"),
      key("solids.NAME.radius", body, &SolidCase::radius,
          {.condition = "sphere, cylinder: required; else not allowed", .range = above(0),
           .kinds = {"sphere", "cylinder"}, .needed_by = {"sphere", "cylinder"}, .unit = "L"},
          "radius"),
      choice("solids.NAME.axis", body, &SolidCase::axis, axis_names,
          {.condition = "cylinder only; default z", .kinds = {"cylinder"}},
          "axis of the cylinder"),
      key("solids.NAME.length", body, &SolidCase::length,
          {.condition = "cylinder only; default: endless", .range = above(0), .kinds = {"cylinder"},
           .unit = "L"},
          "length of the cylinder, half of it on each side of center"),
      key("solids.NAME.min", body, &SolidCase::low,
          {.condition = "box: required; else not allowed", .kinds = {"box"}, .needed_by = {"box"},
           .unit = "L"},
          "lowest corner of the box"),
      key("solids.NAME.max", body, &SolidCase::high,
          {.condition = "box: required; else not allowed", .kinds = {"box"}, .needed_by = {"box"},
           .unit = "L"},
          "highest corner of the box"),
      key("solids.NAME.surface", body, &SolidCase::inside,
          {.former = "inside", .condition = "formula: required; else not allowed",
           .variables = "x, y, z", .kinds = {"formula"}, .needed_by = {"formula"}},
          "a continuous function, 0 on the surface, > 0 in the fluid and < 0 in the body"),
      key("solids.NAME.path", stl_body, &SolidCase::file,
          {.condition = "stl: required, relative to the case file; else not allowed",
           .kinds = {"stl"}, .needed_by = {"stl"}},
          "STL file, text or binary; its surface must be closed; shells that overlap are a union, "
          "one within another is a cavity"),
      {.path = "solids.NAME.content", .kind = KeyKind::text,
       .condition = "stl only; default: that of the file", .kinds = {"stl"},
       .meaning = "checksum that the STL file must have",
       .written = [](const Case& c, std::size_t n) { return yaml_text(c.solids[n].file.content); }},
      key("solids.NAME.scale", body, &SolidCase::scale,
          {.condition = "stl only; default 1", .range = above(0), .kinds = {"stl"}},
          "factor of the coordinates in the STL file"),
      key("solids.NAME.orientation", body, &SolidCase::orientation,
          {.condition = "stl only; default [0, 0, 0]", .kinds = {"stl"}, .unit = "degrees"},
          "angles by which the scaled body is turned about x, y and z in turn"),
      key("solids.NAME.translation", body, &SolidCase::translation,
          {.condition = "stl only; default [0, 0, 0]", .kinds = {"stl"}, .unit = "L"},
          "distances by which the turned body is moved along x, y and z"),
      key("solids.NAME.velocity", body, &SolidCase::velocity,
          {.has_default = true, .unit = "U"},
          "velocity of the surface; the body itself stays where it is"),
      key("solids.NAME.rotation", body, &SolidCase::rotation,
          {.has_default = true, .unit = "U/L"},
          "angular velocity of the surface about center"),
      {.path = "solids.NAME.temperature", .kind = KeyKind::formula_or_section,
       .condition = "required where the flow has a temperature; else not allowed", .unit = "T0",
       .meaning = "temperature of the surface",
       .is_written = [](const Case& c, std::size_t) { return c.has_temperature(); },
       .written = [](const Case& c, std::size_t n) {
         return scalar_text(c.solids[n].scalar(first_scalar)); }},
      {.path = "solids.NAME.temperature.gradient", .kind = KeyKind::number,
       .condition = "instead of a temperature: no heat passes", .range = between(0, 0),
       .is_alternative = true, .unit = "T0/L",
       .meaning = "derivative of the temperature along the outward normal"},
      {.path = "solids.NAME.scalars", .only = Scheme::projection,
       .condition = "required where there are scalars", .meaning = "scalars at the surface",
       .written = scalars_of_body},
      {.path = "solids.NAME.scalars.NAME", .kind = KeyKind::formula_or_section,
       .condition = "one for each of scalars", .meaning = "scalar at the surface",
       .named = "scalar", .marks = "_"},
      {.path = "solids.NAME.scalars.NAME.gradient", .kind = KeyKind::number,
       .condition = "instead of a value: nothing passes", .range = between(0, 0),
       .is_alternative = true, .unit = "1/L",
       .meaning = "derivative of the scalar along the outward normal"},
      section("solids.NAME.reference", body, &SolidCase::reference,
          {.condition = "default: as the stream and the shape say, where they do"},
          "what coefficients 2 F/(velocity^2 area) and frequencies f length/velocity of the body "
          "are made with"),
      key("solids.NAME.reference.velocity", reference, &BodyReferenceCase::velocity,
          {.condition = "default: of the only inflow, if uniform, or the held mean velocity",
           .range = above(0), .unit = "U"},
          "speed of the stream"),
      key("solids.NAME.reference.area", reference, &BodyReferenceCase::area,
          {.condition = "default: the area of a sphere, cylinder or box across the stream",
           .range = above(0), .unit = "L^2"},
          "area of force coefficients"),
      key("solids.NAME.reference.length", reference, &BodyReferenceCase::length,
          {.condition = "default: the width of a sphere, cylinder or box across the stream",
           .range = above(0), .unit = "L"},
          "length of Strouhal numbers"),
  };
}

// clang-format on

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

void read_scalar(ValueReader& reader, ScalarAtBody& scalar, const std::string& path) {
  reader.require(path);
  scalar.is_insulated = reader.is_map(path);
  if (scalar.is_insulated) {
    double zero = 0;
    reader.read(path + ".gradient", zero);
    return reader.require(path + ".gradient");
  }
  Expression value;
  if (!reader.read(path, value)) return;
  if (!value.is_constant()) return reader.add_mistake(path, "a number, or {gradient: 0}");
  scalar.value = value(0, 0, 0, 0);
}

void read_scalars_of_body(ValueReader& reader,
                          const Case& read,
                          SolidCase& body,
                          const std::string& path) {
  body.scalars.resize(static_cast<std::size_t>(read.scalar_count()));
  reader.refuse_without_temperature(path + ".temperature");
  if (reader.has_temperature()) {
    ScalarAtBody temperature;
    read_scalar(reader, temperature, path + ".temperature");
    if (read.has_temperature()) body.scalars.front() = temperature;
  }
  std::size_t place = body.scalars.size() - read.scalars.size();
  for (const ScalarCase& scalar : read.scalars)
    read_scalar(reader, body.scalars.at(place++), path + ".scalars." + scalar.name);
  refuse_unknown_scalars(reader, read, path + ".scalars");
}

void check_body(ValueReader& reader, const Case& read, SolidCase& body, const std::string& path) {
  for (const std::string& face : face_names) {
    if (body.name == "flux_" + face)
      reader.add_problem(path, "heat_" + body.name + " is a wall's column of timeseries.csv");
  }
  read_scalars_of_body(reader, read, body, path);
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
    if (!reader.is_wrong(path)) check_body(reader, read, body, path);
  }
}

}  // namespace dns
