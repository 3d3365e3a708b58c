/// The length of the next time step, given or from a CFL number.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solver/config/case.hpp"

namespace dns {

/// The time step that starts at `time` [L/U] where time.cfl is given:
///
///   dt = cfl / rate,  rate = max over the grid of |u|/hx + |v|/hy + |w|/hz  [U/L],
///
/// at most `limit` and time.step, and at most twice the previous step (`last_step`; 0: none yet).
/// If the rate is not known (empty) the step stays what it was. In a fluid at rest (rate 0) a
/// thousandth of time.end, or of 1 without it, takes the place of cfl / rate. When fewer than 10
/// steps remain to time.end, the remaining time is divided into equal steps.
[[nodiscard]] inline double next_time_step(const TimeCase& control,
                                           double time,
                                           std::optional<double> rate,
                                           double last_step,
                                           double limit = std::numeric_limits<double>::infinity()) {
  constexpr double most_growth = 2;
  constexpr double part_of_run = 1e-3;
  double dt = last_step;
  if (rate) {
    dt = *rate > 0 ? *control.cfl / *rate : part_of_run * control.end.value_or(1);
    if (last_step > 0) dt = std::min(dt, most_growth * last_step);
    dt = std::min({dt, limit, control.step});
  }
  if (control.end && *control.end > time) {
    const double left = *control.end - time;
    constexpr double few_steps = 10;
    if (left < few_steps * dt) dt = left / std::ceil(left / dt * (1 - 1e-12));
  }
  return dt;
}

}  // namespace dns
