/// How lines of up to five hundred points, along x some thousand, are solved on a GPU: a block of
/// threads gathers the row data of a few neighbouring lines into shared memory, solves them there,
/// and stores the solution from there. Every input is read from device memory once, every result
/// written once.
///
/// Gathering and storing run along x, where memory is contiguous, whatever the axis of the
/// sweep; solving runs along the lines. Shared memory transposes between the two.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "cuda/block_start_delay.cuh"
#include "cuda/for_each.cuh"
#include "cuda/line_in_pieces.cuh"
#include "cuda/sweep_tuning.cuh"
#include "solver/core/level_view.hpp"

namespace dns {

/// How a sweep is cut into blocks and pieces.
struct SweepShape {
  int lines_log2;  // lines per block
  int lanes_log2;  // lanes per line
  int pieces;      // pieces per line
  int pitch;       // words between neighbouring lines in shared memory
  int seams;       // words of a line for SeamsOfLine
  int row_blocks;  // blocks side by side on the same planes
  int blocks;      // in all
  bool backwards;  // from the last block to the first

  BlockStartDelay start;

  // Index along x of the lines whose blocks evaluate the low and the high plane of the boundary
  // across x; -1: none do.
  int low_boundary_at, high_boundary_at;

  [[nodiscard]] DNS_HD int lines() const { return 1 << lines_log2; }
  /// In sweeps along x: planes across z that the lines of a block lie on.
  [[nodiscard]] DNS_HD int planes_log2() const { return lines_log2 / 2; }
  [[nodiscard]] DNS_HD int lanes() const { return 1 << lanes_log2; }
  [[nodiscard]] DNS_HD int threads() const { return 1 << (lines_log2 + lanes_log2); }
  [[nodiscard]] DNS_HD int block_of(int turn) const { return backwards ? blocks - 1 - turn : turn; }
  /// Shared memory of a block, of `parts` words per point.
  [[nodiscard]] std::size_t bytes(int parts, std::size_t of_word) const {
    return of_word * (parts * pitch + seams) * lines();
  }
  /// The line that a thread solves together with others, where each line is gathered by many warps:
  /// the lines of one warp lie far apart in shared memory, by half of the banks if they are two.
  [[nodiscard]] DNS_HD int spread_line_of(int thread) const {
    const int in_warp = (thread & 31) >> lanes_log2;
    return (in_warp << (lines_log2 + lanes_log2 - 5)) + (thread >> 5);
  }
};

/// No boundary to fill.
struct NoBoundary {
  static constexpr BoundaryPlanes planes{};
};
template <class BoundaryToFill>
inline constexpr bool has_boundary = !std::is_same_v<BoundaryToFill, NoBoundary>;

/// The lines of a block, and which of their rows a thread gathers and stores.
///
/// Along y and z: lines lie side by side along x, from a multiple of their number, so that rows of
/// a tile are whole sectors of memory where levels are aligned. A thread gathers and stores rows of
/// one line, and may solve another.
template <Axis axis, int warps = 1>
class BlockTile {
 public:
  __device__ BlockTile(Box box, const SweepShape& shape, int block)
      : begin_i_(box.begin.i),
        end_i_(box.end.i),
        line_(place_in_block().x & (shape.lines() - 1)),
        count_(along<axis>(box.end) - along<axis>(box.begin)),
        first_row_(place_in_block().x >> shape.lines_log2),
        row_step_(threads_along_block().x >> shape.lines_log2) {
    constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
    const int i = (box.begin.i & -shape.lines()) + block % shape.row_blocks * shape.lines() + line_;
    const int plane = along<outer>(box.begin) + block / shape.row_blocks;
    first_ = placed<outer>(Index3{i, box.begin.j, box.begin.k}, plane);
  }

