/// Tasks that several threads do at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace dns {

/// The number of threads to use. asked: that number, or 0 for one per core.
[[nodiscard]] inline int threads_or_all(int asked) {
  return asked > 0 ? asked : std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

/// Calls worker(n) for n = 0 .. tasks-1, shared out in this order among at most `threads` threads,
/// this one among them; fewer where the system makes no more. Each thread calls a worker of its
/// own, made by make_worker(). After an error no more tasks are begun; throws the error of the
/// lowest n, as a loop would.
template <class MakeWorker>
void in_threads(int threads, int tasks, const MakeWorker& make_worker) {
  std::atomic<int> next = 0;
  std::mutex mutex;  // guards the two below
  int first_failed = tasks;
  std::exception_ptr error;
  const auto work = [&] {
    int n = -1;
    try {
      auto worker = make_worker();
      while ((n = next++) < tasks) worker(n);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (n < first_failed) {
        first_failed = n;
        error = std::current_exception();
      }
      next = tasks;
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (int made = 1; made < threads && made < tasks; ++made) others.emplace_back(work);
    } catch (const std::exception&) {  // no thread, or no memory to keep it in
    }
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace dns
