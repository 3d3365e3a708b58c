/// Steps after a jump between the flow and a boundary value.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/projection/flow_copies.hpp"
#include "solver/projection/projection_boundary_values.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_damping {
namespace {

class Damping : public OnEveryTarget {};

/// Flux through the wall of a layer of thickness and diffusivity 1 whose value there jumps by 1 at
/// t = 0, over that of the steady state.
double flux_after_jump(double t) {
  double flux = 1;
  for (int n = 1; n < 200; ++n)
    flux += 2 * std::exp(-n * n * std::numbers::pi * std::numbers::pi * t);
  return flux;
}

/// A layer between walls across y, with dt kappa/h^2 = `number` at the walls.
std::string layer(double dt,
                  const std::string& low,
                  const std::string& high,
                  const std::string& more = "") {
  return fmt::format(R"yaml(
case: layer
scheme: projection
grid: {{points: [4, 33, 5], length: [0.5, 1, 0.5], stretching: {{y: {{type: tanh, factor: 2}}}}}}
fluid: {{reynolds: 1, prandtl: 1}}
boundaries:
  x: periodic
  z: periodic
  y_min: {{type: wall, {}}}
  y_max: {{type: wall, {}}}
initial: {{temperature: 0}}
time: {{step: {}, steps: 1000}}
{})yaml",
                     low,
                     high,
                     dt,
                     more);
}
double damped_steps_left(const Simulation& simulation) {
  return number_in(state_of(simulation), damping_number);
}

/// dt kappa/h^2 is 500 to 10000; by Crank-Nicolson alone the number is above 100, of either sign.
TEST_P(Damping, of_conduction_leaves_the_flux_of_the_series_after_ten_steps) {
  for (const double dt : {0.0125, 0.05, 0.25}) {
    auto simulation = started(case_of(layer(dt, "temperature: 1", "temperature: 0")));
    for (int n = 0; n < 10; ++n) simulation->advance();
    for (int n = 10; n < 16; ++n) {
      const double flux = flux_after_jump(simulation->time());
      EXPECT_NEAR(figure(*simulation, "nusselt_y_min"), flux, 0.01 * flux) << dt << ", step " << n;
      simulation->advance();
    }
    Case off = case_of(layer(dt, "temperature: 1", "temperature: 0"));
    off.time.damping = false;
    EXPECT_GT(std::abs(figure(*after(off, 10), "nusselt_y_min") - 1), 50);
  }
}

TEST_P(Damping, works_with_a_cfl_number) {
  Case resolved = case_of(layer(0.05, "temperature: 1", "temperature: 0"));
  resolved.time.cfl = 0.5;
  auto simulation = after(resolved, 10);
  // In a fluid at rest a thousandth of 1: steps of 0.001, dt kappa/h^2 = 43.
  const double flux = flux_after_jump(simulation->time());
  EXPECT_NEAR(figure(*simulation, "nusselt_y_min"), flux, 0.015 * flux);
}

TEST_P(Damping, of_impulsive_couette_flow_leaves_the_shear_of_the_series) {
  for (const double dt : {0.0125, 0.25}) {
    auto simulation =
        after(case_of(layer(dt, "temperature: 0", "velocity: [1, 0, 0], temperature: 0")), 10);
    for (int n = 10; n < 13; ++n) {
      const double shear = flux_after_jump(simulation->time());
      EXPECT_NEAR(std::abs(figure(*simulation, "wall_shear_y_max_x")), shear, 0.01 * shear) << dt;
      simulation->advance();
    }
  }
}

/// Formulas with a jump in time, which steps of 0.05 cross in the sixth one.
TEST_P(Damping, follows_a_jump_in_time) {
  auto simulation = after(
      case_of(layer(0.05, R"yaml(temperature: "t < 0.27 ? 0 : 1")yaml", "temperature: 0")), 5);
  EXPECT_EQ(damped_steps_left(*simulation), 0);
  simulation->advance();
  EXPECT_EQ(damped_steps_left(*simulation), 1);
  for (int n = 6; n < 16; ++n) simulation->advance();
  EXPECT_EQ(damped_steps_left(*simulation), 0);
  const double flux = flux_after_jump(simulation->time() - 0.275);
  EXPECT_NEAR(figure(*simulation, "nusselt_y_min"), flux, 0.01 * flux);
}

/// Neither a value that is consistent with the flow, nor one that varies smoothly, nor one far from
/// 0 is a jump.
TEST_P(Damping, does_not_follow_what_is_no_jump) {
  for (const char* const low :
       {"temperature: 0",
        R"yaml(temperature: "100*sin(2*t)", velocity: ["cos(3*t)-1", 0, 0])yaml",
        R"yaml(velocity: [0, 0, "t"], temperature: 0)yaml"}) {
    auto simulation = started(case_of(layer(0.05, low, "temperature: 0")));
    EXPECT_EQ(damped_steps_left(*simulation), 0) << low;
    for (int n = 0; n < 3; ++n) simulation->advance();  // a start from rest may be a kink
    for (int n = 3; n < 100; ++n) {
      simulation->advance();
      ASSERT_EQ(damped_steps_left(*simulation), 0) << low << ", step " << n;
    }
  }
}

