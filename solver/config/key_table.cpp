#include "solver/config/key_table.hpp"

#include <algorithm>

#include "solver/config/bound_keys.hpp"

namespace dns {
namespace {

// Two or three lines a key: a table.
// clang-format off

/// What is computed: grid, fluid.
std::vector<Key> keys_of_the_flow() {
  constexpr auto projection = Scheme::projection;
  using Stretching = StretchingCase;
  const auto file = [](auto& c, std::size_t) { return &c; };
  const auto grid = [](auto& c, std::size_t) { return &c.grid; };
  const auto stretching = [](auto& c, std::size_t n) { return &c.grid.stretching[n]; };
  const auto accuracy = [](auto& c, std::size_t) { return &c.accuracy; };
  const auto fluid = [](auto& c, std::size_t) { return &c.fluid; };
  const auto buoyancy = [](auto& c, std::size_t) { return held(c.buoyancy); };
  const auto rotation = [](auto& c, std::size_t) { return held(c.rotation); };
  return {
      {.path = "case", .kind = KeyKind::text,
       .condition = "letters, digits, '_', '-', '.'; default: the file's name without .yaml",
       .meaning = "name of the case",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.name); }},
      section("parameters", {.condition = "default: none"},
          "names for numbers: every key that takes a number, and every formula, may use them"),
      {.path = "parameters.NAME", .kind = KeyKind::number,
       .condition = "or a formula of those before it",
       .meaning = "a number with a name of your choice, such as Ra",
       .written = [](const Case& c, std::size_t n) { return yaml_text(c.parameters[n].value); },
       .names = [](const Case& c) {
         std::vector<std::string> names;
         for (const ParameterCase& parameter : c.parameters) names.push_back(parameter.name);
         return names; }},
      choice("scheme", file, &Case::scheme, scheme_names, {.is_required = true},
          "numerical scheme; projection: div u = 0, the one for flows; splitting: for studies of "
          "speed"),
      choice("device", file, &Case::device, device_names, {.has_default = true},
          "where to compute; auto takes a GPU where there is one"),
      choice("precision", file, &Case::precision, precision_names, {.has_default = true},
          "floating-point numbers of the computation"),

      section("grid", {.is_required = true}, "grid: nodes (splitting) or cells (projection)"),
      key("grid.points", grid, &GridCase::points,
          {.is_required = true, .condition = "scheme projection: numbers of cells",
           .range = between(4, 65536)},
          "nodes along x, y, z, boundary nodes included; periodic: distinct nodes"),
      key("grid.length", grid, &GridCase::length,
          {.has_default = true, .condition = "along an axis with coordinates: their span",
           .range = above(0), .unit = "L"},
          "size of the domain along x, y, z"),
      key("grid.origin", grid, &GridCase::origin,
          {.has_default = true, .condition = "along an axis with coordinates: the first of them",
           .unit = "L"},
          "coordinates of the first node or face"),
      section("grid.stretching", {.only = projection, .condition = "default: equal cells"},
          "axes whose cells differ in size"),
      section("grid.stretching.AXIS", {}, "sizes of the cells along one axis"),
      choice("grid.stretching.AXIS.type", stretching, &Stretching::kind, Stretching::kind_names,
          {.condition = "default: coordinates where they are given, else tanh"},
          "how the cells are spread; tanh: finer at both ends, or at one"),
      key("grid.stretching.AXIS.factor", stretching, &Stretching::factor,
          {.condition = "type tanh: required; else not allowed",
           .range = above(0, 10), .kinds = {"tanh"}, .needed_by = {"tanh"}},
          "b in face_j = L (1 + tanh(b (2j/n - 1))/tanh(b))/2; the larger, the finer at the ends"),
      choice("grid.stretching.AXIS.fine_at", stretching, &Stretching::fine_at,
          Stretching::fine_at_names,
          {.has_default = true, .condition = "type tanh; else not allowed",
           .kinds = {"tanh"}},
          "the ends where cells are fine; low: face_j = L (1 - tanh(b (1 - j/n))/tanh(b)), high: "
          "its mirror image"),
      key("grid.stretching.AXIS.coordinates", stretching, &Stretching::coordinates,
          {.condition =
               "type coordinates: required; else not allowed; a file is found from the case file",
           .kinds = {"coordinates"}, .needed_by = {"coordinates"}, .unit = "L"},
          "coordinates of the faces of the cells, ascending, one more than cells"),

