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
inline constexpr int reduction_blocks_at_once = 2;  // that a multiprocessor holds
inline constexpr int reduction_blocks = 1024;       // at most

/// How a box is shared among blocks. Tiles cut each plane across z. A block walks along z through a
/// tile, then through the next one; all blocks visit equally many planes of tiles, or one more.
struct ReductionShape {
  static constexpr int columns_of_tile = 32;  // a warp
  static constexpr int lines_of_tile = reduction_threads / columns_of_tile;

  int columns;       // tiles side by side along x
  long long planes;  // of all tiles
  int blocks;

  /// Requires a box that is not empty.
  static ReductionShape of(Box box) {
    const auto divided_up = [](int count, int by) { return (count + by - 1) / by; };
    const auto [nx, ny, nz] = box.extents();
    ReductionShape shape{};
    shape.columns = divided_up(nx, columns_of_tile);
    shape.planes = static_cast<long long>(shape.columns) * divided_up(ny, lines_of_tile) * nz;
    const int at_once = reduction_blocks_at_once * static_cast<int>(multiprocessors());
    shape.blocks =
        static_cast<int>(std::min<long long>(shape.planes, std::min(at_once, reduction_blocks)));
    return shape;
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
  const int thread = static_cast<int>(threadIdx.x);
  for (int half = lanes / 2; half > 0; half /= 2) mine.merge(from_lane_above(mine, half));
  if (thread % lanes == 0) of_warps[thread / lanes] = mine;
  __syncthreads();
  if (thread == 0) {
    for (int warp = 1; warp < warps; ++warp) mine.merge(of_warps[warp]);
  }
  __syncthreads();
}

/// Kernels that share work between cells on neighbouring planes across z: read() loads the corners
/// of a cell on one plane, sums_of() reduces them to what cells need, and between() adds the
/// contribution of the cell between two planes.
template <class Kernel>
concept SharesPlanes = requires(const Kernel& kernel, Index3 c) {
  kernel.sums_of(kernel.read(c));
};

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

/// The warps of a block walk along z side by side, on neighbouring lines along x: what neighbouring
/// cells share is still in the first-level cache. The last block that is done merges the reductions
/// of all in their order, and leaves `done` at zero.
template <class Result, class Kernel>
__global__ void __launch_bounds__(reduction_threads, reduction_blocks_at_once)
    reduce_kernel(Box box,
                  ReductionShape shape,
                  const __grid_constant__ Kernel kernel,
                  Result* partial,
                  unsigned* done,
                  Result* total) {
  const uint3 block = block_after_kernels_before();
  const int thread = static_cast<int>(threadIdx.x);
  const int planes_of_tile = box.end.k - box.begin.k;
  const long long end = shape.planes * (block.x + 1) / shape.blocks;
  Result mine;
  for (long long plane = shape.planes * block.x / shape.blocks; plane < end;) {
    const auto tile = static_cast<int>(plane / planes_of_tile);
    const auto first = static_cast<int>(plane % planes_of_tile);
    const auto count =
        static_cast<int>(min(end - plane, static_cast<long long>(planes_of_tile - first)));
    const Index3 c{box.begin.i + tile % shape.columns * ReductionShape::columns_of_tile +
                       thread % ReductionShape::columns_of_tile,
                   box.begin.j + tile / shape.columns * ReductionShape::lines_of_tile +
                       thread / ReductionShape::columns_of_tile,
                   box.begin.k + first};
    if (c.i < box.end.i && c.j < box.end.j) reduce_along_z(kernel, c, c.k + count, mine);
    plane += count;
  }
  merge_block<reduction_threads>(mine);

  __shared__ bool is_last;
  if (thread == 0) {
    partial[block.x] = mine;
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
}

}  // namespace dns
