/// What ranks, which are threads here, tell each other, and the flow and records that they share.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>

#include "solver/core/agreement.hpp"
#include "solver/output/record_transfer.hpp"
#include "solver/ranks/state_transfer.hpp"
#include "solver/ranks/step_messages.hpp"
#include "tests/compare_states.hpp"
#include "tests/ranks/counted_messages.hpp"
#include "tests/ranks/slab_simulation.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing {
namespace {

using Events = std::array<SlabEvents, 4>;

const Subdomain& walls() {
  static const Subdomain box = Subdomain::whole_box({3, 2, 23}, {true, false, false});
  return box;
}

/// A box whose ends along z are seams of its slabs: nobody but the box itself owns its ghosts.
const Subdomain& periodic_box() {
  static const Subdomain box = Subdomain::whole_box({3, 2, 23}, {true, false, true});
  return box;
}

/// Fills in values that say in which plane of the box they are; "hidden" from rank 1.
class FakeReader final : public SlabReader {
 public:
  std::string read(const std::string& file, const Subdomain& part, FlowState& slab) const override {
    if (file == "hidden" && part.first(2) > 0) throw IoError("no such file");
    for (HostField& field : slab.fields) {
      auto value = field.values<double>().begin();
      const std::size_t plane =
          field.extents().count() / static_cast<std::size_t>(field.extents().nz);
      for (int k = 0; k < field.extents().nz; ++k)
        for (std::size_t n = 0; n < plane; ++n) *value++ = k + part.first(2);
    }
    return std::to_string(part.first(2)) + " ";
  }
  void require_sound(const std::string& file, const std::vector<std::string>& read) const override {
    std::string all;
    for (const std::string& one : read) all += one;
    if (file != all) throw IoError("read " + all);
  }
};

/// Calls function(communicator, simulation of its slab) on each rank.
template <class Function>
void on_slabs(int ranks, const Subdomain& box, Events& events, const Function& function) {
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const int rank = communicator.rank();
    SlabSimulation simulation(box.slab(rank, ranks), events[static_cast<std::size_t>(rank)]);
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

TEST(slab_of_this_rank, is_its_part_of_a_flow_with_its_ghost_planes_and_the_sums) {
  for (const int ranks : {1, 2, 3, 4}) {
    FlowState whole = known_flow(periodic_box(), CopyPurpose::restart);
    whole.step = 2;
    whole.time = 0.25;
    whole.numbers = {{"time_step", 0.125}, {"driving_x", -3}};
    whole.statistics.samples = 7;
    whole.statistics.sums.emplace_back("uu", Extents{1, 1, 23}, Precision::double_precision);
    auto sums = whole.statistics.sums.front().values<double>();
    std::iota(sums.begin(), sums.end(), 0.5);
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      const Subdomain part = periodic_box().slab(communicator.rank(), ranks);
      const bool is_first = communicator.rank() == 0;
      FlowState expected = known_flow(part, CopyPurpose::restart);
      expected.step = whole.step;
      expected.time = whole.time;
      expected.numbers = whole.numbers;
      expected.statistics = whole.statistics;
      EXPECT_TRUE(same_bits(
          slab_of_this_rank(communicator, part, is_first ? whole : FlowState{}, "", FakeReader()),
          expected));
    });
  }
}

TEST(slab_of_this_rank, is_read_by_each_or_what_they_read_is_refused_by_all) {
  FlowState head = known_flow(walls(), CopyPurpose::restart);
  head.step = 2;
  head.numbers = {{"time_step", 0.125}};
  for (HostField& field : head.fields)
    field = HostField(field.name(), field.extents(), field.precision(), nullptr);
  ThreadRanks::run(3, [&](Communicator& communicator) {
    const Subdomain part = walls().slab(communicator.rank(), 3);
    const auto read = [&](const std::string& file) {
      const bool is_first = communicator.rank() == 0;
      return slab_of_this_rank(
          communicator, part, is_first ? head : FlowState{}, is_first ? file : "", FakeReader());
    };
    const auto error_of = [&](const std::string& file) -> std::string {
      try {
        read(file);
      } catch (const IoError& error) {
        EXPECT_TRUE(is_met_by_all(error));
        return error.what();
      }
      return "";
    };
    EXPECT_EQ(error_of("wrong"), "read 0 7 15 ");
    EXPECT_TRUE(error_of("hidden").starts_with("rank 1 on "));
    const FlowState slab = read("0 7 15 ");
    ASSERT_EQ(slab.fields.size(), 2U);
    EXPECT_EQ(slab.step, 2);
    EXPECT_EQ(slab.fields[0].values<double>().front(), part.first(2));
    EXPECT_EQ(slab.fields[0].values<double>().back(),
              part.first(2) + slab.fields[0].extents().nz - 1);
    EXPECT_EQ(slab.numbers.front().value, 0.125);
  });
}

TEST(slab_of_this_rank, of_another_grid_is_refused_in_words_of_the_whole_box) {
  const Subdomain other = Subdomain::whole_box({3, 2, 24}, {true, false, false});
  ThreadRanks::run(2, [&](Communicator& communicator) {
    try {
      slab_of_this_rank(communicator,
                        walls().slab(communicator.rank(), 2),
                        known_flow(other, CopyPurpose::viewing),
                        "",
                        FakeReader());
      FAIL() << "not refused";
    } catch (const std::exception& error) {
      EXPECT_TRUE(is_met_by_all(error));
      if (communicator.rank() > 0) return;
      EXPECT_STREQ(error.what(),
                   "the flow to start from has 3 x 2 x 24 values of field_2, but this case needs "
                   "3 x 2 x 23: grid.points must be the same");
    }
  });
}

