/// Kernels over points.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "cpu/denormals.hpp"
#include "cpu/pack.hpp"

namespace dns {

/// kernel(c) for every point of a line along x. Kernels written for any type of point are called
/// with aligned packs of type Point where these fit, the others with Index3.
template <class Real, class Point, class Kernel>
void for_each_of_line(Index3 c, int end_i, const Kernel& shared) {
  constexpr int width = pack_width<Real>;
  constexpr bool takes_packs = requires(Point point) {
    shared.template operator()<Point>(point);
  };
  const Kernel kernel = shared;  // which stores of results cannot change: it stays in registers
  int i = c.i;
  if constexpr (takes_packs) {
    for (; i < end_i && i % width != 0; ++i) kernel(Index3{i, c.j, c.k});
    for (; i + width <= end_i; i += width) kernel(Point{PackPoint<width>{{i, c.j, c.k}}});
  }
  for (; i < end_i; ++i) kernel(Index3{i, c.j, c.k});
}

/// What is called with the first point of each line from `begin` to `end`: an object of the
/// kernel's own, where it works along lines.
template <class Real, class Point, class Kernel>
auto along_lines(const Kernel& kernel, int begin, int end) {
  if constexpr (requires { kernel.along_lines(begin, end); }) {
    return kernel.along_lines(begin, end);
  } else {
    return [&kernel, end](Index3 first) { for_each_of_line<Real, Point>(first, end, kernel); };
  }
}

/// kernel(c) for every point of a box, or for every line of it, by one object for each thread.
/// Denormal numbers are zero, unless the kernel keeps them.
template <class Real, class Point, class Kernel>
void for_each_in_packs(Box box, const Kernel& kernel, int threads) {
#pragma omp parallel num_threads(threads)
  {
    std::optional<DenormalsAreZero> in_this_thread;
    if constexpr (!requires { Kernel::keeps_denormals; }) in_this_thread.emplace();
    auto visit_line = along_lines<Real, Point>(kernel, box.begin.i, box.end.i);
#pragma omp for collapse(2) schedule(static)
    for (int k = box.begin.k; k < box.end.k; ++k)
      for (int j = box.begin.j; j < box.end.j; ++j) visit_line(Index3{box.begin.i, j, k});
    finish_streaming();
  }
}

/// kernel(c) for every point of a box, in packs. Fields that a later pass reads are written past
/// the caches, if they are large.
template <class Real, class Kernel>
void for_each(Box box, const Kernel& kernel, int threads) {
  constexpr int width = pack_width<Real>;
  const std::size_t points = box.extents().count();
  if (points == 0) return;
  if constexpr (requires { Kernel::is_for_a_later_pass; }) {
    if (outgrow_caches(points * sizeof(Real)))
      return for_each_in_packs<Real, StreamedPackPoint<width>>(box, kernel, threads);
  }
  for_each_in_packs<Real, PackPoint<width>>(box, kernel, threads);
}

/// kernel(c) between the ends of a line along x, in packs where they fit.
template <class Real, class Kernel>
void for_each_between(Index3 first, int last_i, const Kernel& kernel) {
  constexpr int width = pack_width<Real>;
  int i = first.i + 1;
  for (; i + width <= last_i; i += width) kernel(PackPoint<width>{{i, first.j, first.k}});
  for (; i < last_i; ++i) kernel(Index3{i, first.j, first.k});
}

/// kernel(c) on some of the outermost planes of a box, in one pass over its lines along x.
template <class Real, class Kernel>
void for_each_on_boundary(Box box,
                          const BoundaryPlanes& planes,
                          const Kernel& kernel,
                          int threads) {
  constexpr int lines_ahead = 16;  // to prefetch: each point of an x face is on a page of its own
  const Index3 first = box.begin;
  const Index3 last{box.end.i - 1, box.end.j - 1, box.end.k - 1};
  const auto is_on = [&](int axis, int index, int low, int high) {
    return (planes.is_included[axis][0] && index == low) ||
           (planes.is_included[axis][1] && index == high);
  };
#pragma omp parallel num_threads(threads)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for collapse(2) schedule(static)
    for (int k = first.k; k <= last.k; ++k) {
      for (int j = first.j; j <= last.j; ++j) {
        const bool is_whole_line = is_on(2, k, first.k, last.k) || is_on(1, j, first.j, last.j);
        const auto end_of_line = [&](int i, bool is_included) {
          if (!is_included && !is_whole_line) return;
          kernel(PrefetchPoint{{i, std::min(j + lines_ahead, last.j - 1), k}});
          kernel(Index3{i, j, k});
        };
        end_of_line(first.i, planes.is_included[0][0]);
        if (is_whole_line) for_each_between<Real>(Index3{first.i, j, k}, last.i, kernel);
        end_of_line(last.i, planes.is_included[0][1]);
      }
    }
  }
}

}  // namespace dns
