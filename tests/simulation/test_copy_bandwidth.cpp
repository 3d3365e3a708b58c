/// The bandwidth of a copy: that of memory, or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/host_cache.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/copy_bandwidth.hpp"

namespace dns::test_copy_bandwidth {
namespace {

constexpr std::size_t plenty = std::numeric_limits<std::size_t>::max();
constexpr std::size_t cache = 8000;

/// A backend that keeps what is asked of it and copies nothing; its memory ends after `most`
/// values.
struct WatchedBackend {
  using Real = double;
  static inline std::size_t most = plenty;

  struct Array {
    explicit Array(std::size_t count) {
      if (count > most) throw std::bad_alloc();
    }
    [[nodiscard]] static double* data() { return nullptr; }
  };

  template <class T>
  Array allocate(std::size_t count);
  void copy(const double* /*from*/, double* /*to*/, std::size_t count) { copied.push_back(count); }
  void synchronize() {}
  static std::size_t last_level_cache() { return cache; }

  std::vector<std::size_t> copied;
};

TEST(copy_bandwidth, is_that_between_buffers_of_four_times_the_cache) {
  WatchedBackend backend;
  EXPECT_GT(copy_bandwidth_of(backend, {.run_bytes = 4 * cache, .spare_host_bytes = plenty}), 0);
  ASSERT_FALSE(backend.copied.empty());
  for (const std::size_t count : backend.copied) EXPECT_EQ(2 * count * sizeof(double), 4 * cache);
}

TEST(copy_bandwidth, of_a_larger_run_is_that_between_buffers_as_large_up_to_a_gibibyte) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30U;
  for (const std::size_t bytes : {10 * cache, gibibyte, plenty}) {
    WatchedBackend backend;
    EXPECT_GT(copy_bandwidth_of(backend, {.run_bytes = bytes, .spare_host_bytes = plenty}), 0);
    ASSERT_FALSE(backend.copied.empty());
    EXPECT_EQ(2 * backend.copied.front() * sizeof(double), std::min(bytes, gibibyte));
  }
}

TEST(copy_bandwidth, of_a_run_that_the_cache_holds_in_part_is_not_measured) {
  WatchedBackend backend;
  EXPECT_EQ(copy_bandwidth_of(backend, {.run_bytes = 4 * cache - 1, .spare_host_bytes = plenty}),
            0);
  EXPECT_TRUE(backend.copied.empty());
}

TEST(copy_bandwidth, is_not_measured_where_memory_is_short) {
  WatchedBackend backend;
  const std::size_t little = 8 * cache - 1;
  EXPECT_EQ(copy_bandwidth_of(backend, {.run_bytes = plenty, .spare_host_bytes = little}), 0);
  EXPECT_TRUE(backend.copied.empty());

  WatchedBackend::most = 1;
  EXPECT_EQ(copy_bandwidth_of(backend, {.run_bytes = plenty, .spare_host_bytes = plenty}), 0);
  WatchedBackend::most = plenty;
}

/// 16^3 nodes fit into the cache of any processor: what is copied there says nothing of memory.
TEST(copy_bandwidth, of_a_small_grid_is_not_measured) {
  const Case small = parse_case(R"(
scheme: splitting
device: cpu
grid: {points: [16, 16, 16]}
fluid: {reynolds: 100, prandtl: 0.7}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.01, steps: 1}
)",
                                "small.yaml",
                                {});
  const std::unique_ptr<Simulation> simulation = make_simulation(small);
  const std::size_t needed = simulation->memory_bytes();
  EXPECT_LT(needed, bytes_of_copy_buffers(host_cache_bytes()));
  EXPECT_EQ(simulation->measure_copy_bandwidth({.run_bytes = needed, .spare_host_bytes = plenty}),
            0);
}

TEST(copy_bandwidth, does_not_count_what_a_synchronisation_takes) {
  constexpr double copy_seconds = 53e-6;  // 192^3 floats on an H200
  constexpr double synchronisation_seconds = 13e-6;
  constexpr double bytes = 1e6;
  double time = 0;
  const double measured = measured_copy_bandwidth([&] { time += copy_seconds; },
                                                  [&] { time += synchronisation_seconds; },
                                                  bytes,
                                                  [&] { return time; });
  EXPECT_NEAR(measured, bytes / copy_seconds, 0.01 * bytes / copy_seconds);
}

TEST(copy_bandwidth, of_slow_copies_is_that_of_single_ones) {
  double time = 0;
  int copies = 0;
  const double measured = measured_copy_bandwidth(
      [&] {
        time += 0.5;
        ++copies;
      },
      [] {},
      3.0,
      [&] { return time; });
  EXPECT_DOUBLE_EQ(measured, 6.0);
  EXPECT_LE(copies, 7);
}

}  // namespace
}  // namespace dns::test_copy_bandwidth
