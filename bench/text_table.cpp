#include "bench/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace dns::bench {

TextTable::TextTable(std::vector<std::string> headings) {
  for (std::string& heading : headings) {
    const bool is_marked = heading.starts_with('<');
    if (is_marked) heading.erase(0, 1);
    is_left_.push_back(is_marked || is_left_.empty());
  }
  rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(is_left_.size());
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += is_left_[column] ? fmt::format("  {:<{}}", row[column], widths[column])
                               : fmt::format("  {:>{}}", row[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string three_digits(double value) {
  if (!std::isfinite(value)) return "-";
  const double magnitude = std::abs(value);
  if (magnitude >= 99.95) return fmt::format("{:.0f}", value);
  if (magnitude >= 9.995) return fmt::format("{:.1f}", value);
  if (magnitude >= 0.9995) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3g}", value);
}

std::string percent(double fraction) {
  if (!std::isfinite(fraction)) return "-";
  return fraction < 0.0995 ? fmt::format("{:.1f} %", 100 * fraction)
                           : fmt::format("{:.0f} %", 100 * fraction);
}

}  // namespace dns::bench
