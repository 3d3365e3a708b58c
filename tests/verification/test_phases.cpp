/// Averages by the time within a period, of flows that oscillate.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/statistics/flow_averages.hpp"
#include "solver/statistics/phase_bins.hpp"
#include "solver/statistics/statistics_sums.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_phases {
namespace {

class PhasesTest : public OnEveryTarget {
 protected:
  static std::vector<double> average_named(const std::string& name,
                                           const StatisticsSums& sums,
                                           const Case& resolved) {
    const std::vector<Average> averages = averages_of(sums, resolved);
    return std::ranges::find(averages, name, &Average::name)->values;
  }
};

/// A force 2 pi A cos(2 pi t) makes u = A sin(2 pi t) everywhere. Bins of a tenth of the period,
/// samples in every second step, of which few are at the ends of bins.
TEST_P(PhasesTest, of_an_oscillation_have_its_amplitude) {
  const Case resolved = case_of(R"yaml(scheme: projection
grid: {points: [5, 7, 9], length: [1, 2, 3]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
forcing: {type: formula, acceleration: ["0.6*pi*cos(2*pi*t)", 0, 0]}
initial: {velocity: [0, 0, 0]}
time: {step: 0.008, steps: 315}
output:
  statistics: {every: 2, average: [x, z], quantities: {square: "u^2"}, phase: {period: 1, bins: 10}}
)yaml");
  constexpr double amplitude = 0.3;
  const StatisticsSums statistics = after(resolved, 315)->statistics();
  const PhaseCase& phase = *resolved.output.statistics->phase;
  const std::vector<double> durations =
      durations_in_bins(phase, statistics.first_time, statistics.last_time);
  // Steps and straight lines between samples: 0.3 (2 pi 0.016)^2/12 = 2.5e-4 at most.
  constexpr double tolerance = 5e-4;
  for (int bin = 0; bin < phase.bins; ++bin) {
    const StatisticsSums of_bin = sums_of_bin(statistics, durations, bin);
    const double from = 2 * std::numbers::pi * bin / 10;
    const double until = 2 * std::numbers::pi * (bin + 1) / 10;
    const double mean = amplitude * (std::cos(from) - std::cos(until)) / (until - from);
    const double square = amplitude * amplitude *
                          (0.5 - (std::sin(2 * until) - std::sin(2 * from)) / (4 * (until - from)));
    // A sample at t = 0.016 is the first: two periods and a half, less that.
    EXPECT_NEAR(of_bin.duration, bin < 5 ? 0.3 - (bin == 0 ? 0.016 : 0) : 0.2, 0.013) << bin;
    const bool is_cut = bin == 0 || bin == 5;  // by the first sample and the last one
    for (int j = 0; j < 7; ++j) {
      const auto at = [&](const char* name) {
        return average_named(name, of_bin, resolved).at(static_cast<std::size_t>(j));
      };
      EXPECT_NEAR(at("u"), mean, is_cut ? 0.02 : tolerance) << bin;
      EXPECT_NEAR(at("square"), square, is_cut ? 0.02 : tolerance) << bin;
      EXPECT_NEAR(at("uu"), at("square") - at("u") * at("u"), 1e-6) << bin;
      EXPECT_NEAR(at("v"), 0, 1e-6);
    }
  }
}

const std::string channel = R"yaml(scheme: projection
grid: {points: [7, 9, 5], length: [3, 2, 1.5], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: ["sin(20*t)", 0, 0], temperature: 1}
  y_max: {type: wall, temperature: {gradient: 1}}
  z: periodic
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)"
time: {step: 0.02, steps: 12}
output:
  statistics:
    every: 1
    spectra: [x]
    budgets: true
    quantities: {uT2: "u*T^2"}
    phase: {period: 0.11, bins: 4}
)yaml";

/// All but spectra and budgets; their integrals over the bins are those over all times.
TEST_P(PhasesTest, add_up_to_the_averages_of_all_times) {
  const Case resolved = case_of(channel);
  const StatisticsSums statistics = after(resolved, 12)->statistics();
  ASSERT_FALSE(statistics.phases.empty());
  std::size_t values = 0;
  for (const HostField& of_bins : statistics.phases) {
    const auto sum = std::ranges::find(statistics.sums, of_bins.name(), &HostField::name);
    ASSERT_NE(sum, statistics.sums.end());
    const std::size_t points = sum->extents().count();
    values += of_bins.extents().count();
    ASSERT_EQ(of_bins.extents().count(), 4 * points);
    for (std::size_t point = 0; point < points; ++point) {
      double all = 0;
      for (std::size_t bin = 0; bin < 4; ++bin)
        all += of_bins.values<double>()[bin * points + point];
      const double expected = sum->values<double>()[point];
      EXPECT_NEAR(all, expected, 1e-12 * std::max(1.0, std::abs(expected))) << sum->name();
    }
  }
  EXPECT_EQ(values, values_in_phases(resolved));
  EXPECT_EQ(statistics.phases.back().name(), "uT2");
}

TEST_P(PhasesTest, continue_with_the_same_bits) {
  const Case resolved = case_of(channel);
  const auto whole = after(resolved, 12);
  for (const int steps : {1, 5, 6}) {
    const auto before = after(resolved, steps);
    FlowState state = state_of(*before);
    state.statistics = before->statistics();
    const auto rest = make_simulation(resolved);
    rest->set_state(state);
    for (int step = steps; step < 12; ++step) rest->advance();
    FlowState one;
    FlowState other;
    one.statistics = whole->statistics();
    other.statistics = rest->statistics();
    EXPECT_TRUE(same_bits(one, other)) << steps;
  }
}

TEST_P(PhasesTest, are_the_same_on_several_ranks) {
  const Case resolved = case_of(channel);
  const RanksResult one = run_on_ranks(resolved, 1, 8);
  const RanksResult two = run_on_ranks(resolved, 2, 8);
  for (std::size_t n = 0; n < one.statistics[0].phases.size(); ++n) {
    const HostField& expected = one.statistics[0].phases[n];
    for (const StatisticsSums& of_rank : two.statistics) {
      for (std::size_t point = 0; point < expected.extents().count(); ++point) {
        const double value = expected.values<double>()[point];
        // Products of values of 1 to 10, slopes of some 10; over 0.04 L/U of time.
        EXPECT_NEAR(of_rank.phases[n].values<double>()[point],
                    value,
                    (is_double() ? 1e-10 : 1e-4) * std::max(1.0, std::abs(value)))
            << expected.name();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, PhasesTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_phases
