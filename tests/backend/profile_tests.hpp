/// Sums along chosen axes, on every backend.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/backend/backend_tests.hpp"

namespace dns::testing {

/// Sums of one variable and of a product, of points or packs of them.
template <class View>
struct SumOfPoints {
  View level;
  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 2, 0>& reduction) const {
    reduction.sum[0] += in_double(level(0, c));
    reduction.sum[1] += in_double(level(1, c)) * in_double(level(2, c));
  }
};

/// The same of single points.
template <class View>
struct SumOfSinglePoints {
  SumOfPoints<View> of_points;
  DNS_HD void operator()(Index3 c, Reduction<double, 2, 0>& reduction) const {
    of_points(c, reduction);
  }
};

template <class Device>
class ProfileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Device::obstacle().empty()) GTEST_SKIP() << Device::obstacle();
  }
};
TYPED_TEST_SUITE_P(ProfileTest);

inline PerAxis<bool> axes_of(int bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

TYPED_TEST_P(ProfileTest, agree_with_plain_sums_over_any_axes_and_repeat_bit_for_bit) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  const Extents points{37, 13, 21};
  const TimeLevel<Backend> level(backend, LevelLayout{points});
  upload(backend, level, points, scattered);
  const Box box{{1, 0, 2}, {37, 12, 21}};
  const Extents counts = box.extents();
  for (int bits = 0; bits < 8; ++bits) {
    SCOPED_TRACE(bits);
    const PerAxis<bool> summed = axes_of(bits);
    const int kept_x = summed[0] ? 1 : counts.nx;
    const int kept_y = summed[1] ? 1 : counts.ny;
    const int kept_z = summed[2] ? 1 : counts.nz;
    std::vector<std::array<double, 2>> expected(static_cast<std::size_t>(kept_x * kept_y * kept_z));
    for (int k = 0; k < counts.nz; ++k) {
      for (int j = 0; j < counts.ny; ++j) {
        for (int i = 0; i < counts.nx; ++i) {
          const auto value = [&](int variable) {
            const Index3 c{box.begin.i + i, box.begin.j + j, box.begin.k + k};
            return static_cast<double>(static_cast<Real>(scattered(variable, c)));
          };
          const int line = (summed[2] ? 0 : k) * kept_y + (summed[1] ? 0 : j);
          auto& sums = expected[line * kept_x + (summed[0] ? 0 : i)];
          sums[0] += value(0);
          sums[1] += value(1) * value(2);
        }
      }
    }
    using View = typename TimeLevel<Backend>::ConstView;
    const SumOfPoints<View> kernel{level.view_const()};
    const auto profile = backend.template reduce_profiles<2>(box, summed, kernel);
    const auto again = backend.template reduce_profiles<2>(box, summed, kernel);
    const auto of_single_points =
        backend.template reduce_profiles<2>(box, summed, SumOfSinglePoints<View>{kernel});
    ASSERT_EQ(profile.size(), expected.size());
    ASSERT_EQ(of_single_points.size(), expected.size());
    for (std::size_t point = 0; point < profile.size(); ++point) {
      for (std::size_t which = 0; which < 2; ++which) {
        // At most 8000 terms of size 1 summed in double.
        EXPECT_NEAR(profile[point].sum[which], expected[point][which], 1e-11) << point;
        EXPECT_EQ(profile[point].sum[which], again[point].sum[which]);
        EXPECT_NEAR(of_single_points[point].sum[which], expected[point][which], 1e-11) << point;
      }
    }
  }
}

/// One variable, single points.
template <class View>
struct OneSum {
  View level;
  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    reduction.sum[0] += in_double(level(0, c));
  }
};

/// Rows of one point and of more than a warp, sums of no points and of many.
TYPED_TEST_P(ProfileTest, add_to_numbers) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  const Extents points{71, 19, 33};
  const TimeLevel<Backend> level(backend, LevelLayout{points});
  upload(backend, level, points, scattered);
  using View = typename TimeLevel<Backend>::ConstView;
  const OneSum<View> kernel{level.view_const()};
  for (const Box& box : {Box{{}, {71, 19, 33}},
                         Box{{3, 2, 1}, {36, 5, 33}},
                         Box{{70, 0, 0}, {71, 19, 33}},
                         Box{{0, 4, 0}, {71, 4, 33}}}) {
    for (int bits = 0; bits < 8; ++bits) {
      SCOPED_TRACE(::testing::Message() << "axes " << bits << ", rows " << box.extents().nx);
      const auto profile = backend.template reduce_profiles<1>(box, axes_of(bits), kernel);
      const auto memory = Backend::allocate_results((profile.size() + 1) * sizeof(double));
      auto* const numbers = reinterpret_cast<double*>(memory.get());
      for (std::size_t point = 0; point <= profile.size(); ++point)
        numbers[point] = static_cast<double>(point);
      for (int times = 0; times < 2; ++times)
        backend.add_profile(box, axes_of(bits), kernel, numbers);
      backend.synchronize();
      for (std::size_t point = 0; point < profile.size(); ++point) {
        // At most 44517 terms of size 1 summed in double, and rounding of what they are added to.
        EXPECT_NEAR(numbers[point], static_cast<double>(point) + 2 * profile[point].sum[0], 1e-10)
            << point;
      }
      EXPECT_EQ(numbers[profile.size()], static_cast<double>(profile.size()));
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(ProfileTest,
                            agree_with_plain_sums_over_any_axes_and_repeat_bit_for_bit,
                            add_to_numbers);

}  // namespace dns::testing
