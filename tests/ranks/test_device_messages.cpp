/// Ranks with devices of their own, played by stand-ins: they end, whatever happens to one of them.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "solver/ranks/mpi.hpp"
#include "tests/application/process.hpp"

namespace dns::testing::test_device_messages {
namespace {

constexpr std::chrono::seconds soon{30};

class DeviceMessages : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string obstacle = mpi_facts().obstacle;
    if (!obstacle.empty()) GTEST_SKIP() << "no MPI: " << obstacle;
  }

  /// check_device_messages.cpp on that many ranks.
  static Outcome play(const std::string& scene,
                      int ranks,
                      const std::vector<std::string>& of_launcher = {},
                      std::vector<std::pair<std::string, std::string>> environment = {}) {
    std::vector<std::string> launcher{"mpirun", "-n", std::to_string(ranks)};
    launcher.insert(launcher.end(), of_launcher.begin(), of_launcher.end());
    environment.emplace_back("DNS_TRANSPORT", "nccl");
    return Process({scene}, {.launcher = launcher, .environment = environment}).wait(soon);
  }
};

TEST_F(DeviceMessages, arrive_in_order) {
  for (const int ranks : {2, 3}) {
    const Outcome outcome = play("messages arrive", ranks);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

/// Rank 0 closed its connection here, and waited for the others, which waited for rank 0.
TEST_F(DeviceMessages, a_rank_that_is_done_before_the_others_does_not_wait_for_them) {
  for (const int ranks : {2, 3}) {
    const Outcome outcome = play("one ends before the others", ranks);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

TEST_F(DeviceMessages, one_connection_serves_all_simulations) {
  const Outcome outcome = play("simulations come and go", 2);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

/// Also where the launcher does not end them; what it returns then is its own.
TEST_F(DeviceMessages, a_rank_that_is_killed_ends_the_others) {
  for (const std::string scene :
       {"one is killed", "one is killed, and the others wait in a call of the device"}) {
    SCOPED_TRACE(scene);
    EXPECT_NE(play(scene, 2).exit_code, 0);
    const Outcome left_alone = play(scene, 2, {"--enable-recovery"});
    EXPECT_NE(left_alone.exit_code, -1);
    EXPECT_NE(left_alone.err.find("error: rank 0: rank 1 has ended"), std::string::npos)
        << left_alone.err;
  }
}

TEST_F(DeviceMessages, a_rank_that_hangs_ends_the_others_after_the_limit) {
  for (const std::string scene : {"one hangs", "one sleeps"}) {
    SCOPED_TRACE(scene);
    const Outcome outcome = play(scene, 2, {}, {{"DNS_RANK_TIMEOUT", "2"}});
    EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
    EXPECT_NE(outcome.err.find(scene == "one hangs" ? "rank 1 has been stopped for 2 s"
                                                    : "waited 2 s for messages between GPUs"),
              std::string::npos)
        << outcome.err;
  }
}

TEST_F(DeviceMessages, an_error_of_one_rank_ends_all_with_its_code) {
  const Outcome outcome = play("one fails", 3);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("error: rank 1: a disk is full"), std::string::npos) << outcome.err;
}

TEST_F(DeviceMessages, a_message_that_fails_ends_all_with_5) {
  const Outcome outcome = play("a message fails", 2, {}, {{"NCCL_STAND_IN_FAILS_AT", "7"}});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("NCCL failed (a message was on its way)"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace dns::testing::test_device_messages
