/// Places of several bodies of one entry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/particles/released_bodies.hpp"
#include "tests/message_of.hpp"

namespace dns::testing::test_released_bodies {
namespace {

/// Walls across y, periodic along x and z; a ball and a block at rest.
Case with_balls(const std::string& keys, double radius = 0.15) {
  return parse_case(fmt::format(R"yaml(
scheme: projection
grid: {{points: [38, 46, 34], length: [1.9, 2.3, 1.7], origin: [-0.4, -1, 0.2]}}
fluid: {{reynolds: 10}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: wall}}, z: periodic}}
solids:
  post: {{shape: sphere, center: [0.1, 0.4, 0.5], radius: 0.3}}
  balls: {{shape: sphere, radius: {}, free: {{density: 2}}, {}}}
  block: {{shape: box, min: [0.9, -0.8, 1], max: [1.3, 0.1, 1.4]}}
time: {{scheme: implicit, step: 0.01, steps: 1}}
)yaml",
                                radius,
                                keys),
                    "case.yaml",
                    {});
}

double remainder_along(const Case& resolved, int axis, double way) {
  return resolved.is_periodic(axis) ? std::remainder(way, resolved.grid.length[axis]) : way;
}

TEST(released_bodies, are_where_formulas_put_them) {
  const Case all = with_single_bodies(
      with_balls("count: 4, positions: [0.3*n - 0.5, 0.9 - 0.5*n, 1.85 - 0.1*n^2]"));
  ASSERT_EQ(all.solids.size(), 6U);
  EXPECT_EQ(all.solids[0].name, "post");
  EXPECT_EQ(all.solids[5].name, "block");
  for (int n = 0; n < 4; ++n) {
    const SolidCase& ball = all.solids[1 + n];
    EXPECT_EQ(ball.name, fmt::format("balls[{}]", n));
    EXPECT_EQ(ball.path(), "solids.balls");
    EXPECT_EQ(ball.number, n);
    EXPECT_EQ(ball.radius, 0.15);
    EXPECT_FALSE(ball.is_several());
    // Beyond a periodic end they come back through the other one.
    const double x = 0.3 * n - 0.5;
    EXPECT_NEAR(ball.center[0], x < -0.4 ? x + 1.9 : x, 1e-15) << n;
    EXPECT_NEAR(ball.center[1], 0.9 - 0.5 * n, 1e-15) << n;
    EXPECT_NEAR(ball.center[2], 1.85 - 0.1 * n * n, 1e-15) << n;
  }
}

TEST(released_bodies, at_random_overlap_neither_one_another_nor_walls_nor_bodies_at_rest) {
  const std::string places = "positions: [-0.4 + 1.9*r1, -1 + 2.3*r2, 0.2 + 1.7*r3]";
  const Case given = with_balls("count: 60, " + places);
  const Case all = with_single_bodies(given);
  ASSERT_EQ(all.solids.size(), 62U);
  PerAxis<double> mean{};
  for (std::size_t n = 1; n <= 60; ++n) {
    const PerAxis<double>& x = all.solids[n].center;
    EXPECT_GE(x[1] - 0.15, -1.0);
    EXPECT_LE(x[1] + 0.15, 1.3);
    const auto distance = [&](const PerAxis<double>& other) {
      double square = 0;
      for (int axis = 0; axis < 3; ++axis)
        square += std::pow(remainder_along(all, axis, x[axis] - other[axis]), 2);
      return std::sqrt(square);
    };
    for (std::size_t other = n + 1; other <= 60; ++other)
      EXPECT_GE(distance(all.solids[other].center), 0.3) << n << " " << other;
    EXPECT_GE(distance({0.1, 0.4, 0.5}), 0.45) << n;
    double square = 0;  // from the block
    for (int axis = 0; axis < 3; ++axis) {
      const SolidCase& block = all.solids.back();
      const double middle = (block.low[axis] + block.high[axis]) / 2;
      const double half = (block.high[axis] - block.low[axis]) / 2;
      const double way = std::abs(remainder_along(all, axis, x[axis] - middle));
      square += std::pow(std::max(way - half, 0.0), 2);
      mean[axis] += x[axis] / 60;
    }
    EXPECT_GE(std::sqrt(square), 0.15) << n;
  }
  const PerAxis<double> middle{0.55, 0.15, 1.05};  // of the box; sigma of the mean: 0.09 at most
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(mean[axis], middle[axis], 0.3) << axis;
  const Case again = with_single_bodies(given);
  const Case other = with_single_bodies(with_balls("count: 60, seed: 2, " + places));
  EXPECT_EQ(again.solids[60].center, all.solids[60].center);
  EXPECT_NE(other.solids[60].center, all.solids[60].center);
}

