#include "solver/application/commands/facts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

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

void Facts::named_line(const std::string& name, const std::string& number) {
  line(fmt::format("  {:<20} {}", name, number));
  value(name, json_number(std::strtod(number.c_str(), nullptr)));
}

void Facts::value(const std::string& name, const std::string& words, nlohmann::ordered_json value) {
  line(fmt::format("{:<10} {}", name, words));
  this->value(name, std::move(value));
}

void Facts::value(const std::string& name, nlohmann::ordered_json value) {
  values_[name] = std::move(value);
}

std::string Facts::shown(bool as_json) const {
  return as_json ? json_line(values_) + "\n" : lines_;
}

}  // namespace dns
