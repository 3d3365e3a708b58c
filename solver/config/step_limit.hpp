/// The longest stable step of a case of time scheme runge_kutta.
#pragma once

#include "solver/config/case.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/numerics/stable_step.hpp"

namespace dns {

/// Whether diffusion along an axis is implicit in time scheme runge_kutta: where it has walls,
/// planes of symmetry or stretched cells, and not differences above order 2 that are the same
/// everywhere.
[[nodiscard]] inline bool has_implicit_diffusion(const Case& resolved, int axis) {
  return (resolved.accuracy.order[axis] == 2 || has_rows_across_walls(resolved, axis)) &&
         (!resolved.is_periodic(axis) || resolved.is_stretched(axis));
}

[[nodiscard]] StepLimit step_limit(const Case& resolved);

}  // namespace dns
