/// Sums and maxima over points, in an order that does not depend on timing.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cuda/block_start_delay.cuh"
#include "cuda/launch.cuh"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

inline constexpr int reduction_threads = 256;
inline constexpr int reduction_blocks = 1024;  // at most

/// Kernels that share work between cells on neighbouring planes across z: read() loads the corners
/// of a cell on one plane, sums_of() reduces them to what cells need, and between() adds the
/// contribution of the cell between two planes.
template <class Kernel>
concept SharesPlanes = requires(const Kernel& kernel, Index3 c) {
  kernel.sums_of(kernel.read(c));
};

/// Kernels that need few registers say so: `static constexpr bool is_light = true`.
template <class Kernel>
concept IsLight = requires {
  requires Kernel::is_light;
};

/// Kernels that do far more at some points than at others say so: `static constexpr bool is_uneven
/// = true`.
template <class Kernel>
concept IsUneven = requires {
  requires Kernel::is_uneven;
};

/// Blocks that a multiprocessor holds.
template <class Kernel>
inline constexpr int reduction_blocks_at_once = IsLight<Kernel> ? 4 : 2;

/// How a box is shared among blocks, by tiles of one thread a point. A block walks along z through
/// the tiles of a column, then of the next one; all blocks visit equally many tiles, or one more.
/// Blocks of light and of uneven kernels take tiles in turn, plane by plane, so that all of them
/// are near each other in memory, and have about as much to do (H200, 192^3, divergence with sums
/// of the velocity: 86 us, along z 131; the diagnostics: 121 us, along z 91).
struct ReductionShape {
  static constexpr int columns_of_tile = 32;  // a warp
  static constexpr int lines_of_tile = reduction_threads / columns_of_tile;

  int columns;   // tiles side by side along x
  int in_plane;  // tiles
  int tiles;     // of all planes
  int blocks;

  /// Requires a box that is not empty.
  static ReductionShape of(Box box, int blocks_at_once) {
    const auto [nx, ny, nz] = box.extents();
    ReductionShape shape{};
    shape.columns = divide_up(nx, columns_of_tile);
    shape.in_plane = shape.columns * divide_up(ny, lines_of_tile);
    shape.tiles = shape.in_plane * nz;
    const int at_once = blocks_at_once * multiprocessors();
    shape.blocks = std::min({shape.tiles, at_once, reduction_blocks});
    return shape;
  }
  /// The point of a thread in a tile of a plane, which may lie beyond the box.
  [[nodiscard]] __device__ Index3 point(const Box& box, int tile, int plane) const {
    const auto thread = place_in_block().x;
    return {box.begin.i + tile % columns * columns_of_tile + thread % columns_of_tile,
            box.begin.j + tile / columns * lines_of_tile + thread / columns_of_tile,
            box.begin.k + plane};
  }
};

/// What the lane `lanes` above this one has.
template <class Result>
__device__ Result from_lane_above(const Result& mine, int lanes) {
  constexpr unsigned whole_warp = 0xffffffffU;
  Result other = mine;
  for (double& sum : other.sum) sum = __shfl_down_sync(whole_warp, sum, lanes);
  for (double& maximum : other.maximum) maximum = __shfl_down_sync(whole_warp, maximum, lanes);
  return other;
}

/// Thread 0 gets the reduction of its whole block; the order of merging is fixed.
template <int threads, class Result>
__device__ void merge_block(Result& mine) {
  constexpr int lanes = 32;
  constexpr int warps = threads / lanes;
  __shared__ alignas(Result) std::byte memory[warps * sizeof(Result)];
  auto* const of_warps = reinterpret_cast<Result*>(memory);
  const int thread = place_in_block().x;
  for (int half = lanes / 2; half > 0; half /= 2) mine.merge(from_lane_above(mine, half));
  if (thread % lanes == 0) of_warps[thread / lanes] = mine;
  __syncthreads();
  if (thread == 0) {
    for (int warp = 1; warp < warps; ++warp) mine.merge(of_warps[warp]);
  }
  __syncthreads();
}

