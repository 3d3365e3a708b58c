#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <new>
#include <semaphore>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "fake_simulation.hpp"
#include "output_of_a_run.hpp"
#include "output_testing.hpp"
#include "plane_testing.hpp"
#include "solver/files/plane_records.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/newest_flow.hpp"

namespace dns::test_output_writer {
namespace {

/// A staggered simulation: copies for viewing hold cells, those for restart something else.
class FakeStaggered final : public FakeSimulation {
 public:
  [[nodiscard]] bool one_copy_serves_both() const override { return false; }
  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override {
    static_cast<void>(FakeSimulation::allocate_state(purpose));
    return purpose == CopyPurpose::restart
               ? known_flow(Precision::double_precision, {9, 7, 5}, {velocity_x_name, "raw"})
               : known_cells(Precision::double_precision);
  }
  [[nodiscard]] StatisticsSums statistics() const override {
    StatisticsSums sums = uniform_sums({1, 5, 3}, 2);
    sums.samples = step();
    return sums;
  }
  std::vector<StatisticsSums> take_ended_windows() override { return std::exchange(ended, {}); }

  std::vector<StatisticsSums> ended;
};

/// Records the planes of a case in every step.
class FakePlanes final : public FakeSimulation {
 public:
  explicit FakePlanes(Case resolved) : resolved_(std::move(resolved)) {}
  std::vector<PlaneValues> planes() override { return known_record(resolved_, step()).planes; }

 private:
  Case resolved_;
};

/// An output that writes by a function.
class FakeOutput final : public Output {
 public:
  explicit FakeOutput(std::function<void(const FlowState&)> write,
                      CopyNeeds needs = {.restart = true})
      : Output(none, needs), write_(std::move(write)) {}
  [[nodiscard]] FileKind kind_of(std::string_view /*name*/) const override {
    return FileKind::foreign;
  }
  [[nodiscard]] bool is_due(const Moment& /*moment*/, Ask /*ask*/) const override { return true; }
  Warnings write(const CopiedFlow& flow) override {
    write_(flow.restart.slab());
    return {};
  }

