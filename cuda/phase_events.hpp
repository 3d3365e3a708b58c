/// Time of the phases of a step, measured on the GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda/streams_and_events.hpp"
#include "solver/core/backend.hpp"

namespace dns {

/// Records an event where a phase begins; adds up the times between events once they are done.
/// Reading a time takes the CPU a microsecond, in which the GPU works on: a few are read whenever a
/// phase begins, all of them in collect().
///
/// An event takes the GPU some microseconds too, and no kernel gets ready across it (launch.cuh).
/// So the phases of the first steps of a run are timed, and then those of every 16th step; the time
/// of the others is divided in the same ratio. Phases that wait for the host are always timed.
class PhaseEvents {
 public:
  /// What follows belongs to the next step.
  void begin_step() {
    ++steps_;
    const int later = steps_ - steps_timed_first - 1;
    sample_ = later < 0                      ? Sample::itself
              : later % steps_stood_for != 0 ? Sample::none
                                             : Sample::for_others_too;
  }

  /// Whether the phases of this step are timed.
  [[nodiscard]] bool is_sampling() const { return sample_ != Sample::none; }

  /// Whether the next phase's beginning is recorded.
  [[nodiscard]] bool is_timing() const { return is_sampling() || times_last(); }

  /// stream() is called where an event is recorded in what it returns.
  template <class StreamToRecordIn>
  void enter(Phase phase, const StreamToRecordIn& stream) {
    constexpr int at_a_time = 2;
    for (int n = 0; n < at_a_time && done_ > 1; ++n) collect_first();
    const Sample sample = phase.waits_for_host ? Sample::itself : sample_;
    if (sample == Sample::none && !times_last()) return;
    if (times_last() && begun_.back().phase == phase && begun_.back().sample == sample) return;
    CudaEvent event = unused_event();
    check(cudaEventRecord(event.get(), stream()), "recording an event");
    begun_.push_back({phase, sample, std::move(event)});
  }

  /// How many events have been recorded so far.
  [[nodiscard]] std::size_t recorded() const { return collected_ + begun_.size(); }
  /// To be called when the first so many of them are done.
  void done(std::size_t recorded) {
    if (recorded > collected_ + done_) done_ = recorded - collected_;
  }

  /// Adds up the times between all events that are done. The last one is kept as the next
  /// beginning.
  void collect() {
    while (done_ > 1) collect_first();
  }

  [[nodiscard]] std::vector<double> seconds() const {
    std::vector<double> seconds = seconds_;
    const double sampled = std::accumulate(sampled_seconds_.begin(), sampled_seconds_.end(), 0.0);
    if (sampled == 0) return seconds;
    for (std::size_t phase = 0; phase < seconds.size(); ++phase) {
      seconds[phase] += sampled_seconds_[phase] * (1 + seconds_of_others_ / sampled);
    }
    return seconds;
  }

 private:
  static constexpr int steps_timed_first = 4;
  static constexpr int steps_stood_for = 16;

  /// Whether the time of a phase is measured, and for which steps it counts.
  enum class Sample { none, itself, for_others_too };

  struct Begin {
    Phase phase;
    Sample sample;
    CudaEvent event;
  };

  /// Whether the phase begun last is timed.
  [[nodiscard]] bool times_last() const {
    return !begun_.empty() && begun_.back().sample != Sample::none;
  }

  [[nodiscard]] CudaEvent unused_event() {
    if (unused_.empty()) return made_event(cudaEventDefault);
    CudaEvent event = std::move(unused_.back());
    unused_.pop_back();
    return event;
  }

  /// Adds up the time of the phase begun first.
  void collect_first() {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begun_[0].event.get(), begun_[1].event.get()),
          "reading an event");
    const std::size_t phase = begun_[0].phase.number;
    const double seconds = 1e-3 * static_cast<double>(milliseconds);
    if (begun_[0].sample == Sample::itself) seconds_[phase] += seconds;
    if (begun_[0].sample == Sample::for_others_too) sampled_seconds_[phase] += seconds;
    if (begun_[0].sample == Sample::none) seconds_of_others_ += seconds;
    unused_.push_back(std::move(begun_.front().event));
    begun_.pop_front();
    --done_;
    ++collected_;
  }

  std::deque<Begin> begun_;
  std::size_t done_ = 0;       // how many of these are done, from the first on
  std::size_t collected_ = 0;  // events before these
  std::vector<CudaEvent> unused_;
  std::vector<double> seconds_ = std::vector<double>(Phase::most);
  std::vector<double> sampled_seconds_ = std::vector<double>(Phase::most);
  double seconds_of_others_ = 0;  // steps whose phases are not timed
  int steps_ = 0;
  Sample sample_ = Sample::itself;  // of the step, or of what comes before the first
};

}  // namespace dns
