#include "solver/config/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "solver/config/number_text.hpp"
#include "solver/core/names.hpp"

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
  std::string lower;
  bool is_plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    is_plain = is_plain && code < 0x80 &&
               (std::isalnum(code) != 0 || std::string("_-./").find(c) != std::string::npos);
    lower += static_cast<char>(std::tolower(code));
  }
  is_plain = is_plain && std::find(words.begin(), words.end(), lower) == words.end();
  return is_plain ? std::string(text) : in_quotes(text);
}

std::string yaml_text(double number) {
  return number_text(number);
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
