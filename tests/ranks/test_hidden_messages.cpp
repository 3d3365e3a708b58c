/// What ranks, here threads, compute while messages pass has the bits of what they compute before
/// and after them.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "cpu/openmp_backend.hpp"
#include "solver/config/load_case.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/projection/advance_variable.hpp"
#include "solver/projection/projection_solver.hpp"
#include "solver/projection/stages_body.hpp"
#include "solver/ranks/distributed_backend.hpp"
#include "solver/splitting/splitting_solver.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/compare_states.hpp"
#include "tests/ranks/rank_cases.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing {
namespace {

/// A device that may be told to hide messages, and counts how often it did.
struct HidingCpu : OpenMpBackend<double> {
  static constexpr int threads = 1;
  bool hides = false;
  int* times = nullptr;

  HidingCpu(bool does_hide, int& times_hidden)
      : OpenMpBackend<double>(threads), hides(does_hide), times(&times_hidden) {}
  [[nodiscard]] bool hides_messages(Extents /*points*/) const { return hides; }
  template <class Messages, class Rest>
  void beside_messages(const Messages& messages, const Rest& rest) const {
    ++*times;
    OpenMpBackend<double>::beside_messages(messages, rest);
  }
};
using Backend = DistributedBackend<HidingCpu>;

struct Flows {
  std::vector<FlowState> of_ranks;
  int times = 0;  // that messages were hidden, on rank 0
};

template <class Solver>
Flows flows_after_steps(const Case& resolved, int ranks, bool hides) {
  constexpr int steps = 3;
  Flows flows{std::vector<FlowState>(static_cast<std::size_t>(ranks))};
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    int times = 0;
    Solver solver(Backend(HidingCpu(hides, times), communicator, whole_box(resolved)), resolved);
    solver.set_state(initial_state(resolved, solver.subdomain()));
    for (int step = 0; step < steps; ++step) solver.advance();
    FlowState& state = flows.of_ranks[static_cast<std::size_t>(communicator.rank())];
    state = solver.allocate_state(CopyPurpose::restart);
    solver.copy_state(state, CopyPurpose::restart);
    if (communicator.rank() == 0) flows.times = times;
  });
  return flows;
}

template <class Solver>
void expect_same_bits(const NamedCase& named) {
  SCOPED_TRACE(named.name);
  const Case resolved = parse_case(named.yaml, "the case", {});
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const Flows plain = flows_after_steps<Solver>(resolved, ranks, false);
    const Flows hidden = flows_after_steps<Solver>(resolved, ranks, true);
    EXPECT_EQ(plain.times, 0);
    EXPECT_GT(hidden.times, 0);
    for (std::size_t rank = 0; rank < plain.of_ranks.size(); ++rank)
      EXPECT_TRUE(same_bits(hidden.of_ranks[rank], plain.of_ranks[rank]));
  }
}

TEST(HiddenMessages, leave_scheme_splitting_its_bits) {
  for (const NamedCase& named : {splitting_walls, splitting_periodic})
    expect_same_bits<SplittingSolver<Backend>>(named);
}

TEST(HiddenMessages, leave_scheme_projection_its_bits) {
  for (const NamedCase& named : {projection_walls, projection_periodic, projection_channel_order_6})
    expect_same_bits<ProjectionSolver<Backend>>(named);
}

}  // namespace
}  // namespace dns::testing
