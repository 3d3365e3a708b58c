/// However a run on several ranks ends, all of them end, with one exit code and one message.

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/ranks/rank_test.hpp"

namespace dns::testing::test_ends_of_ranks {
namespace {

constexpr std::chrono::seconds soon{30};

class EndsOfRanks : public RankTest {
 protected:
  void SetUp() override {
    RankTest::SetUp();
    write("case.yaml", projection_walls.yaml);
  }

  [[nodiscard]] std::vector<std::string> endless_run() const {
    std::vector<std::string> words = run_into("run", endless());
    words.insert(words.end(), {"-q", "--set", "output.checkpoint.every=0"});
    return words;
  }

  [[nodiscard]] std::vector<std::string> endless_run_that_starts_ranks() const {
    std::vector<std::string> words = endless_run();
    words.insert(words.end(), {"--ranks", "2"});
    return words;
  }

  /// mpirun of a run that has begun, stopped: nothing ends before a second signal comes. 0: none.
  [[nodiscard]] pid_t stopped_launcher(const Process& run) const {
    if (!has_begun("run") || run.children().size() != 1) return 0;
    const pid_t launcher = run.children()[0];
    kill(launcher, SIGSTOP);
    return launcher;
  }

  static void expect_left_at_once(Process& run, pid_t launcher) {
    EXPECT_EQ(run.wait(soon).exit_code, 130);
    kill(launcher, SIGCONT);
    EXPECT_TRUE(wait_until([&] { return !is_alive(launcher); }));
  }

  /// Two ranks: the program, and a line of shell in which "$0" "$@" is the program, too. (Not by
  /// mpirun -n 1 ... : -n 1 ...: that of Debian's Open MPI 5.0.7 crashes at any ":".)
  static Surroundings beside(const std::string& line_of_rank_1) {
    Surroundings surroundings = on(2);
    const std::string own_line =
        "[ ${OMPI_COMM_WORLD_RANK-$PMI_RANK} = 0 ] && exec \"$0\" \"$@\"; ";
    surroundings.launcher.insert(surroundings.launcher.end(),
                                 {"sh", "-c", own_line + line_of_rank_1});
    return surroundings;
  }

  /// Whether mpirun sends SIGUSR1 on to what it has started. It should; on some hosts (gVisor) it
  /// never sees the signal.
  [[nodiscard]] bool mpirun_passes_sigusr1_on() const {
    Surroundings surroundings = on(1);
    surroundings.launcher.insert(surroundings.launcher.end(),
                                 {"sh",
                                  "-c",
                                  "trap 'exit 0' USR1; : >'" + path("trapped") +
                                      "'; while kill -0 \"$PPID\"; do sleep 0.1; done; exit 1"});
    Process shell({}, surroundings);
    EXPECT_TRUE(wait_until([&] { return std::filesystem::exists(path("trapped")); }));
    shell.send(SIGUSR1);
    return shell.wait(std::chrono::seconds{10}).exit_code == 0;
  }

  /// How often `text` stands in `said`.
  static int count(const std::string& said, const std::string& text) {
    int times = 0;
    for (std::size_t at = said.find(text); at != std::string::npos; at = said.find(text, at + 1))
      ++times;
    return times;
  }

  /// false for one of which nobody has asked how it ended.
  static bool is_alive(pid_t process) {
    const std::string stat = text_of("/proc/" + std::to_string(process) + "/stat");
    const std::size_t name_end = stat.rfind(") ");  // PID (NAME) STATE
    return name_end != std::string::npos && stat[name_end + 2] != 'Z';
  }

  /// Files of the folder that were not completed.
  [[nodiscard]] long parts_in(const std::string& name) const {
    return std::ranges::count_if(
        std::filesystem::directory_iterator(path(name)),
        [](const auto& entry) { return entry.path().extension() == ".part"; });
  }

  /// A stopped run left a checkpoint of its last step, which one rank goes on from.
  void expect_stopped_and_resumable(const Outcome& run) const {
    EXPECT_EQ(run.exit_code, 75) << run.err;
    EXPECT_EQ(json_member(run.out, "status"), "stopped");
    const FlowState state = newest_state(path("run"));
    EXPECT_EQ(std::to_string(state.step), json_member(run.out, "step"));
    const Outcome resumed = run_dns(resume_in("run", {"--steps", std::to_string(state.step + 3)}));
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  }