      section("accuracy", {.only = projection}, "differences in space"),
      key("accuracy.order", accuracy, &AccuracyCase::order,
          {.kind = KeyKind::order, .default_text = "2",
           .condition = "a number: along uniform axes of at least as many cells that are periodic "
                        "or end at two faces of type symmetry, 2 along others; a list: along x, y, "
                        "z; above 2 along z on several ranks: z periodic, and x and y too unless "
                        "one has order 2",
           .written = [](const Case& c, std::size_t) {
             const auto& [x, y, z] = c.accuracy.order;
             return x == y && y == z ? yaml_text(x) : yaml_text(c.accuracy.order); }},
          "order of differences along axes"),

      section("fluid", {.is_required = true}, "properties of the fluid"),
      key("fluid.reynolds", fluid, &FluidCase::reynolds,
          {.is_required = true, .range = above(0)},
          "Reynolds number U L / kinematic viscosity"),
      key("fluid.prandtl", fluid, &FluidCase::prandtl,
          {.condition =
               "splitting: required; projection: optional, without it the flow has no temperature",
           .range = above(0),
           .is_written = [](const Case& c, std::size_t) { return c.fluid.prandtl > 0; }},
          "Prandtl number, kinematic viscosity / thermal diffusivity"),
      key("fluid.heat_capacity_ratio", fluid, &FluidCase::heat_capacity_ratio,
          {.only = Scheme::splitting, .has_default = true, .range = at_least(1)},
          "ratio of specific heats c_p / c_v"),

      section("buoyancy", file, &Case::buoyancy,
          {.only = projection,
           .condition = "default: none; needs fluid.prandtl or a scalar with a weight"},
          "acceleration beta (T - T_ref + SUM b s) e, with b the weights of scalars s"),
      key("buoyancy.rayleigh", buoyancy, &BuoyancyCase::rayleigh,
          {.condition = "either this or richardson; needs fluid.prandtl", .range = at_least(0)},
          "Rayleigh number Ra, its length and temperature difference being L and T0: beta is "
          "Ra/(Pr Re^2)"),
      key("buoyancy.richardson", buoyancy, &BuoyancyCase::richardson,
          {.condition = "instead of rayleigh", .range = at_least(0), .unit = "U^2/(L T0)"},
          "Richardson number, beta itself"),
      {.path = "buoyancy.direction", .kind = KeyKind::direction, .default_text = "y",
       .meaning = "direction e in which warm fluid rises, against gravity; its length does not "
                  "matter",
       .written = [](const Case& c, std::size_t) -> std::string {
         if (!c.buoyancy) return {};
         const std::optional<int> axis = c.axis_of_buoyancy();
         const bool is_name = axis && c.buoyancy->direction.at(static_cast<std::size_t>(*axis)) == 1;
         return is_name ? axis_name(*axis) : yaml_text(c.buoyancy->direction); },
       .read = [](ValueReader& reader, const std::string& at, Case& read, std::size_t) {
         if (read.buoyancy) reader.read_direction(at, read.buoyancy->direction); }},
      key("buoyancy.reference_temperature", buoyancy, &BuoyancyCase::reference_temperature,
          {.has_default = true, .unit = "T0",
           .is_written = [](const Case& c, std::size_t) { return c.has_temperature(); }},
          "temperature T_ref of fluid that neither rises nor sinks"),

