/// A run's folder: what is in it, and when it may be written over.
#include <algorithm>
#include <csignal>
#include <filesystem>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_case_and_folder {
namespace {

class RunFolder : public RunTest {};

TEST_F(RunFolder, holds_case_fields_series_checkpoints_and_log) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  for (const char* name : {"case.yaml",
                           "fields.xdmf",
                           "fields_00000000.h5",
                           "fields_00000020.h5",
                           "fields_00000040.h5",
                           "timeseries.csv",
                           "checkpoint_00000030.h5",
                           "checkpoint_00000040.h5",
                           "log.txt"}) {
    EXPECT_TRUE(exists(std::string("run/") + name)) << name;
  }
  EXPECT_FALSE(exists("run/checkpoint_00000010.h5"));  // keep: 2
}

TEST_F(RunFolder, its_case_reproduces_the_run) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const Outcome again =
      run_dns({"run", path("run/case.yaml"), "-o", path("again"), "--threads", "1"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(same_bits(newest_state(path("run")), newest_state(path("again"))));
  EXPECT_EQ(series_without_clock(path("run")), series_without_clock(path("again")));
}

TEST_F(RunFolder, an_existing_run_is_not_written_over_without_force) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const std::string series = text_of(path("run/timeseries.csv"));
  const Outcome second = run_dns(run_into("run"));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.err.find("--force"), std::string::npos) << second.err;
  EXPECT_EQ(text_of(path("run/timeseries.csv")), series);
}

TEST_F(RunFolder, in_use_is_refused_to_every_other_run_until_its_own_is_gone) {
  Process first(run_into("run", endless()));
  ASSERT_TRUE(has_begun("run"));
  ASSERT_TRUE(wait_until([&] { return !text_of(path("run/run.lock")).empty(); }));
  const std::string series = text_of(path("run/timeseries.csv"));
  for (const auto& arguments : {run_into("run"),
                                run_into("run", {"--force"}),
                                run_into("run", {"--resume"}),
                                resume_in("run")}) {
    const Outcome second = run_dns(arguments);
    EXPECT_EQ(second.exit_code, 2) << second.err;
    EXPECT_NE(second.err.find("is in use: process "), std::string::npos) << second.err;
  }
  EXPECT_TRUE(first.is_running());
  EXPECT_TRUE(text_of(path("run/timeseries.csv")).starts_with(series));
  first.send(SIGKILL);
  first.wait();
  EXPECT_TRUE(exists("run/run.lock"));
  const Outcome after = run_dns(run_into("run", {"--force"}));
  EXPECT_EQ(after.exit_code, 0) << after.err;
  EXPECT_FALSE(exists("run/run.lock"));
}

TEST_F(RunFolder, whose_record_is_taken_away_ends_the_run_with_3_and_a_checkpoint) {
  for (const char* const name : {"log.txt", "timeseries.csv"}) {
    std::filesystem::remove_all(path("run"));
    Process run(run_into("run", endless()));
    ASSERT_TRUE(has_begun("run"));
    std::filesystem::remove(path("run") + "/" + name);
    const Outcome outcome = run.wait();
    EXPECT_EQ(outcome.exit_code, 3) << name;
    EXPECT_NE(outcome.err.find(std::string(name) + " is gone or is another one now: the run ended"),
              std::string::npos)
        << outcome.err;
    const Outcome resumed = run_dns(resume_in("run", {"--steps", "1"}));
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  }
  std::filesystem::remove_all(path("run"));
  Process run(run_into("run", quietly("100000000")));
  ASSERT_TRUE(has_begun("run"));
  std::filesystem::rename(path("run"), path("moved"));
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("run is gone or is another one now"), std::string::npos)
      << outcome.err;
}

TEST_F(RunFolder, force_starts_again_from_nothing) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const Outcome second = run_dns(run_into("run", {"--force", "--steps", "5"}));
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(newest_state(path("run")).step, 5);
  EXPECT_FALSE(exists("run/checkpoint_00000040.h5"));
  EXPECT_FALSE(exists("run/fields_00000040.h5"));
}

TEST_F(RunFolder, force_with_a_wrong_case_leaves_the_old_run_alone) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  EXPECT_EQ(run_dns(run_into("run", {"--force", "--steps", "-5"})).exit_code, 2);
  EXPECT_EQ(newest_state(path("run")).step, 40);
}

TEST_F(RunFolder, time_series_starts_with_step_0_and_goes_on_every_third) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const std::string series = series_without_clock(path("run"));
  EXPECT_EQ(std::count(series.begin(), series.end(), '\n'),
            1 + 15);  // steps 0, 3, ..., 39, and the last
  EXPECT_NE(series.find("\n0,"), std::string::npos);
  EXPECT_NE(series.find("\n39,"), std::string::npos);
}

}  // namespace
}  // namespace dns::testing::test_case_and_folder
