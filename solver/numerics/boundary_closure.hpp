/// Boundary conditions as data: the value at a boundary node from the two nodes inside of it.
#pragma once

#include "solver/core/layer_view.hpp"
#include "solver/core/tridiagonal.hpp"

namespace dns {

/// A condition on one variable at one face, s the outward normal:
///   value_weight q + gradient_weight dq/ds = target,
/// or linear extrapolation from inside, which needs no target.
struct BoundaryCondition {
  double value_weight = 1;
  double gradient_weight = 0;
  bool is_extrapolated = false;

  static constexpr BoundaryCondition value() { return {1, 0, false}; }
  static constexpr BoundaryCondition gradient() { return {0, 1, false}; }
  static constexpr BoundaryCondition extrapolate() { return {0, 0, true}; }
};

/// q_0 = first q_1 + second q_2 + weight target, with q_0 at the boundary node.
template <class Real>
struct BoundaryClosure {
  Real first = 0, second = 0, weight = 1;
};

/// Closure of second order: dq/ds = (3 q_0 - 4 q_1 + q_2)/(2 h) one-sided. Then
///   value:       q_0 = target
///   gradient:    q_0 = (4 q_1 - q_2 + 2 h target)/3
///   extrapolate: q_0 = 2 q_1 - q_2
/// Requires h > 0 and, unless extrapolated, weights >= 0 that are not both 0.
template <class Real>
[[nodiscard]] BoundaryClosure<Real> closure_of(BoundaryCondition condition, double h) {
  if (condition.is_extrapolated) return {Real(2), Real(-1), Real(0)};
  const double slope = condition.gradient_weight / (2 * h);
  const double divisor = condition.value_weight + 3 * slope;
  return {Real(4 * slope / divisor), Real(-slope / divisor), Real(1 / divisor)};
}

/// The closures of all variables on one face, with their targets.
template <class Real>
struct FaceClosures {
  BoundaryClosure<Real> closure[variables_per_layer];
  FaceView<const Real> target[variables_per_layer];

  /// Value of a variable at the boundary node whose face point is `c`.
  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value boundary_value(int variable, Point c, Value q_1, Value q_2) const {
    const BoundaryClosure<Real> weights = closure[variable];
    return weights.first * q_1 + weights.second * q_2 + weights.weight * target[variable](c);
  }
};

/// Eliminates the boundary node from the row next to it. `outward` is the row's coefficient of
/// the boundary node, `inward` that of the other neighbour:
///   outward q_0 + diagonal q_1 + inward q_2 = rhs
/// Unknowns that share a matrix must have the same closure but for their targets.
template <class Real, class System, class Value, class Point>
DNS_HD void fold_boundary_node(const FaceClosures<Real>& face,
                               Point c,
                               Value (&outward)[System::matrices],
                               Value (&inward)[System::matrices],
                               TridiagonalRow<System, Value>& row) {
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    row.rhs[unknown] -= outward[System::matrix_of(unknown)] *
                        (face.closure[unknown].weight * face.target[unknown](c));
  }
  for (int matrix = 0; matrix < System::matrices; ++matrix) {
    const BoundaryClosure<Real> weights = face.closure[System::first_unknown_of(matrix)];
    row.diagonal[matrix] += outward[matrix] * weights.first;
    inward[matrix] += outward[matrix] * weights.second;
    outward[matrix] = Value(0);
  }
}

/// Re-evaluates the boundary nodes of both faces across `axis`: called at the points of a box
/// with two points along `axis`, 0 for the low face and 1 for the high one.
template <Axis axis, class Real>
struct EvaluateFaces {
  LayerView<Real> layer;
  FaceClosures<Real> low, high;
  int points;  // along `axis`

  DNS_HD void operator()(Index3 c) const {
    const bool is_low = along<axis>(c) == 0;
    const int inward = is_low ? 1 : -1;
    const int boundary = is_low ? 0 : points - 1;
    const FaceClosures<Real>& face = is_low ? low : high;
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      const Real q_1 = layer(variable, placed<axis>(c, boundary + inward));
      const Real q_2 = layer(variable, placed<axis>(c, boundary + 2 * inward));
      layer.set(variable, placed<axis>(c, boundary), face.boundary_value(variable, c, q_1, q_2));
    }
  }
};

/// Fills the ghost nodes of a periodic axis: q_(-1) = q_(n-1), q_n = q_0. Called like
/// EvaluateFaces.
template <Axis axis, class Real>
struct FillPeriodicGhosts {
  LayerView<Real> layer;
  int points;  // along `axis`

  DNS_HD void operator()(Index3 c) const {
    const bool is_low = along<axis>(c) == 0;
    const Index3 ghost = placed<axis>(c, is_low ? -1 : points);
    const Index3 image = placed<axis>(c, is_low ? points - 1 : 0);
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      layer.set(variable, ghost, layer(variable, image));
    }
  }
};

}  // namespace dns
