/// Lines along z that go on beyond a box: how their ends depend on the unknowns beyond. One thread
/// per line, with neighbours along x, eliminates rows one after the other and keeps none.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "cuda/for_each.cuh"
#include "cuda/sweep_on_chip.cuh"
#include "solver/core/line_pieces.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

inline constexpr int threads_of_relations = 64;

/// Rows that a thread has loaded ahead of the one it eliminates: their loads are under way while
/// the recurrence, a chain of dependent operations, goes on. With 3, the splitting scheme in double
/// runs out of registers.
template <class Real, int unknowns>
inline constexpr int relation_rows_ahead = unknowns > 1 && sizeof(Real) == 8 ? 2 : 4;

/// The values load(0) .. load(end - 1), one after the other; `count` of them are loaded ahead.
template <class Value, int count>
class LoadedAhead {
 public:
  /// Requires end > 0.
  template <class Load>
  __device__ LoadedAhead(int end, const Load& load) : last_(end - 1) {
#pragma unroll
    for (int n = 0; n < count; ++n) values_[n] = load(min(n, last_));
  }
  template <class Load>
  [[nodiscard]] __device__ Value next(const Load& load) {
    const Value value = values_[0];
#pragma unroll
    for (int n = 0; n + 1 < count; ++n) values_[n] = values_[n + 1];
    values_[count - 1] = load(min(position_++ + count, last_));
    return value;
  }

 private:
  Value values_[count];
  int position_ = 0;
  int last_;
};

/// The data of `count` rows of a line along z, one after the other from the first, loaded ahead.
template <class Real, class Rows, int ahead>
class DataAhead {
 public:
  using Data = RowData<typename Rows::System, Rows::coefficients, Real>;

  __device__ DataAhead(const Rows& rows, Index3 first, int count)
      : rows_(rows), first_(first), loaded_(count, loading()) {}
  [[nodiscard]] __device__ Data next() { return loaded_.next(loading()); }

 private:
  [[nodiscard]] __device__ auto loading() const {
    return [this](int m) { return Data(rows_(placed<Axis::z>(first_, first_.k + m))); };
  }

  const Rows& rows_;
  Index3 first_;
  LoadedAhead<Data, ahead> loaded_;
};

/// The data of rows along z, loaded ahead, where rows load their stencil point by point: what
/// neighbouring rows share is loaded once. The points before the first row and after the last one
/// are read too.
template <class Real, LoadsStencils Rows, int ahead>
class DataAhead<Real, Rows, ahead> {
 public:
  using Data = RowData<typename Rows::System, Rows::coefficients, Real>;

  __device__ DataAhead(const Rows& rows, Index3 first, int count)
      : rows_(rows),
        line_(rows.line_from(first)),
        below_(line_.load_stencil(-1)),
        here_(line_.load_stencil(0)),
        loaded_(count, loading()) {}
  [[nodiscard]] __device__ Data next() {
    const Stencil above = loaded_.next(loading());
    const Data data = rows_.row_between(below_.nonlinear, here_, above.nonlinear);
    below_ = here_;
    here_ = above;
    return data;
  }

 private:
  using Line = decltype(std::declval<const Rows&>().line_from(Index3{}));
  using Stencil = decltype(std::declval<const Line&>().load_stencil(0));

  [[nodiscard]] __device__ auto loading() const {
    return [this](int m) { return line_.load_stencil(m + 1); };
  }

  const Rows& rows_;
  Line line_;
  Stencil below_, here_;
  LoadedAhead<Stencil, ahead> loaded_;  // of the point after the row
};

/// The piece of a line in a box, from its point `first` along z. The lines of a warp decide
/// together how many rows they read.
template <class Real, class Rows>
class PieceOfLine {
 public:
  using System = typename Rows::System;
  using Relation = EndRelation<System, Real>;
  using Relations = PieceRelations<System, Real>;

  /// Ends that `closed` does not name are seams: the row there is coupled to the unknown beyond.
  __device__ PieceOfLine(const Rows& rows, Index3 first, int count, LineEnds closed)
      : rows_(rows), first_(first), count_(count), closed_(closed) {}

  /// Finds the relations that other ranks need and passes them to give(part of PieceRelations,
  /// value); those of an end that is no seam are 0. Only rows near a seam are read where the others
  /// do not matter. The last unknown is found from rows that start so far from it that those before
  /// do not matter, as far as the decay of x_before near the other seam tells at first.
  template <class Give>
  __device__ void find(const Give& give) {
    const auto give_end = [&](int first_part, Relation relation) {
      relation.for_each_part(first_part, give);
    };
    constexpr int last_parts = Relation::parts;
    if (count_ == 0) {
      const Relations none = Relations::of_no_rows();
      give_end(0, none.first);
      give_end(last_parts, none.last);
      return;
    }
    if (closed_.is_first) give_end(0, Relation{});
    if (closed_.is_last) give_end(last_parts, Relation{});
    if (closed_.is_first && closed_.is_last) return;
    bool finds_first = !closed_.is_first;
    int rows = fewest_rows;
#pragma unroll 1
    for (;;) {
      const int from = finds_first ? 0 : max(count_ - rows, 0);
      const int end = eliminate_rows(from, finds_first);
      if (finds_first) {
        const bool is_short = end < count_;
        if (is_short) forget(start_.after);
        give_end(0, start_);
        if (closed_.is_last) return;
        finds_first = false;
        rows = rows_enough(end);
        if (is_short) continue;
      } else if (from > 0) {
        if (!are_negligible(eliminated_.before)) {
          rows = max(rows_enough(rows), rows + rows_between_looks);
          continue;
        }
        forget(eliminated_.before);
      }
      give_end(last_parts, Relation::of_last(eliminated_));
      return;
    }
  }

