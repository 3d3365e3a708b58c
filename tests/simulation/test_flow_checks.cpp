/// A simulation takes over only what holds all that it needs.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "tests/message_of.hpp"

namespace dns::test_flow_checks {
namespace {

/// A simulation of 7 x 6 x 5 cells at rest.
class FlowTakenOver : public testing::Test {
 protected:
  FlowTakenOver() {
    for (const std::string_view name : {velocity_x_name, velocity_y_name, velocity_z_name}) {
      start.fields.emplace_back(std::string(name), Extents{7, 6, 5}, Precision::double_precision);
      for (double& value : start.fields.back().values<double>()) value = 0;
    }
    simulation->set_state(start);
    state = simulation->allocate_state(CopyPurpose::restart);
    simulation->copy_state(state, CopyPurpose::restart);
  }

  [[nodiscard]] std::string refusal_of(const FlowState& flow) const {
    return message_of<CaseError>([&] { simulation->set_state(flow); });
  }

  std::unique_ptr<Simulation> simulation = make_simulation(parse_case(R"(scheme: projection
device: cpu
grid: {points: [7, 6, 5]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.01, steps: 1}
run: {threads: 1}
)",
                                                                      "case.yaml",
                                                                      {}));
  FlowState start, state;  // of formulas or the like, and for restart
};

TEST_F(FlowTakenOver, for_restart_has_all_numbers) {
  EXPECT_EQ(refusal_of(state), "");
  for (const std::string name : {"time_step", "driving_x", "driving_y", "driving_z"}) {
    const std::vector<NamedNumber> all = state.numbers;
    EXPECT_EQ(std::erase_if(state.numbers, [&](const auto& one) { return one.name == name; }), 1U);
    EXPECT_EQ(refusal_of(state), "the flow to start from has no number " + name);
    state.numbers = all;
  }
}

TEST_F(FlowTakenOver, for_restart_has_all_fields) {
  for (int n = 0; n < 2; ++n) state.fields.pop_back();  // both of the pressure
  EXPECT_EQ(refusal_of(state), "the flow to start from has no field pressure");
}

TEST_F(FlowTakenOver, has_the_extents_of_the_grid) {
  start.fields[2] = HostField(start.fields[2].name(), {7, 6, 4}, Precision::double_precision);
  EXPECT_EQ(
      refusal_of(start),
      "the flow to start from has 7 x 6 x 4 values of velocity_z, but this case needs 7 x 6 x "
      "5: grid.points must be the same");
  state.fields[0] = HostField(state.fields[0].name(), {9, 8, 6}, Precision::double_precision);
  EXPECT_EQ(
      refusal_of(state),
      "the flow to start from has 7 x 6 x 4 values of velocity_x, but this case needs 7 x 6 x "
      "5: grid.points must be the same");
}

}  // namespace
}  // namespace dns::test_flow_checks
