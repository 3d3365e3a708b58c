/// A block of threads that work on one line together.
#pragma once

#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>
#include <type_traits>

#include "cuda/launch.cuh"
#include "solver/core/row_range.hpp"
#include "solver/core/team.hpp"

namespace dns {

/// The first threads of a block as a team of a GPU. OneThread explains the members of teams. All
/// threads of a team call running_sum, which is bitwise repeatable.
template <int count_of_threads>
struct FirstThreads {
  static constexpr int threads = count_of_threads;

  /// Numbers side by side, the first ones to the first thread.
  [[nodiscard]] static __device__ RowRange share(int count) {
    const int each = (count + threads - 1) / threads;
    const int begin = place_in_block().x * each;
    return {begin, begin + each < count ? begin + each : count};
  }
};

/// A whole block.
struct BlockTeam : FirstThreads<256> {
  [[nodiscard]] static __device__ RunningSum running_sum(double mine) {
    using Scan = cub::BlockScan<double, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    RunningSum sum;
    Scan(storage).ExclusiveSum(mine, sum.before, sum.total);
    __syncthreads();  // before the storage is used again
    return sum;
  }
};

/// A warp.
struct WarpTeam : FirstThreads<32> {
  [[nodiscard]] static __device__ RunningSum running_sum(double mine) {
    using Scan = cub::WarpScan<double>;
    __shared__ typename Scan::TempStorage storage;
    RunningSum sum;
    Scan(storage).ExclusiveSum(mine, sum.before, sum.total);
    return sum;
  }
};

template <class Kernel>
__global__ void __launch_bounds__(BlockTeam::threads) by_team_kernel(Kernel kernel) {
  static_cast<void>(block_after_kernels_before());
  kernel(BlockTeam{});
}

/// Calls kernel(team) with a block as the team. Returns before it finishes. Throws DeviceError if
/// the launch is refused.
template <class Kernel>
void by_team(const Kernel& kernel, cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "kernels are copied to the device by value");
  launch("launching by_team", by_team_kernel<Kernel>, {1, BlockTeam::threads}, stream, kernel);
}

}  // namespace dns