  /// A run that was sent SIGUSR1 writes and goes on until it is stopped.
  void expect_output_then_stop(Process& run) const {
    EXPECT_TRUE(wait_until([&] {
      return text_of(path("run/log.txt")).find("SIGUSR1: writing") != std::string::npos ||
             !run.is_running();
    }));
    EXPECT_TRUE(run.is_running()) << run.err_so_far();
    run.send(SIGUSR2);
    expect_stopped_and_resumable(run.wait(soon));
  }
};

TEST_F(EndsOfRanks, a_wrong_case_is_said_once_and_ends_with_2) {
  const Outcome run = Process(run_into("run", {"--set", "fluid.reynolds=-1"}), on(3)).wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "fluid.reynolds is -1"), 1) << run.err;
  EXPECT_FALSE(exists("run"));
}

TEST_F(EndsOfRanks, a_wrong_option_is_said_once_and_ends_with_2) {
  const Outcome run = Process(run_into("run", {"--bogus"}), on(3)).wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "unknown option '--bogus'"), 1) << run.err;
}

TEST_F(EndsOfRanks, ranks_that_were_started_for_different_cases_are_refused) {
  write("other.yaml", projection_walls.yaml);
  const std::string other = "exec \"$0\" run " + path("other.yaml") + " -o " + path("run");
  const Outcome run = Process(run_into("run"), beside(other)).wait(soon);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(count(run.err, "ranks 0 and 1 were started with different arguments: 'dns run "), 1)
      << run.err;
  EXPECT_FALSE(exists("run"));
}

/// A rank of another program never joins: MPI alone would wait for it for ever.
TEST_F(EndsOfRanks, a_rank_that_is_another_program_ends_all) {
  const std::string sleeps = "exec sleep 60";
  for (const std::string& other :
       {sleeps, std::string("exec true"), "exec \"$0\" check " + case_file()}) {
    SCOPED_TRACE(other);
    Surroundings surroundings = beside(other);
    surroundings.environment = {{"DNS_RANK_TIMEOUT", "2"}};
    const Outcome run = Process(run_into("run"), surroundings).wait(soon);
    // mpirun may notice by itself that a process has left, with a code of its own.
    const bool may_be_noticed = other != sleeps;
    EXPECT_TRUE(run.exit_code == 5 || (may_be_noticed && run.exit_code > 0))
        << run.exit_code << " " << run.err;
    if (run.exit_code == 5) {
      const std::string words =
          "rank 0: not all of the 2 processes that mpirun started have joined";
      EXPECT_EQ(count(run.err, words), 1) << run.err;
    }
    EXPECT_FALSE(exists("run"));
  }
}

TEST_F(EndsOfRanks, a_signal_ends_a_rank_that_waits_for_another_program) {
  Process run(run_into("run"), beside("trap '' USR2; sleep 60"));
  ASSERT_TRUE(wait_until([&] { return run.ranks().size() == 1; }));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  run.send(SIGUSR2);
  EXPECT_EQ(run.wait(soon).exit_code, 75);
}

TEST_F(EndsOfRanks, too_thin_slabs_are_refused_with_the_largest_number_of_ranks) {
  const Outcome run = Process(run_into("run"), on(5)).wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "at most 4 ranks"), 1) << run.err;
  EXPECT_FALSE(exists("run"));
  const Outcome check = run_dns({"check", case_file(), "--ranks", "5"});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_NE(check.err.find("at most 4 ranks"), std::string::npos) << check.err;
}

