/// The length of the next time step, given or from a CFL number.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "solver/config/case.hpp"

namespace dns {

/// By how much a step may be longer than the one before.
inline constexpr double most_growth_of_steps = 2;

/// The time step where time.cfl is given [L/U]:
///
///   dt = cfl / rate,  rate = max over the grid of |u|/hx + |v|/hy + |w|/hz  [U/L],
///
/// at most `limit` and time.step, and at most twice the previous step (`last_step`; 0: none yet).
/// If the rate is not known (empty) the step stays what it was. In a fluid at rest (rate 0) a
/// thousandth of time.end, or of 1 without it, takes the place of cfl / rate.
[[nodiscard]] inline double next_time_step(const TimeCase& control,
                                           std::optional<double> rate,
                                           double last_step,
                                           double limit = std::numeric_limits<double>::infinity()) {
  constexpr double part_of_run = 1e-3;
  double dt = last_step;
  if (rate) {
    dt = *rate > 0 ? *control.cfl / *rate : part_of_run * control.end.value_or(1);
    if (last_step > 0) dt = std::min(dt, most_growth_of_steps * last_step);
    dt = std::min({dt, limit, control.step});
  }
  return dt;
}

}  // namespace dns
