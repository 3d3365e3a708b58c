#include <gtest/gtest.h>

#include <string>

#include "solver/core/reduction.hpp"
#include "solver/projection/poisson_plan.hpp"
#include "tests/projection/staggered_grids.hpp"

namespace dns::testing::test_poisson_plan {
namespace {

constexpr auto periodic = AxisKind::uniform_periodic;
constexpr auto walled = AxisKind::uniform_walled;
constexpr auto stretched = AxisKind::stretched_walled;
constexpr auto stretched_periodic = AxisKind::stretched_periodic;

std::string description_of(const PerAxis<AxisKind>& kinds, Extents n = {32, 32, 32}) {
  return plan_poisson(grid_of(kinds, n)).description();
}

TEST(PoissonPlan, a_channel_takes_fft_along_its_periodic_axes_and_sweeps_between_its_walls) {
  EXPECT_EQ(description_of({periodic, stretched, periodic}), "FFT along x and z, sweep along y");
  EXPECT_EQ(description_of({periodic, walled, periodic}), "FFT along x and z, sweep along y");
  EXPECT_EQ(description_of({periodic, periodic, stretched}), "FFT along x and y, sweep along z");
  EXPECT_EQ(description_of({stretched, periodic, periodic}), "FFT along y and z, sweep along x");
}

TEST(PoissonPlan, the_axis_that_is_worst_to_transform_is_swept) {
  EXPECT_EQ(description_of({walled, stretched, walled}),
            "cosine transform along x and z, sweep along y");
  EXPECT_EQ(description_of({stretched, stretched, stretched}, {8, 64, 32}),
            "eigenbasis along x and z, sweep along y");
  EXPECT_EQ(description_of({periodic, stretched_periodic, stretched}),
            "FFT along x, eigenbasis along y, sweep along z");
  EXPECT_EQ(description_of({periodic, periodic, periodic}),
            "FFT along x and y, cyclic sweep along z");
  EXPECT_EQ(description_of({periodic, periodic, periodic}, {64, 64, 2048}),
            "FFT along x and z, cyclic sweep along y");
}

TEST(PoissonPlan, sweeps_go_along_axes_of_order_2_and_where_there_is_none_nowhere) {
  const auto description = [](const PerAxis<AxisKind>& kinds, const PerAxis<int>& orders) {
    StaggeredGrid grid = grid_of(kinds, {32, 32, 32});
    for (int axis = 0; axis < 3; ++axis) grid[axis].order = orders[axis];
    return plan_poisson(grid).description();
  };
  constexpr PerAxis<AxisKind> box{periodic, periodic, periodic};
  EXPECT_EQ(description(box, {6, 6, 6}), "FFT along x, y and z");
  EXPECT_EQ(description(box, {6, 2, 4}), "FFT along x and z, cyclic sweep along y");
  EXPECT_EQ(description({periodic, walled, periodic}, {6, 2, 6}),
            "FFT along x and z, sweep along y");
  EXPECT_EQ(description({walled, walled, walled}, {6, 6, 6}), "cosine transform along x, y and z");
  EXPECT_EQ(description({periodic, periodic, walled}, {6, 4, 6}),
            "FFT along x and y, cosine transform along z");
  EXPECT_EQ(description({walled, walled, periodic}, {6, 4, 2}),
            "cosine transform along x and y, cyclic sweep along z");
}

TEST(PoissonPlan, across_walls_of_order_4_products_take_the_place_of_the_sweep) {
  StaggeredGrid grid = grid_of({periodic, stretched, periodic}, {32, 32, 32});
  grid[0].order = grid[2].order = 6;
  grid[1].across_walls.emplace(grid[1].faces);
  grid[1].is_uniform = false;
  EXPECT_EQ(plan_poisson(grid).description(), "FFT along x and z, eigenbasis along y");
  EXPECT_TRUE(plan_poisson(grid).has_planes);
  EXPECT_EQ(plan_poisson_on_ranks(grid).description(),
            "FFT along x and z, eigenbasis along y, modes transposed between ranks");
  grid[0].order = grid[2].order = 2;
  EXPECT_EQ(plan_poisson_on_ranks(grid).description(),
            "FFT along x, eigenbasis along y, cyclic sweep along z");
}

TEST(PoissonPlan, of_ranks_has_whole_lines_along_z_or_sweeps_along_it) {
  const auto description = [](const PerAxis<AxisKind>& kinds, const PerAxis<int>& orders) {
    StaggeredGrid grid = grid_of(kinds, {32, 32, 32});
    for (int axis = 0; axis < 3; ++axis) grid[axis].order = orders[axis];
    return plan_poisson_on_ranks(grid).description();
  };
  constexpr PerAxis<AxisKind> channel{periodic, stretched, periodic};
  EXPECT_EQ(description(channel, {6, 2, 2}),
            "FFT along x, eigenbasis along y, cyclic sweep along z");
  EXPECT_EQ(description(channel, {6, 2, 6}),
            "FFT along x and z, sweep along y, modes transposed between ranks");
  EXPECT_EQ(description({stretched, periodic, periodic}, {2, 6, 6}),
            "FFT along y and z, sweep along x, modes transposed between ranks");
  EXPECT_EQ(description({periodic, periodic, periodic}, {6, 2, 6}),
            "FFT along x, y and z, modes transposed between ranks");
}

TEST(PoissonPlan, axes_of_one_cell_are_left_alone) {
  EXPECT_EQ(description_of({periodic, stretched, periodic}, {32, 32, 1}),
            "FFT along x, sweep along y");
  EXPECT_EQ(description_of({periodic, walled, walled}, {1, 16, 1}), "sweep along y");
}

/// The operator of basis_of, applied to each vector of the basis.
TEST(PoissonPlan, bases_diagonalise_the_second_difference) {
  for (const AxisKind kind : all_axis_kinds) {
    for (const int n : {1, 2, 3, 4, 17, 40}) {
      const StaggeredAxis axis = axis_of(kind, n, 1.5);
      SCOPED_TRACE(::testing::Message() << n << " cells of kind " << static_cast<int>(kind));
      const AxisBasis basis = basis_of(axis);
      const auto vector = [&](int mode, int m) {
        return basis.inverse[static_cast<std::size_t>(m) * static_cast<std::size_t>(n) +
                             static_cast<std::size_t>(mode)];
      };
      EXPECT_EQ(basis.eigenvalues[0], 0);
      double most = 1;
      for (const double eigenvalue : basis.eigenvalues) most = larger_or_nan(most, eigenvalue);
      for (int mode = 0; mode < n; ++mode) {
        double norm = 0;
        for (int m = 0; m < n; ++m) {
          const double applied = second_difference(axis, m, [&](int l) { return vector(mode, l); });
          const double expected = -basis.eigenvalues[mode] * vector(mode, m);
          // About n roundings of the largest eigenvalue, of vectors of size one or two.
          EXPECT_NEAR(applied, expected, 2e-16 * (8 + n) * most * 2);
          norm += axis.width(m) * vector(mode, m) * vector(mode, m);
        }
        EXPECT_NEAR(norm, 1, 1e-14);
      }
    }
  }
}

TEST(PoissonPlan, buffers_have_whole_rows_and_planes_in_different_sets_of_a_cache) {
  for (const int nx : {1, 7, 8, 64, 66, 130}) {
    for (const int ny : {1, 2, 8, 31, 64}) {
      const BufferLayout layout = BufferLayout::of({nx, ny, 5}, Axis::y, sizeof(double));
      EXPECT_GE(layout.strides.y, nx);
      EXPECT_EQ(layout.strides.y % 8, 0);
      EXPECT_GE(layout.strides.z, layout.strides.y * ny);
      EXPECT_EQ(layout.strides.z / 8 % 2, 1);
      EXPECT_EQ(layout.values, static_cast<std::size_t>(layout.strides.z) * 5);
    }
  }
}

}  // namespace
}  // namespace dns::testing::test_poisson_plan
