/// How many messages ranks need, which are threads here.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/flow/variables.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/ranks/counted_messages.hpp"
#include "tests/ranks/rank_cases.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing::test_messages_of_ranks {
namespace {

const Override body{
    "solids", "{ball: {shape: sphere, center: [0.5, 0.5, 0.7], radius: 0.3, temperature: 1}}", ""};

TEST(MessagesOfRanks, of_all_sums_of_the_diagnostics_are_one) {
  for (const NamedCase& named : all_cases) {
    for (const bool has_body : {false, true}) {
      SCOPED_TRACE(std::string(named.name) + (has_body ? " and a body" : ""));
      std::vector<Override> overrides{{"run.threads", "1", ""}};
      if (has_body) overrides.push_back(body);
      if (has_body && std::string(named.name).starts_with("projection")) {
        overrides.push_back({"output.statistics", "{every: 2}", ""});  // no spectra
        overrides.push_back({"accuracy.order", "2", ""});
      }
      const Case resolved = parse_case(named.yaml, "the case", overrides);
      ThreadRanks::run(3, [&](Communicator& communicator) {
        CountedMessages counted(communicator);
        const auto simulation = make_simulation(resolved, counted);
        simulation->set_state(initial_state(resolved, simulation->subdomain()));
        simulation->advance();
        const int gathers = counted.gathers;
        const int others = counted.transfers + counted.broadcasts;
        simulation->diagnostics();
        // Bodies feel forces of the time of the flow, which are looked at when they change.
        int changing = 0;
        for (int variable = 0; has_body && variable < transported_variables(resolved); ++variable)
          changing += resolved.source_formula(variable).depends_on_time() ? 1 : 0;
        // What bodies took in the stages of the step is summed up beside it.
        const int impulses = has_body && resolved.time.scheme == TimeScheme::runge_kutta ? 1 : 0;
        EXPECT_EQ(counted.gathers - gathers, 1 + changing + impulses);
        EXPECT_EQ(counted.transfers + counted.broadcasts, others);
      });
    }
  }
}

}  // namespace
}  // namespace dns::testing::test_messages_of_ranks
