/// How the first blocks of a kernel start: one after the other.
///
/// Blocks that start together stay in step: all of them gather, and wait for device memory that has
/// to serve all the others too; then all of them solve, and it has nothing to do. Where they start
/// one after the other some solve while others gather, and as a block makes room for the next one,
/// that stays so.
#pragma once

#include "cuda/launch.cuh"

namespace dns {

/// Which blocks wait before they start, and for how long.
struct BlockStartDelay {
  unsigned blocks = 0;           // the first ones, which find room at once
  unsigned multiprocessors = 1;  // that take blocks in turn
  unsigned cycles = 0;           // from one block of a multiprocessor to its next

  /// Waits as long as block number `turn` has to.
  __device__ void wait(unsigned turn) const {
    if (turn >= blocks) return;
    const unsigned delay = turn / multiprocessors * cycles;
    const auto now = [] { return static_cast<unsigned>(clock()); };
    const unsigned arrival = now();
    while (now() - arrival < delay) __nanosleep(20);
  }
};

/// Multiprocessors of this device; asks it once.
[[nodiscard]] inline unsigned multiprocessors() {
  static const unsigned count = [] {
    int device = 0;
    int processors = 0;
    check(cudaGetDevice(&device), "asking for its number");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "asking for its multiprocessors");
    return static_cast<unsigned>(processors);
  }();
  return count;
}

/// For a kernel whose blocks take memory so many cycles each, if all multiprocessors ask for as
/// much. A kernel that soon runs out of blocks has no time to make up for the wait: none waits.
template <class... Parameters>
[[nodiscard]] BlockStartDelay block_start_delay(void (*kernel)(Parameters...),
                                                const LaunchShape& shape,
                                                std::size_t cycles) {
  constexpr unsigned fewest_rounds = 2;
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &resident, kernel, static_cast<int>(shape.threads.x), shape.shared_bytes),
        "asking how many blocks find room");
  const unsigned at_once = static_cast<unsigned>(resident) * multiprocessors();
  if (shape.blocks.x < fewest_rounds * at_once) return {};
  return {at_once, multiprocessors(), static_cast<unsigned>(cycles)};
}

}  // namespace dns
