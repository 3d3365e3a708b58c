/// Sums and maxima over points, in an order that does not depend on timing.
#pragma once

#include <cstddef>

#include "cuda/launch.cuh"
#include "solver/core/index.hpp"
#include "solver/core/tally.hpp"

namespace dns {

inline constexpr int tally_threads = 128;
inline constexpr int tally_blocks = 2048;

/// Merges the tallies of a block into that of thread 0, pairwise in a fixed order.
template <class Result>
__device__ void merge_block(Result& mine) {
  __shared__ alignas(Result) std::byte memory[tally_threads * sizeof(Result)];
  auto* const shared = reinterpret_cast<Result*>(memory);
  const int thread = static_cast<int>(threadIdx.x);
  shared[thread] = mine;
  for (int half = tally_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) shared[thread].merge(shared[thread + half]);
  }
  mine = shared[0];
}

/// The warps of a block take neighbouring lines along x of a plane, and then those of the next
/// planes: what cells share with each other is still in the first-level cache.
template <class Result, class Kernel>
__global__ void __launch_bounds__(tally_threads)
    tally_kernel(Box box, Kernel kernel, Result* partial) {
  const uint3 block = block_after_kernels_before();
  constexpr int warp = 32;
  constexpr int lines = tally_threads / warp;
  const auto [nx, ny, nz] = box.extents();
  const int bundles = (ny + lines - 1) / lines;
  const int planes = max((bundles * nz + tally_blocks - 1) / tally_blocks, 1);  // in turn
  const int stacks = bundles * ((nz + planes - 1) / planes);
  const int thread = static_cast<int>(threadIdx.x);
  Result mine;
  for (int stack = static_cast<int>(block.x); stack < stacks; stack += tally_blocks) {
    const int j = box.begin.j + stack % bundles * lines + thread / warp;
    const int first_k = box.begin.k + stack / bundles * planes;
    if (j >= box.end.j) continue;
    for (int k = first_k; k < min(first_k + planes, box.end.k); ++k) {
#pragma unroll 4
      for (int i = box.begin.i + thread % warp; i < box.end.i; i += warp) {
        kernel(Index3{i, j, k}, mine);
      }
    }
  }
  merge_block(mine);
  if (threadIdx.x == 0) partial[block.x] = mine;
}

template <class Result>
__global__ void __launch_bounds__(tally_threads)
    merge_tallies_kernel(const Result* partial, Result* total) {
  static_cast<void>(block_after_kernels_before());
  Result mine;
#pragma unroll 4
  for (int block = static_cast<int>(threadIdx.x); block < tally_blocks; block += tally_threads) {
    mine.merge(partial[block]);
  }
  merge_block(mine);
  if (threadIdx.x == 0) *total = mine;
}

}  // namespace dns
