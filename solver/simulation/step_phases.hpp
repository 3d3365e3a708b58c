/// The time that the phases of a run's steps take.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Seconds of each phase, without those before the first step.
class StepPhases {
 public:
  /// Call at the beginning of every step.
  template <class Backend>
  void begin_step(Backend& backend) {
    if (seconds_before_.empty()) {
      backend.enter(Phase::other);
      backend.synchronize();
      seconds_before_ = backend.phase_seconds();
    }
    backend.begin_step();
  }

  /// Times of all phases, in the order of phase_names. Waits for the device.
  template <class Backend>
  [[nodiscard]] std::vector<PhaseTime> times(Backend& backend) const {
    backend.synchronize();
    const std::vector<double> seconds = backend.phase_seconds();
    std::vector<PhaseTime> times;
    for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
      const double before = seconds_before_.empty() ? seconds[phase] : seconds_before_[phase];
      times.push_back({std::string(phase_names[phase]), seconds[phase] - before});
    }
    return times;
  }

 private:
  std::vector<double> seconds_before_;  // empty before the first step
};

}  // namespace dns
