#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {
namespace {

std::string text_at_body(const ScalarAtBody& scalar, std::string_view flux) {
  using Condition = ScalarAtBody::Condition;
  if (scalar.is_insulated()) return "{gradient: 0}";
  switch (scalar.condition) {
    case Condition::flux:
      return fmt::format("{{{}: {}}}", flux, yaml_text(scalar.flux));
    case Condition::transfer:
      return fmt::format(
          "{{transfer: {}, outside: {}}}", yaml_text(scalar.transfer), yaml_text(scalar.value));
    case Condition::conducting:
      return fmt::format("{{conducting: {{conductivity: {}, heat_capacity: {}}}}}",
                         yaml_text(scalar.conductivity),
                         yaml_text(scalar.heat_capacity));
    case Condition::value:
      break;
  }
  return yaml_text(scalar.value);
}
constexpr std::string_view flux_of_heat = "heat_flux";
constexpr std::string_view flux_of_scalar = "flux";

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_solids() {
  const auto file = keys_of_case();
  const auto body = file.part("solids.NAME", &Case::solids);
  const auto reference = body.part("reference", &SolidCase::reference);
  const auto motion = body.part("motion", &SolidCase::motion);
  const auto free = body.part("free", &SolidCase::free);
  const auto spring = body.part("spring", &SolidCase::spring);
  const auto collisions = body.part("collisions", &SolidCase::collisions);
  const auto is_stl_at = [](auto& c, std::size_t n) {  // files of other shapes are not looked at
    return c.solids[n].shape == SolidCase::Shape::stl ? &c.solids[n] : nullptr;
  };
  const KeysOf stl_body("solids.NAME", is_stl_at);
  const auto is_single = [](const Case& c, std::size_t n) { return !c.solids[n].is_several(); };
  const auto has_positions = [](const Case& c, std::size_t n) { return c.solids[n].count > 0; };
  const auto flux = [](std::string_view unit) -> Key {
    return {.kind = KeyKind::number, .only = Scheme::projection,
            .condition = "instead of a value: a given flux", .is_alternative = true, .unit = unit};
  };
  const Key transfer{.kind = KeyKind::number, .only = Scheme::projection,
      .condition = "instead of a value, with outside", .range = at_least(0),
      .is_alternative = true, .unit = "1/L"};
  const auto outside = [](std::string_view unit) -> Key {
    return {.kind = KeyKind::number, .only = Scheme::projection,
            .condition = "with transfer: required; else not allowed", .unit = unit};
  };
  const Key conducting{.kind = KeyKind::section, .only = Scheme::projection,
      .condition = "instead of a value: the body conducts", .is_alternative = true};
  const Key ratio{.kind = KeyKind::number, .only = Scheme::projection,
      .condition = "default 1", .range = above(0)};
  return {
      file.entry("solids", {.other_names = "iibm", .condition = "default: none",
           .changes_flow = true}, "solid bodies in the flow"),
      file.records("solids.NAME", &Case::solids, {.named = "body", .marks = "_"},
          "one body; columns of the time series have its NAME (letters, digits, '_')"),
      body.choice("shape", &SolidCase::shape, SolidCase::shape_names, {.is_required = true},
          "shape of the body; formula: any shape, stl: a closed surface of triangles in a file"),
      body.key("center", &SolidCase::center,
          {.may_be_two = true, .has_default = false,
           .condition = "sphere, cylinder: required, or positions or file; else default [0, 0, 0]; "
               "an endless cylinder: the two across its axis will do",
           .unit = "L", .is_written = is_single}, "centre of the body, about which its surface turns and torques are taken"),
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
           .condition = "with an STL or HDF5 file; default: that of the file",
           .kinds = {"stl", "sphere", "cylinder"},
           .written = [](const Case& c, std::size_t n) {
             const SolidCase& of = c.solids[n];
             if (of.places) return yaml_text(of.places->content);
             return of.shape == SolidCase::Shape::stl ? yaml_text(of.file.content)
                                                      : std::string{}; }},
          "checksum that the file must have"),
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
      body.section("free", &SolidCase::free,
          {.only = Scheme::projection,
           .condition = "sphere, and endless cylinder along a periodic axis; default: the body stays "
               "where it is", .kinds = {"sphere", "cylinder"}},
          "motion of the body by its weight and the forces of the flow"),
      free.key("density", &FreeCase::density,
          {.only = Scheme::projection, .is_required = true, .range = above(0)},
          "density over that of the fluid"),
      free.key("gravity", &FreeCase::gravity, {.only = Scheme::projection, .unit = "U^2/L"},
          "acceleration by gravity; the fluid carries as much of the body as it displaces"),
      free.key("velocity", &FreeCase::velocity, {.only = Scheme::projection, .unit = "U"},
          "velocity of center at the start"),
      free.key("rotation", &FreeCase::rotation, {.only = Scheme::projection, .unit = "U/L"},
          "angular velocity about center at the start; of a cylinder about its axis alone"),
      free.key("fixed", &FreeCase::fixed,
          {.only = Scheme::projection, .may_be_empty = true,
           .choices = {FreeCase::fixed_names.begin(), FreeCase::fixed_names.end()}},
          "velocities along axes, and rotation, that stay as they are at the start"),
      body.key("count", &SolidCase::count,
          {.only = Scheme::projection, .has_default = false,
           .condition = "with free and positions; default: one, at center",
           .range = between(1, SolidCase::most_free), .kinds = {"sphere", "cylinder"},
           .is_written = has_positions},
          "number of bodies that are alike but for their places; at most 256 can be free in all; "
          "they have no columns in the time series, but bodies_NAME.h5"),
      body.entry("positions",
          {.kind = KeyKind::formula, .is_vector = true, .only = Scheme::projection,
           .condition = "with count", .variables = "n, r1, r2, r3",
           .kinds = {"sphere", "cylinder"}, .unit = "L", .is_written = has_positions,
           .written = [](const Case& c, std::size_t n) { return yaml_text(c.solids[n].positions); },
           .read = [](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
             reader.read(at, read.solids[n].positions, variables_of_places); }},
          "centres of the bodies: n = 0 .. count - 1; r1, r2, r3: random numbers of each, uniform "
          "in [0, 1), and others where it would overlap a body or stick out of the box"),
      body.key("file", &SolidCase::places,
          {.only = Scheme::projection,
           .condition = "with free, instead of count and positions; found from the case file",
           .kinds = {"sphere", "cylinder"}},
          "HDF5 file with arrays position (N, 3) and, where wanted, velocity (N, 3), in double"),
      body.key("seed", &SolidCase::seed,
          {.only = Scheme::projection, .condition = "with count", .range = at_least(0),
           .kinds = {"sphere", "cylinder"}, .is_written = has_positions},
          "seed of the random numbers"),
      body.section("spring", &SolidCase::spring,
          {.only = Scheme::projection, .condition = "with free; default: none",
           .kinds = {"sphere", "cylinder"}},
          "springs and dampers between the free body and the grid"),
      spring.key("stiffness", &SpringCase::stiffness,
          {.only = Scheme::projection, .range = at_least(0), .unit = "U^2/L^2"},
          "force along each axis over the way from `at`, per mass of the displaced fluid"),
      spring.key("damping", &SpringCase::damping,
          {.only = Scheme::projection, .range = at_least(0), .unit = "U/L"},
          "force along each axis over the velocity, per mass of the displaced fluid"),
      spring.key("at", &SpringCase::at,
          {.only = Scheme::projection, .condition = "default: center", .unit = "L"},
          "place of the body where the springs have no force"),
      spring.key("torsion", &SpringCase::torsion,
          {.only = Scheme::projection, .range = at_least(0), .unit = "U^2/L^2"},
          "torque over the angle turned about each axis, per moment of inertia of the displaced "
          "fluid"),
      body.section("collisions", &SolidCase::collisions,
          {.only = Scheme::projection, .condition = "with free; default: as without keys",
           .kinds = {"sphere", "cylinder"}},
          "repulsion of the free body by spheres and cylinders near it, and by walls"),
      collisions.key("distance", &CollisionCase::distance,
          {.only = Scheme::projection, .range = above(0, 100)},
          "gap below which there is repulsion, in cells"),
      collisions.key("stiffness", &CollisionCase::stiffness,
          {.only = Scheme::projection,
           .condition = "default: such that what comes near stops within the distance",
           .range = above(0), .unit = "U^2/L"},
          "repulsion at contact, per mass of the displaced fluid"),
      body.entry("temperature", {.kind = KeyKind::formula_or_section,
           .condition = "required where the flow has a temperature; else not allowed",
           .needs_temperature = true, .unit = "T0", .written = [](const Case& c, std::size_t n) {
             return text_at_body(c.solids[n].scalar(first_scalar), flux_of_heat); }},
          "temperature of the surface"),
      body.entry("temperature.gradient",
          {.kind = KeyKind::number, .condition = "instead of a temperature: no heat passes",
           .range = between(0, 0), .is_alternative = true, .unit = "T0/L"},
          "derivative of the temperature along the outward normal"),
      body.entry("temperature.heat_flux", flux("U T0"),
          "q of -1/(Re Pr) dT/dn = q, n the outward normal: what flows into the fluid"),
      body.entry("temperature.transfer", transfer,
          "h of -dT/dn = h (outside - T), n the outward normal: a heat transfer coefficient over "
          "the conductivity of the fluid"),
      body.entry("temperature.outside", outside("T0"),
          "temperature beyond what resists the transfer, inside of the body"),
      body.entry("temperature.conducting", conducting,
          "temperature is solved for in the body, too"),
      body.entry("temperature.conducting.conductivity", ratio,
          "conductivity of the body over that of the fluid"),
      body.entry("temperature.conducting.heat_capacity", ratio,
          "heat capacity of a volume of the body over that of the fluid"),
      body.entry("scalars",
          {.only = Scheme::projection,
           .condition = "required where there are scalars",
           .written = [](const Case& c, std::size_t n) {
             return text_of_scalars(c, c.solids[n].scalars, [](const ScalarAtBody& scalar) {
               return text_at_body(scalar, flux_of_scalar); }); }},
          "scalars at the surface"),
      body.entry("scalars.NAME",
          {.kind = KeyKind::formula_or_section, .condition = "one for each of scalars",
           .named = "scalar", .marks = "_"}, "scalar at the surface"),
      body.entry("scalars.NAME.gradient",
          {.kind = KeyKind::number, .condition = "instead of a value: nothing passes",
           .range = between(0, 0), .is_alternative = true, .unit = "1/L"},
          "derivative of the scalar along the outward normal"),
      body.entry("scalars.NAME.flux", flux("U"),
          "q of -D ds/dn = q, n the outward normal, D the diffusivity: what flows into the fluid"),
      body.entry("scalars.NAME.transfer", transfer,
          "h of -ds/dn = h (outside - s), n the outward normal"),
      body.entry("scalars.NAME.outside", outside(""), "the scalar beyond what resists the transfer"),
      body.entry("scalars.NAME.conducting", conducting, "it is solved for in the body, too"),
      body.entry("scalars.NAME.conducting.conductivity", ratio,
          "conductivity of the body over that of the fluid"),
      body.entry("scalars.NAME.conducting.heat_capacity", ratio,
          "what a volume of the body holds at a value of the scalar, over that of the fluid"),
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
           .range = above(0), .unit = "L"}, "length of Strouhal and Nusselt numbers"),
      reference.key("temperature_difference", &BodyReferenceCase::temperature_difference,
          {.condition = "default: none, and no Nusselt number", .needs_temperature = true,
           .unit = "T0"},
          "temperature of the body less that of the stream, for nusselt_NAME in the time series"),
      reference.key("surface", &BodyReferenceCase::surface,
          {.condition = "beside temperature_difference: default that of a sphere or endless "
               "cylinder, of other shapes required", .range = above(0), .needs_temperature = true,
           .unit = "L^2"}, "area through which heat passes, for Nusselt numbers"),
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

