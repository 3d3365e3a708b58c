/// What ends a run before its last step.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace dns {

/// Checks after each step for a stop signal, a file STOP in the run's folder, and the wall clock.
class StopConditions {
 public:
  using Clock = std::chrono::steady_clock;

  /// `limit` [s] counts from `started`.
  StopConditions(const std::string& directory,
                 std::optional<double> limit,
                 Clock::time_point started);

  /// Why the run has to end now, in words; empty: go on. `seconds_to_end` is what one more step
  /// and the last checkpoint will take.
  std::string reason_to_stop(double seconds_to_end);

  /// Removes the file STOP, so that the next start does not stop at once.
  void remove_stop_file() const;

 private:
  std::string stop_file_;
  std::optional<double> limit_;
  Clock::time_point started_;
  Clock::time_point last_look_;
};

}  // namespace dns
