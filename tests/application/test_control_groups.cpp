/// Limits of control groups, in trees like those of Linux.
#include <filesystem>

#include "solver/run/control_groups.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_control_groups {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

/// Trees below the test's folder, and the table that leads there.
class ControlGroups : public RunTest {
 protected:
  void put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    write(name, text);
  }
  void put(const std::string& name, std::size_t number) const {
    put(name, std::to_string(number) + "\n");
  }

  [[nodiscard]] ControlGroupFiles files() const {
    return {.membership = path("membership"), .tree = path("tree")};
  }

  /// Version 2, this process in /user/job.
  void make_version_2() const { put("membership", "0::/user/job\n"); }

  /// Version 1 beside an empty tree of version 2, this process in /batch/job for both controllers.
  void make_version_1() const {
    std::filesystem::remove_all(path("tree"));
    put("membership", "3:cpuacct,cpu:/batch/job\n2:memory:/batch/job\n1:name=x:/memory\n0::/\n");
  }
};

TEST_F(ControlGroups, of_a_container_are_seen_from_its_own_on) {
  make_version_1();
  put("tree/cpu/cpu.cfs_quota_us", "150000\n");
  put("tree/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores_of_control_groups(files()), 2);
  EXPECT_EQ(cores_of_control_groups({.membership = path("none"), .tree = path("tree")}),
            unlimited_cores);
}

TEST_F(ControlGroups, leave_the_least_memory_of_all_above) {
  make_version_2();
  EXPECT_EQ(memory_left_in_control_groups(files()), unlimited_memory);
  put("tree/user/job/memory.max", "max\n");
  EXPECT_EQ(memory_left_in_control_groups(files()), unlimited_memory);
  put("tree/user/memory.max", 100 * mebibyte);
  put("tree/user/memory.current", 30 * mebibyte);
  EXPECT_EQ(memory_left_in_control_groups(files()), 70 * mebibyte);
  put("tree/user/job/memory.max", 50 * mebibyte);
  EXPECT_EQ(memory_left_in_control_groups(files()), 50 * mebibyte);
  put("tree/user/job/memory.current", 60 * mebibyte);
  EXPECT_EQ(memory_left_in_control_groups(files()), 0U);
  make_version_1();
  put("tree/unified/memory.max", 20 * mebibyte);
  EXPECT_EQ(memory_left_in_control_groups(files()), 20 * mebibyte);
}

TEST_F(ControlGroups, do_not_count_files_that_can_be_read_anew) {
  make_version_2();
  put("tree/user/memory.max", 100 * mebibyte);
  put("tree/user/memory.current", 90 * mebibyte);
  put("tree/user/memory.stat", "anon 1\ninactive_file " + std::to_string(60 * mebibyte) + "\n");
  EXPECT_EQ(memory_left_in_control_groups(files()), 70 * mebibyte);
  make_version_1();
  put("tree/memory/batch/memory.limit_in_bytes", 100 * mebibyte);
  put("tree/memory/batch/memory.usage_in_bytes", 90 * mebibyte);
  put("tree/memory/batch/memory.stat",
      "inactive_file 7\ntotal_inactive_file " + std::to_string(20 * mebibyte) + "\n");
  EXPECT_EQ(memory_left_in_control_groups(files()), 30 * mebibyte);
}

TEST_F(ControlGroups, give_the_least_quota_of_cores_rounded_up) {
  make_version_2();
  EXPECT_EQ(cores_of_control_groups(files()), unlimited_cores);
  put("tree/user/cpu.max", "max 100000\n");
  EXPECT_EQ(cores_of_control_groups(files()), unlimited_cores);
  put("tree/user/cpu.max", "350000 100000\n");
  put("tree/cpu.max", "1000000 100000\n");
  EXPECT_EQ(cores_of_control_groups(files()), 4);
  make_version_1();
  put("tree/cpu/batch/job/cpu.cfs_quota_us", "-1\n");
  put("tree/cpu/batch/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores_of_control_groups(files()), unlimited_cores);
  put("tree/cpu/batch/cpu.cfs_quota_us", "150000\n");
  put("tree/cpu/batch/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores_of_control_groups(files()), 2);
}

}  // namespace
}  // namespace dns::testing::test_control_groups