/// One of the conditions that stand for a value.
void read_condition(ValueReader& reader,
                    ScalarAtBody& scalar,
                    const std::string& path,
                    std::string_view flux) {
  using Condition = ScalarAtBody::Condition;
  const std::string conducting = path + ".conducting";
  const std::array<std::pair<std::string, Condition>, 4> kinds{
      {{"gradient", Condition::flux},
       {std::string(flux), Condition::flux},
       {"transfer", Condition::transfer},
       {"conducting", Condition::conducting}}};
  std::string first;
  for (const auto& [word, condition] : kinds) {
    if (!reader.is_given(path + "." + word)) continue;
    if (!first.empty()) {
      reader.add_problem(path + "." + word, fmt::format("excludes {}; leave one out", first));
      continue;
    }
    first = word;
    scalar.condition = condition;
  }
  if (first.empty()) {
    scalar.condition = Condition::flux;
    reader.require(path + (reader.is_given(path + ".outside") ? ".transfer" : ".gradient"));
  }
  double zero = 0;
  reader.read(path + ".gradient", zero);
  reader.read(path + "." + std::string(flux), scalar.flux);
  reader.read(path + ".transfer", scalar.transfer);
  reader.read(path + ".outside", scalar.value);
  if (first == "transfer") {
    reader.require(path + ".outside");
  } else if (!first.empty()) {
    reader.refuse(path + ".outside", fmt::format("belongs to transfer, not to {}", first));
  }
  reader.read(conducting + ".conductivity", scalar.conductivity);
  reader.read(conducting + ".heat_capacity", scalar.heat_capacity);
}

