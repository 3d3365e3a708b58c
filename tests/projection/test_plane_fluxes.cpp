#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/projection/projection_boundary_values.hpp"

namespace dns::test_plane_fluxes {
namespace {

Case box(const std::string& x_min, const std::string& x_max) {
  return parse_case(R"yaml(
case: box
scheme: projection
grid: {points: [4, 5, 6], length: [1, 2, 3], stretching: {y: {type: tanh, factor: 1.5}}}
fluid: {reynolds: 10}
boundaries:
  x_min: {type: inflow, velocity: [")yaml" +
                        x_min + R"yaml(", 0, 0]}
  x_max: {type: inflow, velocity: [")yaml" +
                        x_max + R"yaml(", 0, 0]}
  y_min: {type: wall}
  y_max: {type: symmetry}
  z: periodic
initial: {velocity: [0, 0, 0]}
time: {step: 1, steps: 1}
)yaml",
                    "box.yaml",
                    {});
}

NormalVelocities normal_velocities(const Case& resolved,
                                   const StaggeredGrid& grid,
                                   const Subdomain& part) {
  FaceValues values(resolved);
  NormalVelocities velocities;
  for (int face = 0; face < 4; ++face) {
    velocities[face] = given_on_plane(values, grid, part, face, face / 2, 0);
  }
  return velocities;
}

TEST(plane_fluxes, of_uniform_velocities_are_velocity_times_area) {
  const Case resolved = box("0.5", "0.25");
  const StaggeredGrid grid = staggered_grid(resolved);
  const Subdomain part = whole_box(resolved);
  const PlaneFluxes fluxes = fluxes_through(grid, part, normal_velocities(resolved, grid, part));
  EXPECT_NEAR(fluxes.net, -0.25 * 6, 1e-14);
  EXPECT_NEAR(fluxes.gross, 0.75 * 6, 1e-14);
}

TEST(plane_fluxes, balance_leaves_no_net_flux_and_tight_walls) {
  const Case resolved = box("y*(2-y)", "2/3");
  const StaggeredGrid grid = staggered_grid(resolved);
  const Subdomain part = whole_box(resolved);
  NormalVelocities velocities = normal_velocities(resolved, grid, part);
  const PlaneFluxes fluxes = fluxes_through(grid, part, velocities);
  EXPECT_GT(std::abs(fluxes.net), 1e-3);
  balance(fluxes, velocities);
  EXPECT_NEAR(fluxes_through(grid, part, velocities).net, 0, 1e-14);
  for (const double value : velocities[2]) EXPECT_EQ(value, 0);
}

TEST(plane_fluxes, of_slabs_add_up_to_those_of_the_box) {
  const Case resolved = box("y*(2-y)*z", "2/3");
  const StaggeredGrid grid = staggered_grid(resolved);
  const Subdomain all = whole_box(resolved);
  const PlaneFluxes whole = fluxes_through(grid, all, normal_velocities(resolved, grid, all));
  for (const int ranks : {2, 3, 4}) {
    PlaneFluxes sum;
    for (int rank = 0; rank < ranks; ++rank) {
      const Subdomain slab = all.slab(rank, ranks);
      const PlaneFluxes mine = fluxes_through(grid, slab, normal_velocities(resolved, grid, slab));
      sum.net += mine.net;
      sum.gross += mine.gross;
    }
    EXPECT_NEAR(sum.net, whole.net, 1e-14);
    EXPECT_NEAR(sum.gross, whole.gross, 1e-14);
  }
}

/// Ghost points of a slab stand where its neighbour's points are.
TEST(given_on_plane, of_slabs_is_that_of_the_box) {
  Case resolved = box("0", "0");
  resolved.faces[0].velocity = {Expression("y*z"), Expression("y-z"), Expression("z+10*x")};
  const StaggeredGrid grid = staggered_grid(resolved);
  FaceValues values(resolved);
  const Subdomain all = whole_box(resolved);
  const PlaneShape of_box = PlaneShape::of(all.points(), 0);
  for (int variable = 0; variable < 3; ++variable) {
    const std::vector<double> whole = given_on_plane(values, grid, all, 0, variable, 0);
    for (const int ranks : {2, 3}) {
      for (int rank = 0; rank < ranks; ++rank) {
        const Subdomain slab = all.slab(rank, ranks);
        const PlaneShape shape = PlaneShape::of(slab.points(), 0);
        const std::vector<double> mine = given_on_plane(values, grid, slab, 0, variable, 0);
        for (int k = -1; k <= slab.points().nz; ++k) {
          for (int j = -1; j <= slab.points().ny; ++j) {
            EXPECT_EQ(mine[shape.at(j, k)], whole[of_box.at(j, slab.first(2) + k)])
                << variable << " " << j << " " << k;
          }
        }
      }
    }
  }
}

TEST(given_on_plane, is_evaluated_where_each_component_lives) {
  Case resolved = box("0", "0");
  resolved.faces[0].velocity = {Expression("y"), Expression("y"), Expression("z+10*x")};
  resolved.grid.origin = {7, 0, 0};
  const StaggeredGrid grid = staggered_grid(resolved);
  FaceValues values(resolved);
  const Subdomain part = whole_box(resolved);
  const PlaneShape shape = PlaneShape::of(resolved.grid.points, 0);
  EXPECT_EQ(given_on_plane(values, grid, part, 0, 0, 0)[shape.at(2, 3)], grid[1].centre(2));
  EXPECT_EQ(given_on_plane(values, grid, part, 0, 1, 0)[shape.at(2, 3)], grid[1].face(2));
  EXPECT_EQ(given_on_plane(values, grid, part, 0, 2, 0)[shape.at(2, 3)], grid[2].face(3) + 70);
}

}  // namespace
}  // namespace dns::test_plane_fluxes
