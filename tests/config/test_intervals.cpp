/// Intervals of output in steps and in time, and durations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/config/broken_case.hpp"

namespace dns::test_intervals {
namespace {

Case case_with(const std::string& output, const std::string& of_time = "steps: 5") {
  return parse_case(edited_case("steps: 5", of_time) + "output: " + output + "\n", "case.yaml", {});
}

TEST(interval, of_a_bare_number_counts_steps_and_with_its_unit_time) {
  const OutputCase output =
      case_with(
          "{fields: {every: 50}, checkpoint: {every: 0.5 L/U}, timeseries: {every: \"2 L/U\"}}")
          .output;
  EXPECT_EQ(output.fields.every, Interval(50));
  EXPECT_EQ(output.checkpoint_every, Interval::of_time(0.5));
  EXPECT_EQ(output.timeseries_every, Interval::of_time(2));
  EXPECT_FALSE(output.exact_times);
}

TEST(interval, is_the_same_in_a_complete_case) {
  const Case resolved = case_with("{fields: {every: 0.1 L/U}, exact_times: true}");
  const std::string yaml = to_yaml(resolved);
  EXPECT_NE(yaml.find("every: \"0.1 L/U\""), std::string::npos) << yaml;
  const Case again = parse_case(yaml, "again.yaml", {});
  EXPECT_EQ(again.output.fields.every, Interval::of_time(0.1));
  EXPECT_TRUE(again.output.exact_times);
}

TEST(interval, without_a_unit_is_a_whole_number) {
  EXPECT_EQ(messages_of(valid_case + "output: {fields: {every: 0.5}}\n"),
            "case.yaml:17:19: output.fields.every is 0.5, but must be a whole number of steps >= "
            "0, or a time such as 0.5 L/U (interval between snapshots; 0: none [steps or L/U])");
  EXPECT_EQ(messages_of(valid_case + "output: {fields: {every: -1 L/U}}\n"),
            "case.yaml:17:19: output.fields.every is -1 L/U, but must be a whole number of steps "
            ">= 0, or a time such as 0.5 L/U (interval between snapshots; 0: none [steps or L/U])");
}

TEST(interval, of_steps_is_due_every_so_many) {
  const Interval every = 3;
  EXPECT_TRUE(every.is_due({0, 0, -0.1}));
  EXPECT_FALSE(every.is_due({2, 0.2, 0.1}));
  EXPECT_TRUE(every.is_due({3, 0.3, 0.2}));
  EXPECT_FALSE(every.is_due({3, 0.3, 0.2}, 0.31));
  EXPECT_TRUE(every.is_due({3, 0.1 + 0.1 + 0.1, 0.2}, 0.3));
  EXPECT_TRUE(std::isinf(every.next_time(1)));
  EXPECT_FALSE(Interval().is_due({0, 0, -0.1}));
}

/// Steps of unequal length: each time of the interval is met once, by the first step that reaches
/// it, and several of them by one long step.
TEST(interval, of_time_is_due_in_the_first_step_that_reaches_a_time) {
  for (const double start : {0.0, 0.37, 2.0}) {
    const Interval every = Interval::of_time(0.25);
    double time = 0;
    double met = start - 0.25;
    for (int step = 0; step < 400; ++step) {
      const double dt = 0.013 + 0.012 * std::sin(0.7 * step);
      const double before = step > 0 ? std::exchange(time, time + dt) : -dt;
      const bool should = time >= met + 0.25 - 1e-9;
      EXPECT_EQ(every.is_due({step, time, before}, start), should) << start << " " << time;
      while (time >= met + 0.25 - 1e-9) met += 0.25;
      EXPECT_NEAR(every.next_time(time, start), met + 0.25, 1e-12) << start << " " << time;
    }
  }
  EXPECT_TRUE(Interval::of_time(0.01).is_due({7, 0.7, 0.6}));
}

TEST(interval, of_time_takes_the_round_off_of_many_steps_for_none) {
  double time = 0;
  int due = 0;
  for (int step = 1; step <= 100000; ++step) {
    const double before = std::exchange(time, time + 0.01);
    if (Interval::of_time(0.1).is_due({step, time, before})) {
      EXPECT_EQ(step % 10, 0) << step;
      ++due;
    }
  }
  EXPECT_EQ(due, 10000);
}

/// Steps that end within the round-off of where a time counts as reached: time + dt - dt may lie on
/// the other side. Each chain of steps passes one time of the interval.
TEST(interval, of_time_meets_each_time_once_wherever_round_off_puts_the_steps) {
  int differ = 0;
  for (const double interval : {0.1, 0.37, 1.0 / 3}) {
    for (int k = 1; k <= 200; ++k) {
      for (int ulps = -6; ulps <= 6; ++ulps) {
        double time = k * interval / (1 + 1e-9);
        for (int n = 0; n < std::abs(ulps); ++n) time = std::nextafter(time, ulps < 0 ? 0 : 1e9);
        const double dt = interval * (0.21 + 0.0013 * k);
        double before = time - dt;
        int due = 0;
        for (int step = 1; step <= 3; ++step) {
          if (Interval::of_time(interval).is_due({step, time, before})) ++due;
          before = std::exchange(time, time + dt);
          if (time - dt != before) ++differ;
        }
        EXPECT_EQ(due, 1) << interval << " " << k << " " << ulps;
      }
    }
  }
  EXPECT_GT(differ, 0);
}

TEST(exact_times, divide_what_is_left_into_equal_steps) {
  EXPECT_EQ(step_that_meets(1.0, 0.3), 0.25);
  EXPECT_EQ(step_that_meets(0.2, 0.3), 0.2);
  EXPECT_EQ(step_that_meets(0.6 * (1 + 1e-12), 0.3), 0.3);
  EXPECT_EQ(step_that_meets(std::numeric_limits<double>::infinity(), 0.3), 0.3);
}

TEST(exact_times, are_those_of_all_outputs_in_steps_that_end_there) {
  const Case resolved = case_with(
      "{fields: {every: 0.3 L/U}, checkpoint: {every: 4}, probes: {every: 0.25 L/U, start: 0.05, "
      "a: {at: [0.5, 0.5, 0.5]}}, exact_times: true}",
      "end: 1.3");
  EXPECT_NEAR(resolved.output.next_exact_time(0), 0.05, 1e-15);
  EXPECT_NEAR(resolved.output.next_exact_time(0.05), 0.3, 1e-15);
  EXPECT_NEAR(resolved.output.next_exact_time(0.3), 0.55, 1e-15);
  EXPECT_EQ(resolved.time.steps, unlimited_steps);
  std::vector<double> met;
  double time = 0;
  for (std::int64_t step = 0; !resolved.time.is_over(step, time); ++step) {
    const double dt = resolved.due_step(step, time, 0.01);
    EXPECT_LE(dt, 0.01 * (1 + 1e-9));
    EXPECT_GE(dt, 0.005);
    const double before = std::exchange(time, time + dt);
    if (resolved.output.fields.every.is_due({step + 1, time, before})) met.push_back(time);
  }
  ASSERT_EQ(met.size(), 4U);
  for (int n = 0; n < 4; ++n) EXPECT_NEAR(met[n], 0.3 * (n + 1), 1e-12);
  EXPECT_NEAR(time, 1.3, 1e-11);
}

/// Beside a constant step, which then no longer counts to the end.
TEST(exact_times, are_those_that_a_caller_wants) {
  Case resolved = case_with("{fields: {every: 0.25 L/U}}", "end: 1.3");
  EXPECT_FALSE(resolved.meets_times());
  resolved.time.meet({0.3, 0.13});
  EXPECT_TRUE(resolved.meets_times());
  EXPECT_EQ(resolved.time.steps, unlimited_steps);
  std::vector<double> expected;
  for (int n = 1; n <= 4; ++n) expected.push_back(0.3 * n);
  for (int n = 1; n <= 10; ++n) expected.push_back(0.13 * n);
  std::ranges::sort(expected);
  std::vector<double> times;
  double time = 0;
  for (std::int64_t step = 0; !resolved.time.is_over(step, time); ++step) {
    const double dt = resolved.due_step(step, time, 0.02);
    EXPECT_LE(dt, 0.02 * (1 + 1e-9));
    times.push_back(time += dt);
  }
  for (const double due : expected) {
    const auto met = std::ranges::find_if(
        times, [=](double of_step) { return std::abs(of_step - due) <= 1e-12; });
    EXPECT_NE(met, times.end()) << due;
  }
  EXPECT_LE(times.size(), 2 * 1.3 / 0.02);
  resolved.time.meet({});
  EXPECT_FALSE(resolved.meets_times());
  EXPECT_EQ(resolved.due_step(0, 0, 0.02), 0.02);
}

TEST(exact_times, are_those_of_each_output_alone) {
  const Interval every = Interval::of_time(0.3);
  std::vector<OutputCase> outputs(7);
  outputs[0].fields.every = every;
  outputs[1].timeseries_every = every;
  outputs[2].checkpoint_every = every;
  outputs[3].slices.emplace().every = every;
  outputs[4].planes.emplace().every = every;
  outputs[5].probes.emplace().every = every;
  outputs[6].statistics.emplace().every = every;
  for (OutputCase& output : outputs) {
    EXPECT_EQ(output.next_exact_time(0), std::numeric_limits<double>::infinity());
    output.exact_times = true;
    EXPECT_EQ(output.next_exact_time(0), 0.3);
  }
}

/// Due times that nearly coincide, an end among them: each is met, and no step is less than a
/// quarter of the one before; round-off apart (0.1 * 3 and 0.3) makes no step.
TEST(exact_times, that_nearly_coincide_make_steps_shrink_gently) {
  for (const char* const other : {"0.1", "0.0999", "0.09999", "0.33333333333"}) {
    for (const char* const end : {"end: 1", "end: 0.9991", "end: 0.30000000000000004"}) {
      const Case resolved =
          case_with(std::string("{fields: {every: 0.3 L/U}, checkpoint: {every: ") + other +
                        " L/U}, exact_times: true}",
                    end);
      double time = 0;
      double last = 0;
      std::int64_t step = 0;
      for (; step < 10000 && !resolved.time.is_over(step, time); ++step) {
        const double due = resolved.next_due_time(time);
        const double dt = resolved.due_step(step, time, 0.01);
        EXPECT_LE(dt, 0.01 * (1 + 1e-9));
        EXPECT_GE(dt, last / 4) << other << " " << end << " " << time;
        EXPECT_LE(time + dt, due + 1e-12);
        last = dt;
        time += dt;
      }
      EXPECT_NEAR(time, *resolved.time.end, 1e-15) << other;
    }
  }
}

TEST(duration, has_units) {
  const auto seconds = [](const std::string& text) {
    return parse_case(valid_case + "run: {wall_time_limit: " + text + "}\n", "case.yaml", {})
        .run.wall_time_limit.value();
  };
  EXPECT_EQ(seconds("11h30m"), 41400);
  EXPECT_EQ(seconds("2d"), 172800);
  EXPECT_EQ(seconds("90s"), 90);
  EXPECT_EQ(seconds("1m5s"), 65);
  EXPECT_EQ(seconds("\"11:30:00\""), 41400);
  EXPECT_EQ(seconds("90"), 90);
  for (const char* const wrong : {"0h", "30m11h", "h", "1.5h", "\"\""}) {
    EXPECT_NE(messages_of(valid_case + "run: {wall_time_limit: " + wrong + "}\n")
                  .find("but must be a number of seconds > 0, \"HH:MM:SS\" or a text such as "
                        "11h30m"),
              std::string::npos)
        << wrong;
  }
}

}  // namespace
}  // namespace dns::test_intervals
