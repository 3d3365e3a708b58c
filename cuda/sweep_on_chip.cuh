/// How lines of up to about a thousand points are solved on a GPU: a block of threads gathers the
/// row data of a few neighbouring lines into shared memory, solves them there, and hands the
/// solution on from there. Device memory sees every input once and every result once.
///
/// Gathering and handing on run along x, where memory is contiguous, whatever the axis of the
/// sweep; solving runs along the lines. Shared memory is where the two meet.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/for_each.cuh"
#include "cuda/line_in_pieces.cuh"

namespace dns {

/// How a sweep is cut into blocks and pieces.
struct SweepShape {
  int lines_log2;  // lines per block
  int lanes_log2;  // lanes per line
  int pieces;      // pieces per line
  int pitch;       // words between neighbouring lines in shared memory
  int row_blocks;  // blocks side by side
  int blocks;      // in all
  bool backwards;  // from the last block to the first

  [[nodiscard]] DNS_HD int lines() const { return 1 << lines_log2; }
  [[nodiscard]] DNS_HD int lanes() const { return 1 << lanes_log2; }
  [[nodiscard]] DNS_HD int threads() const { return 1 << (lines_log2 + lanes_log2); }
  [[nodiscard]] DNS_HD int block_of(int turn) const { return backwards ? blocks - 1 - turn : turn; }
};

/// Rows per lane, so that 32 lanes solve a line: odd, so that lanes meet different banks of shared
/// memory, and as few as fit, for registers. Measured at 192 points on an H200, as are the others.
template <Axis axis, class Real, int unknowns>
struct RowsPerPiece {
  static constexpr int of_short_lines =
      sizeof(Real) == 8 || (axis == Axis::x && unknowns > 1) ? 7 : 13;
  static constexpr int of_medium_lines = 9;
  static constexpr int of_long_lines = 17;
  static constexpr int of_longest_lines = 33;
};

/// Threads of a block at most.
template <Axis axis>
inline constexpr int threads_of_block = axis == Axis::x ? 128 : 256;
/// Threads that a multiprocessor can hold: 64 to 255 registers are left for each.
template <class Real, int rows_per_piece, int unknowns>
inline constexpr int threads_at_once = [] {
  if (rows_per_piece > 16) return sizeof(Real) == 4 && unknowns > 1 ? 512 : 256;
  if (rows_per_piece < 8 && (sizeof(Real) == 4 || unknowns == 1)) return 1024;
  if (unknowns == 1) return sizeof(Real) == 4 ? 1024 : 768;
  return 512;
}();
/// Rounds of points whose loads are on their way together: of row data, and of what a sink reads.
template <class Real, int unknowns>
inline constexpr int rounds_of_rows = sizeof(Real) == 8 && unknowns > 1 ? 2 : 3;
template <class Real, int unknowns>
inline constexpr int rounds_of_sink = sizeof(Real) == 8 && unknowns > 1 ? 3 : 6;
/// Lines of a block along y and z: rows of a tile are 64 bytes of a field by itself, 128 where
/// variables lie side by side.
template <class Real, int unknowns>
inline constexpr int lines_across = unknowns > 1 ? 8 : 64 / static_cast<int>(sizeof(Real));

/// The points that one thread of a block gathers and hands on, in rounds.
///
/// Along y and z: lines lie side by side along x, from a multiple of their number, so that rows of
/// a tile are whole sectors of memory where layers are aligned. A thread has one line.
template <Axis axis>
class BlockTile {
 public:
  __device__ BlockTile(Box box, const SweepShape& shape, int block)
      : begin_i_(box.begin.i),
        end_i_(box.end.i),
        line_(static_cast<int>(threadIdx.x) & (shape.lines() - 1)),
        count_(along<axis>(box.end) - along<axis>(box.begin)),
        first_round_(static_cast<int>(threadIdx.x) >> shape.lines_log2),
        step_(static_cast<int>(blockDim.x) >> shape.lines_log2) {
    constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
    const int i = (box.begin.i & -shape.lines()) + block % shape.row_blocks * shape.lines() + line_;
    const int plane = along<outer>(box.begin) + block / shape.row_blocks;
    first_ = placed<outer>(Index3{i, box.begin.j, box.begin.k}, plane);
    is_line_ = has_line(line_);
  }

