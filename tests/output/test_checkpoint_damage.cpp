#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <sys/stat.h>

#include <algorithm>

#include "output_testing.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/compare_states.hpp"
#include "tests/newest_flow.hpp"

namespace dns::test_checkpoint_damage {
namespace {

/// A good checkpoint of step 100 and a newer one of step 200, to be damaged.
class CheckpointDamageTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    newer_state = known_flow(Precision::double_precision);
    write_checkpoint(folder(), newer_state, "case: a\n", 2);
    newer_state.step = 200;
    write_checkpoint(folder(), newer_state, "case: a\n", 2);
    newer_path = in_folder("checkpoint_00000200.h5");
    good_bytes = read_whole(newer_path);
  }

  /// The newer one is skipped, the warning names it and contains `reason`.
  void expect_skipped(const std::string& reason) const {
    const Checkpoint read = read_newest_checkpoint(folder());
    EXPECT_EQ(read.state.step, 100);
    ASSERT_EQ(read.warnings.size(), 1U);
    EXPECT_TRUE(contains(read.warnings[0], "checkpoint_00000200.h5"));
    EXPECT_TRUE(contains(read.warnings[0], reason));
  }

  FlowState newer_state;
  std::string newer_path;
  std::string good_bytes;
};

TEST_F(CheckpointDamageTest, a_truncated_one_is_skipped_whatever_its_length) {
  const std::size_t size = good_bytes.size();
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{8}, std::size_t{100}, size / 2, size - 512, size - 1}) {
    SCOPED_TRACE(length);
    write_whole(newer_path, good_bytes.substr(0, length));
    expect_skipped("");
  }
}

TEST_F(CheckpointDamageTest, a_pipe_in_its_place_is_skipped_without_waiting) {
  std::filesystem::remove(newer_path);
  ASSERT_EQ(::mkfifo(newer_path.c_str(), 0600), 0);
  expect_skipped("it is no ordinary file");
}

TEST_F(CheckpointDamageTest, a_flipped_bit_in_any_field_is_found) {
  for (const HostField& field : newer_state.fields) {
    const std::string values = bytes_of_field(field);
    const std::size_t start = good_bytes.find(values);
    ASSERT_NE(start, std::string::npos);
    for (const std::size_t at : {std::size_t{0}, values.size() / 3, values.size() - 1}) {
      std::string bytes = good_bytes;
      bytes[start + at] = static_cast<char>(bytes[start + at] ^ 1);
      write_whole(newer_path, bytes);
      expect_skipped("dataset " + field.name() + ": its values do not match their checksum");
    }
  }
}

TEST_F(CheckpointDamageTest, two_bytes_of_zeros_made_ones_are_found) {
  // A sum modulo 2^16 - 1, such as Fletcher's, takes 0000 for FFFF.
  HostField& field = newer_state.fields[1];
  field.values<double>()[50] = 0;
  write_checkpoint(folder(), newer_state, "case: a\n", 2);
  std::string bytes = read_whole(newer_path);
  const std::size_t start = bytes.find(bytes_of_field(field));
  ASSERT_NE(start, std::string::npos);
  bytes.replace(start + 50 * sizeof(double), 2, "\xff\xff");
  write_whole(newer_path, bytes);
  expect_skipped("dataset velocity_y: its values do not match their checksum");
}

