/// Sums and maxima, bitwise the same for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "cpu/denormals.hpp"
#include "cpu/pack.hpp"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

/// Sums and maxima over the points of a box: line by line, and the lines in order.
template <int sums, int maxima, class Kernel>
Reduction<double, sums, maxima> reduce(Box box, const Kernel& kernel, int threads) {
  // Packs of as many doubles as a register holds, as sums are in double: compilers compare wider
  // ones number by number (diagnostics of 64^3 cells, float: 12 times slower).
  constexpr int width = pack_width<double>;
  const Extents extents{1, box.end.j - box.begin.j, box.end.k - box.begin.k};  // a line each
  std::vector<Reduction<double, sums, maxima>> lines(extents.count());
#pragma omp parallel num_threads(threads)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for collapse(2) schedule(static)
    for (int k = 0; k < extents.nz; ++k) {
      for (int j = 0; j < extents.ny; ++j) {
        Reduction<Pack<double, width>, sums, maxima> packs;
        Reduction<double, sums, maxima> line;
        Index3 c{box.begin.i, box.begin.j + j, box.begin.k + k};
        for (; c.i + width <= box.end.i; c.i += width) kernel(PackPoint<width>{c}, packs);
        for (; c.i < box.end.i; ++c.i) kernel(c, line);
        for (int lane = 0; lane < width; ++lane) {
          Reduction<double, sums, maxima> one;
          for (int which = 0; which < sums; ++which) one.sum[which] = packs.sum[which].lanes[lane];
          for (int which = 0; which < maxima; ++which) {
            one.maximum[which] = packs.maximum[which].lanes[lane];
          }
          line.merge(one);
        }
        lines[extents.place({0, j, k})] = line;
      }
    }
  }
  Reduction<double, sums, maxima> total;
  for (const auto& line : lines) total.merge(line);
  return total;
}

/// Kernels that take it take points of any kind. A pack is an Index3 too: one for Index3 alone
/// would take it for its first point.
struct AnyPoint {};

/// Adds the points of a line along x to one sum, in packs where the kernel takes them.
template <int sums, class Kernel>
void reduce_line(Index3 first,
                 int points,
                 const Kernel& kernel,
                 Reduction<double, sums, 0>& total) {
  constexpr int width = pack_width<double>;
  using Packs = Reduction<Pack<double, width>, sums, 0>;
  Reduction<double, sums, 0> line;
  Index3 c = first;
  const int end = first.i + points;
  if constexpr (std::is_invocable_v<const Kernel&, AnyPoint, Packs&>) {
    Packs packs;
    for (; c.i + width <= end; c.i += width) kernel(PackPoint<width>{c}, packs);
    for (int which = 0; which < sums; ++which) {
      for (int lane = 0; lane < width; ++lane) line.sum[which] += packs.sum[which].lanes[lane];
    }
  }
  for (; c.i < end; ++c.i) kernel(c, line);
  total.merge(line);
}

/// The planes across z are divided into parts whose number depends on sizes alone; if z is summed
/// over, each part is summed by itself, and the parts are merged in order.
template <int sums, class Kernel>
std::vector<Reduction<double, sums, 0>> reduce_profiles(Box box,
                                                        const PerAxis<bool>& summed,
                                                        const Kernel& kernel,
                                                        int threads) {
  using Result = Reduction<double, sums, 0>;
  const Extents extents = box.extents();  // OpenMP regions allow no structured bindings
  const int nx = extents.nx;
  const int ny = extents.ny;
  const int nz = extents.nz;
  const std::size_t kept_x = summed[0] ? 1 : nx;
  const std::size_t kept_y = summed[1] ? 1 : ny;
  const std::size_t kept_z = summed[2] ? 1 : nz;
  if (kept_x * kept_y * kept_z == 0) return {};
  constexpr int most_parts = 16;
  constexpr std::size_t most_partial_points = std::size_t{1} << 20;
  const auto affordable = static_cast<int>(most_partial_points / (kept_x * kept_y));
  // One part at least: the sums over no planes are zero.
  const int parts =
      summed[2] ? std::min(std::max(nz, 1), std::clamp(affordable, 1, most_parts)) : nz;
  const std::size_t points_of_part = kept_x * kept_y;
  std::vector<Result> partial(points_of_part * parts);
#pragma omp parallel num_threads(threads)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int part = 0; part < parts; ++part) {
      Result* const own = partial.data() + points_of_part * part;
      for (int k = nz * part / parts; k < nz * (part + 1) / parts; ++k) {
        for (int j = 0; j < ny; ++j) {
          Result* const line = own + (summed[1] ? 0 : kept_x * j);
          const Index3 first{box.begin.i, box.begin.j + j, box.begin.k + k};
          if (summed[0]) {
            reduce_line<sums>(first, nx, kernel, *line);
            continue;
          }
          for (int i = 0; i < nx; ++i) kernel(Index3{first.i + i, first.j, first.k}, line[i]);
        }
      }
    }
  }
  if (!summed[2]) return partial;
  std::vector<Result> total(partial.begin(),
                            partial.begin() + static_cast<std::ptrdiff_t>(points_of_part * kept_z));
  for (std::size_t n = points_of_part; n < partial.size(); ++n) {
    total[n % points_of_part].merge(partial[n]);
  }
  return total;
}

}  // namespace dns
