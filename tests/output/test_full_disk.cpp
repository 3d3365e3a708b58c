#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "output_testing.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "time_series_testing.hpp"

namespace dns::test_full_disk {
namespace {

/// Runs `write` in a process of its own in which no file may grow beyond `limit` bytes, and leaves
/// through the usual exit of a program. Returns the message of its IoError, "" without one, and
/// "died" when the process did not end in order.
template <class Write>
std::string message_with_limit(rlim_t limit, Write write) {
  std::fflush(nullptr);
  std::array<int, 2> ends = {-1, -1};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit bound{.rlim_cur = limit, .rlim_max = limit};
    ::setrlimit(RLIMIT_FSIZE, &bound);
    std::string message;
    try {
      write();
    } catch (const IoError& error) {
      message = error.what();
    }
    const bool is_told =
        ::write(ends[1], message.data(), message.size()) == static_cast<ssize_t>(message.size());
    std::exit(is_told ? 0 : 1);
  }
  ::close(ends[1]);
  std::string message;
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1) message += letter;
  ::close(ends[0]);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? message : "died: " + message;
}

class FullDiskTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    flow = known_flow(Precision::double_precision, {31, 29, 27});
  }

  [[nodiscard]] std::string size_limits_do_harm_to(const std::string& name,
                                                   const std::function<void()>& write) const {
    const auto before = names();
    write();
    const auto size = std::filesystem::file_size(in_folder(name));
    std::filesystem::remove(in_folder(name));
    if (names() != before) return "other files were written";
    for (rlim_t limit = 0; limit < size; limit += std::max<rlim_t>(size / 16, 1)) {
      const std::string message = message_with_limit(limit, write);
      if (message.starts_with("died"))
        return fmt::format("limit {} of {}: {}", limit, size, message);
      if (message.find("File too large") == std::string::npos)
        return fmt::format("limit {} of {}: message '{}'", limit, size, message);
      if (message.find(name) == std::string::npos) return "no file named: " + message;
      if (names() != before) return fmt::format("limit {} of {}: files left", limit, size);
    }
    const std::string message = message_with_limit(size - 1, write);
    if (message.starts_with("died")) return "one byte less: " + message;
    if (message.find("File too large") == std::string::npos) return "one byte less: " + message;
    return names() == before ? "" : "one byte less: files left";
  }

  FlowState flow;
};

TEST_F(FullDiskTest, a_checkpoint_that_does_not_fit_is_an_error_and_the_older_one_stays) {
  write_checkpoint(folder(), flow, "case: a\n", 9);
  const std::string older = read_whole(in_folder("checkpoint_00000100.h5"));
  flow.step = 200;
  EXPECT_EQ(size_limits_do_harm_to("checkpoint_00000200.h5",
                                   [&] { write_checkpoint(folder(), flow, "case: a\n", 9); }),
            "");
  EXPECT_EQ(read_whole(in_folder("checkpoint_00000100.h5")), older);
  EXPECT_EQ(read_newest_checkpoint(folder()).state.step, 100);
}

TEST_F(FullDiskTest, a_snapshot_that_does_not_fit_is_an_error_and_leaves_nothing) {
  Case resolved = known_case(folder());
  for (const int compression : {0, 1}) {
    resolved.output.fields.compression = compression;
    EXPECT_EQ(size_limits_do_harm_to("fields_00000100.h5",
                                     [&] { write_snapshot(folder(), flow, resolved, "", "a"); }),
              "");
  }
}

TEST_F(FullDiskTest, a_failed_checkpoint_can_be_followed_by_a_good_one) {
  const std::string message = message_with_limit(1'000'000, [&] {
    EXPECT_THROW(
        write_checkpoint(folder(), known_flow(Precision::double_precision, {64, 64, 64}), "", 2),
        IoError);
    write_checkpoint(folder(), known_flow(Precision::double_precision), "", 2);
  });
  EXPECT_EQ(message, "");
  EXPECT_EQ(names(), std::set<std::string>{"checkpoint_00000100.h5"});
}

