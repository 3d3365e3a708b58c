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
/// for whenever a phase begins, all of them when somebody wants to know.
class PhaseEvents {
 public:
  void enter(Phase phase, cudaStream_t stream) {
    if (!begun_.empty() && begun_.back().phase == phase) return;
    Event event = unused_event();
    check(cudaEventRecord(event.get(), stream), "recording an event");
    begun_.push_back({phase, std::move(event)});
    constexpr int at_a_time = 2;
    for (int n = 0; n < at_a_time && done_ > 1; ++n) collect_first();
  }

  /// Says that all recorded events are done.
  void all_done() { done_ = begun_.size(); }

  /// Adds up the times between all events that are done. The last one begins what comes next.
  void collect() {
    while (done_ > 1) collect_first();
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

  /// Adds up the time of the phase begun first.
  void collect_first() {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begun_[0].event.get(), begun_[1].event.get()),
          "reading an event");
    seconds_[static_cast<std::size_t>(begun_[0].phase)] += 1e-3 * static_cast<double>(milliseconds);
    unused_.push_back(std::move(begun_.front().event));
    begun_.pop_front();
    --done_;
  }

  std::deque<Begin> begun_;
  std::size_t done_ = 0;  // of these, the first so many
  std::vector<Event> unused_;
  std::vector<double> seconds_ = std::vector<double>(phase_count);
};

}  // namespace dns
