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
  explicit ThreadScratches(int threads) : scratches_(threads) {}

  [[nodiscard]] int threads() const { return static_cast<int>(scratches_.size()); }
  /// Scratch memory of the calling thread of a parallel region.
  [[nodiscard]] ThreadScratch& own() { return scratches_[omp_get_thread_num()]; }

 private:
  std::vector<ThreadScratch> scratches_;
};

/// The axis across the planes in which a thread solves lines.
template <Axis axis>
inline constexpr Axis outer_of = axis == Axis::z ? Axis::y : Axis::z;

/// Whether lines of a box are solved in packs.
template <Axis axis, class Real>
[[nodiscard]] bool fills_packs(Extents points) {
  constexpr int width = pack_width<Real>;
  return points.nx >= width && (axis != Axis::x || points.ny >= width);
}

/// Lines along x of one plane, in packs of neighbours along y.
template <class Real, class Rows, class Sink>
void sweep_rows(Box box, int k, const Rows& rows, const Sink& sink, ThreadScratch& own) {
  constexpr int width = pack_width<Real>;
  constexpr int most_lines = packs_along_x * width;
  for (int j = box.begin.j; j < box.end.j; j += most_lines) {
    LinesAlongX<Real, width, Rows, Sink>(
        {box.begin.i, j, k}, std::min(most_lines, box.end.j - j), box.extents().nx, rows, sink, own)
        .solve();
  }
}

/// Lines along y or z in packs of neighbours along x, divided into blocks that are solved side by
/// side. Packs that overlap belong to one block, because the sink may change what rows reads.
template <Axis axis, class Real, class Point>
class BlocksOfPacks {
 public:
  explicit BlocksOfPacks(Box box) : box_(box), packs_{box.begin.i, box.end.i} {}

  [[nodiscard]] int count() const {
    return (packs_.count() + packs_per_block - 1) / packs_per_block;
  }

  /// The lines of a block in one plane.
  template <class Rows, class Sink>
  void sweep(int block, int plane, const Rows& rows, const Sink& sink, ThreadScratch& own) const {
    const int first_pack = packs_.count() * block / count();
    const int packs = packs_.count() * (block + 1) / count() - first_pack;
    const Index3 corner = placed<outer_of<axis>>(box_.begin, plane);
    Point first[packs_per_block];
    for (int pack = 0; pack < packs; ++pack)
      first[pack] = packs_.template point<Point>(first_pack + pack, corner);
    solve_lines<axis, Real>(
        first, packs, along<axis>(box_.begin), along<axis>(box_.end), rows, sink, own);
  }

 private:
  static constexpr int width = pack_width<Real>;
  Box box_;
  PacksOfRange<width> packs_;
};

/// Sweeps the lines of a box in parallel. Blocks are the outer loop: one finds in the cache what it
/// has read on the plane before.
template <Axis axis, class Real, class Point, class Rows, class Sink>
void sweep_blocks(Box box, const Rows& rows, const Sink& sink, ThreadScratches& scratch) {
  constexpr Axis outer = outer_of<axis>;
  const BlocksOfPacks<axis, Real, Point> blocks(box);
#pragma omp parallel num_threads(scratch.threads())
  {
    const DenormalsAreZero in_this_thread;
    for (int block = 0; block < blocks.count(); ++block) {
#pragma omp for schedule(static) nowait
      for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane)
        blocks.sweep(block, plane, rows, sink, scratch.own());
    }
    finish_streaming();
  }
}

