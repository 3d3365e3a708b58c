/// Parts of a formula while it is parsed.
#pragma once

#include <array>
#include <vector>

#include "solver/numerics/formula.hpp"

namespace dns {

/// The part of a program that computes an operand. One of a simple kind is kept as numbers, and
/// becomes instructions where another operation needs it.
struct FormulaOperand {
  enum class Kind : unsigned char { constant, variable, linear, program };

  Kind kind = Kind::constant;
  Operation variable = Operation::constant;
  double factor = 0, offset = 0;       // simple: factor * variable + offset
  std::vector<Instruction> program{};  // not simple
  int depth = 0;                       // of the stack

  static FormulaOperand of(double value) { return {.offset = value}; }
  [[nodiscard]] bool is_constant() const { return kind == Kind::constant; }
  [[nodiscard]] bool is_variable() const { return kind == Kind::variable; }
  [[nodiscard]] bool is_linear() const { return kind == Kind::linear; }
  [[nodiscard]] bool is_program() const { return kind == Kind::program; }
  /// The operand as instructions.
  [[nodiscard]] FormulaOperand compiled() &&;
};

/// As many as an operation takes.
using FormulaOperands = std::array<FormulaOperand, 3>;

/// An operation of operands: a constant of constants; linear where operands of one variable make it
/// so; x^2, x^3, x^4 of a variable as products; else instructions.
[[nodiscard]] FormulaOperand applied(Operation operation, FormulaOperands operands);

}  // namespace dns