void read_scalar(ValueReader& reader,
                 ScalarAtBody& scalar,
                 const std::string& path,
                 std::string_view flux) {
  reader.require(path);
  if (reader.is_map(path)) return read_condition(reader, scalar, path, flux);
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
    read_scalar(reader, temperature, path + ".temperature", flux_of_heat);
    if (read.has_temperature()) body.scalars.front() = temperature;
  }
  std::size_t place = body.scalars.size() - read.scalars.size();
  for (const ScalarCase& scalar : read.scalars)
    read_scalar(reader, body.scalars.at(place++), path + ".scalars." + scalar.name, flux_of_scalar);
  refuse_unknown_scalars(reader, read, path + ".scalars");
}

/// What conducts rests; check_motion refuses it in a case with motion.
void check_conditions(ValueReader& reader,
                      const Case& read,
                      const SolidCase& body,
                      const std::string& path) {
  const auto check = [&](const ScalarAtBody& scalar, const std::string& at) {
    const std::string conducting = at + ".conducting";
    if (scalar.conducts() && reader.is_given(conducting) && body.moves() && !body.is_mobile())
      reader.add_problem(conducting,
                         fmt::format("a body that conducts rests; leave out {}.{}",
                                     path,
                                     body.rotation == PerAxis<double>{} ? "velocity" : "rotation"));
    const bool needs_normal = scalar.is_closed() && (scalar.flux != 0 || scalar.transfer != 0);
    if (needs_normal && body.shape == Shape::stl)
      reader.add_problem(at,
                         "needs the normal of the surface, which is not known of shape stl; give a "
                         "value, {gradient: 0} or {conducting: ...}");
  };
  if (read.has_temperature()) check(body.scalar(first_scalar), path + ".temperature");
  std::size_t place = body.scalars.size() - read.scalars.size();
  for (const ScalarCase& scalar : read.scalars)
    check(body.scalars.at(place++), path + ".scalars." + scalar.name);
}

