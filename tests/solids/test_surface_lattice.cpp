/// Distances from surfaces of triangles on lattices, against exact ones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/smallest_cells.hpp"
#include "solver/core/error.hpp"
#include "solver/solids/surface_lattice.hpp"
#include "tests/solids/box_case.hpp"
#include "tests/solids/surfaces.hpp"

namespace dns::testing::test_surface_lattice {
namespace {

/// A surface and its lattice in a case.
struct Found {
  SurfaceLattice values;
  DistanceLattice lattice;

  Found(const Surface& surface, const std::string& boundaries, const std::string& grid)
      : Found(binary_stl(surface), boundaries, grid) {}
  Found(const std::string& bytes, const std::string& boundaries, const std::string& grid) {
    const SurfaceFile file("lattice", bytes);
    const Case resolved =
        staggered_case("  it: {shape: stl, path: " + file.path() + "}", boundaries, grid);
    const SolidCase& body = resolved.solids[0];
    const Triangles triangles = read_stl(body);
    values = find_distances(triangles, body, resolved, 3);
    lattice = values.lattice;
    lattice.numbers = values.numbers.data();
    lattice.distances = values.distances.data();
    const SurfaceLattice zeros = lattice_of_zeros(triangles, body, resolved);
    EXPECT_EQ(zeros.numbers.size(), values.numbers.size());
    EXPECT_EQ(zeros.distances.size(), values.distances.size());
  }

  /// Visits the nodes of the lattice.
  template <class Visit>
  void for_each_node(const Visit& visit) const {
    const PerAxis<int>& cells = lattice.cells;
    for (int k = 0; k <= cells[2]; ++k) {
      for (int j = 0; j <= cells[1]; ++j) {
        for (int i = 0; i <= cells[0]; ++i) {
          visit(PerAxis<double>{lattice.low[0] + i * lattice.spacing[0],
                                lattice.low[1] + j * lattice.spacing[1],
                                lattice.low[2] + k * lattice.spacing[2]});
        }
      }
    }
  }
};

const std::string odd_grid = R"({points: [13, 11, 9], length: [1.3, 1.5, 1.1],
  origin: [0.1, -0.7, 0.2], stretching: {y: {type: tanh, factor: 1.2}}})";

/// Signed, from a box; of its images along x and z too, where the period is not 0.
double distance_from_box(PerAxis<double> x,
                         const Corner& low,
                         const Corner& high,
                         const PerAxis<double>& period) {
  double inside = -1e30;
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double way = x[axis] - (low[axis] + high[axis]) / 2;
    if (period[axis] > 0) way = std::remainder(way, period[axis]);
    const double beyond = std::abs(way) - (high[axis] - low[axis]) / 2;
    inside = std::max(inside, beyond);
    if (beyond > 0) square += beyond * beyond;
  }
  return square > 0 ? std::sqrt(square) : inside;
}

TEST(SurfaceLattice, has_exact_distances_at_its_nodes) {
  // Single precision of the file: numbers that it holds exactly.
  const Corner low{1.0, -0.375, 0.5};
  const Corner high{1.75, 0.25, 0.875};  // sticks out of the periodic end at 1.4
  const Found found(block(low, high), boundaries_with_walls, odd_grid);
  const PerAxis<double> period{1.3, 0, 1.1};
  const auto farthest = static_cast<double>(found.lattice.farthest);
  const auto deepest = static_cast<double>(found.lattice.deepest);
  const double epsilon = static_cast<double>(std::numeric_limits<float>::epsilon());
  int near = 0;
  found.for_each_node([&](const PerAxis<double>& x) {
    const double exact = std::clamp(distance_from_box(x, low, high, period), -deepest, farthest);
    near += exact < farthest ? 1 : 0;
    // A place that is on the lattice up to round-off.
    EXPECT_NEAR(found.lattice.at(x), exact, epsilon * (0.1 + std::abs(exact)))
        << x[0] << ' ' << x[1] << ' ' << x[2];
  });
  EXPECT_GT(near, 2000);
}

