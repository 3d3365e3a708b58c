/// Second-order central differences on a uniform grid.
#pragma once

#include "solver/core/level_view.hpp"

namespace dns {

/// 1/(2 h) along each axis, h the spacing [1/L].
template <class Real>
struct InverseTwoSpacings {
  Real x, y, z;

  template <Axis axis>
  [[nodiscard]] DNS_HD Real along() const {
    if constexpr (axis == Axis::x) return x;
    if constexpr (axis == Axis::y) return y;
    if constexpr (axis == Axis::z) return z;
  }
};

/// dq/ds at a node: (q(s + h) - q(s - h)) / (2 h), s along `axis`; `here` is the address of the
/// node's value of q, a variable of the level.
template <Axis axis, class Real, int interleave_width, class Point>
[[nodiscard]] DNS_HD auto central_difference(const LevelView<const Real, interleave_width>& level,
                                             const Real* here,
                                             Point c,
                                             const InverseTwoSpacings<Real>& inverse_two_h) {
  const auto step = level.template stride<axis>();
  if constexpr (axis == Axis::x) {
    return (load_unaligned(here + step, c) - load_unaligned(here - step, c)) * inverse_two_h.x;
  } else {
    return (load(here + step, c) - load(here - step, c)) * inverse_two_h.template along<axis>();
  }
}

}  // namespace dns