TEST_F(CheckpointDamageTest, a_flipped_bit_in_a_long_case_is_found) {
  // With many attributes: HDF5 would lay out a long one of them elsewhere, without a checksum.
  for (int n = 0; n < 20; ++n) newer_state.numbers.push_back({fmt::format("n{}", n), 1.0});
  const std::string case_yaml(40'000, 'x');
  write_checkpoint(folder(), newer_state, case_yaml, 2);
  const std::string good = read_whole(newer_path);
  const std::size_t start = good.find(case_yaml);
  ASSERT_NE(start, std::string::npos);
  for (const std::size_t at : {std::size_t{0}, case_yaml.size() / 2, case_yaml.size() - 1}) {
    std::string bytes = good;
    bytes[start + at] = 'y';
    write_whole(newer_path, bytes);
    expect_skipped("checkpoint_00000200.h5");
  }
}

TEST_F(CheckpointDamageTest, a_flipped_bit_anywhere_is_found_or_harmless) {
  std::size_t found = 0;
  for (std::size_t at = 0; at < good_bytes.size(); at += 7) {
    SCOPED_TRACE(at);
    std::string bytes = good_bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    write_whole(newer_path, bytes);
    const Checkpoint read = read_newest_checkpoint(folder());
    if (read.state.step == 100) {
      ++found;
      continue;
    }
    EXPECT_TRUE(same_bits(newest_flow(folder()), newer_state));
    EXPECT_EQ(read.case_yaml, "case: a\n");
  }
  EXPECT_GT(found, 0U);
}

TEST_F(CheckpointDamageTest, an_empty_file_is_skipped) {
  write_whole(newer_path, "");
  expect_skipped("not an HDF5 file");
}

TEST_F(CheckpointDamageTest, a_text_file_is_skipped) {
  write_whole(newer_path, "These are my notes on the run.\n");
  expect_skipped("not an HDF5 file");
}

TEST_F(CheckpointDamageTest, an_hdf5_file_of_another_program_is_skipped) {
  const hid_t file = H5Fcreate(newer_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  expect_skipped("not a dns checkpoint (no attribute format)");
}

TEST_F(CheckpointDamageTest, a_checkpoint_of_another_format_version_is_skipped) {
  const hid_t file = H5Fopen(newer_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const long long version = 7;
  H5LTset_attribute_long_long(file, "/", "format_version", &version, 1);
  H5Fclose(file);
  expect_skipped("format_version is 7, but this program reads 3");
}

/// Versions that weighed all samples alike knew how many there were, not the time between them.
TEST_F(CheckpointDamageTest, averages_over_samples_are_left_out_and_that_is_said) {
  newer_state.statistics.samples = 3;
  newer_state.statistics.duration = 1;
  newer_state.statistics.sums.emplace_back("u", Extents{1, 4, 1}, Precision::double_precision);
  write_checkpoint(folder(), newer_state, "case: a\n", 2);
  EXPECT_EQ(read_newest_checkpoint(folder()).state.statistics.sums.size(), 1U);
  const hid_t file = H5Fopen(newer_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Adelete(file, "statistics_duration"), 0);
  H5Fclose(file);
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_EQ(read.state.step, 200);
  EXPECT_TRUE(read.state.statistics.sums.empty());
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_TRUE(contains(read.warnings[0], "averages begin anew"));
}

TEST_F(CheckpointDamageTest, a_checkpoint_without_one_of_its_fields_is_skipped) {
  const hid_t file = H5Fopen(newer_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "velocity_y", H5P_DEFAULT);
  H5Fclose(file);
  expect_skipped("dataset velocity_y: it is missing");
}

TEST_F(CheckpointDamageTest, a_field_of_another_shape_or_type_is_found) {
  const std::array<hsize_t, 3> other_shape = {3, 5, 8};
  const std::array<hsize_t, 3> same_shape = {3, 5, 7};
  const std::vector<double> values(120, 1.0);
  const std::vector<int> integers(105, 1);
  const auto replace = [&](auto make) {
    write_whole(newer_path, good_bytes);
    const hid_t file = H5Fopen(newer_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "velocity_z", H5P_DEFAULT);
    make(file);
    H5Fclose(file);
  };
  replace([&](hid_t file) {
    H5LTmake_dataset_double(file, "velocity_z", 3, other_shape.data(), values.data());
  });
  expect_skipped(
      "dataset velocity_z: is velocity_z:double:3x5x8, but must be velocity_z:double:3x5x7");
  replace([&](hid_t file) {
    H5LTmake_dataset_double(file, "velocity_z", 2, other_shape.data(), values.data());
  });
  expect_skipped("dataset velocity_z: not an array (nz, ny, nx)");
  replace([&](hid_t file) {
    H5LTmake_dataset_int(file, "velocity_z", 3, same_shape.data(), integers.data());
  });
  expect_skipped("dataset velocity_z: its values are neither float nor double");
}

TEST_F(CheckpointDamageTest, with_no_good_one_the_error_names_each_and_why) {
  write_whole(newer_path, "");
  std::filesystem::resize_file(in_folder("checkpoint_00000100.h5"), 1000);
  const auto message = io_error_of([&] { read_newest_checkpoint(folder()); });
  EXPECT_TRUE(contains(message, "no checkpoint in " + folder() + " can be used"));
  EXPECT_TRUE(contains(message, "checkpoint_00000200.h5: opening the file: not an HDF5 file"));
  EXPECT_TRUE(contains(message, "checkpoint_00000100.h5: opening the file: truncated file"));
}

}  // namespace
}  // namespace dns::test_checkpoint_damage
