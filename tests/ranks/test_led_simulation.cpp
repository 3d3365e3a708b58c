/// Rank 0 leads the others, which are threads here.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <future>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>

#include "solver/core/agreement.hpp"
#include "solver/ranks/led_simulation.hpp"
#include "solver/ranks/rank_tasks.hpp"
#include "tests/compare_states.hpp"
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

FlowState known_start(const Subdomain& part) {
  return known_flow(part, CopyPurpose::viewing);
}

/// Says of each task which rank has carried it out, after what copy; rank 2 says nothing, or fails.
class FakeOutput final : public RankOutput {
 public:
  explicit FakeOutput(int rank) : rank_(rank) {}
  void copy(std::int32_t what) override { copied_ = what; }
  std::string carry_out(const std::string& task) override {
    if (rank_ == 2 && task == "fail") throw IoError("no space");
    if (rank_ == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return rank_ == 2 ? "" : std::to_string(rank_) + ":" + std::to_string(copied_) + ":" + task;
  }

 private:
  int rank_;
  std::int32_t copied_ = 0;
};

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

/// Calls lead(simulation, its Lead) on rank 0 of `ranks`; returns what the others end with.
template <class Function>
std::vector<int> lead_ranks(int ranks, const Subdomain& box, Events& events, const Function& lead) {
  std::vector<int> codes(static_cast<std::size_t>(ranks));
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    auto own = std::make_unique<SlabSimulation>(box.slab(communicator.rank(), ranks), events[rank]);
    if (rank > 0) {
      FakeOutput output(communicator.rank());
      codes[rank] = follow(*own, communicator, {known_start, output, FakeReader()});
      return;
    }
    Lead place(communicator);
    LedSimulation simulation(std::move(own), place);
    lead(simulation, place);
    place.give({.kind = OrderKind::end, .argument = 75});
  });
  return codes;
}

TEST(LedSimulation, copies_the_slab_of_rank_0) {
  for (const CopyPurpose purpose : {CopyPurpose::restart, CopyPurpose::viewing}) {
    Events events;
    lead_ranks(3, walls(), events, [&](LedSimulation& simulation, const Lead& /*place*/) {
      FlowState copy = simulation.allocate_state(purpose);
      FlowState expected = simulation.slab().allocate_state(purpose);
      simulation.copy_state(copy, purpose);
      simulation.slab().copy_state(expected, purpose);
      EXPECT_EQ(copy.fields.back().extents(), walls().slab(0, 3).points());
      for (FlowState* const state : {&copy, &expected}) state->fields.resize(1);
      copy.fields.front() = copy.fields.front().planes(1, 3);  // beyond the seam there is no number
      expected.fields.front() = expected.fields.front().planes(1, 3);
      EXPECT_TRUE(same_bits(copy, expected));
    });
  }
}

TEST(LedSimulation, puts_planes_together_from_those_of_all_ranks) {
  for (const int ranks : {1, 3, 4}) {
    Events events;
    lead_ranks(ranks, walls(), events, [&](LedSimulation& simulation, const Lead& place) {
      const std::vector<PlaneValues> planes = simulation.planes();
      EXPECT_TRUE(place.is_in_step);
      ASSERT_EQ(planes.size(), 2U);
      std::vector<double> whole(23);
      std::iota(whole.begin(), whole.end(), 0);
      EXPECT_EQ(planes[0][0], whole);
      EXPECT_EQ(planes[1][0], (std::vector<double>{-1, -2}));
      EXPECT_TRUE(planes[0][1].empty());
    });
  }
}

/// The results of a task, while this thread serves as the one that computes does.
std::vector<std::string> results_of(RankTasks& tasks, const std::string& task) {
  auto results = std::async(std::launch::async, [&] {
    tasks.start(task);
    return tasks.results();
  });
  while (results.wait_for(std::chrono::microseconds(100)) != std::future_status::ready)
    tasks.serve();
  return results.get();
}

TEST(RankTasks, bring_the_results_of_all_ranks_in_their_order_while_steps_go_on) {
  Events events;
  lead_ranks(4, walls(), events, [&](LedSimulation& simulation, Lead& place) {
    RankTasks tasks(place);
    tasks.copy(5);
    for (const std::string task : {"a", "", "long text"}) {
      simulation.advance();
      EXPECT_EQ(results_of(tasks, task),
                (std::vector<std::string>{"1:5:" + task, "", "3:5:" + task}));
    }
  });
  for (std::size_t rank = 0; rank < 4; ++rank) EXPECT_EQ(events[rank].steps, 3);
}