TEST_P(Damping, leaves_short_steps_as_they_are) {
  Case resolved = case_of(layer(4e-5, "temperature: 1", "velocity: [1, 0, 0], temperature: 0"));
  const FlowState damped = state_of(*after(resolved, 5));
  resolved.time.damping = false;
  EXPECT_TRUE(same_bits(damped, state_of(*after(resolved, 5))));
}

TEST_P(Damping, goes_on_bit_for_bit_from_the_middle_of_damped_steps) {
  const Case resolved = case_of(layer(0.05,
                                      "temperature: 1",
                                      "velocity: [1, 0, 0], temperature: 0",
                                      "buoyancy: {rayleigh: 100, direction: y}"));
  auto whole = started(resolved);
  for (int before = 0; before <= 3; ++before) {
    const FlowState middle = state_of(*whole);
    if (before > 0) {
      auto other = make_simulation(resolved);
      other->set_state(middle);
      auto reference = make_simulation(resolved);
      reference->set_state(initial_state(resolved));
      for (int n = 0; n < 7; ++n) reference->advance();
      for (int n = before; n < 7; ++n) other->advance();
      EXPECT_TRUE(same_bits(state_of(*other), state_of(*reference))) << before;
    }
    whole->advance();
  }
}

TEST_P(Damping, follows_a_restart_with_other_values) {
  auto simulation = after(case_of(layer(0.05, "temperature: 1", "temperature: 0")), 40);
  const FlowState steady = state_of(*simulation);
  const Case other = case_of(layer(0.05, "temperature: 3", "temperature: 0"));
  auto resumed = make_simulation(other);
  resumed->set_state(steady);
  EXPECT_EQ(damped_steps_left(*resumed), 2);
  for (int n = 0; n < 10; ++n) resumed->advance();
  const double flux = (1 + 2 * flux_after_jump(0.5)) / 3;
  EXPECT_NEAR(figure(*resumed, "nusselt_y_min"), flux, 0.01 * flux);
}

TEST_P(Damping, is_decided_alike_by_all_ranks) {
  std::string yaml = layer(0.05, "temperature: 1", R"yaml(temperature: "t < 0.22 ? 0 : 2")yaml");
  for (std::size_t at = 0; (at = yaml.find("y_m", at)) != std::string::npos;) yaml[at] = 'z';
  yaml.replace(yaml.find("z: periodic"), 1, "y");
  yaml.replace(yaml.find("[4, 33, 5]"), 10, "[4, 5, 33]");
  yaml.replace(yaml.find("[0.5, 1, 0.5]"), 13, "[0.5, 0.5, 1]");
  yaml.replace(yaml.find("{y: {type"), 9, "{z: {type");
  const Case resolved = case_of(yaml);
  const std::vector<double> alone = values_of(viewing_copy(*after(resolved, 8)), "temperature");
  const RanksResult shared = run_on_ranks(resolved, 3, 8);
  EXPECT_LE(distance(resolved, alone, values_of(shared.viewing, "temperature")), 100 * epsilon());
}

INSTANTIATE_TEST_SUITE_P(Devices, Damping, all_targets(), name_of_target);

TEST(GivenValues, end_with_a_jump_where_the_last_step_is_most_of_what_they_passed_through) {
  const auto values = [](const auto& of_time) {
    std::vector<std::vector<double>> latest_first;
    for (int before = 0; before < 6; ++before) latest_first.push_back({7.0, of_time(-before)});
    return latest_first;
  };
  EXPECT_TRUE(ends_with_jump(values([](int n) { return n == 0 ? 1e-3 : 0.0; })));
  EXPECT_TRUE(ends_with_jump(values([](int n) { return n == 0 ? 300.0 : 301.0; })));
  EXPECT_FALSE(ends_with_jump(values([](int n) { return n >= -1 ? 1.0 : 0.0; })));
  EXPECT_FALSE(ends_with_jump(values([](int n) { return 5.0 * n; })));
  EXPECT_FALSE(ends_with_jump(values([](int n) { return n == 0 ? 1e-12 : 0.0; })));
  for (int phase = 0; phase < 20; ++phase) {
    EXPECT_FALSE(ends_with_jump(values([&](int n) { return std::sin(0.9 * n + 0.3 * phase); })));
    EXPECT_FALSE(ends_with_jump(values([&](int n) { return std::sin(0.01 * n + 0.3 * phase); })));
  }
}

}  // namespace
}  // namespace dns::testing::test_damping