  /// Rows of a line.
  [[nodiscard]] __device__ int count() const { return count_; }
  /// A thread gathers and stores every row_step()-th row of its lines.
  [[nodiscard]] __device__ int first_row() const { return first_row_; }
  [[nodiscard]] __device__ int row_step() const { return row_step_; }
  [[nodiscard]] __device__ bool takes(int row) const {
    return row >= first_row() && (row - first_row()) % row_step() == 0;
  }
  [[nodiscard]] __device__ bool has_line(int line) const {
    const int i = first_.i - line_ + line;
    return i >= begin_i_ && i < end_i_;
  }
  /// Calls visit(line, point of its row 0) for the lines of the thread: one, which need not exist.
  template <class Visit>
  __device__ void each_line(const Visit& visit) const {
    visit(line_, first_);
  }
  /// Calls visit(n, line, point of its row 0) for all lines and all n < times, shared out among the
  /// threads that wait() for each other.
  template <class Visit>
  __device__ void share_lines(const SweepShape& shape, int times, const Visit& visit) const {
    for (int task = place_in_block().x; task < times << shape.lines_log2;
         task += threads_along_block().x) {
      const int line = task & (shape.lines() - 1);
      if (!has_line(line)) continue;
      visit(task >> shape.lines_log2, line, placed<Axis::x>(first_, first_.i - line_ + line));
    }
  }
  /// The line that a thread solves together with others.
  [[nodiscard]] __device__ static int solved_line(const SweepShape& shape) {
    return shape.spread_line_of(place_in_block().x);
  }
  /// Waits for all threads that gather, solve or store the thread's lines.
  __device__ static void wait() { __syncthreads(); }

  /// Evaluates the planes of the boundary across x that are left to this block, once all its lines
  /// are stored: lines along y and z lie side by side along x, so that some are next to a plane.
  template <class BoundaryToFill>
  __device__ void fill_beside(const Box& box,
                              const SweepShape& shape,
                              const BoundaryToFill& boundary) const {
    const auto has_column = [&](int i) {
      const int column = i - (first_.i - line_);
      return column >= 0 && column < shape.lines();
    };
    if (!has_column(shape.low_boundary_at) && !has_column(shape.high_boundary_at)) return;
    wait();  // for the whole block, here
#pragma unroll 1
    for (int end = 0; end < 2; ++end) {
      const bool is_high = end == 1;
      if (!has_column(is_high ? shape.high_boundary_at : shape.low_boundary_at)) continue;
      const int i = is_high ? box.end.i : box.begin.i - 1;
#pragma unroll 1
      for (int n = 0; n < boundary.variables(Axis::x); ++n) {
        for (int row = place_in_block().x; row < count_; row += threads_along_block().x) {
          const Index3 c = placed<axis>(first_, along<axis>(first_) + row);
          boundary.evaluate.template fill_end<Axis::x>(boundary.first_variable(Axis::x) + n,
                                                       placed<Axis::x>(c, i));
        }
      }
    }
  }

 private:
  Index3 first_;
  int begin_i_, end_i_, line_, count_, first_row_, row_step_;
};

/// Along x: lines lie side by side along y and z, so that most neighbours across a line belong to
/// the same block. A warp has lines of its own, or `warps` warps have one, which they gather, solve
/// and store, a row each at once, from a multiple of 32.
template <int warps>
class BlockTile<Axis::x, warps> {
 public:
  __device__ BlockTile(Box box, const SweepShape& shape, int block)
      : team_lines_log2_(team_log2 - shape.lanes_log2),
        planes_log2_(shape.planes_log2()),
        count_(box.end.i - box.begin.i),
        first_row_(place_in_block().x % team - (box.begin.i & (warp - 1))) {
    first_ = {box.begin.i,
              box.begin.j + (block % shape.row_blocks << (shape.lines_log2 - planes_log2_)),
              box.begin.k + (block / shape.row_blocks << planes_log2_)};
    end_j_ = box.end.j;
    end_k_ = box.end.k;
  }

