/// The GPU as studies use it: a stream, its clock, and buffers.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "bench/studies/study.hpp"
#include "bench/trial.hpp"
#include "cuda/cuda_error.hpp"
#include "cuda/device_memory.hpp"

namespace dns::bench {

/// Work enqueued in order on one stream.
class Queue {
 public:
  Queue();

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  void wait() const { check(cudaStreamSynchronize(stream()), "computing"); }
  [[nodiscard]] int processors() const { return properties_.multiProcessorCount; }
  [[nodiscard]] std::size_t cache_bytes() const { return properties_.l2CacheSize; }
  /// Shared memory that one block may have at most [B].
  [[nodiscard]] std::size_t shared_bytes() const { return properties_.sharedMemPerBlockOptin; }
  [[nodiscard]] static std::size_t free_bytes();

  /// Median seconds of variant.work, sets taken in turn, by events on the stream. Executions that
  /// take but microseconds are put together into a graph, so that gaps between launches do not
  /// count; what has to be restored is timed one by one.
  [[nodiscard]] double seconds(const Variant& variant, int sets) const;

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
    void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
    void operator()(cudaGraphExec_t graph) const { static_cast<void>(cudaGraphExecDestroy(graph)); }
  };
  template <class Handle>
  using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

  /// Seconds between two events recorded before and after execute().
  template <class Execute>
  [[nodiscard]] double elapsed(const Execute& execute) const;
  [[nodiscard]] double seconds_one_by_one(const Variant& variant, int sets) const;
  [[nodiscard]] Owned<cudaGraphExec_t> graph_of(const Variant& variant,
                                                int sets,
                                                int executions) const;

  cudaDeviceProp properties_{};
  Owned<cudaStream_t> stream_;
  Owned<cudaEvent_t> before_, after_;
};

/// `sets` arrays of `count` values on the GPU, all with what fill() was given.
template <class Real>
class DeviceBuffers {
 public:
  DeviceBuffers(const Queue& queue, std::size_t count, int sets)
      : queue_(queue),
        count_(count),
        stride_((count + line - 1) / line * line),
        sets_(sets),
        values_(stride_ * static_cast<std::size_t>(sets)) {}

  [[nodiscard]] Real* set(int number) const {
    return values_.data() + stride_ * static_cast<std::size_t>(number);
  }

  /// Copies `count` values of the host to every set.
  void fill(const Real* values) const {
    upload(values, 0);
    for (int number = 1; number < sets_; ++number) {
      check(
          cudaMemcpyAsync(set(number), set(0), bytes(), cudaMemcpyDeviceToDevice, queue_.stream()),
          "copying buffers");
    }
    queue_.wait();
  }
  void upload(const Real* values, int number) const {
    check(cudaMemcpyAsync(set(number), values, bytes(), cudaMemcpyHostToDevice, queue_.stream()),
          "copying a buffer to it");
  }
  /// NaN everywhere: all bits of a NaN's pattern are 1.
  void poison(int number) const {
    check(cudaMemsetAsync(set(number), 0xFF, bytes(), queue_.stream()), "poisoning a buffer");
  }
  void download(int number, Real* values) const {
    check(cudaMemcpyAsync(values, set(number), bytes(), cudaMemcpyDeviceToHost, queue_.stream()),
          "copying a buffer from it");
    queue_.wait();
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(Real); }

  static constexpr std::size_t line = 128 / sizeof(Real);
  const Queue& queue_;
  std::size_t count_;
  std::size_t stride_;
  int sets_;
  DeviceArray<Real> values_;
};

/// 16 bytes, the most one thread reads or writes at once.
template <class Real>
struct alignas(16) Vector16 {
  static constexpr int width = 16 / static_cast<int>(sizeof(Real));
  Real lanes[width];
};

[[nodiscard]] constexpr unsigned blocks_for(std::size_t count, std::size_t per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

}  // namespace dns::bench
