/// Runs that start from the file of another one.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "solver/files/run_files.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_started_run {
namespace {

/// A channel of scheme projection in which waves grow.
const std::string channel = R"yaml(
scheme: projection
grid: {points: [12, 14, 10], length: [3, 2, 1.5], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 500}
boundaries:
  x: periodic
  y_min: {type: wall}
  y_max: {type: wall}
  z: periodic
initial: {type: turbulent_channel, amplitude: 0.2}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {cfl: 0.7, end: 0.5}
output: {fields: {every: 4}}
)yaml";

class StartedRun : public RunTest {
 protected:
  void SetUp() override {
    write("case.yaml", channel);
    const Outcome run = run_dns(run_into("coarse"));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    file = path("coarse/" + numbered_files(path("coarse"), checkpoint_prefix).back().name);
    write("fine.yaml",
          R"yaml(
scheme: projection
grid: {points: [36, 22, 16], length: [6, 2, 1.5], stretching: {y: {factor: 1.8}}}
fluid: {reynolds: 500}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
initial: {type: file, path: )yaml" +
              file + R"yaml(}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {cfl: 0.7, steps: 5}
)yaml");
  }
  [[nodiscard]] Outcome fine(const std::vector<std::string>& more) const {
    std::vector<std::string> command{"run", path("fine.yaml"), "-o", path("fine")};
    command.insert(command.end(), more.begin(), more.end());
    return run_dns(command);
  }

  std::string file;
};

TEST_F(StartedRun, goes_on_in_a_longer_box_with_finer_cells) {
  const Outcome run = fine({"--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("\nstart      checkpoint " + file + ": step "), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("\n           12 x 14 x 10 cells interpolated to 36 x 22 x 16 cells "
                         "(cubic); x repeated 2 times; divergence removed\n"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(json_member(run.out, "first_step"), "0");
  // step, time, dt, cfl, divergence_mean, divergence_max, ...: of step 0
  std::ifstream series(path("fine/timeseries.csv"));
  std::string line;
  std::getline(series, line);
  std::getline(series, line);
  std::vector<double> values;
  std::stringstream row(line);
  for (std::string value; std::getline(row, value, ',');) values.push_back(std::stod(value));
  ASSERT_GT(values.size(), 6U);
  EXPECT_EQ(values[0], 0);
  EXPECT_LT(values[5], 1e-11);
  EXPECT_GT(values[6], 0.4);  // kinetic energy of a bulk velocity of 1
}

TEST_F(StartedRun, takes_the_newest_good_checkpoint_of_a_folder) {
  const std::string folder = path("coarse");
  // The newest by its name, but no checkpoint.
  std::ofstream(folder + "/checkpoint_99999999.h5") << "damaged";
  const Outcome run = fine({"--set", "initial.path=" + folder});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("\nstart      checkpoint " + file + ": step "), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("checkpoint skipped: " + folder + "/checkpoint_99999999.h5"),
            std::string::npos)
      << run.err;
  std::ifstream recorded(path("fine/case.yaml"));
  std::stringstream text;
  text << recorded.rdbuf();
  EXPECT_NE(text.str().find("path: \"" + file), std::string::npos) << text.str();
  const Outcome check = run_dns({"check", path("fine.yaml"), "--set", "initial.path=" + folder});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find("checkpoint " + file), std::string::npos) << check.out;
  std::filesystem::create_directory(path("empty"));
  const Outcome empty = fine({"--force", "--set", "initial.path=" + path("empty")});
  EXPECT_EQ(empty.exit_code, 3);
  EXPECT_NE(empty.err.find("initial.path: no checkpoint in " + path("empty")), std::string::npos)
      << empty.err;
}

TEST_F(StartedRun, says_on_which_line_a_file_is_named_that_does_not_do) {
  const Outcome missing = fine({"--set", "initial.path=gone.h5"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.err,
            "--set initial.path=gone.h5: initial.path: gone.h5 is not there, but must be a "
            "snapshot, a checkpoint or plain datasets of a flow\n");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  const Outcome damaged = fine({});
  EXPECT_EQ(damaged.exit_code, 3);
  EXPECT_EQ(damaged.err.find("error: " + path("fine.yaml") + ":6:23: initial.path: " + file), 0U)
      << damaged.err;
  std::filesystem::remove(file);
  for (const char* const command : {"run", "check"}) {
    const Outcome gone = run_dns({command, path("fine.yaml")});
    EXPECT_EQ(gone.exit_code, 2);
    EXPECT_EQ(gone.err,
              path("fine.yaml") + ":6:23: initial.path: " + file +
                  " is not there, but must be a snapshot, a checkpoint or plain datasets of a "
                  "flow\n");
  }
  EXPECT_FALSE(exists("fine"));
}

TEST_F(StartedRun, goes_on_when_the_file_is_gone) {
  ASSERT_EQ(fine({}).exit_code, 0);
  std::filesystem::remove(file);
  const Outcome resumed = run_dns(resume_in("fine", {"--steps", "7"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find("\nstart "), std::string::npos);
}

}  // namespace
}  // namespace dns::testing::test_started_run