  [[nodiscard]] __device__ int count() const { return count_; }
  [[nodiscard]] __device__ int first_row() const { return first_row_; }
  [[nodiscard]] __device__ static constexpr int row_step() { return team; }
  [[nodiscard]] __device__ bool takes(int row) const {
    return row >= first_row() && (row - first_row()) % row_step() == 0;
  }
  [[nodiscard]] __device__ bool has_line(int line) const {
    const Index3 c = first_of(line);
    return c.j < end_j_ && c.k < end_k_;
  }
  template <class Visit>
  __device__ void each_line(const Visit& visit) const {
    const int first_line = place_in_block().x / team << team_lines_log2_;
    for (int line = first_line; line < first_line + (1 << team_lines_log2_); ++line) {
      visit(line, first_of(line));
    }
  }
  template <class Visit>
  __device__ void share_lines(const SweepShape& shape, int times, const Visit& visit) const {
    const int first_line = place_in_block().x / team << team_lines_log2_;
    for (int task = place_in_block().x % team; task < times << team_lines_log2_; task += team) {
      const int line = first_line + (task & ((1 << team_lines_log2_) - 1));
      if (!has_line(line)) continue;
      visit(task >> team_lines_log2_, line, first_of(line));
    }
  }
  [[nodiscard]] __device__ static int solved_line(const SweepShape& shape) {
    return place_in_block().x >> shape.lanes_log2;
  }
  __device__ static void wait() {
    if constexpr (warps == 1) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

 private:
  [[nodiscard]] __device__ Index3 first_of(int line) const {
    return {
        first_.i, first_.j + (line >> planes_log2_), first_.k + (line & ((1 << planes_log2_) - 1))};
  }

  static constexpr int warp = 32, team = warp * warps;
  static constexpr int team_log2 = std::bit_width(unsigned{team}) - 1;
  Index3 first_;
  int team_lines_log2_, planes_log2_, end_j_, end_k_, count_, first_row_;
};

/// A formula (rows or a sink) at the points of a grid line, by their number of steps from `first`.
template <Axis axis, class Formula>
struct PointsOfLine {
  const Formula& formula;
  Index3 first;

  [[nodiscard]] __device__ Index3 point(int steps) const {
    return placed<axis>(first, along<axis>(first) + steps);
  }
  [[nodiscard]] __device__ auto operator()(int steps) const { return formula(point(steps)); }
  [[nodiscard]] __device__ auto read(int steps) const { return formula.read(point(steps)); }
  template <class Solution, class Known>
  __device__ void operator()(int steps, const Solution& x, const Known& known) const {
    formula(point(steps), x, known);
  }
  template <class Solution, class Known>
  [[nodiscard]] __device__ auto written(const Solution& x, const Known& known) const {
    return formula.written(x, known);
  }
};

/// Rows that load their stencil point by point: rows.row_between combines what load_stencil() gives
/// at neighbouring points.
template <class Rows>
concept LoadsStencils = requires(const Rows& rows, Index3 c) {
  rows.load_stencil(c);
};

/// Rows along the grid line from `first`: line_from where they have it, else point by point.
template <Axis axis, class Rows>
[[nodiscard]] __device__ auto rows_from(const Rows& rows, Index3 first) {
  if constexpr (LoadsStencils<Rows>) {
    return rows.line_from(first);
  } else {
    return PointsOfLine<axis, Rows>{rows, first};
  }
}
template <Axis axis, class Sink>
[[nodiscard]] __device__ auto sink_from(const Sink& sink, Index3 first) {
  if constexpr (requires { sink.template line_from<axis>(first); }) {
    return sink.template line_from<axis>(first);
  } else {
    return PointsOfLine<axis, Sink>{sink, first};
  }
}

/// Closes row 0 or the last row of a line, whose data are in shared memory.
template <class Data, class Rows, class Real>
__device__ void close_end(const Rows& rows,
                          bool is_high,
                          Index3 c,
                          const PieceInSharedMemory<Real>& row) {
  Data data;
#pragma unroll
  for (int part = 0; part < Data::parts; ++part) data[part] = row.at(part, 0);
  if (is_high) {
    rows.close_high(c, data);
  } else {
    rows.close_low(c, data);
  }
#pragma unroll
  for (int part = 0; part < Data::parts; ++part) row.at(part, 0) = data[part];
}

/// Gathers the row data of a thread's lines row by row. line_at(line) is where row 0 of a line
/// goes, after `fill` rows that repeat it.
template <int batch, Axis axis, class Data, int warps, class Rows, class LineAt>
__device__ void gather_rows(const BlockTile<axis, warps>& tile,
                            int fill,
                            const Rows& rows,
                            const LineAt& line_at) {
  tile.each_line([&](int line, Index3 first) {
    if (!tile.has_line(line)) return;
    const auto rows_of_line = rows_from<axis>(rows, first);
    const auto place = line_at(line);
    const int step = tile.row_step();
    for (int start = tile.first_row(); start < tile.count(); start += batch * step) {
      Data data[batch];
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        data[n] = rows_of_line(max(min(start + n * step, tile.count() - 1), 0));
      }
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        const int row = start + n * step;
        if (row < 0 || row >= tile.count()) continue;
#pragma unroll
        for (int part = 0; part < Data::parts; ++part) place.at(part, row) = data[n][part];
      }
    }
    if (tile.takes(0)) {
      for (int part = 0; part < Data::parts; ++part) {
        for (int m = -fill; m < 0; ++m) place.at(part, m) = place.at(part, 0);
      }
      if constexpr (!Rows::is_cyclic) close_end<Data>(rows, false, first, place);
    }
    if constexpr (!Rows::is_cyclic) {
      const int last = tile.count() - 1;
      if (tile.takes(last)) {
        close_end<Data>(
            rows, true, placed<axis>(first, along<axis>(first) + last), place.from(last));
      }
    }
  });
}

