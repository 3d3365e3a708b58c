/// The systems that sweeps are measured on, and how a solution is checked.
#pragma once

#include <cmath>
#include <limits>

#include "bench/host.hpp"
#include "bench/studies/lines.hpp"
#include "bench/studies/random_values.hpp"

namespace dns::bench {

/// Coefficients at node number n (x fastest) of points^3, lines along `axis`. The diagonal exceeds
/// the sum of its neighbours by 1/8 or more, so that |x| <= 8 for |rhs| <= 1.
struct TridiagonalInput {
  Axis axis;
  int points;

  [[nodiscard]] std::size_t row(std::size_t n) const {
    return n / static_cast<std::size_t>(LineSet::along(axis, points).row_stride) %
           static_cast<std::size_t>(points);
  }
  [[nodiscard]] double lower(std::size_t n) const { return row(n) == 0 ? 0 : scattered_sign(n, 1); }
  [[nodiscard]] double upper(std::size_t n) const {
    return row(n) + 1 == static_cast<std::size_t>(points) ? 0 : scattered_sign(n, 2);
  }
  [[nodiscard]] double diagonal(std::size_t n) const {
    return std::abs(lower(n)) + std::abs(upper(n)) + 0.125 + scattered(n, 3);
  }
  [[nodiscard]] double rhs(std::size_t n) const { return scattered_sign(n, 4); }
};

/// Buffers of systems stored as arrays: lower, diagonal, upper, rhs; last, where the solution
/// belongs.
inline constexpr int solution_buffer = 4;
inline constexpr int buffers_of_systems = solution_buffer + 1;
template <class Real>
[[nodiscard]] TridiagonalArrays<Real> arrays_of(const HostBuffers<Real>& host) {
  return {host.set(0), host.set(1), host.set(2), host.set(3), host.set(solution_buffer)};
}
template <class Real>
void fill_systems(const HostBuffers<Real>& host, const TridiagonalInput& input) {
  host.fill(0, [&](std::size_t n) { return input.lower(n); });
  host.fill(1, [&](std::size_t n) { return input.diagonal(n); });
  host.fill(2, [&](std::size_t n) { return input.upper(n); });
  host.fill(3, [&](std::size_t n) { return input.rhs(n); });
}

/// Values of a field that is read or written by a sweep of systems stored as arrays: lower,
/// diagonal, upper, rhs in, the solution out.
inline constexpr double words_of_array_sweep = 5;

/// The largest residual of the stored equations, in double. Requires host memory.
template <class Real>
[[nodiscard]] double tridiagonal_error(const TridiagonalArrays<Real>& arrays,
                                       const TridiagonalInput& input) {
  const std::size_t stride = LineSet::along(input.axis, input.points).row_stride;
  const std::size_t points = input.points;
  return largest_error(points * points * points, [&](std::size_t n) {
    const auto product = [&](const Real* coefficient, std::size_t at) {
      return static_cast<double>(coefficient[n]) * static_cast<double>(arrays.solution[at]);
    };
    double residual = product(arrays.diagonal, n) - static_cast<double>(arrays.rhs[n]);
    if (input.row(n) > 0) residual += product(arrays.lower, n - stride);
    if (input.row(n) + 1 < points) residual += product(arrays.upper, n + stride);
    return std::abs(residual);
  });
}

/// Elimination without growth leaves a few roundings of numbers up to 2 * 3.125 * 8.
template <class Real>
inline constexpr double tridiagonal_tolerance =
    256 * static_cast<double>(std::numeric_limits<Real>::epsilon());

}  // namespace dns::bench