      section("rotation", file, &Case::rotation,
          {.only = projection, .condition = "default: none"},
          "the frame rotates: Coriolis acceleration - 2 Omega x V"),
      key("rotation.rate", rotation, &RotationCase::rate,
          {.is_required = true,
           .condition = "with time.scheme implicit 2 |Omega| time.step is 1 at most",
           .range = between(-1e6, 1e6), .unit = "U/L"},
          "angular velocity Omega of the frame, in which velocities are given and found"),
  };
}

std::vector<Key> keys_of_the_start() {
  constexpr auto projection = Scheme::projection;
  using Channel = TurbulentChannelCase;
  const auto initial = [](auto& c, std::size_t) { return &c.initial; };
  const auto channel = [](auto& c, std::size_t) { return held(c.initial.turbulent_channel); };
  const auto noise = [](auto& c, std::size_t) { return &c.initial.noise; };
  return {
      section("initial", {}, "the flow at the start"),
      {.path = "initial.type", .kind = KeyKind::choice, .default_text = "formula",
       .choices = {"formula", "file", "turbulent_channel"},
       .meaning =
           "where the flow at the start comes from; turbulent_channel (projection): a laminar "
           "profile between walls with a disturbance that soon makes it turbulent",
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.initial.file                ? "file"
                : c.initial.turbulent_channel ? "turbulent_channel"
                                              : "formula"; }},
      key("initial.path", initial, &InitialCase::file,
          {.condition = "type file: required; else not allowed", .kinds = {"file"}},
          "snapshot or checkpoint of any grid and scheme, the folder of a run (its newest "
          "checkpoint), or plain datasets in HDF5"),
      key("initial.velocity", initial, &InitialCase::velocity,
          {.has_default = true, .condition = "type formula only", .variables = "x, y, z",
           .kinds = {"formula"}, .unit = "U"},
          "velocity at the start"),
      key("initial.temperature", initial, &InitialCase::temperature,
          {.has_default = true,
           .condition = "with type file only where the file has no temperature",
           .variables = "x, y, z", .unit = "T0",
           .is_written = [](const Case& c, std::size_t) { return c.has_temperature(); }},
          "temperature at the start"),
      choice("initial.direction", channel, &Channel::axis, axis_names,
          {.only = projection, .has_default = true, .condition = "type turbulent_channel only"},
          "periodic axis along which the channel or duct flows; the others end at two walls, or a "
          "wall and a plane of symmetry, and one of them may be periodic"),
      key("initial.bulk_velocity", channel, &Channel::bulk_velocity,
          {.only = projection, .has_default = true, .condition = "type turbulent_channel only",
           .range = above(0), .unit = "U"},
          "mean velocity of the channel at the start, relative to its walls"),
      key("initial.amplitude", channel, &Channel::amplitude,
          {.only = projection, .has_default = true, .condition = "type turbulent_channel only",
           .range = between(0, 1)},
          "size of the disturbance as a share of bulk_velocity"),
      section("initial.noise", {}, "random disturbance of the start"),
      key("initial.noise.amplitude", noise, &NoiseCase::amplitude,
          {.has_default = true, .range = at_least(0), .unit = "U"},
          "largest disturbance of each velocity component"),
      key("initial.noise.seed", noise, &NoiseCase::seed,
          {.has_default = true, .range = at_least(0)},
          "seed of the random numbers"),
  };
}

// clang-format on

}  // namespace

const std::vector<Key>& key_table() {
  static const std::vector<Key> table = [] {
    std::vector<Key> keys = keys_of_the_flow();
    for (auto* const part : {keys_of_scalars,
                             keys_of_boundaries,
                             keys_of_the_start,
                             keys_of_forcing,
                             keys_of_solids,
                             keys_of_time_and_fields,
                             keys_of_the_run}) {
      const std::vector<Key> more = part();
      keys.insert(keys.end(), more.begin(), more.end());
    }
    for (Key& key : keys) {
      const auto section = std::ranges::find(keys, section_of(key.path), &Key::path);
      if (section != keys.end() && section->only) key.only = section->only;
    }
    return keys;
  }();
  return table;
}

}  // namespace dns
