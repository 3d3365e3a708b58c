/// Comparison of staggered flows with functions of space.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing {

inline FlowState viewing_copy(const Simulation& simulation) {
  FlowState state = simulation.allocate_state(CopyPurpose::viewing);
  simulation.copy_state(state, CopyPurpose::viewing);
  return state;
}

/// The values of a field in double. Throws std::out_of_range naming a field that is missing.
inline std::vector<double> values_of(const FlowState& state, std::string_view name) {
  const auto found = std::ranges::find(state.fields, name, &HostField::name);
  if (found != state.fields.end()) return in_doubles(*found);
  std::string names;
  for (const HostField& field : state.fields) names += " " + field.name();
  throw std::out_of_range(fmt::format("no field {} in the flow, but:{}", name, names));
}

using Function = std::function<double(double x, double y, double z)>;

/// A function at all cell centres, x fastest.
inline std::vector<double> at_centres(const Case& resolved, const Function& function) {
  const StaggeredGrid grid = staggered_grid(resolved);
  std::vector<double> values;
  for (int k = 0; k < grid[2].cells(); ++k) {
    for (int j = 0; j < grid[1].cells(); ++j) {
      for (int i = 0; i < grid[0].cells(); ++i) {
        values.push_back(function(grid[0].centre(i), grid[1].centre(j), grid[2].centre(k)));
      }
    }
  }
  return values;
}

/// Volumes of all cells over that of the box.
inline std::vector<double> volume_shares(const Case& resolved) {
  const StaggeredGrid grid = staggered_grid(resolved);
  const double volume = grid[0].length() * grid[1].length() * grid[2].length();
  std::vector<double> shares;
  for (int k = 0; k < grid[2].cells(); ++k) {
    for (int j = 0; j < grid[1].cells(); ++j) {
      for (int i = 0; i < grid[0].cells(); ++i) {
        shares.push_back(grid[0].width(i) * grid[1].width(j) * grid[2].width(k) / volume);
      }
    }
  }
  return shares;
}

/// Root of the mean square of a - b over the volume; without the mean of a - b where only
/// differences of a quantity count.
enum class Mean { counts, is_removed };
inline double distance(const Case& resolved,
                       const std::vector<double>& a,
                       const std::vector<double>& b,
                       Mean mean = Mean::counts) {
  const std::vector<double> shares = volume_shares(resolved);
  double offset = 0;
  if (mean == Mean::is_removed) {
    for (std::size_t n = 0; n < a.size(); ++n) offset += shares[n] * (a[n] - b[n]);
  }
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    sum += shares[n] * (a[n] - b[n] - offset) * (a[n] - b[n] - offset);
  }
  return std::sqrt(sum);
}

inline double figure(Simulation& simulation, const std::string& name) {
  const auto names = simulation.diagnostic_names();
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return simulation.diagnostics().others.at(found - names.begin());
}

inline double order_of(double coarse, double fine) {
  return std::log2(coarse / fine);
}

}  // namespace dns::testing