TEST_F(EndsOfRanks, a_check_names_the_modes_that_are_transposed) {
  const auto check = [&](const std::string& stretching, const std::string& boundaries) {
    write("high.yaml",
          "scheme: projection\ngrid: {points: [8, 9, 17], length: [1, 1, 1]" + stretching +
              "}\naccuracy: {order: 6}\n" + "fluid: {reynolds: 50}\nboundaries: {" + boundaries +
              "}\ntime: {step: 1e-4, steps: 1}\n");
    return run_dns({"check", path("high.yaml"), "--ranks", "2"});
  };
  const auto expect_named = [](const Outcome& outcome, const std::string& method) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(method + ", modes transposed between ranks\n"), std::string::npos)
        << outcome.out;
  };
  const std::string periodic = "x: periodic, y: periodic, z: periodic";
  expect_named(check("", periodic), "FFT along x, y and z");
  expect_named(check("", "x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic"),
               "FFT along x and z, sweep along y");
  expect_named(check(", stretching: {x: {factor: 1.2}}", periodic),
               "FFT along y and z, cyclic sweep along x");
  for (const std::string axis : {"x", "y", "z"}) {
    std::string boundaries = periodic;
    boundaries.replace(boundaries.find(axis + ":"),
                       11,
                       axis + "_min: {type: symmetry}, " + axis + "_max: {type: symmetry}");
    const Outcome symmetric = check("", boundaries);
    EXPECT_EQ(symmetric.exit_code, 2);
    EXPECT_NE(symmetric.err.find(
                  "accuracy.order is 6 along z, but 2 ranks divide the box along z; " + axis +
                  " ends at planes of symmetry, and then they need order 2 along z: "
                  "set accuracy.order=[6,6,2], or use one rank"),
              std::string::npos)
        << symmetric.err;
  }
}

TEST_F(EndsOfRanks, divergence_ends_with_4_and_names_the_place_that_one_rank_names) {
  const auto diverging = [&](const std::string& name) {
    return run_into(name,
                    {"-q",
                     "--steps",
                     "300",
                     "--set",
                     "time.step=3",
                     "--set",
                     "initial.velocity=[\"60*sin(2*pi*x/3)*z\", \"40*sin(pi*y)\", \"9*x\"]"});
  };
  const Outcome one = run_dns(diverging("one"));
  ASSERT_EQ(one.exit_code, 4) << one.err;
  const Outcome several = Process(diverging("several"), on(3)).wait(soon);
  EXPECT_EQ(several.exit_code, 4);
  const std::string place = one.err.substr(0, one.err.find(')', one.err.find(" at cell (")) + 1);
  ASSERT_GT(place.size(), 40U) << one.err;
  EXPECT_EQ(count(several.err, place), 1) << several.err << place;
}

/// Bodies that overlap in the part of one rank alone; the others would wait for its answer.
TEST_F(EndsOfRanks, bodies_that_one_rank_refuses_end_all_with_2) {
  const Outcome run =
      Process(run_into("run",
                       {"--set",
                        "output.statistics={every: 2}",
                        "--set",
                        "solids={one: {shape: sphere, center: [1, 1, 0.2], radius: "
                        "0.15, temperature: 1}, other: {shape: sphere, center: [1.1, 1, "
                        "0.2], radius: 0.15, temperature: 1, velocity: [1, 0, 0]}}"}),
              on(3))
          .wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "solids.one: it overlaps solids.other at ("), 1) << run.err;
}

TEST_F(EndsOfRanks, a_force_that_one_rank_cannot_evaluate_ends_all_with_2_after_a_checkpoint) {
  const Outcome run =
      Process(
          run_into("run",
                   {"-q", "--set", "forcing.acceleration=[\"z > 1.2 ? sqrt(0.03-t) : 0\", 0, 0]"}),
          on(3))
          .wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "forcing.acceleration: z > 1.2 ? sqrt(0.03-t) : 0 is "), 1) << run.err;
  EXPECT_NE(run.err.find("after step 3"), std::string::npos) << run.err;
}

/// Pictures for the page alone are drawn of slices that the case does not ask for.
TEST_F(EndsOfRanks, a_run_with_a_live_page_ends_as_on_one_rank) {
  const Outcome run = Process(run_into("run", {"--live", "0"}), on(3)).wait(soon);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.err, "http://127.0.0.1:"), 1) << run.err;
}

TEST_F(EndsOfRanks, sigusr2_to_mpirun_ends_with_a_checkpoint_and_75) {
  Process run(endless_run(), on(3));
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGUSR2);
  const Outcome outcome = run.wait(soon);
  EXPECT_EQ(count(outcome.err, "ends after this step"), 1) << outcome.err;
  expect_stopped_and_resumable(outcome);
}

