/// The comparison that all tests of flows rest on finds every difference and says where it is.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "output_testing.hpp"
#include "tests/compare_states.hpp"

namespace dns::test_compare_states {
namespace {

/// A flow with a number and sums.
FlowState full_flow() {
  FlowState state = known_flow(Precision::double_precision);
  state.numbers = {{"time_step", 0.25}};
  state.statistics = {.samples = 3, .first_time = 1, .last_time = 2, .duration = 1, .sums = {}};
  HostField& sum =
      state.statistics.sums.emplace_back("u", Extents{1, 5, 1}, Precision::double_precision);
  std::ranges::fill(sum.values<double>(), 1.5);
  state.statistics.last.push_back(sum.duplicate());
  return state;
}

double& value_at(FlowState& state, std::size_t field, std::size_t n) {
  return state.fields.at(field).values<double>()[n];
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CompareStates, a_flow_is_the_same_as_itself) {
  EXPECT_TRUE(same_bits(full_flow(), full_flow()));
  EXPECT_TRUE(same_within(0, full_flow(), full_flow()));
}

TEST(CompareStates, every_difference_is_found_and_named) {
  struct Change {
    std::string words;
    std::function<void(FlowState&)> make;
  };
  const std::vector<Change> changes{
      {"step: 100 and 7", [](FlowState& s) { s.step = 7; }},
      {"time: 0.1 and 0.5", [](FlowState& s) { s.time = 0.5; }},
      {"time: 0.1 and nan", [](FlowState& s) { s.time = nan; }},
      {"count of fields: 4 and 3", [](FlowState& s) { s.fields.pop_back(); }},
      {"name of fields 1: velocity_y and velocity_x",
       [](FlowState& s) { s.fields[1] = known_flow(Precision::double_precision).fields[0]; }},
      {"precision of velocity_x: double and float",
       [](FlowState& s) { s.fields[0] = known_flow(Precision::single_precision).fields[0]; }},
      {"extents of temperature: 7 x 5 x 3 and 5 x 7 x 3",
       [](FlowState& s) {
         s.fields[3] = known_flow(Precision::double_precision, {5, 7, 3}).fields[3];
       }},
      {"temperature at (6, 4, 2): 24121.5 and nan; 1 of 105 values differ",
       [](FlowState& s) { value_at(s, 3, 104) = nan; }},
      {"velocity_x at (2, 1, 0): -991.5 and 3; 2 of 105 values differ",
       [](FlowState& s) { value_at(s, 0, 9) = value_at(s, 0, 60) = 3; }},
      {"count of numbers: 1 and 0", [](FlowState& s) { s.numbers.clear(); }},
      {"name of numbers 0: time_step and step", [](FlowState& s) { s.numbers[0].name = "step"; }},
      {"time_step: 0.25 and 0.5", [](FlowState& s) { s.numbers[0].value = 0.5; }},
      {"count of references of statistics: 0 and 1",
       [](FlowState& s) {
         s.statistics.references.push_back({"T", 300});
       }},
      {"samples of statistics: 3 and 4", [](FlowState& s) { s.statistics.samples = 4; }},
      {"first time of statistics: 1 and 0", [](FlowState& s) { s.statistics.first_time = 0; }},
      {"last time of statistics: 2 and 3", [](FlowState& s) { s.statistics.last_time = 3; }},
      {"duration of statistics: 1 and 4", [](FlowState& s) { s.statistics.duration = 4; }},
      {"count of last sample of statistics: 1 and 0",
       [](FlowState& s) { s.statistics.last.clear(); }},
      {"count of sums of statistics: 1 and 0", [](FlowState& s) { s.statistics.sums.clear(); }},
      {"u at (0, 3, 0): 1.5 and nan; 1 of 5 values differ",
       [](FlowState& s) { s.statistics.sums[0].values<double>()[3] = nan; }},
  };
  for (const Change& change : changes) {
    FlowState other = full_flow();
    change.make(other);
    EXPECT_TRUE(contains(same_bits(full_flow(), other).message(), change.words + "\n"));
    EXPECT_TRUE(contains(same_within(1e-3, full_flow(), other).message(), change.words + "\n"));
  }
}

TEST(CompareStates, values_within_the_tolerance_are_the_same_but_not_bit_for_bit) {
  FlowState other = full_flow();
  value_at(other, 2, 50) += 0.5;
  EXPECT_FALSE(same_bits(full_flow(), other));
  EXPECT_TRUE(same_within(0.5, full_flow(), other));
  EXPECT_FALSE(same_within(0.25, full_flow(), other));
}

TEST(CompareStates, zeros_of_either_sign_differ_in_a_bit) {
  FlowState zero = full_flow();
  value_at(zero, 0, 0) = 0;
  FlowState other = full_flow();
  value_at(other, 0, 0) = -0.0;
  EXPECT_FALSE(same_bits(zero, other));
  EXPECT_TRUE(same_within(0, zero, other));
}

TEST(CompareStates, a_nan_has_bits_but_is_near_nothing) {
  FlowState broken = full_flow();
  value_at(broken, 1, 17) = nan;
  EXPECT_TRUE(same_bits(broken, broken));
  EXPECT_FALSE(same_within(1e300, broken, broken));
}

TEST(CompareStates, flows_of_two_precisions_can_be_near) {
  const FlowState once = known_flow(Precision::single_precision);
  FlowState twice = known_flow(Precision::double_precision);
  EXPECT_FALSE(same_within(1, once, twice));
  EXPECT_TRUE(same_within(0, once, twice, Precisions::may_differ));
  value_at(twice, 3, 1) = nan;
  EXPECT_FALSE(same_within(1, once, twice, Precisions::may_differ));
}

}  // namespace
}  // namespace dns::test_compare_states
