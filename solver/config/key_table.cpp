#include "solver/config/key_table.hpp"

#include "solver/config/yaml_text.hpp"

namespace dns {
namespace {

/// What is computed: grid, fluid.
std::vector<Key> keys_of_the_flow() {
  using enum KeyKind;
  return {
      {.path = "case",
       .kind = text,
       .condition = "letters, digits, '_', '-', '.'; default: the file's name without .yaml",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.name); },
       .meaning = "name of the case"},
      {.path = "scheme",
       .kind = choice,
       .is_required = true,
       .choices = {scheme_names.begin(), scheme_names.end()},
       .written = [](const Case& c, std::size_t) { return yaml_text(name_of(c.scheme)); },
       .meaning = "numerical scheme; projection: div u = 0, the one for flows; splitting: for "
                  "studies of speed"},
      {.path = "device",
       .kind = choice,
       .default_text = "auto",
       .choices = {device_names.begin(), device_names.end()},
       .written = [](const Case& c, std::size_t) { return yaml_text(name_of(c.device)); },
       .meaning = "where to compute; auto takes a GPU where there is one"},
      {.path = "precision",
       .kind = choice,
       .default_text = "double",
       .choices = {"float", "double"},
       .written = [](const Case& c, std::size_t) { return yaml_text(name_of(c.precision)); },
       .meaning = "floating-point numbers of the computation"},

      {.path = "grid",
       .kind = section,
       .is_required = true,
       .meaning = "grid: nodes (splitting) or cells (projection)"},
      {.path = "grid.points",
       .kind = whole,
       .is_vector = true,
       .is_required = true,
       .condition = "scheme projection: numbers of cells",
       .minimum = 4,
       .maximum = 65536,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.grid.points); },
       .meaning = "nodes along x, y, z, boundary nodes included; periodic: distinct nodes"},
      {.path = "grid.length",
       .kind = number,
       .is_vector = true,
       .default_text = "[1, 1, 1]",
       .condition = "along an axis with coordinates: their span",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.grid.length); },
       .meaning = "size of the domain along x, y, z"},
      {.path = "grid.origin",
       .kind = number,
       .is_vector = true,
       .default_text = "[0, 0, 0]",
       .condition = "along an axis with coordinates: the first of them",
       .unit = "L",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.grid.origin); },
       .meaning = "coordinates of the first node or face"},
      {.path = "grid.stretching",
       .kind = section,
       .only = Scheme::projection,
       .condition = "default: equal cells",
       .meaning = "axes whose cells differ in size"},
      {.path = "grid.stretching.AXIS",
       .kind = section,
       .only = Scheme::projection,
       .meaning = "sizes of the cells along one axis"},
      {.path = "grid.stretching.AXIS.type",
       .kind = choice,
       .only = Scheme::projection,
       .condition = "default: coordinates where they are given, else tanh",
       .choices = {StretchingCase::kind_names.begin(), StretchingCase::kind_names.end()},
       .written =
           [](const Case& c, std::size_t n) {
             return yaml_text(StretchingCase::kind_names.at(
                 static_cast<std::size_t>(c.grid.stretching[n].kind)));
           },
       .meaning = "how the cells are spread; tanh: finer at both ends, or at one"},
      {.path = "grid.stretching.AXIS.factor",
       .kind = number,
       .only = Scheme::projection,
       .condition = "type tanh: required; else not allowed",
       .minimum = 0,
       .minimum_is_excluded = true,
       .maximum = 10,
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.grid.stretching[n].kind == StretchingCase::Kind::tanh
                    ? yaml_text(c.grid.stretching[n].factor)
                    : "";
       },
       .meaning =
           "b in face_j = L (1 + tanh(b (2j/n - 1))/tanh(b))/2; the larger, the finer at the "
           "ends"},
      {.path = "grid.stretching.AXIS.fine_at",
       .kind = choice,
       .only = Scheme::projection,
       .default_text = "both",
       .condition = "type tanh; else not allowed",
       .choices = {StretchingCase::fine_at_names.begin(), StretchingCase::fine_at_names.end()},
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.grid.stretching[n].kind == StretchingCase::Kind::tanh
                    ? yaml_text(StretchingCase::fine_at_names.at(
                          static_cast<std::size_t>(c.grid.stretching[n].fine_at)))
                    : "";
       },
       .meaning =
           "the ends where cells are fine; low: face_j = L (1 - tanh(b (1 - j/n))/tanh(b)), high: "
           "its mirror image"},
      {.path = "grid.stretching.AXIS.coordinates",
       .kind = coordinates,
       .only = Scheme::projection,
       .condition =
           "type coordinates: required; else not allowed; a file is found from the case file",
       .unit = "L",
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.grid.stretching[n].kind == StretchingCase::Kind::coordinates
                    ? yaml_text(c.grid.stretching[n].coordinates)
                    : "";
       },
       .meaning = "coordinates of the faces of the cells, ascending, one more than cells"},

      {.path = "fluid", .kind = section, .is_required = true, .meaning = "properties of the fluid"},
      {.path = "fluid.reynolds",
       .kind = number,
       .is_required = true,
       .minimum = 0,
       .minimum_is_excluded = true,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.fluid.reynolds); },
       .meaning = "Reynolds number U L / kinematic viscosity"},
      {.path = "fluid.prandtl",
       .kind = number,
       .condition =
           "splitting: required; projection: optional, without it the flow has no temperature",
       .minimum = 0,
       .minimum_is_excluded = true,
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.fluid.prandtl > 0 ? yaml_text(c.fluid.prandtl) : "";
       },
       .meaning = "Prandtl number, kinematic viscosity / thermal diffusivity"},
      {.path = "fluid.heat_capacity_ratio",
       .kind = number,
       .only = Scheme::splitting,
       .default_text = "1.4",
       .minimum = 1,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.fluid.heat_capacity_ratio); },
       .meaning = "ratio of specific heats c_p / c_v"},

      {.path = "buoyancy",
       .kind = section,
       .only = Scheme::projection,
       .condition = "default: none; needs fluid.prandtl",
       .meaning = "acceleration Ra/(Pr Re^2) (T - T_ref) along an axis"},
      {.path = "buoyancy.rayleigh",
       .kind = number,
       .is_required = true,
       .only = Scheme::projection,
       .minimum = 0,
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.buoyancy, &BuoyancyCase::rayleigh); },
       .meaning = "Rayleigh number Ra, its length and temperature difference being L and T0"},
      {.path = "buoyancy.direction",
       .kind = choice,
       .only = Scheme::projection,
       .default_text = "y",
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.buoyancy ? axis_name(c.buoyancy->axis) : "";
       },
       .meaning = "axis along which warm fluid rises"},
      {.path = "buoyancy.reference_temperature",
       .kind = number,
       .only = Scheme::projection,
       .default_text = "0",
       .unit = "T0",
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(c.buoyancy, &BuoyancyCase::reference_temperature);
           },
       .meaning = "temperature T_ref of fluid that neither rises nor sinks"},
  };
}

