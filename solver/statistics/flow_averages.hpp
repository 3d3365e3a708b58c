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

/// Means and central moments of sums, see MeanFlow; dissipation is divided by the Reynolds number.
/// precision: that of the flow, for the skewness and flatness of what is round-off. quantities:
/// those whose means are among the sums, and wanted. Sums of budgets and spectra are left out.
/// Requires samples > 0. Throws IoError when a sum is missing.
std::vector<Average> averages_of(const StatisticsSums& statistics,
                                 double viscosity,
                                 Precision precision = Precision::double_precision,
                                 const std::vector<QuantityCase>& quantities = {});

/// Friction velocity of the walls across the axes that are kept, but for those that give the shear:
/// square root of the mean magnitude of the shear stress nu |dV/dn| on them [U]; 0 without such
/// walls. Velocities of walls that are
/// formulas count as 0.
double friction_velocity(const std::vector<Average>& averages, const Case& resolved);

}  // namespace dns
