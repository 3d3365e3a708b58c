#include "solver/config/value_parsers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>

#include "solver/config/nearest_key.hpp"
#include "solver/config/number_text.hpp"
#include "solver/config/text_file.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// The rule for one item where the key is a list of three.
std::string item_kind_text(Key key) {
  if (key.is_vector) key.path = {};  // sections stand for whole lists alone
  key.is_vector = false;
  return kind_text(key);
}

void refuse_leading_zeros(const CaseNode& node) {
  if (has_leading_zeros(node.text)) {
    throw ValueMistake("written without leading zeros", "; some read it as octal");
  }
}

void check_range(double value, const Key& key) {
  const bool is_too_small =
      key.range.minimum_is_excluded ? value <= key.range.minimum : value < key.range.minimum;
  if (is_too_small || value > key.range.maximum) throw ValueMistake(range_text(key));
}

bool is_not_finite(const std::string& text) {
  std::string word;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c != '.' && c != '-' && c != '+') {
      return false;
    }
  }
  return word == "nan" || word == "inf" || word == "infinity";
}

/// Not a number because it is too large, too close to zero or not finite.
bool is_out_of_reach(const std::string& text) {
  const bool is_numeral = !text.empty() &&
                          text.find_first_not_of("+-.0123456789eE") == std::string::npos &&
                          std::isdigit(static_cast<unsigned char>(text.back())) != 0 &&
                          text.find_first_of("0123456789") < text.find_first_of("eE");
  return is_numeral || is_not_finite(text);
}

/// Seconds of "HH:MM:SS"; nothing if `text` is something else.
std::optional<double> clock_time(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      parts.back() += c;
    } else {
      return std::nullopt;
    }
  }
  const bool has_form = parts.size() == 3 && !parts[0].empty() && parts[0].size() <= 6 &&
                        parts[1].size() == 2 && parts[2].size() == 2;
  if (!has_form || parts[1] >= "60" || parts[2] >= "60") return std::nullopt;
  return 3600.0 * std::stoi(parts[0]) + 60.0 * std::stoi(parts[1]) + std::stoi(parts[2]);
}

}  // namespace

double parse_number(const CaseNode& node, const Key& key) {
  if (!node.is_scalar() || node.is_quoted) throw ValueMistake(item_kind_text(key));
  const std::optional<double> number = number_from(node.text);
  if (!number) {
    if (is_out_of_reach(node.text)) throw ValueMistake("a finite number that fits a double");
    throw ValueMistake(item_kind_text(key));
  }
  refuse_leading_zeros(node);
  check_range(*number, key);
  return *number;
}

std::int64_t parse_whole(const CaseNode& node, const Key& key) {
  if (!node.is_scalar() || node.is_quoted) throw ValueMistake(item_kind_text(key));
  const std::optional<std::int64_t> number = whole_number_from(node.text);
  if (!number) {
    const std::optional<double> any_number = number_from(node.text);
    if (any_number && std::trunc(*any_number) == *any_number) {
      check_range(*any_number, key);
      throw ValueMistake("<= " + std::to_string(static_cast<std::int64_t>(largest_whole_number)));
    }
    throw ValueMistake(item_kind_text(key));
  }
  refuse_leading_zeros(node);
  check_range(static_cast<double>(*number), key);
  if (*number > static_cast<std::int64_t>(largest_whole_number)) {
    throw ValueMistake("<= " + std::to_string(static_cast<std::int64_t>(largest_whole_number)));
  }
  return *number;
}

int parse_order(const CaseNode& node, const Key& /*key*/) {
  for (const int order : {2, 4, 6, 8}) {
    if (node.is_scalar() && !node.is_quoted && node.text == std::to_string(order)) return order;
  }
  throw ValueMistake("2, 4, 6 or 8");
}

std::string parse_text(const CaseNode& node, const Key& key) {
  if (!node.is_scalar()) throw ValueMistake(kind_text(key));
  if (trimmed(node.text).empty()) throw ValueMistake("text that is not empty");
  if (node.text.find('\0') != std::string::npos || node.text.find('\n') != std::string::npos) {
    throw ValueMistake("text on one line");
  }
  return node.text;
}

std::string parse_choice(const CaseNode& node, const Key& key) {
  if (!node.is_scalar()) throw ValueMistake(kind_text(key));
  if (std::find(key.choices.begin(), key.choices.end(), node.text) != key.choices.end()) {
    return node.text;
  }
  const std::vector<std::string> known(key.choices.begin(), key.choices.end());
  const std::string nearest = nearest_key(node.text, known);
  const std::string hint = known.size() < 2 || nearest.empty()
                               ? std::string{}
                               : fmt::format("; did you mean {}?", nearest);
  throw ValueMistake(joined_with_or(key.choices), hint);
}

