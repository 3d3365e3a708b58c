/// The mean temperature of boxes through whose faces nothing flows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/projection/flow_copies.hpp"
#include "solver/projection/terms/mean_scalar.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_mean_temperature {
namespace {

/// A flow whose mean temperature is known.
struct KnownMean {
  const char* name;
  std::string faces, more;
  double rate;  // of the mean, with Re Pr = 20 and a box of 2 x 3 x 1 [T0 U/L]
};

std::vector<KnownMean> known_means() {
  return {{"closed box",
           R"yaml(
  x_min: {type: wall, temperature: {gradient: 0}}
  x_max: {type: symmetry}
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: wall, velocity: ["1+0.2*sin(t)", 0, "0.5*x"], temperature: {gradient: 0}}
  z_min: {type: wall, temperature: {gradient: 0}}
  z_max: {type: wall, temperature: {gradient: 0}}
)yaml",
           "buoyancy: {rayleigh: 4000, direction: y}",
           0},
          {"periodic", "  x: periodic\n  y: periodic\n  z: periodic\n", "", 0},
          {"heated channel",
           R"yaml(
  x: periodic
  y_min: {type: wall, temperature: {gradient: 0.75}}
  y_max: {type: wall, velocity: [0.5, 0, 0], temperature: {gradient: -0.25}}
  z: periodic
)yaml",
           "forcing: {type: bulk_velocity, value: [1, 0, 0]}",
           0.5 / 20 / 3},
          {"planes of symmetry that let heat pass",
           R"yaml(
  x_min: {type: symmetry, temperature: {gradient: 0.5}}
  x_max: {type: symmetry}
  y_min: {type: wall, temperature: {transfer: 0, outside: 5}}
  y_max: {type: symmetry, temperature: {gradient: -0.25}}
  z: periodic
)yaml",
           "",
           0.5 / 20 / 2 - 0.25 / 20 / 3},
          {"source",
           "  x: periodic\n  y: periodic\n  z: periodic\n",
           "forcing: {type: formula, heat: \"0.03+sin(pi*x)\"}",
           0.03}};
}

std::string yaml_of(const KnownMean& known, double dt) {
  return fmt::format(R"yaml(
case: known_mean
scheme: projection
grid: {{points: [9, 12, 25], length: [2, 3, 1], stretching: {{y: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 40, prandtl: 0.5}}
boundaries:
{}
initial:
  velocity: ["1+sin(pi*x)*cos(2*pi*y/3)", "0.3-cos(pi*x)*sin(2*pi*z)", "-0.2+cos(pi*x)"]
  temperature: "1.4+0.5*sin(pi*x+1)*cos(2*pi*y/3)*cos(2*pi*z)"
time: {{step: {}, steps: 5000}}
{})yaml",
                     known.faces,
                     dt,
                     known.more);
}

class MeanOfTemperature : public OnEveryTarget {
 protected:
  /// What sums of some thousand values of about 2 in double make of theirs, and the round-off of
  /// single values in float.
  [[nodiscard]] static double tolerance() { return (is_double() ? 32 : 4) * epsilon(); }
  [[nodiscard]] static double mean_of(Simulation& simulation) {
    return figure(simulation, "temperature_mean");
  }
};

/// To the round-off of values of about 2; a thousand steps do not add theirs up.
TEST_P(MeanOfTemperature, is_what_flows_through_the_walls_after_a_thousand_steps) {
  for (const KnownMean& known : known_means()) {
    auto simulation = started(case_of(yaml_of(known, 0.02)));
    const double at_start = mean_of(*simulation);
    double largest = 0;
    for (int step = 1; step <= 1000; ++step) {
      simulation->advance();
      if (step % 20 != 0) continue;
      const double expected = at_start + known.rate * simulation->time();
      largest = larger_or_nan(largest, std::abs(mean_of(*simulation) - expected));
    }
    // Where heat flows in, each step rounds the mean once, which is between 1 and 2.
    const double of_steps = known.rate != 0 ? 1000 * std::numeric_limits<double>::epsilon() : 0;
    EXPECT_LE(largest, tolerance() + of_steps) << known.name;
  }
}

TEST_P(MeanOfTemperature, is_held_without_a_loss_of_order) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const KnownMean& known : known_means()) {
    const auto temperature_after = [&](double dt, int steps) {
      return values_of(viewing_copy(*after(case_of(yaml_of(known, dt)), steps)), "temperature");
    };
    const Case resolved = case_of(yaml_of(known, 1));
    const auto coarse = temperature_after(0.04, 10);
    const auto middle = temperature_after(0.02, 20);
    const auto fine = temperature_after(0.01, 40);
    const double order =
        order_of(distance(resolved, coarse, middle), distance(resolved, middle, fine));
    RecordProperty(known.name, fmt::format("{:.2f}", order));
    EXPECT_GT(order, 1.85) << known.name;
  }
}