TEST(RankTasks, say_which_rank_failed_and_go_on) {
  Events events;
  lead_ranks(4, walls(), events, [&](LedSimulation& /*simulation*/, Lead& place) {
    RankTasks tasks(place);
    tasks.copy(1);
    try {
      static_cast<void>(results_of(tasks, "fail"));
      ADD_FAILURE() << "no error";
    } catch (const IoError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("rank 2 on ")) << message;
      EXPECT_TRUE(message.ends_with(": no space")) << message;
    }
    EXPECT_EQ(results_of(tasks, "b").front(), "1:1:b");
    EXPECT_TRUE(place.is_in_step);
  });
}

TEST(RankTasks, are_given_up_where_ranks_are_out_of_step) {
  Events events;
  lead_ranks(2, walls(), events, [&](LedSimulation& /*simulation*/, Lead& place) {
    RankTasks tasks(place);
    place.is_in_step = false;
    EXPECT_THROW(static_cast<void>(results_of(tasks, "a")), IoError);
    place.is_in_step = true;
  });
}

TEST(LedSimulation, gives_every_slab_its_part_with_its_ghost_planes_and_the_sums) {
  for (const int ranks : {2, 3, 4}) {
    Events events;
    FlowState whole = known_flow(periodic_box(), CopyPurpose::restart);
    whole.step = 2;
    whole.time = 0.25;
    whole.numbers = {{"time_step", 0.125}, {"driving_x", -3}};
    whole.statistics.samples = 7;
    whole.statistics.sums.emplace_back("uu", Extents{1, 1, 23}, Precision::double_precision);
    auto sums = whole.statistics.sums.front().values<double>();
    std::iota(sums.begin(), sums.end(), 0.5);
    lead_ranks(
        ranks, periodic_box(), events, [&](LedSimulation& simulation, const Lead& /*place*/) {
          simulation.set_state(whole);
        });
    for (int rank = 0; rank < ranks; ++rank) {
      FlowState expected = known_flow(periodic_box().slab(rank, ranks), CopyPurpose::restart);
      expected.step = whole.step;
      expected.time = whole.time;
      expected.numbers = whole.numbers;
      expected.statistics = whole.statistics;
      EXPECT_TRUE(same_bits(events[static_cast<std::size_t>(rank)].given, expected)) << rank;
    }
  }
}

TEST(LedSimulation, lets_every_rank_read_its_slab_or_refuses_what_they_read) {
  Events events;
  FlowState head = known_flow(walls(), CopyPurpose::restart);
  head.step = 2;
  head.numbers = {{"time_step", 0.125}};
  for (HostField& field : head.fields)
    field = HostField(field.name(), field.extents(), field.precision(), nullptr);
  const auto error_of = [&](LedSimulation& simulation, const std::string& file) -> std::string {
    try {
      simulation.read_state(head, file, FakeReader());
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  };
  lead_ranks(3, walls(), events, [&](LedSimulation& simulation, const Lead& place) {
    EXPECT_EQ(error_of(simulation, "wrong"), "read 0 7 15 ");
    EXPECT_TRUE(error_of(simulation, "hidden").starts_with("rank 1 on "));
    EXPECT_TRUE(place.is_in_step);
    for (const SlabEvents& rank : events) EXPECT_TRUE(rank.given.fields.empty());
    EXPECT_EQ(error_of(simulation, "0 7 15 "), "");
    EXPECT_EQ(simulation.step(), 2);
  });
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const FlowState& given = events[rank].given;
    ASSERT_EQ(given.fields.size(), 2U);
    const int first = walls().slab(static_cast<int>(rank), 3).first(2);
    EXPECT_EQ(given.fields[0].values<double>().front(), first);
    EXPECT_EQ(given.fields[0].values<double>().back(), first + given.fields[0].extents().nz - 1);
    EXPECT_EQ(given.numbers.front().value, 0.125);
  }
}

