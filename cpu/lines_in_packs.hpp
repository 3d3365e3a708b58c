/// How lines are solved on a CPU: packs of neighbouring lines side by side in vector registers, so
/// many at once that memory is read in long pieces.
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

/// Most packs of lines along y or z that are solved side by side: rows of 3 KiB, 384 doubles or 768
/// floats. The longer the rows, the faster memory delivers them, although eliminated rows leave the
/// second-level cache. With at most 1.5 KiB, a grid of 256 points along x has two blocks with rows
/// of 1 KiB: steps of both schemes were then 9 to 17 % slower (two cores of an AMD EPYC).
inline constexpr int packs_per_block = 3072 / vector_bytes;

/// How many rows ahead of back substitution the values that the sink reads are prefetched.
inline constexpr int rows_ahead = 2;

/// Work space of one thread, kept between calls.
class ThreadScratch {
 public:
  static constexpr int buffers = 3;

  /// Buffer `which`: at least `count` objects of a type without constructor, aligned for vectors;
  /// not initialised.
  template <class T>
  T* objects(std::size_t count, std::size_t which = 0) {
    const std::size_t bytes = count * sizeof(T);
    std::vector<std::byte>& memory = memory_[which];
    if (memory.size() < bytes + vector_bytes) memory.resize(bytes + vector_bytes);
    void* start = memory.data();
    std::size_t space = memory.size();
    return static_cast<T*>(std::align(vector_bytes, bytes, start, space));
  }

 private:
  std::array<std::vector<std::byte>, buffers> memory_;
};

/// The packs of `width` neighbouring points that cover [begin, end). They start at multiples of
/// `width`, where rows of levels are aligned, but the first and the last one overlap their
/// neighbours rather than leave the range. Requires end - begin >= width, begin >= 0.
template <int width>
struct PacksOfRange {
  int begin, end;

  [[nodiscard]] int count() const { return (end - aligned_begin() + width - 1) / width; }
  [[nodiscard]] int start(int pack) const { return std::clamp(slot(pack), begin, end - width); }
  /// A pack as PackPoint or StreamedPackPoint, in the line along x through a point.
  template <class Point>
  [[nodiscard]] Point point(int pack, Index3 in_line) const {
    Point c{{placed<Axis::x>(in_line, start(pack))}};
    if constexpr (requires { c.line; }) c.line = slot(pack) - c.i;
    return c;
  }

 private:
  [[nodiscard]] int slot(int pack) const { return aligned_begin() + pack * width; }
  [[nodiscard]] int aligned_begin() const { return begin / width * width; }
};

/// Eliminates the rows m of all packs at an end of their ordinary lines. Compiled once for both
/// ends, apart from the many rows between, which do not test for them.
template <class Value, class Rows, class DataOf>
[[gnu::noinline]] void eliminate_end_rows(
    int packs,
    int m,
    LineEnds ends,
    const Rows& rows,
    EliminatedRow<typename Rows::System, Value, false>* eliminated,
    const DataOf& data_of) {
  for (int pack = 0; pack < packs; ++pack) {
    eliminated[m * packs + pack] =
        eliminate(row_of(rows, data_of(pack, m, ends), ends),
                  ends.is_first ? before_first_row<typename Rows::System, Value, false>()
                                : eliminated[(m - 1) * packs + pack]);
  }
}

