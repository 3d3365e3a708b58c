#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/numerics/splitting_rows.hpp"
#include "tests/numerics/small_level.hpp"

namespace dns::test_splitting_rows {
namespace {

template <class Real>
class SplittingRowsTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SplittingRowsTest, Reals);

constexpr Extents points{5, 6, 7};
constexpr double hx = 0.25;
constexpr double hy = 0.5;
constexpr double hz = 0.125;

// Quadratic fields: central differences are exact for them.
double field(int variable, int i, int j, int k) {
  const double x = hx * i;
  const double y = hy * j;
  const double z = hz * k;
  switch (variable) {
    case 0:
      return 1 + 2 * x - y + 3 * z + x * y - z * z;
    case 1:
      return -2 + x * x + 4 * y - x * z + y * y;
    case 2:
      return 0.5 - x + 2 * y - 3 * z + y * z;
    default:
      return 1 + x + 2 * y * y - 4 * z * x;
  }
}

template <Axis axis, class Real, class System = SharedVelocityMatrix>
SplittingRows<axis, Real, System, false> rows_of(testing::SmallLevel<Real>& source,
                                                 testing::SmallLevel<Real>& nonlinear) {
  return {source.view(),
          nonlinear.view().as_const(),
          {Real(8), Real(0.0625), Real(0.125), Real(0.75)},
          {Real(1 / (2 * hx)), Real(1 / (2 * hy)), Real(1 / (2 * hz))},
          {},
          {}};
}

template <class Real>
constexpr double tolerance = 64 * static_cast<double>(std::numeric_limits<Real>::epsilon());

/// The row of all matrices at an interior point.
template <class Rows>
auto row_inside(const Rows& rows, Index3 c) {
  return row_at(rows, c, {});
}

/// Each row at (2, 3, 4) against its formula with derivatives worked out by hand. At that node
/// x = y/3 = z = 0.5, y = 1.5.
TYPED_TEST(SplittingRowsTest, rows_agree_with_hand_derived_values) {
  using Real = TypeParam;
  testing::SmallLevel<Real> source(points, [](int variable, int i, int j, int k) {
    return variable + 0.5 * i - 0.25 * j + 0.125 * k;
  });
  testing::SmallLevel<Real> nonlinear(points, field);
  const Index3 c{2, 3, 4};
  const double x = 0.5;
  const double y = 1.5;
  const double z = 0.5;
  const double u = 1 + 2 * x - y + 3 * z + x * y - z * z;
  const double v = -2 + x * x + 4 * y - x * z + y * y;
  const double w = 0.5 - x + 2 * y - 3 * z + y * z;
  const double s = 0.5 * 2 - 0.25 * 3 + 0.125 * 4;  // source of u; variable number on top
  const double u_x = 2 + y;
  const double u_y = -1 + x;
  const double u_z = 3 - 2 * z;
  const double v_x = 2 * x - z;
  const double v_y = 4 + 2 * y;
  const double v_z = -x;
  const double w_x = -1;
  const double w_y = 2 + z;
  const double w_z = -3 + y;
  const double t_x = 1 - 4 * z;
  const double t_y = 4 * y;
  const double t_z = -4 * x;
  const double nu = 0.0625;
  const double kappa = 0.125;

  const auto expect_row =
      [&](const auto& row, double velocity, double h, int component, double t_s, double phi) {
        const double limit = tolerance<Real> * 100;
        EXPECT_NEAR(row.lower[0], -velocity / (2 * h) - nu / (h * h), limit);
        EXPECT_NEAR(row.diagonal[0], 8 + 2 * nu / (h * h), limit);
        EXPECT_NEAR(row.upper[0], velocity / (2 * h) - nu / (h * h), limit);
        EXPECT_NEAR(row.lower[1], -velocity / (2 * h) - kappa / (h * h), limit);
        EXPECT_NEAR(row.diagonal[1], 8 + 2 * kappa / (h * h), limit);
        EXPECT_NEAR(row.upper[1], velocity / (2 * h) - kappa / (h * h), limit);
        for (int f = 0; f < 3; ++f) {
          EXPECT_NEAR(row.rhs[f], 8 * (s + f) - (f == component ? t_s : 0), limit)
              << "unknown " << f;
        }
        EXPECT_NEAR(row.rhs[3], 8 * (s + 3) + 0.75 * phi, limit);
      };
  const double phi_x = 2 * u_x * u_x + v_x * v_x + w_x * w_x + v_x * u_y + w_x * u_z;
  const double phi_y = 2 * v_y * v_y + w_y * w_y + u_y * u_y + w_y * v_z + u_y * v_x;
  const double phi_z = 2 * w_z * w_z + u_z * u_z + v_z * v_z + u_z * w_x + v_z * w_y;
  expect_row(row_inside(rows_of<Axis::x>(source, nonlinear), c), u, hx, 0, t_x, phi_x);
  expect_row(row_inside(rows_of<Axis::y>(source, nonlinear), c), v, hy, 1, t_y, phi_y);
  expect_row(row_inside(rows_of<Axis::z>(source, nonlinear), c), w, hz, 2, t_z, phi_z);

  const double phi = 2 * (u_x * u_x + v_y * v_y + w_z * w_z) + std::pow(v_x + u_y, 2) +
                     std::pow(w_x + u_z, 2) + std::pow(w_y + v_z, 2);
  EXPECT_NEAR(phi_x + phi_y + phi_z, phi, 1e-12);
}

TYPED_TEST(SplittingRowsTest, normal_velocity_may_have_a_matrix_of_its_own) {
  using Real = TypeParam;
  testing::SmallLevel<Real> level(points, field);
  const Index3 c{2, 3, 4};
  const auto shared = row_inside(rows_of<Axis::y>(level, level), c);
  const auto separate =
      row_inside(rows_of<Axis::y, Real, SeparateNormalVelocity<Axis::y>>(level, level), c);
  const auto matrix_of = SeparateNormalVelocity<Axis::y>::matrix_of;
  EXPECT_EQ(matrix_of(0), matrix_of(2));
  EXPECT_NE(matrix_of(0), matrix_of(1));
  for (int unknown = 0; unknown < variables_per_level; ++unknown) {
    const int from = SharedVelocityMatrix::matrix_of(unknown);
    EXPECT_EQ(separate.lower[matrix_of(unknown)], shared.lower[from]);
    EXPECT_EQ(separate.diagonal[matrix_of(unknown)], shared.diagonal[from]);
    EXPECT_EQ(separate.upper[matrix_of(unknown)], shared.upper[from]);
    EXPECT_EQ(separate.rhs[unknown], shared.rhs[unknown]);
  }
}

/// The row applied to an exact solution of the one-axis equation leaves a residual of order h^2.
TEST(splitting_rows, truncation_error_is_of_second_order) {
  const auto residual_at = [](int n) {
    const double h = 1.0 / n;
    const Extents line{n + 1, 3, 3};
    // D = sin(2 x), N.u = 1 + x^2 / 2, N.T = cos(x), and S so that the equation holds exactly.
    const double inverse_dt = 10;
    const double nu = 0.1;
    const auto d = [](double x) { return std::sin(2 * x); };
    testing::SmallLevel<double> nonlinear(line, [&](int variable, int i, int, int) {
      const double x = h * i;
      return variable == 0 ? 1 + x * x / 2 : is_velocity(variable) ? 0 : std::cos(x);
    });
    testing::SmallLevel<double> source(line, [&](int, int i, int, int) {
      const double x = h * i;
      const double convection = (1 + x * x / 2) * 2 * std::cos(2 * x);
      return d(x) + (convection + 4 * nu * d(x) - std::sin(x)) / inverse_dt;
    });
    const SplittingRows<Axis::x, double, SharedVelocityMatrix, false> rows{
        source.view(),
        nonlinear.view().as_const(),
        {inverse_dt, nu, nu, 0},
        {1 / (2 * h), 1 / (2 * h), 1 / (2 * h)},
        {},
        {}};
    double largest = 0;
    for (int i = 1; i < n; ++i) {
      const auto row = row_inside(rows, Index3{i, 1, 1});
      const double left = row.lower[0] * d(h * (i - 1)) + row.diagonal[0] * d(h * i) +
                          row.upper[0] * d(h * (i + 1));
      largest = larger_or_nan(largest, std::abs(left - row.rhs[0]));
    }
    return largest;
  };
  const double order = std::log2(residual_at(64) / residual_at(128));
  EXPECT_NEAR(order, 2, 0.05);
}

TYPED_TEST(SplittingRowsTest, relaxation_takes_the_weighted_mean_and_keeps_the_solution) {
  using Real = TypeParam;
  testing::SmallLevel<Real> before(points, field);
  const Index3 c{1, 2, 3};
  const Real solution[variables_per_level] = {1, 2, 3, 4};
  for (const bool relaxes : {false, true}) {
    for (const bool keeps : {false, true}) {
      testing::SmallLevel<Real> after(points);
      testing::SmallLevel<Real> source(points);
      const RelaxAndStore<Real> take{
          before.view().as_const(), after.view(), source.view(), Real(0.75), relaxes, keeps};
      take(c, solution, take.read(c));
      for (int variable = 0; variable < variables_per_level; ++variable) {
        const Real expected =
            Real(0.25) * before.view()(variable, c) + Real(0.75) * solution[variable];
        EXPECT_EQ(after.view()(variable, c), relaxes ? expected : Real(0));
        EXPECT_EQ(source.view()(variable, c), keeps ? solution[variable] : Real(0));
      }
    }
  }
}

/// Rows and relaxed values of all inner points, one after the other, of a level with ghosts whose
/// variables lie side by side in groups of `interleave_width`; point by point, or by steps along
/// lines that are taken up at their second point.
template <Axis axis, class Real, int interleave_width>
std::vector<Real> swept_points(bool by_lines = false) {
  const LevelLayout shape{points, {1, 0, 1}};
  testing::SmallLevel<Real, interleave_width> level(shape, field);
  testing::SmallLevel<Real, interleave_width> after(shape);
  testing::SmallLevel<Real, interleave_width> kept(shape);
  const SplittingRows<axis, Real, SharedVelocityMatrix, false, interleave_width> rows{
      level.view(),
      level.view().as_const(),
      {8, Real(0.0625), Real(0.125), Real(0.75)},
      {2, 1, 4},
      {},
      {}};
  const RelaxAndStore<Real, interleave_width> take{
      level.view().as_const(), after.view(), kept.view(), Real(0.75), true, true};
  std::vector<Real> values;
  for (int k = 1; k < points.nz - 1; ++k) {
    for (int j = 1; j < points.ny - 1; ++j) {
      for (int i = 1; i < points.nx - 1; ++i) {
        const Index3 c{i, j, k};
        const Index3 first = placed<axis>(c, 2);
        const int steps = along<axis>(c) - 2;
        const auto rows_of_line = rows.line_from(first);
        const auto take_of_line = take.template line_from<axis>(first);
        auto data = by_lines ? rows_of_line(steps) : rows(c);
        for (int part = 0; part < data.parts; ++part) values.push_back(data[part]);
        if (by_lines) {
          take_of_line(steps, data.rhs, take_of_line.read(steps));
        } else {
          take(c, data.rhs, take.read(c));
        }
        for (int variable = 0; variable < variables_per_level; ++variable) {
          values.push_back(after.view()(variable, c));
          values.push_back(kept.view()(c)[variable]);
        }
      }
    }
  }
  return values;
}

TYPED_TEST(SplittingRowsTest, how_variables_lie_in_memory_changes_no_bit) {
  using Real = TypeParam;
  const auto apart = swept_points<Axis::x, Real, 1>();
  EXPECT_NE(apart[0], apart[13]);
  EXPECT_EQ((swept_points<Axis::x, Real, 2>()), apart);
  EXPECT_EQ((swept_points<Axis::x, Real, 4>()), apart);
  EXPECT_EQ((swept_points<Axis::y, Real, 2>()), (swept_points<Axis::y, Real, 1>()));
  EXPECT_EQ((swept_points<Axis::y, Real, 4>()), (swept_points<Axis::y, Real, 1>()));
  EXPECT_EQ((swept_points<Axis::z, Real, 2>()), (swept_points<Axis::z, Real, 1>()));
  EXPECT_EQ((swept_points<Axis::z, Real, 4>()), (swept_points<Axis::z, Real, 1>()));
}

TYPED_TEST(SplittingRowsTest, lines_give_what_their_points_give) {
  using Real = TypeParam;
  EXPECT_EQ((swept_points<Axis::x, Real, 1>(true)), (swept_points<Axis::x, Real, 1>()));
  EXPECT_EQ((swept_points<Axis::y, Real, 2>(true)), (swept_points<Axis::y, Real, 2>()));
  EXPECT_EQ((swept_points<Axis::z, Real, 4>(true)), (swept_points<Axis::z, Real, 4>()));
}

}  // namespace
}  // namespace dns::test_splitting_rows
