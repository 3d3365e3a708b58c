/// The formulas of scheme `projection` outside its sweeps, point by point.
#pragma once

#include <type_traits>
#include <utility>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/rows_across_walls.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

/// The three velocity components.
template <class Real>
struct VelocityView {
  PerAxis<FieldView<Real>> component;

  /// The component along an axis, given as Axis or number.
  DNS_HD const FieldView<Real>& operator[](auto axis) const { return component[axis]; }
  [[nodiscard]] VelocityView<const Real> as_const() const {
    return {{component[0].as_const(), component[1].as_const(), component[2].as_const()}};
  }
};

/// V~ = V^n + weight (V - V^n), stored in `advecting`; V is `other`, which may be `advecting`
/// itself. weight = -dt/(2 dt_before) with V = V^(n-1) extrapolates to t^(n+1/2); weight = 1/2 with
/// V = V^(n+1) interpolates.
template <class Real>
struct CombineVelocities {
  VelocityView<const Real> now;
  VelocityView<Real> other, advecting;
  Real weight;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = now[0].spot(point);
    const auto combined = [&](int axis) {
      const auto here = now[axis](c);
      return here + weight * (other[axis](c) - here);
    };
    // All loads before the first store: a compiler must assume that fields overlap.
    const auto u = combined(0);
    const auto v = combined(1);
    const auto w = combined(2);
    advecting[0].set(c, u);
    advecting[1].set(c, v);
    advecting[2].set(c, w);
  }
};

/// Whether orders have rows across walls along an axis.
template <Axis axis, class Orders>
inline constexpr bool crosses_walls =
    is_across_walls<std::remove_cvref_t<decltype(std::declval<Orders>().template along<axis>())>>;

/// (D_s f)_c at a centre. at(n): f at the face n steps above that of c. Number: of the weights.
template <class Number, Axis axis, class Real, class Point, class Orders, class At>
[[nodiscard]] DNS_HD auto slope_at_centre(const GridMetrics<Real>& metrics,
                                          const Point& c,
                                          const Orders& orders,
                                          const At& at) {
  const auto& order = orders.template along<axis>();
  if constexpr (crosses_walls<axis, Orders>) {
    const int index = along<axis>(c);
    const auto volume = static_cast<Number>(order.template inverse_volume<false>(index));
    if (order.template is_inside<false>(index))
      return difference_of<Number, false>(FixedOrder<4>{}, at) * volume;
    return order.template difference<false, Number>(index, at) * volume;
  } else {
    return difference_of<Number, false>(order, at) *
           entry<axis>(metrics.template along<axis>().inverse_width, c);
  }
}

/// What a difference across a face is divided by, as a factor [1/L]; 0 on boundaries.
template <Axis axis, class Real, class Point, class Orders>
[[nodiscard]] DNS_HD auto inverse_distance_at(const GridMetrics<Real>& metrics,
                                              const Point& c,
                                              const Orders& orders) {
  if constexpr (crosses_walls<axis, Orders>) {
    const auto& rows = orders.template along<axis>();
    const int face = along<axis>(c);
    const bool is_boundary = face == 0 || face == rows.cells;
    return is_boundary ? Real(0) : rows.template inverse_volume<true>(face);
  } else {
    return entry<axis>(metrics.template along<axis>().inverse_distance, c);
  }
}
/// The difference of a pressure across a face; on boundaries meaningless. at(n): at index i + n.
template <Axis axis, class Real, class Point, class Orders, class At>
[[nodiscard]] DNS_HD auto pressure_difference(const Point& c, const Orders& orders, const At& at) {
  const auto& order = orders.template along<axis>();
  if constexpr (crosses_walls<axis, Orders>) {
    const int face = along<axis>(c);
    if (order.template is_inside<true>(face)) return difference_of<Real, true>(FixedOrder<4>{}, at);
    return order.template applied<RowAcrossWalls::difference_at_face>(face, at);
  } else {
    return difference_of<Real, true>(order, at);
  }
}

/// (div V)_c = sum_s D_s V_s: where the orders are 2, the net volume flux out of cell c over its
/// volume.
template <class Real, class Point, class Orders>
[[nodiscard]] DNS_HD auto divergence_at(const VelocityView<const Real>& velocity,
                                        const GridMetrics<Real>& metrics,
                                        Point c,
                                        const Orders& orders) {
  const auto along = [&]<Axis axis>() {
    const FieldView<const Real>& q = velocity[axis];
    return slope_at_centre<Real, axis>(
        metrics, c, orders, [&](int steps) { return q.template beside<axis>(c, steps); });
  };
  return along.template operator()<Axis::x>() + along.template operator()<Axis::y>() +
         along.template operator()<Axis::z>();
}

