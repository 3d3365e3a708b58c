/// The time scheme of cases that name none.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// runge_kutta where an order is above 2, which implicit steps do not have, and where steps hold a
/// CFL number: at CFL 1 its error in time is a sixteenth to a fortieth of that of implicit steps in
/// four flows (docs/accuracy.md, "The time step"). Constant steps may be longer than explicit
/// diffusion allows, and global iterations belong to implicit steps.
[[nodiscard]] inline TimeScheme default_time_scheme(const Case& read) {
  const bool iterates = read.time.global_iterations > 1 || read.time.global_tolerance;
  const bool is_explicit = read.accuracy.is_high() || (read.time.cfl && !iterates);
  return is_explicit ? TimeScheme::runge_kutta : TimeScheme::implicit;
}

}  // namespace dns