/// A Nusselt number needs a difference, an area and a length.
void check_reference(ValueReader& reader, const SolidCase& body, const std::string& path) {
  const std::string reference = path + ".reference";
  if (!body.reference || !body.reference->temperature_difference) return;
  if (*body.reference->temperature_difference == 0)
    reader.add_mistake(reference + ".temperature_difference", "other than 0");
  const bool is_round =
      body.shape == Shape::sphere || (body.shape == Shape::cylinder && !body.length);
  if (is_round) return;
  for (const char* word : {".surface", ".length"}) reader.require(reference + word);
}

/// A sphere or cylinder has a centre, or several free ones have positions.
void check_places(ValueReader& reader, const SolidCase& body, const std::string& path) {
  const std::array<std::string, 3> places{path + ".count", path + ".positions", path + ".file"};
  const bool has_file = reader.is_given(places[2]);
  const bool is_several =
      std::ranges::any_of(places, [&](const std::string& key) { return reader.is_given(key); });
  if (!has_file)
    reader.refuse(path + ".content", "the checksum of a file; leave it out, or give file too");
  if (!is_several) {
    reader.require(path + ".center");
    return reader.refuse(path + ".seed", "no positions have random numbers; leave it out");
  }
  if (!body.free) {
    for (const std::string& key : places)
      reader.refuse(key, "several bodies are free ones; give free too, or an entry for each body");
  }
  if (has_file) {
    for (const char* const key : {".center", ".count", ".positions", ".seed"})
      reader.refuse_beside(path + key, places[2]);
    return;
  }
  for (const std::string& key : {places[0], places[1]}) reader.require(key);
  reader.refuse_beside(path + ".center", places[1]);
  if (reader.is_right(places[1]))
    refuse_places_in_formulas(reader, places[1], body.positions, false);
}

