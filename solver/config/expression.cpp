#include "solver/config/expression.hpp"

#include <fmt/format.h>

#include "solver/config/formula_parser.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

std::shared_ptr<const ParsedFormula> parsed_constant(double constant) {
  return std::make_shared<ParsedFormula>(ParsedFormula{{{.constant = constant}}});
}

}  // namespace

Expression::Expression() : Expression(0.0) {}

Expression::Expression(double constant)
    : text_(number_text(constant)), parsed_(parsed_constant(constant)) {}

Expression::Expression(const std::string& text, std::span<const std::string> fields) : text_(text) {
  if (trimmed(text).empty()) throw CaseError("it is empty");
  const auto number = number_from(trimmed(text));
  parsed_ = number ? parsed_constant(*number)
                   : std::make_shared<const ParsedFormula>(parse_formula(text, fields));
}

Expression Expression::less(double number) const {
  if (is_constant()) return Expression(program().front().constant - number);
  return Expression(fmt::format("({})-({})", text_, number_text(number)));
}

double Expression::operator()(double x, double y, double z, double t) const {
  return value_of(program().data(), instructions(), x, y, z, t);
}

bool Expression::is_constant() const {
  return !parsed_->uses_space && !parsed_->uses_time;
}

bool Expression::is_zero() const {
  return is_constant() && program().front().constant == 0;
}

bool Expression::depends_on_time() const {
  return parsed_->uses_time;
}

const std::vector<Instruction>& Expression::program() const {
  return parsed_->program;
}

int Expression::instructions() const {
  return static_cast<int>(program().size());
}

}  // namespace dns
