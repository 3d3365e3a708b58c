/// Runs with particles.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/verification/slabs.hpp"

namespace dns::testing {

inline double diagnostic(Simulation& simulation, const std::string& name) {
  const std::vector<std::string> names = simulation.diagnostic_names();
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return simulation.diagnostics().others.at(found - names.begin());
}

/// Particles and diagnostics of a run that goes on from a copy have the bits of one in one go.
inline void expect_to_go_on_bit_for_bit(const Case& resolved) {
  const auto in_one_go = after(resolved, 30);
  const auto resumed = make_simulation(resolved);
  resumed->set_state(state_of(*after(resolved, 17)));
  for (int n = 17; n < 30; ++n) resumed->advance();
  const FlowState one = state_of(*in_one_go);
  const FlowState other = state_of(*resumed);
  ASSERT_EQ(one.particles.size(), other.particles.size());
  for (std::size_t species = 0; species < one.particles.size(); ++species) {
    EXPECT_EQ(one.particles[species].positions, other.particles[species].positions);
    EXPECT_EQ(one.particles[species].velocities, other.particles[species].velocities);
  }
  EXPECT_EQ(in_one_go->diagnostics().others, resumed->diagnostics().others);
}

}  // namespace dns::testing
