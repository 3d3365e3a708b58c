/// Boundary conditions on a staggered grid, as data, and the evaluation of ghost points from them.
///
/// The velocity normal to a boundary plane lives on the plane itself. Everything else lives half a
/// cell inside of it and has a ghost point beyond it (robin_ghost.hpp).
#pragma once

#include <type_traits>

#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/boundary_closure.hpp"
#include "solver/numerics/plane_closure.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// Fields with ghost points: u, v, w, T and p.
inline constexpr int pressure_variable = 4;
inline constexpr int staggered_variables = 5;

/// Closure of a variable given on the plane itself (normal velocity): q_0 = given.
template <class Real>
[[nodiscard]] BoundaryClosure<Real> closure_on_plane() {
  return {Real(0), Real(0), Real(1)};
}

/// Closures and given values of all variables on all boundary planes.
template <class Real>
struct StaggeredClosures {
  PerAxis<PlaneClosure<Real>[2]> planes[staggered_variables];  // variable; axis; low, high end
  PerAxis<bool> is_periodic{};
  PerAxis<bool[2]> is_seam{};  // the points beyond are another rank's
  Extents cells;
};

/// Evaluates the outermost points of fields from the points inside: ghost points, and the normal
/// velocity on high boundary planes. In effect: across x, then y, then z, each on its whole plane.
/// Not for points beyond a seam.
template <class Real>
struct FillGhosts {
  FieldView<Real> fields[staggered_variables];  // null: left out
  StaggeredClosures<Real> closures;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    Point c = point;
    c.i = image<Axis::x>(point);
    c.j = image<Axis::y>(point);
    c.k = image<Axis::z>(point);
    const Point beside_z = placed<Axis::z>(c, inside<Axis::z>(c));
    const Point beside_y = placed<Axis::y>(beside_z, inside<Axis::y>(c));
    const Point in_the_box = placed<Axis::x>(beside_y, inside<Axis::x>(c));
    decltype(fields[0](c)) values[staggered_variables] = {};  // all before the first is stored
    for (int variable = 0; variable < staggered_variables; ++variable) {
      if (is_included(variable)) values[variable] = fields[variable](in_the_box);
    }
    go_across<Axis::x>(beside_y, values);
    go_across<Axis::y>(beside_z, values);
    go_across<Axis::z>(c, values);
    for (int variable = 0; variable < staggered_variables; ++variable) {
      if (is_included(variable)) fields[variable].set(point, values[variable]);
    }
  }

 private:
  [[nodiscard]] DNS_HD bool is_included(int variable) const {
    return fields[variable].origin != nullptr;
  }

  /// The index along `axis` of the point that a ghost point repeats.
  template <Axis axis>
  [[nodiscard]] DNS_HD int image(Index3 c) const {
    const int index = along<axis>(c);
    if (!closures.is_periodic[axis]) return index;
    return periodic_image(index, along<axis>(closures.cells));
  }
  /// The index of c along `axis`, or of the nearest cell inside the box.
  template <Axis axis>
  [[nodiscard]] DNS_HD int inside(Index3 c) const {
    const int last = along<axis>(closures.cells) - 1;
    return along<axis>(c) < 0 ? 0 : along<axis>(c) > last ? last : along<axis>(c);
  }

  /// If c is beyond a boundary plane across `axis`: turns the values inside of it into those at c.
  template <Axis axis, class Point, class Values>
  DNS_HD void go_across(Point c, Values& values) const {
    const int index = along<axis>(c);
    if (index >= 0 && index < along<axis>(closures.cells)) return;
    for (int variable = 0; variable < staggered_variables; ++variable) {
      if (!is_included(variable)) continue;
      const auto& plane = closures.planes[variable][axis][index < 0 ? 0 : 1];
      values[variable] = plane.ghost(c, values[variable]);
    }
  }
};

/// Repeats fields along a periodic axis: `low` ghost points below its n points, then `high` above
/// them. For points whose index along the axis counts these ghost points from 0 on.
template <Axis axis, class Real>
struct RepeatPeriodic {
  FieldView<Real> fields[staggered_variables];  // null: left out
  int low;
  int n;

  template <class Point>
  requires(axis != Axis::x || std::is_same_v<Point, Index3>) DNS_HD void operator()(Point c) const {
    const int ghost = along<axis>(c);
    const Point to = placed<axis>(c, ghost < low ? ghost - low : ghost - low + n);
    const Point from = placed<axis>(c, periodic_image(along<axis>(to), n));
    for (const FieldView<Real>& field : fields) {
      if (field.origin != nullptr) field.set(to, field(from));
    }
  }
};

