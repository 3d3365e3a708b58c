/// From one scalar of a case file to one value, as its key in the table requires.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/config/case_tree.hpp"
#include "solver/config/expression.hpp"
#include "solver/config/key_table.hpp"

namespace dns {

/// A value that breaks a rule, with a remark for the end of the message.
struct ValueMistake : std::runtime_error {
  explicit ValueMistake(const std::string& rule, std::string and_remark = {})
      : std::runtime_error(rule), remark(std::move(and_remark)) {}
  std::string remark;
};

/// "PATH is VALUE, but must be RULE (meaning)REMARK".
std::string mistake_message(const std::string& path,
                            const CaseNode& value,
                            const Key& key,
                            const ValueMistake& mistake);

/// The choice of a key that other codes call `word`, whatever its capitals, '-' and '_'; empty
/// without any.
std::string choice_for_word(std::string word, const Key& key);

/// Each reads `node` into `value`. Throws ValueMistake when `node` is not what `key` requires;
/// `value` then stays as it is.
void parse(const CaseNode& node, const Key& key, double& value);  // durations in seconds
void parse(const CaseNode& node, const Key& key, Interval& value);
void parse(const CaseNode& node, const Key& key, std::int64_t& value);
void parse(const CaseNode& node, const Key& key, bool& value);
void parse(const CaseNode& node, const Key& key, std::string& value);  // a text, or a choice
void parse(const CaseNode& node, const Key& key, std::vector<std::string>& value);  // of choices
void parse(const CaseNode& node,
           const Key& key,
           Expression& value,
           std::span<const std::string> fields = {});
template <std::integral Value>
void parse(const CaseNode& node, const Key& key, Value& value) {
  std::int64_t whole = 0;
  parse(node, key, whole);
  value = static_cast<Value>(whole);
}
/// Ascending numbers, from a list or from the text file named, found from `folder`.
std::vector<double> parse_coordinates(const CaseNode& node,
                                      const Key& key,
                                      const std::string& folder);

/// Whether `text` is made of letters, digits and `marks`, `longest` characters at most.
bool is_name(const std::string& text, std::string_view marks, std::size_t longest);

/// The words that name a case: usable as a folder's name everywhere.
bool is_case_name(const std::string& text);

}  // namespace dns
