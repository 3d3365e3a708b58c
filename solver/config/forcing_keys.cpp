#include <algorithm>

#include "solver/config/key_table.hpp"
#include "solver/config/yaml_text.hpp"

namespace dns {
namespace {

const SpongeCase& sponge_of(const Case& resolved, std::size_t number) {
  return resolved.forcing.sponges[number];
}

}  // namespace

std::vector<Key> keys_of_forcing() {
  using enum KeyKind;
  return {
      {.path = "forcing",
       .kind = section,
       .condition = "default: none",
       .meaning = "what drives the flow besides its boundaries"},
      {.path = "forcing.type",
       .kind = choice,
       .is_required = true,
       .condition = "scheme splitting: formula",
       .choices = {ForcingCase::kind_names.begin() + 1, ForcingCase::kind_names.end()},
       .written =
           [](const Case& c, std::size_t) {
             return std::string(
                 ForcingCase::kind_names.at(static_cast<std::size_t>(c.forcing.kind)));
           },
       .meaning = "what is held constant; formula: nothing, the keys below say what acts"},
      {.path = "forcing.value",
       .kind = number,
       .is_vector = true,
       .only = Scheme::projection,
       .condition =
           "not with type formula, else required; bulk_velocity: 0 along axes that are not "
           "periodic",
       .unit = "U^2/L or U",
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.forcing.is_uniform() ? yaml_text(c.forcing.value) : "";
       },
       .meaning = "pressure_gradient: the driving acceleration -dp/dx, -dp/dy, -dp/dz; "
                  "bulk_velocity: the mean velocity"},
      {.path = "forcing.acceleration",
       .kind = formula,
       .is_vector = true,
       .condition = "default [0, 0, 0]",
       .variables = "x, y, z, t",
       .unit = "U^2/L",
       .written = [](const Case& c, std::size_t) -> std::string {
         const bool is_none = std::ranges::all_of(c.forcing.acceleration, &Expression::is_zero);
         return is_none ? "" : yaml_text(c.forcing.acceleration);
       },
       .meaning = "acceleration of the fluid"},
      {.path = "forcing.heat",
       .kind = formula,
       .condition = "default 0",
       .variables = "x, y, z, t",
       .unit = "T0 U/L",
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.forcing.heat.is_zero() ? "" : yaml_text(c.forcing.heat);
       },
       .meaning = "source of temperature"},
      {.path = "forcing.linear",
       .kind = number,
       .condition = "default 0",
       .unit = "U/L",
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.forcing.linear == 0 ? "" : yaml_text(c.forcing.linear);
       },
       .meaning =
           "factor A of an acceleration A u, which keeps turbulence in a periodic box going"},
      {.path = "forcing.sponges",
       .kind = section,
       .condition = "default: none",
       .meaning = "regions where the flow is drawn towards a target"},
      {.path = "forcing.sponges.NAME",
       .kind = section,
       .meaning = "one sponge: it needs a velocity, a temperature or both"},
      {.path = "forcing.sponges.NAME.rate",
       .kind = formula,
       .is_required = true,
       .condition = ">= 0",
       .variables = "x, y, z",
       .unit = "U/L",
       .written = [](const Case& c, std::size_t n) { return yaml_text(sponge_of(c, n).rate); },
       .meaning = "rate, 0 outside the region: the acceleration is rate (target - velocity)"},
      {.path = "forcing.sponges.NAME.velocity",
       .kind = formula,
       .is_vector = true,
       .condition = "default: no target",
       .variables = "x, y, z, t",
       .unit = "U",
       .written = [](const Case& c, std::size_t n) -> std::string {
         const auto& velocity = sponge_of(c, n).velocity;
         return velocity ? yaml_text(*velocity) : "";
       },
       .meaning = "target of the velocity"},
      {.path = "forcing.sponges.NAME.temperature",
       .kind = formula,
       .condition = "default: no target",
       .variables = "x, y, z, t",
       .unit = "T0",
       .written = [](const Case& c, std::size_t n) -> std::string {
         const auto& temperature = sponge_of(c, n).temperature;
         return temperature ? yaml_text(*temperature) : "";
       },
       .meaning = "target of the temperature"},
  };
}

}  // namespace dns
