#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/simulation/running_sums.hpp"
#include "tests/compare_states.hpp"

namespace dns {
namespace {

constexpr Extents three{1, 3, 1};
constexpr Extents other{2, 1, 5};  // of sums over other axes

RunningSums made(std::optional<double> window, double start = 0) {
  RunningSums sums(start, window);
  sums.add_sum("u", three);
  sums.add_sum("uuu", three, MissingSum::is_left_out);
  sums.add_sum("spectrum", other);
  return sums;
}

/// A step to `time` with a sample of the value `time` at all points.
void sample(RunningSums& sums, std::int64_t step, double time) {
  sums.begin_step(time);
  for (const char* const name : {"u", "uuu", "spectrum"})
    sums.add(name, [&](std::size_t point) { return time + static_cast<double>(point); });
  sums.count_sample(step, time);
  sums.end_step(time);
}

FlowState flow_of(const StatisticsSums& all, const StatisticsSums& window = {}) {
  FlowState flow;
  flow.statistics = all;
  flow.window = window;
  return flow;
}

double value(const StatisticsSums& sums, std::size_t sum, std::size_t point) {
  return sums.sums.at(sum).values<double>()[point];
}

TEST(running_sums, without_windows_are_those_since_the_first_sample) {
  RunningSums sums = made({});
  for (int step = 1; step <= 4; ++step) sample(sums, step, step);
  EXPECT_EQ(sums.all().samples, 4);
  EXPECT_EQ(sums.all().first_time, 1);
  EXPECT_EQ(sums.all().last_time, 4);
  EXPECT_EQ(value(sums.all(), 0, 2), 10 + 4 * 2);
  EXPECT_EQ(value(sums.all(), 2, 9), 10 + 4 * 9);
  EXPECT_TRUE(sums.window().sums.empty());
  EXPECT_TRUE(sums.take_ended().empty());
}

/// Steps of 0.1, whose sums are off by round-off, and windows of 0.5 from t = 1 on.
TEST(running_sums, a_window_takes_the_sample_at_its_end_and_the_first_that_of_the_start) {
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
  EXPECT_NEAR(ended[1].first_time, 1.6, 1e-12);
  EXPECT_NEAR(value(ended[1], 0, 1), 1.6 + 1.7 + 1.8 + 1.9 + 2.0 + 5, 1e-12);
  EXPECT_EQ(sums.window().samples, 2);
  EXPECT_EQ(sums.all().samples, 13);
}

TEST(running_sums, windows_end_without_a_sample_at_their_end_and_may_have_none) {
  RunningSums sums = made(1.0);
  sample(sums, 1, 0.7);
  sums.begin_step(0.9);
  sums.end_step(0.9);
  EXPECT_TRUE(sums.take_ended().empty());
  sums.begin_step(1.1);  // no sample is due
  EXPECT_EQ(sums.take_ended().size(), 1U);
  sums.end_step(1.1);
  sums.begin_step(3.4);
  sums.end_step(3.4);
  EXPECT_TRUE(sums.take_ended().empty());
  sample(sums, 9, 4);  // both ends of the fourth window
  const std::vector<StatisticsSums> ended = sums.take_ended();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].samples, 1);
  EXPECT_EQ(ended[0].first_time, 4);
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

TEST(running_sums, of_an_older_checkpoint_go_on_without_what_it_lacks) {
  RunningSums before(0, {});
  before.add_sum("u", three);
  before.add_sum("spectrum", other);
  before.count_sample(1, 1);
  RunningSums sums = made(10);
  sums.go_on_from(before.all(), before.window());
  sample(sums, 2, 2);
  EXPECT_EQ(sums.all().samples, 2);
  ASSERT_EQ(sums.all().sums.size(), 2U);
  EXPECT_EQ(sums.all().sums[1].name(), "spectrum");
  EXPECT_EQ(sums.window().samples, 1);
  EXPECT_EQ(sums.window().sums.size(), 2U);
}

TEST(running_sums, that_the_case_asks_for_cannot_begin_late) {
  RunningSums before(0, {});
  before.add_sum("u", three);
  before.add_sum("uuu", three);
  RunningSums sums = made({});
  sums.go_on_from(before.all(), before.window());  // no samples yet
  before.count_sample(7, 1);
  EXPECT_THROW(sums.go_on_from(before.all(), before.window()), CaseError);
  RunningSums of_other_axes(0, {});
  for (const char* const name : {"u", "uuu", "spectrum"}) of_other_axes.add_sum(name, other);
  of_other_axes.count_sample(7, 1);
  EXPECT_THROW(sums.go_on_from(of_other_axes.all(), {}), CaseError);
  EXPECT_EQ(sums.all().samples, 0);
}

}  // namespace
}  // namespace dns
