#include "solver/application/commands/case_facts.hpp"

#include <nlohmann/json.hpp>

#include "solver/application/terminal/case_in_words.hpp"
#include "solver/config/json_text.hpp"

namespace dns {

void add_case_facts(const Case& resolved, Facts& facts) {
  for (const NamedWords& line : about_case(resolved)) facts.line(in_column(line));

  const Extents points = resolved.grid.points;
  nlohmann::ordered_json values;
  values["name"] = resolved.name;
  values["scheme"] = name_of(resolved.scheme);
  values["device"] = name_of(resolved.device);
  values["precision"] = name_of(resolved.precision);
  values["points"] = {points.nx, points.ny, points.nz};
  values["length"] = resolved.grid.length;
  values["origin"] = resolved.grid.origin;
  values["reynolds"] = json_number(resolved.fluid.reynolds);
  if (resolved.has_temperature()) values["prandtl"] = json_number(resolved.fluid.prandtl);
  values["steps"] = json_number(steps_as_number(resolved.time));
  if (resolved.time.end) values["end"] = json_number(*resolved.time.end);
  if (resolved.time.cfl) values["cfl"] = json_number(*resolved.time.cfl);
  for (const SolidCase& body : resolved.solids) values["solids"].push_back(body.name);
  facts.value("case", values);
}

}  // namespace dns
