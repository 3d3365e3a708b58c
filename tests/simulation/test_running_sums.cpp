#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/statistics/phase_bins.hpp"
#include "solver/statistics/running_sums.hpp"
#include "tests/compare_states.hpp"

namespace dns::test_running_sums {
namespace {

constexpr Extents three{1, 3, 1};
constexpr Extents other{2, 1, 5};  // of sums over other axes

RunningSums made(std::optional<double> window, double start = 0) {
  RunningSums sums(start, window);
  for (const char* const name : {"u", "v"}) sums.add_sum(name, three);
  sums.add_sum("spectrum", other);
  return sums;
}

/// A sample of f(time) plus the number of the point; a sum that is not there takes nothing.
template <class Formula>
void sample(RunningSums& sums, std::int64_t step, double time, const Formula& f) {
  sums.begin_sample(step, time);
  const auto value = [&](std::size_t which, std::size_t point) {
    return f(time) * static_cast<double>(1 + which) + static_cast<double>(point);
  };
  sums.add(std::array{"u", "w", "v"}, value);
  sums.add(std::array{"spectrum"}, value);
  sums.end_sample();
}
void sample(RunningSums& sums, std::int64_t step, double time) {
  sample(sums, step, time, [](double t) { return t; });
}

FlowState flow_of(const StatisticsSums& all, const StatisticsSums& window = {}) {
  FlowState flow;
  flow.statistics = all;
  flow.window = window;
  return flow;
}

double average(const StatisticsSums& sums, std::size_t sum, std::size_t point) {
  return sums.average(sum).at(point);
}

TEST(running_sums, of_one_sample_are_that) {
  RunningSums sums = made({});
  sample(sums, 1, 3);
  EXPECT_EQ(sums.all().samples, 1);
  EXPECT_EQ(sums.all().duration, 0);
  EXPECT_EQ(average(sums.all(), 0, 2), 3 + 2);
  EXPECT_EQ(average(sums.all(), 1, 2), 3 * 3 + 2);
}

/// What is linear in time is integrated exactly, of however many samples.
TEST(running_sums, are_over_time_whatever_the_steps) {
  RunningSums sums = made({});
  std::int64_t step = 0;
  for (const double time : {1.0, 1.5, 1.625, 3.0, 5.0}) sample(sums, ++step, time);
  EXPECT_EQ(sums.all().samples, 5);
  EXPECT_EQ(sums.all().first_time, 1);
  EXPECT_EQ(sums.all().last_time, 5);
  EXPECT_EQ(sums.all().duration, 4);
  EXPECT_NEAR(average(sums.all(), 0, 2), 3 + 2, 1e-14);
  EXPECT_NEAR(average(sums.all(), 2, 9), 3 + 9, 1e-14);
  EXPECT_TRUE(sums.window().sums.empty());
  EXPECT_TRUE(sums.take_ended().empty());
}

/// Steps that are short where the value is large, as cfl chooses them.
TEST(running_sums, of_whole_periods_are_their_means) {
  RunningSums sums = made({});
  double time = 0;
  const double end = 4 * std::numbers::pi;
  const auto u = [](double t) { return 1 + 0.9 * std::sin(t); };
  for (std::int64_t step = 0; time < end; ++step) {
    sample(sums, step, time, u);
    time += std::min(0.01 / u(time), end - time);
  }
  sample(sums, 9999, end, u);
  EXPECT_GT(sums.all().samples, 1000);
  EXPECT_NEAR(average(sums.all(), 0, 0), 1, 2e-4);
}

/// Steps of 0.1, whose sums are off by round-off, and windows of 0.5 from t = 1 on.
TEST(running_sums, a_window_ends_with_the_sample_at_its_end_and_the_next_begins_there) {
  RunningSums sums = made(0.5, 1);
  std::vector<StatisticsSums> ended;
  double time = 0.9;
  for (int step = 0; step < 13; ++step) {
    time += 0.1;
    sample(sums, step, time);
    for (StatisticsSums& window : sums.take_ended()) ended.push_back(std::move(window));
  }
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended[0].samples, 6);  // 1.0, 1.1, ... 1.5
  EXPECT_EQ(ended[0].last_step, 5);
  EXPECT_EQ(ended[1].samples, 5);
  EXPECT_EQ(ended[1].last_step, 10);
  EXPECT_NEAR(ended[1].first_time, 1.5, 1e-12);
  EXPECT_NEAR(ended[1].duration, 0.5, 1e-12);
  EXPECT_NEAR(average(ended[1], 0, 1), 1.75 + 1, 1e-12);
  EXPECT_EQ(sums.window().samples, 2);
  EXPECT_EQ(sums.all().samples, 13);
}

/// Windows of 1 and samples where they do not end; the third has none.
TEST(running_sums, an_interval_that_crosses_ends_of_windows_is_split) {
  RunningSums sums = made(1.0);
  sample(sums, 1, 0.7);
  EXPECT_EQ(sums.window().duration, 0);
  sample(sums, 2, 1.25);
  std::vector<StatisticsSums> ended = sums.take_ended();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].samples, 1);
  EXPECT_EQ(ended[0].last_step, 1);
  EXPECT_EQ(ended[0].last_time, 1);
  EXPECT_NEAR(ended[0].duration, 0.3, 1e-15);
  EXPECT_NEAR(average(ended[0], 0, 2), 0.85 + 2, 1e-14);
  sample(sums, 3, 1.5);
  sample(sums, 4, 3.5, [](double t) { return 10 * t; });
  ended = sums.take_ended();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].first_time, 1);
  EXPECT_EQ(ended[0].last_time, 2);
  EXPECT_EQ(ended[0].samples, 2);
  // 1 to 1.5 at rate 1; then from 1.5 to 35 over 2, a quarter of which counts
  EXPECT_NEAR(average(ended[0], 0, 0), 1.25 / 2 + (1.5 + 33.5 / 8) / 2, 1e-13);
  EXPECT_EQ(sums.window().first_time, 3);
  EXPECT_NEAR(average(sums.window(), 0, 0), 35 - 33.5 / 8, 1e-12);
  EXPECT_NEAR(sums.all().duration, 2.8, 1e-14);
}

