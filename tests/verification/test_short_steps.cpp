/// Steps that due times make tiny: what is divided by their length stays right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_short_steps {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double step = 0.01;

/// The first is that of a step over 1e-7 of the others, the last of one that a tenth is left of.
constexpr std::array short_steps{1e-7 * step, 1e-5 * step, 1e-3 * step, 0.1 * step};

/// Times to begin with, all with steps of about 0.01.
constexpr std::array ways{"step: 0.01",
                          "cfl: 0.06",
                          "scheme: runge_kutta, step: 0.01",
                          "step: 0.01, global_tolerance: 1.0e-5, max_global_iterations: 4"};

class ShortSteps : public OnEveryTarget {
 protected:
  /// The round-off of a velocity of 1 over a step of 1 % of the others, below which p and the
  /// driving force take a part of their changes.
  [[nodiscard]] static double tolerance() { return epsilon() / (0.01 * step); }

  /// p lies half a step behind V, and decays at 0.14 in the root mean square [U^3/L]: such a step
  /// takes its part of that, and what p changes in it.
  [[nodiscard]] static double change_of_pressure(double left) {
    const double part = std::min(1.0, left / (0.01 * step));
    return 0.14 * (part * step / 2 + left);
  }

  /// u = sin x cos y, v = -cos x sin y, decaying.
  [[nodiscard]] static Case vortices(const std::string& time, double end) {
    return case_of(fmt::format(R"yaml(
case: vortices
scheme: projection
grid: {{points: [27, 22, 5], length: [{0}, {0}, 1]}}
fluid: {{reynolds: 10}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["sin(x)*cos(y)", "-cos(x)*sin(y)", "0"]}}
time: {{{1}, end: {2:.17g}}}
)yaml",
                               2 * pi,
                               time,
                               end));
  }

  /// Their pressure, but for a constant.
  [[nodiscard]] static std::vector<double> exact_pressure(const Case& resolved, double t) {
    const double decay = std::exp(-4 * t / 10);
    return at_centres(resolved, [decay](double x, double y, double) {
      return decay * (std::cos(2 * x) + std::cos(2 * y)) / 4;
    });
  }

  [[nodiscard]] static double error_of_pressure(const Case& resolved, const Simulation& flow) {
    return distance(resolved,
                    values_of(viewing_copy(flow), "pressure"),
                    exact_pressure(resolved, flow.time()),
                    Mean::is_removed);
  }

  [[nodiscard]] static std::unique_ptr<Simulation> going_on(const Case& resolved,
                                                            const FlowState& state) {
    auto flow = make_simulation(resolved);
    flow->set_state(state);
    return flow;
  }

  static void advance_to_end(const Case& resolved, Simulation& flow) {
    while (!resolved.time.is_over(flow.step(), flow.time())) flow.advance();
  }
};

TEST_P(ShortSteps, leave_the_pressure_as_it_was) {
  for (const char* const way : ways) {
    const Case first = vortices(way, 0.1);
    auto flow = started(first);
    advance_to_end(first, *flow);
    const double error = error_of_pressure(first, *flow);
    EXPECT_LE(error, 0.01) << way;  // of the grid and of dt; p is 0.34 in the root mean square
    const FlowState state = state_of(*flow);
    for (const double left : short_steps) {
      const Case longer = vortices(way, 0.1 + left);
      auto last = going_on(longer, state);
      advance_to_end(longer, *last);
      EXPECT_EQ(last->step(), state.step + 1);
      EXPECT_NEAR(last->time(), 0.1 + left, 1e-15);
      EXPECT_NEAR(error_of_pressure(longer, *last), error, tolerance() + change_of_pressure(left))
          << way << " " << left;
    }
  }
}

/// Steps double from 1e-7 of the usual one: the round-off of the 17 below 1 % of it adds up as
/// roots of sums of squares do.
TEST_P(ShortSteps, are_followed_by_steps_with_the_right_pressure) {
  for (const char* const way : ways) {
    const Case first = vortices(way, 0.1);
    auto flow = started(first);
    advance_to_end(first, *flow);
    const double error = error_of_pressure(first, *flow);
    const Case second = vortices(way, 0.1 + 1e-7 * step);
    auto last = going_on(second, state_of(*flow));
    advance_to_end(second, *last);
    const Case third = vortices(way, 0.15);
    auto after = going_on(third, state_of(*last));
    while (!third.time.is_over(after->step(), after->time())) {
      after->advance();
      EXPECT_LE(error_of_pressure(third, *after), 1.2 * error + std::sqrt(17) * tolerance())
          << way << " " << after->time();
    }
  }
}

TEST_P(ShortSteps, leave_the_driving_force_as_it_was) {
  const auto channel = [](double end) {
    return case_of(fmt::format(R"yaml(
case: channel
scheme: projection
grid: {{points: [6, 13, 4], length: [3, 2, 1]}}
fluid: {{reynolds: 5}}
boundaries: {{x: periodic, z: periodic, y_min: {{type: wall}}, y_max: {{type: wall}}}}
initial: {{velocity: ["1.5*y*(2-y)", "0", "0"]}}
forcing: {{type: bulk_velocity, value: [1, 0, 0]}}
time: {{step: 0.01, end: {:.17g}}}
)yaml",
                               end));
  };
  const Case first = channel(8);  // steady
  auto flow = started(first);
  advance_to_end(first, *flow);
  const double force = figure(*flow, "driving_x");
  EXPECT_NEAR(force, 3.0 / 5, 0.01);  // 3 nu U/h^2, but for the error of the grid
  const FlowState state = state_of(*flow);
  for (const double left : short_steps) {
    const Case longer = channel(8 + left);
    auto last = going_on(longer, state);
    advance_to_end(longer, *last);
    EXPECT_NEAR(figure(*last, "driving_x"), force, 4 * tolerance()) << left;  // u is 1.5
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ShortSteps, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_short_steps
