#include <fmt/format.h>

#include "solver/config/bound_keys.hpp"
#include "solver/config/key_table.hpp"

namespace dns {
namespace {

/// "{planes: /data/a/planes_inlet.h5, content: 1a2b3c4d-684, beyond: repeat}"
std::string file_text(const InflowFileCase& given) {
  const bool has_end = given.kind == InflowFileCase::Kind::planes;
  return fmt::format("{{{}: {}, content: {}{}{}}}",
                     name_in(InflowFileCase::kind_names, given.kind),
                     yaml_text(given.file.path),
                     yaml_text(given.file.content),
                     has_end ? ", beyond: " : "",
                     has_end ? name_in(InflowFileCase::beyond_names, given.beyond) : "");
}

std::string velocity_text(const FaceCase& face) {
  return face.velocity_file ? file_text(*face.velocity_file) : yaml_text(face.velocity);
}

std::string temperature_text(const FaceCase& face) {
  if (face.temperature_file) return file_text(*face.temperature_file);
  const std::string value = yaml_text(face.temperature);
  return face.temperature_condition == TemperatureCondition::gradient ? "{gradient: " + value + "}"
                                                                      : value;
}

// Two or three lines a key: a table.
// clang-format off

/// A key that names a file which gives the values of an inflow.
Key file_key(std::string_view path, std::string_view condition, std::string_view meaning) {
  return {.path = path, .kind = KeyKind::text, .condition = condition, .is_alternative = true,
          .meaning = meaning};
}

/// What follows the last of recorded planes.
Key beyond_key(std::string_view path, std::string_view meaning) {
  const auto& names = InflowFileCase::beyond_names;
  return {.path = path, .kind = KeyKind::choice,
          .default_text = std::string(name_in(names, InflowFileCase{}.beyond)),
          .condition = "with planes only", .choices = {names.begin(), names.end()},
          .meaning = meaning};
}

/// The checksum of such a file.
Key content_key(std::string_view path) {
  return {.path = path, .kind = KeyKind::text,
          .condition = "with a file only; default: that of the file",
          .meaning = "checksum that the file must have"};
}

}  // namespace

std::vector<Key> keys_of_boundaries() {
  const auto face = [](auto& c, std::size_t n) { return &c.faces[n]; };
  const auto turbulence = [](auto& c, std::size_t n) { return held(c.faces[n].turbulence); };
  const std::vector<std::string_view> with_values{"wall", "inflow"}, inflow{"inflow"};
  return {
      section("boundaries", {.is_required = true},
          "per axis either AXIS: periodic, or both faces, AXIS_min and AXIS_max"),
      {.path = "boundaries.AXIS", .kind = KeyKind::choice, .condition = "instead of both faces",
       .choices = {"periodic"}, .meaning = "the flow repeats itself along the axis",
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.is_periodic(static_cast<int>(n)) ? "periodic" : ""; }},
      section("boundaries.FACE", {.condition = "instead of AXIS: periodic"},
          "boundary conditions of one face"),
      choice("boundaries.FACE.type", face, &FaceCase::kind, face_kind_names,
          {.is_required = true, .choices = {face_kind_names.begin() + 1, face_kind_names.end()},
           .is_written = [](const Case& c, std::size_t n) {
             return !c.is_periodic(static_cast<int>(n / 2)); }},
          "kind of boundary condition"),
      {.path = "boundaries.FACE.velocity", .kind = KeyKind::formula_or_section, .is_vector = true,
       .condition = "inflow: required; wall: formulas, default [0, 0, 0]; else not allowed",
       .variables = "x, y, z, t", .kinds = with_values, .needed_by = inflow, .unit = "U", .meaning = "velocity at the face",
       .written = [](const Case& c, std::size_t n) { return velocity_text(c.faces[n]); }},
      file_key("boundaries.FACE.velocity.profile",
          "inflow, instead of formulas; relative to the case file",
          "table of coordinates across the face and u, v, w: a text file with the names of its "
          "columns in the first line"),
      file_key("boundaries.FACE.velocity.planes",
          "inflow, instead of formulas; relative to the case file",
          "planes_NAME.h5 recorded by another run (output.planes); its first record is that of "
          "t = 0"),
      beyond_key("boundaries.FACE.velocity.beyond",
          "what follows the last record: the first one again, the last one held, or the end of the "
          "run"),
      content_key("boundaries.FACE.velocity.content"),
      {.path = "boundaries.FACE.temperature", .kind = KeyKind::formula_or_section,
       .condition = "wall, inflow: required where the flow has a temperature; else not allowed",
       .variables = "x, y, z, t", .kinds = with_values, .unit = "T0", .meaning = "temperature at the face",
       .is_written = [](const Case& c, std::size_t) { return c.has_temperature(); },
       .written = [](const Case& c, std::size_t n) { return temperature_text(c.faces[n]); }},
      {.path = "boundaries.FACE.temperature.gradient", .kind = KeyKind::formula,
       .condition = "instead of a temperature; 0: no heat passes", .variables = "x, y, z, t",
       .is_alternative = true, .unit = "T0/L",
       .meaning = "derivative of the temperature along the outward normal"},
      file_key("boundaries.FACE.temperature.profile",
          "inflow, instead of a formula; relative to the case file",
          "table of coordinates across the face and T, as for the velocity"),
      file_key("boundaries.FACE.temperature.planes",
          "inflow, instead of a formula; relative to the case file",
          "planes recorded by another run, as for the velocity"),
      beyond_key("boundaries.FACE.temperature.beyond",
          "what follows the last record, as for the velocity"),
      content_key("boundaries.FACE.temperature.content"),
      section("boundaries.FACE.turbulence",
          {.condition = "inflow only; default: none", .kinds = inflow},
          "synthetic turbulence (Jarrin et al. 2006), added to the velocity"),
      key("boundaries.FACE.turbulence.stresses", turbulence, &InflowTurbulenceCase::stresses,
          {.is_required = true, .condition = "relative to the case file", .unit = "U^2"},
          "table of coordinates across the face and the Reynolds stresses uu, vv, ww, uv, uw, vw (0 "
          "where they have no column)"),
      key("boundaries.FACE.turbulence.lengths", turbulence, &InflowTurbulenceCase::lengths,
          {.is_required = true, .range = above(0), .unit = "L"},
          "integral lengths along x, y, z"),
      key("boundaries.FACE.turbulence.seed", turbulence, &InflowTurbulenceCase::seed,
          {.has_default = true, .range = at_least(0)},
          "seed of the random numbers"),
      {.path = "boundaries.FACE.turbulence.content", .kind = KeyKind::text,
       .condition = "default: that of the file",
       .meaning = "checksum that the file of stresses must have",
       .written = [](const Case& c, std::size_t n) {
         const auto& inflow_turbulence = c.faces[n].turbulence;
         return inflow_turbulence ? yaml_text(inflow_turbulence->stresses.content) : ""; }},
  };
}

// clang-format on

}  // namespace dns
