/// What else acts on the velocity in scheme `projection`, as one sum: the Coriolis acceleration C V
/// and sources S - R V. Implicit right sides and Runge-Kutta stages add the same.
#pragma once

#include "solver/numerics/coriolis.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/numerics/sources.hpp"

namespace dns {

/// Terms that a case has not cost a test of numbers that are the same everywhere.
template <class Real>
struct SumOfTerms {
  Real rate[3] = {};  // 2 Omega [U/L]
  bool rotates = false;
  bool has_source[3] = {};
  SourceView<Real> sources[3] = {};

  /// A right side r of an implicit step of dt, with C V, S - R V and the implicit half of R.
  template <Axis axis, class Value, class Orders, class Point>
  [[nodiscard]] DNS_HD Value added_to(Value r,
                                      const VelocityView<const Real>& velocity,
                                      const GridMetrics<Real>& metrics,
                                      const Orders& orders,
                                      const Spot<Point>& c,
                                      Real dt) const {
    constexpr int a = static_cast<int>(axis);
    if (rotates) r = r + dt * coriolis_at<axis>(velocity, metrics, orders, rate, c);
    return has_source[a] ? with_source(sources[a], r, Value(velocity[a](c)), c, dt) : r;
  }
  /// Whether there is anything in it along an axis.
  [[nodiscard]] DNS_HD bool acts_along(int axis) const { return rotates || has_source[axis]; }
  /// C V + S - R V.
  template <Axis axis, class Value, class Orders, class Point>
  [[nodiscard]] DNS_HD Value at(const VelocityView<const Real>& velocity,
                                const GridMetrics<Real>& metrics,
                                const Orders& orders,
                                const Spot<Point>& c) const {
    constexpr int a = static_cast<int>(axis);
    Value sum(Real(0));
    if (rotates) sum += coriolis_at<axis>(velocity, metrics, orders, rate, c);
    if (has_source[a]) sum += explicit_source(sources[a], Value(velocity[a](c)), c);
    return sum;
  }
};

/// The right-hand sides of all components at once, for sweeps that read them where they store the
/// solution. On boundary faces, which have no equation, the values are meaningless.
template <class Real, class Uniform>
struct WriteRightHandSides {
  using Number = Real;
  static constexpr bool is_for_a_later_pass = true;
  RightHandSide<0, Real, MomentumSource<Axis::x, Real>, Uniform> x;
  RightHandSide<1, Real, MomentumSource<Axis::y, Real>, Uniform> y;
  RightHandSide<2, Real, MomentumSource<Axis::z, Real>, Uniform> z;
  AdvectingVelocity<Real> advecting;
  SweepCoefficients<Real> step;
  FieldView<Real> result[3];
  SumOfTerms<Real> terms = {};

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = advecting.velocity[0].spot(point);
    result[0].set(c, of_component<Axis::x>(x, c));
    result[1].set(c, of_component<Axis::y>(y, c));
    result[2].set(c, of_component<Axis::z>(z, c));
  }

 private:
  template <Axis axis, class Right, class Point>
  [[nodiscard]] DNS_HD auto of_component(const Right& right, const Spot<Point>& c) const {
    const auto r = right(c, advecting, step);
    if (!terms.acts_along(static_cast<int>(axis))) return r;
    return terms.template added_to<axis>(
        r, {{x.q, y.q, z.q}}, advecting.metrics, SecondOrder{}, c, right.source.dt);
  }
};

}  // namespace dns