/// Several periodic axes at once.
struct RepeatedAxes {
  PerAxis<int> cells{};  // along these axes; 0: not along this one

  /// The point that a point of the box with its ghost points repeats; of other points itself.
  [[nodiscard]] DNS_HD Index3 image(Index3 c) const {
    if (cells[0] > 0) c.i = periodic_image(c.i, cells[0]);
    if (cells[1] > 0) c.j = periodic_image(c.j, cells[1]);
    if (cells[2] > 0) c.k = periodic_image(c.k, cells[2]);
    return c;
  }
};

/// Fills the ghost points along several periodic axes in one pass, as RepeatPeriodic does along
/// one. For all points of a box and its ghost points.
template <class Real>
struct RepeatAround {
  FieldView<Real> fields[staggered_variables];  // null: left out
  RepeatedAxes axes;

  DNS_HD void operator()(Index3 to) const {
    const Index3 from = axes.image(to);
    if (from.i == to.i && from.j == to.j && from.k == to.k) return;
    for (const FieldView<Real>& field : fields) {
      if (field.origin != nullptr) field.set(to, field(from));
    }
  }
};

/// Fills the ghost points of each velocity component along its own axis, if that is one of several
/// periodic ones. For all points of a box and its ghost points.
template <class Real>
struct RepeatNormalVelocity {
  VelocityView<Real> velocity;
  RepeatedAxes axes;

  DNS_HD void operator()(Index3 to) const {
    const Index3 from = axes.image(to);
    const bool is_beyond_x = from.i != to.i;
    const bool is_beyond_y = from.j != to.j;
    const bool is_beyond_z = from.k != to.k;
    if (is_beyond_x && !is_beyond_y && !is_beyond_z) velocity[0].set(to, velocity[0](from));
    if (is_beyond_y && !is_beyond_x && !is_beyond_z) velocity[1].set(to, velocity[1](from));
    if (is_beyond_z && !is_beyond_x && !is_beyond_y) velocity[2].set(to, velocity[2](from));
  }
};

/// Fills ghost points of fields along an axis that ends at planes of symmetry: `low` below its n
/// points, then `high` above them, as RepeatPeriodic. Values at centres are even, the velocity
/// across the planes is odd, and 0 on both.
template <Axis axis, class Real>
struct ReflectAtPlanes {
  FieldView<Real> fields[staggered_variables];  // null: left out
  int low;
  int n;

  template <class Point>
  requires(axis != Axis::x || std::is_same_v<Point, Index3>) DNS_HD void operator()(Point c) const {
    const int ghost = along<axis>(c);
    const int index = ghost < low ? ghost - low : ghost - low + n;
    for (int variable = 0; variable < staggered_variables; ++variable) {
      const FieldView<Real>& field = fields[variable];
      if (field.origin == nullptr) continue;
      const Point to = placed<axis>(c, index);
      if (variable != velocity_along(axis)) {
        field.set(to, field(placed<axis>(c, index < 0 ? -1 - index : 2 * n - 1 - index)));
      } else if (index == n) {
        using Value = decltype(field(c));
        field.set(to, Value(Real(0)));
        field.set(placed<axis>(c, 0), Value(Real(0)));
      } else {
        field.set(to, -field(placed<axis>(c, index < 0 ? -index : 2 * n - index)));
      }
    }
  }
};

/// Sets the normal velocity on all faces at the ends of the box: the given values on boundary
/// planes; along a periodic axis face n from face 0; none at seams. For the points of the outermost
/// faces.
template <class Real>
struct SetNormalVelocity {
  VelocityView<Real> velocity;
  StaggeredClosures<Real> closures;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    set_across<Axis::x>(c);
    set_across<Axis::y>(c);
    set_across<Axis::z>(c);
  }
  template <Axis axis>
  [[nodiscard]] DNS_HD bool is_end(Index3 c) const {
    const int index = along<axis>(c);
    return index == 0 || index == along<axis>(closures.cells);
  }
  /// Sets the velocity across a face at an end of the box, and returns it. Not at seams.
  template <Axis axis, class Point>
  DNS_HD auto set_at_end(Point c) const {
    const bool is_high = along<axis>(c) > 0;
    auto value = velocity[axis](placed<axis>(c, 0));
    if (!closures.is_periodic[axis])
      value = closures.planes[velocity_along(axis)][axis][is_high ? 1 : 0].given(c);
    if (!closures.is_periodic[axis] || is_high) velocity[axis].set(c, value);
    return value;
  }

 private:
  template <Axis axis, class Point>
  DNS_HD void set_across(Point c) const {
    const bool is_high = along<axis>(c) > 0;
    if (is_end<axis>(c) && !closures.is_seam[axis][is_high ? 1 : 0])
      static_cast<void>(set_at_end<axis>(c));
  }
};

