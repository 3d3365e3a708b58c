/// The Lorentz force of scheme `projection` at low magnetic Reynolds number: a uniform field along
/// b of length one acts on the current that the flow induces in it, and the current does not change
/// the field.
///
///   J = - grad Phi + V x b + E,   div J = 0        current over sigma U B, potential over U B L
///   F = N J x b,                  N = Ha^2/Re      rate [U/L]; Ha = B L sqrt(sigma/(rho nu))
///
/// Boundaries insulate: J . n = 0. The uniform electric field E along periodic axes is 0, or such
/// that the mean of J is.
///
/// x b is C of coriolis.hpp with b in place of 2 Omega, for V and for J: at the faces, of the
/// orders of the axes. div and grad are those of the projection, so that charge is kept to
/// round-off where the volume is. C is skew and grad the transpose of - div under the volumes of
/// faces:
///
///   SUM volume V . F = - N SUM volume |J|^2,
///
/// what the force takes from the kinetic energy is the heat of the current, exactly, at order 2 on
/// any grid and at all orders without walls.
///
/// Implicit steps have J of V~ in the middle of the step, and a decay of V_s at both of its ends,
///
///   F_s = N (J~ x b)_s + N (V~_s - (V_s^n + V_s^(n+1))/2)    along each axis s, but along b alone,
///
/// the fastest that there may be: of a mode that the field damps at the rate (1 - c) N, 0 <= c <=
/// 1, the roots of a step are those of (1 + a/2) z^2 - (1 - a/2 + 3/2 a c) z + a c/2 with a = N dt,
/// stable for any a. Runge-Kutta stages have N J x b in F.
///
/// Source: Ni, Munipalli, Huang, Morley & Abdou, J. Comput. Phys. 227 (2007) 205 (conservative
/// currents).
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/numerics/coriolis.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"

namespace dns {

/// What a current and the velocity that induces it do to a flow.
template <class Real>
struct LorentzForce {
  VelocityView<const Real> current;   // J; null: there is no field
  VelocityView<const Real> inducing;  // V~ or V
  PerAxis<Real> direction{};          // b
  Real rate = 0;                      // N [U/L]

  [[nodiscard]] DNS_HD bool acts() const { return current[0].origin != nullptr; }
  /// N, or 0 along b [U/L].
  template <Axis axis>
  [[nodiscard]] DNS_HD Real rate_along() const {
    return direction[axis] * direction[axis] < 1 ? rate : Real(0);
  }
  /// N J x b along an axis at its faces.
  template <Axis axis, class Value, class Orders, class Point>
  [[nodiscard]] DNS_HD Value at(const GridMetrics<Real>& metrics,
                                const Orders& orders,
                                const Spot<Point>& c) const {
    return Value(rate * coriolis_at<axis>(current, metrics, orders, direction, c));
  }
  /// The force in an implicit step, but for the decay of half of V_s^(n+1) - V_s^n; q: V_s^n.
  template <Axis axis, class Value, class Orders, class Point>
  [[nodiscard]] DNS_HD Value in_step(const GridMetrics<Real>& metrics,
                                     const Orders& orders,
                                     const Value& q,
                                     const Spot<Point>& c) const {
    return at<axis, Value>(metrics, orders, c) +
           rate_along<axis>() * (Value(inducing[axis](c)) - q);
  }
};

/// V x b at the faces across each axis; on boundary faces meaningless.
template <class Real, class Orders>
struct InduceField {
  VelocityView<const Real> velocity;  // ghosts included
  GridMetrics<Real> metrics;
  Orders orders;
  PerAxis<Real> direction;  // b
  VelocityView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = velocity[0].spot(point);
    result[0].set(c, coriolis_at<Axis::x>(velocity, metrics, orders, direction, c));
    result[1].set(c, coriolis_at<Axis::y>(velocity, metrics, orders, direction, c));
    result[2].set(c, coriolis_at<Axis::z>(velocity, metrics, orders, direction, c));
  }
};

/// Sums over the faces of the current and its square, over the cells of the square of the
/// potential, and the largest |div J|.
template <class Real, class Orders>
struct SumCurrents {
  enum Sum { squared, potential, mean, sums = mean + 3 };  // mean: along x, y, z
  enum Maximum { charge, maxima };

  VelocityView<const Real> current;
  FieldView<const Real> potential_at_centres;
  GridMetrics<Real> metrics;
  Orders orders;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, maxima>& reduction) const {
    const auto c = current[0].spot(point);
    add<Axis::x>(c, reduction);
    add<Axis::y>(c, reduction);
    add<Axis::z>(c, reduction);
    const auto phi = in_double(potential_at_centres(c));
    reduction.sum[potential] += phi * phi * cell_volume(metrics, c);
    reduction.raise(charge, magnitude(in_double(divergence_at(current, metrics, c, orders))));
  }

 private:
  template <Axis axis, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    const auto j = in_double(current[axis](c));
    const auto of_face = j * FaceMomentum<axis, Real>{current[axis], metrics}.volume(c);
    reduction.sum[squared] += j * of_face;
    reduction.sum[mean + static_cast<int>(axis)] += of_face;
  }
};

}  // namespace dns
