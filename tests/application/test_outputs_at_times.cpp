/// Outputs whose intervals are times.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "solver/files/flow_file.hpp"
#include "solver/files/run_files.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_outputs_at_times {
namespace {

/// A driven channel that holds a CFL number: no step is as long as another one.
const std::string channel = R"yaml(
scheme: projection
grid: {points: [12, 14, 10], length: [3, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 50}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
initial: {type: turbulent_channel, amplitude: 0.2}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {cfl: 0.7, end: 1}
output:
  fields: {every: 0.23 L/U}
  timeseries: {every: 1}
  checkpoint: {every: 0.1 L/U, keep: 1000}
  statistics: {start: 0.2, every: 0.05 L/U, average: [x, z]}
  probes: {every: 0.07 L/U, start: 0.1, a: {at: [1, 1, 1]}}
)yaml";

class OutputsAtTimes : public RunTest {
 protected:
  /// Of the snapshots or checkpoints of a run.
  [[nodiscard]] std::vector<double> times_of(const std::string& name,
                                             std::string_view prefix) const {
    std::vector<double> times;
    for (const NumberedFile& file : numbered_files(path(name), prefix))
      times.push_back(FlowFile(path(name + "/" + file.name)).time());
    return times;
  }
  /// The times of the lines of a table.
  [[nodiscard]] std::vector<double> times_in(const std::string& name) const {
    std::vector<double> times;
    std::ifstream file(path(name));
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) times.push_back(std::stod(line.substr(line.find(',') + 1)));
    return times;
  }
  static void expect_times(const std::vector<double>& times, const std::vector<double>& wanted) {
    ASSERT_EQ(times.size(), wanted.size());
    for (std::size_t n = 0; n < times.size(); ++n) EXPECT_NEAR(times[n], wanted[n], 1e-9) << n;
  }
};

TEST_F(OutputsAtTimes, are_written_by_the_first_step_that_reaches_them) {
  write("case.yaml", channel);
  const Outcome run = run_dns(run_into("run"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::vector<double> steps = times_in("run/timeseries.csv");
  std::vector<double> wanted;
  double due = 0;
  for (const double time : steps) {
    if (time < due - 1e-9) continue;
    wanted.push_back(time);
    due = 0.23 * (std::floor(time / 0.23 + 1e-9) + 1);
  }
  if (wanted.back() < 1 - 1e-9) wanted.push_back(1);  // the last step
  expect_times(times_of("run", snapshot_prefix), wanted);
  EXPECT_NE(run.err.find("fields every 0.23 L/U, "), std::string::npos) << run.err;
}

TEST_F(OutputsAtTimes, are_met_exactly_where_steps_are_shortened) {
  write("case.yaml", channel);
  const Outcome run = run_dns(run_into("run", {"--set", "output.exact_times=true"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_times(times_of("run", snapshot_prefix), {0, 0.23, 0.46, 0.69, 0.92, 1});
  expect_times(times_of("run", checkpoint_prefix),
               {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1});
  std::vector<double> records;
  for (double time = 0.1; time < 1; time += 0.07) records.push_back(time);
  expect_times(times_in("run/probes_a.csv"), records);
}

TEST_F(OutputsAtTimes, are_those_of_constant_steps_too) {
  write("case.yaml", channel);
  const Outcome run = run_dns(run_into("run",
                                       {"--set",
                                        "output.exact_times=true",
                                        "--set",
                                        "time={step: 0.03, end: 0.5}",
                                        "--set",
                                        "output.checkpoint.every=100"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_times(times_of("run", snapshot_prefix), {0, 0.23, 0.46, 0.5});
}

/// Scheme splitting, whose steps are constant otherwise.
TEST_F(OutputsAtTimes, of_scheme_splitting_go_on_bit_for_bit) {
  const std::vector<std::string> times{
      "--set",
      "output={fields: {every: 0.013 L/U}, checkpoint: {every: 1, keep: 100}, "
      "exact_times: true}"};
  std::vector<std::string> whole = times;
  whole.insert(whole.end(), {"--steps", "20"});
  std::vector<std::string> part = times;
  part.insert(part.end(), {"--steps", "7"});
  ASSERT_EQ(run_dns(run_into("whole", whole)).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("part", part)).exit_code, 0);
  const Outcome resumed = run_dns(resume_in("part", {"--steps", "20"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("part"))));
  EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path("part")));
}

TEST_F(OutputsAtTimes, of_a_run_that_goes_on_are_those_of_one_that_never_stopped) {
  for (const char* const exact : {"false", "true"}) {
    write("case.yaml", channel);
    const std::string set = std::string("output.exact_times=") + exact;
    ASSERT_EQ(run_dns(run_into("whole", {"--force", "--set", set})).exit_code, 0);
    const auto checkpoints = numbered_files(path("whole"), checkpoint_prefix);
    ASSERT_GT(checkpoints.size(), 4U);
    for (const std::size_t n : {std::size_t{1}, checkpoints.size() / 2}) {
      std::filesystem::remove_all(path("part"));
      std::filesystem::copy(path("whole"), path("part"));
      for (std::size_t later = n + 1; later < checkpoints.size(); ++later)
        std::filesystem::remove(path("part/" + checkpoints[later].name));
      const Outcome resumed = run_dns(resume_in("part"));
      ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
      EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("part"))));
      EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path("part")));
      for (const std::string_view prefix : {snapshot_prefix, checkpoint_prefix}) {
        EXPECT_EQ(times_of("whole", prefix), times_of("part", prefix)) << exact << " " << prefix;
      }
      EXPECT_EQ(times_in("whole/probes_a.csv"), times_in("part/probes_a.csv"));
    }
  }
}

