/// The sums that averages are made of.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/statistics/average_names.hpp"

namespace dns {

/// Names of the sums of powers of a variable, in the order of PowersSample::Sum.
[[nodiscard]] inline std::array<std::string, 4> power_names(const std::string& symbol) {
  return {symbol, name_of_power(symbol, 2), name_of_power(symbol, 3), name_of_power(symbol, 4)};
}
/// Names of the fluxes u s, v s, w s of a scalar.
[[nodiscard]] inline PerAxis<std::string> flux_names(const std::string& symbol) {
  return {name_of_product("u", symbol), name_of_product("v", symbol), name_of_product("w", symbol)};
}

/// The points of the sums of powers of a variable: all faces along its own axis (variable 0, 1, 2),
/// the cells along others and, of those that are interpolated, one more beyond them at each end.
struct PowerPoints {
  Box of_part;    // of this rank
  Extents whole;  // one point along axes averaged over

  PowerPoints(const Subdomain& part, const PerAxis<bool>& average, int variable);
};

/// The variables of which powers are summed, by their numbers in averages.
[[nodiscard]] std::vector<int> variables_in_averages(const Case& resolved);

/// Whether what changes the mean momentum is summed up: over planes between walls of order 4
/// (MomentumAcrossWalls in solver/numerics/statistics.hpp).
[[nodiscard]] bool balances_momentum(const Case& resolved);

/// The prefixes of the sums of a budget: of component v "budget_v_" at unknowns and, at the low
/// ends of control volumes along y, "budget_v_y_"; "budget_" at cells.
inline constexpr const char* budget_prefix = "budget_";
[[nodiscard]] std::string budget_prefix_of(int component);
[[nodiscard]] std::string budget_prefix_of(int component, int axis);

struct NamedSum {
  std::string name;
  Extents extents;          // of the whole box; one point along axes averaged over
  bool has_phases = false;  // whether it is summed by phase too
};

/// All sums of output.statistics, in the order in which checkpoints have them; none without it.
[[nodiscard]] std::vector<NamedSum> statistics_sums(const Case& resolved);

/// Values of all of them, and of those by phase.
[[nodiscard]] std::size_t values_in_sums(const Case& resolved);
[[nodiscard]] std::size_t values_in_phases(const Case& resolved);

/// The most points and sums that a profile has of a sample of so many cells; of spectra too.
[[nodiscard]] std::pair<std::size_t, int> largest_profile(const Case& resolved, Extents cells);

}  // namespace dns
