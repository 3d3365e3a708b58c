/// Runs whose checkpoints were written by earlier versions go on.
#include <filesystem>

#include "solver/output/checkpoint.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing {
namespace {

class OldCheckpoint : public RunTest {};

TEST_F(OldCheckpoint, of_format_1_gives_the_bits_of_the_same_flow_in_today_s) {
  for (const char* const name : {"old", "new"}) std::filesystem::create_directory(path(name));
  std::filesystem::copy_file(DNS_TEST_DATA "/run_checkpoint_format_1.h5",
                             path("old/checkpoint_00000002.h5"));
  const Checkpoint read = read_newest_checkpoint(path("old"));
  write_checkpoint(path("new"), read.state, read.case_yaml, 2);
  for (const char* const name : {"old", "new"}) {
    const Outcome resumed = run_dns(resume_in(name, {"--steps", "6"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  }
  EXPECT_EQ(newest_state(path("new")).step, 6);
  EXPECT_TRUE(same_bits(newest_state(path("old")), newest_state(path("new"))));
  EXPECT_EQ(series_without_clock(path("old")), series_without_clock(path("new")));
}

}  // namespace
}  // namespace dns::testing
