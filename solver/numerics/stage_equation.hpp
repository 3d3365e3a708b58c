/// A stage of the explicit Runge-Kutta scheme, point by point:
///
///   F  = - sum_s N_s(V) q + nu sum_explicit L_s q + buoyancy
///   r  = dt (al F + be F_before) - g dt grad p + g dt f + g dt nu sum_implicit L_s q
///   q* = q + r where no axis is implicit, else the sweeps make q* from r
///
/// with N_s, L_s in the differences of staggered_orders.hpp, each axis with its own order, the
/// velocity U_qs = I_q V_s that carries component q along s, and f uniform. Where an axis has order
/// 2 these are the terms of advection_diffusion.hpp, also on stretched cells and at walls.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/advection_diffusion.hpp"
#include "solver/numerics/buoyant_scalars.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

/// Advection by V and explicit diffusion of a component of V, or of a scalar.
template <class Real, class Orders>
struct SkewTerms {
  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  Orders orders;
  PerAxis<Real> diffusion;  // nu/h along axes of explicit diffusion [U]; 0 along others

  /// - N q + nu L q at c, for q of `component`.
  template <int component, class Point>
  [[nodiscard]] DNS_HD auto operator()(const FieldView<const Real>& q, const Spot<Point>& c) const {
    return along<Axis::x, component>(q, c) + along<Axis::y, component>(q, c) +
           along<Axis::z, component>(q, c);
  }

  /// The velocity along `axis` that advects the component, at the half point c: a centre where the
  /// component is that along `axis`, else a face.
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto advecting(const Spot<Point>& c) const {
    const FieldView<const Real>& normal = velocity[axis];
    if constexpr (component == scalar_component) {
      return normal(c);
    } else {
      constexpr Axis own = static_cast<Axis>(component);
      constexpr bool on_face = component != velocity_along(axis);
      const auto& order = orders.template along<own>();
      const auto at = [&](int steps) { return normal.template beside<own>(c, steps); };
      if (on_face && order.pairs() == 1) {  // as a volume flux where cells are stretched
        const AxisMetrics<Real>& shares = metrics.template along<own>();
        return decltype(normal(c))(entry<own>(shares.share_below, c) * at(-1) +
                                   entry<own>(shares.share_above, c) * at(0));
      }
      return decltype(normal(c))(mean_of<Real, on_face>(order, at));
    }
  }

  /// F and G at the half point at c.
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto flux(const FieldView<const Real>& q, const Spot<Point>& c) const {
    constexpr bool on_face = component != velocity_along(axis);
    const auto& order = orders.template along<axis>();
    const auto at = [&](int steps) { return q.template beside<axis>(c, steps); };
    return skew_flux(Real(-0.5) * advecting<axis, component>(c),
                     diffusion[axis],
                     mean_of<Real, on_face>(order, at),
                     difference_of<Real, on_face>(order, at));
  }

  /// The part of it along an axis. Of order 2, with + and - the neighbours at 1 and 1/2,
  ///   (d F + I G)/h  =  (nu/h (q_+ - 2 q + q_-) - 1/2 (U_+ q_+ - U_- q_-))/h,
  /// half as many operations.
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto along(const FieldView<const Real>& q, const Spot<Point>& c) const {
    constexpr bool on_face = component == velocity_along(axis);
    const AxisMetrics<Real>& of_axis = metrics.template along<axis>();
    const auto inverse_h =
        entry<axis>(on_face ? of_axis.inverse_distance : of_axis.inverse_width, c);
    if constexpr (is_second_order<decltype(orders.template along<axis>())>) {
      const auto advecting_at = [&](int steps) {
        return advecting<axis, component>(c.template moved<axis>(steps));
      };
      const auto here = q(c);
      const auto above = q.template beside<axis>(c, 1);
      const auto below = q.template beside<axis>(c, -1);
      const auto carried = advecting_at(steps_above<on_face>(0)) * above -
                           advecting_at(steps_below<on_face>(0)) * below;
      return inverse_h *
             (diffusion[axis] * ((above - here) - (here - below)) - Real(0.5) * carried);
    } else {
      return inverse_h *
             divergence_of_skew_flux<Real, on_face>(orders.template along<axis>(), [&](int steps) {
               return flux<axis, component>(q, c.template moved<axis>(steps));
             });
    }
  }
};

