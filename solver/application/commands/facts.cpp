#include "solver/application/commands/facts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "solver/application/terminal/printable.hpp"
#include "solver/config/json_text.hpp"

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

std::string Facts::shown(bool as_json) const {
  if (!as_json) return printable(lines_);
  auto json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : values_) json[name] = nlohmann::ordered_json::parse(value);
  return json_line(json) + "\n";
}

}  // namespace dns