TEST_F(FullDiskTest, a_line_of_the_time_series_that_does_not_fit_is_an_error) {
  const auto append = [&] {
    TimeSeries series(folder(), 0, {});
    for (int step = 1; step < 100; ++step) series.append({step, 0.5, 0.25, 0.25, {}, 0, {}});
  };
  const std::string message = message_with_limit(1000, append);
  EXPECT_TRUE(contains(message, "timeseries.csv: writing a line: File too large"));
}

TEST_F(FullDiskTest, a_text_file_that_does_not_fit_leaves_the_old_one) {
  write_text_file(in_folder("case.yaml"), "old");
  const std::string message = message_with_limit(
      1000, [&] { write_text_file(in_folder("case.yaml"), std::string(5000, 'x')); });
  EXPECT_TRUE(contains(message, "case.yaml.part: writing: File too large"));
  EXPECT_EQ(names(), std::set<std::string>{"case.yaml"});
  EXPECT_EQ(read_whole(in_folder("case.yaml")), "old");
}

/// A small file system of its own.
class FullFileSystemTest : public FullDiskTest {
 protected:
  void SetUp() override {
    FullDiskTest::SetUp();
    if (::mount("none", folder().c_str(), "tmpfs", 0, "size=512k") != 0)
      GTEST_SKIP() << "a small file system cannot be mounted here";
    is_mounted_ = true;
  }
  void TearDown() override {
    if (is_mounted_) ::umount(folder().c_str());
    FullDiskTest::TearDown();
  }

 private:
  bool is_mounted_ = false;
};

TEST_F(FullFileSystemTest, the_error_says_that_no_space_is_left_and_older_files_stay) {
  const FlowState small = known_flow(Precision::double_precision, {15, 13, 11});
  write_checkpoint(folder(), small, "case: a\n", 2);
  TimeSeries series(folder(), 0, {});
  const auto before = names();
  flow = known_flow(Precision::double_precision, {64, 64, 64});
  flow.step = 200;
  EXPECT_TRUE(contains(io_error_of([&] { write_checkpoint(folder(), flow, "case: a\n", 2); }),
                       "checkpoint_00000200.h5.part: dataset "));
  EXPECT_TRUE(contains(io_error_of([&] { write_checkpoint(folder(), flow, "case: a\n", 2); }),
                       "No space left on device"));
  Case resolved = known_case(folder());
  resolved.output.fields.precision = Precision::double_precision;
  EXPECT_TRUE(contains(io_error_of([&] { write_snapshot(folder(), flow, resolved, "", "a"); }),
                       "No space left on device"));
  EXPECT_TRUE(contains(
      io_error_of([&] { write_text_file(in_folder("case.yaml"), std::string(1'000'000, 'x')); }),
      "No space left on device"));
  EXPECT_EQ(names(), before);
  EXPECT_EQ(read_newest_checkpoint(folder()).state.step, 100);
  EXPECT_TRUE(contains(io_error_of([&] {
                         for (int step = 1; step < 1'000'000; ++step)
                           series.append({step, 0.5, 0.25, 0.25, {}, 0, {}});
                       }),
                       "timeseries.csv: writing a line: No space left on device"));
}

TEST_F(FullDiskTest, a_folder_that_cannot_be_is_an_error_that_says_why) {
  write_whole(in_folder("file"), "");
  const std::string below = in_folder("file/run");
  EXPECT_TRUE(contains(io_error_of([&] { write_checkpoint(below, flow, "", 2); }),
                       "creating the file: Not a directory"));
  EXPECT_TRUE(
      contains(io_error_of([&] { write_snapshot(below, flow, known_case(below), "", "a"); }),
               "creating the file: Not a directory"));
  EXPECT_EQ(names(), std::set<std::string>{"file"});
}

}  // namespace
}  // namespace dns::test_full_disk
