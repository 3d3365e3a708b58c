/// Work on a GPU that may run at the same time.
#pragma once

#include <cuda_runtime.h>

#include <iterator>
#include <vector>

#include "cuda/streams_and_events.hpp"

namespace dns {

/// Streams beside another one. Small launches that do not need each other leave most of the device
/// idle when they run one after another. What is small goes before what fills the device.
class SideStreams {
 public:
  /// Calls enqueue(n, stream) for all n < count, the last one with `main`. All of it starts after
  /// what is in `main` so far, and what is put there later starts after all of it.
  template <class Enqueue>
  void run(int count, cudaStream_t main, const Enqueue& enqueue) {
    const int sides = count - 1;
    while (std::ssize(sides_) < sides)
      sides_.push_back({made_urgent_stream(), made_event(cudaEventDisableTiming)});
    if (!begun_) begun_ = made_event(cudaEventDisableTiming);
    check(cudaEventRecord(begun_.get(), main), "recording an event");
    for (int n = 0; n < sides; ++n) {
      const Side& side = sides_[n];
      check(cudaStreamWaitEvent(side.stream.get(), begun_.get(), 0), "waiting for an event");
      enqueue(n, side.stream.get());
      check(cudaEventRecord(side.done.get(), side.stream.get()), "recording an event");
    }
    enqueue(count - 1, main);
    for (int n = 0; n < sides; ++n)
      check(cudaStreamWaitEvent(main, sides_[n].done.get(), 0), "waiting for an event");
  }

 private:
  struct Side {
    CudaStream stream;
    CudaEvent done;
  };

  std::vector<Side> sides_;
  CudaEvent begun_;
};

}  // namespace dns
