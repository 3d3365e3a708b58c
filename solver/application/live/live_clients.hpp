/// Who looks at a run, and what that may cost it.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

namespace dns {

/// Pictures at most once a second, and at most a twentieth of the time spent on them.
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

/// The pages that are open in browsers. Safe to use from several threads.
class LivePages {
 public:
  using Clock = std::chrono::steady_clock;

  /// A page of this name looks, and may have shown how the run ended. Beyond a number that no
  /// person opens, pages are not told apart.
  void note(const std::string& name, bool has_shown_end, Clock::time_point now);

  /// Waits until the pages that looked in the last seconds have shown the end, at most `longest`.
  void wait_for_end(Clock::duration longest);

 private:
  struct Page {
    Clock::time_point looked;
    bool has_shown_end = false;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Page> pages_;
};

/// The connections of this process to a port of its own. The library that serves the page gives up
/// on a client that is silent for a second, but a client that sends a byte now and then keeps a
/// thread for hours.
class LiveConnections {
 public:
  using Clock = std::chrono::steady_clock;

  /// Ends those that have been there for `longest` since they were first seen here.
  void end_older_than(Clock::duration longest, Clock::time_point now, int port);

 private:
  struct Seen {
    int client_port = 0;
    Clock::time_point since;
  };

  std::map<int, Seen> seen_;  // by descriptor
};

}  // namespace dns