/// Solves one line of `points` rows from `first` on, in boxes too small for packs, which are few.
/// Rows and sink are compiled in one place each: as packs, these lines were a quarter of the time
/// that compiling sweeps takes.
template <Axis axis, class Real, class Rows, class Sink>
void solve_line(
    Index3 first, int points, const Rows& rows, const Sink& sink, ThreadScratch& scratch) {
  using System = typename Rows::System;
  constexpr bool is_cyclic = Rows::is_cyclic;
  const int last = points - 1;
  const int solved = is_cyclic ? last - 1 : last;  // the last row that is eliminated
  const auto at = [&](int m) { return placed<axis>(first, along<axis>(first) + m); };
  const auto row = [&](int m) __attribute__((noinline)) {
    return row_at(rows, at(m), {m == 0, m == last});
  };
  const auto take = [&](int m, const Real(&x)[System::unknowns]) __attribute__((noinline)) {
    sink(at(m), x, sink.read(at(m)));
  };
  Real x[System::unknowns] = {};
  Real x_last[System::unknowns] = {};
  TridiagonalRow<System, Real> last_row;
  CyclicLastRow<System, Real> closing;
  if constexpr (is_cyclic) {
    last_row = row(last);
    closing = CyclicLastRow<System, Real>::from(last_row);
  }
  auto previous = before_first_row<System, Real, is_cyclic>();
  auto* const eliminated = scratch.objects<decltype(previous)>(points);
  for (int m = 0; m <= solved; ++m) {
    previous = eliminated[m] = eliminate(row(m), previous);
    if constexpr (is_cyclic) {
      if (m == solved) closing.couple(last_row);
      closing.absorb(previous);
    }
  }
  if constexpr (is_cyclic) {
    closing.solve(x_last);
    std::copy_n(x_last, System::unknowns, x);
    take(last, x_last);
  }
  for (int m = solved; m >= 0; --m) {
    back_substitute(eliminated[m], x_last, x);
    take(m, x);
  }
}

/// Lines of one plane one by one.
template <Axis axis, class Real, class Rows, class Sink>
void sweep_single_lines(
    Box box, int plane, const Rows& rows, const Sink& sink, ThreadScratch& own) {
  constexpr Axis side = axis == Axis::x ? Axis::y : Axis::x;
  const int points = along<axis>(box.extents());
  for (int line = along<side>(box.begin); line < along<side>(box.end); ++line) {
    const Index3 first = placed<side>(placed<outer_of<axis>>(box.begin, plane), line);
    solve_line<axis, Real>(first, points, rows, sink, own);
  }
}

/// Solves the lines of one plane with one thread.
template <Axis axis, class Real, class Rows, class Sink>
void sweep_plane(Box box, int plane, const Rows& rows, const Sink& sink, ThreadScratch& own) {
  if (!fills_packs<axis, Real>(box.extents()))
    return sweep_single_lines<axis, Real>(box, plane, rows, sink, own);
  if constexpr (axis == Axis::x) {
    sweep_rows<Real>(box, plane, rows, sink, own);
  } else {
    const BlocksOfPacks<axis, Real, PackPoint<pack_width<Real>>> blocks(box);
    for (int block = 0; block < blocks.count(); ++block)
      blocks.sweep(block, plane, rows, sink, own);
  }
}

/// Solves all lines of the box along `axis`, with the threads of `scratch`.
template <Axis axis, class Real, class Rows, class Sink>
void sweep(Box box, const Rows& rows, const Sink& sink, ThreadScratches& scratch) {
  constexpr Axis outer = outer_of<axis>;
  const Extents points = box.extents();
  if constexpr (axis != Axis::x) {
    if (fills_packs<axis, Real>(points)) {
      constexpr int width = pack_width<Real>;
      // Sweeps along x write whole lines, which the hardware prefetches: no faster past the caches.
      if (outgrow_caches(Rows::System::unknowns * points.count() * sizeof(Real)))
        return sweep_blocks<axis, Real, StreamedPackPoint<width>>(box, rows, sink, scratch);
      return sweep_blocks<axis, Real, PackPoint<width>>(box, rows, sink, scratch);
    }
  }
#pragma omp parallel num_threads(scratch.threads())
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane)
      sweep_plane<axis, Real>(box, plane, rows, sink, scratch.own());
  }
}

}  // namespace dns
