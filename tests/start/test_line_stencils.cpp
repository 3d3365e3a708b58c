/// Interpolation of third degree among points of a line.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "solver/grid/line_stencils.hpp"

namespace dns::test_line_stencils {
namespace {

template <class Function>
double interpolated(const LinePoints& line, double position, const Function& f) {
  const LineStencil stencil = cubic_stencil(line, position);
  double sum = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(stencil.count); ++n)
    sum += stencil.weight.at(n) * f(line.coordinate(stencil.point.at(n)));
  return sum / stencil.divisor;
}

const LinePoints uneven{{-1, -0.8, -0.5, 0.1, 0.6, 0.7, 1.4}, 0};

TEST(cubic_stencil, is_exact_for_cubic_polynomials_up_to_the_outermost_points) {
  const auto cubic = [](double s) { return 2 - s + 3 * s * s - 0.7 * s * s * s; };
  for (double s = -1; s <= 1.4; s += 0.0437)
    EXPECT_NEAR(interpolated(uneven, s, cubic), cubic(s), 1e-14 * 16) << s;
}

TEST(cubic_stencil, goes_on_linearly_beyond_the_outermost_points) {
  const auto line = [](double s) { return 2 - 3 * s; };
  EXPECT_NEAR(interpolated(uneven, -1.2, line), line(-1.2), 1e-14);
  EXPECT_NEAR(interpolated(uneven, 1.9, line), line(1.9), 1e-14);
  EXPECT_EQ(cubic_stencil(uneven, 1.9).count, 2);
}

TEST(cubic_stencil, on_a_point_is_its_value) {
  for (int n = 0; n < uneven.count(); ++n) {
    const LineStencil stencil = cubic_stencil(uneven, uneven.coordinate(n) * (1 + 1e-15));
    EXPECT_EQ(stencil.count, 1);
    EXPECT_EQ(stencil.point[0], n);
    EXPECT_EQ(stencil.weight[0], 1);
  }
  const LinePoints periodic{{0.25, 0.5, 1.25}, 2};
  EXPECT_EQ(cubic_stencil(periodic, 2.5).point[0], 1);
  EXPECT_EQ(cubic_stencil(periodic, -1.75 - 1e-15).point[0], 0);
  EXPECT_EQ(cubic_stencil(periodic, -1.75 - 1e-15).count, 1);
}

TEST(cubic_stencil, of_fewer_points_is_of_lower_degree) {
  const LinePoints one{{0.3}, 0};
  EXPECT_EQ(interpolated(one, 5, [](double) { return 7.0; }), 7);
  const LinePoints two{{0, 1}, 0};
  EXPECT_NEAR(interpolated(two, 0.3, [](double s) { return 1 + s; }), 1.3, 1e-15);
  const LinePoints three{{0, 1, 3}, 0};
  EXPECT_NEAR(interpolated(three, 2.5, [](double s) { return s * s; }), 6.25, 1e-14);
}

TEST(cubic_stencil, of_periodic_lines_of_one_two_and_three_points_repeats_them) {
  for (const std::vector<double>& points :
       {std::vector{0.3}, std::vector{0.1, 0.4}, std::vector{0.0, 0.2, 0.9}}) {
    const LinePoints line{points, 1};
    for (double s = -1.5; s < 2; s += 0.13) {
      const LineStencil stencil = cubic_stencil(line, s);
      double sum = 0;
      for (std::size_t n = 0; n < static_cast<std::size_t>(stencil.count); ++n) {
        EXPECT_GE(stencil.point.at(n), 0);
        EXPECT_LT(stencil.point.at(n), line.count());
        sum += stencil.weight.at(n);
      }
      EXPECT_NEAR(sum, 1, 1e-14);
    }
  }
}

TEST(cubic_stencil, converges_with_order_four_along_stretched_periodic_lines) {
  const double turn = 2 * std::numbers::pi;
  const auto error_of = [&](int count) {
    LinePoints line{{}, 3};
    for (int n = 0; n < count; ++n) {
      const double s = static_cast<double>(n) / count;
      line.coordinates.push_back(0.5 + 3 * (s + 0.05 * std::sin(turn * s)));
    }
    const auto f = [&](double s) { return std::sin(turn * s / 3 + 0.4); };
    double error = 0;
    for (double s = -2; s < 5; s += 0.0101)
      error = std::max(error, std::abs(interpolated(line, s, f) - f(s)));
    return error;
  };
  const double order = std::log2(error_of(17) / error_of(34));
  EXPECT_GT(order, 3.7);
  EXPECT_LT(order, 4.3);
}

}  // namespace
}  // namespace dns::test_line_stencils
