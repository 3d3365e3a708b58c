/// How lines along x are solved on a CPU: memory is contiguous along them, so packs hold points of
/// one line in memory, and points of neighbouring lines in the elimination.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cpu/lines_in_packs.hpp"

namespace dns {

/// Packs of lines along x solved side by side: two, to hide the latency of their recurrences.
inline constexpr int packs_along_x = 2;

/// Neighbouring lines along x (side by side along y), up to packs_along_x packs of `width`. Row
/// data are computed line after line, so that memory is read in few long streams (192^3, double:
/// 1.28x faster than pack after pack of all lines), and transposed in the cache; the solution goes
/// the same way back. Requires at least `width` points along x.
template <class Real, int width, class Rows, class Sink>
class LinesAlongX {
 public:
  LinesAlongX(Index3 first,
              int lines,
              int points,
              const Rows& rows,
              const Sink& sink,
              ThreadScratch& scratch)
      : first_(first),
        lines_(lines),
        points_(points),
        packs_((lines + width - 1) / width),
        along_x_{first.i, first.i + points},
        rows_(rows),
        sink_(sink),
        eliminated_(scratch.objects<Eliminated>(product(packs_, points), 0)),
        data_(scratch.objects<Data>(product(packs_, points), 1)),
        staged_(scratch.objects<Data>(product(along_x_.count(), width), 2)) {}

  void solve() {
    for (int pack = 0; pack < packs_; ++pack) gather(pack);
    solve_packs<Value>(
        packs_,
        points_,
        rows_,
        eliminated_,
        // A reference: a copy of Data is made in other pieces than vectors, and its loads stall.
        [data = data_, packs = packs_](int pack, int m, LineEnds /*closed by gather*/)
            -> const Data& { return data[m * packs + pack]; },
        [ eliminated = eliminated_, packs = packs_ ](
            int pack, int m, const Value(&x)[System::unknowns]) __attribute__((always_inline)) {
          std::copy_n(x, System::unknowns, eliminated[m * packs + pack].rhs);
        });
    for (int pack = 0; pack < packs_; ++pack) give(pack);
  }

 private:
  using System = typename Rows::System;
  using Value = Pack<Real, width>;
  using Data = RowData<System, Rows::coefficients, Value>;
  using Eliminated = EliminatedRow<System, Value, Rows::is_cyclic>;

  static std::size_t product(int a, int b) { return static_cast<std::size_t>(a) * b; }
  void gather(int pack);
  void close_end(int pack, int m);
  void give(int pack);

  [[nodiscard]] int at(int pack, int m) const { return m * packs_ + pack; }
  [[nodiscard]] PackPoint<width> point(int line, int i) const {
    return {{i, first_.j + line, first_.k}};
  }

  Index3 first_;
  int lines_, points_, packs_;
  PacksOfRange<width> along_x_;
  const Rows& rows_;
  const Sink& sink_;
  Eliminated* eliminated_;  // row m of a pack is at at(pack, m); later its rhs is the solution
  Data* data_;              // likewise
  Data* staged_;  // of one pack of lines: pack n along x of line `lane` is at n width + lane
};

/// Data of all rows of a pack; lines that are missing repeat the last one. Prefetches what the sink
/// will read: rows along x are too short for the hardware to see them come.
template <class Real, int width, class Rows, class Sink>
void LinesAlongX<Real, width, Rows, Sink>::gather(int pack) {
  const Rows rows = rows_;  // stores do not change them
  const Sink sink = sink_;
  for (int lane = 0; lane < width; ++lane) {
    const int line = std::min(pack * width + lane, lines_ - 1);
    for (int n = 0; n < along_x_.count(); ++n) {
      const PackPoint<width> c = point(line, along_x_.start(n));
      static_cast<void>(sink.read(PrefetchPoint{c}));
      staged_[n * width + lane] = rows(c);
    }
  }
  for (int n = 0; n < along_x_.count(); ++n) {
    const int m = along_x_.start(n) - first_.i;
    for (int part = 0; part < Data::parts; ++part) {
      Value square[width];
      for (int lane = 0; lane < width; ++lane) square[lane] = staged_[n * width + lane][part];
      transpose(square);
      for (int row = 0; row < width; ++row) data_[at(pack, m + row)][part] = square[row];
    }
  }
  if constexpr (!Rows::is_cyclic) {
    close_end(pack, 0);
    if (points_ > 1) close_end(pack, points_ - 1);
  }
}

/// Closes the right-hand sides at one end of each line, or at both of lines of one point.
template <class Real, int width, class Rows, class Sink>
void LinesAlongX<Real, width, Rows, Sink>::close_end(int pack, int m) {
  Data& data = data_[at(pack, m)];
  const int lanes = std::min(width, lines_ - pack * width);
  for (int lane = 0; lane < lanes; ++lane) {
    RowData<System, Rows::coefficients, Real> one;
    for (int part = 0; part < Data::parts; ++part) one[part] = data[part].lanes[lane];
    const Index3 c{first_.i + m, first_.j + pack * width + lane, first_.k};
    if (m == 0) rows_.close_low(c, one);
    if (m == points_ - 1) rows_.close_high(c, one);
    for (int part = 0; part < Data::parts; ++part) data[part].lanes[lane] = one[part];
  }
}

/// Passes the solution of a pack to the sink, line after line.
template <class Real, int width, class Rows, class Sink>
void LinesAlongX<Real, width, Rows, Sink>::give(int pack) {
  const Sink sink = sink_;  // stores do not change it
  for (int n = 0; n < along_x_.count(); ++n) {
    const int m = along_x_.start(n) - first_.i;
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      Value square[width];
      for (int row = 0; row < width; ++row)
        square[row] = eliminated_[at(pack, m + row)].rhs[unknown];
      transpose(square);
      for (int lane = 0; lane < width; ++lane)
        staged_[n * width + lane].rhs[unknown] = square[lane];
    }
  }
  const int lanes = std::min(width, lines_ - pack * width);
  for (int lane = 0; lane < lanes; ++lane) {
    for (int n = 0; n < along_x_.count(); ++n) {
      const PackPoint<width> c = point(pack * width + lane, along_x_.start(n));
      sink(c, staged_[n * width + lane].rhs, sink.read(c));
    }
  }
}

}  // namespace dns
