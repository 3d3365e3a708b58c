/// Means over the edges of cells.
#pragma once

#include "solver/core/index.hpp"

namespace dns {

/// The point one step up along `axis`.
template <Axis axis, class Point>
[[nodiscard]] DNS_HD Point above(Point c) {
  return placed<axis>(c, along<axis>(c) + 1);
}

/// The mean of f over the four edges of cell c at the faces across two axes.
template <Axis first, Axis second, class Formula, class Point>
[[nodiscard]] DNS_HD auto mean_over_edges(const Formula& f, Point c) {
  using Value = decltype(f(c));
  return Value(0.25) *
         (f(c) + f(above<first>(c)) + f(above<second>(c)) + f(above<second>(above<first>(c))));
}

}  // namespace dns
