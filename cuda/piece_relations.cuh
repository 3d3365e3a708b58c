/// Pieces of lines: how their ends depend on the unknowns beyond. One thread per piece, with
/// neighbours along x, or along y where lines are along x, eliminates rows one after the other and
/// keeps none.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda/for_each.cuh"
#include "cuda/sweep_on_chip.cuh"
#include "solver/core/line_pieces.hpp"
#include "solver/core/reduction.hpp"
#include "solver/core/solve_seams.hpp"

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

/// The data of `count` rows of a line along `axis`, one after the other from the first, loaded
/// ahead.
template <Axis axis, class Real, class Rows, int ahead>
class DataAhead {
 public:
  using Data = RowData<typename Rows::System, Rows::coefficients, Real>;

  __device__ DataAhead(const Rows& rows, Index3 first, int count)
      : rows_(rows), first_(first), loaded_(count, loading()) {}
  [[nodiscard]] __device__ Data next() { return loaded_.next(loading()); }

 private:
  [[nodiscard]] __device__ auto loading() const {
    return [this](int m) { return Data(rows_(placed<axis>(first_, along<axis>(first_) + m))); };
  }

  const Rows& rows_;
  Index3 first_;
  LoadedAhead<Data, ahead> loaded_;
};

/// The data of rows, loaded ahead, where rows load their stencil point by point: what
/// neighbouring rows share is loaded once. The points before the first row and after the last one
/// are read too.
template <Axis axis, class Real, LoadsStencils Rows, int ahead>
class DataAhead<axis, Real, Rows, ahead> {
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

/// A piece of a line, from its point `first` along `axis`. The pieces of a warp decide together how
/// many rows they read.
template <Axis axis, class Real, class Rows>
class PieceOfLine {
 public:
  using System = typename Rows::System;
  using Relation = EndRelation<System, Real>;
  using Relations = PieceRelations<System, Real>;

  /// Ends that `closed` does not name are seams: the row there is coupled to the unknown beyond.
  __device__ PieceOfLine(const Rows& rows, Index3 first, int count, LineEnds closed)
      : rows_(rows), first_(first), count_(count), closed_(closed) {}

  /// Finds the relations that other pieces need and passes them to give(part of PieceRelations,
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

  [[nodiscard]] __device__ Index3 point(int m) const {
    return placed<axis>(first_, along<axis>(first_) + m);
  }
  /// Eliminates the rows from `from` on, to the last one or, where that is asked for, to one from
  /// which on they do not matter for the first unknown. Returns the row after it.
  [[nodiscard]] __device__ int eliminate_rows(int from, bool may_be_short) {
    eliminated_ = before_first_row<System, Real, true>();
    start_ = Relation::next();
    DataAhead<axis, Real, Rows, ahead> data(rows_, point(from), count_ - from);
    int m = from;
    const auto eliminate_row = [&](LineEnds ends) {
      auto of_row = data.next();
      if constexpr (!Rows::is_cyclic) {
        if (ends.is_first) rows_.close_low(point(m), of_row);
        if (ends.is_last) rows_.close_high(point(m), of_row);
      }
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

/// How lines are cut into pieces, whose numbers of points differ by one at most.
struct LineCut {
  int points, pieces;

  [[nodiscard]] DNS_HD int first_of(int piece) const {
    return static_cast<int>(static_cast<long long>(points) * piece / pieces);
  }
  /// The most points of a piece.
  [[nodiscard]] DNS_HD int longest() const { return (points + pieces - 1) / pieces; }
  /// The part of a box of whole lines along `axis` that a piece of them fills.
  template <Axis axis>
  [[nodiscard]] DNS_HD Box part_of(const Box& box, int piece) const {
    const int begin = along<axis>(box.begin);
    return {placed<axis>(box.begin, begin + first_of(piece)),
            placed<axis>(box.end, begin + first_of(piece + 1))};
  }
};

/// closed: which ends of the lines are. values: room for the relations of the first pieces; those
/// of the next ones lie `stride` apart.
template <Axis axis, class Real, class Rows>
__global__ void __launch_bounds__(threads_of_relations)
    find_relations_kernel(Box box,
                          Rows rows,
                          LineCut cut,
                          LineEnds closed,
                          RelationsOfLines<Real> values,
                          std::ptrdiff_t stride) {
  constexpr Axis side = axes_in_plane(axis).first;  // of neighbouring threads
  constexpr Axis outer = axes_in_plane(axis).second;
  const int3 block = block_after_kernels_before();
  // From a multiple of the threads of a block, so that rows of memory are read in whole sectors.
  // Threads without a line repeat one: all of a warp take part in its decisions.
  const int at_side = (along<side>(box.begin) & -threads_of_relations) +
                      (block.x * threads_of_relations + place_in_block().x);
  const int line = max(min(at_side, along<side>(box.end) - 1), along<side>(box.begin));
  const int piece = block.z;
  const Box part = cut.part_of<axis>(box, piece);
  const Index3 first =
      placed<outer>(placed<side>(part.begin, line), along<outer>(box.begin) + block.y);
  PieceOfLine<axis, Real, Rows>(
      rows,
      first,
      along<axis>(part.end) - along<axis>(part.begin),
      {closed.is_first && piece == 0, closed.is_last && piece == cut.pieces - 1})
      .find([&](int part_of_relation, Real value) {
        if (at_side == line)
          values.address(place_of_line<axis>(first), part_of_relation)[piece * stride] = value;
      });
}

/// The relations of the pieces of all lines along `axis` of a box. Returns before it finishes.
/// Throws DeviceError if the launch is refused.
template <Axis axis, class Real, class Rows>
void find_relations(Box box,
                    const Rows& rows,
                    const LineCut& cut,
                    LineEnds closed,
                    const RelationsOfLines<Real>& values,
                    std::ptrdiff_t stride,
                    cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Rows>);
  constexpr Axis side = axes_in_plane(axis).first;
  constexpr Axis outer = axes_in_plane(axis).second;
  if (along<side>(box.extents()) <= 0 || along<outer>(box.extents()) <= 0) return;
  const int lines = along<side>(box.end) - (along<side>(box.begin) & -threads_of_relations);
  launch("launching the elimination of pieces of lines",
         find_relations_kernel<axis, Real, Rows>,
         {dim3(divide_up(lines, threads_of_relations),
               static_cast<unsigned>(along<outer>(box.extents())),
               static_cast<unsigned>(cut.pieces)),
          threads_of_relations},
         stream,
         box,
         rows,
         cut,
         closed,
         values,
         stride);
}

}  // namespace dns