  [[nodiscard]] __device__ int first_round() const { return first_round_; }
  [[nodiscard]] __device__ int step() const { return step_; }
  [[nodiscard]] __device__ int end() const { return is_line_ ? count_ : 0; }
  [[nodiscard]] __device__ int line_of(int /*round*/) const { return line_; }
  [[nodiscard]] __device__ int row_of(int round) const { return round; }
  [[nodiscard]] __device__ bool has(int round) const { return round < end(); }
  [[nodiscard]] __device__ bool has_line(int line) const {
    const int i = first_.i - line_ + line;
    return i >= begin_i_ && i < end_i_;
  }
  /// The point of a round, or a point near it where the round has none.
  [[nodiscard]] __device__ Index3 point_of(int round) const {
    return at_row(min(round, count_ - 1));
  }
  /// The point of a row of the thread's line, or of the line's continuation.
  [[nodiscard]] __device__ Index3 at_row(int row) const {
    return placed<axis>(first_, along<axis>(first_) + row);
  }

 private:
  Index3 first_;
  int begin_i_, end_i_, line_, count_, first_round_, step_;
  bool is_line_;
};

/// Along x: lines lie side by side along y. A warp takes 32 points of one line in a round, from a
/// multiple of 32.
template <>
class BlockTile<Axis::x> {
 public:
  __device__ BlockTile(Box box, const SweepShape& shape, int block)
      : lines_log2_(shape.lines_log2),
        count_(box.end.i - box.begin.i),
        first_row_(static_cast<int>(threadIdx.x) % warp - (box.begin.i & (warp - 1))),
        first_round_(static_cast<int>(threadIdx.x) / warp),
        step_(static_cast<int>(blockDim.x) / warp) {
    first_ = {box.begin.i,
              box.begin.j + block % shape.row_blocks * shape.lines(),
              box.begin.k + block / shape.row_blocks};
    lines_here_ = min(shape.lines(), box.end.j - first_.j);
  }

  [[nodiscard]] __device__ int first_round() const { return first_round_; }
  [[nodiscard]] __device__ int step() const { return step_; }
  [[nodiscard]] __device__ int end() const {
    return (count_ - first_row_ + warp - 1) / warp << lines_log2_;
  }
  [[nodiscard]] __device__ int line_of(int round) const { return round & ((1 << lines_log2_) - 1); }
  [[nodiscard]] __device__ int row_of(int round) const {
    return (round >> lines_log2_) * warp + first_row_;
  }
  [[nodiscard]] __device__ bool has(int round) const {
    return round < end() && row_of(round) >= 0 && has_line(line_of(round));
  }
  [[nodiscard]] __device__ bool has_line(int line) const { return line < lines_here_; }
  [[nodiscard]] __device__ Index3 point_of(int round) const {
    return {first_.i + max(min(row_of(round), count_ - 1), 0),
            first_.j + min(line_of(round), lines_here_ - 1),
            first_.k};
  }

 private:
  static constexpr int warp = 32;
  Index3 first_;
  int lines_log2_, lines_here_, count_, first_row_, first_round_, step_;
};

/// Rows that follow from what each point of the line sees: what rows.see(c) gives at neighbouring
/// points, rows.row_between combines.
template <class Rows>
concept SeesPoints = requires(const Rows& rows, Index3 c) {
  rows.see(c);
};

/// Rows that a thread gathers side by side at most, for registers.
inline constexpr int longest_run = 16;
/// Points whose loads are on their way together there.
template <class Real>
inline constexpr int points_seen_at_once = sizeof(Real) == 8 ? 2 : 5;

/// Gathers the row data of a tile in rounds, every row by itself. word(part, row) of a thread's
/// line is where a value goes.
template <int batch, class Data, class Tile, class Rows, class Word>
__device__ void gather_in_rounds(const Tile& tile, int count, const Rows& rows, const Word& word) {
  for (int first = tile.first_round(); first < tile.end(); first += batch * tile.step()) {
    Data data[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      data[n] = rows(tile.point_of(first + n * tile.step()));
    }
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const int round = first + n * tile.step();
      if (!tile.has(round)) continue;
      if constexpr (!Rows::is_cyclic) {
        if (tile.row_of(round) == 0) rows.close_low(tile.point_of(round), data[n]);
        if (tile.row_of(round) == count - 1) rows.close_high(tile.point_of(round), data[n]);
      }
#pragma unroll
      for (int part = 0; part < Data::parts; ++part) *word(part, round) = data[n][part];
    }
  }
}

