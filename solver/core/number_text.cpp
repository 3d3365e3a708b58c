#include "solver/core/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace dns {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// std::from_chars takes no '+'.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

}  // namespace

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  char* const begin = buffer.data();
  const bool is_short_whole = std::trunc(value) == value && std::abs(value) < 1e9;
  const auto end =
      is_short_whole ? std::to_chars(begin, begin + buffer.size(), value, std::chars_format::fixed)
                     : std::to_chars(begin, begin + buffer.size(), value);
  std::string text(begin, end.ptr);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

std::optional<double> number_from(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> whole_number_from(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end) return value;
  const std::optional<double> number = number_from(text);
  if (!number || std::abs(*number) > largest_whole_number || std::trunc(*number) != *number)
    return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

bool has_leading_zeros(std::string_view text) {
  text = without_sign(text);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string trimmed(std::string_view text) {
  const std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

}  // namespace dns