/// Gathers the row data of the `run` rows of one piece of a thread's line, so that what
/// neighbouring rows share is loaded once. Rows before row 0, which fill up the first piece, load
/// the node before it instead.
template <int run, int batch, StencilLoads loads, Axis axis, class Data, class Rows, class LineAt>
__device__ void gather_runs(const BlockTile<axis>& tile,
                            int fill,
                            const Rows& rows,
                            const LineAt& line_at) {
  tile.each_line([&](int line, Index3 first) {
    const int start = tile.first_row() * run - fill;
    if (!tile.has_line(line) || start >= tile.count()) return;
    const auto rows_of_line = rows_from<axis>(rows, first);
    const auto place = line_at(line).from(start);
    const auto load = [&](int row) {
      return rows_of_line.template load_stencil<StencilLoader<loads>>(max(row, -1));
    };
    auto below = load(start - 1);
    auto here = load(start);
#pragma unroll
    for (int m = 0; m < run; m += batch) {
      decltype(here) above[batch];
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        if (m + n < run) above[n] = load(start + m + n + 1);
      }
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        if (m + n >= run) continue;
        Data data = rows.row_between(below.nonlinear, here, above[n].nonlinear);
        below = here;
        here = above[n];
#pragma unroll
        for (int part = 0; part < Data::parts; ++part) place.at(part, m + n) = data[part];
      }
    }
    if constexpr (!Rows::is_cyclic) {
      constexpr int end = run - 1;
      if (start <= 0) close_end<Data>(rows, false, first, place.from(-start));
      if (start + run == tile.count()) {
        close_end<Data>(
            rows, true, placed<axis>(first, along<axis>(first) + start + end), place.from(end));
      }
    }
  });
}

/// Rows at either end of a line that boundary nodes depend on.
inline constexpr int rows_next_to_boundary = 2;

/// Passes the solution of a thread's lines to the sink, once it is there. What the sink reads is
/// loaded ahead. With `leaves_ends`, what the sink has written next to the boundary replaces the
/// solution in shared memory.
template <int ahead,
          Axis axis,
          class System,
          class Real,
          bool can_leave_ends,
          int warps,
          class Sink,
          class LineAt>
__device__ void store_solution(const BlockTile<axis, warps>& tile,
                               const Sink& sink,
                               bool leaves_ends,
                               const LineAt& solution_at) {
  tile.each_line([&](int line, Index3 first) {
    const auto sink_of_line = sink_from<axis>(sink, first);
    const auto place = solution_at(line);
    const int step = tile.row_step();
    const int end = tile.has_line(line) ? tile.count() : 0;
    using Known = decltype(sink_of_line.read(0));
    Known known[ahead];
    const auto read_ahead = [&](int start) {
#pragma unroll
      for (int n = 0; n < ahead; ++n) {
        const int row = start + n * step;
        if (row >= 0 && row < end) known[n] = sink_of_line.read(row);
      }
    };
    read_ahead(tile.first_row());
    tile.wait();
    for (int start = tile.first_row(); start < end; start += ahead * step) {
#pragma unroll
      for (int n = 0; n < ahead; ++n) {
        const int row = start + n * step;
        if (row < 0 || row >= end) continue;
        Real x[System::unknowns];
#pragma unroll
        for (int unknown = 0; unknown < System::unknowns; ++unknown) {
          x[unknown] = place.at(unknown, row);
        }
        sink_of_line(row, x, known[n]);
        if constexpr (can_leave_ends) {
          const bool is_next_to_boundary =
              row < rows_next_to_boundary || row >= end - rows_next_to_boundary;
          if (!leaves_ends || !is_next_to_boundary) continue;
          const auto written = sink_of_line.written(x, known[n]);
#pragma unroll
          for (int unknown = 0; unknown < System::unknowns; ++unknown) {
            place.at(unknown, row) = written[unknown];
          }
        }
      }
      read_ahead(start + ahead * step);
    }
  });
}

