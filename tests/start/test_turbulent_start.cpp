#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/start/turbulent_duct.hpp"
#include "solver/start/turbulent_start.hpp"

namespace dns::test_turbulent_start {
namespace {

using Points = PerAxis<std::vector<double>>;

/// A flow along z through a box from (-1, 0, 0.5) to (2, 4, 9.5) with these ends of x and y.
Case box(FaceKind x_min, FaceKind x_max, FaceKind y_min, FaceKind y_max) {
  Case resolved;
  resolved.scheme = Scheme::projection;
  resolved.grid.points = {16, 16, 16};
  resolved.grid.length = {3, 4, 9};
  resolved.grid.origin = {-1, 0, 0.5};
  const std::array<FaceKind, 6> kinds{
      x_min, x_max, y_min, y_max, FaceKind::periodic, FaceKind::periodic};
  for (int face = 0; face < 6; ++face) resolved.faces[face].kind = kinds[face];
  resolved.initial.noise.seed = 3;
  resolved.initial.turbulent_channel = {.bulk_velocity = 15, .axis = 2, .amplitude = 0.2};
  return resolved;
}

constexpr FaceKind wall = FaceKind::wall;
constexpr FaceKind symmetry = FaceKind::symmetry;
constexpr FaceKind periodic = FaceKind::periodic;

/// Half channels, a duct, half and quarter ducts.
std::vector<Case> flows() {
  return {box(wall, symmetry, periodic, periodic),
          box(symmetry, wall, periodic, periodic),
          box(periodic, periodic, symmetry, wall),
          box(wall, wall, wall, wall),
          box(wall, wall, symmetry, wall),
          box(symmetry, wall, wall, wall),
          box(wall, symmetry, symmetry, wall)};
}

double value(const VelocityAtStart& flow, int component, const PerAxis<double>& at) {
  return flow(component, Points{{{at[0]}, {at[1]}, {at[2]}}}).front();
}

/// d/ds of a component by a central difference.
double slope(const VelocityAtStart& flow, int component, PerAxis<double> at, std::size_t s) {
  constexpr double step = 1e-4;  // good to 1e-8 times a third derivative
  at[s] += step;
  const double above = value(flow, component, at);
  at[s] -= 2 * step;
  return (above - value(flow, component, at)) / (2 * step);
}

TEST(turbulent_start, has_no_divergence) {
  for (const Case& resolved : flows()) {
    const VelocityAtStart flow = turbulent_start(resolved);
    double largest = 0;
    for (const double x : {-0.7, 0.1, 1.9}) {
      for (const double y : {0.3, 2.2, 3.7}) {
        const PerAxis<double> at{x, y, 1 + x * y};
        double divergence = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const double change = slope(flow, axis, at, static_cast<std::size_t>(axis));
          divergence += change;
          largest = std::max(largest, std::abs(change));
        }
        EXPECT_NEAR(divergence, 0, 1e-4);
      }
    }
    EXPECT_GT(largest, 0.3);
  }
}

/// At walls all components are 0; at planes of symmetry the normal one, and the normal derivatives
/// of the others.
TEST(turbulent_start, meets_the_conditions_on_all_faces) {
  for (const Case& resolved : flows()) {
    const VelocityAtStart flow = turbulent_start(resolved);
    for (int face = 0; face < 4; ++face) {
      const std::size_t normal = face / 2;
      PerAxis<double> at{0.3, 1.7, 4.4};
      at[normal] =
          resolved.grid.origin[normal] + (face % 2 == 0 ? 0 : resolved.grid.length[normal]);
      for (int component = 0; component < 3; ++component) {
        const double here = value(flow, component, at);
        if (resolved.faces[face].kind == wall) {
          EXPECT_NEAR(here, 0, 1e-11) << face << " " << component;
        }
        if (resolved.faces[face].kind != symmetry) continue;
        if (component == static_cast<int>(normal)) {
          EXPECT_NEAR(here, 0, 1e-11);
          EXPECT_GT(std::abs(slope(flow, component, at, normal)), 1e-2);
        } else {
          EXPECT_NEAR(slope(flow, component, at, normal), 0, 1e-8);
        }
      }
    }
  }
}

/// Means over the box of the velocity along the flow, and of the square of what depends on z.
struct Means {
  double bulk = 0, square = 0;
};

Means means_of(const Case& resolved) {
  const VelocityAtStart flow = turbulent_start(resolved);
  const VelocityAtStart laminar = [&] {
    Case undisturbed = resolved;
    undisturbed.initial.turbulent_channel->amplitude = 0;
    return turbulent_start(undisturbed);
  }();
  constexpr int points = 48;
  Points cells;
  for (int axis = 0; axis < 3; ++axis) {
    for (int n = 0; n < points; ++n) {
      cells[axis].push_back(resolved.grid.origin[axis] +
                            resolved.grid.length[axis] * (n + 0.5) / points);
    }
  }
  constexpr double count = points * points * points;
  Means means;
  for (int component = 0; component < 3; ++component) {
    const std::vector<double> values = flow(component, cells);
    const std::vector<double> at_rest = laminar(component, cells);
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (component == 2) means.bulk += values[n] / count;
      means.square += (values[n] - at_rest[n]) * (values[n] - at_rest[n]) / count;
    }
  }
  return means;
}