/// Weights of a stage of dt.
template <class Real>
struct StageWeights {
  Real now, before, whole;  // dt al, dt be, g dt; `before` is 0 in the first stage
};

/// Chosen axes, of those that a kernel is compiled for. A GPU executes the operations of all of
/// these, also of those that are not chosen.
template <bool x, bool y, bool z>
struct AxesAmong {
  PerAxis<bool> chosen{};

  [[nodiscard]] DNS_HD bool operator[](int axis) const {
    return (axis == 0 ? x : axis == 1 ? y : z) && chosen[axis];
  }
};
using AmongAllAxes = AxesAmong<true, true, true>;

/// Calls function(axes) with the chosen axes among none, among y, as in channels, or among all.
template <class Function>
void with_axes_among(const PerAxis<bool>& chosen, const Function& function) {
  if (chosen[0] || chosen[2]) return function(AmongAllAxes{chosen});
  chosen[1] ? function(AxesAmong<false, true, false>{chosen})
            : function(AxesAmong<false, false, false>{chosen});
}

/// Axes of implicit diffusion, which are of order 2.
template <class Orders>
using ImplicitAxes = AxesAmong<!has_higher_order<decltype(Orders::x)>,
                               !has_higher_order<decltype(Orders::y)>,
                               !has_higher_order<decltype(Orders::z)>>;

/// g dt nu L_s q along the axes of implicit diffusion, as the factors of a step of g dt have it.
template <class Real, class Axes = AmongAllAxes>
struct ImplicitDiffusion {
  SweepCoefficients<Real> coefficients;
  Axes is_implicit;
  Real weight;  // 2; 1 where the factors are those of implicit Euler, with twice the coefficients

  [[nodiscard]] DNS_HD bool any() const {
    return is_implicit[0] || is_implicit[1] || is_implicit[2];
  }
  template <int component, class Value, class Point>
  [[nodiscard]] DNS_HD Value
  added_to(Value value, Value here, const FieldView<const Real>& q, const Spot<Point>& c) const {
    if (is_implicit[0]) value += along<Axis::x, component>(here, q, c);
    if (is_implicit[1]) value += along<Axis::y, component>(here, q, c);
    if (is_implicit[2]) value += along<Axis::z, component>(here, q, c);
    return value;
  }

 private:
  template <Axis axis, int component, class Value, class Point>
  [[nodiscard]] DNS_HD Value along(Value here,
                                   const FieldView<const Real>& q,
                                   const Spot<Point>& c) const {
    const AxisCoefficients<Real>& factors = coefficients.template unknowns<axis, component>();
    return weight *
           (entry<axis>(factors.diffusion_low, c) * (q.template beside<axis>(c, -1) - here) +
            entry<axis>(factors.diffusion_high, c) * (q.template beside<axis>(c, 1) - here));
  }
};

/// The stage of a scalar.
template <class Real, class Orders, class Axes = ImplicitAxes<Orders>>
struct StageOfScalar {
  SkewTerms<Real, Orders> terms;
  ImplicitDiffusion<Real, Axes> implicit;
  StageWeights<Real> weights;
  FieldView<const Real> q;
  FieldView<Real> force;   // F_before, not read in the first stage; becomes F
  FieldView<Real> result;  // becomes q*, or r where an axis is implicit

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = q.spot(point);
    const auto here = q(c);
    using Value = decltype(q(c));
    const Value now = terms.template operator()<scalar_component>(q, c);
    Value r = weights.now * now;
    if (weights.before != 0) r += weights.before * force(c);
    r = implicit.template added_to<scalar_component>(r, here, q, c);
    force.set(c, now);
    result.set(c, implicit.any() ? r : here + r);
  }
};

