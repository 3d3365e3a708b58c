/// Sources of momentum and heat, S - R q: given accelerations and heat, and the drawing of q to
/// targets at given rates; R < 0 where q drives itself (linear forcing).
///
/// Scheme projection: with S at t^(n+1/2), the right-hand side r of the first factor becomes
///
///   (r + dt (S - R q^n))/(1 + dt R/2)
///
/// That is the source of (q^n + q^(n+1))/2 but for dt R/2 (A_x + A_y + A_z) dq, of third order in
/// dt as what the factors leave out. Scheme splitting: a stage of its own between the sweeps along
/// z and y, with S at t^(n+1),
///
///   (q + dt S)/(1 + dt R)
///
/// Time scheme runge_kutta has S - R q in the F of each stage.
///
/// A scalar with an imposed mean gradient G has the value G . x + q. V carries G . x too, which is
/// a source - V . G of q, with V the mean of both faces of a cell.
///
/// Sources: Lundgren, Annual Research Briefs, CTR (2003) 461 (linear forcing); Israeli & Orszag, J.
/// Comput. Phys. 41 (1981) 115 (sponges).
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

/// S and R of one variable.
template <class Real>
struct SourceView {
  FieldView<const Real> source, rate;  // null: uniform
  Real uniform_source = 0, uniform_rate = 0;

  template <class Value, class Point>
  [[nodiscard]] DNS_HD Value source_at(Point c) const {
    return source.origin == nullptr ? Value(uniform_source) : Value(source(c));
  }
  template <class Value, class Point>
  [[nodiscard]] DNS_HD Value rate_at(Point c) const {
    return rate.origin == nullptr ? Value(uniform_rate) : Value(rate(c));
  }
};

/// Its sum over a box is 0 where all values of a field are finite, else NaN.
template <class Real>
struct ZeroIfFinite {
  FieldView<const Real> field;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    const auto value = in_double(field(c));
    reduction.sum[0] += value - value;
  }
};

/// What a right-hand side r of scheme projection becomes. more: of R, whose explicit half is in r.
template <class Real, class Value, class Point>
[[nodiscard]] DNS_HD Value with_source(
    const SourceView<Real>& sources, Value r, Value q, const Point& c, Real dt, Real more = 0) {
  const Value rate = sources.template rate_at<Value>(c);
  return (r + dt * (sources.template source_at<Value>(c) - rate * q)) /
         (Real(1) + (Real(0.5) * dt) * (rate + more));
}

/// S - R q.
template <class Real, class Value, class Point>
[[nodiscard]] DNS_HD Value explicit_source(const SourceView<Real>& sources,
                                           Value q,
                                           const Point& c) {
  return sources.template source_at<Value>(c) - sources.template rate_at<Value>(c) * q;
}

/// V . G at cell centres.
template <class Real>
struct CarriedGradient {
  VelocityView<const Real> velocity;  // ghosts included
  PerAxis<Real> gradient{};           // G [1/L]
  bool is_there = false;
  AnyOrders<Real> orders;  // of the mean of the faces

  /// `value` less dt V . G.
  template <class Value, class Point>
  [[nodiscard]] DNS_HD Value taken_from(Value value, const Spot<Point>& c, Real dt) const {
    if (!is_there) return value;
    return value -
           dt * (along<Axis::x, Value>(c) + along<Axis::y, Value>(c) + along<Axis::z, Value>(c));
  }

 private:
  template <Axis axis, class Value, class Point>
  [[nodiscard]] DNS_HD Value along(const Spot<Point>& c) const {
    if (gradient[axis] == 0) return Value(Real(0));
    return gradient[axis] *
           Value(mean_of<Real, false>(orders.template along<axis>(), [&](int steps) {
             return velocity[axis].template beside<axis>(c, steps);
           }));
  }
};

/// The forces on a velocity component [U^2/L]: S, and what MomentumSource adds in a step of dt = 1.
template <class Momentum, class Real>
struct WriteForces {
  Momentum momentum;
  SourceView<Real> sources;
  FieldView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = result.spot(point);
    using Value = decltype(result(c));
    result.set(c, momentum.added_to(sources.template source_at<Value>(c), c));
  }
};

/// The source of a scalar in its right-hand side (RightHandSide of projection_rows.hpp).
template <class Real>
struct ScalarSource {
  SourceView<Real> sources;
  CarriedGradient<Real> carried;  // by the velocity that advects q
  FieldView<const Real> q;        // at t^n
  Real dt;

  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value added_to(Value value, const Point& c) const {
    return with_source(sources, carried.taken_from(value, c, dt), Value(q(c)), c, dt);
  }
};

/// Adds S - R q - V . G to F of a Runge-Kutta stage of a scalar, and that times the dt of F to the
/// right-hand side.
template <class Real>
struct AddSourceToStage {
  ScalarSource<Real> of;  // with q and V at the beginning of the stage
  FieldView<Real> force;  // null: not wanted
  FieldView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = of.q.spot(point);
    using Value = decltype(of.q(c));
    const Value source =
        of.carried.taken_from(explicit_source(of.sources, Value(of.q(c)), c), c, Real(1));
    if (force.origin != nullptr) force.set(c, force(c) + source);
    result.set(c, result(c) + of.dt * source);
  }
};

/// The stage of scheme splitting, of all variables.
template <class Real, int interleave_width>
struct SourceStage {
  SourceView<Real> sources[variables_per_level];
  LevelView<Real, interleave_width> level;
  Real dt;

  DNS_HD void operator()(Index3 c) const {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      const SourceView<Real>& of = sources[variable];
      const Real q = level(variable, c);
      level.set(variable,
                c,
                (q + dt * of.template source_at<Real>(c)) /
                    (Real(1) + dt * of.template rate_at<Real>(c)));
    }
  }
};

}  // namespace dns
