#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"

namespace dns {
// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_forcing() {
  const std::vector<std::string_view> uniform{"pressure_gradient", "bulk_velocity"};
  const auto file = keys_of_case();
  const auto forcing = file.part("forcing", &Case::forcing);
  const auto sponge = forcing.part("sponges.NAME", &ForcingCase::sponges);
  const auto drag = forcing.part("drag.NAME", &ForcingCase::drag);
  return {
      file.entry("forcing",
          {.other_names = "force forces body_force bforce is_forced velf cpg",
           .condition = "default: none",
           .changes_flow = true}, "what drives the flow besides its boundaries"),
      forcing.choice("type", &ForcingCase::kind, ForcingCase::kind_names,
          {.is_required = true, .condition = "scheme splitting: formula",
           .choices = {ForcingCase::kind_names.begin() + 1, ForcingCase::kind_names.end()},
           .is_written = [](const Case& c, std::size_t) {
             return c.forcing.kind != ForcingCase::Kind::none; }},
          "what is held constant; formula: nothing, the keys below say what acts"),
      forcing.key("value", &ForcingCase::value, {.only = Scheme::projection, .has_default = false,
           .condition = "not with type formula, else required; bulk_velocity: 0 along axes that "
               "are not periodic", .kinds = uniform, .needed_by = uniform, .unit = "U^2/L or U"},
          "pressure_gradient: the driving acceleration -dp/dx, -dp/dy, -dp/dz; bulk_velocity: the "
          "mean velocity"),
      forcing.key("acceleration", &ForcingCase::acceleration,
          {.has_default = false, .condition = "default [0, 0, 0]", .unit = "U^2/L",
           .is_written = [](const Case& c, std::size_t) {
             return !std::ranges::all_of(c.forcing.acceleration, &Expression::is_zero); }},
          "acceleration of the fluid"),
      forcing.key("heat", &ForcingCase::heat,
          {.has_default = false, .condition = "default 0", .needs_temperature = true,
           .unit = "T0 U/L",
           .is_written = [](const Case& c, std::size_t) { return !c.forcing.heat.is_zero(); }},
          "source of temperature"),
      forcing.key("linear", &ForcingCase::linear,
          {.has_default = false, .condition = "default 0", .unit = "U/L",
           .is_written = [](const Case& c, std::size_t) { return c.forcing.linear != 0; }},
          "factor A of an acceleration A u, which keeps turbulence in a periodic box going"),
      forcing.entry("drag", {.condition = "default: none"}, "regions where friction slows the flow"),
      forcing.records("drag.NAME", &ForcingCase::drag, {.named = "region"}, "one region"),
      drag.key("rate", &DragCase::rate,
          {.is_required = true, .condition = ">= 0", .variables = "x, y, z", .unit = "U/L"},
          "rate, 0 outside the region: the acceleration is -rate velocity; resistance of a porous "
          "medium or a canopy: nu over its permeability"),
      forcing.entry("sponges", {.condition = "default: none"},
          "regions where the flow is drawn towards a target"),
      forcing.records("sponges.NAME", &ForcingCase::sponges, {.named = "sponge"},
          "one sponge: it needs a velocity, a temperature or scalars"),
      sponge.key("rate", &SpongeCase::rate,
          {.is_required = true, .condition = ">= 0", .variables = "x, y, z", .unit = "U/L"},
          "rate, 0 outside the region: the acceleration is rate (target - velocity)"),
      sponge.key("velocity", &SpongeCase::velocity,
          {.condition = "default: no target", .unit = "U"}, "target of the velocity"),
      sponge.key("temperature", &SpongeCase::temperature,
          {.condition = "default: no target", .needs_temperature = true, .unit = "T0"},
          "target of the temperature"),
      sponge.entry("scalars", {.only = Scheme::projection, .condition = "default: no targets",
           .written = [](const Case& c, std::size_t n) {
             const auto text_of = [](const auto& target) { return yaml_text(target); };
             return text_of_scalars(c, c.forcing.sponges[n].scalars, text_of); }},
          "targets of scalars"),
      sponge.entry("scalars.NAME", {.kind = KeyKind::formula,
           .condition = "for any of scalars; default: no target", .variables = "x, y, z, t",
           .named = "scalar", .marks = "_"}, "target of the scalar, without G . x"),
  };
}

// clang-format on

namespace {

void check_rate(ValueReader& reader, const Expression& rate, const std::string& path) {
  if (rate.is_constant() && rate(0, 0, 0, 0) < 0) reader.add_mistake(path + ".rate", ">= 0");
}

/// Its targets of scalars, and its rules.
void read_sponge(ValueReader& reader,
                 const Case& read,
                 SpongeCase& sponge,
                 const std::string& path) {
  sponge.scalars.resize(read.scalars.size());
  for (std::size_t place = 0; place < read.scalars.size(); ++place)
    reader.read(path + ".scalars." + read.scalars[place].name, sponge.scalars[place]);
  refuse_unknown_scalars(reader, read, path + ".scalars");
  check_rate(reader, sponge.rate, path);
  if (!reader.is_given(path + ".velocity") && !reader.is_given(path + ".temperature") &&
      reader.names_in(path + ".scalars").empty())
    reader.add_problem(path, "has no target: give a velocity, a temperature or scalars");
}

void check_bulk_velocity(ValueReader& reader, const Case& read) {
  const std::string path = "forcing.value";
  if (reader.is_wrong(path)) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (read.forcing.value[axis] == 0 || read.is_periodic(axis)) continue;
    reader.add_item_mistake(path,
                            axis,
                            "0",
                            fmt::format("; a bulk velocity is held along periodic axes only, and "
                                        "{} is not periodic",
                                        axis_names[axis]));
  }
}

}  // namespace

void read_forcing(ValueReader& reader, Case& read) {
  using Kind = ForcingCase::Kind;
  if (!reader.is_given("forcing")) return;
  reader.read_section("forcing", read);
  ForcingCase& forcing = read.forcing;
  const bool is_of_scheme = !forcing.is_uniform() || reader.may_be(Scheme::projection);
  if (!is_of_scheme)
    reader.add_mistake("forcing.type", "formula", "; scheme splitting has no other");
  if (forcing.kind != Kind::none)
    reader.check_keys_of_kind("forcing", "type", name_in(ForcingCase::kind_names, forcing.kind));
  if (forcing.kind == Kind::bulk_velocity && is_of_scheme) check_bulk_velocity(reader, read);
  for (const DragCase& drag : forcing.drag)
    check_rate(reader, drag.rate, "forcing.drag." + drag.name);
  for (SpongeCase& sponge : forcing.sponges) {
    const std::string path = "forcing.sponges." + sponge.name;
    if (!reader.is_wrong(path)) read_sponge(reader, read, sponge, path);
  }
}

}  // namespace dns