TEST_F(EndsOfRanks, sigusr1_to_mpirun_writes_a_checkpoint_and_goes_on) {
  if (!mpirun_passes_sigusr1_on()) GTEST_SKIP() << "mpirun keeps SIGUSR1 here";
  Process run(endless_run(), on(2));
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGUSR1);
  expect_output_then_stop(run);
}

TEST_F(EndsOfRanks, a_file_stop_ends_with_a_checkpoint_and_75) {
  Process run(endless_run(), on(2));
  ASSERT_TRUE(has_begun("run"));
  write("run/STOP", "");
  expect_stopped_and_resumable(run.wait(soon));
}

TEST_F(EndsOfRanks, a_rank_that_is_killed_ends_the_others) {
  Process run(endless_run(), on(3));
  ASSERT_TRUE(has_begun("run"));
  const std::vector<pid_t> ranks = run.ranks();
  ASSERT_EQ(ranks.size(), 3U);
  kill(ranks[1], SIGKILL);
  EXPECT_NE(run.wait(soon).exit_code, 0);
  EXPECT_TRUE(wait_until([&] { return std::ranges::none_of(ranks, is_alive); }));
}

TEST_F(EndsOfRanks, a_rank_that_hangs_ends_the_others_after_the_limit_which_names_it) {
  Surroundings surroundings = on(3);
  surroundings.environment.emplace_back("DNS_RANK_TIMEOUT", "2");
  Process run(endless_run(), surroundings);
  ASSERT_TRUE(has_begun("run"));
  const std::vector<pid_t> ranks = run.ranks();
  ASSERT_EQ(ranks.size(), 3U);
  kill(ranks[2], SIGSTOP);
  const Outcome outcome = run.wait(soon);
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(count(outcome.err, "waited 2 s for "), 1) << outcome.err;  // two ranks wait for it
}

TEST_F(EndsOfRanks,
       a_first_rank_that_hangs_while_it_reads_the_case_ends_the_others_after_a_longer_limit) {
  const NamedPipe held(path("pipe.yaml"));  // nothing is written to it
  Surroundings surroundings = on(3);
  // It holds for the exchanges before the case is read, too: a busy machine needs a second.
  surroundings.environment.emplace_back("DNS_RANK_TIMEOUT", "1.5");
  const Outcome outcome = Process({"run", path("pipe.yaml")}, surroundings).wait(4 * soon);
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_EQ(count(outcome.err, "waited 36 s for rank 0"), 1) << outcome.err;
}

/// Whoever is stopped while the others are not: it need not be waited for as one that reads a file.
TEST_F(EndsOfRanks, a_first_rank_that_is_stopped_ends_the_others_after_the_limit) {
  Surroundings surroundings = on(2);
  surroundings.environment.emplace_back("DNS_RANK_TIMEOUT", "2");
  const std::vector<std::string> words = run_into("run", {"-q", "--steps", "100000000"});
  Process run(words, surroundings);
  ASSERT_TRUE(has_begun("run"));
  const std::vector<pid_t> ranks = run.ranks();
  ASSERT_EQ(ranks.size(), 2U);
  kill(ranks[0], SIGSTOP);
  EXPECT_EQ(run.wait(soon).exit_code, 5);
}

