#include "solver/config/key_table.hpp"
#include "solver/config/yaml_text.hpp"

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

}  // namespace

std::vector<Key> keys_of_boundaries() {
  using enum KeyKind;
  return {
      {.path = "boundaries",
       .kind = section,
       .is_required = true,
       .meaning = "per axis either AXIS: periodic, or both faces, AXIS_min and AXIS_max"},
      {.path = "boundaries.AXIS",
       .kind = choice,
       .condition = "instead of both faces",
       .choices = {"periodic"},
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.is_periodic(static_cast<int>(n)) ? "periodic" : "";
       },
       .meaning = "the flow repeats itself along the axis"},
      {.path = "boundaries.FACE",
       .kind = section,
       .condition = "instead of AXIS: periodic",
       .meaning = "boundary conditions of one face"},
      {.path = "boundaries.FACE.type",
       .kind = choice,
       .is_required = true,
       .choices = {face_kind_names.begin() + 1, face_kind_names.end()},
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.is_periodic(static_cast<int>(n / 2)) ? "" : yaml_text(name_of(c.faces[n].kind));
       },
       .meaning = "kind of boundary condition"},
      {.path = "boundaries.FACE.velocity",
       .kind = formula_or_section,
       .is_vector = true,
       .condition = "inflow: required; wall: formulas, default [0, 0, 0]; else not allowed",
       .variables = "x, y, z, t",
       .unit = "U",
       .written = [](const Case& c, std::size_t n) { return velocity_text(c.faces[n]); },
       .meaning = "velocity at the face"},
      {.path = "boundaries.FACE.velocity.profile",
       .kind = text,
       .condition = "inflow, instead of formulas; relative to the case file",
       .is_alternative = true,
       .meaning = "table of coordinates across the face and u, v, w: a text file with the names of "
                  "its columns in the first line"},
      {.path = "boundaries.FACE.velocity.planes",
       .kind = text,
       .condition = "inflow, instead of formulas; relative to the case file",
       .is_alternative = true,
       .meaning =
           "planes_NAME.h5 recorded by another run (output.planes); its first record is that "
           "of t = 0"},
      {.path = "boundaries.FACE.velocity.beyond",
       .kind = choice,
       .default_text = "repeat",
       .condition = "with planes only",
       .choices = {InflowFileCase::beyond_names.begin(), InflowFileCase::beyond_names.end()},
       .meaning =
           "what follows the last record: the first one again, the last one held, or the end "
           "of the run"},
      {.path = "boundaries.FACE.velocity.content",
       .kind = text,
       .condition = "with a file only; default: that of the file",
       .meaning = "checksum that the file must have"},
      {.path = "boundaries.FACE.temperature",
       .kind = formula_or_section,
       .condition = "wall, inflow: required where the flow has a temperature; else not allowed",
       .variables = "x, y, z, t",
       .unit = "T0",
       .written = [](const Case& c, std::size_t n) { return temperature_text(c, c.faces[n]); },
       .meaning = "temperature at the face"},
      {.path = "boundaries.FACE.temperature.gradient",
       .kind = formula,
       .condition = "instead of a temperature; 0: no heat passes",
       .variables = "x, y, z, t",
       .is_alternative = true,
       .unit = "T0/L",
       .meaning = "derivative of the temperature along the outward normal"},
      {.path = "boundaries.FACE.temperature.profile",
       .kind = text,
       .condition = "inflow, instead of a formula; relative to the case file",
       .is_alternative = true,
       .meaning = "table of coordinates across the face and T, as for the velocity"},
      {.path = "boundaries.FACE.temperature.planes",
       .kind = text,
       .condition = "inflow, instead of a formula; relative to the case file",
       .is_alternative = true,
       .meaning = "planes recorded by another run, as for the velocity"},
      {.path = "boundaries.FACE.temperature.beyond",
       .kind = choice,
       .default_text = "repeat",
       .condition = "with planes only",
       .choices = {InflowFileCase::beyond_names.begin(), InflowFileCase::beyond_names.end()},
       .meaning = "what follows the last record, as for the velocity"},
      {.path = "boundaries.FACE.temperature.content",
       .kind = text,
       .condition = "with a file only; default: that of the file",
       .meaning = "checksum that the file must have"},
      {.path = "boundaries.FACE.turbulence",
       .kind = section,
       .condition = "inflow only; default: none",
       .meaning = "synthetic turbulence (Jarrin et al. 2006), added to the velocity"},
      {.path = "boundaries.FACE.turbulence.stresses",
       .kind = text,
       .is_required = true,
       .condition = "relative to the case file",
       .unit = "U^2",
       .written = [](const Case& c, std::size_t n) -> std::string {
         const auto& turbulence = c.faces[n].turbulence;
         return turbulence ? yaml_text(turbulence->stresses.path) : "";
       },
       .meaning = "table of coordinates across the face and the Reynolds stresses uu, vv, ww, uv, "
                  "uw, vw (0 where they have no column)"},
      {.path = "boundaries.FACE.turbulence.lengths",
       .kind = number,
       .is_vector = true,
       .is_required = true,
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L",
       .written =
           [](const Case& c, std::size_t n) {
             return yaml_text(c.faces[n].turbulence, &InflowTurbulenceCase::lengths);
           },
       .meaning = "integral lengths along x, y, z"},
      {.path = "boundaries.FACE.turbulence.seed",
       .kind = whole,
       .default_text = "1",
       .minimum = 0,
       .written =
           [](const Case& c, std::size_t n) {
             return yaml_text(c.faces[n].turbulence, &InflowTurbulenceCase::seed);
           },
       .meaning = "seed of the random numbers"},
      {.path = "boundaries.FACE.turbulence.content",
       .kind = text,
       .condition = "default: that of the file",
       .written = [](const Case& c, std::size_t n) -> std::string {
         const auto& turbulence = c.faces[n].turbulence;
         return turbulence ? yaml_text(turbulence->stresses.content) : "";
       },
       .meaning = "checksum that the file of stresses must have"},
  };
}

}  // namespace dns
