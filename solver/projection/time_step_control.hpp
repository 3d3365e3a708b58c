/// How long the next time step is where a CFL number is held.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/config/case.hpp"

namespace dns {

/// The time step from `time` on [L/U]: that of the case, or with time.cfl
///
///   dt = cfl / rate,  rate = max over the grid of |u|/hx + |v|/hy + |w|/hz  [U/L],
///
/// at most time.step, and at most doubled from one step to the next (`last_step`; 0: none yet).
/// Where the rate is not known (empty) the step stays what it was. Before time.end the remaining
/// time is divided into equal steps, so that the last one meets it. In a fluid at rest without
/// time.step the first step is a thousandth of time.end, or of 1.
[[nodiscard]] inline double next_time_step(const TimeCase& control,
                                           double time,
                                           std::optional<double> rate,
                                           double last_step) {
  if (!control.cfl) return control.step;
  constexpr double most_growth = 2;
  constexpr double part_of_run = 1e-3;
  double dt = last_step;
  if (rate) {
    dt = *rate > 0 ? *control.cfl / *rate : part_of_run * control.end.value_or(1);
    if (last_step > 0) dt = std::min(dt, most_growth * last_step);
    dt = std::min(dt, control.step);
  }
  if (control.end && *control.end > time) {
    const double left = *control.end - time;
    constexpr double few_steps = 10;
    if (left < few_steps * dt) dt = left / std::ceil(left / dt * (1 - 1e-12));
  }
  return dt;
}

}  // namespace dns
