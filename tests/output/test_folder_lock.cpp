/// Who may write to a folder, and whether it is noticed when its files disappear.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "output_testing.hpp"
#include "solver/files/folder_lock.hpp"
#include "tests/message_of.hpp"

namespace dns::test_folder_lock {
namespace {

class FolderLockTest : public FolderTest {};

/// What a second lock of the folder is refused with; empty: it is not.
std::string refusal_of(const std::string& folder) {
  return message_of<CaseError>([&] { const FolderLock second(folder); });
}

TEST_F(FolderLockTest, names_process_and_host_to_whoever_comes_second) {
  const FolderLock first(folder());
  EXPECT_TRUE(first.keeps_others_out());
  const std::string refusal = refusal_of(folder());
  EXPECT_TRUE(contains(refusal, folder() + " is in use: process " + std::to_string(getpid())));
  std::array<char, 256> host{};
  ASSERT_EQ(gethostname(host.data(), host.size() - 1), 0);
  EXPECT_TRUE(contains(refusal, std::string(" on ") + host.data() + " "));
}

TEST_F(FolderLockTest, leaves_nothing_behind_and_can_be_taken_again) {
  for (int n = 0; n < 3; ++n) {
    auto lock = std::make_unique<FolderLock>(folder());
    EXPECT_EQ(names(), std::set<std::string>{"run.lock"});
    lock.reset();
    EXPECT_TRUE(names().empty());
  }
}

TEST_F(FolderLockTest, of_a_killed_process_holds_nobody_up) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const FolderLock lock(folder());
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(names(), std::set<std::string>{"run.lock"});
  EXPECT_EQ(refusal_of(folder()), "");
}

TEST_F(FolderLockTest, whose_file_is_taken_away_still_keeps_others_out) {
  FolderLock first(folder());
  std::filesystem::remove(in_folder(lock_name));
  EXPECT_TRUE(contains(refusal_of(folder()), "is in use: another process writes there"));
  EXPECT_TRUE(names().empty());  // nothing is left of the second
  for (int n = 0; n < 2; ++n) first.renew();
  EXPECT_EQ(names(), std::set<std::string>{"run.lock"});
  EXPECT_TRUE(contains(refusal_of(folder()), "is in use: process " + std::to_string(getpid())));
}

TEST_F(FolderLockTest, of_a_missing_folder_is_an_error_that_says_why) {
  EXPECT_TRUE(contains(io_error_of([&] { const FolderLock lock(in_folder("none")); }),
                       "none/run.lock: creating the file: No such file or directory"));
}

class PathWatchTest : public FolderTest {};

TEST_F(PathWatchTest, names_what_is_removed_replaced_or_renamed) {
  for (const char* const name : {"log", "series"}) write_whole(in_folder(name), "1");
  PathWatch watch;
  watch.add(folder());
  watch.add(in_folder("log"));
  watch.add(in_folder("series"));
  EXPECT_EQ(watch.missing(), "");
  write_whole(in_folder("log"), "written to as it should be");
  EXPECT_EQ(watch.missing(), "");
  std::filesystem::rename(in_folder("log"), in_folder("moved"));
  EXPECT_EQ(watch.missing(), in_folder("log"));
  write_whole(in_folder("log"), "another file of that name");
  EXPECT_EQ(watch.missing(), in_folder("log"));
  std::filesystem::rename(in_folder("moved"), in_folder("log"));
  EXPECT_EQ(watch.missing(), "");
  std::filesystem::remove(in_folder("series"));
  EXPECT_EQ(watch.missing(), in_folder("series"));
}

TEST_F(PathWatchTest, of_a_missing_file_is_an_error) {
  PathWatch watch;
  EXPECT_TRUE(contains(io_error_of([&] { watch.add(in_folder("none")); }), "none: looking at"));
}

}  // namespace
}  // namespace dns::test_folder_lock
