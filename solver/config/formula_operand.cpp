#include "solver/config/formula_operand.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace dns {

FormulaOperand FormulaOperand::compiled() && {
  if (is_program()) return std::move(*this);
  FormulaOperand result{.kind = Kind::program, .depth = 1};
  if (factor == 0) {
    result.program = {{.constant = offset}};
    return result;
  }
  result.program = {{variable}};
  const auto then = [&](Operation operation, double constant) {
    result.program.push_back({.constant = constant});
    result.program.push_back({operation});
    result.depth = 2;
  };
  if (factor != 1) then(Operation::multiply, factor);
  if (offset != 0) then(Operation::add, offset);
  return result;
}

namespace {

/// A program of all operands, one after the other, and the operation. Of operands that commute the
/// one that needs a deeper stack comes first.
FormulaOperand program_of(Operation operation, FormulaOperands operands) {
  const std::size_t count = operands_of(operation);
  for (std::size_t n = 0; n < count; ++n) operands.at(n) = std::move(operands.at(n)).compiled();
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && operands[1].depth > operands[0].depth) std::swap(operands[0], operands[1]);
  FormulaOperand result = std::move(operands[0]);
  for (std::size_t n = 1; n < count; ++n) {
    const FormulaOperand& next = operands.at(n);
    result.program.insert(result.program.end(), next.program.begin(), next.program.end());
    result.depth = std::max(result.depth, static_cast<int>(n) + next.depth);
  }
  result.program.push_back({operation});
  return result;
}

}  // namespace

FormulaOperand applied(Operation operation, FormulaOperands operands) {
  const int count = operands_of(operation);
  if (std::all_of(operands.begin(), operands.begin() + count, [](const FormulaOperand& operand) {
        return operand.is_constant();
      })) {
    const std::vector<Instruction> program = program_of(operation, std::move(operands)).program;
    return FormulaOperand::of(
        value_of(program.data(), static_cast<int>(program.size()), 0, 0, 0, 0));
  }
  if (count != 2) return program_of(operation, std::move(operands));
  FormulaOperand& a = operands[0];
  FormulaOperand& b = operands[1];
  const bool are_simple = !a.is_program() && !b.is_program();
  // Where factors overflow, the values may still be finite.
  const auto linear = [&](double factor, double offset) {
    if (!std::isfinite(factor) || !std::isfinite(offset))
      return program_of(operation, std::move(operands));
    return FormulaOperand{.kind = FormulaOperand::Kind::linear,
                          .variable = a.is_constant() ? b.variable : a.variable,
                          .factor = factor,
                          .offset = offset};
  };
  if (operation == Operation::add || operation == Operation::subtract) {
    const bool stays_linear =
        are_simple && (a.is_constant() || b.is_constant() || a.variable == b.variable);
    if (!stays_linear) return program_of(operation, std::move(operands));
    const int sign = operation == Operation::add ? 1 : -1;
    return linear(a.factor + sign * b.factor, a.offset + sign * b.offset);
  }
  if (operation == Operation::multiply && are_simple && a.is_constant() != b.is_constant()) {
    const double by = a.is_constant() ? a.offset : b.offset;
    const FormulaOperand& scaled = a.is_constant() ? b : a;
    return linear(scaled.factor * by, scaled.offset != 0 ? scaled.offset * by : scaled.offset);
  }
  if (operation == Operation::divide && a.is_linear() && b.is_constant() && b.offset != 0)
    return linear(a.factor / b.offset, a.offset / b.offset);
  if (operation == Operation::power && a.is_variable() && b.is_constant()) {
    const double exponent = b.offset;
    if (exponent == 0) return FormulaOperand::of(1);
    if (exponent == 1) return a;
    if (exponent == 2 || exponent == 3 || exponent == 4) {
      FormulaOperand product = a;
      for (int n = 1; n < static_cast<int>(exponent); ++n)
        product = program_of(Operation::multiply, {std::move(product), a});
      return product;
    }
  }
  return program_of(operation, std::move(operands));
}

}  // namespace dns
