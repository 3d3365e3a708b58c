/// Probes that a run records, and the last line of its time series: at its end, after a stop, and
/// after it went on.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "solver/files/hdf5_file.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/files/run_files.hpp"
#include "tests/application/run_test.hpp"
#include "tests/values_in_file.hpp"

namespace dns::testing::test_probes_of_a_run {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  std::istringstream stream(text);
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The first value of each line but the first, which names the columns.
std::vector<std::int64_t> steps_of(const std::string& table) {
  std::vector<std::int64_t> steps;
  const Lines lines = lines_of(table);
  for (std::size_t n = 1; n < lines.size(); ++n) steps.push_back(std::stoll(lines[n]));
  return steps;
}

/// 0, every, 2 every ... up to last.
std::vector<std::int64_t> steps_up_to(std::int64_t last, std::int64_t every) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= last; step += every) steps.push_back(step);
  return steps;
}

class ProbesOfARun : public RunTest {
 protected:
  static Lines with_probes(Lines more = {}, const std::string& every = "3") {
    more.insert(more.end(),
                {"--set",
                 "output.probes={every: " + every +
                     ", lid: {at: [0.37, 1.2, 0.4]}, inside: {at: [0.98, 0.61, 0.33]}, "
                     "line: {from: [0, 0, 0.2], to: [1, 1.2, 0.2], count: 5}}"});
    return more;
  }
  [[nodiscard]] std::string table(const std::string& run, const std::string& probe) const {
    return text_of(path(run + "/probes_" + probe + ".csv"));
  }
  [[nodiscard]] std::vector<double> values_of_line(const std::string& run,
                                                   const std::string& dataset) const {
    std::vector<double> values;
    for (const NumberedFile& piece : numbered_files(path(run), probes_prefix, "line")) {
      const Hdf5File file = Hdf5File::open(path(run + "/" + piece.name));
      const std::vector<double> of_piece = values_in(file, dataset);
      values.insert(values.end(), of_piece.begin(), of_piece.end());
    }
    return values;
  }
  void expect_same_records(const std::string& run, const std::string& reference) const {
    for (const char* const probe : {"lid", "inside"})
      EXPECT_EQ(table(run, probe), table(reference, probe)) << probe;
    for (const char* const dataset :
         {"step", "time", "velocity_x", "velocity_y", "velocity_z", "temperature"})
      EXPECT_EQ(values_of_line(run, dataset), values_of_line(reference, dataset)) << dataset;
    const PlaneSeriesFacts one = read_plane_series(path(run + "/probes_line.h5"));
    const PlaneSeriesFacts other = read_plane_series(path(reference + "/probes_line.h5"));
    EXPECT_EQ(one.steps, other.steps);
    EXPECT_EQ(one.times, other.times);
    EXPECT_TRUE(one.grid == other.grid);
  }
};

