/// Runs on several ranks end as those on one, with the same files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "solver/files/plane_records.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/flow_in_file.hpp"
#include "tests/ranks/rank_test.hpp"

namespace dns::testing::test_agreement_of_ranks {
namespace {

class AgreementOfRanks : public RankTest {
 protected:
  [[nodiscard]] std::set<std::string> files_of(const std::string& name) const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path(name)))
      names.insert(entry.path().filename().string());
    return names;
  }

  /// Relative to the largest of each sum: dissipation at a wall is several hundred.
  static void expect_sums_near(const StatisticsSums& sums,
                               const StatisticsSums& expected,
                               double tolerance) {
    EXPECT_EQ(sums.samples, expected.samples);
    ASSERT_EQ(sums.sums.size(), expected.sums.size());
    for (std::size_t n = 0; n < sums.sums.size(); ++n) {
      FlowState one;
      FlowState other;
      one.fields = {sums.sums[n]};
      other.fields = {expected.sums[n]};
      double largest = 1;
      for (const double value : in_doubles(expected.sums[n]))
        largest = std::max(largest, std::abs(value));
      EXPECT_TRUE(same_within(tolerance * largest, one, other));
    }
  }

  /// Of the newest checkpoint, statistics included, and of the snapshot at the end.
  void expect_near(const std::string& name, const std::string& reference, double tolerance) const {
    constexpr double of_snapshots = 1e-5;  // they are in float
    EXPECT_EQ(files_of(name), files_of(reference));
    FlowState state = newest_state(path(name));
    FlowState expected = newest_state(path(reference));
    expect_sums_near(state.statistics, expected.statistics, tolerance);
    state.statistics = expected.statistics = {};
    EXPECT_TRUE(same_within(tolerance, state, expected));
    const std::string snapshot = fmt::format("/fields_{:08}.h5", state.step);
    if (!exists(name + snapshot)) return;
    EXPECT_TRUE(same_within(of_snapshots,
                            flow_in_file(path(name + snapshot)),
                            flow_in_file(path(reference + snapshot))));
  }
};

// Ten steps; values are about 1.
constexpr double round_off_in_double = 1e-12;
constexpr double round_off_in_float = 1e-5;

TEST_F(AgreementOfRanks, is_to_round_off) {
  for (const NamedCase& named : all_cases) {
    run_on(1, named, "one");
    for (const int ranks : {2, 3, 4}) {
      SCOPED_TRACE(fmt::format("{}, {} ranks", named.name, ranks));
      run_on(ranks, named, "several");
      expect_near("several", "one", round_off_in_double);
      std::filesystem::remove_all(path("several"));
    }
    std::filesystem::remove_all(path("one"));
  }
}

TEST_F(AgreementOfRanks, is_to_round_off_in_float) {
  for (const NamedCase& named :
       {splitting_walls, projection_walls, projection_order_6, projection_channel_order_6}) {
    SCOPED_TRACE(named.name);
    run_on(1, named, "one", {"--precision", "float"});
    run_on(3, named, "several", {"--precision", "float"});
    expect_near("several", "one", round_off_in_float);
    for (const char* name : {"one", "several"}) std::filesystem::remove_all(path(name));
  }
}

TEST_F(AgreementOfRanks, holds_for_runs_that_go_on_with_other_numbers) {
  for (const NamedCase& named :
       {splitting_periodic, projection_walls, projection_order_6, projection_channel_order_6}) {
    SCOPED_TRACE(named.name);
    run_on(1, named, "whole");
    run_on(1, named, "parts", {"--steps", "3"});
    const auto go_on = [&](int ranks, const char* steps) {
      const Outcome run = Process(resume_in("parts", {"--steps", steps}), on(ranks)).wait();
      ASSERT_EQ(run.exit_code, 0) << run.err;
    };
    go_on(3, "7");
    go_on(2, "10");
    EXPECT_TRUE(
        same_within(round_off_in_double, newest_state(path("parts")), newest_state(path("whole"))));
    for (const char* name : {"whole", "parts"}) std::filesystem::remove_all(path(name));
  }
}

