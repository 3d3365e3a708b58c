/// The longest stable step of a case of time scheme runge_kutta.
#pragma once

#include "solver/config/case.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/numerics/stable_step.hpp"

namespace dns {

/// Whether diffusion along an axis is implicit in time scheme runge_kutta: where it has boundaries
/// or stretched cells, and not differences above order 2 that are the same everywhere, unless
/// time.explicit_diffusion has it.
[[nodiscard]] inline bool has_implicit_diffusion(const Case& resolved, int axis) {
  return (resolved.accuracy.order[axis] == 2 || has_rows_across_walls(resolved, axis)) &&
         (!resolved.is_periodic(axis) || resolved.is_stretched(axis)) &&
         !resolved.time.explicit_diffusion[axis];
}
/// Whether time.explicit_diffusion may have an axis.
[[nodiscard]] inline bool may_have_explicit_diffusion(const Case& resolved, int axis) {
  return !resolved.is_stretched(axis) && !has_rows_across_walls(resolved, axis);
}

[[nodiscard]] StepLimit step_limit(const Case& resolved);

}  // namespace dns