/// Evaluates the boundary nodes at the ends of the lines of a tile, from what store_solution left
/// in shared memory.
template <Axis axis, int warps, class BoundaryToFill, class LineAt>
__device__ void fill_ends(const BlockTile<axis, warps>& tile,
                          const SweepShape& shape,
                          const BoundaryToFill& boundary,
                          const LineAt& written_at) {
  tile.wait();
  const int first_variable = boundary.first_variable(axis);
  const int variables = boundary.variables(axis);
  tile.share_lines(shape, 2 * variables, [&](int n, int line, Index3 first) {
    const bool is_high = n >= variables;
    if (!boundary.planes.is_included[axis][is_high ? 1 : 0]) return;
    const int variable = first_variable + (is_high ? n - variables : n);
    const int origin = along<axis>(first);
    const auto place = written_at(line);
    boundary.evaluate.template fill_end<axis>(
        variable, placed<axis>(first, is_high ? origin + tile.count() : origin - 1), [&](Index3 c) {
          return place.at(variable, along<axis>(c) - origin);
        });
  });
}

/// The pieces of each line that a block has: all of them, or a part where the blocks of a cluster
/// share lines.
struct PartOfLines {
  int pieces;    // of a line
  int of_block;  // at most
  int blocks = 1, block = 0;
};

/// What block number `block` of a sweep does: it solves its lines of a box. In a cluster it has a
/// part of its lines only, and `box` is this part of the lines.
template <Axis axis,
          int rows_per_piece,
          int warps,
          bool in_cluster,
          class Real,
          class Rows,
          class Sink,
          class BoundaryToFill>
__device__ __forceinline__ void sweep_lines_on_chip(const Box& box,
                                                    const Rows& rows,
                                                    const Sink& sink,
                                                    const SweepShape& shape,
                                                    const BoundaryToFill& boundary,
                                                    int block,
                                                    const PartOfLines& mine) {
  using System = typename Rows::System;
  using Data = RowData<System, Rows::coefficients, Real>;
  constexpr SweepTuning tuned = tuning<axis, Real, System::unknowns, rows_per_piece>;
  extern __shared__ __align__(16) std::byte memory[];
  Real* const values = reinterpret_cast<Real*>(memory);
  const int part_stride = shape.pitch << shape.lines_log2;
  const BlockTile<axis, warps> tile(box, shape, block);
  const int pieces = min(mine.pieces - mine.block * mine.of_block, mine.of_block);
  const int fill = pieces * rows_per_piece - tile.count();
  const auto parts_at = [&](int part, int line, int row) {
    return PieceInSharedMemory<Real>{values + (part * part_stride + line * shape.pitch + row),
                                     part_stride};
  };

  const auto line_at = [&](int line) { return parts_at(0, line, fill); };
  if constexpr (axis != Axis::x && LoadsStencils<Rows>) {
    gather_runs<rows_per_piece, tuned.points_at_once, tuned.loads, axis, Data>(
        tile, fill, rows, line_at);
  } else {
    gather_rows<tuned.points_at_once, axis, Data>(tile, fill, rows, line_at);
  }
  tile.wait();

  const int line = tile.solved_line(shape);
  if constexpr (warps == 1 && !in_cluster) {
    const LineLanes lanes{
        shape.lanes(), pieces, place_in_block().x & (shape.lanes() - 1), tile.has_line(line)};
    solve_line<rows_per_piece>(
        rows, fill, lanes, NoSeams{}, parts_at(0, line, lanes.mine * rows_per_piece));
  } else {
    const int warp = place_in_block().x / 32 % warps;
    const PiecesOfWarp of_warp(mine.pieces, mine.blocks * warps, mine.block * warps + warp);
    const SeamsOfLine<Real, in_cluster> seams{
        of_warp.at_end,
        values + Data::parts * part_stride + line * shape.seams,
        System::unknowns,
        warps,
        warp,
        mine.blocks,
        mine.block};
    const int lane = of_warp.first - mine.block * mine.of_block + place_in_block().x % 32;
    solve_line<rows_per_piece>(rows,
                               fill,
                               of_warp.lanes(tile.has_line(line)),
                               seams,
                               parts_at(0, line, lane * rows_per_piece));
  }

  const auto solution_at = [&](int of_line) { return parts_at(Rows::coefficients, of_line, fill); };
  constexpr bool fills_boundary = has_boundary<BoundaryToFill>;
  const bool fills_ends = boundary.planes.any_across(axis);
  store_solution<tuned.known_at_once, axis, System, Real, fills_boundary>(
      tile, sink, fills_ends, solution_at);
  if constexpr (fills_boundary) {
    if (fills_ends) fill_ends(tile, shape, boundary, solution_at);
    if constexpr (axis != Axis::x) tile.fill_beside(box, shape, boundary);
  }
}