bool parse_flag(const CaseNode& node, const Key& key) {
  const bool is_true = node.text == "true";
  if (!node.is_scalar() || node.is_quoted || !(is_true || node.text == "false"))
    throw ValueMistake(kind_text(key));
  return is_true;
}

std::vector<std::string> parse_choice_list(const CaseNode& node, const Key& key) {
  if (!node.is_list()) throw ValueMistake(kind_text(key));
  if (node.items.empty() && !key.may_be_empty)
    throw ValueMistake(kind_text(key) + ", at least one");
  std::vector<std::string> words;
  for (const CaseNode& item : node.items) {
    const std::string word = parse_choice(item, key);
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      throw ValueMistake(kind_text(key) + ", each once");
    }
    words.push_back(word);
  }
  return words;
}

namespace {

/// All numbers of a text file. The path is `given`, from the folder.
std::vector<double> numbers_of_file(const std::string& given,
                                    const std::string& folder,
                                    const std::string& rule) {
  const std::string path = (std::filesystem::path(folder) / given).string();
  std::vector<double> numbers;
  try {
    for (const TextLine& line : lines_of_text(path)) {
      for (const std::string& word : line.words) {
        const std::optional<double> number = number_from(word);
        if (!number)
          throw ValueMistake(rule, fmt::format("; line {} of it holds {}", line.number, word));
        numbers.push_back(*number);
      }
    }
  } catch (const UnreadableText& error) {
    throw ValueMistake(rule, fmt::format("; {} {}", path == given ? "it" : path, error.what()));
  }
  return numbers;
}

}  // namespace

std::vector<double> parse_coordinates(const CaseNode& node,
                                      const Key& key,
                                      const std::string& folder) {
  const std::string rule = kind_text(key);
  std::vector<double> numbers;
  if (node.is_scalar()) {
    if (trimmed(node.text).empty() || number_from(node.text)) throw ValueMistake(rule);
    numbers = numbers_of_file(node.text, folder, rule);
  } else {
    if (!node.is_list()) throw ValueMistake(rule);
    for (const CaseNode& item : node.items) numbers.push_back(parse_number(item, key));
  }
  const auto is_not_above = [](double low, double high) { return !(low < high); };
  const auto wrong = std::ranges::adjacent_find(numbers, is_not_above);
  if (wrong != numbers.end()) {
    throw ValueMistake("ascending",
                       fmt::format("; number {} is {}, number {} is {}",
                                   wrong - numbers.begin(),
                                   number_text(*wrong),
                                   wrong - numbers.begin() + 1,
                                   number_text(*std::next(wrong))));
  }
  if (!numbers.empty() && !std::isfinite(numbers.back() - numbers.front()))
    throw ValueMistake("less than 1.8e308 apart");
  return numbers;
}

Expression parse_formula(const CaseNode& node, const Key& key) {
  const std::string rule = item_kind_text(key);
  if (!node.is_scalar()) throw ValueMistake(rule);
  if (!node.is_quoted && is_not_finite(node.text)) throw ValueMistake("finite");
  const std::string text = trimmed(node.text);
  if (number_from(text)) refuse_leading_zeros(node);
  Expression formula;
  try {
    formula = Expression(text);
  } catch (const CaseError& error) {
    throw ValueMistake(rule, std::string(": ") + error.what());
  }
  if (formula.depends_on_time() && key.variables.find('t') == std::string_view::npos) {
    throw ValueMistake(rule, ": t is not among them");
  }
  if (formula.is_constant() && !std::isfinite(formula(0, 0, 0, 0))) throw ValueMistake("finite");
  return formula;
}

double parse_duration(const CaseNode& node, const Key& key) {
  if (node.is_scalar()) {
    if (const auto seconds = clock_time(node.text); seconds && *seconds > 0) return *seconds;
    const auto number = number_from(node.text);
    if (number && *number > 0 && !node.is_quoted && !has_leading_zeros(node.text)) return *number;
  }
  throw ValueMistake(kind_text(key));
}

bool is_name(const std::string& text, std::string_view marks, std::size_t longest) {
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [marks](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           marks.find(c) != std::string_view::npos;
  });
}

bool is_case_name(const std::string& text) {
  constexpr std::string_view marks = "_-.";
  return is_name(text, marks, 100) && marks.find(text[0]) == std::string_view::npos;
}

}  // namespace dns
