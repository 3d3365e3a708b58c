/// Averages of a flow, made of its sums.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// Whether an axis is not averaged over.
[[nodiscard]] bool is_kept(const Case& resolved, int axis);
/// Whether a face is a wall across such an axis, and gives no shear.
[[nodiscard]] bool has_wall_across_kept_axis(const Case& resolved, int face);

/// One average of statistics.h5.
struct Average {
  std::string name;
  Extents extents;  // one point along axes averaged over
  std::vector<double> values;
};

/// Means and central moments of sums of a case, see MeanFlow, and the means of its formulas;
/// dissipation is divided by the Reynolds number. Sums of budgets and spectra are left out.
/// Requires samples > 0. Throws IoError when a sum is missing.
std::vector<Average> averages_of(const StatisticsSums& statistics, const Case& resolved);

/// Friction velocity of the walls across the axes that are kept, but for those that give the shear:
/// square root of the mean magnitude of the shear stress nu |dV/dn| on them [U]; 0 without such
/// walls. Velocities of walls that are
/// formulas count as 0.
double friction_velocity(const std::vector<Average>& averages, const Case& resolved);

}  // namespace dns
