#include "solver/config/formula_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <numbers>
#include <string>
#include <system_error>
#include <utility>

#include "solver/config/formula_operand.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";
constexpr std::string_view decimal_digits = "0123456789";
constexpr std::string_view of_names =
    "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

struct BinaryOperator {
  std::string_view symbol;
  int level;  // a higher one binds tighter
  Operation operation;
};
constexpr int levels = 5;
constexpr int comparisons = 2;  // the level of those
constexpr std::array operators{BinaryOperator{"||", 0, Operation::either},
                               BinaryOperator{"&&", 1, Operation::both},
                               BinaryOperator{"<=", 2, Operation::less_or_equal},
                               BinaryOperator{">=", 2, Operation::greater_or_equal},
                               BinaryOperator{"!=", 2, Operation::not_equal},
                               BinaryOperator{"==", 2, Operation::equal},
                               BinaryOperator{"<", 2, Operation::less},
                               BinaryOperator{">", 2, Operation::greater},
                               BinaryOperator{"+", 3, Operation::add},
                               BinaryOperator{"-", 3, Operation::subtract},
                               BinaryOperator{"*", 4, Operation::multiply},
                               BinaryOperator{"/", 4, Operation::divide},
                               BinaryOperator{"^", levels, Operation::power}};

/// Operations of two values may be functions of any number; `avg` divides by that, too.
struct Function {
  std::string_view name;
  Operation operation;
  bool takes_any_number = false;
};
constexpr std::array functions{
    Function{"sin", Operation::sin},       Function{"cos", Operation::cos},
    Function{"tan", Operation::tan},       Function{"asin", Operation::asin},
    Function{"acos", Operation::acos},     Function{"atan", Operation::atan},
    Function{"atan2", Operation::atan2},   Function{"sinh", Operation::sinh},
    Function{"cosh", Operation::cosh},     Function{"tanh", Operation::tanh},
    Function{"asinh", Operation::asinh},   Function{"acosh", Operation::acosh},
    Function{"atanh", Operation::atanh},   Function{"log2", Operation::log2},
    Function{"log10", Operation::log10},   Function{"log", Operation::log},
    Function{"ln", Operation::log},        Function{"exp", Operation::exp},
    Function{"sqrt", Operation::sqrt},     Function{"sign", Operation::sign},
    Function{"rint", Operation::rint},     Function{"abs", Operation::abs},
    Function{"sum", Operation::add, true}, Function{"avg", Operation::add, true},
    Function{"min", Operation::min, true}, Function{"max", Operation::max, true}};

constexpr std::array<std::pair<std::string_view, Operation>, 4> variables{
    {{"x", Operation::x}, {"y", Operation::y}, {"z", Operation::z}, {"t", Operation::t}}};
constexpr std::array<std::pair<std::string_view, double>, 4> constants{{{"pi", std::numbers::pi},
                                                                        {"e", std::numbers::e},
                                                                        {"_pi", std::numbers::pi},
                                                                        {"_e", std::numbers::e}}};

