/// Boundary conditions as data: the value at a boundary node from the two nodes inside it.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/tridiagonal.hpp"

namespace dns {

/// A condition on one variable at one face, s the outward normal:
///   value_weight q + gradient_weight dq/ds = given,
/// or linear extrapolation from inside, which needs no given value.
struct BoundaryCondition {
  double value_weight = 1;
  double gradient_weight = 0;
  bool is_extrapolated = false;

  static constexpr BoundaryCondition value() { return {1, 0, false}; }
  static constexpr BoundaryCondition gradient() { return {0, 1, false}; }
  static constexpr BoundaryCondition extrapolate() { return {0, 0, true}; }
};

/// q_0 = first q_1 + second q_2 + weight given, with q_0 at the boundary node.
template <class Real>
struct BoundaryClosure {
  Real first = 0, second = 0, weight = 1;
};

/// Closure of second order: dq/ds = (3 q_0 - 4 q_1 + q_2)/(2 h) one-sided. Then
///   value:       q_0 = given
///   gradient:    q_0 = (4 q_1 - q_2 + 2 h given)/3
///   extrapolate: q_0 = 2 q_1 - q_2
/// Requires h > 0 and, unless extrapolated, weights >= 0 that are not both 0.
template <class Real>
[[nodiscard]] BoundaryClosure<Real> closure_of(BoundaryCondition condition, double h) {
  if (condition.is_extrapolated) return {Real(2), Real(-1), Real(0)};
  const double slope = condition.gradient_weight / (2 * h);
  const double divisor = condition.value_weight + 3 * slope;
  return {Real(4 * slope / divisor), Real(-slope / divisor), Real(1 / divisor)};
}

/// The closures and given values of all variables on one face.
template <class Real>
struct FaceClosures {
  BoundaryClosure<Real> closure[variables_per_level];
  FaceView<const Real> given[variables_per_level];

  /// Value of a variable at the boundary node whose face point is `c`.
  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value boundary_value(int variable, Point c, Value q_1, Value q_2) const {
    const BoundaryClosure<Real> weights = closure[variable];
    const Value from_inside = weights.first * q_1 + weights.second * q_2;
    return weights.weight == 0 ? from_inside : from_inside + weights.weight * given[variable](c);
  }
};

/// Eliminates the boundary node from the row next to it. `outward` is the row's coefficient of
/// the boundary node, `inward` that of the other neighbour:
///   outward q_0 + diagonal q_1 + inward q_2 = rhs
/// This changes the matrix; `given_part` is subtracted from the right-hand side.
template <class Real, class Value>
DNS_HD void fold_boundary_node(const BoundaryClosure<Real>& closure,
                               Value& outward,
                               Value& diagonal,
                               Value& inward) {
  diagonal += outward * closure.first;
  inward += outward * closure.second;
  outward = Value(0);
}

/// outward * weight * given, of a variable at the boundary node whose face point is `c`. Given
/// values of weight 0 are not read: a thread would wait for them.
template <class Real, class Value, class Point>
[[nodiscard]] DNS_HD Value
given_part(const FaceClosures<Real>& face, int variable, Point c, Value outward) {
  const Real weight = face.closure[variable].weight;
  return weight == 0 ? Value(0) : outward * (weight * face.given[variable](c));
}

/// The closures of all faces, which axes have none because they are periodic, and which ends have
/// none because the nodes beyond are another rank's.
template <class Real>
struct BoxClosures {
  PerAxis<FaceClosures<Real>[2]> face;  // axis; low, high end
  PerAxis<bool> is_periodic{};
  PerAxis<bool[2]> is_seam{};
};

/// Evaluates some variables, all of them by default, at a boundary or ghost node of a level, from
/// the nodes inside. In effect: x faces, then y, then z, each on its whole plane; then the ghost
/// nodes of periodic axes, q_(-1) = q_(n-1) and q_n = q_0. Every node is evaluated by itself, one
/// on an edge from the boundary nodes that come first in this order. Without has_edges, nodes on
/// more than one face stay as they are.
template <class Real,
          int interleave_width = 1,
          int first_variable = 0,
          int variables = variables_per_level,
          bool has_edges = true>
struct FillBoundaryAndGhosts {
  LevelView<Real, interleave_width> level;
  BoxClosures<Real> closures;
  Extents points;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    Point c = point;
    c.i = image<Axis::x>(point);
    c.j = image<Axis::y>(point);
    c.k = image<Axis::z>(point);
    decltype(level(0, c)) values[variables];  // all of them before the first is stored
    if (is_on_edge(c)) {
      if constexpr (!has_edges) return;
      take([&](int variable) { return value_across<Axis::z>(variable, c); }, values);
    } else if (is_boundary<Axis::x>(c)) {
      take_from_inside<Axis::x>(c, values);
    } else if (is_boundary<Axis::y>(c)) {
      take_from_inside<Axis::y>(c, values);
    } else if (is_boundary<Axis::z>(c)) {
      take_from_inside<Axis::z>(c, values);
    } else {
      take([&](int variable) { return level(variable, c); }, values);
    }
    for (int n = 0; n < variables; ++n) level.set(first_variable + n, point, values[n]);
  }
  /// Fills one variable at the boundary or ghost node at an end of a grid line along `axis` whose
  /// other nodes are not on a face; value_at(c) is the variable at these.
  template <Axis axis, class Point, class ValueAt>
  DNS_HD void fill_end(int variable, Point point, const ValueAt& value_at) const {
    const Point c = placed<axis>(point, image<axis>(point));
    level.set(variable,
              point,
              is_boundary<axis>(c) ? from_inside<axis>(variable, c, value_at) : value_at(c));
  }
  template <Axis axis, class Point>
  DNS_HD void fill_end(int variable, Point point) const {
    fill_end<axis>(variable, point, [&](Point c) { return level(variable, c); });
  }

