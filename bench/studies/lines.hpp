/// Tridiagonal systems stored as arrays of the size of a field, one system per grid line.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns::bench {

/// lower x_(m-1) + diagonal x_m + upper x_(m+1) = rhs at every point of a line; lower is 0 in its
/// first row, upper in its last.
template <class Real>
struct TridiagonalArrays {
  const Real* lower;
  const Real* diagonal;
  const Real* upper;
  const Real* rhs;
  Real* solution;
};

/// All lines of points^3 along one axis, x contiguous in memory; neighbouring lines are neighbours
/// along x (along y for lines along x).
struct LineSet {
  int points;                 // along every axis
  std::ptrdiff_t row_stride;  // from one row of a line to the next
  std::ptrdiff_t side_stride, outer_stride;

  static LineSet along(Axis axis, int points) {
    const std::ptrdiff_t n = points;
    if (axis == Axis::x) return {points, 1, n, n * n};
    if (axis == Axis::y) return {points, n, 1, n * n};
    return {points, n * n, 1, n};
  }
  [[nodiscard]] DNS_HD int count() const { return points * points; }
  [[nodiscard]] DNS_HD std::ptrdiff_t first(int line) const {
    return line % points * side_stride + line / points * outer_stride;
  }
};

}  // namespace dns::bench
