/// How often pictures are drawn for the live page.
#pragma once

#include <algorithm>
#include <chrono>

namespace dns {

/// Allows pictures at most once a second, and spends at most a twentieth of the time on them.
class LivePace {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_due(Clock::time_point now) const { return now >= next_; }

  /// Adds the cost of pictures [s], known at `now`; one set may be accounted for in parts.
  void spend(double seconds, Clock::time_point now) {
    constexpr double shortest_wait = 1;  // [s]
    constexpr double longest_part = 0.05;
    const std::chrono::duration<double> wait(std::max(shortest_wait, seconds / longest_part));
    next_ = std::max(next_, now + std::chrono::duration_cast<Clock::duration>(wait));
  }

 private:
  Clock::time_point next_;  // pictures are due from then on
};

}  // namespace dns
