/// One sweep of scheme splitting as studies do it: random levels S and N, a given value at the low
/// end of every line, a given gradient at the high end; and how the result is checked.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "bench/host.hpp"
#include "bench/studies/random_values.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/boundary_closure.hpp"
#include "solver/numerics/splitting_rows.hpp"

namespace dns::bench {

/// Values of one field that a sweep reads or writes: four of S, N and the relaxed N each.
inline constexpr double words_of_splitting_sweep = 12;

/// Random values of S (level 0) and N (level 1) at node n.
[[nodiscard]] inline double level_value(int level, int variable, std::size_t n) {
  return scattered_sign(n, static_cast<std::uint64_t>(10 + 4 * level + variable));
}
/// Values given on the low face at its node n.
[[nodiscard]] inline double face_value(std::size_t n) {
  return scattered_sign(n, 20);
}

/// A level of points^3 nodes without ghosts or gaps, one variable after the other.
template <class Real>
[[nodiscard]] LevelView<Real> dense_level(Real* values, int points) {
  const std::ptrdiff_t n = points;
  LevelView<Real> view;
  for (int variable = 0; variable < variables_per_level; ++variable) {
    view.origin[variable] = values + variable * n * n * n;
  }
  view.stride_y = points;
  view.stride_z = points * points;
  return view;
}

/// The nodes inside of the boundary.
[[nodiscard]] inline Box inner_nodes(int points) {
  return {{1, 1, 1}, {points - 1, points - 1, points - 1}};
}

template <Axis axis, class Real, int interleave_width = 1>
using StudyRows = SplittingRows<axis, Real, SharedVelocityMatrix, false, interleave_width>;

/// Re = 500, Pr = 0.72, g = 1.4, dt = 5e-3 in the unit cube: diagonally dominant rows for |N| <= 1.
/// `face` holds points^2 values.
template <Axis axis, class Real, int interleave_width>
[[nodiscard]] StudyRows<axis, Real, interleave_width> study_rows(
    LevelView<Real, interleave_width> source,
    LevelView<const Real, interleave_width> nonlinear,
    const Real* face,
    int points) {
  const double inverse_two_h = 0.5 * (points - 1);
  const auto factor = static_cast<Real>(inverse_two_h);
  FaceClosures<Real> low;
  FaceClosures<Real> high;
  for (int variable = 0; variable < variables_per_level; ++variable) {
    low.closure[variable] = closure_of<Real>(BoundaryCondition::value(), 1 / (2 * inverse_two_h));
    high.closure[variable] =
        closure_of<Real>(BoundaryCondition::gradient(), 1 / (2 * inverse_two_h));
    low.given[variable] = face_view<const Real>(face, axis, {points, points, points});
    high.given[variable] = low.given[variable];
  }
  return {.source = source,
          .nonlinear = nonlinear,
          .constants = {Real(200), Real(1 / 500.0), Real(1 / 360.0), Real(0.4 / 700.0)},
          .inverse_two_h = {factor, factor, factor},
          .low = low,
          .high = high};
}

/// Relaxes N into another level: N_next = (N + D)/2.
template <class Real, int interleave_width>
[[nodiscard]] RelaxAndStore<Real, interleave_width> study_sink(
    LevelView<const Real, interleave_width> nonlinear,
    LevelView<Real, interleave_width> nonlinear_next) {
  return {.nonlinear = nonlinear,
          .nonlinear_next = nonlinear_next,
          .source = {},
          .weight = Real(0.5),
          .relaxes = true,
          .stores_solution = false};
}

/// The largest residual of D = 2 N_next - N in the equations of `rows`, relative to the terms that
/// are summed. Needs no elimination. Requires host memory.
template <Axis axis, class Real>
[[nodiscard]] double splitting_error(const StudyRows<axis, Real>& rows,
                                     LevelView<const Real> nonlinear_next,
                                     int points) {
  const auto solution = [&](int unknown, Index3 c) {
    return 2 * static_cast<double>(nonlinear_next(unknown, c)) -
           static_cast<double>(rows.nonlinear(unknown, c));
  };
  const auto error_at = [&](Index3 c) {
    const int m = along<axis>(c);
    const LineEnds ends{m == 1, m == points - 2};
    const auto row = row_at(rows, c, ends);
    double largest = 0;
    for (int unknown = 0; unknown < variables_per_level; ++unknown) {
      const double error = relative_residual(row, unknown, m, ends, [&](int position) {
        return solution(unknown, placed<axis>(c, position));
      });
      largest = larger_or_nan(largest, error);
    }
    return largest;
  };
  const std::size_t n = points;
  return largest_error(n * n * n, [&](std::size_t node) {
    const Index3 c{
        static_cast<int>(node % n), static_cast<int>(node / n % n), static_cast<int>(node / n / n)};
    const auto is_inner = [&](int index) { return index > 0 && index < points - 1; };
    return is_inner(c.i) && is_inner(c.j) && is_inner(c.k) ? error_at(c) : 0.0;
  });
}

/// The levels of a study on the host, S and N random, and the values given on the low faces.
template <class Real>
struct StudyLevels {
  explicit StudyLevels(int points_along_axis)
      : points(points_along_axis),
        count(static_cast<std::size_t>(points) * points * static_cast<std::size_t>(points)),
        levels(variables_per_level * count, 3),
        face(count / static_cast<std::size_t>(points)) {
    for (std::size_t n = 0; n < face.size(); ++n) face[n] = static_cast<Real>(face_value(n));
    for (int level = 0; level < 2; ++level) {
      levels.fill(level, [&](std::size_t at) {
        return level_value(level, static_cast<int>(at / count), at % count);
      });
    }
  }

  /// Error of the relaxed level as the result of a sweep along `axis`.
  template <Axis axis>
  [[nodiscard]] double error() {
    return splitting_error<axis, Real>(
        study_rows<axis, Real>(dense_level(levels.set(0), points),
                               dense_level(levels.set(1), points).as_const(),
                               face.data(),
                               points),
        dense_level(levels.set(2), points).as_const(),
        points);
  }

  int points;                // along each axis
  std::size_t count;         // of nodes
  HostBuffers<Real> levels;  // S, N, N relaxed
  std::vector<Real> face;
};

template <class Real>
inline constexpr double splitting_tolerance =
    32 * static_cast<double>(std::numeric_limits<Real>::epsilon());

}  // namespace dns::bench
