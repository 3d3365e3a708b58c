#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "output_testing.hpp"
#include "plane_testing.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/statistics_file.hpp"

namespace {

/// Writes of this process to come until one fails; negative: none does.
int writes_before_failure = -1;
int writes_so_far = 0;

ssize_t write_or_fail(int file, const void* bytes, std::size_t count, off_t place) {
  ++writes_so_far;
  if (writes_before_failure >= 0 && writes_before_failure-- == 0) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_pwrite64, file, bytes, count, place);
}

}  // namespace

// HDF5 writes by these: the dynamic linker takes them from the program before the C library.
extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t place) {
  return write_or_fail(file, bytes, count, place);
}
extern "C" ssize_t pwrite64(int file, const void* bytes, std::size_t count, off_t place) {
  return write_or_fail(file, bytes, count, place);
}

namespace dns {
namespace {

/// Lets each write of a file fail in turn, the others succeed.
class FailedWriteTest : public FolderTest {
 protected:
  void TearDown() override {
    writes_before_failure = -1;
    FolderTest::TearDown();
  }

  /// `write` throws an IoError whichever write fails, says why, and changes no file.
  void expect_each_failure_is_told(const std::function<void()>& write) const {
    const auto before = names();
    writes_so_far = 0;
    write();
    const int writes = writes_so_far;
    ASSERT_GT(writes, 0) << "the writes of HDF5 do not pass here";
    for (const std::string& name : names())
      if (!before.contains(name)) std::filesystem::remove(in_folder(name));
    for (int number = 0; number < writes; ++number) {
      SCOPED_TRACE(fmt::format("write {} of {}", number, writes));
      writes_before_failure = number;
      EXPECT_TRUE(contains(io_error_of(write), "Input/output error"));
      EXPECT_LT(writes_before_failure, 0) << "it was never made";
      EXPECT_EQ(names(), before);
    }
  }
};

TEST_F(FailedWriteTest, of_a_checkpoint_is_an_error_and_the_older_one_stays) {
  FlowState flow = known_flow(Precision::double_precision);
  write_checkpoint(folder(), flow, "case: a\n", 9);
  flow.step = 200;
  expect_each_failure_is_told([&] { write_checkpoint(folder(), flow, "case: a\n", 9); });
  EXPECT_EQ(read_newest_checkpoint(folder()).state.step, 100);
}

TEST_F(FailedWriteTest, of_a_checkpoint_of_more_than_a_block_is_an_error) {
  const FlowState flow = known_flow(Precision::double_precision, {61, 67, 71});
  expect_each_failure_is_told([&] { write_checkpoint(folder(), flow, "case: a\n", 9); });
}

TEST_F(FailedWriteTest, of_a_snapshot_is_an_error) {
  Case resolved = known_case_of_cells(folder());
  for (const int compression : {0, 1}) {
    resolved.output.fields.compression = compression;
    const FlowState flow = known_cells(Precision::double_precision);
    expect_each_failure_is_told([&] { write_snapshot(folder(), flow, resolved, "", "a"); });
  }
}

TEST_F(FailedWriteTest, of_statistics_is_an_error) {
  Case resolved = known_case_of_cells(folder());
  resolved.output.statistics.emplace();
  resolved.output.statistics->average = {true, false, true};
  FlowState flow = known_cells(Precision::double_precision);
  flow.statistics.samples = 1;
  for (const char* const name : {"u", "v", "w"}) {
    HostField sum(name, {1, 5, 1}, Precision::double_precision);
    std::ranges::fill(sum.values<double>(), 1.0);
    flow.statistics.sums.push_back(sum);
  }
  expect_each_failure_is_told([&] { write_statistics(folder(), flow, resolved, "a"); });
}

TEST_F(FailedWriteTest, of_recorded_planes_is_an_error_and_leaves_a_gap) {
  Case resolved =
      known_case_with_planes(known_case_of_cells(folder()), Precision::double_precision);
  resolved.output.planes->planes.resize(1);
  const PlaneGrid grid = plane_grid(resolved, resolved.output.planes->planes[0]);
  const std::vector<PlaneRecord> records{known_record(resolved, 5)};
  expect_each_failure_is_told([&] { write_plane_piece(folder(), grid, records, 0, "a"); });
  PlaneStore store(resolved, "a");
  writes_before_failure = 3;
  EXPECT_TRUE(contains(io_error_of([&] { store.set_down(records); }), "Input/output error"));
  EXPECT_TRUE(store.has_gap());
  store.set_down(records);
  EXPECT_TRUE(store.has_gap());
  const auto written = names();
  EXPECT_TRUE(written.contains("planes_across_x_00000005.h5"));
  write_plane_piece(folder(), grid, {known_record(resolved, 10)}, 0, "a");
  for (const int number : {0, 2, 4}) {
    writes_before_failure = number;
    const auto fail = [&] { PlaneSeries(folder(), "across_x").write(10); };
    EXPECT_TRUE(contains(io_error_of(fail), "Input/output error"));
    EXPECT_EQ(read_plane_series(in_folder("planes_across_x.h5")).steps.size(), 1U);
  }
}

}  // namespace
}  // namespace dns
