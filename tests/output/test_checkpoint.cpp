#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "output_testing.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/compare_states.hpp"
#include "tests/newest_flow.hpp"

namespace dns::test_checkpoint {
namespace {

class CheckpointTest : public FolderTest {};

template <class Real>
void put_special_values(HostField& field) {
  using Limits = std::numeric_limits<Real>;
  const std::array specials = {Real(-0.0),
                               Limits::denorm_min(),
                               -Limits::denorm_min(),
                               Limits::min() / 2,
                               Limits::max(),
                               Limits::lowest(),
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::quiet_NaN(),
                               Real(1) / Real(3)};
  std::copy(specials.begin(), specials.end(), field.values<Real>().begin());
}

TEST_F(CheckpointTest, reads_back_every_bit_in_double) {
  FlowState written = known_flow(Precision::double_precision);
  written.time = 1.0 / 3.0;
  put_special_values<double>(written.fields[1]);
  write_checkpoint(folder(), written, "case: a\nname: \"ü\"\n", 2);
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_TRUE(same_bits(newest_flow(folder()), written));
  EXPECT_EQ(read.case_yaml, "case: a\nname: \"ü\"\n");
  EXPECT_EQ(read.path, in_folder("checkpoint_00000100.h5"));
  EXPECT_TRUE(read.warnings.empty());
}

TEST_F(CheckpointTest, reads_back_every_bit_in_float) {
  FlowState written = known_flow(Precision::single_precision);
  put_special_values<float>(written.fields[3]);
  write_checkpoint(folder(), written, "", 2);
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_TRUE(same_bits(newest_flow(folder()), written));
  EXPECT_EQ(read.case_yaml, "");
}

TEST_F(CheckpointTest, reads_back_many_blocks_the_last_one_not_full) {
  // A plane of 61 x 67 doubles is 32 KiB: 32 planes make a block, 71 planes three; several threads
  // write 12 blocks in double, 8 in float.
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const FlowState written = known_flow(precision, {61, 67, 71});
    write_checkpoint(folder(), written, "case: a", 2);
    EXPECT_TRUE(same_bits(newest_flow(folder()), written));
  }
}

TEST_F(CheckpointTest, reads_back_fields_of_any_extents_and_precision_numbers_and_sums) {
  FlowState written = known_flow(Precision::single_precision, {9, 7, 5});
  HostField outlet("outlet", {1, 7, 5}, Precision::double_precision);
  std::ranges::fill(outlet.values<double>(), 1.0 / 3);
  written.fields.push_back(outlet);
  written.numbers = {{"time_step", 0.1}, {"driving_x", -1e-310}};
  written.statistics = {
      .samples = 17, .first_time = 0.25, .last_time = 1.0 / 7, .duration = 0.3, .sums = {}};
  for (const char* const name : {"u", "time_step"}) {
    HostField sum(name, {1, 6, 1}, Precision::double_precision);
    double value = 0.1;
    for (double& here : sum.values<double>()) here = (value *= 1.1);
    written.statistics.sums.push_back(sum);
    written.window.sums.push_back(sum.duplicate());
    written.statistics.last.push_back(sum.duplicate());
    written.statistics.last.back().values<double>()[2] = -1.0 / 3;
    HostField of_bins(name, {1, 6, 5}, Precision::double_precision);
    for (double& here : of_bins.values<double>()) here = (value *= -0.9);
    written.statistics.phases.push_back(of_bins);
  }
  written.window.duration = 1.0 / 6;
  written.window.samples = 3;
  written.window.first_time = 0.5;
  written.window.last_time = 2.0 / 3;
  written.window.last_step = 90;
  written.window.sums[1].values<double>()[4] = 5e-324;
  written.statistics.references = {{"T", 300.0}, {"driving_x", -1.0 / 3}};
  written.window.references = {{"salt", 1e4}};
  write_checkpoint(folder(), written, "", 2);
  const FlowState read = newest_flow(folder());
  EXPECT_TRUE(same_bits(read, written));
}

TEST_F(CheckpointTest, keeps_a_case_of_many_kilobytes) {
  const std::string case_yaml(200'000, 'x');
  write_checkpoint(folder(), known_flow(Precision::single_precision), case_yaml, 2);
  EXPECT_EQ(read_newest_checkpoint(folder()).case_yaml, case_yaml);
}

TEST_F(CheckpointTest, only_the_newest_are_kept_and_only_checkpoints_are_removed) {
  FlowState state = known_flow(Precision::single_precision);
  const std::set<std::string> others = {"checkpoint_1.h5",
                                        "checkpoint_00000001.h5.bak",
                                        "checkpoint_0000000x.h5",
                                        "my_checkpoint_00000001.h5",
                                        "fields_00000001.h5"};
  for (const auto& name : others) write_whole(in_folder(name), "mine");
  for (const std::int64_t step : {10, 99'999'999, 100'000'000, 1'000'000'000}) {
    state.step = step;
    write_checkpoint(folder(), state, "", 2);
  }
  std::set<std::string> expected = others;
  expected.insert({"checkpoint_100000000.h5", "checkpoint_1000000000.h5"});
  EXPECT_EQ(names(), expected);
  EXPECT_EQ(read_newest_checkpoint(folder()).state.step, 1'000'000'000);
}

TEST_F(CheckpointTest, the_one_just_written_is_kept_and_those_of_later_steps_go) {
  FlowState state = known_flow(Precision::single_precision);
  write_whole(in_folder("checkpoint_00000200.h5"), "damaged, so the run went on from an older one");
  write_checkpoint(folder(), state, "", 1);
  state.step = 150;
  write_checkpoint(folder(), state, "", 1);
  EXPECT_EQ(names(), std::set<std::string>{"checkpoint_00000150.h5"});
}

TEST_F(CheckpointTest, a_folder_without_checkpoints_is_an_error_that_says_so) {
  EXPECT_EQ(io_error_of([&] { read_newest_checkpoint(folder()); }),
            "no checkpoint in " + folder() + "; it holds no run: give the folder of one");
  write_whole(in_folder("case.yaml"), "case: a\n");
  const auto message = io_error_of([&] { read_newest_checkpoint(folder()); });
  EXPECT_EQ(message,
            "no checkpoint in " + folder() + "; to begin anew: dns run " + folder() +
                "/case.yaml --force");
}

TEST_F(CheckpointTest, a_missing_folder_is_an_error_that_says_so) {
  const auto message = io_error_of([&] { read_newest_checkpoint(in_folder("none")); });
  EXPECT_TRUE(contains(message, in_folder("none")));
  EXPECT_TRUE(contains(message, "No such file or directory"));
}

TEST_F(CheckpointTest, with_a_case_that_reads_back_otherwise_is_an_error_and_leaves_nothing) {
  const FlowState state = known_flow(Precision::double_precision);
  const auto message = io_error_of([&] {
    write_checkpoint(folder(), state, {"case: a\n\0", 9}, 2);
  });
  EXPECT_EQ(message,
            in_folder("checkpoint_00000100.h5.part") + ": attribute case is not what was written");
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace dns::test_checkpoint
