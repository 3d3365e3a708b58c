/// Signals, the file STOP and the wall clock end a run with a checkpoint, and say so.
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "solver/files/run_files.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_stopping {
namespace {

class Stopping : public RunTest {
 protected:
  /// A run without end, a few steps after its start.
  [[nodiscard]] std::vector<std::string> endless_run() const { return run_into("run", endless()); }

  /// The run ended as asked for, and what it left goes on to the bits of a run never stopped.
  void expect_stopped_and_resumable(const Outcome& run) const {
    EXPECT_EQ(run.exit_code, 75) << run.err;
    EXPECT_EQ(json_member(run.out, "status"), "stopped");
    EXPECT_NE(run.err.find("dns resume"), std::string::npos) << run.err;
    const FlowState state = newest_state(path("run"));
    ASSERT_EQ(std::to_string(state.step), json_member(run.out, "step"));
    const std::string steps = std::to_string(state.step + 17);
    const Outcome resumed = run_dns(resume_in(
        "run", {"--steps", steps, "--threads", "2", "--set", "output.checkpoint.every=10"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    ASSERT_EQ(run_dns(run_into("whole", quietly(steps))).exit_code, 0);
    EXPECT_TRUE(same_bits(newest_state(path("run")), newest_state(path("whole"))));
    EXPECT_EQ(series_without_clock(path("run")), series_without_clock(path("whole")));
  }

  /// A run whose first step takes very long: signals have to speak within it.
  [[nodiscard]] std::vector<std::string> long_step() const {
    return run_into("run", {"--set", "time.local_iterations=1000000"});
  }

  /// Waits until that step has begun: the row of the start is written shortly before it.
  [[nodiscard]] bool is_in_long_step(const Process& run) const {
    if (!wait_until([&] { return text_of(path("run/timeseries.csv")).size() > 200; })) return false;
    constexpr double more_than_what_lies_between = 0.3;  // [s]
    const double then = run.cpu_time();
    return wait_until([&] { return run.cpu_time() > then + more_than_what_lies_between; });
  }

  [[nodiscard]] static bool has_heard(Process& run) {
    return wait_until(
        [&] { return run.err_so_far().find("ends after this step") != std::string::npos; });
  }

  [[nodiscard]] bool has_snapshot() const {
    return !numbered_files(path("run"), snapshot_prefix).empty();
  }
};

TEST_F(Stopping, sigterm_sigxcpu_sigusr2_sigint_and_sighup_end_with_a_checkpoint_and_75) {
  for (const int signal : {SIGTERM, SIGXCPU, SIGUSR2, SIGINT, SIGHUP}) {
    std::filesystem::remove_all(path("run"));
    std::filesystem::remove_all(path("whole"));
    Process run(endless_run());
    ASSERT_TRUE(has_begun("run"));
    run.send(signal);
    const Outcome outcome = run.wait();
    EXPECT_NE(outcome.err.find("ends after this step"), std::string::npos) << outcome.err;
    expect_stopped_and_resumable(outcome);
  }
}

TEST_F(Stopping, signals_count_from_the_first_moment_on) {
  // The case comes through a pipe: until it is written there, the program waits for it.
  for (const int signal : {SIGTERM, SIGXCPU, SIGUSR2, SIGINT, SIGHUP, SIGUSR1}) {
    std::filesystem::remove_all(path("run"));
    NamedPipe pipe(path("pipe.yaml"));
    Process run({"run", path("pipe.yaml"), "-o", path("run"), "--threads", "1"});
    ASSERT_TRUE(wait_until([&] { return run.has_open(path("pipe.yaml")); }));
    run.send(signal);
    pipe.write(text_of(case_file()));
    pipe.close();
    const Outcome outcome = run.wait();
    const bool goes_on = signal == SIGUSR1;
    EXPECT_EQ(outcome.exit_code, goes_on ? 0 : 75) << signal << outcome.err;
    EXPECT_EQ(exists("run/checkpoint_00000000.h5"), !goes_on) << "stopped before the first step";
    EXPECT_EQ(exists("run/fields_00000001.h5"), goes_on) << "as SIGUSR1 asks for";
  }
}

TEST_F(Stopping, a_check_ends_at_a_signal_like_any_program) {
  const std::string pipe = path("pipe.yaml");
  const NamedPipe held(pipe);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", pipe}, {"run", pipe, "--dry-run"}}) {
    Process check(arguments);
    ASSERT_TRUE(wait_until([&] { return check.has_open(pipe); }));
    check.send(SIGTERM);
    EXPECT_EQ(check.wait(std::chrono::seconds(20)).exit_code, -1) << "ended by the signal";
  }
}

TEST_F(Stopping, a_second_sigint_leaves_at_once_with_130) {
  Process run(long_step());
  ASSERT_TRUE(is_in_long_step(run));
  run.send(SIGINT);
  ASSERT_TRUE(has_heard(run));
  EXPECT_TRUE(run.is_running());
  run.send(SIGINT);
  EXPECT_EQ(run.wait(std::chrono::seconds(5)).exit_code, 130);
}

TEST_F(Stopping, a_second_sigterm_that_comes_later_leaves_at_once_with_130) {
  Process run(long_step());
  ASSERT_TRUE(is_in_long_step(run));
  run.send(SIGTERM);
  run.send(SIGTERM);  // at once, as queues may send it: the same request
  ASSERT_TRUE(has_heard(run));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_TRUE(run.is_running());
  run.send(SIGTERM);
  EXPECT_EQ(run.wait(std::chrono::seconds(5)).exit_code, 130);
}

TEST_F(Stopping, sigusr1_writes_a_snapshot_and_a_checkpoint_and_goes_on) {
  std::vector<std::string> arguments = endless_run();
  arguments.insert(arguments.end(), {"--set", "output.checkpoint.every=0"});
  Process run(arguments);
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGUSR1);
  ASSERT_TRUE(wait_until(
      [&] { return has_snapshot() && !numbered_files(path("run"), checkpoint_prefix).empty(); }));
  EXPECT_TRUE(wait_until([&] { return exists("run/fields.xdmf"); }));
  EXPECT_TRUE(run.is_running());
  run.send(SIGTERM);
  expect_stopped_and_resumable(run.wait());
}

TEST_F(Stopping, a_file_stop_ends_it_and_is_removed) {
  Process run(endless_run());
  ASSERT_TRUE(has_begun("run"));
  write("run/STOP", "");
  const Outcome outcome = run.wait();
  EXPECT_FALSE(exists("run/STOP"));
  EXPECT_NE(outcome.err.find("STOP"), std::string::npos);
  expect_stopped_and_resumable(outcome);
}

TEST_F(Stopping, a_file_stop_that_came_too_late_does_not_end_the_next_run) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  write("run/STOP", "");
  EXPECT_EQ(run_dns(resume_in("run", {"--steps", "50"})).exit_code, 0);
  EXPECT_EQ(newest_state(path("run")).step, 50);
  EXPECT_FALSE(exists("run/STOP"));
}

TEST_F(Stopping, an_empty_folder_stop_ends_it_and_does_not_end_the_next_run) {
  Process run(endless_run());
  ASSERT_TRUE(has_begun("run"));
  std::filesystem::create_directory(path("run/STOP"));
  const Outcome outcome = run.wait();
  EXPECT_FALSE(exists("run/STOP"));
  expect_stopped_and_resumable(outcome);
  std::filesystem::create_directory(path("run/STOP"));
  EXPECT_EQ(run_dns(run_into("run", {"--force"})).exit_code, 0);
  EXPECT_FALSE(exists("run/STOP"));
}

TEST_F(Stopping, a_stop_that_cannot_be_removed_ends_no_run_and_is_named) {
  Process run(endless_run());
  ASSERT_TRUE(has_begun("run"));
  std::filesystem::create_directories(path("made/full"));
  std::filesystem::rename(path("made"), path("run/STOP"));
  ASSERT_TRUE(
      wait_until([&] { return run.err_so_far().find(path("run/STOP")) != std::string::npos; }));
  EXPECT_TRUE(run.is_running());
  run.send(SIGTERM);
  const Outcome outcome = run.wait();
  expect_stopped_and_resumable(outcome);
  const Outcome again = run_dns(run_into("run", {"--force"}));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.err.find(path("run/STOP")), std::string::npos) << again.err;
  EXPECT_NE(again.err.find("Directory not empty"), std::string::npos) << again.err;
  EXPECT_TRUE(exists("run/STOP/full"));
}

TEST_F(Stopping, the_wall_clock_ends_it_before_its_limit_also_after_a_resume) {
  const auto seconds_of = [](const std::vector<std::string>& arguments, Outcome& outcome) {
    const auto start = std::chrono::steady_clock::now();
    outcome = run_dns(arguments);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<std::string> arguments = endless_run();
  arguments.insert(arguments.end(), {"--set", "run.wall_time_limit=5"});
  Outcome first;
  EXPECT_LT(seconds_of(arguments, first), 5);
  EXPECT_EQ(first.exit_code, 75) << first.err;
  EXPECT_NE(first.err.find("wall_time_limit"), std::string::npos) << first.err;
  Outcome second;
  EXPECT_LT(seconds_of(resume_in("run", {"--json"}), second), 5);
  EXPECT_EQ(second.exit_code, 75) << second.err;
  EXPECT_GT(std::stol(json_member(second.out, "step")), std::stol(json_member(first.out, "step")));
}

}  // namespace
}  // namespace dns::testing::test_stopping
