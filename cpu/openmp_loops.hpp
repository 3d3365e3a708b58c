/// How lines are solved on a CPU: packs of neighbouring lines side by side in vector registers, so
/// many at once that the eliminated rows of a block stay in the cache of one core.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "cpu/pack.hpp"
#include "solver/core/tridiagonal.hpp"

namespace dns {

/// Points of one vector register.
template <class Real>
inline constexpr int pack_width = static_cast<int>(vector_bytes / sizeof(Real));

/// Packs of lines solved side by side: 32 doubles or 64 floats, whose eliminated rows fill half of
/// a usual second-level cache at 192 points per line. One more where the lines do not fit exactly.
inline constexpr int packs_per_block = 8;

/// Work space of one thread, kept between calls.
class ThreadScratch {
 public:
  /// At least `count` objects of a type without constructor, aligned for vectors; not initialised.
  template <class T>
  T* objects(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (memory_.size() < bytes + vector_bytes) memory_.resize(bytes + vector_bytes);
    void* start = memory_.data();
    std::size_t space = memory_.size();
    return static_cast<T*>(std::align(vector_bytes, bytes, start, space));
  }

 private:
  std::vector<std::byte> memory_;
};

/// Starts of packs of `width` that cover [begin, end): the last one is moved back to end there.
/// Requires end - begin >= width.
template <int width, class Visit>
void for_each_pack(int begin, int end, const Visit& visit) {
  int start = begin;
  for (; start + width <= end; start += width) visit(start);
  if (start < end) visit(end - width);
}

/// Solves the lines along `axis` through the points `first[p] + m e_axis`, m = 0 .. rows_count - 1,
/// for all p: lines side by side along x (Point a PackPoint), or single ones (Index3, any axis).
template <Axis axis, class Real, class Point, class Rows, class Sink>
void solve_lines(const Point* first,
                 int packs,
                 int begin,
                 int end,
                 const Rows& rows,
                 const Sink& sink,
                 ThreadScratch& scratch) {
  using System = typename Rows::System;
  using Value = decltype(load(static_cast<const Real*>(nullptr), *first));
  using Eliminated = EliminatedRow<System, Value, Rows::is_cyclic>;
  constexpr int most_packs = packs_per_block + 1;
  const int last = end - begin - 1;
  auto* const eliminated = scratch.objects<Eliminated>(static_cast<std::size_t>(packs) *
                                                       static_cast<std::size_t>(last + 1));
  const auto at = [&](int pack, int m) { return placed<axis>(first[pack], begin + m); };
  Value x[most_packs][System::unknowns] = {};
  Value x_last[most_packs][System::unknowns] = {};

  if constexpr (Rows::is_cyclic) {
    CyclicLastRow<System, Value> closing[most_packs];
    for (int pack = 0; pack < packs; ++pack) {
      closing[pack] = CyclicLastRow<System, Value>::from(rows(at(pack, last)));
    }
    for (int m = 0; m < last; ++m) {
      for (int pack = 0; pack < packs; ++pack) {
        Eliminated& row = eliminated[m * packs + pack];
        row = eliminate(
            rows(at(pack, m)),
            m == 0 ? before_first_row<System, Value, true>() : eliminated[(m - 1) * packs + pack]);
        if (m == last - 1) closing[pack].couple(rows(at(pack, last)));
        closing[pack].absorb(row);
      }
    }
    for (int pack = 0; pack < packs; ++pack) {
      closing[pack].solve(x_last[pack]);
      std::copy_n(x_last[pack], System::unknowns, x[pack]);
      sink(at(pack, last), x_last[pack]);
    }
  } else {
    for (int m = 0; m <= last; ++m) {
      for (int pack = 0; pack < packs; ++pack) {
        const Point c = at(pack, m);
        auto row = rows(c);
        if (m == 0) rows.close_low(c, row);
        if (m == last) rows.close_high(c, row);
        eliminated[m * packs + pack] = eliminate(
            row,
            m == 0 ? before_first_row<System, Value, false>() : eliminated[(m - 1) * packs + pack]);
      }
    }
  }
  for (int m = Rows::is_cyclic ? last - 1 : last; m >= 0; --m) {
    for (int pack = 0; pack < packs; ++pack) {
      back_substitute(eliminated[m * packs + pack], x_last[pack], x[pack]);
      sink(at(pack, m), x[pack]);
    }
  }
}

/// Solves the `width` neighbouring lines along x that start at `first` (side by side along y):
/// rows are assembled along x, where memory is contiguous, and transposed in registers so that the
/// lines lie side by side for the elimination; the solution goes the same way back.
/// Requires at least `width` points along x.
template <class Real, int width, class Rows, class Sink>
void solve_lines_along_x(
    Index3 first, int points, const Rows& rows, const Sink& sink, ThreadScratch& scratch) {
  using System = typename Rows::System;
  using Value = Pack<Real, width>;
  using Row = TridiagonalRow<System, Value>;
  using Eliminated = EliminatedRow<System, Value, Rows::is_cyclic>;
  const int last = points - 1;
  auto* const eliminated = scratch.objects<Eliminated>(static_cast<std::size_t>(points));
  const auto line_point = [&](int m, int line) {  // points along x of one line
    return PackPoint<width>{{first.i + m, first.j + line, first.k}};
  };
  const auto end_point = [&](int m) {  // one point of each line; for values given on x faces
    return PackPoint<width>{{first.i + m, first.j, first.k}};
  };
  // Rows of points m .. m + width - 1: block[n] holds row m + n of all lines.
  const auto assemble = [&](int m, Row(&block)[width]) {
    Row along_x[width];
    for (int line = 0; line < width; ++line) along_x[line] = rows(line_point(m, line));
    for (int part = 0; part < Row::parts; ++part) {
      Value square[width];
      for (int line = 0; line < width; ++line) {
        square[line] = along_x[line][part];
      }
      transpose(square);
      for (int n = 0; n < width; ++n) block[n][part] = square[n];
    }
  };

  Value x[System::unknowns] = {};
  Value x_last[System::unknowns] = {};
  CyclicLastRow<System, Value> closing;
  Row last_row;
  if constexpr (Rows::is_cyclic) {
    Row block[width];
    assemble(points - width, block);
    last_row = block[width - 1];
    closing = CyclicLastRow<System, Value>::from(last_row);
  }
  int next = 0;  // first row not yet eliminated
  for_each_pack<width>(0, points, [&](int start) {
    Row block[width];
    assemble(start, block);
    for (; next < start + width; ++next) {
      Row& row = block[next - start];
      if constexpr (Rows::is_cyclic) {
        if (next == last) continue;
        eliminated[next] = eliminate(
            row, next == 0 ? before_first_row<System, Value, true>() : eliminated[next - 1]);
        if (next == last - 1) closing.couple(last_row);
        closing.absorb(eliminated[next]);
      } else {
        if (next == 0) rows.close_low(end_point(next), row);
        if (next == last) rows.close_high(end_point(next), row);
        eliminated[next] = eliminate(
            row, next == 0 ? before_first_row<System, Value, false>() : eliminated[next - 1]);
      }
    }
  });
  if constexpr (Rows::is_cyclic) {
    closing.solve(x_last);
    std::copy_n(x_last, System::unknowns, x);
    std::copy_n(x_last, System::unknowns, eliminated[last].rhs);
  }
  for (int m = Rows::is_cyclic ? last - 1 : last; m >= 0; --m) {
    back_substitute(eliminated[m], x_last, x);
    std::copy_n(x, System::unknowns, eliminated[m].rhs);
  }
  for_each_pack<width>(0, points, [&](int start) {
    Value solution[width][System::unknowns];
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      Value square[width];
      for (int n = 0; n < width; ++n) square[n] = eliminated[start + n].rhs[unknown];
      transpose(square);
      for (int line = 0; line < width; ++line) solution[line][unknown] = square[line];
    }
    for (int line = 0; line < width; ++line) sink(line_point(start, line), solution[line]);
  });
}

}  // namespace dns
