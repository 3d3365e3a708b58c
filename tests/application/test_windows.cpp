/// Averages over windows of time: their files, and those of runs that were stopped, killed and
/// continued.
#include <cstring>
#include <filesystem>
#include <set>

#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_windows {
namespace {

/// 24 steps of 0.05; windows of 0.4 from t = 0.1 on end at 0.5, 0.9 and, cut short, at 1.2.
const std::string channel = R"yaml(
scheme: projection
device: cpu
grid: {points: [6, 8, 5], length: [3, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 50, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.2, 0, 0], temperature: 0}
  z: periodic
initial: {type: turbulent_channel, bulk_velocity: 1, amplitude: 0.2, temperature: "1 - y/2"}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {step: 0.05, steps: 24}
output:
  checkpoint: {every: 1, keep: 1000}
  statistics:
    start: 0.1
    every: 2
    window: 0.4
    quantities: {uT2: "u*T^2", rising: "v > 0"}
    phase: {period: 0.5, bins: 3}
)yaml";

class Windows : public RunTest {
 protected:
  void SetUp() override { write("case.yaml", channel); }

  [[nodiscard]] std::set<std::string> windows_of(const std::string& run) const {
    std::set<std::string> names;
    for (const NumberedFile& file : numbered_files(path(run), statistics_prefix))
      names.insert(file.name);
    return names;
  }
  [[nodiscard]] std::string info(const std::string& file) const {
    return run_dns({"info", path(file), "--json"}).out;
  }
  /// All that a file of averages holds, but for the case with the name of its folder.
  [[nodiscard]] std::string contents(const std::string& file) const {
    const Hdf5File averages = Hdf5File::open(path(file));
    std::string bytes;
    const auto add = [&](const void* values, std::size_t size) {
      bytes.append(static_cast<const char*>(values), size);
    };
    for (const char* const name : {"step", "samples"}) {
      const std::int64_t number = averages.read_integer(name);
      add(&number, sizeof number);
    }
    for (const char* const name : {"time", "first_time", "last_time", "friction_velocity"}) {
      const double number = averages.read_real(name);
      add(&number, sizeof number);
    }
    for (const std::string& name : averages.dataset_names()) {
      bytes += name;
      const DatasetReader dataset = averages.open_dataset(name);
      std::size_t size = sizeof(double);
      for (std::size_t n = 1; n < dataset.shape().size(); ++n) size *= dataset.shape()[n];
      dataset.read([&](hsize_t, hsize_t count, const void* values) { add(values, count * size); });
    }
    return bytes;
  }
  void expect_same_windows(const std::string& one, const std::string& other) const {
    EXPECT_EQ(windows_of(one), windows_of(other));
    for (const std::string& name : windows_of(one)) {
      EXPECT_TRUE(contents(one + "/" + name) == contents(other + "/" + name))
          << name << " of " << other;
    }
    for (const char* const whole : {"/statistics.h5", "/statistics_phase.h5"})
      EXPECT_TRUE(contents(one + whole) == contents(other + whole)) << whole << " of " << other;
  }
  /// A copy of a finished run as if it had been killed after the checkpoint of a step.
  [[nodiscard]] std::string killed(const std::string& run, std::int64_t step) const {
    const std::string name = run + "_killed_after_" + std::to_string(step);
    std::filesystem::copy(path(run), path(name));
    for (const NumberedFile& file : numbered_files(path(name), checkpoint_prefix)) {
      if (file.step > step) std::filesystem::remove(path(name + "/" + file.name));
    }
    return name;
  }
};

