/// A flow through a duct that soon becomes turbulent.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/start/walled_axis.hpp"

namespace dns {

/// Laminar flow of mean 1 through a duct of `aspect` = long over short side (>= 1) at the places
/// y along the short and z along the long one, both from -1 to 1:
///
///   u = SUM over odd m of c_m (1 - cosh(x z)/cosh(x)) cos(m pi y/2) / SUM of 2/(m pi) |c_m|
///       (1 - tanh(x)/x),   c_m = (-1)^((m-1)/2)/m^3,  x = m pi aspect/2.
///
/// Source: White, Viscous Fluid Flow, 2nd ed. (1991), section 3-3.3.
[[nodiscard]] double laminar_duct_flow(double aspect, double y, double z);

/// Laminar flow along an axis s, with walls across both other axes n and t, disturbed by waves:
///
///   V = W + U_b laminar_duct_flow(y, z) e_s + curl A,   y, z = -1 .. 1 from wall to wall,
///   A_i = SUM over waves of a p(y) p(z) cos(k s + f) cos(j pi y + g) cos(l pi z + h),
///   p(y) = (1 - y^2)^2,
///
/// W the mean of the walls' velocities (all walls should move alike). V is free of divergence and
/// is W at the walls. Waves: k = 0 and the box's fractions down to the short side (at most 4 of
/// them), j and l = 1, 2, ... down to a quarter of the short side (at most 8). Random phases f, g,
/// h and a, divided by the wave number, depend on the seed alone. The disturbance has a mean square
/// of (amplitude U_b)^2.
///
/// Where a plane of symmetry takes the place of a wall, it is the middle of a whole duct, and g (h)
/// is 0 or -pi/2: the normal velocity is odd there, the others are even.
class TurbulentDuct {
 public:
  /// Requires case.initial.turbulent_channel, and walls across both axes normal to its flow.
  explicit TurbulentDuct(const Case& resolved);

  /// The values of one component at the points of a tensor grid with these coordinates along each
  /// axis [L]; shape (nz, ny, nx), x fastest [U].
  [[nodiscard]] std::vector<double> velocity(int component,
                                             const PerAxis<std::vector<double>>& coordinates) const;

 private:
  /// Directions are 0, 1, 2: s, n, t.
  struct Wave {
    int of = 0;                // the direction of A
    int number = 0;            // of waves along s
    PerAxis<double> number_k;  // wave numbers [1/L]
    PerAxis<double> phase;
    double size = 0;  // a [U L]
  };

  void add_waves(const Case& resolved);
  [[nodiscard]] double mean_square() const;
  [[nodiscard]] double laminar(double y, double z) const;
  [[nodiscard]] std::vector<double> sums_across(int direction,
                                                const std::vector<double>& n_values,
                                                const std::vector<double>& t_values) const;
  [[nodiscard]] std::vector<double> waves_at(const std::vector<double>& s_values) const;

  std::array<int, 3> axes_{};           // of s, n, t
  std::array<WalledAxis, 2> across_{};  // n, t
  double turn_of_box_ = 0;              // 2 pi over the length along s [1/L]
  double bulk_velocity_ = 0;            // [U]
  PerAxis<double> walls_{};             // W along x, y, z [U]
  int waves_along_ = 0;                 // the largest number of waves along s
  std::vector<Wave> waves_;
};

}  // namespace dns
