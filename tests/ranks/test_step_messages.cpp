/// What ranks, which are threads here, tell each other, and the flow and records that they share.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <string>
#include <thread>

#include "solver/core/agreement.hpp"
#include "solver/output/record_transfer.hpp"
#include "solver/ranks/step_messages.hpp"
#include "tests/ranks/counted_messages.hpp"
#include "tests/ranks/slab_simulation.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing::test_step_messages {
namespace {

using Events = std::array<SlabEvents, 4>;

const Subdomain& walls() {
  static const Subdomain box = Subdomain::whole_box({3, 2, 23}, {true, false, false});
  return box;
}

/// Calls function(communicator, simulation of its slab) on each rank.
template <class Function>
void on_slabs(int ranks, const Subdomain& box, Events& events, const Function& function) {
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const int rank = communicator.rank();
    SlabSimulation simulation(box.slab(rank, ranks), events[rank]);
    function(communicator, simulation);
  });
}

Requests nothing() {
  return {};
}

TEST(StepMessages, are_one_a_step_and_none_where_there_is_one_rank) {
  constexpr int steps = 7;
  const auto take_steps = [](Communicator& communicator) {
    CountedMessages counted(communicator);
    StepMessages messages(counted);
    for (int step = 0; step < steps; ++step) {
      messages.receive(nothing);
      messages.post(nothing);
    }
    counted.finish_gather();
    const int expected = communicator.size() == 1 ? 0 : steps + 1;  // the first is waited for
    EXPECT_EQ(counted.gathers, expected);
    EXPECT_EQ(counted.transfers + counted.broadcasts, 0);
  };
  take_steps(alone());
  for (const int ranks : {2, 3}) ThreadRanks::run(ranks, take_steps);
}

/// A request that rank 0 alone makes in a step; it is asked once before the first step.
TEST(StepMessages, bring_what_rank_0_asks_for_to_all_after_the_next_step) {
  const auto steps_that_stop = [](Communicator& communicator) {
    StepMessages messages(communicator);
    std::vector<int> stops;
    for (int step = 0; step < 6; ++step) {
      const auto own = [&] { return Requests{.stop = communicator.rank() == 0 && step == 3}; };
      if (messages.receive(own).stop) stops.push_back(step);
      messages.post(own);
    }
    return stops;
  };
  EXPECT_EQ(steps_that_stop(alone()), std::vector<int>{3});
  ThreadRanks::run(3, [&](Communicator& communicator) {
    EXPECT_EQ(steps_that_stop(communicator), std::vector<int>{4});
  });
}

TEST(StepMessages, can_be_waited_for_whatever_was_asked_before) {
  ThreadRanks::run(3, [](Communicator& communicator) {
    const bool is_first = communicator.rank() == 0;
    StepMessages messages(communicator);
    messages.post([] { return Requests{.stop = true}; });
    const Requests last =
        messages.agree({.asks = {Ask::now, is_first ? Ask::at_end : Ask::nothing}});
    EXPECT_FALSE(last.stop);
    EXPECT_EQ(last.asks[1], Ask::at_end);
  });
}

TEST(StepMessages, bring_an_error_of_the_files_of_rank_0_to_all) {
  const auto fail = [] { throw IoError("no space"); };
  StepMessages of_one_rank(alone());
  EXPECT_THROW(of_one_rank.on_first_rank(fail), IoError);
  ThreadRanks::run(3, [&](Communicator& communicator) {
    StepMessages messages(communicator);
    messages.receive(nothing);
    messages.on_first_rank(fail);
    messages.post(nothing);
    try {
      messages.receive(nothing);
      FAIL() << "no error";
    } catch (const IoError& error) {
      EXPECT_TRUE(is_met_by_all(error));
      if (communicator.rank() == 0) {
        EXPECT_STREQ(error.what(), "no space");
      }
    }
  });
}

/// Says of each task which rank has carried it out; rank 2 says nothing, or fails.
std::string carried_out(int rank, const std::string& task) {
  if (rank == 2 && task == "fail") throw IoError("no space");
  if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return rank == 2 ? "" : std::to_string(rank) + ":" + task;
}

/// Gives tasks by a thread that writes on rank 0, while all ranks take steps until it has ended;
/// some of these wait for each other, as they do before a write.
template <class Give>
void give_while_steps_go_on(int ranks, const Give& give) {
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    StepMessages messages(communicator);
    std::future<void> writer;
    std::atomic<bool> is_over = false;
    if (communicator.rank() > 0) {
      messages.carry_out_with([rank = communicator.rank()](const std::string& task) {
        return carried_out(rank, task);
      });
    } else {
      writer = std::async(std::launch::async, [&] {
        give(messages);
        is_over = true;
      });
    }
    const auto own = [&] { return Requests{.stop = is_over}; };
    for (int step = 0; !messages.receive(own).stop; ++step) {
      messages.post(own);
      if (step % 3 == 0) {
        EXPECT_EQ(messages.answer_of_first(ranks, nullptr), ranks);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (writer.valid()) writer.get();
  });
}

TEST(StepMessages, bring_the_results_of_all_ranks_in_their_order_while_steps_go_on) {
  give_while_steps_go_on(4, [](StepMessages& messages) {
    for (const std::string task : {"a", "", "long text", "b"}) {
      messages.start(task);
      EXPECT_EQ(messages.results(), (std::vector<std::string>{"1:" + task, "", "3:" + task}));
    }
  });
}

TEST(StepMessages, say_which_rank_failed_in_a_task_and_go_on) {
  give_while_steps_go_on(4, [](StepMessages& messages) {
    messages.start("fail");
    try {
      static_cast<void>(messages.results());
      ADD_FAILURE() << "no error";
    } catch (const IoError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("rank 2 on ")) << message;
      EXPECT_TRUE(message.ends_with(": no space")) << message;
    }
    messages.start("b");
    EXPECT_EQ(messages.results().front(), "1:b");
  });
}

TEST(StepMessages, give_tasks_up_where_the_ranks_end) {
  ThreadRanks::run(2, [](Communicator& communicator) {
    if (communicator.rank() > 0) return;
    StepMessages messages(communicator);
    auto results = std::async(std::launch::async, [&] {
      messages.start("a");
      return messages.results();
    });
    messages.abandon();
    EXPECT_THROW(static_cast<void>(results.get()), IoError);
  });
}

TEST(planes_of_all, are_those_of_all_ranks_in_their_order) {
  for (const int ranks : {1, 3, 4}) {
    Events events;
    on_slabs(ranks, walls(), events, [](Communicator& communicator, SlabSimulation& simulation) {
      const std::vector<PlaneValues> planes = planes_of_all(communicator, simulation.planes());
      if (communicator.rank() > 0) {
        EXPECT_TRUE(planes.empty());
        return;
      }
      ASSERT_EQ(planes.size(), 2U);
      std::vector<double> whole(23);
      std::iota(whole.begin(), whole.end(), 0);
      EXPECT_EQ(planes[0][0], whole);
      EXPECT_EQ(planes[1][0], (std::vector<double>{-1, -2}));
      EXPECT_TRUE(planes[0][1].empty());
    });
  }
}

}  // namespace
}  // namespace dns::testing::test_step_messages
