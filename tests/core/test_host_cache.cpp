/// Caches as Linux describes them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "solver/core/host_cache.hpp"

namespace dns::test_host_cache {
namespace {

namespace fs = std::filesystem;

/// A folder like /sys/devices/system/cpu.
class HostCache : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  void describe(int processor,
                int index,
                int level,
                const std::string& size,
                const std::string& shared_by) const {
    const fs::path cache =
        folder / ("cpu" + std::to_string(processor)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "size") << size << '\n';
    std::ofstream(cache / "shared_cpu_list") << shared_by << '\n';
  }

  const fs::path folder =
      fs::path(::testing::TempDir()) / ("dns_host_cache_test_" + std::to_string(getpid()));
};

TEST_F(HostCache, of_the_last_level_counts_once_for_all_that_share_it) {
  for (int processor = 0; processor < 6; ++processor) {
    describe(processor, 0, 1, "48K", std::to_string(processor));
    describe(processor, 1, 2, "1M", std::to_string(processor));
    describe(processor, 2, 3, "32768K", processor < 3 ? "0-2" : "3-5");
  }
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  EXPECT_EQ(last_level_caches(folder, {0, 1, 2}), 32 * mebibyte);
  EXPECT_EQ(last_level_caches(folder, {1, 4, 5}), 64 * mebibyte);
}

TEST_F(HostCache, of_the_second_level_is_the_last_where_there_is_no_third) {
  describe(0, 0, 1, "64K", "0");
  describe(0, 1, 2, "512K", "0-1");
  EXPECT_EQ(last_level_caches(folder, {0}), std::size_t{512} << 10U);
}

TEST_F(HostCache, that_is_not_described_is_none) {
  EXPECT_EQ(last_level_caches(folder, {0, 1}), 0);
  EXPECT_GT(host_cache_bytes(), 0);  // a usual size
}

}  // namespace
}  // namespace dns::test_host_cache
