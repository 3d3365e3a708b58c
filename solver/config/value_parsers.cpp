#include "solver/config/value_parsers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/core/number_text.hpp"
#include "solver/core/text_file.hpp"

namespace dns {
namespace {

/// The rule for one item where the key is a list of three.
std::string item_kind_text(Key key) {
  if (key.is_vector) key.path = {};  // sections stand for whole lists alone
  if (key.kind == KeyKind::direction) key.kind = KeyKind::number;
  key.is_vector = false;
  return kind_text(key);
}

/// Numbers and flags are scalars without quotes.
void require_bare_scalar(const CaseNode& node, const std::string& rule) {
  if (!node.trouble.empty()) throw ValueMistake(rule, node.trouble);
  if (!node.is_scalar() || node.is_quoted) throw ValueMistake(rule);
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
  std::string word = lower_case(text);
  std::erase_if(word, [](char c) { return c == '.' || c == '-' || c == '+'; });
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

double seconds_from(const CaseNode& node, const Key& key) {
  static const std::regex clock_time("()([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])");
  static const std::regex with_units(
      "(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?");
  std::smatch parts;
  double seconds = 0;
  if (!node.is_scalar()) throw ValueMistake(kind_text(key));
  if (std::regex_match(node.text, parts, clock_time) ||
      std::regex_match(node.text, parts, with_units)) {
    const auto number = [&](std::size_t part) {
      return parts[part].length() > 0 ? std::stoi(parts[part]) : 0;
    };
    seconds = 86400.0 * number(1) + 3600.0 * number(2) + 60.0 * number(3) + number(4);
  } else if (!node.is_quoted && !has_leading_zeros(node.text)) {
    seconds = number_from(node.text).value_or(0);
  }
  if (!(seconds > 0)) throw ValueMistake(kind_text(key));
  return seconds;
}

int order_from(const CaseNode& node) {
  for (const int order : {2, 4, 6, 8}) {
    if (node.is_scalar() && !node.is_quoted && node.text == std::to_string(order)) return order;
  }
  throw ValueMistake("2, 4, 6 or 8");
}

void require_choice(const std::string& word, const Key& key) {
  if (std::ranges::find(key.choices, word) != key.choices.end()) return;
  std::string nearest = choice_for_word(word, key);
  if (nearest.empty()) nearest = nearest_key(word, {key.choices.begin(), key.choices.end()});
  const bool has_hint = key.choices.size() > 1 && !nearest.empty();
  throw ValueMistake(joined_with("or", key.choices),
                     has_hint ? fmt::format("; did you mean {}?", nearest) : std::string{});
}

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

std::string choice_for_word(std::string word, const Key& key) {
  std::erase_if(word, [](char c) { return c == '-' || c == '_'; });
  const std::string pairs = " " + std::string(key.other_choices) + " ";
  const std::string wanted = " " + lower_case(word) + "=";
  const std::size_t found = pairs.find(wanted);
  if (found == std::string::npos) return {};
  const std::size_t begin = found + wanted.size();
  return pairs.substr(begin, pairs.find(' ', begin) - begin);
}

std::string mistake_message(const std::string& path,
                            const CaseNode& value,
                            const Key& key,
                            const ValueMistake& mistake) {
  return path + " is " + shown(value) + ", but must be " + mistake.what() + " (" +
         meaning_text(key) + ")" + mistake.remark;
}

void parse(const CaseNode& node, const Key& key, double& value) {
  if (key.kind == KeyKind::duration) {
    value = seconds_from(node, key);
    return;
  }
  require_bare_scalar(node, item_kind_text(key));
  const std::optional<double> number = number_from(node.text);
  if (!number && is_out_of_reach(node.text))
    throw ValueMistake("a finite number that fits a double");
  if (!number) throw ValueMistake(item_kind_text(key));
  refuse_leading_zeros(node);
  check_range(*number, key);
  value = *number;
}

void parse(const CaseNode& node, const Key& key, std::int64_t& value) {
  if (key.kind == KeyKind::order) {
    value = order_from(node);
    return;
  }
  const bool is_word = !key.word.empty() && node.is_scalar() && node.text == key.word;
  if (is_word || (key.may_be_auto && node.is_scalar() && node.text == "auto")) {
    value = 0;
    return;
  }
  require_bare_scalar(node, item_kind_text(key));
  const std::optional<double> number = number_from(node.text);
  if (!number || std::trunc(*number) != *number) throw ValueMistake(item_kind_text(key));
  const std::optional<std::int64_t> whole = whole_number_from(node.text);
  if (whole) refuse_leading_zeros(node);
  check_range(*number, key);
  constexpr auto largest = static_cast<std::int64_t>(largest_whole_number);
  if (!whole || *whole > largest) throw ValueMistake(fmt::format("<= {}", largest));
  value = *whole;
}

void parse(const CaseNode& node, const Key& key, Interval& value) {
  const std::string text = trimmed(node.text);
  if (node.is_scalar() && node.trouble.empty() && text.ends_with(unit_of_time)) {
    const std::optional<double> time =
        number_from(trimmed(text.substr(0, text.size() - unit_of_time.size())));
    if (!time || !(*time > 0)) throw ValueMistake(kind_text(key));
    value = Interval::of_time(*time);
    return;
  }
  std::int64_t steps = 0;
  parse(node, key, steps);
  value = steps;
}

void parse(const CaseNode& node, const Key& key, bool& value) {
  require_bare_scalar(node, kind_text(key));
  if (node.text != "true" && node.text != "false") throw ValueMistake(kind_text(key));
  value = node.text == "true";
}

void parse(const CaseNode& node, const Key& key, std::string& value) {
  if (!node.is_scalar()) throw ValueMistake(kind_text(key));
  if (key.kind == KeyKind::choice) {
    require_choice(node.text, key);
  } else if (trimmed(node.text).empty()) {
    throw ValueMistake("text that is not empty");
  } else if (node.text.find_first_of(std::string_view("\0\n", 2)) != std::string::npos) {
    throw ValueMistake("text on one line");
  }
  value = node.text;
}

void parse(const CaseNode& node, const Key& key, std::vector<std::string>& value) {
  if (!node.is_list()) throw ValueMistake(kind_text(key));
  if (node.items.empty() && !key.may_be_empty)
    throw ValueMistake(kind_text(key) + ", at least one");
  std::vector<std::string> words;
  for (const CaseNode& item : node.items) {
    if (!item.is_scalar()) throw ValueMistake(kind_text(key));
    require_choice(item.text, key);
    if (std::ranges::count(words, item.text) > 0)
      throw ValueMistake(kind_text(key) + ", each once");
    words.push_back(item.text);
  }
  value = std::move(words);
}

void parse(const CaseNode& node,
           const Key& key,
           Expression& value,
           std::span<const std::string> fields) {
  const std::string rule = item_kind_text(key);
  if (!node.is_scalar()) throw ValueMistake(rule);
  if (!node.is_quoted && is_not_finite(node.text)) throw ValueMistake("finite");
  const std::string text = trimmed(node.text);
  if (number_from(text)) refuse_leading_zeros(node);
  Expression formula;
  try {
    formula = Expression(text, fields);
  } catch (const CaseError& error) {
    throw ValueMistake(rule, std::string(": ") + error.what());
  }
  if (formula.depends_on_time() && key.variables.find('t') == std::string_view::npos)
    throw ValueMistake(rule, ": t is not among them");
  if (formula.is_constant() && !std::isfinite(formula(0, 0, 0, 0))) throw ValueMistake("finite");
  value = std::move(formula);
}

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
    for (const CaseNode& item : node.items) parse(item, key, numbers.emplace_back());
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
