#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "solver/projection/time_step_control.hpp"

namespace dns {
namespace {

TimeCase held(double cfl, std::optional<double> end = {}) {
  TimeCase control;
  control.cfl = cfl;
  control.end = end;
  control.step = std::numeric_limits<double>::infinity();
  control.steps = unlimited_steps;
  return control;
}

TEST(time_step, is_that_of_the_case_unless_a_cfl_number_is_held) {
  TimeCase control;
  control.step = 0.25;
  control.end = 1.3;
  EXPECT_EQ(next_time_step(control, 1, 1e9, 0), 0.25);
}

TEST(time_step, that_is_constant_ends_at_the_end) {
  TimeCase control;
  control.step = 0.25;
  control.end = 1.1;
  EXPECT_NEAR(next_time_step(control, 1, {}, 0.25), 0.1, 1e-15);
  EXPECT_EQ(next_time_step(control, 0.85 + 1e-12, {}, 0.25), 0.25);  // is whole but for round-off
  EXPECT_EQ(next_time_step(control, 1.2, {}, 0.25), 0.25);           // goes on beyond
}

TEST(time_step, follows_the_rate_of_the_flow) {
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 3, 20, 0), 0.025);
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 3, 20, 0.02), 0.025);
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 3, 200, 0.02), 0.0025);
}

TEST(time_step, stays_while_the_rate_is_not_known) {
  EXPECT_EQ(next_time_step(held(0.5), 3, {}, 0.02), 0.02);
  EXPECT_NEAR(next_time_step(held(0.5, 3.05), 3, {}, 0.02), 0.05 / 3, 1e-12);
}

TEST(time_step, grows_at_most_twofold_and_to_the_largest_allowed) {
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 3, 1, 0.02), 0.04);
  TimeCase limited = held(0.5);
  limited.step = 0.03;
  EXPECT_DOUBLE_EQ(next_time_step(limited, 3, 1, 0.02), 0.03);
  EXPECT_DOUBLE_EQ(next_time_step(limited, 3, 1, 0), 0.03);
}

TEST(time_step, in_a_fluid_at_rest_is_a_small_part_of_the_run) {
  EXPECT_DOUBLE_EQ(next_time_step(held(1), 0, 0, 0), 1e-3);
  EXPECT_DOUBLE_EQ(next_time_step(held(1, 50), 0, 0, 0), 0.05);
}

TEST(time_step, meets_the_end_with_steps_of_equal_length) {
  const TimeCase control = held(1, 10.0);
  double time = 9;
  double last = 0;
  int steps = 0;
  while (!control.is_over(0, time)) {
    const double dt = next_time_step(control, time, 1 / 0.3, last);  // 0.3 would fit 3.33 times
    EXPECT_NEAR(dt, 0.25, 1e-12);
    time += dt;
    last = dt;
    ++steps;
  }
  EXPECT_EQ(steps, 4);
  EXPECT_NEAR(time, 10, 1e-12);
}

TEST(time_step, is_not_divided_once_more_by_rounding) {
  EXPECT_NEAR(next_time_step(held(1, 10.0), 10 - 0.3 * (1 + 1e-14), 1 / 0.3, 0), 0.3, 1e-12);
}

}  // namespace
}  // namespace dns
