/// Formulas of the staggered scheme at single points, against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "solver/numerics/advection_diffusion.hpp"
#include "solver/numerics/robin_ghost.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/metric_arrays.hpp"

namespace dns::test_staggered_rows {
namespace {

StaggeredAxis stretched(bool is_periodic) {
  return {is_periodic, false, {0.0, 0.5, 0.75, 1.75, 2.0}};  // widths 1/2, 1/4, 1, 1/4
}
std::size_t at(int index) {
  return metric_place(index);
}

TEST(staggered_metrics, volumes_of_centres_and_faces_fill_the_axis) {
  for (const bool is_periodic : {true, false}) {
    const AxisMetricValues values = metric_values(stretched(is_periodic), 0, 4);
    double of_cells = 0;
    double of_faces = 0;
    for (int i = 0; i <= 4; ++i) {
      if (i < 4) of_cells += values.width[at(i)];
      if (i < 4 || !is_periodic) of_faces += values.distance[at(i)];
      EXPECT_EQ(values.share_below[at(i)] + values.share_above[at(i)], 1);
    }
    EXPECT_EQ(of_cells, 2);
    EXPECT_EQ(of_faces, 2);
    EXPECT_EQ(values.width[at(4)], 0);
  }
}

TEST(staggered_metrics, boundaries_have_half_a_cell_and_no_gradient) {
  const AxisMetricValues values = metric_values(stretched(false), 0, 4);
  EXPECT_EQ(values.distance[at(0)], 0.25);
  EXPECT_EQ(values.inverse_step[at(0)], 2);  // to the mirror image of the first centre
  EXPECT_EQ(values.face_inverse_width[at(0)], 0);
  EXPECT_EQ(values.face_inverse_width[at(4)], 0);
  EXPECT_EQ(values.face_inverse_width[at(1)], 1 / 0.375);
  EXPECT_EQ(values.centre_diffusion_low[at(0)], 1 / (0.5 * 0.5));
  EXPECT_EQ(values.centre_diffusion_high[at(0)], 1 / (0.5 * 0.375));
}

TEST(staggered_metrics, a_periodic_axis_goes_on_behind_its_end) {
  const AxisMetricValues values = metric_values(stretched(true), 0, 4);
  EXPECT_EQ(values.distance[at(0)], 0.375);
  EXPECT_EQ(values.face_inverse_width[at(0)], 1 / 0.375);
  EXPECT_EQ(values.face_inverse_width[at(4)], values.face_inverse_width[at(0)]);
  EXPECT_EQ(values.share_below[at(0)], 0.25 / 0.75);
}

/// A part begins and ends where a neighbour goes on, or the box ends.
TEST(staggered_metrics, of_a_part_are_those_of_the_axis_there) {
  for (const bool is_periodic : {true, false}) {
    const AxisMetricValues whole = metric_values(stretched(is_periodic), 0, 4);
    for (const auto& [first, cells] : {std::pair{0, 1}, {1, 2}, {2, 2}, {0, 3}, {3, 1}}) {
      const AxisMetricValues part = metric_values(stretched(is_periodic), first, cells);
      for (int i = 0; i <= cells; ++i) {
        const std::size_t here = at(i);
        const std::size_t there = at(first + i);
        EXPECT_EQ(part.distance[here], whole.distance[there]);
        EXPECT_EQ(part.share_below[here], whole.share_below[there]);
        EXPECT_EQ(part.share_above[here], whole.share_above[there]);
        EXPECT_EQ(part.inverse_step[here], whole.inverse_step[there]);
        EXPECT_EQ(part.face_inverse_width[here], whole.face_inverse_width[there]);
        EXPECT_EQ(part.face_diffusion_low[here], whole.face_diffusion_low[there]);
        EXPECT_EQ(part.face_diffusion_high[here], whole.face_diffusion_high[there]);
        EXPECT_EQ(part.centre_inverse_width[here], whole.centre_inverse_width[there]);
        EXPECT_EQ(part.centre_diffusion_low[here], whole.centre_diffusion_low[there]);
        EXPECT_EQ(part.centre_diffusion_high[here], whole.centre_diffusion_high[there]);
        EXPECT_EQ(part.width[here], i < cells ? whole.width[there] : 0);
        EXPECT_EQ(part.low_distance[here], i < cells ? whole.low_distance[there] : 0);
      }
    }
  }
}

TEST(axis_term, its_row_and_its_application_are_the_same_operator) {
  const AxisTerm<double> term{0.3, -0.2, 0.7, 0.4};
  const Coupling<double> row = term.row();
  const double before = 1.5;
  const double q = -0.25;
  const double behind = 3;
  EXPECT_NEAR(row.lower * before + row.diagonal * q + row.upper * behind,
              q + term.applied(before, q, behind),
              1e-15);
}

TEST(axis_term, advection_alone_is_skew_symmetric) {
  // Two neighbours see the same velocity through the face between them.
  const AxisTerm<double> left{0.1, 0.35, 0, 0};
  const AxisTerm<double> right{0.35, -0.2, 0, 0};
  EXPECT_EQ(left.row().upper, -right.row().lower);
  EXPECT_EQ(left.row().diagonal, 1);
}

TEST(staggered_closures, fulfil_the_condition_on_the_plane) {
  const double inside = 0.7;
  const double given = 0.2;
  EXPECT_EQ(closure_on_plane<double>().first * inside + closure_on_plane<double>().weight * given,
            given);
  for (const double width : {1e-3, 0.11, 3.0}) {
    for (const BoundaryCondition condition : {BoundaryCondition::value(),
                                              BoundaryCondition::gradient(),
                                              BoundaryCondition{1, 0.07},
                                              BoundaryCondition{12, 1}}) {
      const auto closure = ghost_closure<double>(condition, width);
      const double outside = closure.first * inside + closure.weight * given;
      const double left = condition.value_weight * (outside + inside) / 2 +
                          condition.gradient_weight * (outside - inside) / width;
      EXPECT_NEAR(left, given, 1e-12);  // round-off of values over the least width
      EXPECT_LE(std::abs(closure.first), 1);
    }
  }
}

TEST(staggered_closures, of_a_value_and_of_a_gradient_are_exact) {
  const auto value = ghost_closure<float>(BoundaryCondition::value(), 0.1);
  EXPECT_EQ(value.first, -1);
  EXPECT_EQ(value.weight, 2);
  const auto gradient = ghost_closure<float>(BoundaryCondition::gradient(), 0.1);
  EXPECT_EQ(gradient.first, 1);
  EXPECT_EQ(gradient.weight, 0.1F);
}

}  // namespace
}  // namespace dns::test_staggered_rows
