/// Formulas of x, y, z, t and fields as programs for a stack of doubles: the value of each
/// operation, and of a whole program at a point.
#pragma once

#include <cmath>

#include "solver/core/host_device.hpp"

namespace dns {

/// What an instruction does: the first five, and `field` and all numbers behind it, put a value on
/// the stack, the others replace the last one, two or three values by one.
enum class Operation : unsigned short {
  constant,
  x,
  y,
  z,
  t,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exp,
  log,
  log2,
  log10,
  sqrt,
  abs,
  sign,
  rint,
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  less,
  greater,
  less_or_equal,
  greater_or_equal,
  equal,
  not_equal,
  both,
  either,
  choose,
  field  // number 0; that of field n is n behind it
};

[[nodiscard]] constexpr Operation value_of_field(int n) {
  return static_cast<Operation>(static_cast<int>(Operation::field) + n);
}

/// Values that an operation takes from the stack.
[[nodiscard]] constexpr int operands_of(Operation operation) {
  if (operation < Operation::negate || operation >= Operation::field) return 0;
  if (operation < Operation::add) return 1;
  return operation < Operation::choose ? 2 : 3;
}

/// A program is a list of these; its last value is that of the formula.
struct Instruction {
  Operation operation = Operation::constant;
  double constant = 0;
};

/// Values on the stack of a program at most.
inline constexpr int deepest_stack = 32;

/// A value of two operands, but NaN where one of them is.
[[nodiscard]] DNS_HD double where_defined(double a, double b, double value) {
  return std::isnan(a) ? a : std::isnan(b) ? b : value;
}

/// Calls use(f) with the function f of one, two or three doubles that an operation with operands
/// stands for. True is 1; what is not 0 is true. rint rounds halves to even. Where an operand is
/// undefined (NaN), so is the value, also of comparisons, min, max, sign and powers; but of
/// a ? b : c only the chosen one counts, a && b is 0 where one of them is 0, and a || b is 1 where
/// one of them is true.
template <class Use>
DNS_HD void with_operation(Operation operation, Use&& use) {
  switch (operation) {
    case Operation::negate:
      return use([](double a) { return -a; });
    case Operation::sin:
      return use([](double a) { return std::sin(a); });
    case Operation::cos:
      return use([](double a) { return std::cos(a); });
    case Operation::tan:
      return use([](double a) { return std::tan(a); });
    case Operation::asin:
      return use([](double a) { return std::asin(a); });
    case Operation::acos:
      return use([](double a) { return std::acos(a); });
    case Operation::atan:
      return use([](double a) { return std::atan(a); });
    case Operation::sinh:
      return use([](double a) { return std::sinh(a); });
    case Operation::cosh:
      return use([](double a) { return std::cosh(a); });
    case Operation::tanh:
      return use([](double a) { return std::tanh(a); });
    case Operation::asinh:
      return use([](double a) { return std::asinh(a); });
    case Operation::acosh:
      return use([](double a) { return std::acosh(a); });
    case Operation::atanh:
      return use([](double a) { return std::atanh(a); });
    case Operation::exp:
      return use([](double a) { return std::exp(a); });
    case Operation::log:
      return use([](double a) { return std::log(a); });
    case Operation::log2:
      return use([](double a) { return std::log2(a); });
    case Operation::log10:
      return use([](double a) { return std::log10(a); });
    case Operation::sqrt:
      return use([](double a) { return std::sqrt(a); });
    case Operation::abs:
      return use([](double a) { return std::fabs(a); });
    case Operation::sign:
      return use([](double a) { return std::isnan(a) ? a : double(a > 0) - double(a < 0); });
    case Operation::rint:
      return use([](double a) { return std::rint(a); });
    case Operation::add:
      return use([](double a, double b) { return a + b; });
    case Operation::subtract:
      return use([](double a, double b) { return a - b; });
    case Operation::multiply:
      return use([](double a, double b) { return a * b; });
    case Operation::divide:
      return use([](double a, double b) { return a / b; });
    case Operation::power:
      return use([](double a, double b) { return where_defined(a, b, std::pow(a, b)); });
    case Operation::atan2:
      return use([](double a, double b) { return std::atan2(a, b); });
    case Operation::min:
      return use([](double a, double b) { return where_defined(a, b, b < a ? b : a); });
    case Operation::max:
      return use([](double a, double b) { return where_defined(a, b, a < b ? b : a); });
    case Operation::less:
      return use([](double a, double b) { return where_defined(a, b, double(a < b)); });
    case Operation::greater:
      return use([](double a, double b) { return where_defined(a, b, double(a > b)); });
    case Operation::less_or_equal:
      return use([](double a, double b) { return where_defined(a, b, double(a <= b)); });
    case Operation::greater_or_equal:
      return use([](double a, double b) { return where_defined(a, b, double(a >= b)); });
    case Operation::equal:
      return use([](double a, double b) { return where_defined(a, b, double(a == b)); });
    case Operation::not_equal:
      return use([](double a, double b) { return where_defined(a, b, double(a != b)); });
    case Operation::both:
      return use([](double a, double b) { return a == 0 || b == 0 ? 0 : where_defined(a, b, 1); });
    case Operation::either:
      return use([](double a, double b) {
        return std::fabs(a) > 0 || std::fabs(b) > 0 ? 1 : where_defined(a, b, 0);
      });
    case Operation::choose:
      return use([](double otherwise, double then, double condition) {
        return std::isnan(condition) ? condition : condition != 0 ? then : otherwise;
      });
    default:
      return;
  }
}

/// The fields of a formula of x, y, z, t.
struct NoFields {
  DNS_HD double operator()(int /*n*/) const { return 0; }
};

/// The value of a program of so many instructions, at least one, at a point [L] and time [L/U],
/// where field n has the value fields(n). Requires that its stack holds deepest_stack values at
/// most.
template <class Fields = NoFields>
[[nodiscard]] DNS_HD double value_of(const Instruction* program,
                                     int instructions,
                                     double x,
                                     double y,
                                     double z,
                                     double t,
                                     const Fields& fields = {}) {
  double below[deepest_stack];  // what lies under the top of the stack
  double top = 0;
  int depth = 0;
  for (int n = 0; n < instructions; ++n) {
    const Operation operation = program[n].operation;
    if (operation < Operation::negate || operation >= Operation::field) {
      below[depth++] = top;
      top = operation == Operation::x   ? x
            : operation == Operation::y ? y
            : operation == Operation::z ? z
            : operation == Operation::t ? t
            : operation == Operation::constant
                ? program[n].constant
                : fields(static_cast<int>(operation) - static_cast<int>(Operation::field));
      continue;
    }
    with_operation(operation, [&](auto f) {
      if constexpr (requires { f(0.0); }) {
        top = f(top);
      } else if constexpr (requires { f(0.0, 0.0); }) {
        top = f(below[--depth], top);  // NOLINT(clang-analyzer-core.CallAndMessage): programs
      } else {
        depth -= 2;
        top = f(below[depth], below[depth + 1], top);  // NOLINT: have all operands
      }
    });
  }
  return top;
}

}  // namespace dns
