/// Every way to end has its exit code, and says why on stderr.
#include <filesystem>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_exit_codes {
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

TEST_F(ExitCodes, a_limit_of_file_size_ends_every_command_that_writes_with_3) {
  Surroundings surroundings;
  surroundings.largest_file = 0;
  for (const std::vector<std::string>& arguments :
       {run_into("run"), std::vector<std::string>{"new", path("fresh")}}) {
    const Outcome outcome = run_dns(arguments, surroundings);
    EXPECT_EQ(outcome.exit_code, 3) << arguments.front();
  }
}

TEST_F(ExitCodes, names_too_long_and_links_that_go_round_end_with_3) {
  std::filesystem::create_symlink(path("round"), path("round"));
  const std::string long_name(255, 'n');
  const std::string long_path(5000, 'p');
  for (const std::string& name :
       {path("round"), path("round") + "/x", path(long_name), long_path}) {
    for (const std::string verb : {"run", "check", "resume", "info"}) {
      const Outcome outcome = run_dns({verb, name});
      EXPECT_EQ(outcome.exit_code, 3) << verb << outcome.err;
      EXPECT_NE(outcome.err.find(name + ": "), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(run_dns({"new", name + "/x"}).exit_code, 3) << name;
    EXPECT_EQ(run_dns({"bench", "sweep", "--csv", name + "/x.csv"}).exit_code, 3) << name;
    if (name == path(long_name)) continue;  // a name of 255 letters is fine for a folder
    EXPECT_EQ(run_dns({"run", case_file(), "-o", name}).exit_code, 3) << name;
  }
  EXPECT_EQ(run_dns({"run", case_file(), "-o", path(long_name) + "n"}).exit_code, 3);
}

TEST_F(ExitCodes, a_folder_where_a_file_belongs_ends_with_2_as_an_argument_else_with_3) {
  const std::string folder = path("folder.yaml");
  std::filesystem::create_directories(path("run/timeseries.csv"));
  std::filesystem::create_directory(folder);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", folder},
                                                    {"check", folder},
                                                    {"new", path("folder"), "--force"},
                                                    {"bench", "sweep", "--csv", folder}}) {
    const Outcome outcome = run_dns(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments.front() << outcome.err;
    EXPECT_NE(outcome.err.find(folder + (arguments.front() == "new" ? " " : ": ") + "is a folder"),
              std::string::npos)
        << outcome.err;
  }
  const Outcome run = run_dns(run_into("run", {"--force"}));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("timeseries.csv: opening the file: it is no ordinary file"),
            std::string::npos)
      << run.err;
}

TEST_F(ExitCodes, more_threads_than_make_sense_end_with_2_wherever_they_are_asked_for) {
  Surroundings surroundings;
  surroundings.environment = {{"OMP_NUM_THREADS", "65536"}};
  const std::vector<std::string> check{"check", case_file()};
  for (const std::string number : {"65536", "1000000"}) {
    EXPECT_EQ(run_dns({"run", case_file(), "--threads", number}).exit_code, 2);
    EXPECT_EQ(run_dns({"check", case_file(), "--set", "run.threads=" + number}).exit_code, 2);
    EXPECT_EQ(run_dns({"bench", "sweep", "--threads", number}).exit_code, 2);
  }
  const Outcome typed = run_dns({"run", case_file(), "--threads", "16384"});
  EXPECT_EQ(typed.err.find("--threads is 16384, but must be at most "), 0U) << typed.err;
  const Outcome inherited = run_dns(check, surroundings);
  EXPECT_EQ(inherited.exit_code, 2);
  EXPECT_EQ(inherited.err.find("OMP_NUM_THREADS is 65536, but must be at most "), 0U);
  write("many.yaml", text_of(case_file()) + "run: {threads: 65536}\n");
  surroundings.environment = {{"OMP_NUM_THREADS", ""}};  // else it comes before the case
  const Outcome written = run_dns({"check", path("many.yaml")}, surroundings);
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_NE(written.err.find("run.threads is 65536, but must be at most "), std::string::npos)
      << written.err;
  EXPECT_EQ(run_dns({"check", path("many.yaml"), "--threads", "64"}).exit_code, 0);
}

TEST_F(ExitCodes, threads_that_cannot_be_made_end_with_5_before_any_file) {
  Surroundings surroundings;
  surroundings.environment = {{"OPENBLAS_NUM_THREADS", "1"}};  // it makes its own before we begin
  surroundings.stack = 1L << 45;  // two of them are half of what there is to address
  const Outcome run = run_dns(run_into("run", {"--threads", "8"}), surroundings);
  EXPECT_EQ(run.exit_code, 5) << run.err;
  EXPECT_EQ(run.err.find("error: 8 threads cannot be made: "), 0U) << run.err;
  EXPECT_FALSE(exists("run"));
}