TEST(released_bodies, may_be_cylinders_that_lie_side_by_side) {
  const Case given = parse_case(R"yaml(
scheme: projection
grid: {points: [38, 46, 5], length: [1.9, 2.3, 0.3]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
solids:
  post: {shape: sphere, center: [1, 1, 0.1], radius: 0.3}
  rods: {shape: cylinder, axis: z, radius: 0.2, free: {density: 2}, count: 11, positions: [1.9*r1, 2.3*r2, 0]}
time: {scheme: implicit, step: 0.01, steps: 1}
)yaml",
                                "case.yaml",
                                {});
  const Case all = with_single_bodies(given);
  ASSERT_EQ(all.solids.size(), 12U);
  for (std::size_t n = 1; n < 12; ++n) {
    for (std::size_t other = 0; other < n; ++other) {
      const PerAxis<double>& a = all.solids[n].center;
      const PerAxis<double>& b = all.solids[other].center;
      const double distance =
          std::hypot(std::remainder(a[0] - b[0], 1.9), std::remainder(a[1] - b[1], 2.3));
      EXPECT_GE(distance, other == 0 ? 0.499 : 0.4) << n << " " << other;
    }
  }
}

std::string message_about(const std::string& keys, double radius = 0.15) {
  return message_of<CaseError>(
      [&] { static_cast<void>(with_single_bodies(with_balls(keys, radius))); });
}

TEST(released_bodies, are_refused_with_the_reason) {
  EXPECT_EQ(message_about("count: 3, positions: [1, -0.5 + 0.2*n, 1.5]"),
            "solids.balls.positions: body n = 0 at (1, -0.5, 1.5) overlaps solids.block");
  EXPECT_EQ(message_about("count: 3, positions: [1, 0.5 + 0.2*n, 1.5]"),
            "solids.balls.positions: body n = 1 at (1, 0.7, 1.5) overlaps body n = 0 of "
            "solids.balls");
  EXPECT_EQ(
      message_about("count: 3, positions: [1, 0.5 + 0.4*n, 1.5]"),
      "solids.balls.positions: body n = 2 at (1, 1.3, 1.5) sticks out of the box, which along "
      "y is from -1 to 1.3");
  EXPECT_EQ(message_about("count: 2, positions: [1/n, 0, 1.5]"),
            "solids.balls.positions: body n = 0 at (inf, 0, 1.5) is no place");
  const std::string dense = message_about("count: 99, positions: [2*r1, -1 + 2.3*r2, 2*r3]", 0.3);
  EXPECT_NE(dense.find(" finds no place in 2000 trials of r1, r2, r3: "), std::string::npos)
      << dense;
  EXPECT_NE(dense.find("; take fewer or smaller bodies, or another seed"), std::string::npos)
      << dense;
}

TEST(released_bodies, have_the_places_and_velocities_of_a_file) {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / "places_of_bodies.h5").string();
  const std::vector<double> places{0.6, -0.5, 0.4, 1.6, 0.75, 0.5};
  {
    Hdf5File file = Hdf5File::create(path, Hdf5Format::compatible);
    write_columns(file, "position", 3, places, Precision::double_precision);
    write_columns(file, "velocity", 3, {1, 2, 3, 4, 5, 6}, Precision::double_precision);
    file.close();
  }
  const Case given = with_balls("file: " + path);
  const Case all = with_single_bodies(given);
  ASSERT_EQ(all.solids.size(), 4U);
  EXPECT_EQ(all.solids[1].center, (PerAxis<double>{0.6, -0.5, 0.4}));
  EXPECT_NEAR(all.solids[2].center[0], 1.6 - 1.9, 1e-15);
  EXPECT_EQ(all.solids[2].free->velocity, (PerAxis<double>{4, 5, 6}));
  const Case again = parse_case(to_yaml(given), "case.yaml", {});
  EXPECT_EQ(with_single_bodies(again).solids[1].center, all.solids[1].center);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dns::testing::test_released_bodies