/// The same where a thread takes `run` neighbouring rows of its line, so that what neighbouring
/// rows see is loaded once. They go to `piece`.
template <int run, int batch, class Data, class Tile, class Rows, class Piece>
__device__ void gather_in_runs(const Tile& tile, int count, const Rows& rows, const Piece& piece) {
  const int first = tile.first_round() * run;
  if (first >= tile.end()) return;
  // The line's neighbours beyond its ends are seen too, but not further.
  const auto see = [&](int row) { return rows.see(tile.at_row(min(row, count))); };
  auto below = see(first - 1);
  auto here = see(first);
#pragma unroll
  for (int m = 0; m < run; m += batch) {
    decltype(here) above[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if (m + n < run) above[n] = see(first + m + n + 1);
    }
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const int row = first + m + n;
      if (m + n >= run) continue;
      Data data = rows.row_between(below.nonlinear, here, above[n].nonlinear);
      below = here;
      here = above[n];
      if (row >= count) continue;
#pragma unroll
      for (int part = 0; part < Data::parts; ++part) piece.at(part, m + n) = data[part];
    }
  }
  if constexpr (!Rows::is_cyclic) {
    const auto mend = [&](int row, const auto& close) {
      Data data;
#pragma unroll
      for (int part = 0; part < Data::parts; ++part) data[part] = piece.at(part, row - first);
      close(tile.at_row(row), data);
#pragma unroll
      for (int part = 0; part < Data::parts; ++part) piece.at(part, row - first) = data[part];
    };
    if (first == 0) mend(0, [&](Index3 c, Data& data) { rows.close_low(c, data); });
    if (count <= first + run) {
      mend(count - 1, [&](Index3 c, Data& data) { rows.close_high(c, data); });
    }
  }
}

template <Axis axis, int rows_per_piece, class Real, class Rows, class Sink>
__global__ void __launch_bounds__(threads_of_block<axis>,
                                  threads_at_once<Real, rows_per_piece, Rows::System::unknowns> /
                                      threads_of_block<axis>)
    sweep_on_chip_kernel(Box box, Rows rows, Sink sink, SweepShape shape) {
  const uint3 turn = block_after_kernels_before();
  using System = typename Rows::System;
  using Data = RowData<System, Rows::coefficients, Real>;
  extern __shared__ __align__(16) std::byte memory[];
  Real* const values = reinterpret_cast<Real*>(memory);
  const int part_stride = shape.pitch << shape.lines_log2;
  const int count = along<axis>(box.end) - along<axis>(box.begin);
  const int fill = shape.pieces * rows_per_piece - count;
  const BlockTile<axis> tile(box, shape, shape.block_of(static_cast<int>(turn.x)));
  const auto word = [&](int part, int round) {
    return values +
           (part * part_stride + tile.line_of(round) * shape.pitch + fill + tile.row_of(round));
  };
  if constexpr (axis != Axis::x && SeesPoints<Rows> && rows_per_piece <= longest_run) {
    gather_in_runs<rows_per_piece, points_seen_at_once<Real>, Data>(
        tile,
        count,
        rows,
        PieceInSharedMemory<Real>{word(0, tile.first_round() * rows_per_piece), part_stride});
  } else {
    gather_in_rounds<rounds_of_rows<Real, System::unknowns>, Data>(tile, count, rows, word);
  }
  __syncthreads();

  const int thread = static_cast<int>(threadIdx.x);
  const int line = thread >> shape.lanes_log2;
  const LineLanes lanes{
      shape.lanes(), shape.pieces, thread & (shape.lanes() - 1), tile.has_line(line)};
  solve_line<rows_per_piece>(
      rows,
      fill,
      lanes,
      PieceInSharedMemory<Real>{values + (line * shape.pitch + lanes.mine * rows_per_piece),
                                part_stride});

  // What the sink reads is on its way while the block waits for its last line.
  constexpr int ahead = rounds_of_sink<Real, System::unknowns>;
  using Known = decltype(sink.read(Index3{}));
  Known known[ahead];
  const auto read_ahead = [&](int first) {
#pragma unroll
    for (int n = 0; n < ahead; ++n) {
      known[n] = sink.read(tile.point_of(first + n * tile.step()));
    }
  };
  if (tile.first_round() < tile.end()) read_ahead(tile.first_round());
  __syncthreads();
  for (int first = tile.first_round(); first < tile.end(); first += ahead * tile.step()) {
#pragma unroll
    for (int n = 0; n < ahead; ++n) {
      const int round = first + n * tile.step();
      if (!tile.has(round)) continue;
      Real x[System::unknowns];
      const Real* from = word(Rows::coefficients, round);
#pragma unroll
      for (int unknown = 0; unknown < System::unknowns; ++unknown, from += part_stride) {
        x[unknown] = *from;
      }
      sink(tile.point_of(round), x, known[n]);
    }
    read_ahead(first + ahead * tile.step());
  }
}

/// Shared memory a block may have on this device [bytes].
inline int shared_memory_per_block() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "asking for its number");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for its shared memory");
  return bytes;
}

