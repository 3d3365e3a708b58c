/// Every way to end has its exit code, and says why on stderr.
#include "tests/application/run_test.hpp"

namespace dns::testing {
namespace {

class ExitCodes : public RunTest {};

TEST_F(ExitCodes, a_finished_run_ends_with_0) {
  const Outcome run = run_dns(run_into("run"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.empty()) << run.out;
}

TEST_F(ExitCodes, wrong_usage_ends_with_2) {
  EXPECT_EQ(run_dns({}).exit_code, 2);
  EXPECT_EQ(run_dns({"run"}).exit_code, 2);
  EXPECT_EQ(run_dns({"run", case_file(), "one_too_many"}).exit_code, 2);
  EXPECT_EQ(run_dns({"run", case_file(), "--steps"}).exit_code, 2);
  EXPECT_EQ(run_dns({"run", case_file(), "--set", "no_equals_sign"}).exit_code, 2);
  EXPECT_EQ(run_dns({"run", case_file(), "--force", "--resume"}).exit_code, 2);
  EXPECT_EQ(run_dns({"keys", "no.such.key"}).exit_code, 2);
}

TEST_F(ExitCodes, every_mistake_of_a_case_is_told_and_ends_with_2_before_any_file) {
  const Outcome run =
      run_dns(run_into("run", {"--set", "fluid.reynolds=-500", "--set", "grid.lenght=[1, 1, 1]"}));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("fluid.reynolds"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("did you mean"), std::string::npos) << run.err;
  EXPECT_FALSE(exists("run"));
}

TEST_F(ExitCodes, a_missing_case_file_and_a_folder_without_checkpoint_end_with_3) {
  EXPECT_EQ(run_dns({"run", path("none.yaml")}).exit_code, 3);
  EXPECT_EQ(run_dns({"resume", path("none")}).exit_code, 3);
  write("none", "a file, not a folder");
  EXPECT_EQ(run_dns({"resume", path("none")}).exit_code, 3);
}

TEST_F(ExitCodes, a_folder_that_cannot_be_made_ends_with_3) {
  write("file", "not a folder");
  const Outcome run = run_dns(run_into("file/run"));
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_NE(run.err.find("file/run"), std::string::npos) << run.err;
}

TEST_F(ExitCodes, a_full_disk_ends_with_3) {
  Surroundings surroundings;
  surroundings.largest_file = 8192;  // enough for text, too little for a field
  // HDF5 leaks names when closing a file fails.
  surroundings.environment = {{"ASAN_OPTIONS", "detect_leaks=0"}};
  const Outcome run = run_dns(run_into("run"), surroundings);
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_NE(run.err.find("error:"), std::string::npos) << run.err;
}

TEST_F(ExitCodes, a_result_that_cannot_be_printed_ends_with_3) {
  Surroundings surroundings;
  surroundings.largest_file = 1;
  EXPECT_EQ(run_dns({"schema"}, surroundings).exit_code, 3);
}

TEST_F(ExitCodes, cuda_where_there_is_none_ends_with_2_or_5_and_says_so) {
  if (has_gpu()) GTEST_SKIP() << "a GPU is there";
  const Outcome run = run_dns(run_into("run", {"--device", "cuda"}));
  EXPECT_TRUE(run.exit_code == 2 || run.exit_code == 5) << run.exit_code;  // not built, no GPU
  EXPECT_FALSE(run.err.empty());
  EXPECT_FALSE(exists("run"));
}

TEST_F(ExitCodes, more_memory_than_there_is_ends_with_5_before_any_file) {
  const Outcome run = run_dns(run_into("run", {"--set", "grid.points=[10000, 10000, 10000]"}));
  EXPECT_EQ(run.exit_code, 5) << run.err;
  EXPECT_FALSE(run.err.empty());
  EXPECT_FALSE(exists("run"));
}

TEST_F(ExitCodes, a_flow_that_is_not_finite_at_the_start_ends_with_4) {
  const Outcome run =
      run_dns(run_into("run", {"--set", R"(initial.velocity=["1e200", "0", "0"])"}));
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_NE(run.err.find("step 0"), std::string::npos) << run.err;
  EXPECT_FALSE(exists("run/fields_00000000.h5"));
}

TEST_F(ExitCodes, a_flow_that_diverges_ends_with_4_and_keeps_the_last_good_checkpoint) {
  // The moving wall runs away after step 25.
  const Outcome run = run_dns(run_into(
      "run",
      {"--json", "--set", R"(boundaries.y_max.velocity=["t < 0.0255 ? 1 : 1e30", "0", "0"])"}));
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_NE(run.err.find("last good"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("CFL number ran away"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("at node ("), std::string::npos) << run.err;
  EXPECT_EQ(json_member(run.out, "status"), "diverged");
  EXPECT_EQ(newest_state(path("run")).step, 20);
  EXPECT_FALSE(exists("run/fields_00000040.h5"));
  EXPECT_NE(text_of(path("run/log.txt")).find("diverged"), std::string::npos);
}

}  // namespace
}  // namespace dns::testing
