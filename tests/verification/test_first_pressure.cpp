/// Forces that a pressure balances start no flow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_first_pressure {
namespace {

class FirstPressure : public OnEveryTarget {
 protected:
  /// Of the force that a pressure balances, times what the pressure's solution may make of it.
  [[nodiscard]] static double tolerance() { return 64 * epsilon(); }
};

struct AtRest {
  const char* name;
  std::string keys;
  double force;                                // the largest [U^2/L]
  double (*pressure)(double, double, double);  // but for a constant
};

std::vector<AtRest> fluids_at_rest() {
  return {
      {"heated from above, far from the reference temperature",
       R"yaml(
boundaries:
  x_min: {type: wall, temperature: {gradient: 0}}
  x_max: {type: symmetry}
  y_min: {type: wall, temperature: 300}
  y_max: {type: wall, temperature: 301}
  z: periodic
fluid: {reynolds: 2, prandtl: 1}
buoyancy: {rayleigh: 40, reference_temperature: 0}
initial: {temperature: "300+y"}
)yaml",
       3010,
       [](double, double y, double) { return 10 * (300 * y + y * y / 2); }},
      {"gravity in a closed box",
       R"yaml(
boundaries:
  x: periodic
  y_min: {type: wall}
  y_max: {type: wall}
  z_min: {type: wall}
  z_max: {type: symmetry}
fluid: {reynolds: 10}
forcing: {type: pressure_gradient, value: [0, -50, 0], acceleration: [0, -100, 30]}
)yaml",
       150,
       [](double, double y, double z) { return -150 * y + 30 * z; }},
      {"a uniform temperature between open ends",
       R"yaml(
boundaries:
  x_min: {type: inflow, velocity: [0, 0, 0], temperature: 20}
  x_max: {type: outflow}
  y: periodic
  z_min: {type: symmetry}
  z_max: {type: wall, temperature: 20}
fluid: {reynolds: 5, prandtl: 4}
buoyancy: {rayleigh: 100, direction: x, reference_temperature: -10}
initial: {temperature: 20}
)yaml",
       30,
       [](double x, double, double) { return 30 * x; }},
  };
}

std::string yaml_of(const AtRest& fluid) {
  return "case: at_rest\nscheme: projection\n"
         "grid: {points: [9, 14, 7], length: [1, 1, 0.7], stretching: {y: {factor: 1.3}}}\n"
         "time: {step: 0.01, steps: 10}\n" +
         fluid.keys;
}

TEST_P(FirstPressure, keeps_a_fluid_at_rest) {
  for (const AtRest& fluid : fluids_at_rest()) {
    const Case resolved = case_of(yaml_of(fluid));
    auto simulation = started(resolved);
    for (int step = 0; step < 10; ++step) simulation->advance();
    const FlowState flow = viewing_copy(*simulation);
    for (const char* const name : {"velocity_x", "velocity_y", "velocity_z"}) {
      double fastest = 0;
      for (const double value : values_of(flow, name))
        fastest = larger_or_nan(fastest, std::abs(value));
      EXPECT_LE(fastest, tolerance() * fluid.force * 0.01 * 10) << fluid.name << ", " << name;
    }
  }
}

/// Forces that are linear in a coordinate have a pressure that differences give exactly.
TEST_P(FirstPressure, balances_the_forces_from_the_start) {
  for (const AtRest& fluid : fluids_at_rest()) {
    const Case resolved = case_of(yaml_of(fluid));
    const std::vector<double> p = values_of(viewing_copy(*started(resolved)), "pressure");
    const double off =
        distance(resolved, p, at_centres(resolved, fluid.pressure), Mean::is_removed);
    // Unweighted means of y^2/2 at faces differ from the integral where cells are stretched.
    const bool is_quadratic = fluid.force > 1000;
    EXPECT_LE(off, (is_quadratic ? 2e-5 : tolerance()) * fluid.force) << fluid.name;
  }
}

TEST_P(FirstPressure, of_a_uniform_force_along_periodic_axes_is_zero) {
  const Case resolved = case_of(R"yaml(
case: driven
scheme: projection
grid: {points: [8, 11, 6], length: [2, 1, 1]}
fluid: {reynolds: 100}
boundaries: {x: periodic, z: periodic, y_min: {type: wall}, y_max: {type: wall}}
initial: {velocity: ["y*(1-y)", 0, 0]}
forcing: {type: pressure_gradient, value: [0.3, 0, 0.1], acceleration: [0.7, 0, 0]}
time: {step: 0.01, steps: 1}
)yaml");
  for (const double p : values_of(viewing_copy(*started(resolved)), "pressure")) ASSERT_EQ(p, 0);
}

TEST_P(FirstPressure, is_the_same_on_several_ranks_and_not_found_anew_by_a_restart) {
  const Case resolved = case_of(yaml_of(fluids_at_rest().front()));
  const std::vector<double> whole = values_of(viewing_copy(*started(resolved)), "pressure");
  const RanksResult shared = run_on_ranks(resolved, 3, 0);
  const double off = distance(resolved, whole, values_of(shared.viewing, "pressure"));
  EXPECT_LE(off, tolerance() * 3010);

  auto simulation = started(resolved);
  simulation->advance();
  const FlowState middle = state_of(*simulation);
  auto resumed = make_simulation(resolved);
  resumed->set_state(middle);
  EXPECT_TRUE(same_bits(state_of(*resumed), middle));
}

INSTANTIATE_TEST_SUITE_P(Devices, FirstPressure, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_first_pressure