 private:
  inline static const OutputContext none{{}, "", alone()};
  std::function<void(const FlowState&)> write_;
};

constexpr Wanted snapshot_only{.snapshot = true, .checkpoint = false};
constexpr Wanted checkpoint_only{.snapshot = false, .checkpoint = true};
constexpr Wanted both{.snapshot = true, .checkpoint = true};

class OutputWriterTest : public FolderTest {
 protected:
  FakeSimulation fake;
};

TEST_F(OutputWriterTest, takes_two_requests_at_once_and_the_third_waits) {
  std::promise<void> gate;
  std::atomic<int> written = 0;
  FakeOutput output([&, opened = gate.get_future().share()](const FlowState&) {
    opened.wait();
    ++written;
  });
  OutputWriter writer(fake);
  EXPECT_EQ(fake.allocations(), 2);
  writer.write({&output}, {});
  writer.write({&output}, {});
  EXPECT_EQ(written, 0);
  EXPECT_EQ(fake.copies(), 2);
  const double waited_before = writer.waited_seconds();
  std::promise<void> third;
  auto opener = std::async(std::launch::async, [&] {
    third.get_future().wait();
    EXPECT_EQ(written, 0);
    gate.set_value();
  });
  third.set_value();
  writer.write({&output}, {});
  EXPECT_GE(written, 1);
  EXPECT_EQ(fake.copies(), 3);
  EXPECT_GT(writer.waited_seconds(), waited_before);
  opener.get();
  writer.finish();
  EXPECT_EQ(written, 3);
}

TEST_F(OutputWriterTest, writes_each_flow_as_it_was_at_its_request_and_in_order) {
  std::vector<std::int64_t> steps;
  std::vector<double> values;
  std::counting_semaphore advanced(0);  // further than the flow that is written
  FakeOutput output([&](const FlowState& flow) {
    advanced.acquire();
    steps.push_back(flow.step);
    values.push_back(flow.fields[0].values<double>()[0]);
  });
  OutputWriter writer(fake);
  std::vector<std::int64_t> expected;
  for (int n = 0; n < 20; ++n) {
    fake.advance();
    if (n > 0) advanced.release();
    expected.push_back(fake.step());
    writer.write({&output}, {});
  }
  advanced.release();
  writer.finish();
  EXPECT_EQ(steps, expected);
  EXPECT_EQ(values, std::vector<double>(expected.begin(), expected.end()));
}

TEST_F(OutputWriterTest, an_error_surfaces_once_at_the_next_write_or_finish) {
  FakeOutput output([](const FlowState& flow) {
    if (flow.step % 2 == 1) throw IoError("step " + std::to_string(flow.step) + " fails");
  });
  OutputWriter writer(fake);
  fake.advance();
  writer.write({&output}, {});
  EXPECT_EQ(io_error_of([&] { writer.finish(); }), "step 1 fails");
  EXPECT_NO_THROW(writer.finish());
  fake.advance();
  EXPECT_NO_THROW(writer.write({&output}, {}));
  fake.advance();
  writer.write({&output}, {});
  while (!writer.is_idle()) std::this_thread::yield();
  EXPECT_EQ(io_error_of([&] { writer.write({&output}, {}); }), "step 3 fails");
}

TEST_F(OutputWriterTest, drops_requests_behind_one_that_failed) {
  std::promise<void> gate;
  std::vector<std::int64_t> tried;
  FakeOutput output([&, opened = gate.get_future().share()](const FlowState& flow) {
    opened.wait();
    tried.push_back(flow.step);
    throw IoError("no room");
  });
  OutputWriter writer(fake);
  writer.write({&output}, {});
  fake.advance();
  writer.write({&output}, {});
  gate.set_value();
  EXPECT_EQ(io_error_of([&] { writer.finish(); }), "no room");
  EXPECT_EQ(tried, std::vector<std::int64_t>{0});
  EXPECT_TRUE(writer.take_records().empty());
}

TEST_F(OutputWriterTest, any_other_exception_becomes_an_io_error_but_not_a_want_of_memory) {
  FakeOutput output([](const FlowState&) { throw std::logic_error("odd"); });
  OutputWriter writer(fake);
  writer.write({&output}, {});
  EXPECT_TRUE(contains(io_error_of([&] { writer.finish(); }), "odd"));
  FakeOutput another([](const FlowState&) { throw std::bad_alloc(); });
  OutputWriter wanting(fake);
  wanting.write({&another}, {});
  EXPECT_THROW(wanting.finish(), std::bad_alloc);
}

TEST_F(OutputWriterTest, its_end_waits_for_what_is_pending_and_does_not_throw) {
  std::atomic<int> written = 0;
  std::promise<void> gate;
  {
    FakeOutput output([&, opened = gate.get_future().share()](const FlowState&) {
      opened.wait();
      if (++written == 2) throw IoError("lost");
    });
    OutputWriter writer(fake);
    writer.write({&output}, {});
    writer.write({&output}, {});
    EXPECT_EQ(written, 0);
    gate.set_value();
  }
  EXPECT_EQ(written, 2);
}

TEST_F(OutputWriterTest, records_the_time_of_each_request) {
  std::vector<double> seconds;  // that pass while each is written
  FakeOutput output([&](const FlowState&) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto now = start;
    while (now == start) now = Clock::now();
    seconds.push_back(std::chrono::duration<double>(now - start).count());
  });
  OutputWriter writer(fake);
  FakeOutput other([](const FlowState&) {}, {});
  writer.write({&output, &other}, {});
  fake.advance();
  writer.write({&output}, {});
  writer.finish();
  const auto records = writer.take_records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].step, 1);
  EXPECT_EQ(records[0].outputs, (std::vector<Output*>{&output, &other}));
  EXPECT_EQ(records[1].outputs, std::vector<Output*>{&output});
  EXPECT_TRUE(records[1].has_checkpoint);
  EXPECT_GE(records[0].seconds, seconds.at(0));
  EXPECT_GE(records[1].seconds, seconds.at(1));
  EXPECT_TRUE(writer.take_records().empty());
}