TEST(LedSimulation, has_the_box_and_sums_over_its_ranks) {
  Events events;
  const auto codes =
      lead_ranks(3, periodic_box(), events, [&](LedSimulation& simulation, const Lead& /*place*/) {
        const Subdomain& box = simulation.subdomain();
        EXPECT_EQ(box.points(), periodic_box().points());
        EXPECT_TRUE(box.is_periodic(2));
        EXPECT_TRUE(box.is_periodic(0));
        EXPECT_FALSE(box.is_periodic(1));
        EXPECT_EQ(simulation.memory_bytes(), box.points().count());
        EXPECT_EQ(simulation.measure_copy_bandwidth({}), 30);
        EXPECT_EQ(simulation.advance().global_iterations, 3);
        EXPECT_EQ(simulation.diagnostics().cfl, 0.5);
        EXPECT_EQ(simulation.step(), 1);
      });
  EXPECT_EQ(codes, (std::vector<int>{0, 75, 75}));
  for (std::size_t rank = 0; rank < 3; ++rank) EXPECT_EQ(events[rank].steps, 1);
  lead_ranks(3, walls(), events, [&](LedSimulation& simulation, const Lead& /*place*/) {
    EXPECT_TRUE(simulation.subdomain().is_boundary(2, false));
    EXPECT_TRUE(simulation.subdomain().is_boundary(2, true));
  });
}

TEST(LedSimulation, makes_the_initial_flow_on_every_rank) {
  Events events;
  lead_ranks(3, walls(), events, [&](LedSimulation& simulation, const Lead& /*place*/) {
    simulation.set_initial_flow(known_start);
  });
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_TRUE(same_bits(events[static_cast<std::size_t>(rank)].given,
                          known_start(walls().slab(rank, 3))));
  }
}

TEST(LedSimulation, reports_divergence_where_it_is_worst_and_goes_on) {
  Events events;
  lead_ranks(3, walls(), events, [&](LedSimulation& simulation, const Lead& place) {
    const auto what_diverges = [&]() -> std::string {
      try {
        simulation.diagnostics();
      } catch (const DivergenceError& error) {
        return error.what();
      }
      return "nothing";
    };
    FlowState start = known_flow(walls(), CopyPurpose::viewing);
    start.step = 4;
    simulation.set_state(start);
    EXPECT_EQ(what_diverges(), "nothing");
    simulation.advance();
    EXPECT_EQ(what_diverges(), "worst in the planes from 15");  // the greatest
    simulation.advance();
    EXPECT_EQ(what_diverges(), "worst in the planes from 7");  // the first that is no number
    EXPECT_TRUE(place.is_in_step);
  });
}

TEST(LedSimulation, goes_on_after_an_error_that_all_ranks_meet) {
  Events events;
  lead_ranks(2, walls(), events, [&](LedSimulation& simulation, const Lead& place) {
    FlowState start = known_flow(walls(), CopyPurpose::viewing);
    start.step = SlabSimulation::unbalanced_step;
    simulation.set_state(start);
    EXPECT_THROW(simulation.advance(), CaseError);
    EXPECT_TRUE(place.is_in_step);
    EXPECT_EQ(simulation.diagnostics().cfl, 0.5);
  });
}

TEST(LedSimulation, knows_when_the_others_wait_in_vain) {
  Events events;
  EXPECT_THROW(lead_ranks(2,
                          walls(),
                          events,
                          [&](LedSimulation& simulation, const Lead& place) {
                            FlowState start = known_flow(walls(), CopyPurpose::viewing);
                            start.step = SlabSimulation::broken_step;
                            simulation.set_state(start);
                            EXPECT_THROW(simulation.advance(), DeviceError);
                            EXPECT_FALSE(place.is_in_step);
                            throw DeviceError("so the lead ends all");
                          }),
               DeviceError);
}

TEST(LedSimulation, refuses_a_flow_of_another_grid_in_words_of_the_whole_box) {
  Events events;
  const Subdomain other = Subdomain::whole_box({3, 2, 24}, {true, false, false});
  lead_ranks(2, walls(), events, [&](LedSimulation& simulation, const Lead& place) {
    try {
      simulation.set_state(known_flow(other, CopyPurpose::viewing));
      FAIL() << "not refused";
    } catch (const CaseError& error) {
      EXPECT_STREQ(error.what(),
                   "the flow to start from has 3 x 2 x 24 values of field_2, but this case needs "
                   "3 x 2 x 23: grid.points must be the same");
    }
    EXPECT_TRUE(place.is_in_step);
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
