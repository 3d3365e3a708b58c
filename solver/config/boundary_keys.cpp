#include "solver/config/bound_keys.hpp"
#include "solver/config/key_table.hpp"

namespace dns {
namespace {

/// "{planes: /data/a/planes_inlet.h5, content: 1a2b3c4d-684, beyond: repeat}"
std::string file_text(const InflowFileCase& given) {
  const auto kind = static_cast<std::size_t>(given.kind);
  const auto beyond = static_cast<std::size_t>(given.beyond);
  return std::string("{")
      .append(InflowFileCase::kind_names.at(kind))
      .append(": " + yaml_text(given.file.path) + ", content: " + yaml_text(given.file.content))
      .append(given.kind == InflowFileCase::Kind::planes
                  ? ", beyond: " + yaml_text(InflowFileCase::beyond_names.at(beyond))
                  : "")
      .append("}");
}

std::string velocity_text(const FaceCase& face) {
  if (!face.gives_values()) return {};
  return face.velocity_file ? file_text(*face.velocity_file) : yaml_text(face.velocity);
}

std::string temperature_text(const Case& resolved, const FaceCase& face) {
  if (!face.gives_values() || !resolved.has_temperature()) return {};
  if (face.temperature_file) return file_text(*face.temperature_file);
  const std::string value = yaml_text(face.temperature);
  return face.temperature_condition == TemperatureCondition::gradient ? "{gradient: " + value + "}"
                                                                      : value;
}

bool has_turbulence(const Case& resolved, std::size_t face) {
  return resolved.faces.at(face).turbulence.has_value();
}

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_boundaries() {
  const auto face = [](auto& c, std::size_t n) { return &c.faces[n]; };
  const auto turbulence = [](auto& c, std::size_t n) { return held(c.faces[n].turbulence); };
  const std::vector<std::string_view> beyond(InflowFileCase::beyond_names.begin(),
                                             InflowFileCase::beyond_names.end());
  const std::string repeat(beyond.at(static_cast<std::size_t>(InflowFileCase{}.beyond)));
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
       .variables = "x, y, z, t", .unit = "U", .meaning = "velocity at the face",
       .written = [](const Case& c, std::size_t n) { return velocity_text(c.faces[n]); }},
      {.path = "boundaries.FACE.velocity.profile", .kind = KeyKind::text,
       .condition = "inflow, instead of formulas; relative to the case file",
       .is_alternative = true,
       .meaning = "table of coordinates across the face and u, v, w: a text file with the names "
                  "of its columns in the first line"},
      {.path = "boundaries.FACE.velocity.planes", .kind = KeyKind::text,
       .condition = "inflow, instead of formulas; relative to the case file",
       .is_alternative = true,
       .meaning = "planes_NAME.h5 recorded by another run (output.planes); its first record is "
                  "that of t = 0"},
      {.path = "boundaries.FACE.velocity.beyond", .kind = KeyKind::choice,
       .default_text = repeat, .condition = "with planes only", .choices = beyond,
       .meaning = "what follows the last record: the first one again, the last one held, or the "
                  "end of the run"},
      {.path = "boundaries.FACE.velocity.content", .kind = KeyKind::text,
       .condition = "with a file only; default: that of the file",
       .meaning = "checksum that the file must have"},
      {.path = "boundaries.FACE.temperature", .kind = KeyKind::formula_or_section,
       .condition = "wall, inflow: required where the flow has a temperature; else not allowed",
       .variables = "x, y, z, t", .unit = "T0", .meaning = "temperature at the face",
       .written = [](const Case& c, std::size_t n) { return temperature_text(c, c.faces[n]); }},
      {.path = "boundaries.FACE.temperature.gradient", .kind = KeyKind::formula,
       .condition = "instead of a temperature; 0: no heat passes", .variables = "x, y, z, t",
       .is_alternative = true, .unit = "T0/L",
       .meaning = "derivative of the temperature along the outward normal"},
      {.path = "boundaries.FACE.temperature.profile", .kind = KeyKind::text,
       .condition = "inflow, instead of a formula; relative to the case file",
       .is_alternative = true,
       .meaning = "table of coordinates across the face and T, as for the velocity"},
      {.path = "boundaries.FACE.temperature.planes", .kind = KeyKind::text,
       .condition = "inflow, instead of a formula; relative to the case file",
       .is_alternative = true,
       .meaning = "planes recorded by another run, as for the velocity"},
      {.path = "boundaries.FACE.temperature.beyond", .kind = KeyKind::choice,
       .default_text = repeat, .condition = "with planes only", .choices = beyond,
       .meaning = "what follows the last record, as for the velocity"},
      {.path = "boundaries.FACE.temperature.content", .kind = KeyKind::text,
       .condition = "with a file only; default: that of the file",
       .meaning = "checksum that the file must have"},
      section("boundaries.FACE.turbulence", {.condition = "inflow only; default: none"},
          "synthetic turbulence (Jarrin et al. 2006), added to the velocity"),
      {.path = "boundaries.FACE.turbulence.stresses", .kind = KeyKind::text, .is_required = true,
       .condition = "relative to the case file", .unit = "U^2",
       .meaning = "table of coordinates across the face and the Reynolds stresses uu, vv, ww, uv, "
                  "uw, vw (0 where they have no column)",
       .is_written = has_turbulence,
       .written = [](const Case& c, std::size_t n) {
         return yaml_text(c.faces[n].turbulence->stresses.path); }},
      key("boundaries.FACE.turbulence.lengths", turbulence, &InflowTurbulenceCase::lengths,
          {.is_required = true, .range = above(0), .unit = "L"},
          "integral lengths along x, y, z"),
      key("boundaries.FACE.turbulence.seed", turbulence, &InflowTurbulenceCase::seed,
          {.has_default = true, .range = at_least(0)},
          "seed of the random numbers"),
      {.path = "boundaries.FACE.turbulence.content", .kind = KeyKind::text,
       .condition = "default: that of the file",
       .meaning = "checksum that the file of stresses must have",
       .is_written = has_turbulence,
       .written = [](const Case& c, std::size_t n) {
         return yaml_text(c.faces[n].turbulence->stresses.content); }},
  };
}

// clang-format on

}  // namespace dns
