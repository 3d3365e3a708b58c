#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <set>
#include <utility>

#include "fake_simulation.hpp"
#include "output_of_a_run.hpp"
#include "output_testing.hpp"
#include "plane_testing.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"
#include "solver/output/statistics_file.hpp"
#include "tests/message_of.hpp"

namespace {

/// Calls of this process to come until one fails; negative: none does.
std::atomic<int> writes_before_failure = -1;
std::atomic<int> flushes_before_failure = -1;
std::atomic<int> reads_before_failure = -1;
std::atomic<int> writes_so_far = 0;

/// Whether a call is the one that fails, and counts it.
bool fails_now(std::atomic<int>& calls_before_failure) {
  int before = calls_before_failure;
  while (before >= 0 && !calls_before_failure.compare_exchange_weak(before, before - 1)) {
  }
  if (before != 0) return false;
  errno = EIO;
  return true;
}

ssize_t write_or_fail(int file, const void* bytes, std::size_t count, off_t place) {
  ++writes_so_far;
  if (fails_now(writes_before_failure)) return -1;
  return ::syscall(SYS_pwrite64, file, bytes, count, place);
}

ssize_t read_or_fail(int file, void* bytes, std::size_t count, off_t place) {
  if (fails_now(reads_before_failure)) return -1;
  return ::syscall(SYS_pread64, file, bytes, count, place);
}

}  // namespace

// HDF5 reads and writes by these: the dynamic linker takes them from the program before the C
// library.
#pragma GCC visibility push(default)
extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t place) {
  return write_or_fail(file, bytes, count, place);
}
extern "C" ssize_t pwrite64(int file, const void* bytes, std::size_t count, off_t place) {
  return write_or_fail(file, bytes, count, place);
}
extern "C" ssize_t pread(int file, void* bytes, std::size_t count, off_t place) {
  return read_or_fail(file, bytes, count, place);
}
extern "C" ssize_t pread64(int file, void* bytes, std::size_t count, off_t place) {
  return read_or_fail(file, bytes, count, place);
}
extern "C" int fsync(int file) {
  if (fails_now(flushes_before_failure)) return -1;
  return static_cast<int>(::syscall(SYS_fsync, file));
}
#pragma GCC visibility pop

