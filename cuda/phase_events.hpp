/// Time of the phases of a step as the GPU sees them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/cuda_error.hpp"
#include "solver/core/backend.hpp"

namespace dns {

/// Records an event where a phase begins; adds up the times between events once they are done.
/// Asking for a time takes the CPU a microsecond, which it has while the GPU works: a few are asked
/// for whenever a phase begins, all of them when the GPU is done.
class PhaseEvents {
 public:
  void enter(Phase phase, cudaStream_t stream) {
    if (!begun_.empty() && begun_.back().phase == phase) return;
    Event event = unused_event();
    check(cudaEventRecord(event.get(), stream), "recording an event");
    begun_.push_back({phase, std::move(event)});
    constexpr int at_a_time = 2;
    for (int n = 0; n < at_a_time && begun_.size() > 1; ++n) {
      if (!collect_first()) break;
    }
  }

  /// Requires that all recorded events are done. The last one begins what comes next.
  void collect() {
    while (begun_.size() > 1) {
      if (!collect_first()) check(cudaErrorNotReady, "reading an event");
    }
  }

  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;
  struct Begin {
    Phase phase;
    Event event;
  };

  [[nodiscard]] Event unused_event() {
    if (!unused_.empty()) {
      Event event = std::move(unused_.back());
      unused_.pop_back();
      return event;
    }
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event), "creating an event");
    return Event(event);
  }

  /// Adds up the time of the phase begun first; says whether it is over.
  bool collect_first() {
    float milliseconds = 0;
    const cudaError_t status =
        cudaEventElapsedTime(&milliseconds, begun_[0].event.get(), begun_[1].event.get());
    if (status == cudaErrorNotReady) {
      static_cast<void>(cudaGetLastError());  // no error to be found by a later call
      return false;
    }
    check(status, "reading an event");
    seconds_[static_cast<std::size_t>(begun_[0].phase)] += 1e-3 * static_cast<double>(milliseconds);
    unused_.push_back(std::move(begun_.front().event));
    begun_.pop_front();
    return true;
  }

  std::deque<Begin> begun_;
  std::vector<Event> unused_;
  std::vector<double> seconds_ = std::vector<double>(phase_count);
};

}  // namespace dns
