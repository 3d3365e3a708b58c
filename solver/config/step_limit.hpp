/// The longest stable step of a case of time scheme runge_kutta.
#pragma once

#include "solver/config/case.hpp"
#include "solver/numerics/stable_step.hpp"

namespace dns {

/// Whether diffusion along an axis is implicit in time scheme runge_kutta: where it has walls or
/// stretched cells.
[[nodiscard]] inline bool has_implicit_diffusion(const Case& resolved, int axis) {
  return !resolved.is_periodic(axis) || resolved.is_stretched(axis);
}

[[nodiscard]] StepLimit step_limit(const Case& resolved);

}  // namespace dns