TEST_F(ExitCodes, a_stack_that_is_too_small_ends_with_5_before_any_file) {
  Surroundings surroundings;
  surroundings.stack = 128 << 10;
  const Outcome run = run_dns(run_into("run", {"--threads", "2"}), surroundings);
  EXPECT_EQ(run.exit_code, 5) << run.err;
  EXPECT_NE(run.err.find("ulimit -s"), std::string::npos) << run.err;
  EXPECT_FALSE(exists("run"));
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

TEST_F(ExitCodes, a_flow_in_that_cannot_flow_out_ends_with_2_before_any_file) {
  const auto blown_through = [&](const std::string& out) {
    write("case.yaml",
          "scheme: projection\ndevice: cpu\ngrid: {points: [8, 8, 8], length: [1, 2, 1]}\n"
          "fluid: {reynolds: 10}\nboundaries:\n  x_min: {type: inflow, velocity: [1, 0, 0]}\n"
          "  x_max: " +
              out + "\n  y: periodic\n  z: periodic\ntime: {step: 0.01, steps: 1}\n");
    return run_into("run");
  };
  const std::vector<std::string> run = blown_through("{type: wall}");
  for (const std::vector<std::string>& arguments : {run, {"check", case_file()}}) {
    const Outcome outcome = run_dns(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments.front();
    EXPECT_EQ(outcome.err,
              case_file() +
                  ":5:1: boundaries: what flows into the box through its faces does not flow out "
                  "(net 2.000000 of 2.000000 U L^2 in and out); let one face be of type outflow\n");
    EXPECT_FALSE(exists("run"));
  }
  EXPECT_EQ(run_dns(blown_through("{type: inflow, velocity: [0.81, 0, 0]}")).exit_code, 2);
  EXPECT_EQ(run_dns(blown_through("{type: inflow, velocity: [0.82, 0, 0]}")).exit_code, 0);
}

/// What flows in grows until it cannot flow out any more: the last step that could be is kept.
TEST_F(ExitCodes, a_flow_in_that_cannot_flow_out_any_more_ends_with_2_and_a_checkpoint) {
  write("case.yaml",
        "scheme: projection\ngrid: {points: [8, 8, 8], length: [1, 1, 1]}\n"
        "fluid: {reynolds: 10}\nboundaries:\n"
        "  x_min: {type: inflow, velocity: [\"1+t\", 0, 0]}\n"
        "  x_max: {type: inflow, velocity: [1, 0, 0]}\n  y: periodic\n  z: periodic\n"
        "initial: {velocity: [1, 0, 0]}\ntime: {step: 0.05, steps: 20}\n");
  const Outcome run = run_dns({"run", path("case.yaml"), "-o", path("run"), "-q"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.err.find("after step 4 (t = 0.2), of which there is a checkpoint: boundaries: what "
                         "flows into the box"),
            std::string::npos)
      << run.err;
  EXPECT_TRUE(exists("run/checkpoint_00000004.h5"));
  EXPECT_EQ(run_dns({"resume", path("run"), "-q", "--steps", "4"}).exit_code, 0);
  EXPECT_EQ(run_dns({"resume", path("run"), "-q"}).exit_code, 2);
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

TEST_F(ExitCodes, a_flow_that_diverges_while_its_checkpoint_fails_ends_with_4_and_tells_both) {
  Surroundings surroundings;
  surroundings.largest_file = 16384;  // enough for text, too little for the checkpoint
  surroundings.environment = {{"ASAN_OPTIONS", "detect_leaks=0"}};  // HDF5 leaks, as above
  // The moving wall runs away right after the only checkpoint.
  const Outcome run =
      run_dns(run_into("run",
                       {"--set",
                        "output.checkpoint.every=25",
                        "--set",
                        "output.fields.every=0",
                        "--set",
                        R"(boundaries.y_max.velocity=["t < 0.0255 ? 1 : 1e30", "0", "0"])"}),
              surroundings);
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_NE(run.err.find("step 26: the flow diverged: "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("last good step 25 "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("; moreover " + path("run/checkpoint_00000025.h5.part") + ": "),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("File too large; no checkpoint was written\n"), std::string::npos)
      << run.err;
  EXPECT_FALSE(exists("run/checkpoint_00000025.h5"));
}

}  // namespace
}  // namespace dns::testing::test_exit_codes