template <Axis axis,
          int rows_per_piece,
          int warps,
          class Real,
          class Rows,
          class Sink,
          class BoundaryToFill>
__global__ void __launch_bounds__(
    threads_of_block<axis, warps>,
    tuning<axis, Real, Rows::System::unknowns, rows_per_piece>.threads_at_once /
        threads_of_block<axis, warps>)
    sweep_on_chip_kernel(Box box,
                         Rows rows,
                         Sink sink,
                         SweepShape shape,
                         const __grid_constant__ BoundaryToFill boundary) {
  const int3 turn = block_after_kernels_before();
  shape.start.wait(turn.x);
  sweep_lines_on_chip<axis, rows_per_piece, warps, false, Real>(
      box, rows, sink, shape, boundary, shape.block_of(turn.x), {shape.pieces, shape.pieces});
}

/// Lets blocks of a kernel have as much shared memory as this device gives to a block; returns it
/// [bytes].
template <class... Parameters>
int with_all_shared_memory(void (*kernel)(Parameters...)) {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "asking for its number");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for its shared memory");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "asking for shared memory");
  return bytes;
}

/// How lines along `axis` are cut, for row data of `parts` values per point, among them `unknowns`
/// right-hand sides. lines_log2 is -1 if not even one line fits.
template <Axis axis, class Real, int unknowns, int warps = 1>
SweepShape sweep_shape(Box box, int rows_per_piece, int parts, int shared_bytes) {
  const int count = along<axis>(box.end) - along<axis>(box.begin);
  const auto log2_up = [](int n) { return std::bit_width(static_cast<unsigned>(n - 1)); };
  SweepShape shape{};
  shape.pieces = (count + rows_per_piece - 1) / rows_per_piece;
  shape.lanes_log2 = log2_up(shape.pieces);
  constexpr int most_threads = threads_of_block<axis, warps>;
  shape.lines_log2 = axis == Axis::x ? log2_up(most_threads) - shape.lanes_log2
                                     : log2_up(lines_across<Real, unknowns>);
  const auto bytes = [&] { return parts * (shape.pitch << shape.lines_log2) * bytes_per<Real>; };
  for (; shape.lines_log2 >= 0; --shape.lines_log2) {
    if (shape.threads() > most_threads) continue;
    // No bank conflicts. Along x when a warp solves several lines: one follows the other as if it
    // were more lanes of one line. Along y and z also when rows of a tile are gathered and stored:
    // neighbouring lines lie an odd multiple of `spread` banks apart, and `spread` neighbouring
    // rows of one line fill the gap.
    constexpr int banks = 128 / bytes_per<Real>;
    const int spread = std::max(banks / shape.lines(), 1);
    const auto meets_all_banks = [&] {
      if (axis == Axis::x) return (shape.pitch - shape.lanes() * rows_per_piece) % banks == 0;
      return shape.pitch % (2 * spread) == spread;
    };
    shape.pitch = shape.pieces * rows_per_piece;
    while (!meets_all_banks() && (axis != Axis::x || shape.lanes() < 32)) ++shape.pitch;
    if (bytes() <= shared_bytes) break;
  }
  if (shape.lines_log2 < 0) return shape;
  if (warps > 1) shape.seams = SeamsOfLine<Real>::values(unknowns, warps, 1);
  shape.lanes_log2 = std::max(shape.lanes_log2, 5 - shape.lines_log2);  // whole warps
  const int lines = shape.lines();
  const auto [nx, ny, nz] = box.extents();
  if (axis == Axis::x) {
    const int planes = 1 << shape.planes_log2();
    shape.row_blocks = divide_up(ny, lines / planes);
    shape.blocks = shape.row_blocks * divide_up(nz, planes);
  } else {
    shape.row_blocks = divide_up(box.end.i - (box.begin.i & -lines), lines);
    shape.blocks = shape.row_blocks * (axis == Axis::z ? ny : nz);
  }
  return shape;
}

