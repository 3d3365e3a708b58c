/// The dissipation function of a velocity field: the stencil that the studies evaluate.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"

namespace dns::bench {

/// Derivatives of the velocity components along the axes.
template <class Real>
struct VelocityGradient {
  Real u_x, u_y, u_z, v_x, v_y, v_z, w_x, w_y, w_z;
};

/// Phi = 2 (u_x^2 + v_y^2 + w_z^2) + (v_x + u_y)^2 + (w_x + u_z)^2 + (w_y + v_z)^2
template <class Real>
[[nodiscard]] DNS_HD Real dissipation_function(const VelocityGradient<Real>& g) {
  const Real xy = g.v_x + g.u_y;
  const Real xz = g.w_x + g.u_z;
  const Real yz = g.w_y + g.v_z;
  return 2 * (g.u_x * g.u_x + g.v_y * g.v_y + g.w_z * g.w_z) + xy * xy + xz * xz + yz * yz;
}

/// Three components and the result on points^3 nodes, x contiguous; the result is defined at inner
/// nodes only. Central differences over two spacings 1/(points - 1).
template <class Real>
struct VelocityField {
  const Real* u;
  const Real* v;
  const Real* w;
  Real* dissipation;
  int points;

  [[nodiscard]] DNS_HD Real inverse_two_h() const { return Real(points - 1) / 2; }

  /// Phi at the inner node number n of the field, in the precision Number.
  template <class Number>
  [[nodiscard]] DNS_HD Number dissipation_at(std::ptrdiff_t n) const {
    const std::ptrdiff_t y = points;
    const std::ptrdiff_t z = y * points;
    const Number factor = Number(points - 1) / 2;
    const auto difference = [&](const Real* q, std::ptrdiff_t stride) {
      return factor * (Number(read_only(q + n + stride)) - Number(read_only(q + n - stride)));
    };
    return dissipation_function(VelocityGradient<Number>{difference(u, 1),
                                                         difference(u, y),
                                                         difference(u, z),
                                                         difference(v, 1),
                                                         difference(v, y),
                                                         difference(v, z),
                                                         difference(w, 1),
                                                         difference(w, y),
                                                         difference(w, z)});
  }
};

/// Compulsory traffic: three components in, Phi at inner nodes out.
[[nodiscard]] inline double dissipation_bytes(int points, std::size_t word) {
  const double n = points;
  return static_cast<double>(word) * (3 * n * n * n + (n - 2) * (n - 2) * (n - 2));
}

}  // namespace dns::bench
