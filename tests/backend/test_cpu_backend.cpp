#include <algorithm>
#include <array>
#include <string>

#include "cpu/openmp_backend.hpp"
#include "tests/backend/backend_tests.hpp"
#include "tests/backend/cpu_device.hpp"
#include "tests/backend/profile_tests.hpp"

namespace dns::testing {
namespace {

using CpuDevices = ::testing::Types<CpuDevice<float>, CpuDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, BackendTest, CpuDevices);
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, ProfileTest, CpuDevices);

TEST(KnownSweep, has_an_error_that_is_nan_wherever_a_value_is) {
  for (const std::size_t place : {0, 1, 2}) {
    KnownSweep<double> sweep{{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 4}, {4, 5, 6}}};
    EXPECT_EQ(sweep.largest_error(), 1);
    sweep.computed[0][place] = std::nan("");
    EXPECT_TRUE(std::isnan(sweep.largest_error())) << place;
  }
}

template <class Real>
class ThreadsTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ThreadsTest, Reals);

TYPED_TEST(ThreadsTest, reductions_do_not_depend_on_the_number_of_threads) {
  using Backend = OpenMpBackend<TypeParam>;
  const Extents points{35, 17, 19};
  std::array<Reduction<double, 2, 1>, 4> results;
  const std::array<int, 4> threads{1, 2, 3, 7};
  for (std::size_t n = 0; n < threads.size(); ++n) {
    Backend backend(threads[n]);
    const TimeLevel<Backend> level(backend, LevelLayout{points});
    upload(backend, level, points, scattered);
    results[n] = backend.template reduce<2, 1>(
        LevelLayout{points}.all_points(),
        SumOfFields<typename TimeLevel<Backend>::ConstView>{level.view_const()});
    SCOPED_TRACE(threads[n]);
    expect_same(results[n], results[0]);
  }
}

TYPED_TEST(ThreadsTest, profiles_do_not_depend_on_the_number_of_threads) {
  using Backend = OpenMpBackend<TypeParam>;
  const Extents points{35, 17, 19};
  for (int bits = 0; bits < 8; ++bits) {
    std::array<std::vector<Reduction<double, 2, 0>>, 3> results;
    const std::array<int, 3> threads{1, 3, 7};
    for (std::size_t n = 0; n < threads.size(); ++n) {
      Backend backend(threads[n]);
      const TimeLevel<Backend> level(backend, LevelLayout{points});
      upload(backend, level, points, scattered);
      results[n] = backend.template reduce_profiles<2>(
          LevelLayout{points}.all_points(),
          axes_of(bits),
          SumOfPoints<typename TimeLevel<Backend>::ConstView>{level.view_const()});
      for (std::size_t point = 0; point < results[n].size(); ++point) {
        EXPECT_EQ(results[n][point].sum[0], results[0][point].sum[0]);
        EXPECT_EQ(results[n][point].sum[1], results[0][point].sum[1]);
      }
    }
  }
}

/// Levels so large that the solution is written past the caches.
TYPED_TEST(ThreadsTest, sweeps_of_large_levels_do_not_depend_on_the_number_of_threads) {
  using Backend = OpenMpBackend<TypeParam>;
  const Extents points = sizeof(TypeParam) == 8 ? Extents{98, 97, 99} : Extents{124, 123, 125};
  Backend one(1);
  Backend three(3);
  const auto expect_equal = [&](const auto& a, const auto& b) {
    EXPECT_LE(a.largest_error(), sweep_tolerance<TypeParam>());
    EXPECT_EQ(a.computed, b.computed);
  };
  expect_equal((known_sweep<Axis::x, false>(one, points)),
               (known_sweep<Axis::x, false>(three, points)));
  expect_equal((known_sweep<Axis::y, false>(one, points)),
               (known_sweep<Axis::y, false>(three, points)));
  expect_equal((known_sweep<Axis::z, false>(one, points)),
               (known_sweep<Axis::z, false>(three, points)));
}

TYPED_TEST(ThreadsTest, transposing_a_block_swaps_lanes_and_rows) {
  constexpr int width = pack_width<TypeParam>;
  Pack<TypeParam, width> block[width];
  for (int row = 0; row < width; ++row) {
    for (int lane = 0; lane < width; ++lane) {
      block[row].lanes[lane] = static_cast<TypeParam>(100 * row + lane);
    }
  }
  transpose(block);
  for (int row = 0; row < width; ++row) {
    for (int lane = 0; lane < width; ++lane) {
      EXPECT_EQ(block[row].lanes[lane], static_cast<TypeParam>(100 * lane + row));
    }
  }
}

TYPED_TEST(ThreadsTest, packs_cover_a_range_and_nothing_else) {
  constexpr int width = pack_width<TypeParam>;
  for (int begin = 0; begin <= width; ++begin) {
    for (int end = begin + width; end <= begin + 4 * width; ++end) {
      SCOPED_TRACE(std::to_string(begin) + " to " + std::to_string(end));
      const PacksOfRange<width> packs{begin, end};
      int covered = begin;
      for (int pack = 0; pack < packs.count(); ++pack) {
        EXPECT_GE(packs.start(pack), begin);
        EXPECT_LE(packs.start(pack), covered);
        covered = std::max(covered, packs.start(pack) + width);
      }
      EXPECT_EQ(covered, end);
    }
  }
}

TYPED_TEST(ThreadsTest, streamed_packs_are_stored_at_any_address) {
  constexpr int width = pack_width<TypeParam>;
  alignas(vector_bytes) TypeParam to[3 * width];
  for (int start = 0; start <= width; ++start) {
    std::fill_n(to, 3 * width, TypeParam(-1));
    store(to + start, Pack<TypeParam, width>(TypeParam(2)), StreamedPackPoint<width>{});
    for (int n = 0; n < 3 * width; ++n) {
      EXPECT_EQ(to[n], TypeParam(n >= start && n < start + width ? 2 : -1));
    }
  }
}

/// Packs at the ends of a range overlap others; each stores only what lies in its own cache line.
TYPED_TEST(ThreadsTest, streamed_packs_of_a_range_store_the_points_of_their_own_lines) {
  if (!packs_fill_cache_lines) GTEST_SKIP() << "packs of this processor are no cache lines";
  constexpr int width = pack_width<TypeParam>;
  alignas(vector_bytes) TypeParam to[5 * width];
  for (int begin = 0; begin <= width; ++begin) {
    for (int end = begin + width; end <= begin + 4 * width; ++end) {
      SCOPED_TRACE(std::to_string(begin) + " to " + std::to_string(end));
      std::fill_n(to, 5 * width, TypeParam(-1));
      const PacksOfRange<width> packs{begin, end};
      for (int pack = 0; pack < packs.count(); ++pack) {
        const auto c = packs.template point<StreamedPackPoint<width>>(pack, {});
        Pack<TypeParam, width> values;
        for (int lane = 0; lane < width; ++lane)
          values.lanes[lane] = static_cast<TypeParam>(1000 * pack + c.i + lane);
        store(to + c.i, values, c);
      }
      finish_streaming();
      for (int n = 0; n < 5 * width; ++n) {
        const bool is_inside = n >= begin && n < end;
        const int pack = n / width - begin / width;
        EXPECT_EQ(to[n], static_cast<TypeParam>(is_inside ? 1000 * pack + n : -1)) << n;
      }
    }
  }
}

}  // namespace
}  // namespace dns::testing
