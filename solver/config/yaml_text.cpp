#include "solver/config/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "solver/core/names.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20 || code == 0x7f) {
      quoted += fmt::format("\\x{:02x}", code);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string yaml_text(std::string_view text) {
  static const std::vector<std::string> words{
      "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"};
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./").find(c) != std::string_view::npos;
  };
  const bool is_word = !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_plain) &&
                       std::ranges::find(words, lower_case(text)) == words.end();
  return is_word ? std::string(text) : in_quotes(text);
}

std::string yaml_text(double number) {
  return number_text(number);
}

std::string yaml_text(const Interval& interval) {
  return interval.time > 0
             ? in_quotes(fmt::format("{} {}", number_text(interval.time), unit_of_time))
             : yaml_text(interval.steps);
}

std::string yaml_text(const Expression& formula) {
  return number_from(formula.text()) ? formula.text() : in_quotes(formula.text());
}

std::string yaml_text(Extents points) {
  return yaml_text(std::array{points.nx, points.ny, points.nz});
}

std::string yaml_text(const std::array<bool, 3>& axes) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axes.at(axis)) names.push_back(axis_names.at(axis));
  }
  return yaml_list(names);
}

std::string yaml_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace dns
