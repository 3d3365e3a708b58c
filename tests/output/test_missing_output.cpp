/// The output of its last step that a run owes which ended between two writes.
#include <algorithm>

#include "output_testing.hpp"
#include "solver/config/load_case.hpp"
#include "solver/output/missing_output.hpp"
#include "solver/output/statistics_file.hpp"

namespace dns {
namespace {

/// A run of 107 steps whose checkpoint is that of step 100: snapshots every 20 steps, pictures of
/// one plane every 50, averages of 3 samples.
class MissingOutputTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    resolved = known_case_of_cells(folder());
    resolved.time.steps = 107;
    resolved.output.fields.every = 20;
    resolved.output.slices = SlicesCase{.every = 50, .pixels = 16, .planes = {}};
    resolved.output.slices->planes.emplace_back().name = "lid";
    resolved.output.statistics = StatisticsCase{.every = 1, .window = {}};
    checkpoint.step = 100;
    checkpoint.statistics = uniform_sums({1, 1, 1}, 1);
  }
  void write_all() const {
    write_whole(in_folder("fields_00000100.h5"), "");
    write_whole(in_folder("slice_lid_00000100.png"), "");
    write_statistics(folder(), checkpoint, resolved, to_yaml(resolved));
  }

  Case resolved;
  FlowState checkpoint;
};

TEST_F(MissingOutputTest, is_all_that_was_due_with_the_checkpoint) {
  const WriteRequest missing = missing_output(resolved, checkpoint);
  EXPECT_TRUE(missing.snapshot && missing.slices && missing.statistics);
  EXPECT_FALSE(missing.checkpoint || missing.live);
}

TEST_F(MissingOutputTest, is_nothing_where_all_is_there) {
  write_all();
  EXPECT_TRUE(missing_output(resolved, checkpoint).is_empty());
}

TEST_F(MissingOutputTest, is_what_was_not_written) {
  write_all();
  std::filesystem::remove(in_folder("slice_lid_00000100.png"));
  WriteRequest missing = missing_output(resolved, checkpoint);
  EXPECT_TRUE(missing.slices && !missing.snapshot && !missing.statistics);
  std::filesystem::remove(in_folder("fields_00000100.h5"));
  missing = missing_output(resolved, checkpoint);
  EXPECT_TRUE(missing.slices && missing.snapshot && !missing.statistics);
}

TEST_F(MissingOutputTest, is_not_what_was_not_due) {
  checkpoint.step = 99;
  const WriteRequest missing = missing_output(resolved, checkpoint);
  EXPECT_TRUE(missing.statistics && !missing.snapshot && !missing.slices);
}

TEST_F(MissingOutputTest, is_due_with_the_last_step_whatever_its_number) {
  checkpoint.step = 107;
  const WriteRequest missing = missing_output(resolved, checkpoint);
  EXPECT_TRUE(missing.statistics && missing.snapshot && missing.slices);
}

TEST_F(MissingOutputTest, holds_averages_of_another_step_or_that_cannot_be_read) {
  write_all();
  ++checkpoint.statistics.samples;
  EXPECT_TRUE(missing_output(resolved, checkpoint).statistics);
  --checkpoint.statistics.samples;
  EXPECT_FALSE(missing_output(resolved, checkpoint).statistics);
  checkpoint.step = 120;
  EXPECT_TRUE(missing_output(resolved, checkpoint).statistics);
  checkpoint.step = 100;
  write_whole(in_folder("statistics.h5"), "no HDF5");
  EXPECT_TRUE(missing_output(resolved, checkpoint).statistics);
}

TEST_F(MissingOutputTest, is_the_window_that_the_end_of_the_run_cut_short) {
  write_all();
  checkpoint.window = checkpoint.statistics;
  checkpoint.window.last_step = 98;
  EXPECT_FALSE(missing_output(resolved, checkpoint).windows);  // it goes on
  checkpoint.step = 107;                                       // the last
  EXPECT_TRUE(missing_output(resolved, checkpoint).windows);
  write_window(folder(), checkpoint.window, resolved, "");
  EXPECT_FALSE(missing_output(resolved, checkpoint).windows);
  checkpoint.window.duration = 0;
  checkpoint.window.last_step = 0;
  EXPECT_FALSE(missing_output(resolved, checkpoint).windows);
}

TEST_F(MissingOutputTest, holds_no_averages_before_the_first_sample) {
  write_all();
  std::filesystem::remove(in_folder("statistics.h5"));
  checkpoint.statistics = {};
  EXPECT_TRUE(missing_output(resolved, checkpoint).is_empty());
}

}  // namespace
}  // namespace dns
