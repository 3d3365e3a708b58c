/// Formulas along lines of a grid, against their values point by point.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/grid/values_of_formula.hpp"

namespace dns::test_values_of_formula {
namespace {

/// Coordinates that differ from axis to axis.
PerAxis<std::vector<double>> places(int nx, int ny, int nz) {
  PerAxis<std::vector<double>> all;
  for (int n = 0; n < nx; ++n) all[0].push_back(0.3 + 0.17 * n);
  for (int n = 0; n < ny; ++n) all[1].push_back(-1.1 + 0.23 * n);
  for (int n = 0; n < nz; ++n) all[2].push_back(2.9 - 0.31 * n * n);
  return all;
}

/// Of a formula that depends on all, on some of them, on none.
TEST(values_of_formula, are_those_at_each_point_for_any_number_of_threads) {
  for (const std::string text : {"sin(2*pi*x)*cos(y)*exp(-t)",
                                 "x^2+y*t",
                                 "z",
                                 "y > 0 ? sqrt(y)*z : x",
                                 "max(x*y, y*z, z*x, t)-min(x, y^3)/avg(z, 4, t)",
                                 "t",
                                 "7.25",
                                 "0*x",
                                 "exp(x)*exp(y)*exp(z)+exp(x+y)-exp(y+z)"}) {
    const Expression formula(text);
    for (const Extents n : {Extents{5, 7, 3}, {1, 6, 5}, {1, 1, 9}, {8, 1, 1}, {1, 1, 1}}) {
      const auto [x, y, z] = places(n.nx, n.ny, n.nz);
      for (const int threads : {1, 2, 5}) {
        std::vector<double> values(n.count(), std::nan(""));
        evaluate(formula, {x, y, z}, 0.7, threads, values);
        std::size_t point = 0;
        for (const double at_z : z)
          for (const double at_y : y)
            for (const double at_x : x)
              ASSERT_EQ(values[point++], formula(at_x, at_y, at_z, 0.7)) << text;
      }
    }
  }
}

TEST(values_of_formula, may_be_none) {
  const auto [x, y, z] = places(4, 0, 3);
  std::vector<double> none;
  evaluate(Expression("x+y"), {x, y, z}, 0, 2, none);
  evaluate(Expression("x+y"), {y, x, z}, 0, 2, none);
}

/// Lines longer than what registers and caches hold; values that are not finite stay so.
TEST(values_of_formula, may_be_of_long_lines_and_infinite) {
  const auto [x, y, z] = places(2049, 3, 2);
  const Expression formula("1/((x-0.3)*(y+1.1))+log(z-2.9)");
  std::vector<double> values(x.size() * y.size() * z.size());
  evaluate(formula, {x, y, z}, 0, 2, values);
  std::size_t point = 0;
  int not_finite = 0;
  for (const double at_z : z) {
    for (const double at_y : y) {
      for (const double at_x : x) {
        const double expected = formula(at_x, at_y, at_z, 0);
        const double value = values[point++];
        ASSERT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected)));
        not_finite += std::isfinite(value) ? 0 : 1;
      }
    }
  }
  EXPECT_GT(not_finite, 2048);
}

}  // namespace
}  // namespace dns::test_values_of_formula