TEST(SurfaceLattice, reaches_as_far_as_two_cells_and_knows_the_side_beyond) {
  const Found found(block({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}), all_periodic, cube_of(32));
  const double cell = 1. / 32;
  const auto deepest = static_cast<double>(found.lattice.deepest);
  EXPECT_NEAR(found.lattice.spacing[1], cell / 2, 1e-15);
  EXPECT_GE(deepest, 2 * cell);
  EXPECT_EQ(found.lattice.at({0.5, 0.51, 0.49}), -deepest);
  EXPECT_EQ(found.lattice.at({0.01, 0.02, 0.97}), static_cast<double>(found.lattice.farthest));
  EXPECT_EQ(found.lattice.at({3.5, -2.49, 0.49}), -deepest) << "an image";
  EXPECT_NEAR(found.lattice.at({0.777, 0.5, 0.5}), 0.027, 1e-7);
  EXPECT_NEAR(found.lattice.at({0.5, 0.24, 0.5}), 0.01, 1e-7);
  const PerAxis<double> gradient = found.lattice.gradient({0.4, 0.5, 0.7412});
  EXPECT_NEAR(gradient[0], 0, 1e-5);
  EXPECT_NEAR(gradient[1], 0, 1e-5);
  EXPECT_NEAR(gradient[2], 1, 1e-5);
  const std::size_t all_nodes = std::size_t{64} * 64 * 64;
  EXPECT_LT(found.values.distances.size(), 2 * all_nodes);
}

/// The largest errors of distance and normal beside a sphere.
std::pair<double, double> errors_beside_sphere(int cells, double& spacing) {
  const double radius = 0.3;
  const Corner centre{0.5, 0.45, 0.52};
  const Found found(icosphere(6, centre, radius), all_periodic, cube_of(cells));
  spacing = found.lattice.spacing[0];
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> beside(-1, 1);
  std::pair<double, double> largest{0, 0};
  for (int n = 0; n < 4000; ++n) {
    PerAxis<double> normal{any(random), any(random), any(random)};
    const double size = std::hypot(normal[0], normal[1], normal[2]);
    const double distance = spacing * beside(random);
    PerAxis<double> x{};
    for (int axis = 0; axis < 3; ++axis) {
      normal[axis] /= size;
      x[axis] = centre[axis] + (radius + distance) * normal[axis];
    }
    const PerAxis<double> gradient = found.lattice.gradient(x);
    const double slope = std::hypot(gradient[0], gradient[1], gradient[2]);
    double square = 0;
    for (int axis = 0; axis < 3; ++axis)
      square += std::pow(gradient[axis] / slope - normal[axis], 2);
    const double error = std::abs(found.lattice.at(x) - distance);
    if (!(error <= largest.first)) largest.first = error;
    if (!(square <= largest.second * largest.second)) largest.second = std::sqrt(square);
  }
  return largest;
}

TEST(SurfaceLattice, is_of_second_order_beside_a_sphere) {
  double coarse_spacing = 0;
  double fine_spacing = 0;
  const auto coarse = errors_beside_sphere(12, coarse_spacing);
  const auto fine = errors_beside_sphere(24, fine_spacing);
  EXPECT_NEAR(coarse_spacing, 2 * fine_spacing, 1e-12);
  // s^2/8 times the sum of the curvatures, and the flat triangles: 8e-5 of the radius.
  for (const auto& [error, spacing] :
       {std::pair(coarse.first, coarse_spacing), std::pair(fine.first, fine_spacing)})
    EXPECT_LT(error, spacing * spacing / (4 * (0.3 - spacing)) + 3e-5);
  EXPECT_GT(coarse.first / fine.first, 3);
  EXPECT_GT(coarse.second / fine.second, 2.8);
  RecordProperty("distance", fmt::format("{:.2e} {:.2e}", coarse.first, fine.first));
  RecordProperty("normal", fmt::format("{:.2e} {:.2e}", coarse.second, fine.second));
}

