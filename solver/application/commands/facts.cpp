#include "solver/application/commands/facts.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "solver/core/json_text.hpp"
#include "solver/run/case_in_words.hpp"
#include "solver/run/printable.hpp"

namespace dns {

void Facts::text(const std::string& name, const std::string& value) {
  this->value(name, value, value);
}

void Facts::number(const std::string& name, double value) {
  this->value(name, fmt::format("{:g}", value), json_number(value));
}

void Facts::integer(const std::string& name, std::int64_t value) {
  this->value(name, fmt::format("{}", value), value);
}

void Facts::named_line(const std::string& name, double number) {
  line(fmt::format("  {:<20} {}", name, number));
  value(name, json_number(number));
}

void Facts::value(const std::string& name,
                  const std::string& words,
                  const nlohmann::ordered_json& value) {
  line(fmt::format("{:<10} {}", name, words));
  this->value(name, value);
}

void Facts::value(const std::string& name, const nlohmann::ordered_json& value) {
  values_.emplace_back(name, json_line(value));
}

void Facts::warning(const std::string& name, const std::string& words) {
  line(fmt::format("{:<10} {}", name, words));
  warnings_.push_back(fmt::format("{} {}", name, words));
}

void Facts::print(bool as_json) const {
  if (!as_json) return print_printable(lines_, stdout);
  auto json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : values_) json[name] = nlohmann::ordered_json::parse(value);
  json["warnings"] = warnings_;
  std::puts(json_line(json).c_str());
}

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
  for (const ScalarCase& scalar : resolved.scalars)
    values["scalars"][scalar.name]["prandtl"] = json_number(scalar.prandtl);
  values["steps"] = json_number(steps_as_number(resolved.time));
  if (resolved.time.end) values["end"] = json_number(*resolved.time.end);
  if (resolved.time.cfl) values["cfl"] = json_number(*resolved.time.cfl);
  for (const SolidCase& body : resolved.solids) values["solids"].push_back(body.name);
  facts.value("case", values);
}

}  // namespace dns
