/// What a scalar between walls changes by is what its sources bring and what passes through walls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/projection/terms/scalar_balance.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_scalar_balance {
namespace {

using std::numbers::pi;

constexpr double lengths[] = {2, 3, 1};
constexpr double dt = 0.04;

/// A stirred flow in which a dye passes through walls.
struct Walled {
  const char* name;
  std::string faces, more;
  std::string of_dye;                 // further keys
  double (*source)(double t);         // the mean of what sources and an imposed gradient bring
  std::vector<const char*> passages;  // faces with a condition for it
};

std::vector<Walled> all_walled() {
  const auto none = [](double) { return 0.0; };
  return {{"channel",
           R"yaml(
  x: periodic
  y_min: {type: wall, scalars: {dye: "1+0.3*sin(3*t)*cos(pi*x)"}}
  y_max: {type: wall, velocity: [0.5, 0, 0.2], scalars: {dye: {transfer: 2, outside: "-0.4*z"}}}
  z: periodic
)yaml",
           "forcing: {type: pressure_gradient, value: [0.5, 0, 0]}",
           "",
           none,
           {"y_min", "y_max"}},
          {"box in which it rises",
           R"yaml(
  x_min: {type: wall, scalars: {dye: 1}}
  x_max: {type: wall, scalars: {dye: {transfer: 3, outside: -0.5}}}
  y_min: {type: wall, scalars: {dye: {gradient: "0.2*cos(t)*x"}}}
  y_max: {type: symmetry}
  z_min: {type: symmetry, scalars: {dye: {gradient: 0.3}}}
  z_max: {type: wall, velocity: [0.4, 0, 0], scalars: {dye: "0.3*y"}}
)yaml",
           "buoyancy: {richardson: 1.5, direction: y}",
           ", buoyancy: 0.8",
           none,
           {"x_min", "x_max", "y_min", "z_min", "z_max"}},
          {"channel with a source and a mean gradient",
           R"yaml(
  x: periodic
  y_min: {type: wall, scalars: {dye: 0.5}}
  y_max: {type: wall, scalars: {dye: -0.2}}
  z: periodic
)yaml",
           "forcing: {type: bulk_velocity, value: [0.6, 0, 0]}",
           ", source: \"cos(2*t)+sin(pi*x)\", mean_gradient: [0.7, 0, 0]",
           [](double t) { return std::cos(2 * t) - 0.7 * 0.6; },
           {"y_min", "y_max"}}};
}

std::string yaml_of(const Walled& walled, double step, const std::string& scheme = "implicit") {
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: [9, 12, 11], length: [2, 3, 1], stretching: {{y: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 40}}
scalars: {{dye: {{prandtl: 0.5, initial: "0.4+0.5*sin(pi*x+1)*cos(2*pi*y/3)*cos(2*pi*z)"{}}}}}
boundaries:
{}
initial:
  velocity: ["0.6+sin(pi*x)*cos(2*pi*y/3)", "0.3-cos(pi*x)*sin(2*pi*z)", "-0.2+cos(pi*x)"]
time: {{scheme: {}, step: {}, steps: 5000}}
{})yaml",
                     walled.of_dye,
                     walled.faces,
                     scheme,
                     step,
                     walled.more);
}

class ScalarBalance : public OnEveryTarget {
 protected:
  /// What passes into the box through its faces, over the volume.
  static double passing(Simulation& simulation, const Walled& walled) {
    double sum = 0;
    for (const std::string face : walled.passages) {
      const double along_axis = figure(simulation, "dye_flux_" + face);
      sum += (face.ends_with("min") ? along_axis : -along_axis) / lengths[face[0] - 'x'];
    }
    return sum;
  }
};

TEST_P(ScalarBalance, changes_by_what_sources_bring_and_walls_let_pass) {
  for (const Walled& walled : all_walled()) {
    SCOPED_TRACE(walled.name);
    const auto simulation = started(case_of(yaml_of(walled, dt)));
    for (int n = 0; n < 3; ++n) simulation->advance();  // the first ones may be damped
    const double before = figure(*simulation, "dye_mean");
    double given = 0;
    double passed = 0;
    for (int n = 0; n < 25; ++n) {
      const double at_beginning = passing(*simulation, walled);
      const double middle = simulation->time() + dt / 2;
      simulation->advance();
      const double through = dt / 2 * (at_beginning + passing(*simulation, walled));
      given += dt * walled.source(middle) + through;
      passed += std::abs(through);
    }
    EXPECT_GT(passed, 0.01);
    // Single values round the fluxes of each step and the means.
    const double tolerance = (is_double() ? 64 : 16) * epsilon();
    EXPECT_NEAR(figure(*simulation, "dye_mean") - before, given, tolerance);
  }
}

