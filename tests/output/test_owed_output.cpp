/// The output of its last step that a run owes which ended between two writes.
#include <set>
#include <string>
#include <utility>

#include "output_testing.hpp"
#include "solver/config/load_case.hpp"
#include "solver/output/outputs.hpp"
#include "solver/output/statistics_file.hpp"

namespace dns::test_owed_output {
namespace {

/// A run of 107 steps whose checkpoint is that of step 100: snapshots every 20 steps, pictures of
/// one plane every 50, averages of 3 samples.
class OwedOutputTest : public FolderTest {
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

  /// Which of snapshot, slices, averages and windows is owed.
  [[nodiscard]] std::set<std::string> missing() const {
    const Outputs outputs(resolved, alone());
    std::set<std::string> names;
    for (const Output* const output : outputs.of(outputs.owed(checkpoint))) {
      for (const auto& [called, file] : {std::pair("snapshot", "fields_00000001.h5"),
                                         std::pair("checkpoint", "checkpoint_00000001.h5"),
                                         std::pair("slices", "slice_lid_00000001.png"),
                                         std::pair("averages", "statistics.h5"),
                                         std::pair("window", "statistics_00000001.h5")})
        if (output->kind_of(file) != Output::FileKind::foreign) names.insert(called);
    }
    return names;
  }

  Case resolved;
  FlowState checkpoint;
};

using Names = std::set<std::string>;

TEST_F(OwedOutputTest, is_all_that_was_due_with_the_checkpoint) {
  EXPECT_EQ(missing(), (Names{"snapshot", "slices", "averages"}));
}

TEST_F(OwedOutputTest, is_nothing_where_all_is_there) {
  write_all();
  EXPECT_EQ(missing(), Names{});
}

TEST_F(OwedOutputTest, is_what_was_not_written) {
  write_all();
  std::filesystem::remove(in_folder("slice_lid_00000100.png"));
  EXPECT_EQ(missing(), Names{"slices"});
  std::filesystem::remove(in_folder("fields_00000100.h5"));
  EXPECT_EQ(missing(), (Names{"snapshot", "slices"}));
}

TEST_F(OwedOutputTest, is_not_what_was_not_due) {
  checkpoint.step = 99;
  EXPECT_EQ(missing(), Names{"averages"});
}

TEST_F(OwedOutputTest, is_due_with_the_last_step_whatever_its_number) {
  checkpoint.step = 107;
  EXPECT_EQ(missing(), (Names{"snapshot", "slices", "averages"}));
}

TEST_F(OwedOutputTest, holds_averages_of_another_step_or_that_cannot_be_read) {
  write_all();
  ++checkpoint.statistics.samples;
  EXPECT_EQ(missing(), Names{"averages"});
  --checkpoint.statistics.samples;
  EXPECT_EQ(missing(), Names{});
  checkpoint.step = 120;
  EXPECT_TRUE(missing().contains("averages"));
  checkpoint.step = 100;
  write_whole(in_folder("statistics.h5"), "no HDF5");
  EXPECT_EQ(missing(), Names{"averages"});
}

TEST_F(OwedOutputTest, is_the_window_that_the_end_of_the_run_cut_short) {
  write_all();
  checkpoint.window = checkpoint.statistics;
  checkpoint.window.last_step = 98;
  EXPECT_FALSE(missing().contains("window"));  // it goes on
  checkpoint.step = 107;                       // the last
  EXPECT_TRUE(missing().contains("window"));
  write_window(folder(), checkpoint.window, resolved, "");
  EXPECT_FALSE(missing().contains("window"));
  checkpoint.window.duration = 0;
  checkpoint.window.last_step = 0;
  EXPECT_FALSE(missing().contains("window"));
}

TEST_F(OwedOutputTest, holds_no_averages_before_the_first_sample) {
  write_all();
  std::filesystem::remove(in_folder("statistics.h5"));
  checkpoint.statistics = {};
  EXPECT_EQ(missing(), Names{});
}

}  // namespace
}  // namespace dns::test_owed_output