void check_body(ValueReader& reader, const Case& read, SolidCase& body, const std::string& path) {
  for (const std::string& face : face_names) {
    if (body.name == "flux_" + face)
      reader.add_problem(path, "heat_" + body.name + " is a wall's column of timeseries.csv");
  }
  if (body.reference && body.reference->temperature_difference &&
      (body.name == "volume" || std::ranges::find(face_names, body.name) != face_names.end()))
    reader.add_problem(path, "nusselt_" + body.name + " is a wall's column of timeseries.csv");
  read_scalars_of_body(reader, read, body, path);
  check_conditions(reader, read, body, path);
  if (!reader.is_right(path + ".shape")) return;
  check_reference(reader, body, path);
  reader.check_keys_of_kind(path, "shape", name_in(SolidCase::shape_names, body.shape));
  if (body.shape == Shape::sphere || body.shape == Shape::cylinder)
    check_places(reader, body, path);
  if (body.shape == Shape::box) check_corners(reader, body, path);
}

}  // namespace

void read_solids(ValueReader& reader, Case& read) {
  reader.read_section("solids", read);
  for (SolidCase& body : read.solids) {
    const std::string path = "solids." + body.name;
    if (!reader.is_wrong(path)) check_body(reader, read, body, path);
  }
  int free = 0;
  for (const SolidCase& body : read.solids) {
    if (!body.free || body.places) continue;
    free += std::max(body.count, 1);
    const std::string path = "solids." + body.name;
    if (free <= SolidCase::most_free ||
        !reader.is_right(path + (body.count > 0 ? ".count" : ".free")))
      continue;
    reader.add_problem(
        path + (body.count > 0 ? ".count" : ".free"),
        fmt::format(
            "{} bodies are free with these, but at most {} can be", free, SolidCase::most_free));
    break;
  }
}

}  // namespace dns