namespace dns::test_failed_write {
namespace {

/// Lets each write of a file fail in turn, or flush, or read; the others succeed.
class FailedWriteTest : public FolderTest {
 protected:
  void TearDown() override {
    writes_before_failure = flushes_before_failure = reads_before_failure = -1;
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

TEST_F(FailedWriteTest, each_failed_read_of_what_threads_wrote_leaves_no_checkpoint) {
  const FlowState flow = known_flow(Precision::single_precision, {127, 65, 129});
  for (int number = 0;; ++number) {
    SCOPED_TRACE(fmt::format("read {}", number));
    reads_before_failure = number;
    const std::string error =
        message_of<IoError>([&] { write_checkpoint(folder(), flow, "case: a\n", 9); });
    const bool has_failed = reads_before_failure < 0;
    reads_before_failure = -1;
    EXPECT_EQ(contains(error, "Input/output error"), has_failed) << error;
    EXPECT_EQ(names().empty(), has_failed);
    if (has_failed) continue;
    EXPECT_GT(number, 20) << "each of 4 fields has 5 blocks";
    return;
  }
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
  flow.statistics = uniform_sums({1, 5, 1}, 1);
  expect_each_failure_is_told([&] { write_statistics(folder(), flow, resolved, "a"); });
}

TEST_F(FailedWriteTest, of_recorded_planes_is_an_error) {
  Case resolved =
      known_case_with_planes(known_case_of_cells(folder()), Precision::double_precision);
  resolved.output.planes->planes.resize(1);
  const PlaneGrid grid = plane_grid(resolved, resolved.output.planes->planes[0]);
  const std::vector<PlaneRecord> records{known_record(resolved, 5)};
  expect_each_failure_is_told([&] { write_plane_piece(folder(), grid, records, 0, "a"); });
  PlaneStore store(folder(), {grid}, "a");
  writes_before_failure = 3;
  EXPECT_TRUE(contains(io_error_of([&] { store.set_down(records); }), "Input/output error"));
  store.set_down(records);
  EXPECT_TRUE(store.write_lists().empty());
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

/// A case with a point, a line, planes and a time series.
Case case_with_records(const std::string& folder) {
  Case resolved = known_case_with_planes(known_case(folder), Precision::double_precision);
  resolved.output.timeseries_every = 1;
  resolved.output.planes->every = 1;
  const auto& [from, length] = std::pair(resolved.grid.origin, resolved.grid.length);
  resolved.output.probes =
      ProbesCase{.every = 1,
                 .start = 0,
                 .probes = {{.name = "wake", .from = from, .to = from, .count = 1},
                            {.name = "line", .from = from, .to = length, .count = 3}}};
  return resolved;
}

/// What is recorded of each step.
class FakeRecorder final : public FakeSimulation {
 public:
  explicit FakeRecorder(Case resolved) : resolved_(std::move(resolved)) {}
  std::vector<PlaneValues> planes() override { return known_record(resolved_, step()).planes; }
  ProbeRecords take_probes() override {
    ProbeRecords probes;
    probes.steps = {step()};
    probes.times = {time()};
    const std::size_t values = 4 * variables_at_probes(resolved_).size();
    for (std::size_t n = 0; n < values; ++n) probes.samples.push_back(n);
    probes.values.assign(values, 1.0);
    return probes;
  }

 private:
  Case resolved_;
};

TEST_F(FailedWriteTest, of_one_flush_of_a_record_leaves_no_checkpoint_then_or_later) {
  std::set<std::string> tables;
  bool is_over = false;
  bool is_of_record = true;  // until the checkpoint itself is flushed
  for (int number = 0; !is_over; ++number) {
    SCOPED_TRACE(fmt::format("flush {}", number));
    for (const std::string& name : names()) std::filesystem::remove(in_folder(name));
    FakeRecorder simulation(case_with_records(folder()));
    simulation.advance();
    OutputOfRun writer(case_with_records(folder()), simulation);
    flushes_before_failure = number;
    writer.record();
    writer.write({.checkpoint = true});
    const std::string error = message_of<IoError>([&] { writer.finish(); });
    is_over = flushes_before_failure >= 0;
    flushes_before_failure = -1;
    EXPECT_EQ(error.empty(), is_over);
    if (error.empty()) break;
    EXPECT_TRUE(contains(error, "Input/output error"));
    if (contains(error, "checkpoint_00000001.h5.part")) is_of_record = false;
    if (contains(error, ".csv: ")) tables.insert(error.substr(0, error.find(": ")));
    simulation.advance();
    writer.record();
    writer.write({.checkpoint = true});
    writer.finish();
    EXPECT_EQ(is_of_record, !names().contains("checkpoint_00000002.h5")) << error;
    EXPECT_FALSE(is_of_record && names().contains("checkpoint_00000001.h5")) << error;
  }
  EXPECT_EQ(tables,
            (std::set<std::string>{in_folder("probes_wake.csv"), in_folder("timeseries.csv")}));
  EXPECT_FALSE(is_of_record);
}

TEST_F(FailedWriteTest, one_failed_read_takes_no_snapshot_and_no_piece_out_of_a_list) {
  Case resolved =
      known_case_with_planes(known_case_of_cells(folder()), Precision::double_precision);
  resolved.output.planes->planes.resize(1);
  const PlaneGrid grid = plane_grid(resolved, resolved.output.planes->planes[0]);
  resolved.output.fields.compression = 1;  // chunks are found by an index in the file
  FlowState flow = known_cells(Precision::double_precision);
  for (const std::int64_t step : {5, 10}) {
    flow.step = step;
    write_snapshot(folder(), flow, resolved, "", "a");
    write_plane_piece(folder(), grid, {known_record(resolved, step)}, 0, "a");
  }
  SnapshotSeries(folder()).write_list(5);
  PlaneSeries(folder(), "across_x").write(5);
  const std::string list = read_whole(in_folder("fields.xdmf"));
  const auto expect_each_read_counts = [&](const std::function<Warnings()>& write,
                                           const std::function<void()>& expect_unchanged) {
    for (int number = 0;; ++number) {
      SCOPED_TRACE(fmt::format("read {}", number));
      reads_before_failure = number;
      Warnings warnings;
      const std::string error = message_of<IoError>([&] { warnings = write(); });
      const bool has_failed = reads_before_failure < 0;
      reads_before_failure = -1;
      EXPECT_TRUE(warnings.empty()) << warnings.at(0);
      EXPECT_EQ(contains(error, "Input/output error"), has_failed) << error;
      if (!has_failed) {
        EXPECT_GT(number, 3) << "the reads of HDF5 do not pass here";
        return;
      }
      expect_unchanged();
    }
  };
  expect_each_read_counts([&] { return SnapshotSeries(folder()).write_list(10); },
                          [&] { EXPECT_EQ(read_whole(in_folder("fields.xdmf")), list); });
  EXPECT_TRUE(contains(read_whole(in_folder("fields.xdmf")), "fields_00000010.h5"));
  expect_each_read_counts([&] { return PlaneSeries(folder(), "across_x").write(10); },
                          [&] {
                            EXPECT_EQ(read_plane_series(in_folder("planes_across_x.h5")).steps,
                                      std::vector<double>{5});
                          });
  EXPECT_EQ(read_plane_series(in_folder("planes_across_x.h5")).steps, (std::vector<double>{5, 10}));
}

}  // namespace
}  // namespace dns::test_failed_write
