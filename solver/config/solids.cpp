#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {
namespace {

std::string text_at_body(const ScalarAtBody& scalar) {
  return scalar.is_insulated ? "{gradient: 0}" : yaml_text(scalar.value);
}

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_solids() {
  const auto file = keys_of_case();
  const auto body = file.part("solids.NAME", &Case::solids);
  const auto reference = body.part("reference", &SolidCase::reference);
  const auto motion = body.part("motion", &SolidCase::motion);
  const auto is_stl_at = [](auto& c, std::size_t n) {  // files of other shapes are not looked at
    return c.solids[n].shape == SolidCase::Shape::stl ? &c.solids[n] : nullptr;
  };
  const KeysOf stl_body("solids.NAME", is_stl_at);
  return {
      file.entry("solids", {.other_names = "iibm", .condition = "default: none",
           .changes_flow = true}, "solid bodies in the flow"),
      file.records("solids.NAME", &Case::solids, {.named = "body", .marks = "_"},
          "one body; columns of the time series have its NAME (letters, digits, '_')"),
      body.choice("shape", &SolidCase::shape, SolidCase::shape_names, {.is_required = true},
          "shape of the body; formula: any shape, stl: a closed surface of triangles in a file"),
      body.key("center", &SolidCase::center,
          {.may_be_two = true, .has_default = false,
           .condition = "sphere, cylinder: required; else default [0, 0, 0]; an endless cylinder: "
               "the two across its axis will do",
           .unit = "L"}, "centre of the body, about which its surface turns and torques are taken"),
      body.key("radius", &SolidCase::radius,
          {.has_default = false, .condition = "sphere, cylinder: required; else not allowed",
           .range = above(0), .kinds = {"sphere", "cylinder"}, .needed_by = {"sphere", "cylinder"},
           .unit = "L"}, "radius"),
      body.choice("axis", &SolidCase::axis, axis_names, {.has_default = false,
           .condition = "cylinder only; default z", .kinds = {"cylinder"}}, "axis of the cylinder"),
      body.key("length", &SolidCase::length,
          {.condition = "cylinder only; default: endless", .range = above(0), .kinds = {"cylinder"},
           .unit = "L"}, "length of the cylinder, half of it on each side of center"),
      body.key("min", &SolidCase::low,
          {.has_default = false, .condition = "box: required; else not allowed", .kinds = {"box"},
           .needed_by = {"box"}, .unit = "L"}, "lowest corner of the box"),
      body.key("max", &SolidCase::high,
          {.has_default = false, .condition = "box: required; else not allowed", .kinds = {"box"},
           .needed_by = {"box"}, .unit = "L"}, "highest corner of the box"),
      body.key("surface", &SolidCase::surface, {.former = "inside", .has_default = false,
           .condition = "formula: required; else not allowed", .variables = "x, y, z",
           .kinds = {"formula"}, .needed_by = {"formula"}},
          "a continuous function, 0 on the surface, > 0 in the fluid and < 0 in the body"),
      stl_body.key("path", &SolidCase::file, {.has_default = false,
           .condition = "stl: required, relative to the case file; else not allowed",
           .kinds = {"stl"}, .needed_by = {"stl"}},
          "STL file, text or binary; its surface must be closed; shells that overlap are a union, "
          "one within another is a cavity"),
      body.entry("content", {.kind = KeyKind::text,
           .condition = "stl only; default: that of the file", .kinds = {"stl"},
           .written = [](const Case& c, std::size_t n) {
             return yaml_text(c.solids[n].file.content); }},
          "checksum that the STL file must have"),
      body.key("scale", &SolidCase::scale,
          {.has_default = false, .condition = "stl only; default 1", .range = above(0),
           .kinds = {"stl"}}, "factor of the coordinates in the STL file"),
      body.key("orientation", &SolidCase::orientation, {.has_default = false,
           .condition = "stl only; default [0, 0, 0]", .kinds = {"stl"}, .unit = "degrees"},
          "angles by which the scaled body is turned about x, y and z in turn"),
      body.key("translation", &SolidCase::translation,
          {.has_default = false, .condition = "stl only; default [0, 0, 0]", .kinds = {"stl"},
           .unit = "L"}, "distances by which the turned body is moved along x, y and z"),
      body.key("velocity", &SolidCase::velocity, {.unit = "U"},
          "velocity of the surface; the body itself stays where it is"),
      body.key("rotation", &SolidCase::rotation, {.unit = "U/L"},
          "angular velocity of the surface about center"),
      body.section("motion", &SolidCase::motion,
          {.only = Scheme::projection,
           .condition = "not with stl; default: the body stays where it is",
           .kinds = {"sphere", "cylinder", "box", "formula"}},
          "prescribed motion of the body through the grid, from its place at the start"),
      motion.key("velocity", &MotionCase::velocity,
          {.only = Scheme::projection, .variables = "t", .unit = "U"}, "velocity of center"),
      motion.key("rotation", &MotionCase::rotation,
          {.only = Scheme::projection, .variables = "t", .unit = "U/L"},
          "angular velocity about center, in the axes of the grid"),
      body.entry("temperature", {.kind = KeyKind::formula_or_section,
           .condition = "required where the flow has a temperature; else not allowed",
           .needs_temperature = true, .unit = "T0", .written = [](const Case& c, std::size_t n) {
             return text_at_body(c.solids[n].scalar(first_scalar)); }},
          "temperature of the surface"),
      body.entry("temperature.gradient",
          {.kind = KeyKind::number, .condition = "instead of a temperature: no heat passes",
           .range = between(0, 0), .is_alternative = true, .unit = "T0/L"},
          "derivative of the temperature along the outward normal"),
      body.entry("scalars",
          {.only = Scheme::projection,
           .condition = "required where there are scalars",
           .written = [](const Case& c, std::size_t n) {
             return text_of_scalars(c, c.solids[n].scalars, text_at_body); }},
          "scalars at the surface"),
      body.entry("scalars.NAME",
          {.kind = KeyKind::formula_or_section, .condition = "one for each of scalars",
           .named = "scalar", .marks = "_"}, "scalar at the surface"),
      body.entry("scalars.NAME.gradient",
          {.kind = KeyKind::number, .condition = "instead of a value: nothing passes",
           .range = between(0, 0), .is_alternative = true, .unit = "1/L"},
          "derivative of the scalar along the outward normal"),
      body.section("reference", &SolidCase::reference,
          {.condition = "default: as the stream and the shape say, where they do",
           .changes_flow = false},
          "what coefficients 2 F/(velocity^2 area) and frequencies f length/velocity of the body "
          "are made with"),
      reference.key("velocity", &BodyReferenceCase::velocity,
          {.condition = "default: of the only inflow, if uniform, or the held mean velocity",
           .range = above(0), .unit = "U"}, "speed of the stream"),
      reference.key("area", &BodyReferenceCase::area,
          {.condition = "default: the area of a sphere, cylinder or box across the stream",
           .range = above(0), .unit = "L^2"}, "area of force coefficients"),
      reference.key("length", &BodyReferenceCase::length,
          {.condition = "default: the width of a sphere, cylinder or box across the stream",
           .range = above(0), .unit = "L"}, "length of Strouhal numbers"),
  };
}

// clang-format on

namespace {

using Shape = SolidCase::Shape;

void check_corners(ValueReader& reader, const SolidCase& box, const std::string& path) {
  if (!reader.is_right(path + ".min") || !reader.is_right(path + ".max")) return;
  for (int axis = 0; axis < 3; ++axis) {
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
  body.scalars.resize(read.scalar_count());
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

/// Refuses formulas of the motion that have no value at the start, and what cannot go with motion.
void check_motion_of_body(ValueReader& reader, const Case& read, const SolidCase& body) {
  const std::string path = "solids." + body.name + ".motion";
  const auto check_start = [&](const PerAxis<Expression>& formulas, const char* key) {
    const std::string at = path + "." + key;
    if (!reader.is_right(at)) return;
    for (int axis = 0; axis < 3; ++axis) {
      const auto depends_on_place = [](const Instruction& instruction) {
        return instruction.operation >= Operation::x && instruction.operation <= Operation::z;
      };
      if (std::ranges::any_of(formulas[axis].program(), depends_on_place))
        reader.add_item_mistake(at, axis, "a number or a formula of t", "; a body is rigid");
      const double value = formulas[axis](0, 0, 0, 0);
      if (!std::isfinite(value)) {
        reader.add_item_mistake(
            at, axis, "finite at t = 0", fmt::format("; there it is {}", value));
      }
    }
  };
  check_start(body.motion->velocity, "velocity");
  check_start(body.motion->rotation, "rotation");
  const PerAxis<double> rest{};
  if (body.velocity != rest) reader.refuse_beside("solids." + body.name + ".velocity", path);
  if (body.rotation != rest) reader.refuse_beside("solids." + body.name + ".rotation", path);
  for (std::size_t n = 0; n < body.scalars.size(); ++n) {
    if (body.scalars[n].is_insulated) {
      reader.add_problem(path,
                         fmt::format("no {} may pass the surface, which needs a body at rest; give "
                                     "a value there, or leave out motion",
                                     read.name_of_scalar(first_scalar + static_cast<int>(n))));
    }
  }
  if (read.time.scheme == TimeScheme::runge_kutta) {
    reader.add_problem(path,
                       "bodies move in implicit steps only, but time.scheme is runge_kutta; set "
                       "time.scheme: implicit");
  }
  if (read.rotation)
    reader.add_problem(path, "in a frame that rotates bodies have no motion; leave one out");
}

}  // namespace

void check_motion(ValueReader& reader, const Case& read) {
  const bool has_motion = read.has_moving_bodies();
  for (const SolidCase& body : read.solids) {
    const std::string path = "solids." + body.name;
    if (body.motion) check_motion_of_body(reader, read, body);
    if (has_motion && body.shape == Shape::stl && reader.is_right(path + ".shape")) {
      reader.add_problem(path,
                         "a body of shape stl cannot be in a case with motion: where its surface "
                         "lies is known at the start only; give the shape by a formula");
    }
  }
}

void read_solids(ValueReader& reader, Case& read) {
  reader.read_section("solids", read);
  for (SolidCase& body : read.solids) {
    const std::string path = "solids." + body.name;
    if (!reader.is_wrong(path)) check_body(reader, read, body, path);
  }
}

}  // namespace dns
