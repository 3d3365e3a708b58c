/// Poses of bodies with a prescribed motion, against exact ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "solver/solids/body_reach.hpp"
#include "solver/solids/rigid_motion.hpp"
#include "tests/solids/box_case.hpp"

namespace dns::testing::test_rigid_motion {
namespace {

SolidCase with_motion(const std::string& motion, const std::string& shape = "") {
  const std::string body =
      shape.empty() ? "shape: sphere, center: [0.7, 0, 0.7], radius: 0.2" : shape;
  return staggered_case("  body: {" + body + ", motion: {" + motion + "}}").solids.front();
}

BodyPose after(const SolidCase& body, double end, int steps) {
  BodyPose pose = pose_at_start(body, 0);
  const double dt = end / steps;
  for (int n = 0; n < steps; ++n) pose = moved_pose(body, pose, n * dt, dt);
  return pose;
}

double distance(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  double square = 0;
  for (std::size_t n = 0; n < a.size(); ++n) square += (a[n] - b[n]) * (a[n] - b[n]);
  return std::sqrt(square);
}

TEST(RigidMotion, follows_velocities_that_are_cubic_in_time_exactly) {
  const SolidCase body = with_motion("velocity: [1 - t^3, 2*t, 3*t^2]");
  const BodyPose pose = after(body, 1.5, 4);
  EXPECT_NEAR(pose.place[0], 0.7 + 1.5 - std::pow(1.5, 4) / 4, 1e-14);
  EXPECT_NEAR(pose.place[1], 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(pose.place[2], 0.7 + std::pow(1.5, 3), 1e-14);
  EXPECT_NEAR(pose.velocity[0], 1 - std::pow(1.5, 3), 1e-14);
  EXPECT_EQ(pose.orientation, (std::array<double, 4>{1, 0, 0, 0}));
}

TEST(RigidMotion, follows_an_oscillation_to_1e_12_of_its_way) {
  const SolidCase body = with_motion("velocity: [\"cos(2*pi*t)\", 0, 0]");
  EXPECT_NEAR(after(body, 0.25, 125).place[0], 0.7 + 1 / (2 * M_PI), 1e-11);
}

TEST(RigidMotion, about_a_fixed_axis_is_exact_for_cubics) {
  const SolidCase body = with_motion("rotation: [0, 0, 4*t^3]");
  const BodyPose pose = after(body, 1.2, 3);
  const double angle = std::pow(1.2, 4);
  EXPECT_LT(distance(pose.orientation, {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}), 1e-14);
}

/// A top that nods: its axis, inclined by a, goes round at rate p while it spins at rate s. In the
/// axes of the grid Omega = p e_z + s (sin a cos pt, sin a sin pt, cos a).
TEST(RigidMotion, about_an_axis_that_turns_is_of_order_4) {
  const double a = 0.6;
  const double p = 1.3;
  const double s = 2.1;
  const SolidCase body = with_motion(
      fmt::format("rotation: [\"{0:.17g}*cos(1.3*t)\", \"{0:.17g}*sin(1.3*t)\", {1:.17g}]",
                  s * std::sin(a),
                  p + s * std::cos(a)));
  const double t = 2;
  // About z by p t, after a turn about the axis at the start by s t.
  const double c = std::cos(s * t / 2);
  const double d = std::sin(s * t / 2);
  const double cz = std::cos(p * t / 2);
  const double dz = std::sin(p * t / 2);
  const std::array<double, 4> spin{c, d * std::sin(a), 0, d * std::cos(a)};
  const std::array<double, 4> exact{cz * spin[0] - dz * spin[3],
                                    cz * spin[1] - dz * spin[2],
                                    cz * spin[2] + dz * spin[1],
                                    cz * spin[3] + dz * spin[0]};
  const double coarse = distance(after(body, t, 16).orientation, exact);
  const double fine = distance(after(body, t, 32).orientation, exact);
  EXPECT_GT(fine, 1e-9);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);
}

TEST(RigidMotion, momentum_of_what_a_box_displaces_is_that_of_its_points) {
  const std::string box =
      "shape: box, center: [0.5, 0.1, 0.6], min: [0.4, -0.3, 0.5], max: [0.9, 0.2, 0.8]";
  const Case resolved = staggered_case("  body: {" + box + ", motion: {}}");
  BodyPose pose = pose_at_start(resolved.solids.front(), 0);
  pose.velocity = {0.3, -0.7, 0.2};
  pose.rotation = {1.1, 0.4, -0.9};
  pose.orientation = {0.5, 0.5, -0.5, 0.5};
  DisplacedFluid of_points;
  constexpr int n = 60;
  PerAxis<double> momentum{};
  PerAxis<double> spin{};
  const Matrix3 turn = matrix_of(pose.orientation);
  const double volume = 0.5 * 0.5 * 0.3 / (n * n * n);
  dns::for_each_point({{}, {n, n, n}}, [&](Index3 c) {
    const PerAxis<double> way = product(
        turn,
        {-0.1 + 0.5 * (c.i + 0.5) / n, -0.4 + 0.5 * (c.j + 0.5) / n, -0.1 + 0.3 * (c.k + 0.5) / n});
    PerAxis<double> velocity = cross_product(pose.rotation, way);
    for (int axis = 0; axis < 3; ++axis) velocity[axis] += pose.velocity[axis];
    const PerAxis<double> moment = cross_product(way, velocity);
    for (int axis = 0; axis < 3; ++axis) {
      momentum[axis] += volume * velocity[axis];
      spin[axis] += volume * moment[axis];
    }
  });
  const BodyMomentum found = momentum_of(displaced_fluid(resolved.solids.front(), resolved), pose);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(found.linear[axis], momentum[axis], 1e-12) << axis;
    EXPECT_NEAR(found.angular[axis], spin[axis], 1e-5) << axis;
    EXPECT_GT(std::abs(spin[axis]), 1e-3) << axis;
  }
}

TEST(RigidMotion, displaced_fluid_of_round_bodies_has_their_inertia) {
  const Case resolved = staggered_case(
      "  ball: {shape: sphere, center: [0.7, 0, 0.7], radius: 0.2, motion: {}}\n"
      "  rod: {shape: cylinder, axis: y, length: 0.5, center: [0.7, 0, 0.7], radius: 0.1, motion: "
      "{}}");
  const DisplacedFluid ball = displaced_fluid(resolved.solids[0], resolved);
  EXPECT_NEAR(ball.volume, 4 * M_PI / 3 * 0.008, 1e-15);
  EXPECT_NEAR(ball.inertia[1][1], 0.4 * ball.volume * 0.04, 1e-15);
  const DisplacedFluid rod = displaced_fluid(resolved.solids[1], resolved);
  EXPECT_NEAR(rod.volume, M_PI * 0.01 * 0.5, 1e-15);
  EXPECT_NEAR(rod.inertia[1][1], rod.volume * 0.005, 1e-15);
  EXPECT_NEAR(rod.inertia[0][0], rod.volume * (0.0025 + 0.25 / 12), 1e-15);
}

/// No stored point is in two of the boxes, and all points of the body are in one.
TEST(BodyReach, boxes_hold_all_points_of_a_body_across_periodic_ends) {
  const Case resolved = staggered_case(
      "  block: {shape: box, center: [0.1, 0, 0.25], min: [-0.1, -0.3, 0.1], max: [0.3, 0.3, 0.4], "
      "motion: {}}");
  BodyPose pose = pose_at_start(resolved.solids.front(), 0);
  pose.place = {0.2, -0.1, 1.31};
  pose.orientation = {std::cos(0.2), 0, 0, std::sin(0.2)};
  const Subdomain part = whole_box(resolved);
  const std::vector<Box> boxes =
      boxes_near(reach_of(resolved.solids.front(), pose), 1, staggered_grid(resolved), part);
  EXPECT_GT(boxes.size(), 1U);
  const StaggeredGrid grid = staggered_grid(resolved);
  const Matrix3 turn = matrix_of(pose.orientation);
  int inside = 0;
  for_each_point(resolved, [&](Index3 c) {
    PerAxis<double> way{};
    for (int axis = 0; axis < 3; ++axis) {
      way[axis] = grid[axis].centre(c[axis]) - pose.place[axis];
      if (axis != 1) way[axis] = std::remainder(way[axis], grid[axis].length());
    }
    int holding = 0;
    for (const Box& box : boxes) holding += box.holds(c) ? 1 : 0;
    EXPECT_LE(holding, 1);
    PerAxis<double> own{};
    for (int axis = 0; axis < 3; ++axis) {
      for (int row = 0; row < 3; ++row) own[axis] += turn[row][axis] * way[row];
    }
    if (std::abs(own[0]) > 0.2 || std::abs(own[1]) > 0.3 || std::abs(own[2]) > 0.15) return;
    ++inside;
    EXPECT_EQ(holding, 1) << c.i << " " << c.j << " " << c.k;
  });
  EXPECT_GT(inside, 10);
}

}  // namespace
}  // namespace dns::testing::test_rigid_motion
