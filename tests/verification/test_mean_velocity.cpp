/// The mean velocity of boxes without walls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/projection/flow_copies.hpp"
#include "solver/projection/mean_velocity.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A flow whose mean velocity changes by `acceleration`, infinite along axes where it is not known.
struct KnownMean {
  const char* name;
  std::string boundaries, more;
  std::array<double, 3> acceleration;
};

std::vector<KnownMean> known_means() {
  const std::string periodic = "  x: periodic\n  y: periodic\n  z: periodic\n";
  return {{"periodic", periodic, "", {0, 0, 0}},
          {"driven",
           periodic,
           "forcing: {type: pressure_gradient, value: [0.3, 0, -0.2]}",
           {0.3, 0, -0.2}},
          {"held along x",
           periodic,
           "forcing: {type: bulk_velocity, value: [1.25, 0, 0]}",
           {infinite, infinite, infinite}},
          {"stratified", periodic, "buoyancy: {richardson: 0.5, direction: y}", {0, infinite, 0}},
          {"planes of symmetry",
           "  x: periodic\n  y_min: {type: symmetry}\n  y_max: {type: symmetry}\n  z: periodic\n",
           "",
           {0, infinite, 0}}};
}

std::string yaml_of(const KnownMean& known, double dt) {
  return fmt::format(R"yaml(
case: known_mean
scheme: projection
grid: {{points: [9, 14, 25], length: [2, 3, 1], stretching: {{y: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 400, prandtl: 0.5}}
boundaries:
{}
initial:
  velocity: ["1+sin(pi*x)*cos(2*pi*y/3)+0.4*sin(2*pi*z)", "0.3-cos(pi*x)*sin(2*pi*y/3)", "-0.2+cos(pi*x)*sin(4*pi*y/3)"]
  temperature: "1.4+0.5*sin(pi*x+1)*cos(2*pi*y/3)*cos(2*pi*z)"
time: {{step: {}, steps: 5000}}
{})yaml",
                     known.boundaries,
                     dt,
                     known.more);
}

class MeanVelocity : public OnEveryTarget {
 protected:
  [[nodiscard]] static double epsilon() {
    return is_double() ? std::numeric_limits<double>::epsilon()
                       : static_cast<double>(std::numeric_limits<float>::epsilon());
  }
  /// What single values of about 2 are rounded by, and sums of some thousand of them in double.
  [[nodiscard]] static double tolerance() { return (is_double() ? 32 : 4) * epsilon(); }

  [[nodiscard]] static std::array<double, 3> mean_of(const FlowState& at_centres,
                                                     const Case& resolved) {
    const std::vector<double> shares = volume_shares(resolved);
    std::array<double, 3> mean{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<double> values = values_of(at_centres, velocity_names[axis]);
      for (std::size_t n = 0; n < values.size(); ++n) mean[axis] += shares[n] * values[n];
    }
    return mean;
  }
  static void expect_known(const std::array<double, 3>& mean,
                           const std::array<double, 3>& at_start,
                           const KnownMean& known,
                           double t,
                           double within) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (std::isfinite(known.acceleration[axis])) {
        EXPECT_NEAR(mean[axis], at_start[axis] + t * known.acceleration[axis], within)
            << known.name << " " << axis;
      }
    }
  }
};

TEST_P(MeanVelocity, changes_by_the_given_acceleration_alone) {
  for (const KnownMean& known : known_means()) {
    const Case resolved = case_of(yaml_of(known, 0.02));
    auto simulation = started(resolved);
    const auto at_start = mean_of(viewing_copy(*simulation), resolved);
    for (int step = 1; step <= 200; ++step) {
      simulation->advance();
      if (step % 20 != 0) continue;
      // Where the flow is driven, each step rounds the mean once.
      const double of_steps = step * std::numeric_limits<double>::epsilon();
      expect_known(mean_of(viewing_copy(*simulation), resolved),
                   at_start,
                   known,
                   simulation->time(),
                   tolerance() + of_steps);
    }
  }
}

TEST_P(MeanVelocity, is_kept_without_a_loss_of_order) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const KnownMean& known : known_means()) {
    const auto velocity_after = [&](double dt, int steps) {
      return values_of(viewing_copy(*after(case_of(yaml_of(known, dt)), steps)), "velocity_x");
    };
    const Case resolved = case_of(yaml_of(known, 1));
    const auto coarse = velocity_after(0.02, 10);
    const auto middle = velocity_after(0.01, 20);
    const auto fine = velocity_after(0.005, 40);
    const double order =
        order_of(distance(resolved, coarse, middle), distance(resolved, middle, fine));
    RecordProperty(known.name, fmt::format("{:.2f}", order));
    EXPECT_GT(order, 1.85) << known.name;
  }
}