/// Leaves planes of the boundary across `axis` to the lines that end there, and those across x to
/// the blocks that have all they depend on: the two lines next to them, or on a periodic axis the
/// one that they repeat. Removes them from `boundary`.
template <Axis axis, class BoundaryToFill>
void leave_to_blocks(SweepShape& shape, Box box, BoundaryToFill& boundary) {
  const auto is_left = [&](Axis normal, bool is_high) -> bool& {
    return boundary.planes.is_included[normal][is_high ? 1 : 0];
  };
  is_left(axis, false) = is_left(axis, true) = false;
  if (axis == Axis::x) return;
  const auto left_to_line_at = [&](bool is_high) {
    const bool is_periodic = boundary.is_periodic(Axis::x);
    const bool is_near_low = is_high == is_periodic;
    const int nearest = is_near_low ? box.begin.i : box.end.i - 1;
    const int next = is_periodic ? nearest : is_near_low ? nearest + 1 : nearest - 1;
    const bool is_one_block = nearest / shape.lines() == next / shape.lines();
    if (!is_left(Axis::x, is_high) || !is_one_block) return -1;
    is_left(Axis::x, is_high) = false;
    return nearest;
  };
  shape.low_boundary_at = left_to_line_at(false);
  shape.high_boundary_at = left_to_line_at(true);
}

/// Solves all lines of `box` along `axis` if they fit; returns whether they do, before it finishes.
/// Removes from `boundary` the planes that it evaluates. Throws DeviceError if the launch is
/// refused.
template <Axis axis,
          class Real,
          int rows_per_piece,
          int warps,
          class Rows,
          class Sink,
          class BoundaryToFill>
bool launch_sweep_on_chip(Box box,
                          const Rows& rows,
                          const Sink& sink,
                          BoundaryToFill& boundary,
                          bool backwards,
                          cudaStream_t stream) {
  constexpr auto kernel =
      sweep_on_chip_kernel<axis, rows_per_piece, warps, Real, Rows, Sink, BoundaryToFill>;
  constexpr int parts = Rows::coefficients + Rows::System::unknowns;
  static const int shared_bytes = with_all_shared_memory(kernel);
  SweepShape shape = sweep_shape<axis, Real, Rows::System::unknowns, warps>(
      box, rows_per_piece, parts, shared_bytes);
  if (shape.lines_log2 < 0) return false;
  shape.backwards = backwards;
  BoundaryToFill boundary_of_blocks = boundary;
  if constexpr (has_boundary<BoundaryToFill>) leave_to_blocks<axis>(shape, box, boundary);
  const std::size_t bytes = shape.bytes(parts, sizeof(Real));
  const LaunchShape launched{
      static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads()), bytes};
  if constexpr (Rows::System::unknowns > 1) {
    shape.start = block_start_delay(kernel, launched, bytes / bytes_gathered_per_cycle);
  }
  launch("launching a sweep", kernel, launched, stream, box, rows, sink, shape, boundary_of_blocks);
  return true;
}

/// Solves all lines of `box` along `axis` if they fit, with as few rows per lane as the length of
/// the lines allows; returns whether they do.
template <Axis axis, class Real, class Rows, class Sink, class BoundaryToFill>
bool sweep_on_chip(Box box,
                   const Rows& rows,
                   const Sink& sink,
                   BoundaryToFill& boundary,
                   bool backwards,
                   cudaStream_t stream) {
  constexpr auto& choices = piece_choices<axis, Real, Rows::System::unknowns>;
  const int count = along<axis>(box.end) - along<axis>(box.begin);
  return [&]<std::size_t... n>(std::index_sequence<n...>) {
    const auto launch_with = [&]<std::size_t choice>() {
      constexpr PieceChoice made = choices[choice];
      if constexpr (is_for<Real>(made, Rows::coefficients + Rows::System::unknowns)) {
        return count <= made.most_points && launch_sweep_on_chip<axis, Real, made.rows, made.warps>(
                                                box, rows, sink, boundary, backwards, stream);
      } else {
        return false;
      }
    };
    return (launch_with.template operator()<n>() || ...);
  }
  (std::make_index_sequence<choices.size()>{});
}

}  // namespace dns
