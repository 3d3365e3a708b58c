/// Names of sums and averages.
#pragma once

#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// Letters of variables: u, v, w, T, p, by their numbers in averages. Scalars besides T follow with
/// their own names.
inline constexpr std::string_view variable_letters = "uvwTp";
inline constexpr int first_named_scalar = static_cast<int>(variable_letters.size());

[[nodiscard]] inline std::string symbol_in_averages(const Case& resolved, int variable) {
  return variable < first_named_scalar ? std::string(1, variable_letters[variable])
                                       : resolved.scalars[variable - first_named_scalar].name;
}

/// The product of two variables: uv, TT; u_salt, salt_salt.
[[nodiscard]] inline std::string name_of_product(const std::string& one, const std::string& other) {
  const auto is_letter = [](const std::string& symbol) {
    return symbol.size() == 1 && variable_letters.find(symbol) != std::string_view::npos;
  };
  return one + (is_letter(one) && is_letter(other) ? "" : "_") + other;
}
/// uuu, salt_salt_salt.
[[nodiscard]] inline std::string name_of_power(const std::string& symbol, std::size_t order) {
  const std::string square = name_of_product(symbol, symbol);
  std::string name = symbol;
  for (std::size_t n = 1; n < order; ++n) name += square.substr(symbol.size());
  return name;
}

/// The share of the fluid (fluid_share_name) where a variable is, not at cells.
[[nodiscard]] inline std::string share_name_of(const std::string& symbol) {
  return std::string(fluid_share_name) + "_" + symbol;
}

}  // namespace dns
