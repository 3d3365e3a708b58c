/// Names of sums and averages.
#pragma once

#include <string>
#include <string_view>

#include "solver/core/flow_state.hpp"

namespace dns {

/// Of variables: u, v, w, T, p, by their numbers.
inline constexpr std::string_view variable_letters = "uvwTp";

/// The share of the fluid (fluid_share_name) where a variable is, not at cells.
[[nodiscard]] inline std::string share_name_of(char variable) {
  return std::string(fluid_share_name) + "_" + variable;
}

}  // namespace dns