TEST(running_sums, go_on_with_the_same_bits_at_any_sample) {
  RunningSums whole = made(0.5);
  std::vector<RunningSums> resumed;
  std::vector<StatisticsSums> ended;
  double time = 0;
  for (int step = 1; step <= 12; ++step) {
    time += 0.1;
    sample(whole, step, time);
    for (RunningSums& one : resumed) sample(one, step, time);
    ended = whole.take_ended();
    for (RunningSums& one : resumed) {
      const std::vector<StatisticsSums> same = one.take_ended();
      ASSERT_EQ(same.size(), ended.size());
      for (std::size_t n = 0; n < ended.size(); ++n) {
        EXPECT_TRUE(same_bits(flow_of(same[n]), flow_of(ended[n])));
      }
    }
    resumed.push_back(made(0.5));
    resumed.back().go_on_from(whole.all(), whole.window());
  }
  for (const RunningSums& one : resumed) {
    EXPECT_TRUE(same_bits(flow_of(one.all(), one.window()), flow_of(whole.all(), whole.window())));
  }
}

TEST(running_sums, go_on_with_another_step) {
  RunningSums before = made({});
  sample(before, 1, 0);
  sample(before, 2, 0.25);
  RunningSums sums = made({});
  sums.go_on_from(before.all(), before.window());
  sample(sums, 3, 2);
  EXPECT_EQ(sums.all().samples, 3);
  EXPECT_NEAR(average(sums.all(), 0, 1), 1 + 1, 1e-15);
}

TEST(running_sums, that_the_case_asks_for_cannot_begin_late) {
  RunningSums before(0, {});
  for (const char* const name : {"u", "v"}) before.add_sum(name, three);
  RunningSums sums = made({});
  sums.go_on_from(before.all(), before.window());  // no samples yet
  before.begin_sample(7, 1);
  EXPECT_THROW(sums.go_on_from(before.all(), before.window()), CaseError);
  RunningSums of_other_axes(0, {});
  for (const char* const name : {"u", "v", "spectrum"}) of_other_axes.add_sum(name, other);
  of_other_axes.begin_sample(7, 1);
  EXPECT_THROW(sums.go_on_from(of_other_axes.all(), {}), CaseError);
  EXPECT_EQ(sums.all().samples, 0);
}