/// Solves `packs` packs of lines of `points` rows side by side; `eliminated` has room for all rows.
/// data_of(pack, m, ends) is the data of row m with its right-hand side closed; take(pack, m, x)
/// receives the solution, after the last call of data_of. Rows m of all packs are eliminated before
/// rows m + 1, so that the latencies of their recurrences overlap.
template <class Value, class Rows, class DataOf, class Take>
void solve_packs(int packs,
                 int points,
                 const Rows& shared_rows,
                 EliminatedRow<typename Rows::System, Value, Rows::is_cyclic>* eliminated,
                 const DataOf& shared_data_of,
                 const Take& shared_take) {
  // Copies that nothing else can reach: what is stored does not change them.
  const Rows rows = shared_rows;
  const DataOf data_of = shared_data_of;
  const Take take = shared_take;
  using System = typename Rows::System;
  constexpr bool is_cyclic = Rows::is_cyclic;
  constexpr int most_closings = is_cyclic ? packs_per_block : 1;
  const int last = points - 1;
  const int solved = is_cyclic ? last - 1 : last;  // the last row that is eliminated
  Value x[packs_per_block][System::unknowns] = {};
  Value x_last[most_closings][System::unknowns] = {};
  TridiagonalRow<System, Value> last_row[most_closings];
  CyclicLastRow<System, Value> closing[most_closings];

  if constexpr (is_cyclic) {
    for (int pack = 0; pack < packs; ++pack) {
      last_row[pack] = row_of(rows, data_of(pack, last, LineEnds{}), {});
      closing[pack] = CyclicLastRow<System, Value>::from(last_row[pack]);
    }
  }
  const auto eliminate_rows = [&](int m, LineEnds ends) __attribute__((always_inline)) {
    for (int pack = 0; pack < packs; ++pack) {
      auto& here = eliminated[m * packs + pack];
      here = eliminate(row_of(rows, data_of(pack, m, ends), ends),
                       ends.is_first ? before_first_row<System, Value, is_cyclic>()
                                     : eliminated[(m - 1) * packs + pack]);
      if constexpr (is_cyclic) {
        if (m == solved) closing[pack].couple(last_row[pack]);
        closing[pack].absorb(here);
      }
    }
  };
  if constexpr (is_cyclic) {
    if (solved >= 0) eliminate_rows(0, {true, last == 0});
  } else {
    eliminate_end_rows<Value>(packs, 0, {true, last == 0}, shared_rows, eliminated, shared_data_of);
  }
  for (int m = 1; m < last; ++m) eliminate_rows(m, {false, false});
  if constexpr (!is_cyclic) {
    if (last > 0)
      eliminate_end_rows<Value>(
          packs, last, {false, true}, shared_rows, eliminated, shared_data_of);
  }

  if constexpr (is_cyclic) {
    for (int pack = 0; pack < packs; ++pack) {
      closing[pack].solve(x_last[pack]);
      std::copy_n(x_last[pack], System::unknowns, x[pack]);
      take(pack, last, x_last[pack]);
    }
  }
  for (int m = solved; m >= 0; --m) {
    for (int pack = 0; pack < packs; ++pack) {
      back_substitute(eliminated[m * packs + pack], x_last[is_cyclic ? pack : 0], x[pack]);
      take(pack, m, x[pack]);
    }
  }
}

/// Solves lines side by side along x, packs of them through the points `first[pack]` (PackPoint or
/// StreamedPackPoint), from index `begin` to `end` along `axis`.
template <Axis axis, class Real, class Point, class Rows, class Sink>
void solve_lines(const Point* first,
                 int packs,
                 int begin,
                 int end,
                 const Rows& rows,
                 const Sink& sink,
                 ThreadScratch& scratch) {
  using System = typename Rows::System;
  using Value = Pack<Real, pack_width<Real>>;
  using Eliminated = EliminatedRow<System, Value, Rows::is_cyclic>;
  const int points = end - begin;
  auto* const eliminated = scratch.objects<Eliminated>(static_cast<std::size_t>(packs) * points);
  const auto at = [=](int pack, int m) { return placed<axis>(first[pack], begin + m); };
  const auto ahead_of = [=](int pack, int m) { return PrefetchPoint{at(pack, m)}; };
  solve_packs<Value>(
      packs,
      points,
      rows,
      eliminated,
      [=](int pack, int m, LineEnds ends) __attribute__((always_inline)) {
        const Point c = at(pack, m);
        auto data = rows(c);
        if constexpr (!Rows::is_cyclic) {
          if (ends.is_first) rows.close_low(c, data);
          if (ends.is_last) rows.close_high(c, data);
        }
        return data;
      },
      [=](int pack, int m, const Value(&x)[System::unknowns]) __attribute__((always_inline)) {
        static_cast<void>(sink.read(ahead_of(pack, std::max(m - rows_ahead, 0))));
        const Point c = at(pack, m);
        sink(c, x, sink.read(c));
      });
}

}  // namespace dns
