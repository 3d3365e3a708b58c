/// Sums and maxima over points, in an order that does not depend on timing.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cuda/launch.cuh"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

inline constexpr int reduction_threads = 128;
inline constexpr int reduction_blocks = 4096;  // at most

/// How a box is cut into walks along z: each of a tile of points on a plane, through some planes.
struct ReductionShape {
  static constexpr int columns_of_tile = 32;  // a warp
  static constexpr int lines_of_tile = reduction_threads / columns_of_tile;

  int columns;  // tiles side by side along x
  int tiles;    // of a plane
  int planes;   // of a walk
  int walks;    // in all
  int blocks;   // that take them in turn

  /// Long walks reuse what cells on two planes share, many walks keep all multiprocessors busy.
  /// Requires a box that is not empty. Measured on an H200: at 192^3 a third of the box in one walk
  /// is best.
  static ReductionShape of(Box box) {
    constexpr int enough_blocks = 1024;
    constexpr int long_walk = 64;
    const auto divided_up = [](int count, int by) { return (count + by - 1) / by; };
    const auto [nx, ny, nz] = box.extents();
    ReductionShape shape{};
    shape.columns = divided_up(nx, columns_of_tile);
    shape.tiles = shape.columns * divided_up(ny, lines_of_tile);
    const int enough = divided_up(nz, std::max(enough_blocks / shape.tiles, 1));
    const int fewest = divided_up(nz, std::max(reduction_blocks / shape.tiles, 1));
    shape.planes = std::max(std::min(enough, long_walk), fewest);
    shape.walks = shape.tiles * divided_up(nz, shape.planes);
    shape.blocks = std::min(shape.walks, reduction_blocks);
    return shape;
  }
};

/// Merges the reductions of a block into that of thread 0, pairwise in a fixed order.
template <class Result>
__device__ void merge_block(Result& mine) {
  __shared__ alignas(Result) std::byte memory[reduction_threads * sizeof(Result)];
  auto* const shared = reinterpret_cast<Result*>(memory);
  const int thread = static_cast<int>(threadIdx.x);
  shared[thread] = mine;
  for (int half = reduction_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) shared[thread].merge(shared[thread + half]);
  }
  mine = shared[0];
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
#pragma unroll 4
    for (int k = c.k; k < end; ++k) kernel(placed<Axis::z>(c, k), mine);
  }
}

/// The warps of a block walk along z side by side, on neighbouring lines along x: what neighbouring
/// cells share is still in the first-level cache. The last block that is done merges the reductions
/// of all in their order, and leaves `done` at zero.
template <class Result, class Kernel>
__global__ void __launch_bounds__(reduction_threads) reduce_kernel(
    Box box, ReductionShape shape, Kernel kernel, Result* partial, unsigned* done, Result* total) {
  const uint3 block = block_after_kernels_before();
  const int thread = static_cast<int>(threadIdx.x);
  Result mine;
  for (int walk = static_cast<int>(block.x); walk < shape.walks; walk += shape.blocks) {
    const int tile = walk % shape.tiles;
    const Index3 c{box.begin.i + tile % shape.columns * ReductionShape::columns_of_tile +
                       thread % ReductionShape::columns_of_tile,
                   box.begin.j + tile / shape.columns * ReductionShape::lines_of_tile +
                       thread / ReductionShape::columns_of_tile,
                   box.begin.k + walk / shape.tiles * shape.planes};
    if (c.i >= box.end.i || c.j >= box.end.j) continue;
    reduce_along_z(kernel, c, min(c.k + shape.planes, box.end.k), mine);
  }
  merge_block(mine);

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
  merge_block(all);
  if (thread != 0) return;
  *total = all;
  *done = 0;
}

}  // namespace dns
