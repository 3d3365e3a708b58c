#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "output_testing.hpp"
#include "plane_testing.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/output/outputs.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/run_folder.hpp"

namespace dns::test_run_folder {
namespace {

class RunFolderTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    of_run = std::make_unique<Outputs>(known_case(folder()), alone());
  }
  /// Number of files that a run loses which goes on after this step.
  [[nodiscard]] std::size_t removed_after(std::int64_t step) const {
    FlowState checkpoint;
    checkpoint.step = step;
    remove_unfinished_files(folder(), *of_run);
    return of_run->cut_back(checkpoint).count;
  }

  std::unique_ptr<Outputs> of_run;
};

/// Names of the files that are removed from a folder, in the order in which they go.
class RemovalWatch {
 public:
  explicit RemovalWatch(const std::string& folder) : events_(::inotify_init1(IN_NONBLOCK)) {
    EXPECT_GE(::inotify_add_watch(events_, folder.c_str(), IN_DELETE), 0);
  }
  ~RemovalWatch() { ::close(events_); }
  RemovalWatch(const RemovalWatch&) = delete;
  RemovalWatch& operator=(const RemovalWatch&) = delete;

  [[nodiscard]] std::vector<std::string> removed() const {
    alignas(inotify_event) std::array<char, 16384> buffer{};
    const ssize_t bytes = ::read(events_, buffer.data(), buffer.size());
    std::vector<std::string> names;
    for (ssize_t at = 0; at < bytes;) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      names.emplace_back(buffer.data() + at + sizeof event);
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
    return names;
  }

 private:
  int events_;
};

TEST_F(RunFolderTest, is_made_with_its_parents) {
  prepare_run_folder(in_folder("runs/a/b"), ExistingFolder::refuse, *of_run);
  EXPECT_TRUE(std::filesystem::is_directory(in_folder("runs/a/b")));
}

TEST_F(RunFolderTest, may_exist_with_files_of_the_user) {
  write_whole(in_folder("notes.txt"), "");
  write_whole(in_folder("fields_mean.h5"), "");
  prepare_run_folder(folder(), ExistingFolder::refuse, *of_run);
  EXPECT_EQ(names(), (std::set<std::string>{"fields_mean.h5", "notes.txt"}));
}

TEST_F(RunFolderTest, that_holds_a_run_is_refused_with_what_to_do) {
  for (const std::string name : {"case.yaml",
                                 "timeseries.csv",
                                 "fields_00000010.h5",
                                 "checkpoint_123456789.h5",
                                 "log.txt"}) {
    write_whole(in_folder(name), "kept");
    EXPECT_EQ(message_of<CaseError>(
                  [&] { prepare_run_folder(folder(), ExistingFolder::refuse, *of_run); }),
              folder() + " already holds a run (" + name +
                  "); use --force to replace it or `dns resume " + folder() + "` to go on");
    EXPECT_EQ(read_whole(in_folder(name)), "kept");
    std::filesystem::remove(in_folder(name));
  }
}

TEST_F(RunFolderTest, is_replaced_by_force_without_touching_files_of_the_user) {
  const std::set<std::string> of_the_user = {"notes.txt",
                                             "my_case.yaml",
                                             "fields_mean.h5",
                                             "fields_00000010.h5.bak",
                                             "checkpoint_old.h5",
                                             "data.part",
                                             "slice_00000010.png",
                                             "slice_lid_10.png",
                                             "planes_00000010.h5.bak",
                                             "planes_lid.csv",
                                             "pictures"};
  for (const auto& name : of_the_user)
    if (name != "pictures") write_whole(in_folder(name), "");
  std::filesystem::create_directory(in_folder("pictures"));
  for (const auto* name : {"case.yaml",
                           "fields.xdmf",
                           "fields_points.xdmf",
                           "fields_00000010.h5",
                           "fields_00000020.h5.part",
                           "timeseries.csv",
                           "timeseries.csv.part",
                           "checkpoint_00000010.h5",
                           "checkpoint_00000020.h5.part",
                           "slice_lid_00000010.png",
                           "slice_mid_1_00000010.png.part",
                           "planes_lid_1.h5",
                           "planes_lid_1.xdmf.part",
                           "planes_lid_1_00000010.h5",
                           "statistics.h5",
                           "statistics_00000010.h5",
                           "log.txt",
                           "STOP"})
    write_whole(in_folder(name), "");
  prepare_run_folder(folder(), ExistingFolder::replace, *of_run);
  EXPECT_EQ(names(), of_the_user);
}

TEST_F(RunFolderTest, loses_its_lists_before_what_they_name) {
  for (int step = 0; step < 20; ++step)
    write_whole(in_folder(numbered_name(snapshot_prefix, step)), "");
  for (const auto* name : {"fields.xdmf", "fields_points.xdmf"}) write_whole(in_folder(name), "");
  const RemovalWatch watch(folder());
  prepare_run_folder(folder(), ExistingFolder::replace, *of_run);
  const std::vector<std::string> removed = watch.removed();
  ASSERT_EQ(removed.size(), 22U);
  EXPECT_EQ(std::set<std::string>(removed.begin(), removed.begin() + 2),
            (std::set<std::string>{"fields.xdmf", "fields_points.xdmf"}));
}

