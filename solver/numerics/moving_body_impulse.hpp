/// Momentum that bodies which move take from the flow in an implicit step of scheme `projection`:
/// sums over the unknowns near them, in double.
///
/// Without bodies the change x = V* - V of a step meets
///
///   (I + A_z)(I + A_y)(I + A_x) x = R
///
/// and with them each factor is I + b A_s and the first right-hand side b R + pull (W - V), see
/// solid_rows.hpp. With x_s the solution of a factor, an unknown has less by
///
///   (1 - b) R - pull (W - V)       of the pull
///   - (1 - b) A_s x_s              of each factor
///
/// both times what R was divided by for the sake of the decay in the step, 1 + dt/2 times its rate
/// (AddTerms): the rate draws from the change x, too, which is the body's. Behind a projection,
/// where others follow, bodies take back their part of it, and unknowns have less by
///
///   - (1 - b) dt grad phi
///
/// Here x stands for each x_s: they are equal in bodies, and differ where b > 0 by products of
/// factors, which do not conserve momentum either. Moments are taken about the place of the centre
/// in the middle of the step.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/advection_diffusion.hpp"
#include "solver/numerics/moving_rows.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/numerics/terms.hpp"

namespace dns {

/// Sums over the unknowns that feel one body: force and torque.
struct ForceAndTorque {
  static constexpr int force = 0, torque = 3, sums = 6;
};

/// The shortest distances of cell centres from a place along an axis. c.i counts through them.
template <class Real>
struct FindArms {
  const double* centre;  // coordinates [L]
  double* arm;           // [L]
  double place;          // [L]
  double length;         // of the box, 0: the axis is not periodic [L]

  DNS_HD void operator()(Index3 c) const {
    const double way = read_only(centre + c.i) - place;
    arm[c.i] = length > 0 ? std::remainder(way, length) : way;
  }
};

/// What the unknowns that feel a body have less, with its moment about a place.
template <class Real>
struct TakenAbout {
  PerAxis<FeelsBody<Real>> feels;
  GridMetrics<Real> metrics;
  PerAxis<const double*> arm{};  // of cell centres from the place [L]

  /// Adds what a velocity component has less per volume [U].
  template <int component, class Point, class Value, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Value taken, Reduced& reduction) const {
    constexpr auto first = static_cast<Axis>((component + 1) % 3);
    constexpr auto second = static_cast<Axis>((component + 2) % 3);
    const auto share = feels[component].chosen(c, taken * control_volume<component>(metrics, c));
    reduction.sum[ForceAndTorque::force + component] += share;
    reduction.sum[ForceAndTorque::torque + velocity_along(first)] +=
        share * entry<second>(arm[second], c);
    reduction.sum[ForceAndTorque::torque + velocity_along(second)] -=
        share * entry<first>(arm[first], c);
  }
};

/// Sums of what the pulls take; before the sweeps.
template <class Real>
struct TakenByMovingPulls {
  static constexpr int sums = ForceAndTorque::sums;

  TakenAbout<Real> about;
  PerAxis<SolidsView<Real>> solids;
  DecayInStep<Real> decay;
  VelocityView<const Real> velocity;  // V
  VelocityView<const Real> right;     // R

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = velocity[0].spot(point);
    add<0>(c, reduction);
    add<1>(c, reduction);
    add<2>(c, reduction);
  }

 private:
  template <int component, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    const SolidsView<Real>& of = solids[component];
    if (of.are_beyond(c)) return;
    const auto b = of.freedom(c);
    const auto pulled = of.pull(b) * (of.target_at(c) - velocity[component](c));
    const auto taken = (Real(1) - b) * right[component](c) - pulled;
    using Value = decltype(velocity[component](c));
    about.template add<component>(
        c, in_double(decay.template at<component, Value>(c) * taken), reduction);
  }
};

/// Sums of what the weights take in the factors; after the sweeps, before the projection. Requires
/// the ghost points of V and V*.
template <class Real>
struct TakenInMovingFactors {
  static constexpr int sums = ForceAndTorque::sums;

  TakenAbout<Real> about;
  PerAxis<SolidsView<Real>> solids;
  DecayInStep<Real> decay;
  VelocityView<const Real> velocity, star;  // V, V*
  AdvectingVelocity<Real> advecting;
  SweepCoefficients<Real> coefficients;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = velocity[0].spot(point);
    add<0>(c, reduction);
    add<1>(c, reduction);
    add<2>(c, reduction);
  }

 private:
  template <int component, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    if (solids[component].are_beyond(c)) return;
    const auto all = factor<Axis::x, component>(c) + factor<Axis::y, component>(c) +
                     factor<Axis::z, component>(c);
    using Value = decltype(velocity[component](c));
    const auto taken = (solids[component].freedom(c) - Real(1)) * all;
    about.template add<component>(
        c, in_double(decay.template at<component, Value>(c) * taken), reduction);
  }
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto factor(const Spot<Point>& c) const {
    const auto change = [&](int end) {
      return star[component].template beside<axis>(c, end) -
             velocity[component].template beside<axis>(c, end);
    };
    const auto here = star[component](c) - velocity[component](c);
    return advecting.template term<axis, component, AnyAxes>(c, coefficients)
        .applied(change(-1), here, change(1));
  }
};

/// (1 - b) dt grad phi, in one component: what bodies take back of a projection.
template <int component, class Real, class Point>
[[nodiscard]] DNS_HD auto taken_back(const Spot<Point>& c,
                                     const SolidsView<Real>& solids,
                                     const FieldView<const Real>& phi,
                                     const GridMetrics<Real>& metrics,
                                     Real dt) {
  constexpr auto axis = static_cast<Axis>(component);
  const auto difference = phi(c) - phi.template beside<axis>(c, -1);
  return (Real(1) - solids.freedom(c)) * dt *
         entry<axis>(metrics.template along<axis>().inverse_distance, c) * difference;
}

/// V := V + (1 - b) dt grad phi. Requires the ghost points of phi.
template <class Real>
struct TakeBackProjection {
  PerAxis<SolidsView<Real>> solids;
  FieldView<const Real> phi;
  GridMetrics<Real> metrics;
  Real dt;
  VelocityView<Real> velocity;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = phi.spot(point);
    add<0>(c);
    add<1>(c);
    add<2>(c);
  }

 private:
  template <int component, class Point>
  DNS_HD void add(const Spot<Point>& c) const {
    if (solids[component].are_beyond(c)) return;
    velocity[component].set(
        c, velocity[component](c) + taken_back<component>(c, solids[component], phi, metrics, dt));
  }
};

/// Sums of what a body takes behind a projection.
template <class Real>
struct TakenByProjection {
  static constexpr int sums = ForceAndTorque::sums;

  TakenAbout<Real> about;
  PerAxis<SolidsView<Real>> solids;
  FieldView<const Real> phi;
  Real dt;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = phi.spot(point);
    add<0>(c, reduction);
    add<1>(c, reduction);
    add<2>(c, reduction);
  }

 private:
  template <int component, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    if (solids[component].are_beyond(c)) return;
    const auto back = taken_back<component>(c, solids[component], phi, about.metrics, dt);
    about.template add<component>(c, 0 - in_double(back), reduction);
  }
};

}  // namespace dns