TEST_P(MeanOfTemperature, goes_on_bit_for_bit_and_from_a_copy_that_lacks_it) {
  for (const KnownMean& known : known_means()) {
    const Case resolved = case_of(yaml_of(known, 0.02));
    auto whole = started(resolved);
    for (int n = 0; n < 7; ++n) whole->advance();
    FlowState middle = state_of(*whole);
    for (int n = 0; n < 6; ++n) whole->advance();
    const auto resumed_from = [&](const FlowState& state) {
      auto resumed = make_simulation(resolved);
      resumed->set_state(state);
      for (int n = 0; n < 6; ++n) resumed->advance();
      return resumed;
    };
    EXPECT_TRUE(same_bits(state_of(*resumed_from(middle)), state_of(*whole))) << known.name;

    ASSERT_EQ(middle.numbers.back().name, mean_number_of("temperature"));
    const double mean = middle.numbers.back().value;
    middle.numbers.pop_back();  // as files of older versions are
    const auto resumed = resumed_from(middle);
    EXPECT_NEAR(mean_of(*resumed), mean + known.rate * 6 * 0.02, tolerance()) << known.name;
  }
}

TEST_P(MeanOfTemperature, is_the_same_on_several_ranks) {
  for (const KnownMean& known : known_means()) {
    const Case resolved = case_of(yaml_of(known, 0.02));
    const auto names = make_simulation(resolved)->diagnostic_names();
    const auto at = std::ranges::find(names, "temperature_mean") - names.begin();
    for (const int ranks : {2, 3}) {
      const RanksResult start = run_on_ranks(resolved, ranks, 0);
      const RanksResult result = run_on_ranks(resolved, ranks, 20, &start.restart);
      const double expected = start.restart.numbers.back().value + known.rate * 20 * 0.02;
      for (const FlowDiagnostics& diagnostics : result.diagnostics) {
        EXPECT_NEAR(diagnostics.others.at(at), expected, tolerance())
            << known.name << ", ranks " << ranks;
      }
      EXPECT_TRUE(same_bits(result.restart, run_on_ranks(resolved, ranks, 20).restart));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, MeanOfTemperature, all_targets(), name_of_target);

TEST(mean_is_known, where_no_heat_enters_or_leaves_but_at_a_constant_rate) {
  const auto is_known = [](const std::string& y_min, const std::string& more) {
    return mean_is_known(parse_case(fmt::format(R"yaml(
case: box
scheme: projection
grid: {{points: [8, 8, 8], length: [1, 1, 1]}}
fluid: {{reynolds: 40, prandtl: 0.5}}
boundaries:
  x_min: {{type: wall, temperature: {{gradient: 2}}}}
  x_max: {{type: symmetry}}
  y_min: {}
  y_max: {{type: wall, temperature: {{gradient: 0}}}}
  z: periodic
time: {{step: 0.1, steps: 1}}
{})yaml",
                                                y_min,
                                                more),
                                    "box.yaml",
                                    {}),
                         first_scalar);
  };
  const std::string adiabatic = "{type: wall, temperature: {gradient: 0}}";
  EXPECT_TRUE(is_known(adiabatic, ""));
  EXPECT_TRUE(is_known("{type: wall, velocity: [1, 0, x], temperature: {gradient: 0}}", ""));
  EXPECT_TRUE(is_known(adiabatic, "forcing: {type: formula, acceleration: [0, x, 0]}"));
  const std::string gradient = "temperature: {mean_gradient: [0, 0, 1]}";
  EXPECT_TRUE(is_known(adiabatic, gradient));
  EXPECT_FALSE(is_known("{type: wall, temperature: 0}", gradient));
  EXPECT_TRUE(is_known("{type: symmetry, temperature: {gradient: 2}}", ""));
  EXPECT_TRUE(is_known("{type: wall, temperature: {transfer: 0, outside: x}}", ""));
  EXPECT_FALSE(is_known("{type: symmetry, temperature: {transfer: 1, outside: 0}}", ""));
  EXPECT_FALSE(is_known("{type: symmetry, temperature: 1}", ""));
  EXPECT_FALSE(is_known("{type: wall, temperature: 0}", ""));
  EXPECT_FALSE(is_known("{type: wall, temperature: {gradient: x}}", ""));
  EXPECT_FALSE(is_known("{type: wall, temperature: {gradient: t}}", ""));
  EXPECT_FALSE(
      is_known("{type: wall, velocity: [0, \"sin(2*pi*z)\", 0], temperature: {gradient: 0}}", ""));
  EXPECT_FALSE(is_known("{type: outflow}", ""));
  EXPECT_TRUE(is_known(adiabatic, "forcing: {type: formula, heat: x*t}"));
  EXPECT_FALSE(
      is_known(adiabatic, "forcing: {type: formula, sponges: {end: {rate: x, temperature: 1}}}"));
  EXPECT_FALSE(is_known(adiabatic,
                        "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, "
                        "temperature: {gradient: 0}}}"));
}

}  // namespace
}  // namespace dns::testing::test_mean_temperature
