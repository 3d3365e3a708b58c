/// Tridiagonal systems along all grid lines of a box.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpu/denormals.hpp"
#include "cpu/lines_along_x.hpp"
#include "cpu/lines_in_packs.hpp"

namespace dns {

/// The work space of all threads that take part in sweeps.
class ThreadScratches {
 public:
  explicit ThreadScratches(int threads) : scratches_(static_cast<std::size_t>(threads)) {}

  [[nodiscard]] int threads() const { return static_cast<int>(scratches_.size()); }
  /// That of the calling thread of a parallel region.
  [[nodiscard]] ThreadScratch& own() {
    return scratches_[static_cast<std::size_t>(omp_get_thread_num())];
  }

 private:
  std::vector<ThreadScratch> scratches_;
};

/// Levels of at least this size are written past the caches [bytes]. With a last-level cache of
/// 36 MiB that is slower for levels of 24 MiB, 10 % faster for 31 MiB, 20 % for 61 MiB.
inline constexpr std::size_t streamed_bytes = std::size_t{28} << 20;

/// Lines along x, in packs of neighbours along y.
template <class Real, class Rows, class Sink>
void sweep_rows(Box box, const Rows& rows, const Sink& sink, ThreadScratches& scratch) {
  constexpr int width = pack_width<Real>;
  constexpr int most_lines = packs_along_x * width;
#pragma omp parallel num_threads(scratch.threads())
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int k = box.begin.k; k < box.end.k; ++k) {
      for (int j = box.begin.j; j < box.end.j; j += most_lines) {
        LinesAlongX<Real, width, Rows, Sink>({box.begin.i, j, k},
                                             std::min(most_lines, box.end.j - j),
                                             box.extents().nx,
                                             rows,
                                             sink,
                                             scratch.own())
            .solve();
      }
    }
  }
}

/// Lines along y or z, in packs of neighbours along x. Blocks of packs are the outer loop: a block
/// finds in the cache what it has read on the plane before. Packs that overlap belong to one block,
/// because the sink may change what rows reads.
template <Axis axis, class Real, class SinkPoint, class Rows, class Sink>
void sweep_blocks(Box box, const Rows& rows, const Sink& sink, ThreadScratches& scratch) {
  constexpr int width = pack_width<Real>;
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  const PacksOfRange<width> packs{box.begin.i, box.end.i};
  const int blocks = (packs.count() + packs_per_block - 1) / packs_per_block;
#pragma omp parallel num_threads(scratch.threads())
  {
    const DenormalsAreZero in_this_thread;
    for (int block = 0; block < blocks; ++block) {
      const int first_pack = packs.count() * block / blocks;
      const int count = packs.count() * (block + 1) / blocks - first_pack;
#pragma omp for schedule(static) nowait
      for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane) {
        const Index3 corner = placed<outer>(box.begin, plane);
        PackPoint<width> first[packs_per_block];
        for (int pack = 0; pack < count; ++pack) {
          first[pack] = {placed<Axis::x>(corner, packs.start(first_pack + pack))};
        }
        solve_lines<axis, Real, SinkPoint>(
            first, count, along<axis>(box.begin), along<axis>(box.end), rows, sink, scratch.own());
      }
    }
    finish_streaming();
  }
}

/// Lines one by one, in boxes too small for packs.
template <Axis axis, class Real, class Rows, class Sink>
void sweep_single_lines(Box box, const Rows& rows, const Sink& sink, ThreadScratches& scratch) {
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  constexpr Axis side = axis == Axis::x ? Axis::y : Axis::x;
#pragma omp parallel num_threads(scratch.threads())
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane) {
      for (int line = along<side>(box.begin); line < along<side>(box.end); ++line) {
        const Index3 first = placed<side>(placed<outer>(box.begin, plane), line);
        solve_lines<axis, Real, Index3>(
            &first, 1, along<axis>(box.begin), along<axis>(box.end), rows, sink, scratch.own());
      }
    }
  }
}

/// Solves all lines of the box along `axis`, with the threads of `scratch`.
template <Axis axis, class Real, class Rows, class Sink>
void sweep(Box box, const Rows& rows, const Sink& sink, ThreadScratches& scratch) {
  constexpr int width = pack_width<Real>;
  const Extents points = box.extents();
  // Sweeps along x write whole lines, which the hardware prefetches: streaming made them 15 %
  // slower. It also makes sweeps slower on levels that fit into the last-level cache.
  const bool is_large = Rows::System::unknowns * points.count() * sizeof(Real) >= streamed_bytes;
  if constexpr (axis == Axis::x) {
    if (points.ny >= width && points.nx >= width) return sweep_rows<Real>(box, rows, sink, scratch);
  } else if (points.nx >= width) {
    if (packs_fill_cache_lines && is_large) {
      return sweep_blocks<axis, Real, StreamedPackPoint<width>>(box, rows, sink, scratch);
    }
    return sweep_blocks<axis, Real, PackPoint<width>>(box, rows, sink, scratch);
  }
  sweep_single_lines<axis, Real>(box, rows, sink, scratch);
}

}  // namespace dns
