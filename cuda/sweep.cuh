/// How lines are solved on a GPU: one thread per line; eliminated rows wait for back substitution
/// in a work space in device memory.
///
/// Along y and z neighbouring threads take neighbouring lines along x, so every access is
/// coalesced. Along x a warp takes 32 lines that lie side by side along y: the warp assembles rows
/// with its lanes along x, where fields are contiguous, transposes them through shared memory so
/// that each lane has the rows of its own line, and brings the solution back the same way.
#pragma once

#include <type_traits>

#include "cuda/for_each.cuh"
#include "solver/core/tridiagonal.hpp"

namespace dns {

/// Eliminated rows of all lines: value `part` of row m of a line, neighbouring lines contiguous.
template <class Real>
struct RowStore {
  Real* values;
  std::ptrdiff_t lines;

  template <class Eliminated>
  __device__ void put(int m, std::ptrdiff_t line, Eliminated& row) const {
    Real* const first = values + static_cast<std::ptrdiff_t>(m) * Eliminated::parts * lines + line;
#pragma unroll
    for (int part = 0; part < Eliminated::parts; ++part) first[part * lines] = row[part];
  }
  template <class Eliminated>
  __device__ Eliminated get(int m, std::ptrdiff_t line) const {
    const Real* const first =
        values + static_cast<std::ptrdiff_t>(m) * Eliminated::parts * lines + line;
    Eliminated row;
#pragma unroll
    for (int part = 0; part < Eliminated::parts; ++part) row[part] = first[part * lines];
    return row;
  }
};

/// Rows read together, so that many loads are in flight: there are few lines for so many
/// processors.
template <class Real>
inline constexpr int rows_at_once = 32 / static_cast<int>(sizeof(Real));

/// The forward half of one line, row after row, and what the backward half starts from.
template <class Rows, class Real>
struct LineElimination {
  using System = typename Rows::System;
  using Row = TridiagonalRow<System, Real>;
  using Eliminated = EliminatedRow<System, Real, Rows::is_cyclic>;

  Eliminated previous = before_first_row<System, Real, Rows::is_cyclic>();
  CyclicLastRow<System, Real> closing;  // on cyclic lines
  Row last_row;                         // on cyclic lines
  Real x[System::unknowns] = {};
  Real x_last[System::unknowns] = {};

  /// Only on cyclic lines, before the first row.
  __device__ void start(const Row& last) {
    last_row = last;
    closing = CyclicLastRow<System, Real>::from(last);
  }
  /// `is_last_but_one` matters on cyclic lines, whose last row is not advanced to.
  __device__ void advance(const Row& row, bool is_last_but_one) {
    previous = eliminate(row, previous);
    if constexpr (Rows::is_cyclic) {
      if (is_last_but_one) closing.couple(last_row);
      closing.absorb(previous);
    }
  }
  __device__ void turn() {
    if constexpr (Rows::is_cyclic) {
      closing.solve(x_last);
#pragma unroll
      for (int unknown = 0; unknown < System::unknowns; ++unknown) x[unknown] = x_last[unknown];
    }
  }
};

/// Lines along y or z, one thread each.
template <Axis axis, class Real, class Rows, class Sink>
__global__ void __launch_bounds__(64)
    sweep_kernel(Box box, Rows rows, Sink sink, RowStore<Real> store) {
  static_assert(axis != Axis::x);
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  using Elimination = LineElimination<Rows, Real>;
  using Eliminated = typename Elimination::Eliminated;
  constexpr int batch = rows_at_once<Real>;

  const int i = box.begin.i + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= box.end.i) return;
  const int plane = static_cast<int>(blockIdx.y);
  const int begin = along<axis>(box.begin);
  const int last = along<axis>(box.end) - begin - 1;
  const int solved = Rows::is_cyclic ? last - 1 : last;  // the last row in the store
  const std::ptrdiff_t line =
      (i - box.begin.i) + static_cast<std::ptrdiff_t>(box.end.i - box.begin.i) * plane;
  const Index3 first =
      placed<outer>(Index3{i, box.begin.j, box.begin.k}, along<outer>(box.begin) + plane);
  const auto at = [&](int m) { return placed<axis>(first, begin + m); };

