/// The unknown beyond a boundary plane of a staggered grid, from the first one inside.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

/// The unknown q_0 beyond a plane, or on it, with q_1 the first one inside:
///
///   q_0 = first q_1 + weight given
///
/// with the same weights on the whole plane, or with a `first` for each of its points. The given
/// values are then weighted already: weight is 1, and so is the member `first`.
template <class Real>
struct PlaneClosure {
  Real first = 0, weight = 1;
  FaceView<const Real> given{};
  FaceView<const Real> varying{};  // `first` of each point; null: the same everywhere

  [[nodiscard]] DNS_HD bool varies() const { return varying.values != nullptr; }

  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value ghost(Point c, Value q_1) const {
    Value q_0 = first * q_1;
    if (varies()) q_0 = varying(c) * q_1;
    if (weight != 0) q_0 += weight * given(c);
    return q_0;
  }
  /// q_1 - q_0, in double.
  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value drop(Point c, Value q_1) const {
    Value difference = (1 - double{first}) * q_1;
    if (varies()) difference = (1 - in_double(varying(c))) * q_1;
    if (weight != 0) difference -= double{weight} * in_double(given(c));
    return difference;
  }
  /// Scales the coefficient of q_0 in a row such that `first` times it folds q_0 into q_1.
  template <class Point, class Value>
  DNS_HD void scale(Point c, Value& coefficient) const {
    if (varies()) coefficient = varying(c) * coefficient;
  }
};

/// Where a closure changes: the given value with which the next one has the unknowns at hand,
/// q_0 - first q_1. For the points beyond the plane; `inward` is +1 or -1.
template <Axis axis, class Real>
struct FitGiven {
  FieldView<const Real> q;
  FaceView<Real> given;
  FaceView<const Real> first;
  int inward;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    given.set(c, q(c) - first(c) * q.template beside<axis>(c, inward));
  }
};

/// How far inside of the plane the difference of the ghost point and the first unknown is the
/// derivative of a variable, to second order: this share of a quarter of the cell's width. 1 where
/// the value is given, 0 where the gradient is, else between.
template <class Real>
[[nodiscard]] DNS_HD Real place_of_difference(Real first) {
  return (1 - first) / 2;
}

}  // namespace dns