TEST_F(Windows, each_has_a_file_and_the_whole_time_too) {
  const Outcome outcome = run_dns(run_into("run"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(windows_of("run"),
            (std::set<std::string>{
                "statistics_00000010.h5", "statistics_00000018.h5", "statistics_00000024.h5"}));
  const std::string second = info("run/statistics_00000018.h5");
  EXPECT_EQ(json_member(second, "samples"), "4");
  EXPECT_NEAR(std::stod(json_member(second, "first_time")), 0.5, 1e-14);
  EXPECT_NEAR(std::stod(json_member(second, "last_time")), 0.9, 1e-14);
  EXPECT_EQ(json_member(second, "step"), "18");
  EXPECT_EQ(json_member(info("run/statistics_00000010.h5"), "samples"), "5");  // with t = 0.1
  EXPECT_EQ(json_member(info("run/statistics_00000024.h5"), "samples"), "3");
  const std::string folder = info("run");
  EXPECT_EQ(json_member(folder, "samples"), "12");
  EXPECT_EQ(json_member(folder, "windows"), "[10, 18, 24]");
}

TEST_F(Windows, of_a_run_killed_anywhere_are_those_of_one_that_was_not) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  for (const std::int64_t step : {1, 2, 3, 9, 10, 11, 17, 18, 19, 23}) {
    const std::string name = killed("run", step);
    const Outcome resumed = run_dns(resume_in(name));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    expect_same_windows("run", name);
    EXPECT_TRUE(same_bits(newest_state(path("run")), newest_state(path(name))));
  }
}

/// The window that the end of a run cut short goes on when the run does.
TEST_F(Windows, of_a_run_that_is_continued_are_those_of_one_that_did_not_stop) {
  ASSERT_EQ(run_dns(run_into("whole", {"--steps", "30"})).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "21"})).exit_code, 0);
  EXPECT_TRUE(exists("run/statistics_00000020.h5"));
  EXPECT_EQ(json_member(run_dns(resume_in("run", {"--json"})).out, "status"), "complete");
  EXPECT_TRUE(exists("run/statistics_00000020.h5"));
  std::filesystem::remove(path("run/statistics_00000020.h5"));
  EXPECT_EQ(json_member(run_dns(resume_in("run", {"--json"})).out, "status"), "finished");
  EXPECT_TRUE(exists("run/statistics_00000020.h5"));
  const Outcome more = run_dns(resume_in("run", {"--steps", "30"}));
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_EQ(windows_of("run"), windows_of("whole"));
  EXPECT_FALSE(exists("run/statistics_00000020.h5"));
  EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("run"))));
}

TEST_F(Windows, of_another_flow_end_with_it) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "14"})).exit_code, 0);
  const Outcome other = run_dns(resume_in("run", {"--steps", "22", "--set", "fluid.reynolds=60"}));
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_EQ(windows_of("run"),
            (std::set<std::string>{"statistics_00000010.h5",
                                   "statistics_00000014.h5",
                                   "statistics_00000018.h5",
                                   "statistics_00000022.h5"}));
  EXPECT_EQ(json_member(info("run/statistics_00000014.h5"), "samples"), "2");
  EXPECT_EQ(json_member(info("run/statistics_00000018.h5"), "samples"), "2");
  EXPECT_EQ(json_member(info("run"), "samples"), "4");
}

TEST_F(Windows, begin_where_a_run_without_them_asks_for_them) {
  const std::vector<std::string> none{"--steps", "14", "--set", "output.statistics={every: 2}"};
  ASSERT_EQ(run_dns(run_into("run", none)).exit_code, 0);
  EXPECT_TRUE(windows_of("run").empty());
  ASSERT_EQ(run_dns(resume_in("run", {"--steps", "20", "--set", "output.statistics.window=0.25"}))
                .exit_code,
            0);
  // The first averages are set aside, with the step of their last sample.
  EXPECT_EQ(windows_of("run"),
            (std::set<std::string>{"statistics_00000014.h5", "statistics_00000020.h5"}));
  EXPECT_EQ(json_member(info("run/statistics_00000014.h5"), "samples"), "7");
  EXPECT_EQ(json_member(info("run/statistics_00000020.h5"), "samples"), "3");
  EXPECT_EQ(json_member(info("run"), "samples"), "3");
}

}  // namespace
}  // namespace dns::testing::test_windows