TEST_F(EndsOfRanks, a_run_that_is_stopped_for_longer_than_the_limit_goes_on) {
  Surroundings surroundings = on(2);
  surroundings.environment.emplace_back("DNS_RANK_TIMEOUT", "2");
  Process run(endless_run(), surroundings);
  ASSERT_TRUE(has_begun("run"));
  for (const pid_t rank : run.ranks()) kill(rank, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  for (const pid_t rank : run.ranks()) kill(rank, SIGCONT);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  run.send(SIGUSR2);
  expect_stopped_and_resumable(run.wait(soon));
}

TEST_F(EndsOfRanks, an_error_of_output_in_the_middle_of_a_run_ends_with_3) {
  Process run(endless_run(), on(2));
  ASSERT_TRUE(has_begun("run"));
  std::filesystem::remove_all(path("run"));
  const Outcome outcome = run.wait(soon);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(count(outcome.err, "error: "), 1) << outcome.err;
}

TEST_F(EndsOfRanks, a_full_disk_of_one_rank_ends_with_3_names_it_and_leaves_the_last_checkpoint) {
  std::vector<std::string> words = endless_run();
  words.insert(words.end(),
               {"--set", "output.checkpoint.every=50", "--set", "output.fields.every=0"});
  Process run(words, on(3));
  ASSERT_TRUE(has_begun("run"));
  ASSERT_TRUE(wait_until([&] { return exists("run/checkpoint_00000050.h5"); }));
  const std::vector<pid_t> ranks = run.ranks();
  ASSERT_EQ(ranks.size(), 3U);
  const rlimit little{.rlim_cur = 1000, .rlim_max = 1000};
  ASSERT_EQ(prlimit(ranks[2], RLIMIT_FSIZE, &little, nullptr), 0);
  const Outcome outcome = run.wait(soon);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(count(outcome.err, "error: rank 2 on "), 1) << outcome.err;
  EXPECT_EQ(count(outcome.err, ": writing: File too large"), 1) << outcome.err;
  EXPECT_EQ(parts_in("run"), 0);
  EXPECT_GE(newest_state(path("run")).step, 50);
}

TEST_F(EndsOfRanks, a_rank_that_is_killed_while_all_write_leaves_a_good_checkpoint) {
  for (const std::size_t victim : {1U, 0U}) {
    std::filesystem::remove_all(path("run"));
    std::vector<std::string> words = endless_run();
    words.insert(words.end(), {"--set", "output.checkpoint.every=1"});
    Process run(words, on(3));
    ASSERT_TRUE(wait_until([&] { return exists("run/checkpoint_00000020.h5"); }));
    const std::vector<pid_t> ranks = run.ranks();
    ASSERT_EQ(ranks.size(), 3U);
    kill(ranks[victim], SIGKILL);
    EXPECT_NE(run.wait(soon).exit_code, 0);
    const FlowState state = newest_state(path("run"));
    EXPECT_GE(state.step, 20);
    const Outcome resumed = run_dns(resume_in("run", {"--steps", std::to_string(state.step + 3)}));
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(resumed.err.find("skipped"), std::string::npos) << resumed.err;
  }
}

// Rank 1 has a file system of its own where the others have the folder of the run, in which there
// is nothing, or files left by another run.
TEST_F(EndsOfRanks, a_folder_that_is_not_the_same_for_all_ranks_ends_with_3_and_says_so) {
  const std::string can_mount = "unshare -m mount -t tmpfs none " + path("") + " 2>/dev/null";
  if (geteuid() != 0 || std::system(can_mount.c_str()) != 0)
    GTEST_SKIP() << "a small file system cannot be mounted; for one rank alone, as root";
  for (const std::string& prepare : {std::string("true"),
                                     "for n in fields checkpoint; do truncate -s 1M " +
                                         path("run") + "/${n}_00000000.h5.part; done"}) {
    SCOPED_TRACE(prepare);
    std::filesystem::remove_all(path("run"));
    std::filesystem::create_directory(path("run"));
    const std::string hide = "exec unshare -m sh -c 'mount -t tmpfs none " + path("run") + " && " +
                             prepare + " && exec \"$0\" \"$@\"' \"$0\" \"$@\"";
    const Outcome outcome = Process(run_into("run", {"-q", "--force"}), beside(hide)).wait(soon);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_EQ(count(outcome.err, "error: "), 1) << outcome.err;
    EXPECT_EQ(count(outcome.err, "rank 1"), 1) << outcome.err;
    EXPECT_EQ(count(outcome.err, path("run") + "/fields_00000000.h5.part"), 1) << outcome.err;
    EXPECT_EQ(count(outcome.err, "shared file system"), 1) << outcome.err;
    EXPECT_FALSE(exists("run/fields_00000000.h5"));
    EXPECT_EQ(parts_in("run"), 0);
  }
}

TEST_F(EndsOfRanks, a_folder_that_cannot_be_written_ends_with_3_and_one_that_is_used_with_2) {
  run_on(1, projection_walls, "run");
  const Outcome taken = Process(run_into("run"), on(2)).wait(soon);
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_EQ(count(taken.err, "already holds a run"), 1) << taken.err;
  write("file", "");
  const Outcome blocked = Process(run_into("file/run"), on(2)).wait(soon);
  EXPECT_EQ(blocked.exit_code, 3);
  EXPECT_EQ(count(blocked.err, "error: "), 1) << blocked.err;
}

TEST_F(EndsOfRanks, ranks_that_the_program_starts_return_its_exit_codes) {
  const Outcome run = run_dns(run_into("run", {"--ranks", "2", "--json"}));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(json_member(run.out, "status"), "finished");
  EXPECT_NE(text_of(path("run/log.txt")).find("ranks      2 on 1 host"), std::string::npos);
  EXPECT_EQ(run_dns(run_into("bad", {"--ranks=2", "--set", "fluid.reynolds=-1"})).exit_code, 2);
  EXPECT_EQ(run_dns(run_into("bad", {"--ranks", "0"})).exit_code, 2);
}

TEST_F(EndsOfRanks, ranks_end_where_the_parent_ignores_SIGCHLD) {
  Surroundings surroundings;
  surroundings.ignores_ends_of_children = true;
  const Outcome run = Process(run_into("run", {"--ranks", "2"}), surroundings).wait(soon);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Outcome wrong =
      Process(run_into("bad", {"--ranks=2", "--set", "fluid.reynolds=-1"}), surroundings)
          .wait(soon);
  EXPECT_EQ(wrong.exit_code, 2) << wrong.err;
}

TEST_F(EndsOfRanks, one_rank_runs_alone) {
  const Outcome run = run_dns(run_into("run", {"--ranks", "1"}));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err.find("ranks "), std::string::npos) << run.err;
}

