/// Memory of the GPU, and page-locked memory of the host, owned by objects.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <string>

#include "cuda/cuda_error.hpp"

namespace dns {

/// Memory on the GPU for `count` values. Throws DeviceError that says how much was asked for and
/// how much is left.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) : count_(count) {
    T* values = nullptr;
    if (cudaMalloc(&values, count * sizeof(T)) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // clears the error, which does no harm
      std::size_t free_bytes = 0;
      std::size_t total_bytes = 0;
      check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for its free memory");
      throw DeviceError("out of memory on the GPU: a field needs " +
                        std::to_string(count * sizeof(T) >> 20) + " MiB, but only " +
                        std::to_string(free_bytes >> 20) + " of " +
                        std::to_string(total_bytes >> 20) +
                        " MiB are free; use fewer grid points, precision: float or device: cpu");
    }
    values_.reset(values);
  }

  [[nodiscard]] T* data() const { return values_.get(); }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  struct Free {
    void operator()(T* values) const { static_cast<void>(cudaFree(values)); }
  };
  std::size_t count_ = 0;
  std::unique_ptr<T, Free> values_;
};

/// Page-locked host memory, which the device can write too; null if the system has no more.
inline std::shared_ptr<std::byte[]> page_locked_memory(std::size_t bytes) {
  void* memory = nullptr;
  if (cudaMallocHost(&memory, bytes) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // clears the error, which does no harm
    return nullptr;
  }
  return {static_cast<std::byte*>(memory),
          [](std::byte* values) { static_cast<void>(cudaFreeHost(values)); }};
}

/// Page-locked host memory, which the device can write too; ordinary memory if the system has no
/// more.
inline std::shared_ptr<std::byte[]> allocate_page_locked(std::size_t bytes) {
  auto memory = page_locked_memory(bytes);
  return memory ? memory : std::make_shared_for_overwrite<std::byte[]>(bytes);
}

/// Page-locked host memory for results that the device writes. Throws DeviceError if the system has
/// no more.
inline std::shared_ptr<std::byte[]> allocate_for_results(std::size_t bytes) {
  auto memory = page_locked_memory(bytes);
  if (!memory) throw DeviceError("the host has no page-locked memory left for results of the GPU");
  return memory;
}

}  // namespace dns
