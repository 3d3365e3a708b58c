/// Tables as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dns::bench {

/// Columns as wide as their widest cell, two blanks apart; the first column is flush left, those
/// after it flush right unless their heading starts with '<'.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings);

  /// As many cells as headings.
  void add(std::vector<std::string> cells);
  /// Heading and rows, each line ended.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the first one is the heading
  std::vector<bool> is_left_;
};

/// `value` with three significant digits and no exponent, "-" for NaN.
std::string three_digits(double value);
/// "87 %"; "-" for NaN.
std::string percent(double fraction);

}  // namespace dns::bench
