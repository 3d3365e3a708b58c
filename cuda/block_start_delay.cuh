/// How the first blocks of a kernel start: one after the other.
///
/// Blocks that start together stay in step: all of them gather, and share the bandwidth of device
/// memory; then all of them solve, and device memory is idle. If they start one after the other,
/// some solve while others gather, and as each block that ends makes room for the next one, that
/// stays so.
#pragma once

#include "cuda/launch.cuh"

namespace dns {

/// Which blocks wait before they start, and for how long.
struct BlockStartDelay {
  unsigned blocks = 0;           // the first ones, which are resident together
  unsigned multiprocessors = 1;  // which get blocks in turn
  unsigned cycles = 0;           // from one block of a multiprocessor to its next

  /// Waits before the start of block number `turn`.
  __device__ void wait(unsigned turn) const {
    if (turn >= blocks) return;
    const unsigned delay = turn / multiprocessors * cycles;
    const auto now = [] { return static_cast<unsigned>(clock()); };
    const unsigned arrival = now();
    while (now() - arrival < delay) __nanosleep(20);
  }
};

/// Multiprocessors of this device, which is asked once.
[[nodiscard]] inline int multiprocessors() {
  static const int count = [] {
    int device = 0;
    int processors = 0;
    check(cudaGetDevice(&device), "asking for its number");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "asking for its multiprocessors");
    return processors;
  }();
  return count;
}

/// For a kernel whose blocks gather for so many cycles each while all multiprocessors do so. A
/// kernel of few blocks has no time to make up for the wait: none of them waits.
template <class... Parameters>
[[nodiscard]] BlockStartDelay block_start_delay(void (*kernel)(Parameters...),
                                                const LaunchShape& shape,
                                                std::size_t cycles) {
  constexpr unsigned fewest_rounds = 2;
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &resident, kernel, static_cast<int>(shape.threads.x), shape.shared_bytes),
        "asking how many blocks find room");
  const unsigned at_once = static_cast<unsigned>(resident * multiprocessors());
  if (shape.blocks.x < fewest_rounds * at_once) return {};
  return {at_once, static_cast<unsigned>(multiprocessors()), static_cast<unsigned>(cycles)};
}

}  // namespace dns