TEST_P(MeanVelocity, goes_on_bit_for_bit_and_from_a_copy_that_lacks_it) {
  for (const KnownMean& known : known_means()) {
    const Case resolved = case_of(yaml_of(known, 0.02));
    auto whole = started(resolved);
    for (int n = 0; n < 7; ++n) whole->advance();
    FlowState middle = state_of(*whole);
    const auto mean = mean_of(viewing_copy(*whole), resolved);
    for (int n = 0; n < 6; ++n) whole->advance();
    const auto resumed_from = [&](const FlowState& state) {
      auto resumed = make_simulation(resolved);
      resumed->set_state(state);
      for (int n = 0; n < 6; ++n) resumed->advance();
      return resumed;
    };
    EXPECT_TRUE(same_bits(state_of(*resumed_from(middle)), state_of(*whole))) << known.name;

    const auto lacking = std::erase_if(middle.numbers, [](const NamedNumber& number) {
      return std::ranges::find(mean_velocity_numbers, number.name) != mean_velocity_numbers.end();
    });  // as files of older versions are
    EXPECT_EQ(lacking, std::ranges::count_if(known.acceleration, [](double known_acceleration) {
                return std::isfinite(known_acceleration);
              }));
    expect_known(
        mean_of(viewing_copy(*resumed_from(middle)), resolved), mean, known, 6 * 0.02, tolerance());
  }
}

TEST_P(MeanVelocity, is_the_same_on_several_ranks) {
  for (const KnownMean& known : known_means()) {
    const Case resolved = case_of(yaml_of(known, 0.02));
    const FlowState start = state_of(*started(resolved));
    for (const int ranks : {2, 3}) {
      const RanksResult result = run_on_ranks(resolved, ranks, 20);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(known.acceleration[axis])) continue;
        const double before = number_in(start, mean_velocity_numbers[axis]);
        EXPECT_NEAR(number_in(result.restart, mean_velocity_numbers[axis]),
                    before + 20 * 0.02 * known.acceleration[axis],
                    tolerance());
      }
      auto alone = make_simulation(resolved);
      alone->set_state(result.restart);
      expect_known(mean_of(viewing_copy(*alone), resolved),
                   mean_of(viewing_copy(*started(resolved)), resolved),
                   known,
                   20 * 0.02,
                   tolerance());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, MeanVelocity, all_targets(), name_of_target);

TEST(mean_velocity_is_known, along_periodic_axes_without_walls_bodies_and_other_forces) {
  const auto known = [](const std::string& y, const std::string& more) {
    const Case resolved = parse_case(fmt::format(R"yaml(
case: box
scheme: projection
grid: {{points: [8, 8, 8], length: [1, 1, 1]}}
fluid: {{reynolds: 40, prandtl: 0.5}}
boundaries:
  x: periodic
{}
  z: periodic
time: {{step: 0.01, steps: 1}}
{})yaml",
                                                 y,
                                                 more),
                                     "box.yaml",
                                     {});
    std::array<bool, 3> axes{};
    for (int axis = 0; axis < 3; ++axis)
      axes.at(static_cast<std::size_t>(axis)) = mean_velocity_is_known(resolved, axis);
    return axes;
  };
  using Axes = std::array<bool, 3>;
  const std::string periodic = "  y: periodic";
  const std::string wall = "{type: wall, temperature: 0}";
  const auto between = [](const std::string& low, const std::string& high) {
    return "  y_min: " + low + "\n  y_max: " + high;
  };
  EXPECT_EQ(known(periodic, ""), (Axes{true, true, true}));
  EXPECT_EQ(known(periodic, "forcing: {type: pressure_gradient, value: [1, 0, 0]}"),
            (Axes{true, true, true}));
  EXPECT_EQ(known(periodic, "forcing: {type: formula, acceleration: [0, x, 0]}"),
            (Axes{true, false, true}));
  EXPECT_EQ(known(periodic, "forcing: {type: formula, heat: x}"), (Axes{true, true, true}));
  EXPECT_EQ(known(periodic, "buoyancy: {richardson: 1, direction: [1, 0, 1]}"),
            (Axes{false, true, false}));
  EXPECT_EQ(known(periodic, "rotation: {rate: [0, 0, 1]}"), (Axes{false, false, true}));
  EXPECT_EQ(known(between("{type: symmetry}", "{type: symmetry}"), ""), (Axes{true, false, true}));
  EXPECT_EQ(known(between(wall, "{type: symmetry}"), ""), Axes{});
  EXPECT_EQ(known(between(wall, wall), ""), Axes{});
  EXPECT_EQ(known(periodic,
                  "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, "
                  "temperature: {gradient: 0}}}"),
            Axes{});
}

}  // namespace
}  // namespace dns::testing