/// Adds the buoyancy of several scalars to a stage, and to its F. A pass of its own: the loop over
/// scalars in the march through planes made the stages of all flows spill registers, 20 % slower.
template <class Real, class Orders>
struct AddBuoyancy {
  BuoyantScalars<Real> scalars;  // at the beginning of the stage
  PerAxis<Real> buoyancy;        // acceleration per temperature [U^2/(L T0)]
  Orders orders;
  VelocityView<Real> force, result;  // F, r; null: not wanted
  Real weight;                       // of F in r

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = scalars.temperature.spot(point);
    add<Axis::x>(c);
    add<Axis::y>(c);
    add<Axis::z>(c);
  }

 private:
  template <Axis axis, class Point>
  DNS_HD void add(const Spot<Point>& c) const {
    if (buoyancy[axis] == 0) return;
    const auto acceleration =
        buoyancy[axis] * mean_along<Real, axis, true>(orders, c, [&](int steps) {
          return scalars.template beside<axis>(c, steps);
        });
    if (force[axis].origin != nullptr) force[axis].set(c, force[axis](c) + acceleration);
    if (result[axis].origin != nullptr)
      result[axis].set(c, result[axis](c) + weight * acceleration);
  }
};

/// The stage of all velocity components. On boundary faces, which have no equation, the values are
/// meaningless.
template <class Real, class Orders, class Axes = ImplicitAxes<Orders>>
struct StageEquation {
  SkewTerms<Real, Orders> terms;  // with V at the beginning of the stage
  ImplicitDiffusion<Real, Axes> implicit;
  StageWeights<Real> weights;
  VelocityView<Real> force;           // F_before, not read in the first stage; becomes F
  VelocityView<Real> result;          // becomes V*, or r where an axis is implicit
  FieldView<const Real> pressure;     // null: without grad p
  FieldView<const Real> temperature;  // at the beginning of the stage; null: AddBuoyancy or none
  PerAxis<Real> buoyancy;             // acceleration per temperature [U^2/(L T0)]
  PerAxis<Real> uniform;              // g dt f [U]

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = terms.velocity[0].spot(point);
    const auto u = of_component<Axis::x>(c);
    const auto v = of_component<Axis::y>(c);
    const auto w = of_component<Axis::z>(c);
    store<Axis::x>(c, u);
    store<Axis::y>(c, v);
    store<Axis::z>(c, w);
  }

  /// Stores the stage of the component along `axis` at c. here: q; advanced: - N q + nu L q;
  /// before: F_before.
  template <Axis axis, class Point, class Value>
  DNS_HD void finish(const Spot<Point>& c, Value here, Value advanced, Value before) const {
    store<axis>(c, completed<axis>(c, here, advanced, before));
  }

 private:
  template <class Value>
  struct Stage {
    Value force, result;
  };

  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto of_component(const Spot<Point>& c) const {
    const FieldView<const Real>& q = terms.velocity[axis];
    using Value = decltype(q(c));
    const Value advanced = terms.template operator()<velocity_along(axis)>(q, c);
    return completed<axis>(
        c, q(c), advanced, weights.before != 0 ? Value(force[axis](c)) : Value(Real(0)));
  }
  template <Axis axis, class Point, class Value>
  [[nodiscard]] DNS_HD Stage<Value> completed(const Spot<Point>& c,
                                              Value here,
                                              Value now,
                                              Value before) const {
    const auto& order = terms.orders.template along<axis>();
    if (temperature.origin != nullptr && buoyancy[axis] != 0) {
      now += buoyancy[axis] * mean_of<Real, true>(order, [&](int steps) {
               return temperature.template beside<axis>(c, steps);
             });
    }
    Value r = weights.now * now + Value(uniform[axis]);
    if (weights.before != 0) r += weights.before * before;
    if (pressure.origin != nullptr) {
      const auto slope =
          weights.whole * entry<axis>(terms.metrics.template along<axis>().inverse_distance, c);
      r -= slope * difference_of<Real, true>(
                       order, [&](int steps) { return pressure.template beside<axis>(c, steps); });
    }
    r = implicit.template added_to<velocity_along(axis)>(r, here, terms.velocity[axis], c);
    return {now, implicit.any() ? r : here + r};
  }
  template <Axis axis, class Point, class Value>
  DNS_HD void store(const Spot<Point>& c, const Stage<Value>& stage) const {
    force[axis].set(c, stage.force);
    result[axis].set(c, stage.result);
  }
};

}  // namespace dns
