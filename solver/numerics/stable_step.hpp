/// The longest stable step of time scheme runge_kutta.
#pragma once

#include <cmath>
#include <limits>

namespace dns {

/// What limits explicit steps. Waves of the largest frequencies, for differences of order p:
/// advection n/h, n = max of sin(t) P(s^2) Q(s^2) over angles t (solver/numerics/
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
  /// nu = `diffusivity` [U L], SUM 1/h^2 = `inverse_squares` [1/L^2].
  StepLimit(int highest_order, double diffusivity, double inverse_squares)
      : advection_(symbols_of(highest_order).advection),
        diffusion_(symbols_of(highest_order).diffusion * diffusivity * inverse_squares) {}

  /// 0.95 of the largest dt [L/U]; infinite where nothing limits it. rates [U/L].
  [[nodiscard]] double step(double rate, double frequency, double source_rate) const {
    const double imaginary = (advection_ * rate + frequency) / on_imaginary_axis;
    const double real = (diffusion_ + source_rate) / on_real_axis;
    const double both = std::hypot(imaginary, real);
    return both > 0 ? margin / both : std::numeric_limits<double>::infinity();
  }
  /// The largest CFL number where advection alone limits the step.
  [[nodiscard]] double cfl() const { return margin * on_imaginary_axis / advection_; }
  /// The largest step where diffusion alone limits it [L/U]; infinite where none is explicit.
  [[nodiscard]] double diffusive_step() const { return step(0, 0, 0); }
  /// The rate [U/L] below which diffusion, not a CFL number, limits the step; 0: never.
  [[nodiscard]] double rate_limited_by_diffusion(double cfl_number) const {
    if (cfl_number >= cfl()) return std::numeric_limits<double>::infinity();
    // cfl/rate = margin/sqrt((n rate/1.732)^2 + (diffusion/2.51)^2)
    const double square = margin * margin / (cfl_number * cfl_number) - std::pow(margin / cfl(), 2);
    return diffusion_ / on_real_axis / std::sqrt(square);
  }

 private:
  static constexpr double on_imaginary_axis = 1.732;  // of the region of stability: sqrt(3)
  static constexpr double on_real_axis = 2.51;
  static constexpr double margin = 0.95;

  struct Symbols {
    double advection, diffusion;  // n, l
  };
  static constexpr Symbols symbols_of(int order) {
    if (order == 4) return {1.4032, 5.4445};
    if (order == 6) return {1.6217, 6.1670};
    if (order == 8) return {1.7657, 6.6182};
    return {1, 4};
  }

  double advection_;  // n
  double diffusion_;  // l nu SUM 1/h^2 [U/L]
};

}  // namespace dns
