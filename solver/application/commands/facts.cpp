#include "solver/application/commands/facts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "solver/config/json_text.hpp"

namespace dns {

void Facts::text(const std::string& name, const std::string& value) {
  lines_ += fmt::format("{:<10} {}\n", name, value);
  values_.emplace_back(name, value);
}

void Facts::number(const std::string& name, double value) {
  lines_ += fmt::format("{:<10} {:g}\n", name, value);
  values_.emplace_back(name, value);
}

void Facts::integer(const std::string& name, std::int64_t value) {
  lines_ += fmt::format("{:<10} {}\n", name, value);
  values_.emplace_back(name, value);
}

void Facts::named_line(const std::string& name, const std::string& number) {
  lines_ += fmt::format("  {:<20} {}\n", name, number);
  values_.emplace_back(name, std::strtod(number.c_str(), nullptr));
}

std::string Facts::shown(bool as_json) const {
  if (!as_json) return lines_;
  nlohmann::ordered_json json;
  for (const auto& [name, value] : values_) {
    if (const double* const number = std::get_if<double>(&value)) {
      json[name] = json_number(*number);
    } else if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
      json[name] = *whole;
    } else {
      json[name] = std::get<std::string>(value);
    }
  }
  return json_line(json) + "\n";
}

}  // namespace dns