  Elimination elimination;
  if constexpr (Rows::is_cyclic) elimination.start(rows(at(last)));
  for (int m_begin = 0; m_begin <= solved; m_begin += batch) {
    typename Elimination::Row ahead[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) ahead[n] = rows(at(min(m_begin + n, solved)));
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const int m = m_begin + n;
      if (m > solved) break;
      if constexpr (!Rows::is_cyclic) {
        if (m == 0) rows.close_low(at(m), ahead[n]);
        if (m == last) rows.close_high(at(m), ahead[n]);
      }
      elimination.advance(ahead[n], m == last - 1);
      store.put(m, line, elimination.previous);
    }
  }
  elimination.turn();
  if constexpr (Rows::is_cyclic) sink(at(last), elimination.x_last);
  for (int m_end = solved; m_end >= 0; m_end -= batch) {
    Eliminated ahead[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n)
      ahead[n] = store.template get<Eliminated>(max(m_end - n, 0), line);
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if (m_end - n < 0) break;
      back_substitute(ahead[n], elimination.x_last, elimination.x);
      sink(at(m_end - n), elimination.x);
    }
  }
}

/// Shared memory in which a warp transposes tiles of 32 lines x `points` points. Words of one line
/// are rotated by half the line's number: a tile row of 32 or 16 words goes in, and a column of 32
/// lines comes out, without bank conflicts, and without padding.
template <class Real, int parts>
struct TransposeTile {
  static constexpr int points = 64 / static_cast<int>(sizeof(Real));  // two lines fill all banks
  static constexpr int lines = 32;

  Real values[parts][lines * points];

  /// Where a word lies among those of its part.
  [[nodiscard]] DNS_HD static constexpr int slot(int line, int point) {
    return line * points + ((point + line / 2) & (points - 1));
  }
  __device__ Real& at(int part, int line, int point) { return values[part][slot(line, point)]; }
};