/// Sets normal velocities at the ends of the box, as SetNormalVelocity, and evaluates div V/dt, as
/// DivergenceOverTime. For the cells of a box without seams.
template <class Real>
struct DivergenceBetweenEnds {
  SetNormalVelocity<Real> ends;
  DivergenceOverTime<Real> divergence;

  DNS_HD void operator()(Index3 cell) const {
    const auto c = divergence.result.spot(cell);
    divergence.result.set(
        c, divergence.inverse_dt * (slope<Axis::x>(c) + slope<Axis::y>(c) + slope<Axis::z>(c)));
  }

 private:
  template <Axis axis>
  [[nodiscard]] DNS_HD Real slope(const Spot<Index3>& c) const {
    return slope_at_centre<Real, axis>(
        divergence.metrics, c, divergence.orders, [&](int steps) -> Real {
          const Index3 face = placed<axis>(static_cast<Index3>(c), along<axis>(c) + steps);
          if (ends.template is_end<axis>(face)) return ends.template set_at_end<axis>(face);
          return divergence.velocity[axis].template beside<axis>(c, steps);
        });
  }
};

/// Convective outflow: dq/dt + U dq/ds = 0, with the mean velocity U through the open boundaries,
/// carries to the boundary plane the value that was a distance U dt upstream of it:
///   given_next = weight[0] q_plane + weight[1] q_1 + weight[2] q_2
/// by linear interpolation between the plane and the two unknowns inside of it. Called for the
/// points of the field's last plane, on the boundary plane or beyond it; `inward` is +1 or -1.
/// Source: Orlanski, J. Comput. Phys. 21 (1976) 251, with a uniform velocity.
template <Axis axis, class Real>
struct CarryOut {
  FieldView<const Real> q;  // at t^n
  FaceView<Real> given_now, given_next;
  PerAxis<Real> weight;
  int inward;
  bool is_on_plane;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    const auto last = q(c);
    const auto q_1 = q.template beside<axis>(c, inward);
    const auto q_2 = q.template beside<axis>(c, 2 * inward);
    const auto q_plane = is_on_plane ? last : Real(0.5) * (last + q_1);
    given_now.set(c, q_plane);
    given_next.set(c, weight[0] * q_plane + weight[1] * q_1 + weight[2] * q_2);
  }
};

/// The velocity along `axis` into the box at a point of a velocity `component` on a boundary plane.
template <Axis axis, int component, class Real, class Point>
[[nodiscard]] DNS_HD auto velocity_inward(const FieldView<const Real>& normal,
                                          const Point& on_plane,
                                          Real inward) {
  const auto here = inward * normal(on_plane);
  if constexpr (component == velocity_along(axis)) {
    return here;
  } else {
    constexpr auto own = static_cast<Axis>(component);
    return Real(0.5) * (here + inward * normal.template beside<own>(on_plane, -1));
  }
}

/// Convective outflow where fluid that comes back in is slowed down: where u_n < 0, along the
/// outward normal, the traction u_n u acts on the fluid between the plane and the first unknown, l
/// apart:
///   du/dt + U du/ds = -|u_n| u/l       given_next as above, over 1 + dt |u_n|/l
/// It takes |u_n| u^2 from the energy that the flow brings in, |u_n| u^2/2; what comes in has
/// U/(U + |u_n|) of the velocity inside where nothing changes. For the points of a plane of
/// velocity `component`, in the plane from the first face on. Source: Esmaily Moghadam et al.,
/// Comput. Mech. 48 (2011) 277, the traction beta u_n u, beta = 1.
template <Axis axis, int component, class Real>
struct SlowBackflow {
  FieldView<const Real> normal;  // the velocity along `axis` at t^n
  FaceView<Real> given;
  Real rate;  // dt/l [L/U]
  Real inward;
  int plane;  // index along `axis` of the boundary plane

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const Point c = placed<axis>(point, plane);
    const auto inflow = velocity_inward<axis, component>(normal, c, inward);
    const auto slowed = Real(1) + rate * where_above(inflow, Real(0), inflow);
    given.set(c, given.as_const()(c) / slowed);
  }
};

