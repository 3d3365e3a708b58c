#include "solver/run/words.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <sstream>

namespace dns {
namespace {

/// `value` with three digits and the prefix of its power of 1000.
std::string with_prefix(double value) {
  constexpr std::array<const char*, 6> prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t power = 0;
  while (std::abs(value) >= 999.5 && power + 1 < prefixes.size()) {
    value /= 1000;
    ++power;
  }
  return fmt::format("{:.3g} {}", value, prefixes.at(power));
}

}  // namespace

std::string in_words_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds == 0) return "0 s";
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1000);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  constexpr double day = 86400;
  constexpr double year = 365.25 * day;
  if (seconds >= 1000 * day) return fmt::format("{:.3g} years", seconds / year);
  const long whole = std::lround(seconds);
  const long minutes = whole / 60;
  const long hours = minutes / 60;
  if (minutes < 60) return fmt::format("{}m{:02}s", minutes, whole % 60);
  if (hours < 48) return fmt::format("{}h{:02}m", hours, minutes % 60);
  return fmt::format("{}d{:02}h", hours / 24, hours % 24);
}

std::string in_words_bytes(double bytes) {
  return with_prefix(bytes) + "B";
}

std::string in_words_count(double count) {
  std::string text = with_prefix(count);
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string counted(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string in_column(const NamedWords& line) {
  return fmt::format("{:<10} {}", line.name, line.words);
}

}  // namespace dns
