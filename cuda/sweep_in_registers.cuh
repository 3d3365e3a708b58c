/// How lines of systems of one unknown are solved along y and z on a GPU: each thread has a few
/// consecutive rows of one line, a piece, and keeps them in registers. Neighbouring threads have
/// neighbouring lines, so that memory is read and written along x, where it is contiguous; what a
/// row shares with the one before it is in registers already. Only the equations between the pieces
/// of a line pass through shared memory.
///
/// Systems of more unknowns do not fit into registers: see sweep_on_chip.cuh.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "cuda/launch.cuh"
#include "cuda/line_in_pieces.cuh"
#include "cuda/sweep_tuning.cuh"
#include "cuda/team.cuh"

namespace dns {

/// How a sweep is cut into blocks and pieces. Pieces have as many rows as the kernel is made for,
/// or one less in the `short_pieces` pieces that follow the first one.
struct RegisterShape {
  int lanes_log2;  // lanes per line
  int pieces;      // pieces per line, one per lane
  int short_pieces;
  int row_blocks;  // blocks side by side along x
  int blocks;      // in all

  [[nodiscard]] DNS_HD int lanes() const { return 1 << lanes_log2; }
  /// Cuts lines of `count` points.
  template <int rows_per_lane>
  DNS_HD void cut(int count) {
    pieces = (count + rows_per_lane - 1) / rows_per_lane;
    short_pieces = pieces * rows_per_lane - count;
  }
  /// Places from line to line in shared memory, such that lanes of a warp use different banks.
  [[nodiscard]] DNS_HD int pitch(int lines) const { return lanes() + 32 / lines; }
};

/// Rows in shared memory, for exchange between pieces: part q of a row is at
/// values[q * stride + place].
template <class Real>
struct ExchangedRows {
  Real* values;
  int stride;

