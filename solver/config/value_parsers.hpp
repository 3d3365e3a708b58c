/// From one scalar of a case file to one value, as its key in the table requires.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/config/case_tree.hpp"
#include "solver/config/expression.hpp"
#include "solver/config/key_table.hpp"

namespace dns {

/// A value that breaks a rule. Completes "KEY is VALUE, but must be RULE (meaning)REMARK".
class ValueMistake : public std::runtime_error {
 public:
  explicit ValueMistake(const std::string& rule, std::string remark = {})
      : std::runtime_error(rule), remark_(std::move(remark)) {}

  [[nodiscard]] std::string rule() const { return what(); }
  [[nodiscard]] const std::string& remark() const { return remark_; }

 private:
  std::string remark_;
};

/// Each throws ValueMistake when `node` is not what `key` requires.
double parse_number(const CaseNode& node, const Key& key);
std::int64_t parse_whole(const CaseNode& node, const Key& key);
/// 2, 4, 6 or 8.
int parse_order(const CaseNode& node, const Key& key);
std::string parse_text(const CaseNode& node, const Key& key);
std::string parse_choice(const CaseNode& node, const Key& key);
bool parse_flag(const CaseNode& node, const Key& key);
std::vector<std::string> parse_choice_list(const CaseNode& node, const Key& key);
/// Ascending numbers, from a list or from the text file named.
std::vector<double> parse_coordinates(const CaseNode& node,
                                      const Key& key,
                                      const std::string& folder);
Expression parse_formula(const CaseNode& node, const Key& key);
/// Seconds, from a number or "HH:MM:SS".
double parse_duration(const CaseNode& node, const Key& key);

/// Whether `text` is made of letters, digits and `marks`, `longest` characters at most.
bool is_name(const std::string& text, std::string_view marks, std::size_t longest);

/// The words that name a case: usable as a folder's name everywhere.
bool is_case_name(const std::string& text);

}  // namespace dns
