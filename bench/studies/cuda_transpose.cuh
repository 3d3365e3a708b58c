/// The tuned transpose: what studies that go through transposes use.
#pragma once

#include "bench/studies/cuda_queue.cuh"

namespace dns::bench {

/// A square of a plane on its way through shared memory. Every global access is 16 bytes wide; a
/// value is stored at its transposed place, with the groups of one vector along a row exchanged
/// (exclusive or) so that neither the scalar stores nor the vector loads have bank conflicts.
template <class Real>
struct SwizzledTile {
  static constexpr int width = Vector16<Real>::width;
  static constexpr int side = 16 * width;  // a row is 256 bytes, all banks twice
  static constexpr int threads = 256;
  static constexpr int groups_at_once = 8;  // 128 bytes, a row's part that 8 threads move
  static constexpr int rows_at_once = threads / groups_at_once;

  Vector16<Real> values[side * side / width];

  /// The vector that holds (row, width * group ...).
  [[nodiscard]] __device__ static int slot(int row, int group) {
    return row * (side / width) + (group ^ (row / width % groups_at_once));
  }
};

/// to(y, x, z) = from(x, y, z) on nx x ny x nz; a block takes one square of a plane. Requires nx
/// and ny to be multiples of the vector's width, and 16-byte aligned arrays.
template <class Real>
__global__ void __launch_bounds__(SwizzledTile<Real>::threads)
    transpose_tuned_kernel(const Real* from, Real* to, int nx, int ny) {
  using Tile = SwizzledTile<Real>;
  using Vector = Vector16<Real>;
  constexpr int width = Tile::width;
  constexpr int row_turns = Tile::side / Tile::rows_at_once;
  constexpr int group_turns = Tile::side / width / Tile::groups_at_once;
  __shared__ Tile tile;
  const int x_begin = static_cast<int>(blockIdx.x) * Tile::side;
  const int y_begin = static_cast<int>(blockIdx.y) * Tile::side;
  const std::size_t plane = std::size_t{blockIdx.z} * nx * ny;
  const int group = static_cast<int>(threadIdx.x) % Tile::groups_at_once;
  const int row = static_cast<int>(threadIdx.x) / Tile::groups_at_once;

  Vector read[row_turns][group_turns];
#pragma unroll
  for (int row_turn = 0; row_turn < row_turns; ++row_turn) {
#pragma unroll
    for (int group_turn = 0; group_turn < group_turns; ++group_turn) {
      const int y = y_begin + row + row_turn * Tile::rows_at_once;
      const int x = x_begin + (group + group_turn * Tile::groups_at_once) * width;
      if (x < nx && y < ny) {
        read[row_turn][group_turn] =
            *reinterpret_cast<const Vector*>(from + plane + std::size_t(y) * nx + x);
      }
    }
  }
#pragma unroll
  for (int row_turn = 0; row_turn < row_turns; ++row_turn) {
#pragma unroll
    for (int group_turn = 0; group_turn < group_turns; ++group_turn) {
      const int y = row + row_turn * Tile::rows_at_once;
      const int x = (group + group_turn * Tile::groups_at_once) * width;
#pragma unroll
      for (int lane = 0; lane < width; ++lane) {
        tile.values[Tile::slot(x + lane, y / width)].lanes[y % width] =
            read[row_turn][group_turn].lanes[lane];
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int row_turn = 0; row_turn < row_turns; ++row_turn) {
#pragma unroll
    for (int group_turn = 0; group_turn < group_turns; ++group_turn) {
      const int x = row + row_turn * Tile::rows_at_once;
      const int y_group = group + group_turn * Tile::groups_at_once;
      const int y = y_begin + y_group * width;
      if (x_begin + x < nx && y < ny) {
        *reinterpret_cast<Vector*>(to + plane + std::size_t(x_begin + x) * ny + y) =
            tile.values[Tile::slot(x, y_group)];
      }
    }
  }
}

[[nodiscard]] inline bool fits_tuned_transpose(int points, std::size_t word) {
  return points % (16 / static_cast<int>(word)) == 0;
}

/// Enqueues the tuned transpose of a field of points^3. Requires fits_tuned_transpose.
template <class Real>
void transpose_tuned(const Queue& queue, const Real* from, Real* to, int points) {
  using Tile = SwizzledTile<Real>;
  const unsigned squares = blocks_for(static_cast<std::size_t>(points), Tile::side);
  transpose_tuned_kernel<<<dim3(squares, squares, static_cast<unsigned>(points)),
                           Tile::threads,
                           0,
                           queue.stream()>>>(from, to, points, points);
  check(cudaGetLastError(), "launching a transpose");
}

}  // namespace dns::bench