/// A rod through a periodic box has ends that touch those of its images: they are no surface.
TEST(SurfaceLattice, leaves_out_what_images_cover) {
  for (const double beyond : {0.0, 0.25}) {
    const Corner low{0.1 - beyond, -0.375, 0.5};
    const Corner high{1.4 + beyond, 0.25, 0.875};
    const Found found(block(low, high), boundaries_with_walls, odd_grid);
    for (const double x : {0.1, 0.1001, 0.15, 0.6, 1.37, 1.4}) {
      EXPECT_NEAR(found.lattice.at({x, 0.0, 0.875}), 0, 1e-6) << x;
      EXPECT_NEAR(found.lattice.at({x, 0.0, 0.8}), -0.075, 1e-6) << x;
      EXPECT_NEAR(found.lattice.at({x, 0.0, 0.95}), 0.075, 1e-6) << x;
    }
  }
}

TEST(SurfaceLattice, leaves_out_shells_within_the_union) {
  Surface both = block({0.25, 0.25, 0.25}, {0.75, 0.75, 0.5});
  const Surface other = block({0.375, 0.375, 0.4375}, {0.625, 0.625, 0.875});
  both.insert(both.end(), other.begin(), other.end());
  const Found found(both, all_periodic, cube_of(32));
  EXPECT_NEAR(
      found.lattice.at({0.5, 0.5, 0.4375}), -static_cast<double>(found.lattice.deepest), 1e-6)
      << "the end of the other one";
  EXPECT_NEAR(found.lattice.at({0.5, 0.5, 0.86}), -0.015, 1e-6);
  EXPECT_NEAR(found.lattice.at({0.3, 0.5, 0.51}), 0.01, 1e-6);
}

/// Points of the flow that are in the body are nodes of its lattice, on the inside.
TEST(SurfaceLattice, has_the_sides_that_the_flow_has) {
  const SurfaceFile file("sides", binary_stl(torus(23, 13, {0.7, 0.05, 0.72}, 0.35, 0.17)));
  const Case resolved =
      staggered_case("  it: {shape: stl, path: " + file.path() + "}",
                     all_periodic,
                     "{points: [13, 17, 11], length: [1.3, 1.5, 1.1], origin: [0.1, -0.7, 0.2]}");
  const Triangles triangles = read_stl(resolved.solids[0]);
  const SurfaceLattice values = find_distances(triangles, resolved.solids[0], resolved, 1);
  DistanceLattice lattice = values.lattice;
  lattice.numbers = values.numbers.data();
  lattice.distances = values.distances.data();
  const std::vector<SolidPoints> found = points_of(resolved);
  int inside = 0;
  for (int variable = 0; variable < 4; ++variable) {
    const Places places(resolved, variable);
    for_each_point(resolved, [&](Index3 c) {
      const double distance = lattice.at(places.at(c));
      if (std::abs(distance) < 1e-6) return;
      const bool is_in = found[static_cast<std::size_t>(variable)].body_at(c) != no_body;
      inside += is_in ? 1 : 0;
      if (variable == first_scalar) {
        EXPECT_EQ(is_in, distance < 0);
      } else if (!is_in) {  // dead ends are in the body too
        EXPECT_GT(distance, 0);
      }
    });
  }
  EXPECT_GT(inside, 100);
}

TEST(SurfaceLattice, is_no_number_nowhere) {
  const Found found(icosphere(1, {0.5, 0.45, 0.52}, 0.3), all_periodic, cube_of(9));
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isfinite(found.lattice.at({none, 0.1, 0.2})));
  for (const float distance : found.values.distances) EXPECT_TRUE(std::isfinite(distance));
  EXPECT_THROW(Found(block({-10, 2, 0}, {1, 3, 1}), boundaries_with_walls, odd_grid), CaseError);
}

}  // namespace
}  // namespace dns::testing::test_surface_lattice