TEST_F(AgreementOfRanks, holds_for_recorded_planes) {
  const std::vector<std::string> planes{"--set",
                                        "output.planes={every: 2, precision: double, a: {axis: x, "
                                        "at: 0.3}, b: {axis: y, at: 0.41}, c: "
                                        "{axis: z, at: 0.37}}"};
  for (const NamedCase& named :
       {splitting_periodic, projection_walls, projection_channel_order_6}) {
    SCOPED_TRACE(named.name);
    run_on(1, named, "one", planes);
    for (const int ranks : {2, 3}) {
      run_on(ranks, named, "several", planes);
      expect_near("several", "one", round_off_in_double);
      for (const char* const file : {"/planes_a.h5", "/planes_b.h5", "/planes_c.h5"}) {
        const PlaneRecords records(path(std::string("several") + file));
        const PlaneRecords expected(path(std::string("one") + file));
        ASSERT_EQ(records.times().size(), 6U);
        for (std::size_t record = 0; record < records.times().size(); ++record) {
          for (int variable = 0; variable < 3; ++variable) {
            const std::vector<double> values = records.values(variable, record);
            const std::vector<double> wanted = expected.values(variable, record);
            ASSERT_EQ(values.size(), wanted.size());
            for (std::size_t n = 0; n < values.size(); ++n)
              ASSERT_NEAR(values[n], wanted[n], 10 * round_off_in_double) << file << variable;
          }
        }
      }
      std::filesystem::remove_all(path("several"));
    }
    std::filesystem::remove_all(path("one"));
  }
}

TEST_F(AgreementOfRanks, holds_for_inflow_from_recorded_planes) {
  const NamedCase recorded{"recorded", R"yaml(case: ranks
scheme: projection
device: cpu
grid: {points: [8, 9, 26], length: [1.5, 2, 1.2]}
fluid: {reynolds: 60}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
initial: {velocity: ["y*(2-y)*(1+0.3*sin(2*pi*z/1.2))", "0.2*sin(2*pi*z/1.2)*sin(pi*y)", 0]}
time: {step: 0.01, steps: 12}
output: {planes: {every: 3, in: {axis: x, at: 0.6}}}
)yaml"};
  const NamedCase fed{"fed", R"yaml(case: ranks
scheme: projection
device: cpu
grid: {points: [8, 9, 26], length: [1.5, 2, 1.2]}
fluid: {reynolds: 60}
boundaries:
  x_min: {type: inflow, velocity: {planes: recorded/planes_in.h5}}
  x_max: {type: outflow}
  y_min: {type: wall}
  y_max: {type: wall}
  z: periodic
initial: {velocity: ["y*(2-y)", 0, 0]}
time: {step: 0.01, steps: 20}
)yaml"};
  run_on(2, recorded, "recorded");
  run_on(1, fed, "one");
  for (const int ranks : {2, 3}) {
    run_on(ranks, fed, "several");
    expect_near("several", "one", round_off_in_double);
    std::filesystem::remove_all(path("several"));
  }
}

TEST_F(AgreementOfRanks, is_in_every_bit_between_runs_on_as_many) {
  for (const NamedCase& named : {splitting_walls, projection_periodic, projection_order_6}) {
    SCOPED_TRACE(named.name);
    run_on(3, named, "first");
    run_on(3, named, "second", {"--threads", "2"});
    EXPECT_TRUE(same_bits(newest_state(path("first")), newest_state(path("second"))));
    EXPECT_EQ(series_without_clock(path("first")), series_without_clock(path("second")));
    for (const char* name : {"first", "second"}) std::filesystem::remove_all(path(name));
  }
}

TEST_F(AgreementOfRanks, holds_for_a_start_from_a_file) {
  run_on(1, projection_walls, "source");
  const std::vector<std::string> from_file{
      "--set", "initial={type: file, path: " + path("source") + "/fields_00000010.h5}"};
  for (const NamedCase& named : {projection_walls, projection_periodic, splitting_walls}) {
    SCOPED_TRACE(named.name);  // its own grid, another one, another scheme
    run_on(1, named, "one", from_file);
    run_on(3, named, "several", from_file);
    expect_near("several", "one", round_off_in_double);
    for (const char* name : {"one", "several"}) std::filesystem::remove_all(path(name));
  }
}

TEST_F(AgreementOfRanks, says_once_that_there_is_no_file_to_start_from) {
  write("case.yaml", projection_walls.yaml);
  const Outcome run =
      Process(run_into("none", {"--set", "initial={type: file, path: gone.h5}"}), on(2)).wait();
  EXPECT_EQ(run.exit_code, 2);
  const std::string said =
      "--set initial={type: file, path: gone.h5}: initial.path: gone.h5 is not there, but must be "
      "a snapshot, a checkpoint or plain datasets of a flow\n";
  const std::size_t first = run.err.find(said);
  EXPECT_NE(first, std::string::npos) << run.err;
  EXPECT_EQ(run.err.rfind(said), first) << run.err;
}

}  // namespace
}  // namespace dns::testing::test_agreement_of_ranks
