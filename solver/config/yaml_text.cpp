#include "solver/config/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>

#include "solver/core/index.hpp"
#include "solver/core/names.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

struct Character {
  char32_t code = 0xfffd;  // of a byte that is no UTF-8; it stays as it is
  std::size_t length = 1;
};

/// The character at the start of a text in UTF-8.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::size_t ones = std::countl_one(byte(0));
  if (ones == 0) return {byte(0), 1};
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (ones == 1 || ones >= least.size() || ones > text.size()) return {};
  char32_t code = byte(0) & (0x7fU >> ones);
  for (std::size_t at = 1; at < ones; ++at) {
    if ((byte(at) & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (byte(at) & 0x3fU);
  }
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code < least.at(ones) || is_surrogate || code > 0x10ffff ? Character{}
                                                                  : Character{code, ones};
}

/// Control characters, ends of lines, and what is no character: YAML wants them escaped.
bool is_escaped(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         code == 0xfeff || code == 0xfffe || code == 0xffff;
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const auto [code, length] = first_of(text);
    if (is_escaped(code)) {
      const auto number = static_cast<std::uint32_t>(code);
      quoted += code < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
    } else {
      if (code == '"' || code == '\\') quoted += '\\';
      quoted += text.substr(0, length);
    }
    text.remove_prefix(length);
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
  return yaml_text(PerAxis<int>{points.nx, points.ny, points.nz});
}

std::string yaml_text(const PerAxis<bool>& axes) {
  std::vector<std::string> names;
  for (int axis = 0; axis < 3; ++axis) {
    if (axes[axis]) names.push_back(axis_names[axis]);
  }
  return yaml_list(names);
}

std::string yaml_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace dns