  template <class Row>
  __device__ void put(int place, Row row) const {
#pragma unroll
    for (int part = 0; part < Row::parts; ++part) values[part * stride + place] = row[part];
  }
  template <class Row>
  [[nodiscard]] __device__ Row get(int place) const {
    Row row;
#pragma unroll
    for (int part = 0; part < Row::parts; ++part) row[part] = values[part * stride + place];
    return row;
  }
};

/// The work of block number `block` of a sweep over the lines of a box.
template <Axis axis, int rows_per_lane, class Real, class Rows, class Sink>
__device__ __forceinline__ void sweep_lines_in_registers(
    const Box& box, const Rows& rows, const Sink& sink, const RegisterShape& shape, int block) {
  using System = typename Rows::System;
  constexpr int lines = lines_side_by_side<axis, Real, rows_per_lane>;
  using First = FirstRow<System, Real>;
  using End = EndRow<System, Real>;
  constexpr bool is_cyclic = Rows::is_cyclic;
  constexpr int end = rows_per_lane - 1;
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  extern __shared__ __align__(16) std::byte memory[];
  const int thread = place_in_block().x;
  const int line = thread % lines;
  const int lane = thread / lines;
  const int i = (box.begin.i & -lines) + block % shape.row_blocks * lines + line;
  const bool is_line = i >= box.begin.i && i < box.end.i;
  const bool has_piece = lane < shape.pieces;
  const int piece = min(lane, shape.pieces - 1);
  const bool is_first = lane == 0;
  const bool is_last = lane == shape.pieces - 1;
  const bool is_short = piece > 0 && piece <= shape.short_pieces;
  Index3 start{max(min(i, box.end.i - 1), box.begin.i), box.begin.j, box.begin.k};
  start = placed<outer>(start, along<outer>(box.begin) + block / shape.row_blocks);
  start = placed<axis>(
      start, along<axis>(box.begin) + piece * rows_per_lane - min(piece, shape.short_pieces));
  const auto point = [&](int m) { return placed<axis>(start, along<axis>(start) + m); };

  // Each piece by itself: all rows but the last in terms of its ends.
  using Data = RowData<System, Rows::coefficients, Real>;
  Data data[rows_per_lane];
#pragma unroll
  for (int m = 0; m < rows_per_lane; ++m) data[m] = rows(point(m));
  const auto row = [&](int m) {
    const LineEnds ends{!is_cyclic && m == 0 && is_first, !is_cyclic && m == end && is_last};
    if constexpr (!is_cyclic) {
      if (ends.is_first) rows.close_low(point(m), data[m]);
      if (ends.is_last) rows.close_high(point(m), data[m]);
    }
    return row_of(rows, data[m], ends);
  };
  EliminatedRow<System, Real, true> eliminated[end];
  First first = First::itself();
  auto previous = before_first_row<System, Real, true>();
  if (!is_short) {
    previous = eliminate(row(0), previous);
    first.absorb(previous);
  }
  eliminated[0] = previous;
#pragma unroll
  for (int m = 1; m < end; ++m) {
    previous = eliminate(row(m), previous);
    first.absorb(previous);
    eliminated[m] = previous;
  }
  const auto last_row = row(end);

  // The equations between the ends of pieces need the first row of the next piece.
  const int pitch = shape.pitch(lines);
  const ExchangedRows<Real> by_lane{reinterpret_cast<Real*>(memory), threads_along_block().x};
  const ExchangedRows<Real> by_line{by_lane.values + First::parts * by_lane.stride, pitch * lines};
  const int place = line * pitch + lane;
  by_lane.put(thread, first);
  __syncthreads();
  {
    const First next = by_lane.template get<First>(is_last || !has_piece ? line : thread + lines);
    End ends = has_piece ? End::from(last_row, previous, next) : End::fixed(Real(0));
    if (!is_cyclic && is_first) ends.lower = Real(0);
    by_line.put(place, ends);
  }
  __syncthreads();

  // Here the lanes of one line are neighbours in one warp.
  {
    const LineLanes of_line{
        shape.lanes(), shape.pieces, thread & (shape.lanes() - 1), true};  // lines are repeated
    const int mine = (thread >> shape.lanes_log2) * pitch + of_line.mine;
    End ends = by_line.template get<End>(mine);
    if constexpr (is_cyclic) {
      Real last_end[System::unknowns];
      Real x[System::unknowns];
      solve_cyclic_ends(ends, of_line, x, last_end);
#pragma unroll
      for (int unknown = 0; unknown < System::unknowns; ++unknown) ends.rhs[unknown] = x[unknown];
    } else {
      solve_ends(ends, of_line);
    }
    by_line.put(mine, ends);
  }
  __syncthreads();

  // Back into each piece.
  if (!has_piece || !is_line) return;
  Real x[System::unknowns];
  Real x_before[System::unknowns];
  {
    const End mine = by_line.template get<End>(place);
    const End before =
        by_line.template get<End>(is_first ? place - lane + shape.pieces - 1 : place - 1);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      x[unknown] = mine.rhs[unknown];
      x_before[unknown] = !is_cyclic && is_first ? Real(0) : before.rhs[unknown];
    }
  }
#pragma unroll
  for (int m = end; m >= 0; --m) {
    if (m < end) back_substitute(eliminated[m], x_before, x);
    if (m > 0 || !is_short) sink(point(m), x, sink.read(point(m)));
  }
}

/// The threads of a block whose lines have up to `most_lanes` lanes.
template <Axis axis, int rows_per_lane, int most_lanes, class Real>
inline constexpr int threads_in_registers =
    most_lanes* lines_side_by_side<axis, Real, rows_per_lane>;

/// All lines are swept.
struct NoLine {};

/// A sink for all lines but that through a point.
template <Axis axis, class Sink>
struct AllButLine {
  Sink sink;
  Index3 point;

  [[nodiscard]] __device__ auto read(Index3 c) const { return sink.read(c); }
  template <class Value, class Known>
  __device__ void operator()(Index3 c, const Value& x, const Known& known) const {
    const Index3 of_line = placed<axis>(point, along<axis>(c));
    if (c.i != of_line.i || c.j != of_line.j || c.k != of_line.k) sink(c, x, known);
  }
};

/// The first block solves `line`, if there is one, while the others sweep all lines but that.
template <Axis axis,
          int rows_per_lane,
          int most_lanes,
          class Real,
          class Rows,
          class Sink,
          class Line>
__global__ void __launch_bounds__(
    threads_in_registers<axis, rows_per_lane, most_lanes, Real>,
    threads_with_rows<Real, threads_in_registers<axis, rows_per_lane, most_lanes, Real>> /
        threads_in_registers<axis, rows_per_lane, most_lanes, Real>)
    sweep_in_registers_kernel(Box box, Rows rows, Sink sink, RegisterShape shape, Line line) {
  const int block = block_after_kernels_before().x;
  if constexpr (std::is_same_v<Line, NoLine>) {
    sweep_lines_in_registers<axis, rows_per_lane, Real>(box, rows, sink, shape, block);
  } else if (block == 0) {
    if (place_in_block().x < WarpTeam::threads) line.solve(WarpTeam{});
  } else {
    sweep_lines_in_registers<axis, rows_per_lane, Real>(
        box, rows, AllButLine<axis, Sink>{sink, box.begin}, shape, block - 1);
  }
}