/// Takes a flow to a step of it.
void go_to(SlabSimulation& simulation, std::int64_t step) {
  FlowState start = known_flow(simulation.subdomain(), CopyPurpose::viewing);
  start.step = step;
  simulation.set_state(start);
}

TEST(on_all_ranks, reports_divergence_where_it_is_worst) {
  Events events;
  on_slabs(3, walls(), events, [](Communicator& communicator, SlabSimulation& simulation) {
    const auto what_diverges = [&]() -> std::string {
      try {
        on_all_ranks(communicator, [&] { return simulation.diagnostics(); });
      } catch (const DivergenceError& error) {
        EXPECT_TRUE(is_met_by_all(error));
        return error.what();
      }
      return "nothing";
    };
    go_to(simulation, 4);
    EXPECT_EQ(what_diverges(), "nothing");
    simulation.advance();
    EXPECT_EQ(what_diverges(), "worst in the planes from 15");  // the greatest
    simulation.advance();
    EXPECT_EQ(what_diverges(), "worst in the planes from 7");  // the first that is no number
  });
}

TEST(on_all_ranks, tells_errors_that_all_ranks_meet_from_those_of_one) {
  Events events;
  on_slabs(2, walls(), events, [](Communicator& communicator, SlabSimulation& simulation) {
    const auto advance = [&] {
      on_all_ranks(communicator, [&] { return simulation.advance(); });
      return std::string();
    };
    go_to(simulation, SlabSimulation::unbalanced_step);
    try {
      advance();
      FAIL() << "no error";
    } catch (const CaseError& error) {
      EXPECT_TRUE(is_met_by_all(error));
    }
    go_to(simulation, SlabSimulation::broken_step);
    try {
      advance();
      EXPECT_GT(communicator.rank(), 0);
    } catch (const DeviceError& error) {
      EXPECT_EQ(communicator.rank(), 0);
      EXPECT_FALSE(is_met_by_all(error));
    }
  });
}

TEST(text_of_first, is_that_of_rank_0_or_an_error_of_all) {
  EXPECT_EQ(text_of_first(alone(), [] { return std::string("said"); }), "said");
  EXPECT_THROW(text_of_first(alone(), []() -> std::string { throw CaseError("wrong"); }),
               CaseError);
  ThreadRanks::run(3, [](Communicator& communicator) {
    for (const std::string text : {"", "said"}) {
      const auto say = [&] {
        EXPECT_EQ(communicator.rank(), 0);
        return text;
      };
      EXPECT_EQ(text_of_first(communicator, say), text);
    }
    const std::vector<std::string> mistakes{"one", "two"};
    try {
      text_of_first(communicator, [&]() -> std::string { throw CaseError(mistakes); });
      FAIL() << "no error";
    } catch (const std::exception& error) {
      EXPECT_TRUE(is_met_by_all(error));
      const auto* const wrong = dynamic_cast<const CaseError*>(&error);
      ASSERT_EQ(wrong != nullptr, communicator.rank() == 0);
      if (wrong != nullptr) {
        EXPECT_EQ(wrong->messages(), mistakes);
      }
    }
  });
}

TEST(common_error, is_that_of_the_lowest_rank_with_its_name) {
  ThreadRanks::run(3, [](Communicator& communicator) {
    const auto error = common_error(communicator, [&] {
      if (communicator.rank() > 0) throw IoError("no file " + std::to_string(communicator.rank()));
    });
    ASSERT_TRUE(error != nullptr);
    try {
      std::rethrow_exception(error);
    } catch (const IoError& thrown) {
      const std::string message = thrown.what();
      EXPECT_TRUE(message.starts_with("rank 1 on ")) << message;
      EXPECT_TRUE(message.ends_with(": no file 1")) << message;
    }
    EXPECT_TRUE(common_error(communicator, [] {}) == nullptr);
  });
}

TEST(with_name_of_rank, takes_a_file_that_cannot_be_looked_at_for_an_error_of_input) {
  ThreadRanks::run(2, [](Communicator& communicator) {
    const auto look = [&] {
      if (communicator.rank() == 0) return;
      throw std::filesystem::filesystem_error(
          "status", "folder", std::make_error_code(std::errc::permission_denied));
    };
    if (communicator.rank() == 0) return with_name_of_rank(communicator, look);
    try {
      with_name_of_rank(communicator, look);
      FAIL() << "no error";
    } catch (const IoError& thrown) {
      const std::string message = thrown.what();
      EXPECT_TRUE(message.starts_with("rank 1 on ")) << message;
      EXPECT_TRUE(message.ends_with(": folder: Permission denied")) << message;
    }
  });
}

TEST(common_error, names_no_rank_when_all_say_the_same) {
  ThreadRanks::run(2, [](Communicator& communicator) {
    const auto error = common_error(communicator, [] { throw CaseError("wrong"); });
    try {
      std::rethrow_exception(error);
    } catch (const CaseError& thrown) {
      EXPECT_STREQ(thrown.what(), "wrong");
    }
  });
}

}  // namespace
}  // namespace dns::testing