TEST_F(EndsOfRanks, a_signal_to_the_program_that_started_ranks_ends_them_with_a_checkpoint) {
  for (const int signal : {SIGTERM, SIGINT}) {
    std::filesystem::remove_all(path("run"));
    Process run(endless_run_that_starts_ranks());
    ASSERT_TRUE(has_begun("run"));
    run.send(signal);
    expect_stopped_and_resumable(run.wait(soon));
  }
}

/// mpirun would inherit the mask, and never pass a signal on.
TEST_F(EndsOfRanks, signals_reach_ranks_of_a_parent_that_blocks_them) {
  std::vector<std::string> words = endless_run();
  words.insert(words.end(), {"--ranks", "2"});
  Process run(words, {.blocks_signals = true});
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGUSR1);
  expect_output_then_stop(run);
}

TEST_F(EndsOfRanks, a_second_interrupt_leaves_at_once_with_130_and_leaves_no_rank) {
  Process run(endless_run_that_starts_ranks());
  const pid_t launcher = stopped_launcher(run);
  ASSERT_GT(launcher, 0);
  run.send(SIGINT);
  EXPECT_TRUE(wait_until([&] { return !run.has_pending(SIGINT); }));
  run.send(SIGINT);
  expect_left_at_once(run, launcher);
}

TEST_F(EndsOfRanks, a_second_sigterm_leaves_at_once_with_130_and_leaves_no_rank) {
  Process run(endless_run_that_starts_ranks());
  const pid_t launcher = stopped_launcher(run);
  ASSERT_GT(launcher, 0);
  run.send(SIGTERM);
  run.send(SIGTERM);  // at once: the same request
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_TRUE(run.is_running());
  run.send(SIGTERM);
  expect_left_at_once(run, launcher);
}

TEST_F(EndsOfRanks, ranks_of_ranks_and_commands_for_one_process_are_refused) {
  const Outcome run = Process(run_into("run", {"--ranks", "2"}), on(2)).wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "--ranks starts ranks by itself, but mpirun has started 2"), 1)
      << run.err;
}

TEST_F(EndsOfRanks, other_commands_are_answered_once) {
  const Outcome version = Process({"--version"}, on(3)).wait(soon);
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(count(version.out, "dns "), 1) << version.out;
  const Outcome check = Process({"check", case_file()}, on(3)).wait(soon);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_EQ(count(check.out, "# ranks        3, each with 11 of 33 planes"), 1) << check.out;
}

TEST_F(EndsOfRanks, processes_of_a_launcher_that_mpi_does_not_know_are_refused) {
  const Surroundings step{.environment = {{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "0"}}};
  const Outcome run = Process(run_into("run"), step).wait(soon);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("srun --mpi=pmix"), std::string::npos) << run.err;
  EXPECT_FALSE(exists("run"));
}

}  // namespace
}  // namespace dns::testing::test_ends_of_ranks
