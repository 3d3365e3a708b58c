/// Formulas of x, y, z, t in a case file.
#pragma once

#include <memory>
#include <string>

namespace dns {

/// A real function of x, y, z, t given as text, such as "1-y^2" or "sin(pi*x)*exp(-t)".
/// Constants `pi` and `e`; the functions of muParser. Copies are cheap and share nothing mutable.
class Expression {
 public:
  /// The constant 0.
  Expression();
  explicit Expression(double constant);
  /// Throws CaseError (one message, without file and line) when `text` is not a formula or uses
  /// a name other than x, y, z, t.
  explicit Expression(const std::string& text);
  Expression(const Expression& other);
  Expression(Expression&& other) noexcept = default;
  Expression& operator=(const Expression& other) { return *this = Expression(other); }
  Expression& operator=(Expression&& other) noexcept = default;
  ~Expression() = default;

  /// The value at a point. One object may be used by one thread at a time: copy it per thread.
  [[nodiscard]] double operator()(double x, double y, double z, double t) const;

  /// It uses none of x, y, z, t.
  [[nodiscard]] bool is_constant() const { return !uses_space_ && !uses_time_; }
  /// It is the constant 0.
  [[nodiscard]] bool is_zero() const { return is_constant() && constant_ == 0; }
  [[nodiscard]] bool depends_on_time() const { return uses_time_; }
  /// As given; a number is written so that it reads back to the same double.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Parser;
  std::string text_;
  double constant_ = 0;
  bool uses_space_ = false;
  bool uses_time_ = false;
  std::shared_ptr<Parser> parser_;  // of this object alone; none for a constant
};

}  // namespace dns