constexpr PhaseCase fifths{.period = 2.5, .bins = 5};

/// Sums of u and v by phase, of spectra over all times alone.
RunningSums made_by_phase() {
  RunningSums sums(0, {}, fifths);
  for (const char* const name : {"u", "v"}) sums.add_sum(name, three, RunningSums::Phases::summed);
  sums.add_sum("spectrum", other);
  return sums;
}

TEST(running_sums, bins_hold_the_times_of_their_phase) {
  std::vector<double> begins;
  std::vector<int> bins;
  for_each_bin(fifths, -0.75, 2.75, [&](int bin, double from, double until) {
    begins.push_back(from);
    bins.push_back(bin);
    EXPECT_GT(until, from);
  });
  EXPECT_EQ(bins, (std::vector<int>{3, 4, 0, 1, 2, 3, 4, 0}));
  EXPECT_EQ(begins, (std::vector<double>{-0.75, -0.5, 0, 0.5, 1, 1.5, 2, 2.5}));
  EXPECT_EQ(durations_in_bins(fifths, -0.75, 2.75), (std::vector<double>{0.75, 0.5, 0.5, 0.75, 1}));
}

/// What is linear in time is integrated exactly over the part of an interval in each bin: samples
/// need not be at the ends of bins.
TEST(running_sums, by_phase_are_over_the_time_in_each_bin) {
  RunningSums sums = made_by_phase();
  std::int64_t step = 0;
  for (const double time : {0.2, 0.7, 1.9, 2.0, 3.7, 4.9, 5.2}) sample(sums, ++step, time);
  const StatisticsSums all = sums.all();
  ASSERT_EQ(all.phases.size(), 2U);
  const std::vector<double> durations = durations_in_bins(fifths, all.first_time, all.last_time);
  std::vector<double> mean(all.sums[0].extents().count());
  for (int bin = 0; bin < fifths.bins; ++bin) {
    const StatisticsSums of_bin = sums_of_bin(all, durations, bin);
    double duration = 0;
    double integral = 0;  // of t
    for (const double period : {0.0, 2.5, 5.0}) {
      const double from = std::max(period + 0.5 * bin, 0.2);
      const double until = std::min(period + 0.5 * (bin + 1), 5.2);
      if (until <= from) continue;
      duration += until - from;
      integral += (until * until - from * from) / 2;
    }
    EXPECT_NEAR(of_bin.duration, duration, 1e-14);
    EXPECT_NEAR(average(of_bin, 0, 2), integral / duration + 2, 1e-13);
    EXPECT_NEAR(average(of_bin, 1, 1), 3 * integral / duration + 1, 1e-13);
    mean[2] += of_bin.sums[0].values<double>()[2];
  }
  EXPECT_NEAR(mean[2], all.sums[0].values<double>()[2], 1e-13);
}

TEST(running_sums, by_phase_go_on_with_the_same_bits) {
  RunningSums whole = made_by_phase();
  std::vector<RunningSums> resumed;
  double time = 0;
  for (int step = 1; step <= 30; ++step) {
    time += 0.13;
    sample(whole, step, time);
    for (RunningSums& one : resumed) sample(one, step, time);
    resumed.push_back(made_by_phase());
    resumed.back().go_on_from(whole.all(), {});
  }
  for (const RunningSums& one : resumed)
    EXPECT_TRUE(same_bits(flow_of(one.all()), flow_of(whole.all())));
}

TEST(running_sums, by_phase_need_the_phases_of_the_checkpoint_and_samples_in_each_period) {
  RunningSums before = made({});
  sample(before, 1, 1);
  RunningSums sums = made_by_phase();
  EXPECT_THROW(sums.go_on_from(before.all(), {}), CaseError);
  sample(sums, 1, 1);
  sample(sums, 2, 3.5);
  EXPECT_THROW(sums.begin_sample(3, 6.1), CaseError);
}

}  // namespace
}  // namespace dns::test_running_sums