TEST_F(OutputWriterTest, of_a_run_writes_snapshots_their_list_and_checkpoints) {
  Case resolved = known_case(folder());
  resolved.output.checkpoint_keep = 1;
  OutputOfRun writer(resolved, fake);
  fake.advance();
  writer.write(both);
  fake.advance();
  writer.write(snapshot_only);
  fake.advance();
  writer.write(both);
  writer.finish();
  EXPECT_EQ(fake.copies(), 3);
  EXPECT_EQ(names(),
            (std::set<std::string>{"checkpoint_00000003.h5",
                                   "fields.xdmf",
                                   "fields_00000001.h5",
                                   "fields_00000002.h5",
                                   "fields_00000003.h5"}));
  const std::string list = read_whole(in_folder("fields.xdmf"));
  for (const auto* name : {"fields_00000001.h5", "fields_00000002.h5", "fields_00000003.h5"})
    EXPECT_TRUE(contains(list, name));
  const Checkpoint read = read_newest_checkpoint(folder());
  EXPECT_EQ(read.state.time, 1.5);
  EXPECT_EQ(newest_flow(folder()).fields[0].values<double>()[0], 3);
}

TEST_F(OutputWriterTest, of_a_run_sets_down_planes_before_each_checkpoint_and_when_asked) {
  Case resolved = known_case_with_planes(known_case(folder()), Precision::double_precision);
  resolved.output.planes->every = 1;
  FakePlanes recorder(resolved);
  OutputOfRun writer(resolved, recorder);
  for (int step = 0; step <= 7; ++step) {
    writer.record();
    if (step == 2 || step == 5) writer.write(checkpoint_only);
    if (step == 6) writer.write(snapshot_only);
    if (step == 6) writer.write({.planes = true});
    if (step < 7) recorder.advance();
  }
  writer.finish();  // the last record is lost
  std::vector<std::int64_t> steps;
  for (const NumberedFile& file : numbered_files(folder(), planes_prefix, "across_z"))
    steps.push_back(file.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{2, 5, 6}));
  const PlaneRecords records(in_folder("planes_across_z.h5"));
  ASSERT_EQ(records.times().size(), 7U);
  for (std::size_t record = 0; record < 7; ++record) {
    EXPECT_EQ(records.values(2, record),
              known_record(resolved, static_cast<std::int64_t>(record)).planes[2][2]);
  }
}

/// Records one plane of 515 x 515 points.
class FakeLargePlane final : public FakeSimulation {
 public:
  static constexpr std::size_t points = std::size_t{515} * 515;
  std::vector<PlaneValues> planes() override {
    std::vector<PlaneValues> planes(1, PlaneValues(4));
    for (const std::size_t variable : {0U, 1U, 2U, 3U})
      planes[0].at(variable).assign(points, static_cast<double>(variable));
    return planes;
  }
};

