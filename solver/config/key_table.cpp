#include "solver/config/key_table.hpp"

#include <algorithm>

#include "solver/config/bound_keys.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/core/index.hpp"

namespace dns {
namespace {

// Two or three lines a key: a table.
// clang-format off

/// What is computed: grid, fluid.
std::vector<Key> keys_of_the_flow() {
  constexpr auto projection = Scheme::projection;
  using Stretching = StretchingCase;
  const auto file = keys_of_case();
  const auto grid = file.part("grid", &Case::grid);
  const auto stretching = grid.part("stretching.AXIS", &GridCase::stretching);
  const auto accuracy = file.part("accuracy", &Case::accuracy);
  const auto fluid = file.part("fluid", &Case::fluid);
  const auto buoyancy = file.part("buoyancy", &Case::buoyancy);
  const auto rotation = file.part("rotation", &Case::rotation);
  const auto magnetic = file.part("magnetic", &Case::magnetic);
  return {
      file.entry("case", {.kind = KeyKind::text,
           .condition = "letters, digits, '_', '-', '.'; default: the file's name without .yaml",
           .written = [](const Case& c, std::size_t) { return yaml_text(c.name); }},
          "name of the case"),
      file.entry("parameters", {.condition = "default: none"},
          "names for numbers: every key that takes a number, and every formula, may use them"),
      file.entry("parameters.NAME",
          {.kind = KeyKind::number, .condition = "or a formula of those before it",
           .written = [](const Case& c, std::size_t n) { return yaml_text(c.parameters[n].value); },
           .names = [](const Case& c) {
             std::vector<std::string> names;
             for (const ParameterCase& parameter : c.parameters) names.push_back(parameter.name);
             return names; }}, "a number with a name of your choice, such as Ra"),
      file.choice("scheme", &Case::scheme, scheme_names,
          {.is_required = true, .changes_flow = true},
          "numerical scheme; projection: div u = 0, the one for flows; splitting: for studies of "
          "speed"),
      file.choice("device", &Case::device, device_names, {.other_choices = "gpu=cuda nvidia=cuda"},
          "where to compute; auto takes a GPU where there is one"),
      file.choice("precision", &Case::precision, precision_names, {.other_choices =
             "single=float sp=float float32=float fp32=float dp=double float64=double fp64=double"},
          "floating-point numbers of the computation"),

      file.entry("grid", {.is_required = true, .changes_flow = true},
          "grid: nodes (splitting) or cells (projection)"),
      grid.key("points", &GridCase::points,
          {.other_names = "n ng nx ny nz dims_global resolution cells", .may_be_auto = true,
           .is_required = true,
           .condition = "scheme projection: numbers of cells; auto along axes with type pieces or "
               "coordinates", .range = between(4, 65536),
           .meaning_in_projection = "cells along x, y, z"},
          "nodes along x, y, z, boundary nodes included; periodic: distinct nodes"),
      grid.key("length", &GridCase::length,
          {.other_names = "l lx ly lz xlx yly zlz l_global size box",
           .condition = "along an axis with coordinates: their span", .range = above(0),
           .unit = "L"}, "size of the domain along x, y, z"),
      grid.key("origin", &GridCase::origin,
          {.condition = "along an axis with coordinates: the first of them", .unit = "L"},
          "coordinates of the first node or face"),
      grid.entry("stretching", {.other_names = "istret gtype gr", .only = projection,
           .condition = "default: equal cells"}, "axes whose cells differ in size"),
      grid.entry("stretching.AXIS", {}, "sizes of the cells along one axis"),
      stretching.entry("type", {.kind = KeyKind::choice,
           .condition = "default: coordinates or pieces where they are given, else tanh",
           .choices = {"uniform", "tanh", "coordinates", "pieces"}, .written =
             [](const Case& c, std::size_t n) {
               return std::string(name_in(Stretching::kind_names, c.grid.stretching[n].kind)); }},
          "how the cells are spread; tanh: finer at both ends, or at one; pieces: uniform parts, "
          "and cells that grow away from them"),
      stretching.key("factor", &Stretching::factor,
          {.has_default = false, .condition = "type tanh: required; else not allowed",
           .range = above(0, 10), .kinds = {"tanh"}, .needed_by = {"tanh"}},
          "b in face_j = L (1 + tanh(b (2j/n - 1))/tanh(b))/2; the larger, the finer at the ends"),
      stretching.choice("fine_at", &Stretching::fine_at, Stretching::fine_at_names,
          {.condition = "type tanh; else not allowed", .kinds = {"tanh"}},
          "the ends where cells are fine; low: face_j = L (1 - tanh(b (1 - j/n))/tanh(b)), high: "
          "its mirror image"),
      stretching.key("coordinates", &Stretching::coordinates, {.has_default = false, .condition =
             "type coordinates: required; else not allowed; a file is found from the case file",
           .kinds = {"coordinates"}, .needed_by = {"coordinates"}, .unit = "L"},
          "coordinates of the faces of the cells, ascending, one more than cells"),

      stretching.entry("uniform", {.kind = KeyKind::parts, .condition =
             "type pieces: required; else not allowed; a complete case has the coordinates instead",
           .kinds = {"pieces"}, .needed_by = {"pieces"}, .unit = "L"},
          "parts with equal cells, of the nearest width that divides them"),
      stretching.entry("ratio", {.kind = KeyKind::number,
           .condition = "type pieces: required; else not allowed", .range = above(1),
           .kinds = {"pieces"}, .needed_by = {"pieces"}},
          "largest ratio of neighbouring cells outside the uniform parts; the fewest cells are "
          "taken"),

      file.entry("accuracy", {.only = projection, .changes_flow = true}, "differences in space"),
      accuracy.key("order", &AccuracyCase::order, {.kind = KeyKind::order, .default_text = "2",
           .condition = "a number: along uniform axes of at least as many cells that are periodic "
               "or end at two faces of type symmetry, 2 along others; a list: along x, y, z, 4 "
               "across walls along y too, x and z periodic and uniform; above 2 along z on several "
               "ranks: z periodic, and x and y too unless one has order 2 or walls",
           .written = [](const Case& c, std::size_t) {
             const auto& [x, y, z] = c.accuracy.order;
             const bool is_one = x == y && y == z && !has_rows_across_walls(c, 1);
             return is_one ? yaml_text(x) : yaml_text(c.accuracy.order); }},
          "order of differences along axes"),

      file.entry("fluid", {.is_required = true, .changes_flow = true}, "properties of the fluid"),
      fluid.key("reynolds", &FluidCase::reynolds,
          {.other_names = "re visci nu viscosity xnu re_tau", .is_required = true,
           .range = above(0)}, "Reynolds number U L / kinematic viscosity"),
      fluid.key("prandtl", &FluidCase::prandtl,
          {.other_names = "pr pra sc schmidt alphai kappa diffusivity", .has_default = false,
           .condition =
             "splitting: required; projection: optional, without it the flow has no temperature",
           .range = above(0),
           .is_written = [](const Case& c, std::size_t) { return c.fluid.prandtl > 0; }},
          "Prandtl number, kinematic viscosity / thermal diffusivity"),
      fluid.key("heat_capacity_ratio", &FluidCase::heat_capacity_ratio,
          {.only = Scheme::splitting, .range = at_least(1)}, "ratio of specific heats c_p / c_v"),

      file.section("buoyancy", &Case::buoyancy, {.only = projection,
           .condition = "default: none; needs fluid.prandtl or a scalar with a weight",
           .changes_flow = true},
          "acceleration beta (T - T_ref + SUM b s) e, with b the weights of scalars s"),
      buoyancy.key("rayleigh", &BuoyancyCase::rayleigh, {.other_names = "ra gacc",
           .condition = "either this or richardson; needs fluid.prandtl", .range = at_least(0)},
          "Rayleigh number Ra, its length and temperature difference being L and T0: beta is "
          "Ra/(Pr Re^2)"),
      buoyancy.key("richardson", &BuoyancyCase::richardson,
          {.other_names = "ri", .condition = "instead of rayleigh", .range = at_least(0),
           .unit = "U^2/(L T0)"}, "Richardson number, beta itself"),
      buoyancy.entry("direction", {.other_names = "gravity grav", .kind = KeyKind::direction,
           .default_text = "y", .written = [](const Case& c, std::size_t) -> std::string {
             if (!c.buoyancy) return {};
             const std::optional<int> axis = c.axis_of_buoyancy();
             const PerAxis<double>& e = c.buoyancy->direction;
             return axis && std::ranges::count(e, 1) == 1 ? axis_name(*axis) : yaml_text(e); },
           .read = [](ValueReader& reader, const std::string& at, Case& read, std::size_t) {
             if (read.buoyancy) reader.read_direction(at, read.buoyancy->direction); }},
          "direction e in which warm fluid rises, against gravity; its length does not matter"),
      buoyancy.key("reference_temperature", &BuoyancyCase::reference_temperature,
          {.unit = "T0",
           .is_written = [](const Case& c, std::size_t) { return c.has_temperature(); }},
          "temperature T_ref of fluid that neither rises nor sinks"),

      file.section("rotation", &Case::rotation, {.only = projection, .condition = "default: none",
           .changes_flow = true}, "the frame rotates: Coriolis acceleration - 2 Omega x V"),
      rotation.key("rate", &RotationCase::rate,
          {.other_names = "omega rossby coriolis", .is_required = true,
           .condition = "with time.scheme implicit 2 |Omega| time.step is 1 at most",
           .range = between(-1e6, 1e6), .unit = "U/L"},
          "angular velocity Omega of the frame, in which velocities are given and found"),

      file.section("magnetic", &Case::magnetic, {.only = projection, .condition = "default: none",
           .changes_flow = true},
          "a uniform magnetic field along b: Lorentz force Ha^2/Re J x b, J the current over "
          "sigma U B; low magnetic Reynolds number, boundaries insulate"),
      magnetic.key("field", &MagneticCase::field,
          {.condition = "other than [0, 0, 0]", .range = between(-1e6, 1e6)},
          "direction b of the field; its length does not matter"),
      magnetic.key("hartmann", &MagneticCase::hartmann,
          {.other_names = "ha stuart", .is_required = true, .range = above(0, 1e6)},
          "Hartmann number Ha = B L sqrt(conductivity/dynamic viscosity)"),
      magnetic.choice("net_current", &MagneticCase::net_current, MagneticCase::net_current_names,
          {}, "current along periodic axes, as a mean: zero, or free, without a mean electric field"),
  };
}

std::vector<Key> keys_of_the_start() {
  constexpr auto projection = Scheme::projection;
  using Channel = TurbulentChannelCase;
  const auto file = keys_of_case();
  const auto initial = file.part("initial", &Case::initial);
  const auto channel = initial.part("", &InitialCase::turbulent_channel);
  const auto noise = initial.part("noise", &InitialCase::noise);
  return {
      file.entry("initial", {.other_names = "inivel itype"}, "the flow at the start"),
      initial.entry("type", {.other_names = "is_wallturb", .kind = KeyKind::choice,
           .default_text = "formula", .choices = {"formula", "file", "turbulent_channel"},
           .written = [](const Case& c, std::size_t) -> std::string {
             return c.initial.file                ? "file"
                    : c.initial.turbulent_channel ? "turbulent_channel"
                                                  : "formula"; }},
          "where the flow at the start comes from; turbulent_channel (projection): a laminar "
          "profile between walls with a disturbance that soon makes it turbulent"),
      initial.key("path", &InitialCase::file,
          {.condition = "type file: required; else not allowed", .kinds = {"file"}},
          "snapshot or checkpoint of any grid and scheme, the folder of a run (its newest "
          "checkpoint), or plain datasets in HDF5"),
      initial.key("velocity", &InitialCase::velocity, {.condition = "type formula only",
           .variables = "x, y, z", .kinds = {"formula"}, .unit = "U"}, "velocity at the start"),
      initial.key("temperature", &InitialCase::temperature,
          {.condition = "with type file only where the file has no temperature",
           .variables = "x, y, z", .needs_temperature = true, .unit = "T0"},
          "temperature at the start"),
      channel.choice("direction", &Channel::axis, axis_names,
          {.only = projection, .condition = "type turbulent_channel only",
           .kinds = {"turbulent_channel"}},
          "periodic axis along which the channel or duct flows; the others end at two walls, or a "
          "wall and a plane of symmetry, and one of them may be periodic"),
      channel.key("bulk_velocity", &Channel::bulk_velocity,
          {.only = projection, .condition = "type turbulent_channel only", .range = above(0),
           .kinds = {"turbulent_channel"}, .unit = "U"},
          "mean velocity of the channel at the start, relative to its walls"),
      channel.key("amplitude", &Channel::amplitude,
          {.only = projection, .condition = "type turbulent_channel only", .range = between(0, 1),
           .kinds = {"turbulent_channel"}},
          "size of the disturbance as a share of bulk_velocity"),
      initial.entry("noise", {}, "random disturbance of the start"),
      noise.key("amplitude", &NoiseCase::amplitude, {.other_names = "iin init_noise",
           .range = at_least(0), .unit = "U"}, "largest disturbance of each velocity component"),
      noise.key("seed", &NoiseCase::seed, {.range = at_least(0)}, "seed of the random numbers"),
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
                             keys_of_particles,
                             keys_of_time_and_fields,
                             keys_of_parts_of_the_flow,
                             keys_of_particle_output,
                             keys_of_the_run}) {
      const std::vector<Key> more = part();
      keys.insert(keys.end(), more.begin(), more.end());
    }
    for (Key& key : keys) {
      const auto section = std::ranges::find(keys, section_of(key.path), &Key::path);
      if (section == keys.end()) continue;
      if (section->only) key.only = section->only;
      if (!key.changes_flow) key.changes_flow = section->changes_flow;
    }
    return keys;
  }();
  return table;
}

}  // namespace dns
