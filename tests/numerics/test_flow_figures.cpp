#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/numerics/nodal_diagnostics.hpp"
#include "tests/numerics/small_layer.hpp"

namespace dns {
namespace {

template <class Real>
class FlowFiguresTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FlowFiguresTest, Reals);

/// Linear fields: means and derivatives at the cell centre are exact.
TYPED_TEST(FlowFiguresTest, cell_figures_are_exact_for_linear_fields) {
  using Real = TypeParam;
  using Figures = CellFigures<Real>;
  const double hx = 0.5;
  const double hy = 0.25;
  const double hz = 1;
  testing::SmallLayer<Real> layer(Extents{4, 5, 3}, [&](int variable, int i, int j, int k) {
    const double x = hx * i;
    const double y = hy * j;
    const double z = hz * k;
    if (variable == 0) return 3 * x - y + 2 * z;
    if (variable == 1) return -x + 4 * y - z;
    if (variable == 2) return 2 * x + y - 5 * z - 1;
    return 1 + x + y + z;
  });
  const Figures figures{layer.view().as_const(),
                        {Real(1 / (2 * hx)), Real(1 / (2 * hy)), Real(1 / (2 * hz))}};
  Tally<double, Figures::sums, Figures::maxima> tally;
  figures(Index3{1, 2, 1}, tally);
  const double limit = 200 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  // Centre x = 0.75, y = 0.625, z = 1.5.
  const double u = 3 * 0.75 - 0.625 + 3;
  const double v = -0.75 + 2.5 - 1.5;
  const double w = 1.5 + 0.625 - 7.5 - 1;
  EXPECT_NEAR(tally.sum[Figures::divergence], 2, limit);  // |3 + 4 - 5|
  EXPECT_NEAR(tally.maximum[Figures::divergence_max], 2, limit);
  EXPECT_NEAR(tally.sum[Figures::kinetic_energy], (u * u + v * v + w * w) / 2, limit * 10);
  // 2 (9 + 16 + 25) + (-1 - 1)^2 + (2 + 2)^2 + (1 - 1)^2
  EXPECT_NEAR(tally.sum[Figures::dissipation], 120, limit * 10);
  EXPECT_NEAR(tally.sum[Figures::temperature_mean], 1 + 0.75 + 0.625 + 1.5, limit);
  // Node (1, 2, 1): u = 3, v = 0.5, w = -4.5; node (2, 3, 2): u = 6.25, v = 0, w = -8.25.
  const double lowest = 3 / hx + 0.5 / hy + 4.5 / hz;
  const double highest = 6.25 / hx + 0 / hy + 8.25 / hz;
  EXPECT_NEAR(tally.maximum[Figures::cfl_rate], std::max(lowest, highest), limit * 10);
}

TEST(tally, maximum_of_values_with_nan_is_nan_wherever_it_stands) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int where = 0; where < 3; ++where) {
    Tally<double, 0, 1> tally;
    for (int n = 0; n < 3; ++n) tally.raise(0, n == where ? nan : 1.0 + n);
    EXPECT_TRUE(std::isnan(tally.maximum[0])) << "position " << where;
  }
}

TYPED_TEST(FlowFiguresTest, change_of_a_layer_is_the_largest_of_all_variables) {
  using Real = TypeParam;
  const Extents points{3, 3, 3};
  testing::SmallLayer<Real> before(points, [](int, int, int, int) { return 1; });
  testing::SmallLayer<Real> after(
      points, [](int variable, int, int, int) { return variable == 2 ? -1.5 : 1.25; });
  Tally<double, 0, 1> tally;
  LayerChange<Real>{before.view().as_const(), after.view().as_const()}(Index3{1, 1, 1}, tally);
  EXPECT_EQ(tally.maximum[0], 2.5);
}

}  // namespace
}  // namespace dns