TEST_F(OutputWriterTest, of_a_run_says_when_planes_take_more_than_32_MiB) {
  Case resolved = known_case(folder());
  resolved.grid.points = {7, 515, 515};
  resolved.output.planes = PlanesCase{.every = 1,
                                      .precision = Precision::single_precision,
                                      .planes = {{.name = "large", .axis = 0, .at = 1}}};
  FakeLargePlane recorder;
  OutputOfRun writer(resolved, recorder);
  for (; recorder.step() < 8; recorder.advance()) {  // of 8.5 MB each
    writer.record();
    if (writer.has_much()) writer.write({.planes = true});
  }
  writer.finish();
  std::vector<std::int64_t> steps;
  for (const NumberedFile& file : numbered_files(folder(), planes_prefix))
    steps.push_back(file.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(PlaneRecords(in_folder("planes_large.h5")).values(3, 7),
            std::vector<double>(FakeLargePlane::points, 3));
}

TEST_F(OutputWriterTest, of_a_run_writes_no_checkpoint_where_records_of_planes_are_missing) {
  Case resolved = known_case_with_planes(known_case(folder()), Precision::double_precision);
  resolved.output.planes->every = 1;
  FakePlanes recorder(resolved);
  recorder.advance();
  OutputOfRun writer(resolved, recorder);
  writer.record();
  const std::string piece = in_folder("planes_across_y_00000001.h5.part");
  std::filesystem::create_directory(piece);
  writer.write(checkpoint_only);
  EXPECT_TRUE(contains(io_error_of([&] { writer.finish(); }), piece));
  EXPECT_TRUE(numbered_files(folder(), checkpoint_prefix).empty());
}

TEST_F(OutputWriterTest, is_idle_when_nothing_is_being_written) {
  std::promise<void> gate;
  FakeOutput output([opened = gate.get_future().share()](const FlowState&) { opened.wait(); });
  OutputWriter writer(fake);
  EXPECT_TRUE(writer.is_idle());
  writer.write({&output}, {});
  EXPECT_FALSE(writer.is_idle());
  gate.set_value();
  writer.finish();
  EXPECT_TRUE(writer.is_idle());
}

TEST_F(OutputWriterTest, of_a_run_without_a_folder_reports_why) {
  std::filesystem::create_directory(in_folder("none"));
  OutputOfRun writer(known_case(in_folder("none")), fake);
  std::filesystem::remove(in_folder("none"));
  writer.write(both);
  EXPECT_TRUE(contains(io_error_of([&] { writer.finish(); }), "No such file or directory"));
}

TEST_F(OutputWriterTest, copies_of_a_staggered_flow_are_made_for_what_they_are_asked_for) {
  FakeStaggered staggered;
  staggered.advance();
  Case resolved = known_case_of_cells(folder());
  resolved.output.statistics =
      StatisticsCase{.every = 1, .average = {true, false, false}, .window = {}};
  OutputOfRun writer(resolved, staggered);
  EXPECT_EQ(staggered.allocations(), 2);  // for restart: a run must always be able to stop
  writer.write({.snapshot = false, .checkpoint = false, .statistics = true});
  writer.finish();
  EXPECT_EQ(staggered.copies(), 0);
  EXPECT_EQ(names(), std::set<std::string>{"statistics.h5"});
  writer.write(snapshot_only);
  writer.finish();
  EXPECT_EQ(staggered.allocations(), 3);
  EXPECT_EQ(staggered.copies(), 1);
  writer.write(both);
  writer.finish();
  EXPECT_EQ(staggered.copies(), 3);
  EXPECT_EQ(names(),
            (std::set<std::string>{"statistics.h5",
                                   "fields_00000001.h5",
                                   "fields.xdmf",
                                   "fields_points.xdmf",
                                   "checkpoint_00000001.h5"}));
  const FlowState read = newest_flow(folder());
  EXPECT_EQ(read.fields.at(1).name(), "raw");
  EXPECT_EQ(read.statistics.samples, 1);
  EXPECT_EQ(read.statistics.sums.at(2).values<double>()[4], 2 * 2 * 2);  // uuu
}

/// A window that cannot be written would leave a gap before the checkpoint.
TEST_F(OutputWriterTest, windows_are_written_before_a_checkpoint_and_without_them_there_is_none) {
  FakeStaggered staggered;
  staggered.advance();
  Case resolved = known_case_of_cells(folder());
  resolved.output.statistics =
      StatisticsCase{.every = 1, .average = {true, false, false}, .window = 1};
  StatisticsSums window = staggered.statistics();
  window.last_step = 7;
  OutputOfRun writer(resolved, staggered);
  staggered.ended.push_back(window);
  writer.record();
  writer.write({});
  writer.finish();
  EXPECT_EQ(staggered.copies(), 0);
  EXPECT_EQ(names(), std::set<std::string>{"statistics_00000007.h5"});
  std::filesystem::create_directory(in_folder("statistics_00000009.h5"));
  window.last_step = 9;
  staggered.ended.push_back(window);
  writer.record();
  writer.write(checkpoint_only);
  EXPECT_TRUE(contains(io_error_of([&] { writer.finish(); }), "statistics_00000009.h5"));
  EXPECT_FALSE(std::filesystem::exists(in_folder("checkpoint_00000001.h5")));
  EXPECT_TRUE(std::filesystem::exists(in_folder("statistics.h5")));
}

}  // namespace
}  // namespace dns::test_output_writer