TEST_P(ScalarBalance, costs_no_order) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const Walled& walled : all_walled()) {
    const auto dye_after = [&](double step, int steps) {
      return values_of(viewing_copy(*after(case_of(yaml_of(walled, step)), steps)), "dye");
    };
    const Case resolved = case_of(yaml_of(walled, 1));
    const auto coarse = dye_after(0.04, 10);
    const auto middle = dye_after(0.02, 20);
    const auto fine = dye_after(0.01, 40);
    EXPECT_GT(order_of(distance(resolved, coarse, middle), distance(resolved, middle, fine)), 1.85)
        << walled.name;
  }
}

TEST_P(ScalarBalance, goes_on_bit_for_bit_and_from_a_copy_that_lacks_it) {
  for (const Walled& walled : all_walled()) {
    const Case resolved = case_of(yaml_of(walled, dt));
    const auto whole = after(resolved, 11);
    const auto first = after(resolved, 5);
    FlowState copy = state_of(*first);
    const auto resumed_from = [&](const FlowState& state) {
      auto resumed = make_simulation(resolved);
      resumed->set_state(state);
      for (int n = 0; n < 6; ++n) resumed->advance();
      return resumed;
    };
    EXPECT_TRUE(same_bits(state_of(*resumed_from(copy)), state_of(*whole))) << walled.name;
    const auto is_of_dye = [](const NamedNumber& number) {
      return number.name.starts_with("dye_");
    };
    ASSERT_EQ(std::erase_if(copy.numbers, is_of_dye), 3U);  // as copies of older versions are
    EXPECT_NEAR(figure(*resumed_from(copy), "dye_mean"), figure(*whole, "dye_mean"), 32 * epsilon())
        << walled.name;
  }
}

TEST_P(ScalarBalance, is_the_same_on_several_ranks) {
  for (const Walled& walled : all_walled()) {
    const Case resolved = case_of(yaml_of(walled, dt));
    const auto alone = after(resolved, 12);
    const auto names = alone->diagnostic_names();
    const auto at = std::ranges::find(names, "dye_mean") - names.begin();
    for (const int ranks : {2, 3}) {
      const RanksResult result = run_on_ranks(resolved, ranks, 12);
      for (const FlowDiagnostics& diagnostics : result.diagnostics)
        EXPECT_NEAR(diagnostics.others.at(at), figure(*alone, "dye_mean"), 100 * epsilon())
            << walled.name << ", ranks " << ranks;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ScalarBalance, all_targets(), name_of_target);

TEST(balance_is_known, where_no_fluid_flows_through_the_box) {
  const auto is_known = [](const std::string& y_min, const std::string& more) {
    return balance_is_known(parse_case(fmt::format(R"yaml(
scheme: projection
grid: {{points: [8, 8, 8], length: [1, 1, 1]}}
fluid: {{reynolds: 40, prandtl: 0.5}}
boundaries:
  x_min: {{type: wall, temperature: 2}}
  x_max: {{type: symmetry}}
  y_min: {}
  y_max: {{type: wall, temperature: {{transfer: 1, outside: y}}}}
  z: periodic
time: {{step: 0.1, steps: 1}}
{})yaml",
                                                   y_min,
                                                   more),
                                       "box.yaml",
                                       {}),
                            first_scalar);
  };
  const std::string warm = "{type: wall, temperature: x}";
  EXPECT_TRUE(is_known(warm, ""));
  EXPECT_TRUE(is_known("{type: wall, velocity: [1, 0, x], temperature: x}", ""));
  EXPECT_FALSE(is_known("{type: wall, velocity: [0, \"cos(2*pi*x)\", 0], temperature: x}", ""));
  EXPECT_FALSE(is_known("{type: outflow}", ""));
  EXPECT_FALSE(is_known(warm,
                        "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, "
                        "temperature: 1}}"));
  EXPECT_FALSE(is_known(
      warm, "forcing: {sponges: {one: {rate: x, temperature: 1}}, type: formula, heat: 0}"));
}

}  // namespace
}  // namespace dns::testing::test_scalar_balance
