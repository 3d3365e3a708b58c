#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <functional>
#include <vector>

#include "output_testing.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"
#include "tests/flow_in_file.hpp"

namespace dns::test_snapshot_damage {
namespace {

class SnapshotDamageTest : public FolderTest {
 protected:
  /// A snapshot of cells that `edit` has changed.
  [[nodiscard]] std::string edited(const std::function<void(hid_t)>& edit) const {
    write_snapshot(folder(),
                   known_cells(Precision::single_precision),
                   known_case_of_cells(""),
                   "a device",
                   "case: a\n");
    const std::string path = in_folder("fields_00000100.h5");
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    edit(file);
    EXPECT_GE(H5Fclose(file), 0);
    return path;
  }
  /// A snapshot of cells whose dataset `name` has another shape, of floats unless told otherwise.
  [[nodiscard]] std::string reshaped(const char* name,
                                     const std::vector<hsize_t>& shape,
                                     hid_t type = H5T_NATIVE_FLOAT) const {
    return edited([&](hid_t file) {
      H5Ldelete(file, name, H5P_DEFAULT);
      const std::vector<double> zeros(1000, 0);
      EXPECT_GE(H5LTmake_dataset(
                    file, name, static_cast<int>(shape.size()), shape.data(), type, zeros.data()),
                0);
    });
  }
  static std::string facts_error_of(const std::string& path) {
    return io_error_of([&] { read_snapshot_facts(path); });
  }
};

TEST_F(SnapshotDamageTest, names_and_texts_lie_in_no_heap_where_damage_brings_hdf5_down) {
  const FlowState written = known_cells(Precision::single_precision);
  write_snapshot(folder(), written, known_case_of_cells(""), "a device", std::string(5000, 'x'));
  EXPECT_EQ(read_whole(in_folder("fields_00000100.h5")).find("FRHP"), std::string::npos);
}

TEST_F(SnapshotDamageTest, a_flipped_bit_anywhere_is_found_or_harmless) {
  const FlowState written = known_cells(Precision::single_precision);
  write_snapshot(folder(), written, known_case_of_cells(""), "a device", std::string(5000, 'x'));
  const std::string path = in_folder("fields_00000100.h5");
  const std::string good = read_whole(path);
  int found = 0;
  for (std::size_t at = 0; at < good.size(); at += 23) {
    SCOPED_TRACE(at);
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    write_whole(path, bytes);
    for (const std::function<void()>& read : {std::function<void()>([&] { read_file_facts(path); }),
                                              {[&] { read_snapshot_facts(path); }},
                                              {[&] {
                                                const FlowState flow = flow_in_file(path);
                                                EXPECT_EQ(bytes_of_field(flow.fields[3]),
                                                          bytes_of_field(written.fields[3]));
                                              }}}) {
      try {
        read();
      } catch (const IoError&) {
        ++found;
      } catch (const CaseError&) {  // its format is another word
        ++found;
      }
    }
  }
  EXPECT_GT(found, 30);
}

TEST_F(SnapshotDamageTest, a_checkpoint_or_a_file_of_another_program_is_no_snapshot) {
  const std::string other = edited([](hid_t file) { H5Adelete(file, "format"); });
  EXPECT_EQ(io_error_of([&] { read_file_facts(other); }),
            other + ": not a file of this program (no attribute format)");
  EXPECT_EQ(facts_error_of(other), other + ": not a dns snapshot (no attribute format)");
  write_checkpoint(folder(), known_flow(Precision::double_precision), "case: a\n", 1);
  const std::string checkpoint = in_folder("checkpoint_00000100.h5");
  EXPECT_EQ(facts_error_of(checkpoint), checkpoint + ": not a dns snapshot but a dns checkpoint");
}

TEST_F(SnapshotDamageTest, a_precision_that_is_none_is_refused) {
  const std::string path =
      edited([](hid_t file) { H5LTset_attribute_string(file, "/", "precision", "half"); });
  EXPECT_EQ(facts_error_of(path), path + ": precision is half, but must be float or double");
}

TEST_F(SnapshotDamageTest, variables_that_do_not_fit_the_grid_are_not_listed) {
  const auto expect_refused = [](const std::string& path, const std::string& name) {
    EXPECT_EQ(facts_error_of(path), path + ": dataset " + name + ": does not fit the grid");
  };
  expect_refused(reshaped("temperature", {3, 7, 5}), "temperature");
  expect_refused(reshaped("pressure", {3, 5, 7}, H5T_NATIVE_DOUBLE), "pressure");
  expect_refused(reshaped("velocity", {3, 5, 7}), "velocity");
  expect_refused(reshaped("y_faces", {5}, H5T_NATIVE_DOUBLE), "y_faces");
  SnapshotSeries(folder()).write_list(100);
  EXPECT_FALSE(names().contains("fields.xdmf"));
}

TEST_F(SnapshotDamageTest, coordinates_that_are_no_list_are_refused) {
  for (const char* const name : {"z", "x_faces"}) {
    const std::string path = reshaped(name, {3, 1}, H5T_NATIVE_DOUBLE);
    EXPECT_EQ(facts_error_of(path), path + ": dataset " + name + ": not a list of coordinates");
  }
}

}  // namespace
}  // namespace dns::test_snapshot_damage
