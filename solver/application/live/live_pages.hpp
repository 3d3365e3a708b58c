/// Who looks at a run: the pages that are open in browsers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

namespace dns {

/// Safe to use from several threads.
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

}  // namespace dns
