#include "solver/application/terminal/json_report.hpp"

#include <cmath>

#include "solver/config/number_text.hpp"

namespace dns {

JsonReport& JsonReport::text(std::string_view name, std::string_view value) {
  object_.add(name, json_string(value));
  return *this;
}

JsonReport& JsonReport::number(std::string_view name, double value) {
  object_.add(name, std::isfinite(value) ? number_text(value) : "null");
  return *this;
}

JsonReport& JsonReport::integer(std::string_view name, std::int64_t value) {
  object_.add(name, std::to_string(value));
  return *this;
}

JsonReport& JsonReport::report(std::string_view name, const JsonReport& value) {
  object_.add(name, value.str());
  return *this;
}

}  // namespace dns