TEST_F(ProbesOfARun, have_a_table_for_a_point_and_pieces_for_a_line) {
  const Outcome run = run_dns(run_into("run", with_probes()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find(", probes every 3"), std::string::npos) << run.err;
  const Lines lid = lines_of(table("run", "lid"));
  ASSERT_EQ(lid.size(), 15U);  // steps 0 to 39
  EXPECT_EQ(lid[0], "step,time,velocity_x,velocity_y,velocity_z,temperature");
  // The lid of y moves with velocity 1 along x.
  EXPECT_TRUE(lid[6].starts_with("15,0.015")) << lid[6];
  EXPECT_NE(lid[6].find(",1,0,0,"), std::string::npos) << lid[6];
  EXPECT_EQ(steps_of(table("run", "inside")), steps_up_to(39, 3));
  const PlaneSeriesFacts line = read_plane_series(path("run/probes_line.h5"));
  EXPECT_EQ(line.steps.size(), 14U);
  ASSERT_EQ(line.grid.line[1].size(), 5U);
  for (std::size_t n = 0; n < 5; ++n)
    EXPECT_NEAR(line.grid.line[1][n], 0.3 * static_cast<double>(n), 1e-15);
  const std::vector<double> u = values_of_line("run", "velocity_x");
  ASSERT_EQ(u.size(), 14U * 5U);
  EXPECT_EQ(u[5 * 7 + 0], 0);
  EXPECT_EQ(u[5 * 7 + 4], 1);
  const std::string steps = "[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39]";
  const std::string probes = json_member(run_dns({"info", path("run"), "--json"}).out, "probes");
  EXPECT_EQ(json_member(probes, "lid"), steps);
  EXPECT_EQ(json_member(probes, "line"), steps);
  EXPECT_NE(run_dns({"info", path("run")}).out.find("probes lid 14: steps 0 to 39"),
            std::string::npos);
  const Outcome info = run_dns({"info", path("run/probes_line.h5")});
  EXPECT_NE(info.out.find("(14, 5) in the pieces"), std::string::npos) << info.out << info.err;
  EXPECT_EQ(run_dns({"info", path("run/probes_line_00000039.h5")}).exit_code, 0);
  EXPECT_EQ(run_dns({"info", path("run/probes_lid.csv")}).exit_code, 0);
}

TEST_F(ProbesOfARun, of_scheme_projection_have_the_pressure) {
  write("closed.yaml", R"yaml(
scheme: projection
precision: float
grid: {points: [6, 5, 8], length: [1, 1, 1]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(2*pi*y)", "0", "cos(2*pi*x)"]}
time: {step: 0.01, steps: 4}
output: {probes: {start: 0.015, a: {at: [0.5, 0.5, 0.5]}}}
)yaml");
  const Outcome run = run_dns({"run", path("closed.yaml"), "-o", path("run")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Lines lines = lines_of(table("run", "a"));
  EXPECT_EQ(lines[0], "step,time,velocity_x,velocity_y,velocity_z,pressure");
  EXPECT_EQ(steps_of(table("run", "a")), (std::vector<std::int64_t>{2, 3, 4}));
  for (const std::string& line : lines) EXPECT_LE(line.size(), 80U);  // numbers in float
}

TEST_F(ProbesOfARun, that_was_killed_and_went_on_are_those_of_a_run_in_one_go) {
  ASSERT_EQ(run_dns(run_into("whole", with_probes())).exit_code, 0);
  // Ends after step 26 without a checkpoint, as if killed: the newest is of step 20.
  ASSERT_EQ(
      run_dns(run_into("parts",
                       with_probes({"--steps", "26", "--set", "output.checkpoint.final=false"})))
          .exit_code,
      0);
  EXPECT_EQ(steps_of(table("parts", "lid")), steps_up_to(24, 3));
  std::string half = table("parts", "inside");
  write("parts/probes_inside.csv", half + "27,0.02");
  const Outcome resumed = run_dns(resume_in("parts", {"--steps", "40"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_records("parts", "whole");
}

TEST_F(ProbesOfARun, that_was_stopped_and_went_on_have_no_gap) {
  const Lines options = with_probes(
      {"--steps", "100000000", "--set", "output={fields: {every: 0}, checkpoint: {every: 0}}"},
      "1");
  Process run(run_into("parts", options));
  ASSERT_TRUE(has_begun("parts"));
  run.send(SIGTERM);
  ASSERT_EQ(run.wait().exit_code, 75);
  const std::int64_t steps = newest_state(path("parts")).step;
  EXPECT_EQ(steps_of(table("parts", "lid")), steps_up_to(steps, 1));
  const std::string last = std::to_string(steps + 5);
  ASSERT_EQ(run_dns(resume_in("parts", {"--steps", last})).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("whole", with_probes({"--steps", last}, "1"))).exit_code, 0);
  expect_same_records("parts", "whole");
}

TEST_F(ProbesOfARun, are_the_same_on_two_ranks) {
  const Lines options =
      with_probes({"--steps", "6", "--set", "grid.points=[13,11,18]", "--set", "run.threads=1"});
  ASSERT_EQ(run_dns(run_into("one", options)).exit_code, 0);
  Lines on_two = options;
  on_two.insert(on_two.end(), {"--ranks", "2"});
  const Outcome run = run_dns(run_into("two", on_two));
  if (run.exit_code == 2 && run.err.find("MPI") != std::string::npos) GTEST_SKIP() << run.err;
  ASSERT_EQ(run.exit_code, 0) << run.err;
  // Sums of the time step differ in their roundings; nothing of step 0 does.
  const Lines one = lines_of(table("one", "inside"));
  const Lines two = lines_of(table("two", "inside"));
  ASSERT_EQ(two.size(), one.size());
  EXPECT_EQ(two[0], one[0]);
  EXPECT_EQ(two[1], one[1]);
  EXPECT_EQ(steps_of(table("two", "lid")), steps_of(table("one", "lid")));
  EXPECT_EQ(values_of_line("two", "time"), values_of_line("one", "time"));
}

TEST_F(ProbesOfARun, that_would_move_are_refused_by_a_resume) {
  ASSERT_EQ(run_dns(run_into("run", with_probes({"--steps", "10"}))).exit_code, 0);
  const std::string before = table("run", "lid");
  const Outcome moved =
      run_dns(resume_in("run", {"--steps", "12", "--set", "output.probes.lid.at=[0.1, 1.2, 0.4]"}));
  EXPECT_EQ(moved.exit_code, 2);
  EXPECT_NE(moved.err.find("output.probes.lid: was elsewhere in the run so far"), std::string::npos)
      << moved.err;
  EXPECT_EQ(table("run", "lid"), before);
  const Outcome resumed = run_dns(
      resume_in("run", {"--steps", "12", "--set", "output.probes={every: 2, b: {at: [0, 0, 0]}}"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(table("run", "lid"), before);
  EXPECT_EQ(steps_of(table("run", "b")), (std::vector<std::int64_t>{12}));
}

TEST_F(ProbesOfARun, that_go_on_from_step_0_hold_it_once) {
  ASSERT_EQ(run_dns(run_into("run", with_probes({"--steps", "0"}))).exit_code, 0);
  EXPECT_EQ(steps_of(table("run", "lid")), (std::vector<std::int64_t>{0}));
  ASSERT_EQ(run_dns(resume_in("run", {"--steps", "7"})).exit_code, 0);
  EXPECT_EQ(steps_of(table("run", "lid")), (std::vector<std::int64_t>{0, 3, 6}));
  EXPECT_EQ(read_plane_series(path("run/probes_line.h5")).steps, (std::vector<double>{0, 3, 6}));
}

TEST_F(ProbesOfARun, are_replaced_with_the_run) {
  ASSERT_EQ(run_dns(run_into("run", with_probes())).exit_code, 0);
  EXPECT_EQ(run_dns(run_into("run")).exit_code, 2);
  ASSERT_EQ(run_dns(run_into("run", {"--force"})).exit_code, 0);
  EXPECT_TRUE(probes_with_tables(path("run")).empty());
  EXPECT_TRUE(planes_with_files(path("run"), probes_prefix).empty());
}

TEST_F(ProbesOfARun, that_diverges_are_those_of_sound_flows) {
  const Outcome run = run_dns(run_into("run", with_probes(until_it_diverges(), "1")));
  ASSERT_EQ(run.exit_code, 4) << run.err;
  const std::string text = table("run", "inside");
  EXPECT_GE(steps_of(text).size(), 2U);
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_EQ(text.find("inf"), std::string::npos) << text;
}

class LastLineOfTheTimeSeries : public RunTest {
 protected:
  [[nodiscard]] std::vector<std::int64_t> steps(const std::string& run) const {
    return steps_of(text_of(path(run + "/timeseries.csv")));
  }
};

TEST_F(LastLineOfTheTimeSeries, is_that_of_the_last_step_of_a_finished_run) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "26"})).exit_code, 0);
  std::vector<std::int64_t> wanted = steps_up_to(24, 3);
  wanted.push_back(26);
  EXPECT_EQ(steps("run"), wanted);
  ASSERT_EQ(run_dns(resume_in("run", {"--steps", "26"})).exit_code, 0);
  EXPECT_EQ(steps("run"), wanted);
  ASSERT_EQ(run_dns(run_into("due", {"--steps", "27"})).exit_code, 0);
  EXPECT_EQ(steps("due"), steps_up_to(27, 3));
  ASSERT_EQ(
      run_dns(run_into("none", {"--steps", "4", "--set", "output.timeseries.every=0"})).exit_code,
      0);
  EXPECT_FALSE(exists("none/timeseries.csv"));
}

/// In every step; the moving wall runs away after step 25.
TEST_F(LastLineOfTheTimeSeries, is_that_of_the_last_good_step_where_the_flow_diverges) {
  const std::vector<std::string> diverging{
      "--json",
      "--set",
      "output.timeseries.every=1",
      "--set",
      R"(boundaries.y_max.velocity=["t < 0.0255 ? 1 : 1e30", "0", "0"])"};
  for (const std::string steps : {"40", "26"}) {
    SCOPED_TRACE(steps);
    std::vector<std::string> options = diverging;
    options.insert(options.end(), {"--steps", steps, "--force"});
    const Outcome run = run_dns(run_into("run", options));
    EXPECT_EQ(run.exit_code, 4) << run.err;
    EXPECT_NE(run.err.find("step 26: the flow diverged: "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("last good step 25 (t = 0.025,"), std::string::npos) << run.err;
    EXPECT_EQ(json_member(run.out, "step"), "25");
    EXPECT_EQ(this->steps("run"), steps_up_to(25, 1));
  }
  const Outcome again = run_dns({"resume", path("run")});
  EXPECT_EQ(again.exit_code, 4) << again.err;
  EXPECT_EQ(steps("run"), steps_up_to(25, 1));
}

/// In every step: what stops between the step and its line leaves no gap.
TEST_F(LastLineOfTheTimeSeries, is_that_of_the_checkpoint_where_the_run_is_stopped) {
  std::vector<std::string> arguments = run_into("run", endless());
  arguments.insert(arguments.end(), {"--set", "output.timeseries.every=1"});
  Process run(arguments);
  ASSERT_TRUE(has_begun("run"));
  write("run/STOP", "");
  EXPECT_EQ(run.wait().exit_code, 75);
  const std::int64_t stopped = newest_state(path("run")).step;
  EXPECT_EQ(steps("run"), steps_up_to(stopped, 1));
  ASSERT_EQ(run_dns(resume_in("run", {"--steps", std::to_string(stopped + 5)})).exit_code, 0);
  EXPECT_EQ(steps("run"), steps_up_to(stopped + 5, 1));
}

TEST_F(LastLineOfTheTimeSeries, is_dropped_where_the_run_goes_on_from_there) {
  ASSERT_EQ(run_dns(run_into("whole")).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("parts", {"--steps", "26"})).exit_code, 0);
  ASSERT_EQ(run_dns(resume_in("parts", {"--steps", "40"})).exit_code, 0);
  EXPECT_EQ(series_without_clock(path("parts")), series_without_clock(path("whole")));
}

TEST_F(LastLineOfTheTimeSeries, stays_where_it_was_due_although_it_is_not_any_more) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "27"})).exit_code, 0);
  ASSERT_EQ(
      run_dns(resume_in("run", {"--steps", "31", "--set", "output.timeseries.every=5"})).exit_code,
      0);
  std::vector<std::int64_t> wanted = steps_up_to(27, 3);
  wanted.insert(wanted.end(), {30, 31});
  EXPECT_EQ(steps("run"), wanted);
}

TEST_F(LastLineOfTheTimeSeries, is_not_written_where_a_run_is_stopped) {
  Process run(run_into("run", endless()));
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGTERM);
  ASSERT_EQ(run.wait().exit_code, 75);
  for (const std::int64_t step : steps("run")) EXPECT_EQ(step % 3, 0) << step;
}

}  // namespace
}  // namespace dns::testing::test_probes_of_a_run