/// Reduces over the points from c to the one before `end` along z. Where kernels share planes, the
/// plane after the two in use is loaded ahead.
template <class Result, class Kernel>
__device__ void reduce_along_z(const Kernel& kernel, Index3 c, int end, Result& mine) {
  if constexpr (SharesPlanes<Kernel>) {
    const auto read = [&](int k) { return kernel.read(placed<Axis::z>(c, min(k, end))); };
    auto coming = read(c.k + 1);
    auto low = kernel.sums_of(read(c.k));
    for (int k = c.k + 1; k <= end; ++k) {
      const auto here = coming;
      coming = read(k + 1);
      const auto high = kernel.sums_of(here);
      kernel.between(low, high, mine);
      low = high;
    }
  } else {
#pragma unroll 2
    for (int k = c.k; k < end; ++k) kernel(placed<Axis::z>(c, k), mine);
  }
}

/// Reduces the tiles of block number `block`.
template <class Result, class Kernel>
__device__ void reduce_tiles(
    const Box& box, const ReductionShape& shape, const Kernel& kernel, int block, Result& mine) {
  const auto is_inside = [&](Index3 c) { return c.i < box.end.i && c.j < box.end.j; };
  if constexpr (IsLight<Kernel> || IsUneven<Kernel>) {
#pragma unroll 2
    for (int tile = block; tile < shape.tiles; tile += shape.blocks) {
      const Index3 c = shape.point(box, tile % shape.in_plane, tile / shape.in_plane);
      if (is_inside(c)) kernel(c, mine);
    }
  } else {
    const int planes = box.end.k - box.begin.k;
    const auto first_of = [&](long long number) {
      return static_cast<int>(shape.tiles * number / shape.blocks);
    };
    const int end = first_of(block + 1);
    for (int place = first_of(block); place < end;) {
      const int first = place % planes;
      const int count = min(end - place, planes - first);
      const Index3 c = shape.point(box, place / planes, first);
      if (is_inside(c)) reduce_along_z(kernel, c, c.k + count, mine);
      place += count;
    }
  }
}

/// A call, so that it takes no registers from the reduction.
template <class Kernel>
__device__ __noinline__ void conclude(const Kernel& kernel) {
  kernel.conclude();
}

/// The warps of a block stand side by side, on neighbouring lines along x: what neighbouring cells
/// share is still in the first-level cache. The last block that is done merges the reductions of
/// all in their order, and leaves `done` at zero.
template <class Result, class Kernel>
__device__ void reduce_by_blocks(const Box& box,
                                 const ReductionShape& shape,
                                 const Kernel& kernel,
                                 int block,
                                 Result* partial,
                                 unsigned* done,
                                 Result* total) {
  const int thread = place_in_block().x;
  Result mine;
  reduce_tiles(box, shape, kernel, block, mine);
  merge_block<reduction_threads>(mine);

  __shared__ bool is_last;
  if (thread == 0) {
    partial[block] = mine;
    __threadfence();
    is_last = atomicAdd(done, 1U) == static_cast<unsigned>(shape.blocks - 1);
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  Result all;
#pragma unroll 4
  for (int of_block = thread; of_block < shape.blocks; of_block += reduction_threads) {
    all.merge(partial[of_block]);
  }
  merge_block<reduction_threads>(all);
  if (thread != 0) return;
  *total = all;
  *done = 0;
  if constexpr (requires { kernel.conclude(); }) conclude(kernel);
}

template <class Result, class Kernel>
__global__ void __launch_bounds__(reduction_threads, reduction_blocks_at_once<Kernel>)
    reduce_kernel(Box box,
                  ReductionShape shape,
                  const __grid_constant__ Kernel kernel,
                  Result* partial,
                  unsigned* done,
                  Result* total) {
  const int3 block = block_after_kernels_before();
  reduce_by_blocks(box, shape, kernel, block.x, partial, done, total);
}

}  // namespace dns