TEST(turbulent_start, has_the_bulk_velocity_and_the_size_asked_for) {
  for (const Case& flow : flows()) {
    double square = 0;
    constexpr int seeds = 4;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      Case resolved = flow;
      resolved.initial.noise.seed = seed;
      const Means means = means_of(resolved);
      EXPECT_NEAR(means.bulk, 15, 15 * 2e-3);  // the midpoint rule on 48 cells
      square += means.square / seeds;
    }
    EXPECT_NEAR(std::sqrt(square), 0.2 * 15, 0.15 * 0.2 * 15);  // 4 seeds of some 50 random waves
  }
}

TEST(turbulent_start, moves_with_its_walls) {
  for (const Case& flow : flows()) {
    Case moving = flow;
    for (FaceCase& face : moving.faces) {
      if (face.kind == wall) face.velocity[2] = Expression(-5.0);
    }
    const PerAxis<double> at{0.3, 1.7, 4.4};
    EXPECT_NEAR(
        value(turbulent_start(moving), 2, at), value(turbulent_start(flow), 2, at) - 5, 1e-12);
  }
}

TEST(turbulent_start, depends_on_the_seed_and_repeats_itself_along_the_flow) {
  for (const Case& flow : flows()) {
    const VelocityAtStart start = turbulent_start(flow);
    Case other = flow;
    other.initial.noise.seed = 4;
    for (int component = 0; component < 3; ++component) {
      const double here = value(start, component, {0.3, 1.7, 4.4});
      EXPECT_NEAR(value(start, component, {0.3, 1.7, 4.4 - 9}), here, 1e-11);
      EXPECT_NE(value(turbulent_start(other), component, {0.3, 1.7, 4.4}), here);
    }
  }
}

TEST(turbulent_duct, gives_values_with_x_fastest_along_each_axis) {
  for (int axis = 0; axis < 3; ++axis) {
    Case resolved = box(wall, wall, wall, wall);
    for (int end = 0; end < 2; ++end) {
      resolved.faces[face_index(2, end == 1)].kind = wall;
      resolved.faces[face_index(axis, end == 1)].kind = periodic;
    }
    resolved.initial.turbulent_channel->axis = axis;
    const VelocityAtStart flow = turbulent_start(resolved);
    const Points points{{{-0.5, 0, 1.5}, {0.1, 2}, {1, 2, 5, 7}}};
    for (int component = 0; component < 3; ++component) {
      const std::vector<double> values = flow(component, points);
      ASSERT_EQ(values.size(), 24U);
      EXPECT_EQ(values[(3 * 2 + 1) * 3 + 2], value(flow, component, {1.5, 2, 7}));
      EXPECT_EQ(values[(1 * 2 + 0) * 3 + 1], value(flow, component, {0, 0.1, 2}));
    }
  }
}

/// Largest over mean velocity: 2.0962 in a square duct, 3/2 between plates (White, section 3-3.3).
TEST(laminar_duct_flow, is_the_solution_of_its_equation) {
  EXPECT_NEAR(laminar_duct_flow(1, 0, 0), 2.0962, 1e-4);
  EXPECT_NEAR(laminar_duct_flow(2, 0, 0), 1.9918, 2e-4);
  EXPECT_NEAR(laminar_duct_flow(1e4, 0, 0.3), 1.5, 1e-3);
  EXPECT_NEAR(laminar_duct_flow(1.3, 1, 0.2), 0, 1e-12);
  EXPECT_NEAR(laminar_duct_flow(1.3, -0.4, -1), 0, 1e-12);
  EXPECT_NEAR(laminar_duct_flow(1, 0.3, -0.6), laminar_duct_flow(1, 0.6, 0.3), 1e-4);
  // u_yy + u_zz/aspect^2 is the same everywhere.
  const auto laplacian = [](double y, double z) {
    constexpr double h = 0.02;
    const auto u = [](double at_y, double at_z) { return laminar_duct_flow(1.5, at_y, at_z); };
    return (u(y + h, z) + u(y - h, z) - 2 * u(y, z)) / (h * h) +
           (u(y, z + h) + u(y, z - h) - 2 * u(y, z)) / (h * h * 2.25);
  };
  EXPECT_NEAR(laplacian(0.1, 0.2) / laplacian(-0.5, 0.4), 1, 0.02);
}

/// Quarter ducts have the laminar profile of the whole, and the channel's of an endless one.
TEST(turbulent_start, is_that_of_the_whole_channel_or_duct_without_a_disturbance) {
  Case quarter = box(wall, symmetry, symmetry, wall);
  quarter.initial.turbulent_channel->amplitude = 0;
  const double y = (0.3 - 2) / 3;
  const double z = 1.7 / 4;
  EXPECT_NEAR(value(turbulent_start(quarter), 2, {0.3, 1.7, 4}),
              15 * laminar_duct_flow(4.0 / 3, y, z),
              1e-12);
  Case half = box(wall, symmetry, periodic, periodic);
  half.initial.turbulent_channel->amplitude = 0;
  EXPECT_NEAR(value(turbulent_start(half), 2, {0.3, 1.7, 4}), 22.5 * (1 - y * y), 1e-12);
}

}  // namespace
}  // namespace dns::test_turbulent_start