/// How the lines of `box` along `axis` are cut.
template <Axis axis, int rows_per_lane, class Real>
[[nodiscard]] RegisterShape register_shape(Box box) {
  constexpr int lines = lines_side_by_side<axis, Real, rows_per_lane>;
  RegisterShape shape{};
  shape.cut<rows_per_lane>(along<axis>(box.extents()));
  shape.lanes_log2 = static_cast<int>(std::bit_width(static_cast<unsigned>(shape.pieces - 1)));
  while (lines << shape.lanes_log2 < 32) ++shape.lanes_log2;  // whole warps
  shape.row_blocks = (box.end.i - (box.begin.i & -lines) + lines - 1) / lines;
  const auto [nx, ny, nz] = box.extents();
  shape.blocks = shape.row_blocks * (axis == Axis::z ? ny : nz);
  return shape;
}

/// The launch of `blocks` blocks for systems of one unknown.
template <Axis axis, int rows_per_lane, class Real>
[[nodiscard]] LaunchShape launch_in_registers(const RegisterShape& shape, int blocks) {
  constexpr int lines = lines_side_by_side<axis, Real, rows_per_lane>;
  const std::size_t places = static_cast<std::size_t>(shape.lanes() + shape.pitch(lines)) * lines;
  return {static_cast<unsigned>(blocks),
          static_cast<unsigned>(lines << shape.lanes_log2),
          EndRow<OneUnknown, Real>::parts * places * sizeof(Real)};
}

/// Solves all lines of `box` along `axis` with up to `most_lanes` lanes per line, if these are
/// enough; returns whether they are, before it finishes. Throws DeviceError if the launch is
/// refused.
template <Axis axis,
          int rows_per_lane,
          int most_lanes,
          class Real,
          class Rows,
          class Sink,
          class Line>
bool launch_sweep_in_registers(
    Box box, const Rows& rows, const Sink& sink, cudaStream_t stream, const Line& line) {
  const RegisterShape shape = register_shape<axis, rows_per_lane, Real>(box);
  if (shape.lanes() > most_lanes || shape.short_pieces >= shape.pieces) return false;
  launch("launching a sweep",
         sweep_in_registers_kernel<axis, rows_per_lane, most_lanes, Real, Rows, Sink, Line>,
         launch_in_registers<axis, rows_per_lane, Real>(
             shape, shape.blocks + (std::is_same_v<Line, NoLine> ? 0 : 1)),
         stream,
         box,
         rows,
         sink,
         shape,
         line);
  return true;
}

/// Solves all lines of `box` along `axis` if they are short enough, but not too short to be cut
/// into pieces; returns whether they are, before it finishes. line: solves the line through the
/// first point (sweep_all_but_first_line in solver/core/backend.hpp).
template <Axis axis, class Real, class Rows, class Sink, class Line = NoLine>
bool sweep_in_registers(
    Box box, const Rows& rows, const Sink& sink, cudaStream_t stream, const Line& line = {}) {
  const auto launch_with = [&]<int rows_per_lane>() {
    return launch_sweep_in_registers<axis, rows_per_lane, 16, Real>(
               box, rows, sink, stream, line) ||
           launch_sweep_in_registers<axis, rows_per_lane, 32, Real>(box, rows, sink, stream, line);
  };
  const int count = along<axis>(box.end) - along<axis>(box.begin);
  const auto rows_of_lanes = [&](int rows_per_lane) {
    const int pieces = (count + rows_per_lane - 1) / rows_per_lane;
    return std::bit_ceil(static_cast<unsigned>(pieces)) * static_cast<unsigned>(rows_per_lane);
  };
  if (rows_of_lanes(more_rows) < rows_of_lanes(fewer_rows)) {
    return launch_with.template operator()<more_rows>() ||
           launch_with.template operator()<fewer_rows>();
  }
  return launch_with.template operator()<fewer_rows>() ||
         launch_with.template operator()<more_rows>();
}

}  // namespace dns
