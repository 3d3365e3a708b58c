#include "solver/config/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <numbers>
#include <regex>

#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"

namespace dns {

/// muParser reads its variables through their addresses, so they are stored with it and never move.
struct Expression::Parser {
  explicit Parser(const std::string& text) {
    formula.DefineVar("x", &x);
    formula.DefineVar("y", &y);
    formula.DefineVar("z", &z);
    formula.DefineVar("t", &t);
    formula.DefineConst("pi", std::numbers::pi);
    formula.DefineConst("e", std::numbers::e);
    formula.SetExpr(text);
  }

  double x = 0, y = 0, z = 0, t = 0;
  mu::Parser formula;
};

namespace {

/// muParser counts positions from 0, and beyond the end one too far; people count from 1.
std::string replaced_position(std::string message, int position, std::size_t length) {
  const std::string from_zero = "position " + std::to_string(position);
  const std::size_t found = message.find(from_zero);
  if (position >= 0 && found != std::string::npos) {
    const std::size_t from_one = std::min(static_cast<std::size_t>(position), length) + 1;
    message.replace(found, from_zero.size(), "position " + std::to_string(from_one));
  }
  return message;
}

std::string reason_of(const mu::ParserError& error, const std::string& text) {
  constexpr const char* of_names =
      "0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const std::string& token = error.GetToken();
  const std::string name = token.substr(0, token.find_first_not_of(of_names));
  const bool is_name = name.find_first_not_of("0123456789") == 0;
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && is_name) {
    return fmt::format(
        "unknown name {} at position {}; known are x, y, z, t, pi, e and functions such as sin, "
        "exp, sqrt",
        name,
        error.GetPos() + 1);
  }
  std::string message = replaced_position(error.GetMsg(), error.GetPos(), text.size());
  message.erase(message.find_last_not_of('.') + 1);
  return lower_case(message.substr(0, 1)) +
         message.substr(std::min<std::size_t>(1, message.size()));
}

/// muParser would take "x = 1" for an assignment and change its variable.
void refuse_assignment(const std::string& text) {
  static const std::regex assignment("(^|[^<>!=])=(?!=)");
  std::smatch found;
  if (std::regex_search(text, found, assignment)) {
    throw CaseError(fmt::format("an assignment at position {} (to compare, write ==)",
                                found.position() + found.length()));
  }
}

}  // namespace

Expression::Expression() : Expression(0.0) {}

Expression::Expression(double constant) : text_(number_text(constant)), constant_(constant) {}

Expression::Expression(const std::string& text) : text_(text) {
  if (const auto number = number_from(trimmed(text))) {
    constant_ = *number;
    return;
  }
  if (trimmed(text).empty()) throw CaseError("it is empty");
  refuse_assignment(text);
  try {
    parser_ = std::make_shared<Parser>(text);
    for (const auto& [name, address] : parser_->formula.GetUsedVar()) {
      // GetUsedVar also lists names it does not know; Eval below refuses them.
      (name == "t" ? uses_time_ : uses_space_) = true;
    }
    constant_ = parser_->formula.Eval();
    if (parser_->formula.GetNumResults() != 1) throw CaseError("more than one value");
  } catch (const mu::ParserError& error) {
    throw CaseError(reason_of(error, text));
  }
  if (is_constant()) parser_.reset();
}

Expression::Expression(const Expression& other)
    : text_(other.text_),
      constant_(other.constant_),
      uses_space_(other.uses_space_),
      uses_time_(other.uses_time_),
      parser_(other.parser_ ? std::make_shared<Parser>(other.text_) : nullptr) {}

double Expression::operator()(double x, double y, double z, double t) const {
  if (!parser_) return constant_;
  parser_->x = x;
  parser_->y = y;
  parser_->z = z;
  parser_->t = t;
  return parser_->formula.Eval();
}

}  // namespace dns