 private:
  static constexpr int ahead = relation_rows_ahead<Real, System::unknowns>;
  static constexpr int fewest_rows = 16;
  static constexpr int rows_between_looks = 8;
  static_assert(rows_between_looks % ahead == 0);

  /// Eliminates the rows from `from` on, to the last one or, where that is asked for, to one from
  /// which on they do not matter for the first unknown. Returns the row after it.
  [[nodiscard]] __device__ int eliminate_rows(int from, bool may_be_short) {
    eliminated_ = before_first_row<System, Real, true>();
    start_ = Relation::next();
    DataAhead<Real, Rows, ahead> data(
        rows_, placed<Axis::z>(first_, first_.k + from), count_ - from);
    int m = from;
    const auto eliminate_row = [&](LineEnds ends) {
      const Index3 c = placed<Axis::z>(first_, first_.k + m);
      auto of_row = data.next();
      if (ends.is_first) rows_.close_low(c, of_row);
      if (ends.is_last) rows_.close_high(c, of_row);
      eliminated_ = eliminate(row_of(rows_, of_row, ends), eliminated_);
      start_.absorb(eliminated_);
      ++m;
    };
    if (closed_.is_first && from == 0) eliminate_row({true, closed_.is_last && count_ == 1});
    const int open_end = closed_.is_last ? count_ - 1 : count_;
    while (m < open_end) {
      const int next_look = min(m + rows_between_looks, open_end);
#pragma unroll ahead
      for (int row = m; row < next_look; ++row) eliminate_row({});
      if (may_be_short && m < count_ && are_negligible(start_.after)) return m;
    }
    if (m < count_) eliminate_row({false, true});
    return m;
  }

  /// Whether these couplings are, on all lines of the warp.
  [[nodiscard]] __device__ static bool are_negligible(const Real (&coupling)[System::matrices]) {
    bool is_negligible = true;
#pragma unroll
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      is_negligible = is_negligible && magnitude(coupling[matrix]) <= negligible_coupling<Real>;
    }
    return __all_sync(~0U, is_negligible) != 0;
  }
  /// Rows after which x_before will not matter on any line of the warp, from how much it does after
  /// those eliminated last.
  [[nodiscard]] __device__ int rows_enough(int eliminated) const {
    Real largest = 0;
#pragma unroll
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      largest = larger_or_nan(largest, magnitude(eliminated_.before[matrix]));
    }
    int rows = rows_until_negligible(eliminated, largest, rows_between_looks);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      rows = max(rows, __shfl_xor_sync(~0U, rows, distance));
    }
    return rows;
  }
  __device__ static void forget(Real (&coupling)[System::matrices]) {
#pragma unroll
    for (int matrix = 0; matrix < System::matrices; ++matrix) coupling[matrix] = Real(0);
  }

  const Rows& rows_;
  Index3 first_;
  int count_;
  LineEnds closed_;
  EliminatedRow<System, Real, true> eliminated_;
  Relation start_;  // the first unknown, from the rows eliminated so far
};

template <class Real, class Rows, class Values>
__global__ void __launch_bounds__(threads_of_relations)
    find_relations_kernel(Box box, Rows rows, LineEnds closed, Values values) {
  const uint3 block = block_after_kernels_before();
  // From a multiple of the threads of a block, so that rows of memory are read in whole sectors.
  // Threads without a line repeat one: all of a warp take part in its decisions.
  const int i = (box.begin.i & -threads_of_relations) +
                static_cast<int>(block.x * threads_of_relations + threadIdx.x);
  const Index3 first{max(min(i, box.end.i - 1), box.begin.i),
                     box.begin.j + static_cast<int>(block.y),
                     box.begin.k};
  const bool is_line = i == first.i;
  PieceOfLine<Real, Rows>(rows, first, box.end.k - box.begin.k, closed)
      .find([&](int part, Real value) {
        if (is_line) values.set(first, part, value);
      });
}

/// The relations of all lines along z of a box; `values`: RelationsOfLines. Returns before it
/// finishes. Throws DeviceError if the launch is refused.
template <class Real, class Rows, class Values>
void find_relations(Box box,
                    const Rows& rows,
                    const std::array<bool, 2>& is_seam,
                    const Values& values,
                    cudaStream_t stream) {
  static_assert(!Rows::is_cyclic && std::is_trivially_copyable_v<Rows>);
  const auto [nx, ny, nz] = box.extents();
  if (nx <= 0 || ny <= 0) return;
  const int lines = box.end.i - (box.begin.i & -threads_of_relations);
  launch("launching the elimination of pieces of lines",
         find_relations_kernel<Real, Rows, Values>,
         {dim3(divide_up(lines, threads_of_relations), static_cast<unsigned>(ny)),
          threads_of_relations},
         stream,
         box,
         rows,
         LineEnds{!is_seam[0], !is_seam[1]},
         values);
}

}  // namespace dns
