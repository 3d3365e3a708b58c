/// What else acts on the velocity in scheme `projection`, as one sum: the Coriolis acceleration C
/// V, the Lorentz force and sources S - R V. Implicit right sides and Runge-Kutta stages add the
/// same.
#pragma once

#include "solver/core/index.hpp"
#include "solver/numerics/coriolis.hpp"
#include "solver/numerics/lorentz_force.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/numerics/sources.hpp"

namespace dns {

/// How terms limit steps, see StepLimit [U/L].
struct TermRates {
  double frequency = 0;  // of waves and turns
  double decay = 0;      // towards targets
};

/// Terms that a case has not cost a test of numbers that are the same everywhere.
template <class Real>
struct SumOfTerms {
  PerAxis<Real> rate{};  // 2 Omega [U/L]
  bool rotates = false;
  PerAxis<bool> has_source{};
  PerAxis<SourceView<Real>> sources{};
  LorentzForce<Real> lorentz{};

  /// A right side r of an implicit step of dt, with C V, the Lorentz force, S - R V, and the
  /// implicit half of R and of that force.
  template <Axis axis, class Value, class Orders, class Point>
  [[nodiscard]] DNS_HD Value added_to(Value r,
                                      const VelocityView<const Real>& velocity,
                                      const GridMetrics<Real>& metrics,
                                      const Orders& orders,
                                      const Spot<Point>& c,
                                      Real dt) const {
    if (rotates) r = r + dt * coriolis_at<axis>(velocity, metrics, orders, rate, c);
    if (!lorentz.acts() && !has_source[axis]) return r;
    const Value q = velocity[axis](c);
    if (!lorentz.acts()) return with_source(sources[axis], r, q, c, dt);
    r = r + dt * lorentz.template in_step<axis>(metrics, orders, q, c);
    return with_source(sources[axis], r, q, c, dt, lorentz.template rate_along<axis>());
  }
  /// Whether there is anything in it along an axis, and at all.
  [[nodiscard]] DNS_HD bool acts_along(Axis axis) const {
    return rotates || has_source[axis] || lorentz.acts();
  }
  [[nodiscard]] bool acts() const {
    return acts_along(Axis::x) || acts_along(Axis::y) || acts_along(Axis::z);
  }
  /// C V + N J x b + S - R V.
  template <Axis axis, class Value, class Orders, class Point>
  [[nodiscard]] DNS_HD Value at(const VelocityView<const Real>& velocity,
                                const GridMetrics<Real>& metrics,
                                const Orders& orders,
                                const Spot<Point>& c) const {
    Value sum(Real(0));
    if (rotates) sum += coriolis_at<axis>(velocity, metrics, orders, rate, c);
    if (lorentz.acts()) sum += lorentz.template at<axis, Value>(metrics, orders, c);
    if (has_source[axis]) sum += explicit_source(sources[axis], Value(velocity[axis](c)), c);
    return sum;
  }
};

/// What right-hand sides of an implicit step of dt are divided by (SumOfTerms::added_to).
template <class Real>
struct DecayInStep {
  PerAxis<SourceView<Real>> sources;  // their rates
  PerAxis<Real> rate{};               // of the Lorentz force [U/L]
  Real half_dt = 0;                   // [L/U]

  template <int component, class Value, class Point>
  [[nodiscard]] DNS_HD Value at(const Spot<Point>& c) const {
    return Real(1) + half_dt * (sources[component].template rate_at<Value>(c) + rate[component]);
  }
};

/// Adds the sum to right-hand sides: of an implicit step, or of a Runge-Kutta stage and its F. A
/// pass of its own: within the kernels of right sides and stages it made flows with rotation 7 to
/// 27 % faster and those without any terms 1 to 4 % slower.
template <class Real, class Orders>
struct AddTerms {
  SumOfTerms<Real> sum;
  VelocityView<const Real> velocity;  // at the beginning; ghosts included
  GridMetrics<Real> metrics;
  Orders orders;
  VelocityView<Real> force;   // F of a stage; null: of an implicit step
  VelocityView<Real> result;  // null: F alone is wanted
  Real dt;                    // that F is taken with

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = velocity[0].spot(point);
    add<Axis::x>(c);
    add<Axis::y>(c);
    add<Axis::z>(c);
  }

 private:
  template <Axis axis, class Point>
  DNS_HD void add(const Spot<Point>& c) const {
    if (!sum.acts_along(axis)) return;
    using Value = decltype(velocity[axis](c));
    if (force[axis].origin == nullptr) {
      result[axis].set(
          c, sum.template added_to<axis>(Value(result[axis](c)), velocity, metrics, orders, c, dt));
      return;
    }
    const Value terms = sum.template at<axis, Value>(velocity, metrics, orders, c);
    force[axis].set(c, force[axis](c) + terms);
    if (result[axis].origin == nullptr) return;
    result[axis].set(c, result[axis](c) + dt * terms);
  }
};

}  // namespace dns
