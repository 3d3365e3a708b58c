#include <gtest/gtest.h>

#include <array>

#include "output_testing.hpp"
#include "solver/output/checkpoint.hpp"

namespace dns {
namespace {

/// A checkpoint of format 1, as written by dns 0.1.0: chunks with the checksum of Fletcher.
class OldCheckpointDamageTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    bytes = read_whole(DNS_TEST_DATA "/known_checkpoint_format_1.h5");
    write_whole(in_folder("checkpoint_00000100.h5"), bytes);
  }

  std::string bytes;
};

TEST_F(OldCheckpointDamageTest, every_value_is_still_read) {
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_EQ(read.case_yaml, "case: a\n");
  const FlowState& state = read.state;
  const FlowState written = known_flow(Precision::double_precision);
  EXPECT_EQ(state.time, written.time);
  ASSERT_EQ(state.fields.size(), 5U);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(state.fields[n].name(), written.fields[n].name());
    EXPECT_EQ(state.fields[n].extents(), written.fields[n].extents());
    EXPECT_EQ(bytes_of_field(state.fields[n]), bytes_of_field(written.fields[n]));
  }
  ASSERT_EQ(state.fields[4].name(), "outlet");
  ASSERT_EQ(state.fields[4].extents(), (Extents{1, 7, 5}));
  float number = 1;
  for (const float value : state.fields[4].values<float>()) EXPECT_EQ(value, 0.125F * number++);
  ASSERT_EQ(state.numbers.size(), 2U);
  EXPECT_EQ(state.numbers[0].name, "time_step");
  EXPECT_EQ(state.numbers[0].value, 0.1);
  EXPECT_EQ(state.numbers[1].value, -1e-310);
  EXPECT_EQ(state.statistics.samples, 17);
  EXPECT_EQ(state.statistics.first_time, 0.25);
  EXPECT_EQ(state.statistics.last_time, 1.0 / 7);
  ASSERT_EQ(state.statistics.sums.size(), 1U);
  double sum = 0.5;
  for (const double value : state.statistics.sums[0].values<double>()) EXPECT_EQ(value, sum *= 2);
}

TEST_F(OldCheckpointDamageTest, a_flipped_bit_is_found_and_the_field_named) {
  const FlowState written = known_flow(Precision::double_precision);
  for (std::size_t n = 0; n < 4; ++n) {
    std::string damaged = bytes;
    const std::size_t start = bytes.find(bytes_of_field(written.fields[n]));
    ASSERT_NE(start, std::string::npos);
    damaged[start + 100] = static_cast<char>(damaged[start + 100] ^ 1);
    write_whole(in_folder("checkpoint_00000100.h5"), damaged);
    EXPECT_TRUE(contains(io_error_of([&] { read_newest_checkpoint(folder()); }),
                         "dataset " + written.fields[n].name()));
  }
}

}  // namespace
}  // namespace dns
