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

/// Each warp takes every so many-th line along x of the box.
template <class Result, class Kernel>
__global__ void __launch_bounds__(tally_threads)
    tally_kernel(Box box, Kernel kernel, Result* partial) {
  const uint3 block = block_after_kernels_before();
  constexpr int warp = 32;
  const int thread = static_cast<int>(block.x * blockDim.x + threadIdx.x);
  const int warps = static_cast<int>(gridDim.x * blockDim.x) / warp;
  const int ny = box.end.j - box.begin.j;
  const int lines = ny * (box.end.k - box.begin.k);
  Result mine;
  for (int line = thread / warp; line < lines; line += warps) {
    const int j = box.begin.j + line % ny;
    const int k = box.begin.k + line / ny;
#pragma unroll 4
    for (int i = box.begin.i + thread % warp; i < box.end.i; i += warp) {
      kernel(Index3{i, j, k}, mine);
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
