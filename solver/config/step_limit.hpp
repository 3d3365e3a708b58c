/// The longest stable step of time scheme runge_kutta.
#pragma once

#include <array>

#include "solver/config/case.hpp"

namespace dns {

/// What limits explicit steps of a case. Waves of the largest frequencies, for differences of order
/// p: advection n/h, n = max of sin(t) P(s^2) Q(s^2) over angles t (solver/numerics/
/// staggered_orders.hpp); diffusion l nu/h^2, l = (2 P(1))^2. The scheme is stable where both lie
/// in its region, here in the ellipse
///
///   ((n rate + frequency) dt/1.732)^2 + ((l nu SUM 1/h^2 + R) dt/2.51)^2 <= 1
///
/// with rate = max of |u|/hx + |v|/hy + |w|/hz, the frequency N of buoyancy waves, the sum over
/// axes of explicit diffusion, nu the larger of the diffusivities of momentum and heat and R the
/// largest rate at which sources draw the flow to targets. n and l are those of the highest order.
class StepLimit {
 public:
  explicit StepLimit(const Case& resolved);

  /// 0.95 of the largest dt [L/U]; infinite where nothing limits it. rates [U/L].
  [[nodiscard]] double step(double rate, double frequency, double source_rate) const;
  /// The largest CFL number where advection alone limits the step.
  [[nodiscard]] double cfl() const;
  /// The largest step where diffusion alone limits it [L/U]; infinite where none is explicit.
  [[nodiscard]] double diffusive_step() const { return step(0, 0, 0); }
  /// The rate [U/L] below which diffusion, not a CFL number, limits the step; 0: never.
  [[nodiscard]] double rate_limited_by_diffusion(double cfl_number) const;

 private:
  double advection_;  // n
  double diffusion_;  // l nu SUM 1/h^2 [U/L]
};

/// Whether diffusion along an axis is implicit in time scheme runge_kutta: where it has walls or
/// stretched cells.
[[nodiscard]] inline bool has_implicit_diffusion(const Case& resolved, int axis) {
  return !resolved.is_periodic(axis) || resolved.is_stretched(axis);
}

}  // namespace dns
