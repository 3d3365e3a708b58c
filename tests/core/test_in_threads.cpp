#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "solver/core/in_threads.hpp"
#include "tests/message_of.hpp"

namespace dns::test_in_threads {
namespace {

/// The message of the error of tasks of which some throw their number.
std::string error_of(int threads, int tasks, const std::set<int>& failing) {
  return message_of<std::runtime_error>([&] {
    in_threads(threads, tasks, [&] {
      return [&](int n) {
        if (failing.contains(n)) throw std::runtime_error(std::to_string(n));
      };
    });
  });
}

TEST(in_threads, does_each_task_once) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const int tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(tasks));
      in_threads(threads, tasks, [&] { return [&](int n) { ++times[n]; }; });
      for (const std::atomic<int>& done : times) EXPECT_EQ(done, 1);
    }
  }
}

TEST(in_threads, each_thread_has_a_worker_of_its_own) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> workers = 0;
  std::atomic<int> waiting = 0;
  in_threads(3, 3, [&] {
    ++workers;
    return [&, tasks = 0](int /*n*/) mutable {
      EXPECT_EQ(++tasks, 1);
      ++waiting;
      while (waiting < 3) std::this_thread::yield();  // all three are under way
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    };
  });
  EXPECT_EQ(workers, 3);
  EXPECT_EQ(threads.size(), 3U);
  EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
}

TEST(in_threads, throws_the_error_of_the_first_task_that_fails) {
  for (const int threads : {1, 2, 5}) {
    for (int repeats = 0; repeats < 50; ++repeats) {
      EXPECT_EQ(error_of(threads, 40, {}), "");
      EXPECT_EQ(error_of(threads, 40, {39}), "39");
      EXPECT_EQ(error_of(threads, 40, {7, 8, 9, 10, 11, 39}), "7");
    }
  }
}

TEST(in_threads, begins_nothing_more_after_an_error) {
  int done = 0;
  EXPECT_THROW(in_threads(1,
                          9,
                          [&] {
                            return [&](int n) {
                              if (n == 4) throw std::runtime_error("");
                              ++done;
                            };
                          }),
               std::runtime_error);
  EXPECT_EQ(done, 4);
}

TEST(in_threads, throws_the_error_of_a_worker_that_cannot_be_made) {
  const auto fail = []() -> void (*)(int) { throw std::runtime_error("no room"); };
  EXPECT_THROW(in_threads(2, 5, fail), std::runtime_error);
}

}  // namespace
}  // namespace dns::test_in_threads
