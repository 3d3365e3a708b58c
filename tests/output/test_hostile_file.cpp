#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <array>
#include <climits>
#include <functional>
#include <limits>

#include "output_testing.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "tests/flow_in_file.hpp"

namespace dns::test_hostile_file {
namespace {

/// Files that HDF5 takes for good and that are not.
class HostileFileDamageTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    FlowState flow = known_flow(Precision::double_precision);
    flow.numbers = {{"time_step", 0.1}};
    flow.statistics = {
        .samples = 3, .first_time = 0, .last_time = 1, .duration = 1, .sums = {flow.fields[0]}};
    write_checkpoint(folder(), flow, "case: a\n", 2);
    flow.step = 200;
    write_checkpoint(folder(), flow, "case: a\n", 2);
    path = in_folder("checkpoint_00000200.h5");
    good_bytes = read_whole(path);
  }

  /// With `edit` made to the newer checkpoint, the older one is taken and the warning says why.
  void expect_skipped(const std::string& reason, const std::function<void(hid_t)>& edit) const {
    write_whole(path, good_bytes);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    edit(file);
    ASSERT_GE(H5Fclose(file), 0);
    const Checkpoint read = read_newest_checkpoint(folder());
    EXPECT_EQ(read.state.step, 100);
    ASSERT_EQ(read.warnings.size(), 1U) << reason;
    EXPECT_TRUE(contains(read.warnings[0], reason));
  }

  /// The list of fields names velocity_x alone, in `shape`, whose dataset is stored as `storage`.
  static void replace_by_shape(hid_t file, const std::array<hsize_t, 3>& shape, hid_t storage) {
    H5Ldelete(file, "velocity_x", H5P_DEFAULT);
    const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
    H5Dclose(
        H5Dcreate2(file, "velocity_x", H5T_IEEE_F64LE, space, H5P_DEFAULT, storage, H5P_DEFAULT));
    H5Sclose(space);
    const std::string item = "velocity_x:double:" + std::to_string(shape[0]) + "x" +
                             std::to_string(shape[1]) + "x" + std::to_string(shape[2]);
    H5LTset_attribute_string(file, "/", "fields", item.c_str());
  }

  static void set_integer(hid_t file, const char* name, long long value) {
    H5LTset_attribute_long_long(file, "/", name, &value, 1);
  }
  static void set_real(hid_t file, const char* name, double value) {
    H5LTset_attribute_double(file, "/", name, &value, 1);
  }

  std::string path;
  std::string good_bytes;
};

TEST_F(HostileFileDamageTest, shapes_of_more_values_than_the_file_can_hold_are_refused) {
  constexpr hsize_t one = 1;
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
  const std::array<hsize_t, 3> chunk = {1, 1, 1024};
  H5Pset_chunk(chunked, 3, chunk.data());
  for (const std::array<hsize_t, 3>& shape :
       {std::array<hsize_t, 3>{one << 21, one << 20, one << 20},
        {one << 22, one << 21, one << 21},
        {one << 14, one << 13, one << 13},
        {INT_MAX, INT_MAX, 4},
        {3, 5, 1024}}) {
    expect_skipped("dataset velocity_x: ",
                   [&](hid_t file) { replace_by_shape(file, shape, chunked); });
  }
  H5Pclose(chunked);
  expect_skipped("dataset velocity_x: 3 x 5 x 7 values cannot be in 0 bytes", [&](hid_t file) {
    replace_by_shape(file, {3, 5, 7}, H5P_DEFAULT);
  });
}

