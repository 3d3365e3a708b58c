#include "solver/config/case_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "solver/config/expression.hpp"
#include "solver/config/formula_parser.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/value_parsers.hpp"
#include "solver/core/error.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

constexpr std::string_view letters = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view digits = "0123456789";

bool is_one_of(std::string_view characters, char c) {
  return characters.find(c) != std::string_view::npos;
}

/// Calls use(word, is_name, is_function) for the names of a formula and for what stands between.
template <class Use>
void for_each_word(std::string_view formula, const Use& use) {
  const auto end_of = [&](std::size_t from, const auto& belongs) {
    while (from < formula.size() && belongs(formula[from])) ++from;
    return from;
  };
  const auto is_of_number = [](char c) { return is_one_of(digits, c) || c == '.'; };
  for (std::size_t begin = 0; begin < formula.size();) {
    std::size_t end = begin + 1;
    const bool is_name = is_one_of(letters, formula[begin]);
    if (is_name) {
      end = end_of(begin, [](char c) { return is_one_of(letters, c) || is_one_of(digits, c); });
    } else if (is_of_number(formula[begin])) {
      end = end_of(begin, is_of_number);
      const bool has_exponent = end < formula.size() && (formula[end] | 0x20) == 'e';
      const std::size_t sign = end + 1;
      const std::size_t power =
          sign < formula.size() && is_one_of("+-", formula[sign]) ? sign + 1 : sign;
      if (has_exponent && power < formula.size() && is_one_of(digits, formula[power]))
        end = end_of(power, [](char c) { return is_one_of(digits, c); });
    }
    const std::size_t next = end_of(end, [](char c) { return c == ' '; });
    const bool is_function = is_name && next < formula.size() && formula[next] == '(';
    use(formula.substr(begin, end - begin), is_name, is_function);
    begin = end;
  }
}

/// A text that is meant to be computed, not a number that is badly written.
bool looks_like_formula(std::string_view text, const std::vector<ParameterCase>& parameters) {
  if (text.find_first_of("*/^()?<>=!&|") != std::string_view::npos) return true;
  bool has_name = false;
  bool has_operator = false;
  std::size_t words = 0;
  for_each_word(text, [&](std::string_view word, bool is_name, bool /*is_function*/) {
    has_name |=
        is_name && (is_constant_name(word) ||
                    std::ranges::find(parameters, word, &ParameterCase::name) != parameters.end());
    has_operator |= words > 0 && (word == "+" || word == "-");
    if (word != " ") ++words;
  });
  return has_name || has_operator;
}

/// Keys whose values are numbers, one by one.
bool takes_numbers(KeyKind kind) {
  return kind == KeyKind::whole || kind == KeyKind::number || kind == KeyKind::coordinates ||
         kind == KeyKind::interval || kind == KeyKind::direction || kind == KeyKind::parts;
}

constexpr std::string_view comment = "# ";
constexpr std::string_view equals = " = ";

/// The node at "fluid.reynolds" or "grid.length[1]"; null where there is none.
CaseNode* node_at(CaseNode& root, const std::string& path) {
  static const std::regex with_item(R"(([A-Za-z0-9_.\-]+?)(?:\[([0-9]{1,6})\])?)");
  std::smatch parts;
  if (!std::regex_match(path, parts, with_item)) return nullptr;
  CaseNode* node = &root;
  std::istringstream words(parts[1]);
  for (std::string word; std::getline(words, word, '.');) {
    const auto found = std::ranges::find(node->entries, word, &CaseEntry::key);
    if (found == node->entries.end()) return nullptr;
    node = &found->value;
  }
  if (!parts[2].matched) return node;
  const std::size_t item = std::stoi(parts[2]);
  return item < node->items.size() ? &node->items[item] : nullptr;
}

}  // namespace

CaseFormulas::CaseFormulas(CaseNode& root, const std::string& yaml, CaseProblems& problems) {
  const auto section = std::ranges::find(root.entries, "parameters", &CaseEntry::key);
  if (section != root.entries.end()) read_parameters(section->value, problems);
  evaluate_section(root, "");
  take_recorded(root, yaml);
  for (std::size_t n = 0; n < parameters_.size(); ++n) {
    const CaseEntry* const entry = find_entry(root, "parameters." + parameters_[n].name);
    if (are_used_[n] || entry == nullptr || entry->position.source == 0) continue;
    problems.add(
        entry->position,
        fmt::format("parameters.{}: no formula of this case names it", parameters_[n].name));
  }
}

void CaseFormulas::read_parameters(CaseNode& section, CaseProblems& problems) {
  const Key& key = *find_key("parameters.NAME");
  for (CaseEntry& entry : section.entries) {
    const std::string path = "parameters." + entry.key;
    const bool is_named_well = is_name(entry.key, "_", 50) && is_one_of(letters, entry.key[0]) &&
                               !is_name_in_formulas(entry.key);
    if (!is_named_well) {
      problems.add(entry.position,
                   fmt::format("{}: the name of a parameter is made of letters, digits and '_', "
                               "the first a letter, 50 at most, and means nothing else in a "
                               "formula, as x, y, z, t, pi, e and sin do",
                               path));
      continue;
    }
    evaluate(entry.value, key, path);
    double value = 0;
    try {
      parse(entry.value, key, value);
    } catch (const ValueMistake& mistake) {
      problems.add(entry.position, mistake_message(path, entry.value, key, mistake));
      continue;
    }
    parameters_.push_back({entry.key, value});
    are_used_.push_back(false);
  }
}

