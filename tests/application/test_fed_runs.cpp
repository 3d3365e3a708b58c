/// Runs fed with the planes that another run has recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/files/plane_records.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_fed_runs {
namespace {

/// A channel, 9 x 11 x 10 cells with temperature, along x as given.
std::string channel(const std::string& along_x, const std::string& output) {
  return R"yaml(
scheme: projection
device: cpu
grid: {points: [9, 11, 10], length: [1.5, 2, 1.2], stretching: {y: {type: tanh, factor: 1.2}}}
fluid: {reynolds: 60, prandtl: 0.7}
boundaries:
)yaml" + along_x +
         R"yaml(
  y_min: {type: wall, temperature: 0}
  y_max: {type: wall, temperature: 1}
  z: periodic
initial:
  velocity: ["y*(2-y)*(1+0.3*sin(2*pi*x/1.5))", "0.2*sin(2*pi*z/1.2)*sin(pi*y)", "0.1*cos(2*pi*x/1.5)"]
  temperature: "0.5*y+0.1*sin(2*pi*x/1.5)"
time: {step: 0.01, steps: 20}
output: )yaml" +
         output;
}

class FedRuns : public RunTest {
 protected:
  void SetUp() override {
    write("source.yaml",
          channel("  x: periodic",
                  "{planes: {every: 2, precision: double, mid: {axis: x, at: 0.6}}}\n"));
    ASSERT_EQ(run_dns({"run", path("source.yaml"), "-o", path("source"), "-q"}).exit_code, 0);
    write("fed.yaml", fed_by("repeat"));
  }
  /// With the planes of the source, and a record of what enters.
  [[nodiscard]] static std::string fed_by(const std::string& beyond) {
    const std::string planes = "{planes: source/planes_mid.h5, beyond: " + beyond + "}";
    return channel("  x_min: {type: inflow, velocity: " + planes + ", temperature: " + planes +
                       "}\n  x_max: {type: outflow}",
                   "{checkpoint: {every: 5}, planes: {every: 2, precision: double, in: {axis: x, "
                   "at: 0}}}\n");
  }
  [[nodiscard]] Outcome run_fed(const std::string& folder,
                                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run", path("fed.yaml"), "-o", path(folder)};
    words.insert(words.end(), more.begin(), more.end());
    return run_dns(words);
  }
  [[nodiscard]] PlaneRecords records(const std::string& file) const {
    return PlaneRecords(path(file));
  }
};

TEST_F(FedRuns, take_in_what_was_recorded) {
  const Outcome run = run_fed("fed");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("inflow     x_min: velocity from planes " + path("source/planes_mid.h5") +
                         ", then repeat; temperature from planes "),
            std::string::npos)
      << run.err;
  const PlaneRecords given = records("source/planes_mid.h5");
  const PlaneRecords taken = records("fed/planes_in.h5");
  ASSERT_EQ(given.times(), taken.times());
  ASSERT_EQ(given.times().size(), 11U);
  for (std::size_t record = 1; record < given.times().size(); ++record) {  // 0: the start
    for (int variable = 0; variable <= first_scalar; ++variable) {
      const std::vector<double> one = given.values(variable, record);
      const std::vector<double> other = taken.values(variable, record);
      ASSERT_EQ(one.size(), other.size());
      double difference = 0;
      for (std::size_t n = 0; n < one.size(); ++n)
        difference = larger_or_nan(difference, std::abs(one[n] - other[n]));
      EXPECT_LT(difference, 1e-13) << "variable " << variable << ", record " << record;
    }
  }
}

TEST_F(FedRuns, go_on_bit_for_bit) {
  ASSERT_EQ(run_fed("whole").exit_code, 0);
  ASSERT_EQ(run_fed("parts", {"--steps", "13"}).exit_code, 0);
  const Outcome resumed = run_dns(resume_in("parts", {"--steps", "20"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(same_bits(newest_state(path("parts")), newest_state(path("whole"))));
}

TEST_F(FedRuns, repeat_hold_or_stop_beyond_the_record) {
  EXPECT_EQ(run_fed("repeating", {"--steps", "50"}).exit_code, 0);
  write("fed.yaml", fed_by("hold"));
  EXPECT_EQ(run_fed("holding", {"--steps", "50"}).exit_code, 0);
  write("fed.yaml", fed_by("stop"));
  EXPECT_EQ(run_fed("just_enough").exit_code, 0);
  const Outcome stopped = run_fed("stopping", {"--steps", "50"});
  EXPECT_EQ(stopped.exit_code, 75);
  EXPECT_NE(stopped.err.find("stopped by the end of the recorded inflow at t = 0.2 after step 20"),
            std::string::npos)
      << stopped.err;
  EXPECT_EQ(newest_state(path("stopping")).step, 20);
}

TEST_F(FedRuns, refuse_records_that_have_changed_or_are_gone) {
  ASSERT_EQ(run_fed("fed", {"--steps", "5"}).exit_code, 0);
  ASSERT_EQ(run_dns({"resume", path("source"), "--steps", "24", "-q"}).exit_code, 0);
  const Outcome resumed = run_dns(resume_in("fed", {"--steps", "10"}));
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_NE(resumed.err.find("planes_mid.h5 has changed: its checksum is "), std::string::npos)
      << resumed.err;
  std::filesystem::remove(path("source/planes_mid_00000010.h5"));
  for (const auto& entry : std::filesystem::directory_iterator(path("source"))) {
    if (entry.path().filename().string().starts_with("planes_mid_"))
      std::filesystem::remove(entry.path());
  }
  const Outcome without_piece = run_fed("other");
  EXPECT_EQ(without_piece.exit_code, 3) << without_piece.err;
  EXPECT_FALSE(exists("other"));
  std::filesystem::remove(path("source/planes_mid.h5"));
  const Outcome without_file = run_fed("other");
  EXPECT_EQ(without_file.exit_code, 2);
  EXPECT_NE(without_file.err.find("fed.yaml:7:"), std::string::npos) << without_file.err;
  EXPECT_NE(without_file.err.find("planes_mid.h5 is no file that can be read"), std::string::npos)
      << without_file.err;
}

}  // namespace
}  // namespace dns::testing::test_fed_runs
