#include "solver/config/expression.hpp"

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <numbers>
#include <utility>

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

/// The name that `token` starts with.
std::string leading_name(const std::string& token) {
  std::size_t length = 0;
  while (length < token.size() &&
         (std::isalnum(static_cast<unsigned char>(token[length])) != 0 || token[length] == '_')) {
    ++length;
  }
  return token.substr(0, length);
}

std::string reason_of(const mu::ParserError& error, const std::string& text) {
  const std::string name = leading_name(error.GetToken());
  const bool is_name = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && is_name) {
    return "unknown name " + name + " at position " + std::to_string(error.GetPos() + 1) +
           "; known are x, y, z, t, pi, e and functions such as sin, exp, sqrt";
  }
  std::string message = replaced_position(error.GetMsg(), error.GetPos(), text.size());
  while (!message.empty() && message.back() == '.') message.pop_back();
  if (!message.empty()) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

/// muParser would take "x = 1" for an assignment and change its variable.
std::size_t position_of_assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool is_comparison =
        (i > 0 && std::string("<>!=").find(text[i - 1]) != std::string::npos) ||
        (i + 1 < text.size() && text[i + 1] == '=');
    if (!is_comparison) return i + 1;
  }
  return 0;
}

void refuse_what_is_no_formula(const std::string& text) {
  if (trimmed(text).empty()) throw CaseError("it is empty");
  if (const std::size_t position = position_of_assignment(text); position > 0) {
    throw CaseError("an assignment at position " + std::to_string(position) +
                    " (to compare, write ==)");
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
  refuse_what_is_no_formula(text);
  try {
    parser_ = std::make_unique<Parser>(text);
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
      parser_(other.parser_ ? std::make_unique<Parser>(other.text_) : nullptr) {}

Expression::Expression(Expression&& other) noexcept = default;

Expression& Expression::operator=(const Expression& other) {
  if (this != &other) *this = Expression(other);
  return *this;
}

Expression& Expression::operator=(Expression&& other) noexcept = default;

Expression::~Expression() = default;

double Expression::operator()(double x, double y, double z, double t) const {
  if (!parser_) return constant_;
  parser_->x = x;
  parser_->y = y;
  parser_->z = z;
  parser_->t = t;
  return parser_->formula.Eval();
}

bool Expression::is_constant() const {
  return !uses_space_ && !uses_time_;
}

bool Expression::is_zero() const {
  return is_constant() && constant_ == 0;
}

bool Expression::depends_on_time() const {
  return uses_time_;
}

const std::string& Expression::text() const {
  return text_;
}

}  // namespace dns
