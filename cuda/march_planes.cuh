/// Launches of plane_march.hpp.
#pragma once

#include <algorithm>

#include "cuda/block_start_delay.cuh"
#include "cuda/for_each.cuh"
#include "cuda/plane_march.hpp"

namespace dns {

/// The threads of a block of a kernel.
struct BlockOfThreads {
  [[nodiscard]] DNS_HD static int thread() {
#ifdef __CUDA_ARCH__
    return place_in_block().x;
#else
    return 0;
#endif
  }
  DNS_HD static void barrier() {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }
  template <class Real>
  DNS_HD static void copy(Real* to, const Real* from) {
#ifdef __CUDA_ARCH__
    const auto place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(sizeof(Real))
        : "memory");
#else
    *to = *from;
#endif
  }
  DNS_HD static void wait_for_copies() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }
  DNS_HD static void prefetch([[maybe_unused]] const void* from) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#endif
  }
};

/// Tiles of 32 x 8 points. Tiles of 32 x 16 are as fast where a multiprocessor holds as many
/// threads (H100, 192^3; order 6: 0.068 ns per point in double, 0.045 in float, without grad p).
template <class Scheme>
using MarchTileOf = MarchTile<Scheme, 32, 8>;

/// Blocks that a multiprocessor shall hold: as many as leave registers for the columns. (Order 6 in
/// float, 96^3: 0.060 ns per point with three, 0.076 with four.)
template <class Scheme>
inline constexpr int blocks_of_march = [] {
  constexpr int highest = std::max({Scheme::template order<Axis::x>(),
                                    Scheme::template order<Axis::y>(),
                                    Scheme::template order<Axis::z>()});
  if (sizeof(typename Scheme::Number) == 8) return 2;
  return highest == 8 ? 2 : highest == 6 ? 3 : 4;
}();

template <class Scheme>
__global__ void __launch_bounds__(MarchTileOf<Scheme>::threads, blocks_of_march<Scheme>)
    march_planes_kernel(const __grid_constant__ Scheme scheme, Extents points, int planes) {
  using Tile = MarchTileOf<Scheme>;
  extern __shared__ double2 march_memory[];
  const int3 block = block_after_kernels_before();
  const int k = block.z * planes;
  const MarchPart part{points,
                       block.x * Tile::nx,
                       block.y * Tile::ny,
                       k,
                       k + planes < points.nz ? k + planes : points.nz};
  PlaneMarch<Scheme, Tile, BlockOfThreads>(
      scheme, {}, part, reinterpret_cast<typename Scheme::Number*>(march_memory))
      .run();
}

/// Planes that a block computes: the fewest turns of all blocks, counting the planes that a block
/// only reads. at_once: blocks that run together.
[[nodiscard]] inline int planes_of_march(int points_z, int tiles, int at_once, int planes_read) {
  constexpr int fewest_planes = 4;
  int best = points_z;
  long long least = -1;
  for (int parts = 1; parts == 1 || parts <= points_z / fewest_planes; ++parts) {
    const int planes = (points_z + parts - 1) / parts;
    const long long blocks = static_cast<long long>(tiles) * ((points_z + planes - 1) / planes);
    const long long turns = (blocks + at_once - 1) / at_once;
    const long long cost = turns * (planes + planes_read);
    if (least < 0 || cost < least) {
      least = cost;
      best = planes;
    }
  }
  return best;
}

/// Finishes the scheme at all points of its fields. Returns before it finishes. Throws DeviceError
/// if the launch is refused.
template <class Scheme>
void march_planes(Extents points, const Scheme& scheme, cudaStream_t stream) {
  using Tile = MarchTileOf<Scheme>;
  constexpr auto kernel = march_planes_kernel<Scheme>;
  static const int at_once = [] {
    check(cudaFuncSetAttribute(
              kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(Tile::bytes)),
          "asking for shared memory");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &resident, kernel, Tile::threads, Tile::bytes),
          "asking how many blocks find room");
    return std::max(1, resident) * multiprocessors();
  }();
  const int tiles_x = divide_up(points.nx, Tile::nx);
  const int tiles_y = divide_up(points.ny, Tile::ny);
  const int planes =
      planes_of_march(points.nz, tiles_x * tiles_y, at_once, Scheme::template order<Axis::z>() / 2);
  launch("launching a march through planes",
         kernel,
         {dim3(tiles_x, tiles_y, divide_up(points.nz, planes)), dim3(Tile::threads), Tile::bytes},
         stream,
         scheme,
         points,
         planes);
}

}  // namespace dns
