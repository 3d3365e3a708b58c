#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"

namespace dns {
namespace {

/// "{salt: 1, dye: "x"}": those that have a target, besides temperature.
std::string scalars_of_sponge(const Case& resolved, std::size_t sponge) {
  const auto& targets = resolved.forcing.sponges[sponge].scalars;
  std::vector<std::string> entries;
  for (std::size_t place = 0; place < targets.size(); ++place) {
    if (targets[place])
      entries.push_back(yaml_text(resolved.scalars[place].name) + ": " +
                        yaml_text(*targets[place]));
  }
  return entries.empty() ? "" : fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_forcing() {
  const auto forcing = [](auto& c, std::size_t) { return &c.forcing; };
  const std::vector<std::string_view> uniform{"pressure_gradient", "bulk_velocity"};
  const auto sponge = [](auto& c, std::size_t n) { return &c.forcing.sponges[n]; };
  return {
      section("forcing", {.condition = "default: none"},
          "what drives the flow besides its boundaries"),
      choice("forcing.type", forcing, &ForcingCase::kind, ForcingCase::kind_names,
          {.is_required = true, .condition = "scheme splitting: formula",
           .choices = {ForcingCase::kind_names.begin() + 1, ForcingCase::kind_names.end()},
           .is_written = [](const Case& c, std::size_t) {
             return c.forcing.kind != ForcingCase::Kind::none; }},
          "what is held constant; formula: nothing, the keys below say what acts"),
      key("forcing.value", forcing, &ForcingCase::value,
          {.only = Scheme::projection,
           .condition = "not with type formula, else required; bulk_velocity: 0 along axes that "
                        "are not periodic",
           .kinds = uniform, .needed_by = uniform, .unit = "U^2/L or U"},
          "pressure_gradient: the driving acceleration -dp/dx, -dp/dy, -dp/dz; bulk_velocity: the "
          "mean velocity"),
      key("forcing.acceleration", forcing, &ForcingCase::acceleration,
          {.condition = "default [0, 0, 0]", .variables = "x, y, z, t", .unit = "U^2/L",
           .is_written = [](const Case& c, std::size_t) {
             return !std::ranges::all_of(c.forcing.acceleration, &Expression::is_zero); }},
          "acceleration of the fluid"),
      key("forcing.heat", forcing, &ForcingCase::heat,
          {.condition = "default 0", .variables = "x, y, z, t", .unit = "T0 U/L",
           .is_written = [](const Case& c, std::size_t) { return !c.forcing.heat.is_zero(); }},
          "source of temperature"),
      key("forcing.linear", forcing, &ForcingCase::linear,
          {.condition = "default 0", .unit = "U/L",
           .is_written = [](const Case& c, std::size_t) { return c.forcing.linear != 0; }},
          "factor A of an acceleration A u, which keeps turbulence in a periodic box going"),
      section("forcing.sponges", {.condition = "default: none"},
          "regions where the flow is drawn towards a target"),
      records("forcing.sponges.NAME", forcing, &ForcingCase::sponges, {.named = "sponge"},
          "one sponge: it needs a velocity, a temperature or scalars"),
      key("forcing.sponges.NAME.rate", sponge, &SpongeCase::rate,
          {.is_required = true, .condition = ">= 0", .variables = "x, y, z", .unit = "U/L"},
          "rate, 0 outside the region: the acceleration is rate (target - velocity)"),
      key("forcing.sponges.NAME.velocity", sponge, &SpongeCase::velocity,
          {.condition = "default: no target", .variables = "x, y, z, t", .unit = "U"},
          "target of the velocity"),
      key("forcing.sponges.NAME.temperature", sponge, &SpongeCase::temperature,
          {.condition = "default: no target", .variables = "x, y, z, t", .unit = "T0"},
          "target of the temperature"),
      {.path = "forcing.sponges.NAME.scalars", .only = Scheme::projection,
       .condition = "default: no targets", .meaning = "targets of scalars",
       .written = scalars_of_sponge},
      {.path = "forcing.sponges.NAME.scalars.NAME", .kind = KeyKind::formula,
       .condition = "for any of scalars; default: no target", .variables = "x, y, z, t",
       .meaning = "target of the scalar, without G . x", .named = "scalar", .marks = "_"},
  };
}

// clang-format on

namespace {

/// Its targets of scalars, and its rules.
void read_sponge(ValueReader& reader,
                 const Case& read,
                 SpongeCase& sponge,
                 const std::string& path) {
  sponge.scalars.resize(read.scalars.size());
  for (std::size_t place = 0; place < read.scalars.size(); ++place)
    reader.read(path + ".scalars." + read.scalars[place].name, sponge.scalars[place]);
  refuse_unknown_scalars(reader, read, path + ".scalars");
  if (sponge.rate.is_constant() && sponge.rate(0, 0, 0, 0) < 0)
    reader.add_mistake(path + ".rate", ">= 0");
  reader.refuse_without_temperature(path + ".temperature");
  if (!reader.is_given(path + ".velocity") && !reader.is_given(path + ".temperature") &&
      reader.names_in(path + ".scalars").empty())
    reader.add_problem(path, "has no target: give a velocity, a temperature or scalars");
}

void check_bulk_velocity(ValueReader& reader, const Case& read) {
  const std::string path = "forcing.value";
  if (reader.is_wrong(path)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (read.forcing.value.at(axis) == 0 || read.is_periodic(static_cast<int>(axis))) continue;
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
  reader.refuse_without_temperature("forcing.heat");
  for (SpongeCase& sponge : forcing.sponges) {
    const std::string path = "forcing.sponges." + sponge.name;
    if (!reader.is_wrong(path)) read_sponge(reader, read, sponge, path);
  }
}

}  // namespace dns