/// Convective outflow in Runge-Kutta stages. What moves is the last plane of a field: the normal
/// velocity on the boundary plane, or the ghost points beyond it, q_0, a width h from the unknown
/// inside, q_1:
///   F = - U (q_0 - q_1)/h,   given_next = q_0 + dt (al F + be F_before)
/// of the order of the stages. For the points of that plane; `inward` is +1 or -1.
template <Axis axis, class Real>
struct CarryOutInStages {
  FieldView<const Real> q;  // at the beginning of the stage
  FaceView<Real> given_now, given_next;
  FaceView<Real> force;  // F_before h, not read where its weight is 0; becomes F h
  Real speed;            // U
  Real now, before;      // dt al/h, dt be/h [L/U / L]
  int inward;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    const auto last = q(c);
    const auto carried = speed * (q.template beside<axis>(c, inward) - last);
    auto next = last + now * carried;
    if (before != 0) next += before * force.as_const()(c);
    force.set(c, carried);
    given_now.set(c, last);
    given_next.set(c, next);
  }
};

/// What F has more where fluid that comes back in is slowed down (SlowBackflow): - |u_n| q_0/h
/// where u_n < 0.
template <Axis axis, int component, class Real>
struct SlowBackflowInStages {
  FieldView<const Real> q, normal;  // of `component` and along `axis`
  FaceView<Real> given, force;
  Real now;
  Real inward;
  int plane;  // index along `axis` of the boundary plane

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const Point c = placed<axis>(point, plane);
    const auto inflow = velocity_inward<axis, component>(normal, c, inward);
    const auto slowed = where_above(inflow, Real(0), inflow) * q(point);
    given.set(point, given.as_const()(point) - now * slowed);
    force.set(point, force.as_const()(point) - slowed);
  }
};

/// How far a variable is from the value that a plane across `axis` gives, its largest: the value
/// that the line through its last two unknowns has where it is given, these unknowns, and the size
/// of values. Where the closure varies over the plane, all are scaled by (1 - first)/2: by 1 where
/// the value is given on the plane, by 0 where the gradient is. For the points of the last plane
/// inside; `inward` is +1 or -1.
template <Axis axis, class Real>
struct JumpAtPlane {
  static constexpr int jump = 0, difference = 1, size = 2, maxima = 3;
  FieldView<const Real> q;
  PlaneClosure<Real> closure;
  Real share;  // of the difference of the last two unknowns, from the last one to the given value
  int inward;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 0, maxima>& reduction) const {
    auto value = in_double(closure.given(c));
    auto q_1 = in_double(q(c));
    auto q_2 = in_double(q.template beside<axis>(c, inward));
    const auto beyond = double(share) * (q_2 - q_1);
    if (closure.varies()) {
      const auto scale = 0.5 * (1 - in_double(closure.varying(c)));
      value = 0.5 * value;
      q_1 = scale * q_1;
      q_2 = scale * q_2;
    }
    reduction.raise(jump, magnitude(q_1 - beyond - value));
    reduction.raise(difference, magnitude(q_1 - value));
    reduction.raise(difference, magnitude(q_2 - value));
    reduction.raise(size, magnitude(value));
    reduction.raise(size, magnitude(q_1));
  }
};

/// Adds a velocity [U] on all faces of a boundary plane: the same, and a part of that along
/// `outward` (+1, -1) where it flows out.
template <class Real>
struct ShiftGiven {
  FaceView<Real> given;
  Real shift, part;
  Real outward;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    const auto value = given.as_const()(c);
    const auto out = outward * value;
    given.set(c, value + shift + part * where_above(out, Real(0), value));
  }
};

/// Volume flux out through a boundary plane, and that of what flows out alone [U L^2].
template <Axis axis, class Real>
struct PlaneFlux {
  enum Sum { net, out, sums };
  FaceView<const Real> velocity;
  GridMetrics<Real> metrics;
  Real outward;  // +1, -1

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    constexpr Axis first = axes_in_plane(axis).first;
    constexpr Axis second = axes_in_plane(axis).second;
    const auto speed = in_double(outward * velocity(c));
    const auto flux = speed * entry_in_double<first>(metrics.template along<first>().width, c) *
                      entry_in_double<second>(metrics.template along<second>().width, c);
    reduction.sum[net] += flux;
    reduction.sum[out] += where_above(speed, 0.0, flux);
  }
};

}  // namespace dns
