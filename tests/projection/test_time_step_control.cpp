#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "solver/projection/time_step_control.hpp"

namespace dns::test_time_step_control {
namespace {

TimeCase held(double cfl, std::optional<double> end = {}) {
  TimeCase control;
  control.cfl = cfl;
  control.end = end;
  control.step = std::numeric_limits<double>::infinity();
  control.steps = unlimited_steps;
  return control;
}

TimeCase constant(double step, double end) {
  TimeCase control;
  control.step = step;
  control.end = end;
  control.begin_at(0, 0);
  return control;
}

TEST(time_step, that_is_constant_is_shorter_where_it_ends_the_run) {
  const TimeCase control = constant(0.25, 1.1);
  EXPECT_EQ(control.steps, 5);
  double time = 0;
  for (int step = 0; step < 5; ++step) {
    EXPECT_FALSE(control.is_over(step, time));
    EXPECT_NEAR(control.step_to_end(step, time, 0.25), 0.22, 1e-15);
    time += control.step_to_end(step, time, 0.25);
  }
  EXPECT_TRUE(control.is_over(5, time));
}

/// Ends anywhere behind a step: no step is less than 0.9 of another one.
TEST(time_step, that_is_constant_ends_with_no_tiny_step) {
  for (const double beyond : {1e-7, 1e-3, 0.1, 0.5, 0.999}) {
    const TimeCase control = constant(0.1, 2 + 0.1 * beyond);
    double time = 0;
    std::int64_t done = 0;
    for (; !control.is_over(done, time); ++done) {
      const double step = control.step_to_end(done, time, 0.1);
      EXPECT_GT(step, 0.09 * (1 - 1e-9)) << beyond;
      EXPECT_LE(step, 0.1);
      time += step;
    }
    EXPECT_EQ(done, 21);
    EXPECT_NEAR(time, *control.end, 1e-12);
  }
}

/// 0.1 and 0.3 are no binary fractions; adding up a million steps makes an error of 1e-6 of a step.
TEST(time_step, that_is_constant_adds_no_step_of_round_off) {
  for (const double step : {0.1, 0.3, 0.7, 1e-3}) {
    for (const int steps : {3, 10, 1000, 1000000}) {
      const TimeCase control = constant(step, step * steps);
      EXPECT_EQ(control.steps, steps);
      double time = 0;
      std::int64_t done = 0;
      for (; !control.is_over(done, time); ++done) {
        ASSERT_EQ(control.step_to_end(done, time, step), step) << done;
        time += step;
      }
      EXPECT_EQ(done, steps) << step;
    }
  }
}

TEST(time_step, of_another_length_after_a_restart_ends_at_the_same_time) {
  TimeCase control = constant(0.04, 1);
  control.begin_at(50, 0.5);  // after 50 steps of 0.01
  EXPECT_EQ(control.steps, 63);
  EXPECT_FALSE(control.is_over(50, 0.5));
  EXPECT_NEAR(control.step_to_end(62, 0.98, 0.04), 0.02, 1e-15);
  EXPECT_TRUE(control.is_over(63, 1));
}

TEST(time_step, follows_the_rate_of_the_flow) {
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 20, 0), 0.025);
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 20, 0.02), 0.025);
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 200, 0.02), 0.0025);
}

TEST(time_step, stays_while_the_rate_is_not_known) {
  EXPECT_EQ(next_time_step(held(0.5), {}, 0.02), 0.02);
  EXPECT_NEAR(held(0.5, 3.05).step_to_end(0, 3, 0.02), 0.05 / 3, 1e-12);
}

TEST(time_step, grows_at_most_twofold_and_to_the_largest_allowed) {
  EXPECT_DOUBLE_EQ(next_time_step(held(0.5), 1, 0.02), 0.04);
  TimeCase limited = held(0.5);
  limited.step = 0.03;
  EXPECT_DOUBLE_EQ(next_time_step(limited, 1, 0.02), 0.03);
  EXPECT_DOUBLE_EQ(next_time_step(limited, 1, 0), 0.03);
}

TEST(time_step, in_a_fluid_at_rest_is_a_small_part_of_the_run) {
  EXPECT_DOUBLE_EQ(next_time_step(held(1), 0, 0), 1e-3);
  EXPECT_DOUBLE_EQ(next_time_step(held(1, 50), 0, 0), 0.05);
}

TEST(time_step, meets_the_end_with_steps_of_equal_length) {
  const TimeCase control = held(1, 10.0);
  double time = 9;
  int steps = 0;
  while (!control.is_over(0, time)) {
    const double dt = control.step_to_end(0, time, 0.3);  // would fit 3.33 times
    EXPECT_NEAR(dt, 0.25, 1e-12);
    time += dt;
    ++steps;
  }
  EXPECT_EQ(steps, 4);
  EXPECT_NEAR(time, 10, 1e-12);
}

TEST(time_step, is_not_divided_once_more_by_rounding) {
  EXPECT_NEAR(held(1, 10.0).step_to_end(0, 10 - 0.3 * (1 + 1e-14), 0.3), 0.3, 1e-12);
}

}  // namespace
}  // namespace dns::test_time_step_control