TEST_F(HostileFileDamageTest, values_elsewhere_are_not_followed) {
  const auto replace_by = [&](const std::function<void(hid_t)>& make) {
    return [=](hid_t file) {
      H5Ldelete(file, "velocity_x", H5P_DEFAULT);
      make(file);
    };
  };
  const std::string other = in_folder("checkpoint_00000100.h5");
  expect_skipped("velocity_x: it is a link, which is not followed", replace_by([&](hid_t file) {
                   H5Lcreate_external(
                       other.c_str(), "velocity_x", file, "velocity_x", H5P_DEFAULT, H5P_DEFAULT);
                 }));
  expect_skipped("velocity_x: it is a link, which is not followed", replace_by([&](hid_t file) {
                   H5Lcreate_soft("/velocity_x", file, "velocity_x", H5P_DEFAULT, H5P_DEFAULT);
                 }));
  expect_skipped("dataset velocity_x: opening it", replace_by([](hid_t file) {
                   H5Gclose(H5Gcreate2(file, "velocity_x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
                 }));
  const std::array<hsize_t, 3> shape = {3, 5, 7};
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
  const hid_t external = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(external, "/dev/zero", 0, 105 * sizeof(double));
  const hid_t elsewhere = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(elsewhere, space, other.c_str(), "velocity_x", space);
  for (const hid_t storage : {external, elsewhere}) {
    expect_skipped("velocity_x: its values lie in another file, which is not read",
                   [&](hid_t file) { replace_by_shape(file, shape, storage); });
    H5Pclose(storage);
  }
  H5Sclose(space);
}

TEST_F(HostileFileDamageTest, lists_do_not_lead_out_of_the_root) {
  for (const char* const item : {"../velocity_x:double:3x5x7", ".:double:1x1x1"}) {
    expect_skipped("it cannot be called so",
                   [&](hid_t file) { H5LTset_attribute_string(file, "/", "fields", item); });
  }
}

TEST_F(HostileFileDamageTest, values_without_a_checksum_are_refused) {
  expect_skipped("dataset temperature: it has no checksum",
                 [](hid_t file) { H5Adelete_by_name(file, "temperature", "crc32", H5P_DEFAULT); });
}

TEST_F(HostileFileDamageTest, steps_and_times_that_cannot_be_are_refused) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_skipped("its step is 3, but its name says 200",
                 [](hid_t file) { set_integer(file, "step", 3); });
  for (const long long step : {-5LL, 1LL << 62})
    expect_skipped("step is ", [&](hid_t file) { set_integer(file, "step", step); });
  expect_skipped("attribute step is not an integer",
                 [](hid_t file) { set_real(file, "step", 200); });
  for (const double time : {nan, infinity, -1.0})
    expect_skipped("time is ", [&](hid_t file) { set_real(file, "time", time); });
  expect_skipped("attribute number_time_step is nan",
                 [&](hid_t file) { set_real(file, "number_time_step", nan); });
  expect_skipped("attribute statistics_samples is -1, but must be >= 0",
                 [](hid_t file) { set_integer(file, "statistics_samples", -1); });
  expect_skipped("its averages lack their only sample",
                 [](hid_t file) { set_real(file, "statistics_duration", 0); });
  expect_skipped("attribute statistics_first_time is inf",
                 [&](hid_t file) { set_real(file, "statistics_first_time", infinity); });
}

TEST_F(HostileFileDamageTest, attributes_of_another_kind_are_refused) {
  expect_skipped("attribute time is not a real number",
                 [](hid_t file) { H5LTset_attribute_string(file, "/", "time", "now"); });
  expect_skipped("attribute case is not text", [](hid_t file) { set_integer(file, "case", 1); });
  expect_skipped("attribute step is not a single value", [](hid_t file) {
    const std::array<long long, 2> steps = {200, 200};
    H5LTset_attribute_long_long(file, "/", "step", steps.data(), steps.size());
  });
}

TEST_F(HostileFileDamageTest, a_snapshot_whose_values_changed_is_not_started_from) {
  write_snapshot(
      folder(), known_flow(Precision::double_precision), known_case(""), "", "case: a\n");
  const std::string snapshot = in_folder("fields_00000100.h5");
  const std::vector<float> zeros(105, 0);
  const auto edit = [&](const std::function<void(hid_t)>& change) {
    const hid_t file = H5Fopen(snapshot.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "temperature", H5P_DEFAULT);
    change(dataset);
    H5Dclose(dataset);
    H5Fclose(file);
  };
  edit([&](hid_t dataset) {
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
  });
  EXPECT_EQ(io_error_of([&] { flow_in_file(snapshot); }),
            snapshot +
                ": dataset temperature: its values do not match their checksum; whoever changed "
                "them on purpose may delete its attribute crc32");
  edit([](hid_t dataset) { H5Adelete(dataset, "crc32"); });
  EXPECT_EQ(bytes_of_field(flow_in_file(snapshot).fields[3]),
            std::string(105 * sizeof(float), '\0'));
}

TEST_F(HostileFileDamageTest, facts_of_a_snapshot_with_a_hostile_shape_are_an_error) {
  write_snapshot(
      folder(), known_flow(Precision::double_precision), known_case(""), "", "case: a\n");
  const std::string snapshot = in_folder("fields_00000100.h5");
  const hid_t file = H5Fopen(snapshot.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  replace_by_shape(file, {1 << 20, 1 << 20, 1 << 20}, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_TRUE(contains(io_error_of([&] { read_file_facts(snapshot); }), "values cannot be in"));
}

}  // namespace
}  // namespace dns::test_hostile_file
