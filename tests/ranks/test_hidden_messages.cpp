/// What ranks, here threads, compute while messages pass has the bits of what they compute before
/// and after them.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "cpu/openmp_backend.hpp"
#include "solver/config/load_case.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/compare_states.hpp"
#include "tests/ranks/rank_cases.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing::test_hidden_messages {
namespace {

struct Flows {
  std::vector<FlowState> of_ranks;
  int times = 0;  // that messages were hidden
};

Flows flows_after_steps(const Case& resolved, int ranks, bool hides) {
  constexpr int steps = 3;
  Flows flows{std::vector<FlowState>(static_cast<std::size_t>(ranks))};
  hides_messages_on_cpu = hides;
  messages_hidden_on_cpu = 0;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto simulation = make_simulation(resolved, communicator);
    simulation->set_state(initial_state(resolved, simulation->subdomain()));
    for (int step = 0; step < steps; ++step) simulation->advance();
    FlowState& state = flows.of_ranks[communicator.rank()];
    state = simulation->allocate_state(CopyPurpose::restart);
    simulation->copy_state(state, CopyPurpose::restart);
  });
  hides_messages_on_cpu = false;
  flows.times = messages_hidden_on_cpu;
  return flows;
}

void expect_same_bits(const NamedCase& named) {
  SCOPED_TRACE(named.name);
  Case resolved = parse_case(named.yaml, "the case", {});
  resolved.run.threads = 1;
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const Flows plain = flows_after_steps(resolved, ranks, false);
    const Flows hidden = flows_after_steps(resolved, ranks, true);
    EXPECT_EQ(plain.times, 0);
    EXPECT_GT(hidden.times, 0);
    for (std::size_t rank = 0; rank < plain.of_ranks.size(); ++rank)
      EXPECT_TRUE(same_bits(hidden.of_ranks[rank], plain.of_ranks[rank]));
  }
}

TEST(HiddenMessages, leave_scheme_splitting_its_bits) {
  for (const NamedCase& named : {splitting_walls, splitting_periodic}) expect_same_bits(named);
}

TEST(HiddenMessages, leave_scheme_projection_its_bits) {
  for (const NamedCase& named : {projection_walls, projection_periodic, projection_channel_order_6})
    expect_same_bits(named);
}

}  // namespace
}  // namespace dns::testing::test_hidden_messages
