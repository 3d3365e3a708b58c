/// The longest stable step of time scheme runge_kutta.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "solver/core/index.hpp"

namespace dns {

/// What limits explicit steps. Waves of the largest frequencies, for differences of order p:
/// advection n/h, n = max of sin(t) P(s^2) Q(s^2) over angles t (solver/numerics/
/// staggered_orders.hpp); diffusion l nu/h^2, l = (2 P(1))^2. The scheme is stable where both lie
/// in its region, here in the ellipse
///
///   ((wave rate + frequency) dt/1.732)^2 + ((nu SUM l/h^2 + R) dt/2.51)^2 <= 1
///
/// with wave rate = max of n |u|/hx + n |v|/hy + n |w|/hz, n and l of the order along each axis,
/// the frequency N of buoyancy waves plus 2 |Omega| of a frame that rotates, the sum over axes of
/// explicit diffusion, nu the larger of the diffusivities of momentum and heat and R the largest
/// rate at which sources draw the flow to targets.
class StepLimit {
 public:
  /// nu = `diffusivity` [U L]; 1/h^2 = `inverse_squares` [1/L^2], 0 along axes without explicit
  /// diffusion.
  StepLimit(const PerAxis<int>& orders,
            double diffusivity,
            const PerAxis<double>& inverse_squares) {
    for (int axis = 0; axis < 3; ++axis) {
      const Symbols symbols = symbols_of(orders[axis]);
      wave_factors_[axis] = symbols.advection;
      diffusion_ += symbols.diffusion * diffusivity * inverse_squares[axis];
    }
  }

  /// n of each axis.
  [[nodiscard]] const PerAxis<double>& wave_factors() const { return wave_factors_; }
  /// 0.95 of the largest dt [L/U]; infinite where nothing limits it. Rates in U/L.
  [[nodiscard]] double step(double wave_rate, double frequency, double source_rate) const {
    const double imaginary = (wave_rate + frequency) / on_imaginary_axis;
    const double real = (diffusion_ + source_rate) / on_real_axis;
    const double both = std::hypot(imaginary, real);
    return both > 0 ? margin / both : std::numeric_limits<double>::infinity();
  }
  /// The largest step where diffusion alone limits it [L/U]; infinite where none is explicit.
  [[nodiscard]] double diffusive_step() const { return step(0, 0, 0); }

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

  PerAxis<double> wave_factors_{};  // n
  double diffusion_ = 0;            // nu SUM l/h^2 [U/L]
};

}  // namespace dns
