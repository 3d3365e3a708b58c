/// Streams and events of a GPU, owned by objects.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <type_traits>

#include "cuda/cuda_error.hpp"

namespace dns {

struct DestroyStreamOrEvent {
  void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
  void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
};
using CudaStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStreamOrEvent>;
using CudaEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyStreamOrEvent>;

/// A stream that does not wait for the default one. Throws DeviceError, as all functions here.
inline CudaStream made_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  return CudaStream(stream);
}
/// A stream whose blocks find room before those of other streams that wait.
inline CudaStream made_urgent_stream() {
  int lowest = 0;
  int highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "asking for priorities of streams");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest), "creating a stream");
  return CudaStream(stream);
}
/// Flags: cudaEventDisableTiming, or none for one whose time is read.
inline CudaEvent made_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "creating an event");
  return CudaEvent(event);
}

}  // namespace dns
