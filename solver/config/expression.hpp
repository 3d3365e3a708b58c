/// Formulas of x, y, z, t, and of fields of the flow, in a case file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dns {

struct Instruction;
struct ParsedFormula;

/// A real function of x, y, z, t given as text, such as "1-y^2" or "sin(pi*x)*exp(-t)"; constants
/// `pi` and `e`. Copies are cheap; threads may share one.
class Expression {
 public:
  /// The constant 0.
  Expression();
  explicit Expression(double constant);
  /// Throws CaseError (one message, without file and line) when `text` is not a formula or uses
  /// a name other than x, y, z, t and those of `fields`, of which the program alone has the values.
  explicit Expression(const std::string& text, std::span<const std::string> fields = {});

  /// The formula less a number.
  [[nodiscard]] Expression less(double number) const;

  /// The value at a point, fields being 0.
  [[nodiscard]] double operator()(double x, double y, double z, double t) const;

  /// Whether the text of the formula names none of x, y, z, t and no field.
  [[nodiscard]] bool is_constant() const;
  /// Whether the formula is the constant 0.
  [[nodiscard]] bool is_zero() const;
  [[nodiscard]] bool depends_on_time() const;
  /// As given; a number is written so that it reads back to the same double.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The program that computes it (solver/numerics/formula.hpp), and how many instructions it has.
  [[nodiscard]] const std::vector<Instruction>& program() const;
  [[nodiscard]] int instructions() const;

 private:
  std::string text_;
  std::shared_ptr<const ParsedFormula> parsed_;
};

}  // namespace dns