/// Lines along x, 32 per warp, one warp per block.
template <class Real, class Rows, class Sink>
__global__ void __launch_bounds__(32, 12)
    sweep_along_x_kernel(Box box, Rows rows, Sink sink, RowStore<Real> store) {
  using Elimination = LineElimination<Rows, Real>;
  using Row = typename Elimination::Row;
  using Eliminated = typename Elimination::Eliminated;
  constexpr int unknowns = Rows::System::unknowns;
  using Tile = TransposeTile<Real, Row::parts>;
  constexpr int tile_points = Tile::points;
  constexpr int lines_at_once = Tile::lines / tile_points;  // a warp covers whole tile rows
  constexpr int batch = rows_at_once<Real>;
  __shared__ Tile tile;

  const int lane = static_cast<int>(threadIdx.x);
  const int first_line = static_cast<int>(blockIdx.x) * Tile::lines;
  const int line_count = box.end.j - box.begin.j;
  const int lines_here = min(Tile::lines, line_count - first_line);
  const int plane = static_cast<int>(blockIdx.y);
  const int last = box.end.i - box.begin.i - 1;
  const int solved = Rows::is_cyclic ? last - 1 : last;
  const int tiles = (last + tile_points) / tile_points;
  const bool has_line = lane < lines_here;
  const std::ptrdiff_t line = first_line + lane + static_cast<std::ptrdiff_t>(line_count) * plane;
  const auto at = [&](int m, int line_in_tile) {
    return Index3{box.begin.i + m, box.begin.j + first_line + line_in_tile, box.begin.k + plane};
  };

  Elimination elimination;
  if constexpr (Rows::is_cyclic) {
    if (has_line) elimination.start(rows(at(last, lane)));
  }
  const int m_of_lane = lane % tile_points;
  const int line_of_lane = lane / tile_points;
  for (int tile_index = 0; tile_index < tiles; ++tile_index) {
    const int m_begin = tile_index * tile_points;
    const int m_mine = m_begin + m_of_lane;
    for (int round = 0; round < tile_points; round += batch) {
      Row ahead[batch];
      const auto line_mine = [&](int n) { return (round + n) * lines_at_once + line_of_lane; };
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        ahead[n] = rows(at(min(m_mine, last), min(line_mine(n), lines_here - 1)));
      }
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        const Index3 c = at(m_mine, min(line_mine(n), lines_here - 1));
        if constexpr (!Rows::is_cyclic) {
          if (m_mine == 0) rows.close_low(c, ahead[n]);
          if (m_mine == last) rows.close_high(c, ahead[n]);
        }
#pragma unroll
        for (int part = 0; part < Row::parts; ++part) {
          tile.at(part, line_mine(n), m_of_lane) = ahead[n][part];
        }
      }
    }
    __syncwarp();
    if (has_line) {
#pragma unroll
      for (int n = 0; n < tile_points; ++n) {
        const int m = m_begin + n;
        if (m > solved) break;
        Row row;
#pragma unroll
        for (int part = 0; part < Row::parts; ++part) row[part] = tile.at(part, lane, n);
        elimination.advance(row, m == last - 1);
        store.put(m, line, elimination.previous);
      }
    }
    __syncwarp();
  }

  if (has_line) elimination.turn();
  for (int tile_index = tiles - 1; tile_index >= 0; --tile_index) {
    const int m_begin = tile_index * tile_points;
    if (has_line) {
      Eliminated ahead[tile_points];
#pragma unroll
      for (int n = tile_points - 1; n >= 0; --n) {
        ahead[n] = store.template get<Eliminated>(min(m_begin + n, solved), line);
      }
#pragma unroll
      for (int n = tile_points - 1; n >= 0; --n) {
        if (m_begin + n > last) continue;
        if (m_begin + n <= solved) {
          back_substitute(ahead[n], elimination.x_last, elimination.x);
        }
#pragma unroll
        for (int unknown = 0; unknown < unknowns; ++unknown) {
          tile.at(unknown, lane, n) = elimination.x[unknown];
        }
      }
    }
    __syncwarp();
    const int m_mine = m_begin + m_of_lane;
    // Lanes without a line of their own repeat the last one.
    const auto give_back = [&](int round) {
      const int line_mine = min(round * lines_at_once + line_of_lane, lines_here - 1);
      Real x[unknowns];
#pragma unroll
      for (int unknown = 0; unknown < unknowns; ++unknown) {
        x[unknown] = tile.at(unknown, line_mine, m_of_lane);
      }
      sink(at(m_mine, line_mine), x);
    };
    if (m_begin + tile_points - 1 <= last) {  // no branch between the rounds: loads go ahead
#pragma unroll
      for (int round = 0; round < tile_points; ++round) give_back(round);
    } else if (m_mine <= last) {
      for (int round = 0; round < tile_points; ++round) give_back(round);
    }
    __syncwarp();
  }
}

/// Solves all lines of `box` along `axis`. Returns before it finishes. `workspace` holds one
/// eliminated row per point of the box. Throws DeviceError if the launch is refused.
template <Axis axis, class Real, class Rows, class Sink>
void sweep(Box box, const Rows& rows, const Sink& sink, Real* workspace, cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Rows> && std::is_trivially_copyable_v<Sink>);
  const auto [nx, ny, nz] = box.extents();
  if constexpr (axis == Axis::x) {
    constexpr unsigned warp = 32;
    const RowStore<Real> store{workspace, static_cast<std::ptrdiff_t>(ny) * nz};
    sweep_along_x_kernel<<<dim3(divide_up(ny, warp), static_cast<unsigned>(nz)), warp, 0, stream>>>(
        box, rows, sink, store);
  } else {
    constexpr unsigned threads = 32;
    const int planes = axis == Axis::z ? ny : nz;
    const RowStore<Real> store{workspace, static_cast<std::ptrdiff_t>(nx) * planes};
    sweep_kernel<axis>
        <<<dim3(divide_up(nx, threads), static_cast<unsigned>(planes)), threads, 0, stream>>>(
            box, rows, sink, store);
  }
  check(cudaGetLastError(), "launching a sweep");
}

}  // namespace dns