 private:
  /// The index along `axis` of the node that a ghost node repeats.
  template <Axis axis>
  [[nodiscard]] DNS_HD int image(Index3 c) const {
    return periodic_image(along<axis>(c), along<axis>(points));
  }

  template <Axis axis>
  [[nodiscard]] DNS_HD bool is_boundary(Index3 c) const {
    const int index = along<axis>(c);
    return !closures.is_periodic[axis] &&
           ((index == 0 && !closures.is_seam[axis][0]) ||
            (index == along<axis>(points) - 1 && !closures.is_seam[axis][1]));
  }
  /// On more than one face.
  [[nodiscard]] DNS_HD bool is_on_edge(Index3 c) const {
    const bool x = is_boundary<Axis::x>(c);
    const bool y = is_boundary<Axis::y>(c);
    const bool z = is_boundary<Axis::z>(c);
    return (x && y) || (x && z) || (y && z);
  }

  template <class ValueOf, class Value>
  DNS_HD static void take(const ValueOf& value_of, Value (&values)[variables]) {
    for (int n = 0; n < variables; ++n) values[n] = value_of(first_variable + n);
  }
  /// The values at c, which is on a face across `axis` and on no other.
  template <Axis axis, class Point, class Value>
  DNS_HD void take_from_inside(Point c, Value (&values)[variables]) const {
    take(
        [&](int variable) {
          return from_inside<axis>(variable, c, [&](Point at) { return level(variable, at); });
        },
        values);
  }

  /// The value at c as if the faces across `axis`, and those before them in order, were evaluated.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto value_across(int variable, Point c) const {
    const auto value_before = [&](Point at) {
      if constexpr (axis == Axis::x) return level(variable, at);
      if constexpr (axis == Axis::y) return value_across<Axis::x>(variable, at);
      if constexpr (axis == Axis::z) return value_across<Axis::y>(variable, at);
    };
    if (!is_boundary<axis>(c)) return value_before(c);
    return from_inside<axis>(variable, c, value_before);
  }

  /// The value at c on a face across `axis`, from those at the two nodes inside it.
  template <Axis axis, class Point, class ValueAt>
  [[nodiscard]] DNS_HD auto from_inside(int variable, Point c, const ValueAt& value_at) const {
    const int last = along<axis>(points) - 1;
    const bool is_low = along<axis>(c) == 0;
    return closures.face[axis][is_low ? 0 : 1].boundary_value(
        variable,
        c,
        value_at(placed<axis>(c, is_low ? 1 : last - 1)),
        value_at(placed<axis>(c, is_low ? 2 : last - 2)));
  }
};

/// The boundary values of the non-linear level that a sweep along `axis` reads: on faces across the
/// axis all variables; on the other faces the velocity along it, for the dissipation function; none
/// on edges of the box.
template <class Real, int interleave_width>
struct BoundaryForSweep {
  Axis axis;
  BoundaryPlanes planes;  // whose values depend on nodes inside, or on time
  FillBoundaryAndGhosts<Real, interleave_width> evaluate;

  /// The variables on planes across an axis.
  [[nodiscard]] DNS_HD int first_variable(Axis normal) const {
    return normal == axis ? 0 : velocity_along(axis);
  }
  [[nodiscard]] DNS_HD int variables(Axis normal) const {
    return normal == axis ? variables_per_level : 1;
  }
  [[nodiscard]] bool is_periodic(Axis normal) const {
    return evaluate.closures.is_periodic[normal];
  }
};

}  // namespace dns