/// A run to 0.46, a time of an output, that goes on to 1 is one to 1, whatever the scheme.
TEST_F(OutputsAtTimes, of_a_run_that_goes_on_to_a_later_end_have_the_same_bits) {
  const std::vector<std::string> splitting{
      "--set", "time.step=0.02", "--set", "output.fields.every=0.046 L/U"};
  for (const auto& [text, keys, ends] :
       {std::tuple{text_of(case_file()), splitting, std::array{"0.092", "0.2"}},
        {channel, std::vector<std::string>{}, std::array{"0.46", "1"}}}) {
    std::filesystem::remove_all(path("whole"));
    std::filesystem::remove_all(path("part"));
    write("case.yaml", text);
    const auto to_end = [&, &keys = keys](const std::string& name, const std::string& end) {
      std::vector<std::string> words =
          run_into(name, {"--set", "output.exact_times=true", "--set", "time.end=" + end});
      words.insert(words.end(), keys.begin(), keys.end());
      return words;
    };
    const Outcome whole = run_dns(to_end("whole", ends[1]));
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    ASSERT_EQ(run_dns(to_end("part", ends[0])).exit_code, 0);
    ASSERT_LT(newest_state(path("part")).step, newest_state(path("whole")).step);
    const Outcome resumed =
        run_dns(resume_in("part", {"--set", std::string("time.end=") + ends[1]}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("part"))));
    EXPECT_EQ(times_of("whole", snapshot_prefix), times_of("part", snapshot_prefix));
  }
}

/// Steps that were divided towards the first end stay; from there on, stopped once more or not, a
/// run is one run.
TEST_F(OutputsAtTimes, of_a_run_with_another_end_go_on_bit_for_bit) {
  for (const auto& [text, time] :
       {std::pair{text_of(case_file()), "time.step=0.001"}, {channel, "time.step=0.05"}}) {
    std::filesystem::remove_all(path("whole"));
    write("case.yaml", text);
    ASSERT_EQ(run_dns(run_into("whole",
                               {"--set",
                                time,
                                "--set",
                                "time.end=0.0303",
                                "--set",
                                "output.checkpoint={every: 1, keep: 1000}"}))
                  .exit_code,
              0);
    const std::int64_t first = newest_state(path("whole")).step;
    const Outcome longer = run_dns(resume_in("whole", {"--set", "time.end=0.0617"}));
    ASSERT_EQ(longer.exit_code, 0) << longer.err;
    EXPECT_NEAR(newest_state(path("whole")).time, 0.0617, 1e-15);
    for (const std::int64_t step : {first, first + 1, newest_state(path("whole")).step - 1}) {
      std::filesystem::remove_all(path("part"));
      std::filesystem::copy(path("whole"), path("part"));
      for (const NumberedFile& file : numbered_files(path("part"), checkpoint_prefix))
        if (file.step > step) std::filesystem::remove(path("part/" + file.name));
      const Outcome resumed = run_dns(resume_in("part", {"--set", "time.end=0.0617"}));
      ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
      EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("part")))) << step;
      EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path("part"))) << step;
    }
  }
}

/// The number of the time of an interval follows from the time of the flow. One kept in the
/// checkpoint, 2 here, would be that of the interval before the change.
TEST_F(OutputsAtTimes, are_those_of_an_interval_that_changes_when_the_run_goes_on) {
  write("case.yaml", channel);
  const std::vector<std::string> first{"--set",
                                       "output.exact_times=true",
                                       "--set",
                                       "output.fields.every=0.2 L/U",
                                       "--set",
                                       "time.end=0.5"};
  ASSERT_EQ(run_dns(run_into("run", first)).exit_code, 0);
  expect_times(times_of("run", snapshot_prefix), {0, 0.2, 0.4, 0.5});
  const Outcome resumed =
      run_dns(resume_in("run", {"--set", "output.fields.every=0.15 L/U", "--set", "time.end=1"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_times(times_of("run", snapshot_prefix), {0, 0.2, 0.4, 0.5, 0.6, 0.75, 0.9, 1});
}

}  // namespace
}  // namespace dns::testing::test_outputs_at_times
