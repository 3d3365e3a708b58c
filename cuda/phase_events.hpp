/// Time of the phases of a step as the GPU sees them.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/cuda_error.hpp"
#include "solver/core/backend.hpp"

namespace dns {

/// Records an event where a phase begins; adds up the times between events once they are done.
class PhaseEvents {
 public:
  void enter(Phase phase, cudaStream_t stream) {
    if (used_ == events_.size()) {
      cudaEvent_t event = nullptr;
      check(cudaEventCreate(&event), "creating an event");
      events_.emplace_back(event);
      begun_.push_back(phase);
    }
    begun_[used_] = phase;
    check(cudaEventRecord(events_[used_].get(), stream), "recording an event");
    ++used_;
    if (used_ == most_pending) {
      check(cudaEventSynchronize(events_[used_ - 1].get()), "computing");
      collect();
    }
  }

  /// Requires that all recorded events are done. The last one begins what comes next.
  void collect() {
    for (std::size_t event = 0; event + 1 < used_; ++event) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, events_[event].get(), events_[event + 1].get()),
            "reading an event");
      seconds_[static_cast<std::size_t>(begun_[event])] += 1e-3 * static_cast<double>(milliseconds);
    }
    if (used_ < 2) return;
    std::swap(events_[0], events_[used_ - 1]);
    std::swap(begun_[0], begun_[used_ - 1]);
    used_ = 1;
  }

  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;
  static constexpr std::size_t most_pending = 4096;

  std::vector<Event> events_;
  std::vector<Phase> begun_;
  std::size_t used_ = 0;
  std::vector<double> seconds_ = std::vector<double>(phase_count);
};

}  // namespace dns
