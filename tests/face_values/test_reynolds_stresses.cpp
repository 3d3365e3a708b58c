/// Factors of Reynolds stresses, and stresses that no velocity has.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "solver/core/error.hpp"
#include "solver/core/random_numbers.hpp"
#include "solver/face_values/reynolds_stresses.hpp"

namespace dns::test_reynolds_stresses {
namespace {

/// a a^T - R, the largest element.
double error_of_product(const StressFactor& a, const ReynoldsStresses& r) {
  const PerAxis<PerAxis<double>> wanted{
      {{r.uu, r.uv, r.uw}, {r.uv, r.vv, r.vw}, {r.uw, r.vw, r.ww}}};
  double error = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0;
      for (std::size_t m = 0; m < 3; ++m) product += a.rows[i][m] * a.rows[j][m];
      const double here = std::abs(product - wanted[i][j]);
      if (!(here <= error)) error = here;
    }
  }
  return error;
}

std::string refusal_of(const ReynoldsStresses& stresses) {
  try {
    static_cast<void>(cholesky_factor(stresses));
  } catch (const CaseError& error) {
    const std::string message = error.what();
    return message.substr(message.rfind(": ") + 2);
  }
  return "nothing";
}

TEST(reynolds_stresses, are_the_product_of_their_factor) {
  for (int sample = 0; sample < 1000; ++sample) {
    // B B^T of any B is realizable.
    PerAxis<PerAxis<double>> b{};
    for (std::size_t n = 0; n < 9; ++n) b[n / 3][n % 3] = random_number(7, sample, n);
    const auto of = [&](std::size_t i, std::size_t j) {
      return b[i][0] * b[j][0] + b[i][1] * b[j][1] + b[i][2] * b[j][2];
    };
    const ReynoldsStresses r{of(0, 0), of(1, 1), of(2, 2), of(0, 1), of(0, 2), of(1, 2)};
    const StressFactor factor = cholesky_factor(r);
    EXPECT_LT(error_of_product(factor, r), 1e-14) << sample;
    EXPECT_EQ(factor.rows[0][1], 0);
    EXPECT_EQ(factor.rows[0][2], 0);
    EXPECT_EQ(factor.rows[1][2], 0);
    EXPECT_NEAR(factor.deviation(2), std::sqrt(r.ww), 1e-14);
  }
}

/// Of rank 1 or 2, and with components that do not fluctuate.
TEST(reynolds_stresses, may_be_singular) {
  for (const ReynoldsStresses& r : {ReynoldsStresses{},
                                    ReynoldsStresses{1, 0, 0, 0, 0, 0},
                                    ReynoldsStresses{0, 4, 0, 0, 0, 0},
                                    ReynoldsStresses{0, 4, 9, 0, 0, -6},
                                    ReynoldsStresses{4, 0, 9, 0, 3, 0},
                                    ReynoldsStresses{1, 4, 9, 2, 3, 6},
                                    ReynoldsStresses{1, 4, 9, -2, 3, -6},
                                    ReynoldsStresses{1, 1, 2, 0, 1, 1},
                                    ReynoldsStresses{0.01, 0.09, 1e-30, 0.03, 0, 0}}) {
    EXPECT_LT(error_of_product(cholesky_factor(r), r), 1e-14) << r.uu << ' ' << r.vv << ' ' << r.ww;
  }
  const StressFactor still = cholesky_factor({0, 4, 9, 0, 0, 1});
  EXPECT_EQ(still.rows[0], (PerAxis<double>{}));
  EXPECT_EQ(still.deviation(0), 0);
}

TEST(reynolds_stresses, that_no_velocity_has_are_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal_of({-1e-3, 1, 1, 0, 0, 0}), "uu must be finite and not negative");
  EXPECT_EQ(refusal_of({1, nan, 1, 0, 0, 0}), "vv must be finite and not negative");
  EXPECT_EQ(refusal_of({1, 1, 1 / 0.0, 0, 0, 0}), "ww must be finite and not negative");
  EXPECT_EQ(refusal_of({1, 1, 1, 1.001, 0, 0}), "uv^2 must be at most uu vv");
  EXPECT_EQ(refusal_of({1, 1, 1, nan, 0, 0}), "uv^2 must be at most uu vv");
  EXPECT_EQ(refusal_of({0, 1, 1, 1e-9, 0, 0}), "uv^2 must be at most uu vv");
  EXPECT_EQ(refusal_of({1, 1, 0.25, 0, -0.51, 0}), "uw^2 must be at most uu ww");
  EXPECT_EQ(refusal_of({1, 1, 1, 0, 0, nan}), "vw^2 must be at most vv ww");
  EXPECT_EQ(refusal_of({1, 1, 1, 0.9, 0.9, -0.9}), "their determinant must not be negative");
}

}  // namespace
}  // namespace dns::test_reynolds_stresses