/// div V/dt [U^2/L^2], the right-hand side of the Poisson equation.
template <class Real, class Orders = SecondOrder>
struct DivergenceOverTime {
  static constexpr bool is_for_a_later_pass = true;
  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  Real inverse_dt;
  FieldView<Real> result;
  Orders orders = {};

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = result.spot(point);
    result.set(c, inverse_dt * divergence_at(velocity, metrics, c, orders));
  }
};

/// V := V - dt grad phi + shift,   p := p + part phi.
/// `shift` [U] is uniform, a value for each axis in the memory of the device, or null: none; on
/// boundary faces the gradient is 0, and the shift across them must be. goes_around: ghost points
/// of phi are not read.
template <class Real, class Orders = SecondOrder, bool goes_around = false>
struct CorrectVelocity {
  VelocityView<Real> velocity;
  FieldView<const Real> phi;
  FieldView<Real> pressure;
  GridMetrics<Real> metrics;
  Real dt;
  const Real* shift;
  Real part;  // 0: p is not read
  Orders orders = {};
  PerAxis<int> around = {};  // from the ghost point at the low end to the one it repeats [steps]

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = phi.spot(point);
    const auto here = phi(c);
    // All loads before the first store: a compiler must assume that fields overlap.
    const auto u = corrected<Axis::x>(c, here);
    const auto v = corrected<Axis::y>(c, here);
    const auto w = corrected<Axis::z>(c, here);
    if (part != 0) pressure.set(c, pressure(c) + part * here);
    velocity[0].set(c, u);
    velocity[1].set(c, v);
    velocity[2].set(c, w);
  }

 private:
  template <Axis axis, class Point, class Value>
  [[nodiscard]] DNS_HD Value corrected(Point c, Value here) const {
    const auto slope = dt * inverse_distance_at<axis>(metrics, c, orders);
    const Value difference = pressure_difference<axis, Real>(c, orders, [&](int steps) -> Value {
      if (steps == 0) return here;
      if constexpr (goes_around) {
        if (along<axis>(c) == 0) steps += around[axis];
      }
      return phi.template beside<axis>(c, steps);
    });
    const Value value = velocity[axis](c) - slope * difference;
    return shift == nullptr ? value : value + Value(shift[velocity_along(axis)]);
  }
};

/// Adds a part of one field to another.
template <class Real>
struct AddField {
  FieldView<const Real> added;
  FieldView<Real> to;
  Real part;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    to.set(c, to(c) + part * added(c));
  }
};

/// q := own q + weight q_other; q is not read where `own` is 0.
template <class Real>
struct MixFields {
  FieldView<const Real> other;
  FieldView<Real> q;
  Real own, weight;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    auto mixed = weight * other(c);
    if (own != 0) mixed += own * q(c);
    q.set(c, mixed);
  }
};

/// Makes a field zero.
template <class Real>
struct ClearField {
  FieldView<Real> field;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    using Value = decltype(field(c));
    field.set(c, Value(Real(0)));
  }
};

/// Largest |q|; NaN where there is one.
template <class Real>
struct LargestMagnitude {
  FieldView<const Real> q;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 0, 1>& reduction) const {
    reduction.raise(0, magnitude(in_double(q(c))));
  }
};

/// Velocity at cell centres: the mean of both faces, of order 2 whatever accuracy.order is.
template <class Real>
struct VelocityAtCentres {
  VelocityView<const Real> velocity;
  VelocityView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    at_centre<Axis::x>(c);
    at_centre<Axis::y>(c);
    at_centre<Axis::z>(c);
  }

 private:
  template <Axis axis, class Point>
  DNS_HD void at_centre(Point c) const {
    result[axis].set(c,
                     Real(0.5) * (velocity[axis](c) + velocity[axis].template beside<axis>(c, 1)));
  }
};

/// Largest change of any component from one global iteration to the next [U]. `advecting` is V~,
/// the mean of V^n and the previous iterate.
template <class Real>
struct IterationChange {
  VelocityView<const Real> now, advecting, next;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 0, 1>& reduction) const {
    for (int axis = 0; axis < 3; ++axis) {
      const auto before = advecting[axis](c) + (advecting[axis](c) - now[axis](c));
      reduction.raise(0, magnitude(in_double(next[axis](c) - before)));
    }
  }
};

}  // namespace dns