TEST_F(RunFolderTest, from_which_a_run_goes_on_loses_snapshots_and_slices_of_later_steps) {
  for (const auto* name : {"fields_00000010.h5",
                           "fields_00000020.h5",
                           "fields_00000021.h5",
                           "fields_100000000.h5",
                           "fields_00000030.h5.bak",
                           "fields_mean.h5",
                           "slice_lid_00000020.png",
                           "slice_mid_1_00000021.png",
                           "slice_00000030.png",
                           "checkpoint_00000030.h5"})
    write_whole(in_folder(name), "");
  EXPECT_EQ(removed_after(20), 3U);
  EXPECT_EQ(names(),
            (std::set<std::string>{"fields_00000010.h5",
                                   "fields_00000020.h5",
                                   "fields_00000030.h5.bak",
                                   "fields_mean.h5",
                                   "slice_lid_00000020.png",
                                   "slice_00000030.png",
                                   "checkpoint_00000030.h5"}));
  EXPECT_EQ(removed_after(20), 0U);
}

TEST_F(RunFolderTest, from_which_a_run_goes_on_loses_planes_of_later_steps) {
  const Case resolved = known_case_with_planes(known_case(folder()), Precision::single_precision);
  const PlaneCase& plane = resolved.output.planes->planes[1];
  for (const std::int64_t step : {10, 20, 30}) {
    write_plane_piece(
        folder(), plane_grid(resolved, plane), {known_record(resolved, step)}, 1, "case: a\n");
  }
  write_whole(in_folder("planes_gone_00000040.h5"), "");
  EXPECT_EQ(removed_after(20), 2U);
  EXPECT_EQ(names(),
            (std::set<std::string>{"planes_across_y.h5",
                                   "planes_across_y.xdmf",
                                   "planes_across_y_00000010.h5",
                                   "planes_across_y_00000020.h5"}));
  EXPECT_EQ(read_plane_series(in_folder("planes_across_y.h5")).steps,
            (std::vector<double>{10, 20}));
  EXPECT_EQ(remove_later_pieces(folder(), planes_prefix, -1).count, 2U);
  EXPECT_TRUE(names().empty());
}

TEST_F(RunFolderTest, from_which_a_run_goes_on_loses_what_a_killed_one_left_unfinished) {
  for (const auto* name : {"fields_00000010.h5.part",
                           "statistics.h5.part",
                           "fields.xdmf.part",
                           "checkpoint_00000030.h5.part",
                           "data.part",
                           "STOP"})
    write_whole(in_folder(name), "");
  EXPECT_EQ(removed_after(20), 0U);
  EXPECT_EQ(names(), (std::set<std::string>{"data.part", "STOP"}));
}

TEST_F(RunFolderTest, with_a_request_to_stop_left_over_is_cleared) {
  const std::string stop = stop_file(folder());
  const auto make_folder = [&] { std::filesystem::create_directory(stop); };
  const auto make_file = [&] { write_whole(stop, ""); };
  const auto make_link = [&] { std::filesystem::create_symlink("/dev/full", stop); };
  for (const std::function<void()>& make : {std::function<void()>(make_folder),
                                            std::function<void()>(make_file),
                                            std::function<void()>(make_link)}) {
    make();
    prepare_run_folder(folder(), ExistingFolder::refuse, *of_run);
    EXPECT_TRUE(names().empty());
  }
  EXPECT_EQ(remove_stop_file(folder()), "");
  std::filesystem::create_directories(stop + "/full");
  prepare_run_folder(folder(), ExistingFolder::replace, *of_run);
  EXPECT_TRUE(contains(remove_stop_file(folder()), stop));
  EXPECT_EQ(names(), std::set<std::string>{"STOP"});
}

TEST_F(RunFolderTest, below_a_file_is_an_error_that_says_why) {
  write_whole(in_folder("file"), "");
  for (const std::string name : {"file", "file/run"}) {
    const auto message =
        io_error_of([&] { prepare_run_folder(in_folder(name), ExistingFolder::refuse, *of_run); });
    EXPECT_TRUE(contains(message, in_folder(name)));
    EXPECT_TRUE(contains(message, "Not a directory"));
  }
}

TEST_F(RunFolderTest, that_is_read_only_is_an_error_that_says_why) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
  std::filesystem::create_directory(in_folder("run"));
  ASSERT_EQ(::chmod(in_folder("run").c_str(), 0555), 0);
  for (const std::string name : {"run", "run/below"}) {
    const auto message =
        io_error_of([&] { prepare_run_folder(in_folder(name), ExistingFolder::refuse, *of_run); });
    EXPECT_TRUE(contains(message, "Permission denied"));
  }
}

TEST_F(RunFolderTest, a_text_file_is_replaced_whole) {
  write_whole(in_folder("case.yaml"), "a longer text than the new one");
  write_text_file(in_folder("case.yaml"), "case: a\n");
  EXPECT_EQ(read_whole(in_folder("case.yaml")), "case: a\n");
  EXPECT_EQ(names(), std::set<std::string>{"case.yaml"});
}

TEST_F(RunFolderTest, a_text_file_that_cannot_be_renamed_leaves_nothing_behind) {
  std::filesystem::create_directory(in_folder("case.yaml"));
  const auto message = io_error_of([&] { write_text_file(in_folder("case.yaml"), "case: a\n"); });
  EXPECT_TRUE(contains(message, "Is a directory"));
  EXPECT_EQ(names(), std::set<std::string>{"case.yaml"});
}

}  // namespace
}  // namespace dns::test_run_folder
