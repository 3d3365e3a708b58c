#include "solver/application/commands/facts.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace dns {

void Facts::text(const std::string& name, const std::string& value) {
  lines_ += fmt::format("{:<10} {}\n", name, value);
  json_.text(name, value);
}

void Facts::number(const std::string& name, double value) {
  lines_ += fmt::format("{:<10} {:g}\n", name, value);
  json_.number(name, value);
}

void Facts::integer(const std::string& name, std::int64_t value) {
  lines_ += fmt::format("{:<10} {}\n", name, value);
  json_.integer(name, value);
}

void Facts::named_line(const std::string& name, const std::string& number) {
  lines_ += fmt::format("  {:<20} {}\n", name, number);
  json_.number(name, std::strtod(number.c_str(), nullptr));
}

}  // namespace dns