/// How lines along `axis` are cut, for row data of `parts` values per point, among them right-hand
/// sides of `unknowns`. lines_log2 is -1 where not even one line fits.
template <Axis axis, class Real, int unknowns>
SweepShape sweep_shape(Box box, int rows_per_piece, int parts, int shared_bytes) {
  const int count = along<axis>(box.end) - along<axis>(box.begin);
  const auto log2_up = [](int n) { return std::bit_width(static_cast<unsigned>(n - 1)); };
  SweepShape shape{};
  shape.pieces = (count + rows_per_piece - 1) / rows_per_piece;
  shape.lanes_log2 = log2_up(shape.pieces);
  shape.lines_log2 = axis == Axis::x ? log2_up(threads_of_block<axis>) - shape.lanes_log2
                                     : log2_up(lines_across<Real, unknowns>);
  const auto bytes = [&] {
    return parts * (shape.pitch << shape.lines_log2) * static_cast<int>(sizeof(Real));
  };
  for (; shape.lines_log2 >= 0; --shape.lines_log2) {
    if (shape.threads() > threads_of_block<axis>) continue;
    // Rows of a tile go to all banks: neighbouring lines lie `spread` banks apart, times something
    // odd, and `spread` neighbouring rows of one line fill the gap.
    const int spread = std::max(128 / static_cast<int>(sizeof(Real)) / shape.lines(), 1);
    shape.pitch = shape.pieces * rows_per_piece;
    while (shape.pitch % (2 * spread) != spread) ++shape.pitch;
    if (bytes() <= shared_bytes) break;
  }
  if (shape.lines_log2 < 0) return shape;
  shape.lanes_log2 = std::max(shape.lanes_log2, 5 - shape.lines_log2);  // whole warps
  const int lines = shape.lines();
  const auto [nx, ny, nz] = box.extents();
  shape.row_blocks = axis == Axis::x ? (ny + lines - 1) / lines
                                     : (box.end.i - (box.begin.i & -lines) + lines - 1) / lines;
  shape.blocks = shape.row_blocks * (axis == Axis::z ? ny : nz);
  return shape;
}

/// Solves all lines of `box` along `axis` if they fit; says whether they do. Returns before it
/// finishes. Throws DeviceError if the launch is refused.
template <Axis axis, class Real, int rows_per_piece, class Rows, class Sink>
bool launch_sweep_on_chip(
    Box box, const Rows& rows, const Sink& sink, bool backwards, cudaStream_t stream) {
  constexpr auto kernel = sweep_on_chip_kernel<axis, rows_per_piece, Real, Rows, Sink>;
  constexpr int parts = Rows::coefficients + Rows::System::unknowns;
  static const int shared_bytes = [] {
    const int most = shared_memory_per_block();
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
          "asking for shared memory");
    return most;
  }();
  SweepShape shape =
      sweep_shape<axis, Real, Rows::System::unknowns>(box, rows_per_piece, parts, shared_bytes);
  if (shape.lines_log2 < 0) return false;
  shape.backwards = backwards;
  const std::size_t bytes =
      parts * (static_cast<std::size_t>(shape.pitch) << shape.lines_log2) * sizeof(Real);
  launch("launching a sweep",
         kernel,
         {static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads()), bytes},
         stream,
         box,
         rows,
         sink,
         shape);
  return true;
}

/// The same with as few rows per lane as the length of the lines asks for.
template <Axis axis, class Real, class Rows, class Sink>
bool sweep_on_chip(
    Box box, const Rows& rows, const Sink& sink, bool backwards, cudaStream_t stream) {
  using Pieces = RowsPerPiece<axis, Real, Rows::System::unknowns>;
  constexpr int warp = 32;
  constexpr int lanes =
      axis == Axis::x
          ? warp
          : std::min(warp, threads_of_block<axis> / lines_across<Real, Rows::System::unknowns>);
  const int count = along<axis>(box.end) - along<axis>(box.begin);
  if (count <= lanes * Pieces::of_short_lines) {
    return launch_sweep_on_chip<axis, Real, Pieces::of_short_lines>(
        box, rows, sink, backwards, stream);
  }
  if constexpr (Pieces::of_medium_lines > Pieces::of_short_lines) {
    if (count <= lanes * Pieces::of_medium_lines) {
      return launch_sweep_on_chip<axis, Real, Pieces::of_medium_lines>(
          box, rows, sink, backwards, stream);
    }
  }
  if (count <= lanes * Pieces::of_long_lines) {
    return launch_sweep_on_chip<axis, Real, Pieces::of_long_lines>(
        box, rows, sink, backwards, stream);
  }
  if (count <= warp * Pieces::of_longest_lines) {
    return launch_sweep_on_chip<axis, Real, Pieces::of_longest_lines>(
        box, rows, sink, backwards, stream);
  }
  return false;
}

}  // namespace dns
