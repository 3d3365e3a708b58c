/// A channel flow that soon becomes turbulent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/start/walled_axis.hpp"

namespace dns {

/// Laminar flow along an axis s between walls across an axis n, disturbed by waves along s and the
/// third axis t:
///
///   V = W(y) + 3/2 U_b (1 - y^2) e_s + curl (A_s e_s + A_t e_t),  y = -1 .. 1 from wall to wall,
///   A(s, y, t) = sum over waves of (a + b y) (1 - y^2)^2 cos(k_s s + k_t t + phase),
///
/// W linear between the velocities of the walls (those at t = 0 and at the origin: walls should
/// move as a whole). V is free of divergence and meets the conditions at the walls. Waves with
/// k_s = 0 are streaks (of A_t) and vortices along the flow (of A_s), which feed the streaks; the
/// other waves bend these, so that they break up. Wavelengths: along t the box and its fractions
/// down to a quarter of the wall distance (at most 8 of them), along s down to the wall distance
/// (at most 4). Random a, b and phase depend on the seed alone, not on the grid. The disturbance
/// has a mean square of (amplitude U_b)^2, averaged over seeds.
///
/// Half a channel, from a wall to a plane of symmetry at y = 0, is half of such a flow with a = 0:
/// A is odd in y, and with it the normal velocity; the others are even. Source of the idea:
/// Henningson & Kim, J. Fluid Mech. 228 (1991), where a channel flow starts with a pair of
/// vortices.
class TurbulentChannel {
 public:
  /// Requires case.initial.turbulent_channel.
  explicit TurbulentChannel(const Case& resolved);

  /// The values of one component at the points of a tensor grid with these coordinates along each
  /// axis [L]; shape (nz, ny, nx), x fastest [U].
  [[nodiscard]] std::vector<double> velocity(int component,
                                             const PerAxis<std::vector<double>>& coordinates) const;

 private:
  struct Wave {
    double k_s, k_t;                         // wave numbers [1/L]
    std::array<double, 2> even, odd, phase;  // a, b and phase of A_s and A_t
  };

  int axis_s_, axis_t_;
  WalledAxis across_;
  double bulk_velocity_;
  PerAxis<double> walls_{}, difference_{};  // W = walls + difference y [U]
  std::vector<Wave> waves_;
};

}  // namespace dns
