#include "cpu/openmp_backend.hpp"
#include "tests/backend/cpu_device.hpp"
#include "tests/projection/transform_tests.hpp"

namespace dns::testing::test_cpu_poisson {
namespace {

using CpuDevices = ::testing::Types<CpuDevice<float>, CpuDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, PoissonTest, CpuDevices);
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, TransformTest, CpuDevices);

TEST(LargestDifference, is_nan_wherever_a_value_is) {
  const CellField exact = scattered_field(unit_grid({4, 3, 2}), 1);
  for (const std::size_t place : {0, 7, 23}) {
    CellField broken = exact;
    broken.values()[place] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(largest_difference(broken, exact))) << place;
    EXPECT_TRUE(std::isnan(broken.largest())) << place;
  }
}

template <class Real>
class PoissonThreadsTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PoissonThreadsTest, Reals);

/// Plans made anew, too, for they must not depend on the moment.
TYPED_TEST(PoissonThreadsTest, solutions_do_not_depend_on_the_number_of_threads) {
  for (const StaggeredGrid& grid :
       {grid_of(
            {AxisKind::uniform_periodic, AxisKind::stretched_walled, AxisKind::uniform_periodic},
            {65, 31, 48}),
        grid_of({AxisKind::stretched_walled, AxisKind::uniform_walled, AxisKind::uniform_periodic},
                {35, 280, 19}),
        grid_of(
            {AxisKind::uniform_periodic, AxisKind::uniform_periodic, AxisKind::uniform_periodic},
            {32, 32, 32})}) {
    SCOPED_TRACE(name_of(grid));
    const CellField rhs = div_grad(grid, scattered_field(grid, 2));
    auto one = on_one_rank(OpenMpBackend<TypeParam>(1));
    const CellField expected = solution_of(one, grid, rhs);
    for (const int threads : {1, 2, 3, 7}) {
      auto backend = on_one_rank(OpenMpBackend<TypeParam>(threads));
      EXPECT_EQ(solution_of(backend, grid, rhs).values(), expected.values()) << threads;
    }
  }
}

}  // namespace
}  // namespace dns::testing::test_cpu_poisson
