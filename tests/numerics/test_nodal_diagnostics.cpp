#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/numerics/nodal_diagnostics.hpp"
#include "tests/numerics/small_level.hpp"

namespace dns::test_nodal_diagnostics {
namespace {

template <class Real>
class FlowDiagnosticsTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FlowDiagnosticsTest, Reals);

/// Linear fields: means and derivatives at the cell centre are exact.
TYPED_TEST(FlowDiagnosticsTest, cell_figures_are_exact_for_linear_fields) {
  using Real = TypeParam;
  using Diagnostics = CellDiagnostics<Real>;
  const double hx = 0.5;
  const double hy = 0.25;
  const double hz = 1;
  testing::SmallLevel<Real> level(Extents{4, 5, 3}, [&](int variable, int i, int j, int k) {
    const double x = hx * i;
    const double y = hy * j;
    const double z = hz * k;
    if (variable == 0) return 3 * x - y + 2 * z;
    if (variable == 1) return -x + 4 * y - z;
    if (variable == 2) return 2 * x + y - 5 * z - 1;
    return 1 + x + y + z;
  });
  const Diagnostics diagnostics{level.view().as_const(),
                                {Real(1 / (2 * hx)), Real(1 / (2 * hy)), Real(1 / (2 * hz))}};
  Reduction<double, Diagnostics::sums, Diagnostics::maxima> reduction;
  diagnostics(Index3{1, 2, 1}, reduction);
  const double limit = 200 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  // Centre x = 0.75, y = 0.625, z = 1.5.
  const double u = 3 * 0.75 - 0.625 + 3;
  const double v = -0.75 + 2.5 - 1.5;
  const double w = 1.5 + 0.625 - 7.5 - 1;
  EXPECT_NEAR(reduction.sum[Diagnostics::divergence], 2, limit);  // |3 + 4 - 5|
  EXPECT_NEAR(reduction.maximum[Diagnostics::divergence_max], 2, limit);
  EXPECT_NEAR(reduction.sum[Diagnostics::kinetic_energy], (u * u + v * v + w * w) / 2, limit * 10);
  // 2 (9 + 16 + 25) + (-1 - 1)^2 + (2 + 2)^2 + (1 - 1)^2
  EXPECT_NEAR(reduction.sum[Diagnostics::dissipation], 120, limit * 10);
  EXPECT_NEAR(reduction.sum[Diagnostics::temperature_mean], 1 + 0.75 + 0.625 + 1.5, limit);
  // Node (1, 2, 1): u = 3, v = 0.5, w = -4.5; node (2, 3, 2): u = 6.25, v = 0, w = -8.25.
  const double lowest = 3 / hx + 0.5 / hy + 4.5 / hz;
  const double highest = 6.25 / hx + 0 / hy + 8.25 / hz;
  EXPECT_NEAR(reduction.maximum[Diagnostics::cfl_rate], std::max(lowest, highest), limit * 10);
}

TEST(reduction, maximum_of_values_with_nan_is_nan_wherever_it_stands) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int where = 0; where < 3; ++where) {
    Reduction<double, 0, 1> reduction;
    for (int n = 0; n < 3; ++n) reduction.raise(0, n == where ? nan : 1.0 + n);
    EXPECT_TRUE(std::isnan(reduction.maximum[0])) << "position " << where;
    Reduction<double, 0, 1> merged;
    merged.raise(0, 4);
    merged.merge(reduction);
    EXPECT_TRUE(std::isnan(merged.maximum[0])) << "position " << where;
  }
}

TYPED_TEST(FlowDiagnosticsTest, change_of_a_level_is_the_largest_of_all_variables) {
  using Real = TypeParam;
  const Extents points{3, 3, 3};
  testing::SmallLevel<Real> before(points, [](int, int, int, int) { return 1; });
  testing::SmallLevel<Real> after(
      points, [](int variable, int, int, int) { return variable == 2 ? -1.5 : 1.25; });
  Reduction<double, 0, 1> reduction;
  LevelChange<Real>{before.view().as_const(), after.view().as_const()}(Index3{1, 1, 1}, reduction);
  EXPECT_EQ(reduction.maximum[0], 2.5);
}

}  // namespace
}  // namespace dns::test_nodal_diagnostics
