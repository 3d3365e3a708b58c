#include <gtest/gtest.h>

#include "output_testing.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/compare_states.hpp"

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

TEST_F(OldCheckpointDamageTest, every_value_of_the_flow_is_still_read) {
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_EQ(read.case_yaml, "case: a\n");
  FlowState written = known_flow(Precision::double_precision);
  HostField& outlet =
      written.fields.emplace_back("outlet", Extents{1, 7, 5}, Precision::single_precision);
  float number = 1;
  for (float& value : outlet.values<float>()) value = 0.125F * number++;
  written.numbers = {{"time_step", 0.1}, {"driving_x", -1e-310}};
  EXPECT_TRUE(same_bits(read.state, written));
}

/// They know how many samples there were, not the time between them.
TEST_F(OldCheckpointDamageTest, its_averages_are_left_out_and_that_is_said) {
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_EQ(read.state.statistics.samples, 0);
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_TRUE(contains(read.warnings.front(), "averages begin anew"));
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
