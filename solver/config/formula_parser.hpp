/// From the text of a formula to its program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/numerics/formula.hpp"

namespace dns {

/// What a formula computes, and which variables its text names.
struct ParsedFormula {
  std::vector<Instruction> program;
  bool uses_space = false;
  bool uses_time = false;
};

/// Operators, from the loosest to the tightest: `a ? b : c`; || and &&; < > <= >= == !=; + -; * /
/// and signs; ^, which is taken from the right. Comparisons in a chain, a < b < c, are refused:
/// they would compare the value of the first one. Constants are folded, and k*x + c of a variable
/// and constants stays of this form: 2*pi*x/3 is x times one constant. x^2, x^3 and x^4 of a
/// variable are products. A name of `fields` is the value of that field; it uses space. Throws
/// CaseError with the position, counted from 1, where the text is no formula.
[[nodiscard]] ParsedFormula parse_formula(std::string_view text,
                                          std::span<const std::string> fields = {});

/// Whether formulas have a constant, or a constant, variable or function, of this name.
[[nodiscard]] bool is_constant_name(std::string_view name);
[[nodiscard]] bool is_name_in_formulas(std::string_view name);

}  // namespace dns
