/// Planes that a run records: their files at its end, after a stop, and after it went on.
#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/files/plane_records.hpp"
#include "solver/files/run_files.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_planes_of_a_run {
namespace {

class PlanesOfARun : public RunTest {
 protected:
  static std::vector<std::string> with_planes(std::vector<std::string> more = {},
                                              const std::string& every = "3") {
    more.insert(more.end(),
                {"--set",
                 "output.planes={every: " + every +
                     ", precision: double, inlet: {axis: x, at: 0.37}, lid: {axis: z, at: 0.8}}"});
    return more;
  }
  [[nodiscard]] PlaneRecords records_of(const std::string& run, const std::string& plane) const {
    return PlaneRecords(path(run + "/planes_" + plane + ".h5"));
  }
  void expect_same_records(const std::string& run, const std::string& reference) const {
    for (const char* const plane : {"inlet", "lid"}) {
      const PlaneRecords one = records_of(run, plane);
      const PlaneRecords other = records_of(reference, plane);
      ASSERT_EQ(one.times(), other.times()) << plane;
      for (std::size_t record = 0; record < one.times().size(); ++record) {
        for (int variable = 0; variable <= first_scalar; ++variable) {
          EXPECT_EQ(one.values(variable, record), other.values(variable, record))
              << plane << record;
        }
      }
    }
  }
  [[nodiscard]] std::vector<std::int64_t> pieces_of(const std::string& run) const {
    std::vector<std::int64_t> steps;
    for (const NumberedFile& file : numbered_files(path(run), planes_prefix, "inlet"))
      steps.push_back(file.step);
    return steps;
  }
};

TEST_F(PlanesOfARun, are_recorded_from_step_0_on_in_a_piece_before_each_checkpoint) {
  const Outcome run = run_dns(run_into("run", with_planes()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find(", planes every 3"), std::string::npos) << run.err;
  const PlaneRecords inlet = records_of("run", "inlet");
  ASSERT_EQ(inlet.times().size(), 15U);  // steps 0 to 39, and the last
  EXPECT_NEAR(inlet.times()[13], 0.039, 1e-15);
  EXPECT_NEAR(inlet.times()[14], 0.04, 1e-15);
  EXPECT_EQ(inlet.values(0, 14).size(), 11U * 9U);
  EXPECT_EQ(records_of("run", "lid").values(3, 0).size(), 13U * 11U);
  // The lid of y moves with velocity 1 along x.
  EXPECT_EQ(inlet.values(0, 5)[11 * 4 + 10], 1);
  EXPECT_EQ(pieces_of("run"), (std::vector<std::int64_t>{9, 18, 30, 40}));
  EXPECT_EQ(
      json_member(json_member(run_dns({"info", path("run"), "--json"}).out, "planes"), "inlet"),
      "[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 40]");
  EXPECT_NE(run_dns({"info", path("run")}).out.find("\nplanes inlet 15: steps 0 to 40\n"),
            std::string::npos);
  const Outcome info = run_dns({"info", path("run/planes_lid.h5")});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NE(info.out.find("(15, 11, 13) in the pieces"), std::string::npos) << info.out;
  EXPECT_EQ(run_dns({"info", path("run/planes_lid_00000009.h5")}).exit_code, 0);
}

TEST_F(PlanesOfARun, that_was_killed_and_went_on_are_those_of_a_run_in_one_go) {
  ASSERT_EQ(run_dns(run_into("whole", with_planes())).exit_code, 0);
  // Ends after step 26 without a checkpoint, as if killed: the newest is of step 20.
  ASSERT_EQ(
      run_dns(run_into("parts",
                       with_planes({"--steps", "26", "--set", "output.checkpoint.final=false"})))
          .exit_code,
      0);
  EXPECT_EQ(pieces_of("parts"), (std::vector<std::int64_t>{9, 18, 26}));
  const Outcome resumed = run_dns(resume_in("parts", {"--steps", "40"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(pieces_of("parts"), (std::vector<std::int64_t>{9, 18, 30, 40}));
  expect_same_records("parts", "whole");
}

TEST_F(PlanesOfARun, that_was_stopped_and_went_on_have_no_gap) {
  const std::vector<std::string> options = with_planes(
      {"--steps", "100000000", "--set", "output={fields: {every: 0}, checkpoint: {every: 0}}"},
      "1");
  Process run(run_into("parts", options));
  ASSERT_TRUE(has_begun("parts"));
  run.send(SIGTERM);
  ASSERT_EQ(run.wait().exit_code, 75);
  const auto steps = static_cast<std::int64_t>(records_of("parts", "inlet").times().size()) - 1;
  EXPECT_EQ(newest_state(path("parts")).step, steps);
  const std::string last = std::to_string(steps + 5);
  ASSERT_EQ(run_dns(resume_in("parts", {"--steps", last})).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("whole", with_planes({"--steps", last}, "1"))).exit_code, 0);
  expect_same_records("parts", "whole");
}

TEST_F(PlanesOfARun, taken_out_by_a_resume_stay_up_to_where_it_went_on) {
  ASSERT_EQ(
      run_dns(
          run_into("run", with_planes({"--steps", "26", "--set", "output.checkpoint.final=false"})))
          .exit_code,
      0);
  const Outcome resumed = run_dns(resume_in(
      "run", {"--steps", "40", "--set", "output.planes={every: 2, out: {axis: y, at: 0}}"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(records_of("run", "inlet").times().size(), 7U);  // up to step 18
  EXPECT_EQ(pieces_of("run"), (std::vector<std::int64_t>{9, 18}));
  EXPECT_EQ(records_of("run", "out").times().size(), 10U);  // steps 22 to 40
}

TEST_F(PlanesOfARun, that_goes_on_from_step_0_hold_it_once) {
  ASSERT_EQ(run_dns(run_into("run", with_planes({"--steps", "0"}))).exit_code, 0);
  EXPECT_EQ(records_of("run", "lid").times(), std::vector<double>{0});
  ASSERT_EQ(run_dns(resume_in("run", {"--steps", "0"})).exit_code, 0);
  EXPECT_EQ(records_of("run", "lid").times(), std::vector<double>{0});
  ASSERT_EQ(run_dns(resume_in("run", {"--steps", "7"})).exit_code, 0);
  EXPECT_EQ(records_of("run", "lid").times(), (std::vector<double>{0, 0.003, 0.006, 0.007}));
}

TEST_F(PlanesOfARun, are_replaced_with_the_run) {
  ASSERT_EQ(run_dns(run_into("run", with_planes())).exit_code, 0);
  const Outcome refused = run_dns(run_into("run"));
  EXPECT_EQ(refused.exit_code, 2);
  ASSERT_EQ(run_dns(run_into("run", {"--force"})).exit_code, 0);
  EXPECT_TRUE(planes_with_files(path("run")).empty());
}

TEST_F(PlanesOfARun, that_diverges_are_those_up_to_the_last_checkpoint) {
  std::vector<std::string> options = until_it_diverges();
  options.insert(options.end(), {"--set", "output.checkpoint.every=5"});
  const Outcome run = run_dns(run_into("run", with_planes(options, "1")));
  ASSERT_EQ(run.exit_code, 4) << run.err;
  std::int64_t newest = -1;
  for (const NumberedFile& file : numbered_files(path("run"), checkpoint_prefix))
    newest = file.step;
  const std::vector<std::int64_t> pieces = pieces_of("run");
  ASSERT_FALSE(pieces.empty());
  EXPECT_EQ(pieces.back(), newest);
}

}  // namespace
}  // namespace dns::testing::test_planes_of_a_run
