/// Buoyancy beta T e and temperature of scheme `projection` in one step. N is the frequency of
/// waves in a stable stratification, N^2 = beta e . grad T.
///
/// T is advected with the velocity at the beginning of the step, which gives T_q; buoyancy is that
/// of (T^n + T_q)/2; and what the change of the velocity advects over half a step follows once it
/// is known:
///
///   T^(n+1) = T_q - dt/2 ((V^(n+1) - V^n) . grad) T^n
///
/// and so for every scalar. What rises is B = T + SUM b_i s_i, in place of T where several scalars
/// have a weight b_i. An imposed mean gradient G has a part in T^n of its own: (V . grad) T^n + V .
/// G.
///
/// Without diffusion a wave then has the determinant 1 and |trace| <= 2 up to N dt = 2 (velocity
/// Verlet); longer steps are refused. Where e is along no axis (N + 2 |Omega|) dt is 1 at most.
///
/// Source of the time stepping: Swope et al., J. Chem. Phys. 76 (1982) 637.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/buoyant_scalars.hpp"
#include "solver/numerics/solid_rows.hpp"

namespace dns {

/// The largest N^2 [U^2/L^2], with the slopes at the low faces of a cell.
template <class Real>
struct Stratification {
  BuoyantScalars<Real> scalars;
  GridMetrics<Real> metrics;
  double of_mean_gradient;  // what the imposed gradient of B adds [U^2/L^2]
  PerAxis<double> factor;   // beta e [U^2/(L T0)]

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 0, 1>& reduction) const {
    reduction.raise(
        0, Number(of_mean_gradient) + along<Axis::x>(c) + along<Axis::y>(c) + along<Axis::z>(c));
  }

 private:
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto along(Point c) const {
    const double of_axis = factor[axis];
    using Number = decltype(in_double(scalars(c)));
    if (of_axis == 0) return Number(0.0);
    return Number(of_axis * in_double(scalars(c) - scalars.template beside<axis>(c, -1)) *
                  entry_in_double<axis>(metrics.template along<axis>().inverse_distance, c));
  }
};

/// s := s - dt ((V^n + V^(n+1))/2 - V~) . (grad s^n + G), with V~ that s was advected with and its
/// mean gradient G. As all three are free of divergence this is a flux, which keeps the sum of s.
/// Not in bodies, nor through closed faces.
template <class Real>
struct CorrectScalar {
  FieldView<const Real> before;                   // s^n, ghosts included
  VelocityView<const Real> now, next, advecting;  // V^n, V^(n+1), V~; ghosts included
  GridMetrics<Real> metrics;
  SolidsView<Real> solids;  // kappa null: there are none
  Real dt;
  FieldView<Real> result;
  PerAxis<Real> mean_gradient{};  // G [1/L]

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = result.spot(point);
    auto change = along<Axis::x>(c) + along<Axis::y>(c) + along<Axis::z>(c);
    if (solids.kappa.origin != nullptr) change = solids.freedom(c) * change;
    if (solids.conduct()) change = solids.inverse_capacity(c) * change;
    result.set(c, result(c) - change);
  }

 private:
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto along(const Spot<Point>& c) const {
    auto sum = Real(0.5) * dt * entry<axis>(metrics.template along<axis>().inverse_width, c) *
               (across<axis, 0>(c) + across<axis, 1>(c));
    const Real gradient = mean_gradient[axis];
    if (gradient != 0)
      sum += Real(0.5) * dt * gradient * (change_at<axis, 0>(c) + change_at<axis, 1>(c));
    return sum;
  }
  /// The change of velocity at the low (end = 0) or high (1) face.
  template <Axis axis, int end, class Point>
  [[nodiscard]] DNS_HD auto change_at(const Spot<Point>& c) const {
    const auto at_face = [&](const FieldView<const Real>& q) {
      if constexpr (end == 0) return q(c);
      if constexpr (end == 1) return q.template beside<axis>(c, 1);
    };
    return Real(0.5) * (at_face(now[axis]) + at_face(next[axis])) - at_face(advecting[axis]);
  }
  /// The change of velocity at the low (end = 0) or high (1) face times the difference of s there.
  template <Axis axis, int end, class Point>
  [[nodiscard]] DNS_HD auto across(const Spot<Point>& c) const {
    constexpr int side = end == 0 ? -1 : 1;
    const auto change = change_at<axis, end>(c);
    auto difference = Real(side) * (before.template beside<axis>(c, side) - before(c));
    if (solids.insulated.origin != nullptr)
      difference -= difference * is_closed_face<axis>(solids.insulated, c, side);
    return change * difference;
  }
};

}  // namespace dns
