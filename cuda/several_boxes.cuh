/// Kernels over several boxes, each with data of its own, in one launch: boxes around bodies are
/// too small to fill a GPU one after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "cuda/device_memory.hpp"
#include "cuda/for_each.cuh"
#include "cuda/launch.cuh"
#include "cuda/reduce.cuh"
#include "solver/core/several_boxes.hpp"

namespace dns {

/// Room for lists of work on their way to the device, used round and round.
class WorkLists {
 public:
  static constexpr std::size_t bytes = std::size_t{4} << 20;
  /// So few boxes are taken one by one: a list is a message to the device.
  static constexpr std::size_t fewest = 5;

  struct Room {
    std::byte *host, *device;
  };

  WorkLists() = default;
  /// device: of `bytes`. Throws DeviceError.
  explicit WorkLists(DeviceArray<std::byte> device)
      : host_(allocate_for_results(bytes)), device_(std::move(device)) {}

  [[nodiscard]] bool is_empty() const { return host_ == nullptr; }
  /// Requires that all of it fits. wait: until the device is done with all rooms before.
  template <class Wait>
  [[nodiscard]] Room room(std::size_t needed, const Wait& wait) {
    constexpr std::size_t alignment = 256;
    const std::size_t taken = (needed + alignment - 1) / alignment * alignment;
    if (used_ + taken > bytes) {
      wait();
      used_ = 0;
    }
    const Room room{host_.get() + used_, device_.data() + used_};
    used_ += taken;
    return room;
  }

 private:
  std::shared_ptr<std::byte[]> host_;
  DeviceArray<std::byte> device_;
  std::size_t used_ = 0;
};

/// The grid has the parts of a box along x and the boxes along y.
template <class Kernel>
__global__ void __launch_bounds__(threads_of_points, blocks_of_points<Kernel>)
    for_each_in_boxes_kernel(const WorkInBox<Kernel>* works) {
  const int3 block = block_after_kernels_before();
  const WorkInBox<Kernel>& work = works[block.y];
  const auto [nx, ny, nz] = work.box.extents();
  const int place = block.x * threads_of_points + place_in_block().x;
  if (place >= nx * ny * nz) return;
  const Index3& begin = work.box.begin;
  work.kernel(Index3{begin.i + place % nx, begin.j + place / nx % ny, begin.k + place / (nx * ny)});
}

template <class Kernel>
struct ListedReduction {
  ReductionOfBox<Kernel> of;
  ReductionShape shape;
  unsigned done = 0;  // blocks
};

/// The blocks of all reductions stand in one row. Reduction n begins at block first[n].
template <class Result, class Kernel>
__global__ void __launch_bounds__(reduction_threads, reduction_blocks_at_once<Kernel>)
    reduce_boxes_kernel(ListedReduction<Kernel>* all,
                        const int* first,
                        int count,
                        Result* partial) {
  const int block = block_after_kernels_before().x;
  int which = 0;
  for (int beyond = count; beyond - which > 1;) {
    const int middle = (which + beyond) / 2;
    (first[middle] <= block ? which : beyond) = middle;
  }
  ListedReduction<Kernel>& own = all[which];
  reduce_by_blocks(own.of.box,
                   own.shape,
                   own.of.kernel,
                   block - first[which],
                   partial + first[which],
                   &own.done,
                   reinterpret_cast<Result*>(own.of.numbers));
}

}  // namespace dns