std::vector<Key> keys_of_the_start() {
  using enum KeyKind;
  return {
      {.path = "initial", .kind = section, .meaning = "the flow at the start"},
      {.path = "initial.type",
       .kind = choice,
       .default_text = "formula",
       .choices = {"formula", "file", "turbulent_channel"},
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.initial.file                ? "file"
                : c.initial.turbulent_channel ? "turbulent_channel"
                                              : "formula";
       },
       .meaning =
           "where the flow at the start comes from; turbulent_channel (projection): a laminar "
           "profile between walls with a disturbance that soon makes it turbulent"},
      {.path = "initial.path",
       .kind = text,
       .condition = "type file: required; else not allowed",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.initial.file); },
       .meaning = "snapshot or checkpoint, of any grid and scheme"},
      {.path = "initial.velocity",
       .kind = formula,
       .is_vector = true,
       .default_text = "[0, 0, 0]",
       .condition = "type formula only",
       .variables = "x, y, z",
       .unit = "U",
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.initial.file || c.initial.turbulent_channel ? "" : yaml_text(c.initial.velocity);
       },
       .meaning = "velocity at the start"},
      {.path = "initial.temperature",
       .kind = formula,
       .default_text = "1",
       .condition = "with type file only where the file has no temperature",
       .variables = "x, y, z",
       .unit = "T0",
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.has_temperature() ? yaml_text(c.initial.temperature) : "";
       },
       .meaning = "temperature at the start"},
      {.path = "initial.direction",
       .kind = choice,
       .only = Scheme::projection,
       .default_text = "x",
       .condition = "type turbulent_channel only",
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.initial.turbulent_channel ? axis_name(c.initial.turbulent_channel->axis) : "";
       },
       .meaning =
           "periodic axis along which the channel or duct flows; the others end at two walls, or a "
           "wall and a plane of symmetry, and one of them may be periodic"},
      {.path = "initial.bulk_velocity",
       .kind = number,
       .only = Scheme::projection,
       .default_text = "1",
       .condition = "type turbulent_channel only",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "U",
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(c.initial.turbulent_channel, &TurbulentChannelCase::bulk_velocity);
           },
       .meaning = "mean velocity of the channel at the start, relative to its walls"},
      {.path = "initial.amplitude",
       .kind = number,
       .only = Scheme::projection,
       .default_text = "0.1",
       .condition = "type turbulent_channel only",
       .minimum = 0,
       .maximum = 1,
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(c.initial.turbulent_channel, &TurbulentChannelCase::amplitude);
           },
       .meaning = "size of the disturbance as a share of bulk_velocity"},
      {.path = "initial.noise", .kind = section, .meaning = "random disturbance of the start"},
      {.path = "initial.noise.amplitude",
       .kind = number,
       .default_text = "0",
       .minimum = 0,
       .unit = "U",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.initial.noise.amplitude); },
       .meaning = "largest disturbance of each velocity component"},
      {.path = "initial.noise.seed",
       .kind = whole,
       .default_text = "1",
       .minimum = 0,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.initial.noise.seed); },
       .meaning = "seed of the random numbers"},
  };
}

}  // namespace

const std::vector<Key>& key_table() {
  static const std::vector<Key> table = [] {
    std::vector<Key> keys = keys_of_the_flow();
    for (const std::vector<Key>& more : {keys_of_boundaries(),
                                         keys_of_the_start(),
                                         keys_of_forcing(),
                                         keys_of_solids(),
                                         keys_of_the_run()})
      keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  }();
  return table;
}

}  // namespace dns
