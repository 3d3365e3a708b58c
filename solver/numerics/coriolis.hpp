/// The Coriolis acceleration C V = - 2 Omega x V of scheme `projection` in a frame that turns with
/// the angular velocity Omega. The centrifugal acceleration is part of the pressure.
///
///   C = S (f x) M,  f = - 2 Omega:  M takes each component from its faces to the centres,
///   S the product from the centres to the faces across its own axis
///
/// both by I of the order of the axis (staggered_orders.hpp), across walls of order 4 by J and J*
/// (order_across_walls.hpp). Where the order is 2, M is the mean of both faces, S that of both
/// cells by volume: S is the transpose of M under the volumes, so that the sum of volume V . C V is
/// 0 on stretched grids too. Boundary faces have no equation; their given velocity enters that of
/// the others.
///
/// Implicit steps take C = - (L + U) from strictly lower and upper halves in the order u, v, w, and
/// solve
///
///   (I + dt/2 L)(I + dt/2 U) dV = right-hand side
///
/// by substitution, component after component: det = 1.
#pragma once

#include "solver/core/index.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

/// S M q at the faces across `to` of a component across `from`; at(m, n): q at m steps along `to`
/// and n along `from`.
template <Axis to, Axis from, class Value, class Real, class Orders, class Point, class At>
[[nodiscard]] DNS_HD Value mean_at_faces(const GridMetrics<Real>& metrics,
                                         const Orders& orders,
                                         const Point& c,
                                         const At& at) {
  const auto at_centre = [&](int m) {
    return Value(mean_along<Real, from, false>(orders, c, [&](int n) { return Value(at(m, n)); }));
  };
  const auto& order = orders.template along<to>();
  if constexpr (crosses_walls<to, Orders>) {
    return Value(order.template applied<RowAcrossWalls::carry_at_face>(along<to>(c), at_centre));
  } else {
    if (order.pairs() > 1) return Value(mean_of<Real, true>(order, at_centre));
    const AxisMetrics<Real>& shares = metrics.template along<to>();
    return Value(entry<to>(shares.share_below, c) * at_centre(-1) +
                 entry<to>(shares.share_above, c) * at_centre(0));
  }
}

/// The axes after one, cyclically.
[[nodiscard]] DNS_HD constexpr Axis axis_after(Axis axis, int steps) {
  return static_cast<Axis>((static_cast<int>(axis) + steps) % 3);
}

/// The component of C V along an axis at its faces; rate: 2 Omega [U/L]. On boundary faces, which
/// have no equation, meaningless. Requires ghost points.
template <Axis axis, class Real, class Orders, class Point>
[[nodiscard]] DNS_HD auto coriolis_at(const VelocityView<const Real>& velocity,
                                      const GridMetrics<Real>& metrics,
                                      const Orders& orders,
                                      const PerAxis<Real>& rate,
                                      const Spot<Point>& c) {
  constexpr Axis next = axis_after(axis, 1);
  constexpr Axis last = axis_after(axis, 2);
  using Value = decltype(velocity[0](c));
  const auto mean = [&]<Axis from>() {
    return mean_at_faces<axis, from, Value>(metrics, orders, c, [&](int m, int n) {
      return velocity[from].template beside<axis, from>(c, m, n);
    });
  };
  Value sum(Real(0));
  if (rate[last] != 0) sum += rate[last] * mean.template operator()<next>();
  if (rate[next] != 0) sum -= rate[next] * mean.template operator()<last>();
  return sum;
}

/// One component of a substitution, order 2: adds dt/2 times its row of - L, or - U, times dV to
/// V^n + dV. Not in bodies. For the unknowns of the component across `to`.
template <Axis to, class Real>
struct SubstituteCoriolis {
  VelocityView<const Real> now, next;  // V^n, V^n + dV; ghosts included
  GridMetrics<Real> metrics;
  SolidsView<Real> solids;          // kappa null: there are none
  Real of_next_axis, of_last_axis;  // dt/2 times what C has for the components after this one
  FieldView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = result.spot(point);
    using Value = decltype(result(c));
    Value change(Real(0));
    if (of_next_axis != 0) change += of_next_axis * of_component<axis_after(to, 1), Value>(c);
    if (of_last_axis != 0) change += of_last_axis * of_component<axis_after(to, 2), Value>(c);
    if (solids.kappa.origin != nullptr) change = solids.freedom(c) * change;
    result.set(c, result(c) + change);
  }

 private:
  template <Axis from, class Value, class Point>
  [[nodiscard]] DNS_HD Value of_component(const Spot<Point>& c) const {
    constexpr int component = velocity_along(from);
    return mean_at_faces<to, from, Value>(metrics, SecondOrder{}, c, [&](int m, int n) {
      return next[component].template beside<to, from>(c, m, n) -
             now[component].template beside<to, from>(c, m, n);
    });
  }
};

}  // namespace dns
