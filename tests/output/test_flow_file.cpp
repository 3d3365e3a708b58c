/// Snapshots and checkpoints, read plane by plane.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <string>
#include <vector>

#include "output_testing.hpp"
#include "solver/files/flow_file.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "tests/compare_states.hpp"
#include "tests/flow_in_file.hpp"

namespace dns::test_flow_file {
namespace {

class FlowFileTest : public FolderTest {
 protected:
  [[nodiscard]] std::string snapshot() const { return in_folder("fields_00000100.h5"); }
};

class FlowFileDamageTest : public FlowFileTest {};

TEST_F(FlowFileTest, has_the_flow_of_a_checkpoint) {
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    const FlowState written = known_flow(precision);
    write_checkpoint(folder(), written, "case: a\n", 2);
    const std::string path = in_folder("checkpoint_00000100.h5");
    EXPECT_TRUE(same_bits(flow_in_file(path), written));
    EXPECT_EQ(FlowFile(path).kind(), FlowFile::Kind::checkpoint);
  }
}

TEST_F(FlowFileTest, has_the_flow_of_a_snapshot_in_its_precision) {
  Case resolved = known_case(folder());
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    resolved.output.fields.precision = precision;
    write_snapshot(folder(), known_flow(Precision::double_precision), resolved, "", "");
    EXPECT_TRUE(same_bits(flow_in_file(snapshot()), known_flow(precision)));
    EXPECT_EQ(FlowFile(snapshot()).kind(), FlowFile::Kind::snapshot);
  }
}

TEST_F(FlowFileTest, has_what_a_snapshot_of_cells_has_and_its_case) {
  Case resolved = known_case_of_cells(folder());
  resolved.output.fields.precision = Precision::double_precision;
  const FlowState written = known_cells(Precision::double_precision);
  write_snapshot(folder(), written, resolved, "", "case: cells\n");
  EXPECT_TRUE(same_bits(flow_in_file(snapshot()), written));
  EXPECT_EQ(FlowFile(snapshot()).case_text(), "case: cells\n");
  std::erase(resolved.output.fields.variables, "temperature");
  write_snapshot(folder(), written, resolved, "", "");
  EXPECT_FALSE(FlowFile(snapshot()).has("temperature"));
  EXPECT_TRUE(FlowFile(snapshot()).has("pressure"));
}

TEST_F(FlowFileTest, reads_the_planes_that_are_wanted) {
  for (const int compression : {0, 5}) {
    Case resolved = known_case(folder());
    resolved.output.fields.compression = compression;
    write_snapshot(folder(), known_flow(Precision::double_precision), resolved, "", "");
    const FlowFile file(snapshot());
    std::vector<int> planes;
    read_planes(file.dataset("temperature"), {true, false, true}, [&](int k, const void* values) {
      planes.push_back(k);
      const auto* of_plane = static_cast<const float*>(values);
      EXPECT_EQ(of_plane[0], static_cast<float>(known_value(3, 0, 0, k)));
      EXPECT_EQ(of_plane[34], static_cast<float>(known_value(3, 6, 4, k)));
    });
    EXPECT_EQ(planes, (std::vector<int>{0, 2}));
  }
}

TEST_F(FlowFileTest, without_velocity_says_so) {
  Case resolved = known_case(folder());
  std::erase(resolved.output.fields.variables, "velocity");
  write_snapshot(folder(), known_flow(Precision::double_precision), resolved, "", "");
  const FlowFile file(snapshot());
  EXPECT_FALSE(file.has("velocity"));
  EXPECT_EQ(io_error_of([&] { static_cast<void>(file.dataset("velocity")); }),
            snapshot() + ": dataset velocity: it is missing");
}

TEST_F(FlowFileDamageTest, arrays_that_are_no_boxes_are_refused) {
  for (const std::vector<hsize_t>& shape : {std::vector<hsize_t>{3, 5, 7, 2}, {3, 35}, {105}}) {
    write_snapshot(folder(), known_flow(Precision::double_precision), known_case(""), "", "");
    const hid_t file = H5Fopen(snapshot().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "temperature", H5P_DEFAULT);
    const std::vector<float> zeros(210, 0);
    const int rank = static_cast<int>(shape.size());
    EXPECT_GE(H5LTmake_dataset_float(file, "temperature", rank, shape.data(), zeros.data()), 0);
    EXPECT_GE(H5Fclose(file), 0);
    EXPECT_EQ(io_error_of([&] { static_cast<void>(FlowFile(snapshot()).dataset("temperature")); }),
              fmt::format("{}: dataset temperature: its shape is ({}), but must be (nz, ny, nx) or "
                          "(nz, ny, nx, 3)",
                          snapshot(),
                          fmt::join(shape, ", ")));
  }
}

TEST_F(FlowFileDamageTest, values_of_a_checkpoint_without_a_checksum_are_refused) {
  write_checkpoint(folder(), known_flow(Precision::double_precision), "case: a\n", 2);
  const std::string path = in_folder("checkpoint_00000100.h5");
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(H5Adelete_by_name(file, "temperature", "crc32", H5P_DEFAULT), 0);
  EXPECT_GE(H5Fclose(file), 0);
  EXPECT_EQ(io_error_of([&] { flow_in_file(path); }),
            path + ": dataset temperature: it has no checksum");
}

}  // namespace
}  // namespace dns::test_flow_file