void CaseFormulas::evaluate_section(CaseNode& section, const std::string& path) {
  for (CaseEntry& entry : section.entries) {
    const std::string at = joined_path(path, entry.key);
    const Key* const key = find_key(at);  // null: refused elsewhere
    if (key == nullptr || at == "parameters") continue;
    if (entry.value.is_map()) {
      evaluate_section(entry.value, at);
    } else {
      evaluate(entry.value, *key, at);
    }
  }
}

void CaseFormulas::evaluate(CaseNode& node, const Key& key, const std::string& path) {
  if (node.is_list()) {
    for (std::size_t item = 0; item < node.items.size(); ++item)
      if (!node.items[item].is_list() || key.kind == KeyKind::parts)
        evaluate(node.items[item], key, fmt::format("{}[{}]", path, item));
    return;
  }
  if (!node.is_scalar()) return;
  const bool is_file = key.kind == KeyKind::coordinates && path.back() != ']';
  const std::string given = node.text;
  if (takes_numbers(key.kind) && !is_file) {
    evaluate_number(node, key);
  } else if (takes_formulas(key.kind) && !parameters_.empty()) {
    node.text = with_numbers(given);
    if (node.text != given) node.formula = given;
  }
  // Complete cases have the coordinates of pieces.
  const bool is_of_pieces = std::ranges::count(key.kinds, std::string_view("pieces")) > 0;
  if (node.formula.empty() || is_of_pieces) return;
  // It will be a comment of one line; control characters in formulas are blanks.
  std::ranges::replace_if(
      node.formula, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  formulas_.push_back({path, node.formula});
}

void CaseFormulas::evaluate_number(CaseNode& node, const Key& key) {
  std::string text = trimmed(node.text);
  std::string unit;
  if (key.kind == KeyKind::interval && text.ends_with(unit_of_time)) {
    unit = fmt::format(" {}", unit_of_time);
    text = trimmed(text.substr(0, text.size() - unit_of_time.size()));
  }
  if (number_from(text) || !looks_like_formula(text, parameters_)) return;
  try {
    double value = value_of(text);
    constexpr double rounding = 1e-9;
    const bool is_whole =
        key.kind == KeyKind::whole || (key.kind == KeyKind::interval && unit.empty());
    if (is_whole && std::abs(value - std::round(value)) <= rounding * std::abs(value))
      value = std::round(value);
    node.formula = node.text;
    node.text = number_text(value) + unit;
    node.is_quoted = false;
  } catch (const CaseError& error) {
    node.trouble = fmt::format("; {}", error.what());
  }
}

/// The formula with numbers instead of the names of parameters.
std::string CaseFormulas::with_numbers(const std::string& formula) {
  std::string text;
  for_each_word(formula, [&](std::string_view word, bool is_name, bool is_function) {
    const auto found = std::ranges::find(parameters_, word, &ParameterCase::name);
    if (!is_name || is_function || found == parameters_.end()) {
      text += word;
      return;
    }
    are_used_[found - parameters_.begin()] = true;
    text += fmt::format("({})", number_text(found->value));
  });
  return text;
}

/// Throws CaseError where it is no finite number.
double CaseFormulas::value_of(const std::string& formula) {
  std::vector<std::string> known{"pi", "e"};
  for (const ParameterCase& parameter : parameters_) known.push_back(parameter.name);
  for_each_word(formula, [&](std::string_view word, bool is_name, bool is_function) {
    const std::string name(word);
    if (!is_name || is_function || is_constant_name(name) || std::ranges::count(known, name) > 0)
      return;
    throw CaseError(
        fmt::format("the formula of a number knows {} and functions such as sqrt, but "
                    "not {}{}",
                    fmt::join(known, ", "),
                    name,
                    or_nearest(name, known)));
  });
  const double value = Expression(with_numbers(formula))(0, 0, 0, 0);
  if (!std::isfinite(value)) throw CaseError("the formula has no finite value");
  return value;
}

/// Takes the formulas that a complete case tells beside its numbers; not where a number is another
/// one by now.
void CaseFormulas::take_recorded(CaseNode& root, const std::string& yaml) {
  if (yaml.find(equals) == std::string::npos) return;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t sign = line.find(equals);
    if (!line.starts_with(comment) || sign == std::string::npos) continue;
    const std::string path = line.substr(comment.size(), sign - comment.size());
    const Key* const key = find_key(path.substr(0, path.find('[')));
    CaseNode* const node = key == nullptr ? nullptr : node_at(root, path);
    if (node == nullptr || !node->is_scalar() || node->position.source > 0 ||
        !node->formula.empty())
      continue;
    CaseNode as_formula = *node;
    as_formula.text = line.substr(sign + equals.size());
    const std::vector<bool> were_used = are_used_;
    const std::size_t count = formulas_.size();
    evaluate(as_formula, *key, path);
    if (as_formula.text == node->text) {
      node->formula = as_formula.formula;
    } else {
      formulas_.resize(count);
      are_used_ = were_used;
    }
  }
}

std::string lines_of_formulas(const Case& resolved, std::string_view section) {
  std::string lines;
  for (const auto& [path, formula] : resolved.formulas) {
    if (path.substr(0, path.find('.')) == section)
      lines += fmt::format("{}{}{}{}\n", comment, path, equals, formula);
  }
  return lines;
}

}  // namespace dns