class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::span<const std::string> fields)
      : text_(text), fields_(fields) {}

  ParsedFormula whole() {
    FormulaOperand all = choice();
    if (!rest().empty()) fail_here();
    if (all = std::move(all).compiled(); all.depth > deepest_stack) {
      throw CaseError(
          fmt::format("more than {} values are needed at once to compute it", deepest_stack));
    }
    parsed_.program = std::move(all.program);
    return std::move(parsed_);
  }

 private:
  /// What is open at the same time: parentheses, signs, exponents, choices.
  class Nesting {
   public:
    explicit Nesting(FormulaParser& parser) : depth_(parser.nesting_) {
      constexpr int deepest = 200;
      if (++depth_ > deepest) {
        throw CaseError(
            fmt::format("it is nested too deeply at position {}", parser.position_ + 1));
      }
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --depth_; }

   private:
    int& depth_;
  };

  /// condition ? one : other
  FormulaOperand choice() {
    const Nesting nesting(*this);
    FormulaOperand condition = binary(0);
    if (!take("?")) return condition;
    FormulaOperand then = choice();
    if (!take(":")) fail_here();
    FormulaOperand otherwise = choice();
    return applied(Operation::choose,
                   {std::move(otherwise), std::move(then), std::move(condition)});
  }

  FormulaOperand binary(int level) {
    if (level == levels) return with_sign();
    const std::size_t begin = next_position();
    FormulaOperand left = binary(level + 1);
    while (const BinaryOperator* const next = next_operator(level)) {
      position_ += next->symbol.size();
      const std::size_t middle = next_position();
      FormulaOperand right = binary(level + 1);
      if (level == comparisons && next_operator(level) != nullptr) refuse_chain(begin, middle);
      left = applied(next->operation, {std::move(left), std::move(right)});
    }
    return left;
  }

  /// Throws CaseError for a < b < c, where a begins at `begin`, b at `middle`, and "< c" comes
  /// next.
  [[noreturn]] void refuse_chain(std::size_t begin, std::size_t middle) {
    constexpr std::size_t longest = 100;
    const std::size_t position = next_position() + 1;
    std::string right_form = text_between(begin, position_);
    while (const BinaryOperator* const next = next_operator(comparisons)) {
      right_form += " && " + text_between(middle, position_);
      position_ += next->symbol.size();
      middle = next_position();
      static_cast<void>(binary(comparisons + 1));
      right_form += fmt::format(" {} {}", next->symbol, text_between(middle, position_));
    }
    if (right_form.size() > longest) right_form = "a < b && b < c";
    throw CaseError(
        fmt::format("a chain of comparisons at position {}: write {}, or set parentheses",
                    position,
                    right_form));
  }

  /// One sign at most.
  FormulaOperand with_sign() {
    const Nesting nesting(*this);
    if (take("-")) return applied(Operation::negate, {power()});
    static_cast<void>(take("+"));
    return power();
  }

  FormulaOperand power() {
    FormulaOperand base = value();
    if (!take("^")) return base;
    FormulaOperand exponent = with_sign();
    return applied(Operation::power, {std::move(base), std::move(exponent)});
  }

  FormulaOperand value() {
    if (take("(")) {
      FormulaOperand inside = choice();
      close_parenthesis();
      return inside;
    }
    const std::string_view text = rest();
    if (text.empty()) fail_here();
    if (decimal_digits.find(text[0]) != std::string_view::npos || text[0] == '.') return number();
    const std::string_view name = name_here();
    if (name.empty()) fail_here();
    const auto is_it = [&](const auto& named) { return std::get<0>(named) == name; };
    if (const auto field = std::ranges::find(fields_, name); field != fields_.end()) {
      position_ += name.size();
      parsed_.uses_space = true;
      return variable(value_of_field(static_cast<int>(field - fields_.begin())));
    }
    if (const auto* const found = std::ranges::find_if(constants, is_it);
        found != constants.end()) {
      position_ += name.size();
      return FormulaOperand::of(found->second);
    }
    if (const auto* const found = std::ranges::find_if(variables, is_it);
        found != variables.end()) {
      position_ += name.size();
      (name == "t" ? parsed_.uses_time : parsed_.uses_space) = true;
      return variable(found->second);
    }
    const auto* const function = std::ranges::find(functions, name, &Function::name);
    if (function == functions.end() || !text.substr(name.size()).starts_with('(')) fail_here();
    return value_of_function(*function);
  }

  static FormulaOperand variable(Operation variable) {
    return {.kind = FormulaOperand::Kind::variable, .variable = variable, .factor = 1};
  }

  FormulaOperand number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range)
      throw CaseError(fmt::format("the number at position {} is out of range", position_ + 1));
    if (error != std::errc()) fail_here();
    position_ = end - text_.data();
    return FormulaOperand::of(value);
  }

  FormulaOperand value_of_function(const Function& function) {
    const std::size_t begin = position_;
    position_ += function.name.size() + 1;
    std::vector<FormulaOperand> operands;
    if (!take(")")) {
      do {
        operands.push_back(choice());
      } while (take(","));
      close_parenthesis();
    }
    const auto count = static_cast<int>(operands.size());
    const int needed = function.takes_any_number ? 1 : operands_of(function.operation);
    if (count < needed || (count > needed && !function.takes_any_number)) {
      throw CaseError(fmt::format("function {} at position {} takes {}{} value{}, not {}",
                                  function.name,
                                  begin + 1,
                                  needed,
                                  function.takes_any_number ? " or more" : "",
                                  needed == 1 && !function.takes_any_number ? "" : "s",
                                  count));
    }
    if (!function.takes_any_number) {
      FormulaOperands all;
      std::ranges::move(operands, all.begin());
      return applied(function.operation, std::move(all));
    }
    FormulaOperand all = std::move(operands[0]);
    for (std::size_t n = 1; n < operands.size(); ++n)
      all = applied(function.operation, {std::move(all), std::move(operands[n])});
    return function.name == "avg"
               ? applied(Operation::divide, {std::move(all), FormulaOperand::of(count)})
               : all;
  }

  /// What is left, without the blanks before it.
  std::string_view rest() {
    position_ = std::min(text_.find_first_not_of(blanks, position_), text_.size());
    return text_.substr(position_);
  }
  bool take(std::string_view symbol) {
    if (!rest().starts_with(symbol)) return false;
    position_ += symbol.size();
    return true;
  }
  std::size_t next_position() { return text_.size() - rest().size(); }
  /// A part of the formula on one line.
  [[nodiscard]] std::string text_between(std::size_t begin, std::size_t end) const {
    std::string part = trimmed(text_.substr(begin, end - begin));
    std::ranges::replace_if(
        part, [](char c) { return blanks.find(c) != std::string_view::npos; }, ' ');
    return part;
  }
  /// The next operator, if it is of this level.
  const BinaryOperator* next_operator(int level) {
    const BinaryOperator* const next = next_operator();
    return next != nullptr && next->level == level ? next : nullptr;
  }
  const BinaryOperator* next_operator() {
    const std::string_view text = rest();
    const auto* const found = std::ranges::find_if(
        operators, [&](const BinaryOperator& each) { return text.starts_with(each.symbol); });
    return found == operators.end() ? nullptr : found;
  }
  std::string_view name_here() {
    const std::string_view text = rest();
    return text.substr(0, text.find_first_not_of(of_names));
  }
  void close_parenthesis() {
    if (rest().empty())
      throw CaseError(fmt::format("missing parenthesis \")\" at position {}", position_ + 1));
    if (!take(")")) fail_here();
  }

  /// What comes next cannot be here.
  [[noreturn]] void fail_here() {
    const std::string_view text = rest();
    const std::size_t position = position_ + 1;
    if (text.empty())
      throw CaseError(fmt::format("unexpected end of expression at position {}", position));
    if (text.starts_with('=') && !text.starts_with("=="))
      throw CaseError(fmt::format("an assignment at position {} (to compare, write ==)", position));
    if (const BinaryOperator* const found = next_operator()) {
      throw CaseError(
          fmt::format("unexpected operator \"{}\" found at position {}", found->symbol, position));
    }
    const std::string_view name = name_here();
    if (std::ranges::count(functions, name, &Function::name) > 0) {
      throw CaseError(
          fmt::format("function {} at position {}: its values stand in parentheses, without a "
                      "blank before them",
                      name,
                      position));
    }
    const auto is_it = [&](const auto& named) { return std::get<0>(named) == name; };
    const bool is_known =
        std::ranges::any_of(variables, is_it) || std::ranges::any_of(constants, is_it);
    if (!name.empty() && decimal_digits.find(name[0]) == std::string_view::npos && !is_known) {
      throw CaseError(
          fmt::format("unknown name {} at position {}; known are {}{}x, y, z, t, pi, e and "
                      "functions such as sin, exp, sqrt",
                      name,
                      position,
                      fmt::join(fields_, ", "),
                      fields_.empty() ? "" : ", "));
    }
    throw CaseError(fmt::format("unexpected \"{}\" found at position {}",
                                name.empty() ? text.substr(0, length_of_sign(text)) : name,
                                position));
  }

  /// Bytes of a character in UTF-8.
  static std::size_t length_of_sign(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
      ++length;
    return length;
  }

  std::string_view text_;
  std::span<const std::string> fields_;
  std::size_t position_ = 0;
  int nesting_ = 0;
  ParsedFormula parsed_;
};

}  // namespace

ParsedFormula parse_formula(std::string_view text, std::span<const std::string> fields) {
  return FormulaParser(text, fields).whole();
}

bool is_constant_name(std::string_view name) {
  return std::ranges::any_of(constants, [&](const auto& each) { return each.first == name; });
}

bool is_name_in_formulas(std::string_view name) {
  return is_constant_name(name) || std::ranges::count(functions, name, &Function::name) > 0 ||
         std::ranges::any_of(variables, [&](const auto& each) { return each.first == name; });
}

}  // namespace dns
