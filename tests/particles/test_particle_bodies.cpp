/// How far particles are from bodies, on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "solver/config/load_case.hpp"
#include "solver/particles/bodies_for_particles.hpp"

namespace dns::testing::test_particle_bodies {
namespace {

ParticleBody body_of(const std::string& body) {
  static Case kept;  // a formula is read where the case has it
  kept = parse_case(
      "scheme: projection\ngrid: {points: [9, 8, 7], length: [3, 2, 1], origin: [0, -1, 0]}\n"
      "fluid: {reynolds: 1}\nboundaries: {x: periodic, y: wall, z: periodic}\n"
      "time: {step: 0.1, steps: 1}\nsolids: {body: {" +
          body + "}}\n",
      "case.yaml",
      {});
  static std::optional<BodiesForParticles> bodies;
  bodies.emplace(kept);
  return bodies->on_host()[0];
}

void expect_at(const ParticleBody& body,
               const PerAxis<double>& x,
               double distance,
               const PerAxis<double>& normal,
               double tolerance = 1e-14) {
  const SurfaceDistance at = body.at(x);
  EXPECT_NEAR(at.distance, distance, tolerance);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(at.normal[axis], normal[axis], tolerance) << axis;
}

TEST(ParticleBody, that_is_round_has_its_distance_to_the_nearest_image) {
  const ParticleBody sphere = body_of("shape: sphere, center: [2.8, 0, 0.5], radius: 0.3");
  expect_at(sphere, {2.8, 0.5, 0.5}, 0.2, {0, 1, 0});
  expect_at(sphere, {2.8, 0.1, 0.5}, -0.2, {0, 1, 0});
  expect_at(sphere, {0.2, 0, 0.8}, 0.2, {0.8, 0, 0.6});  // of the image at x = -0.2
  const ParticleBody endless =
      body_of("shape: cylinder, center: [1, 0, 0.5], radius: 0.25, axis: z");
  expect_at(endless, {1.3, -0.4, 0.1}, 0.25, {0.6, -0.8, 0});
  const ParticleBody disc =
      body_of("shape: cylinder, center: [1, 0, 0.5], radius: 0.25, axis: y, length: 0.4");
  expect_at(disc, {1, 0.5, 0.4}, 0.3, {0, 1, 0});
  expect_at(disc,
            {1, 0.6, 0.05},
            std::hypot(0.4, 0.2),
            {0, 0.4 / std::hypot(0.4, 0.2), -0.2 / std::hypot(0.4, 0.2)});
  expect_at(disc, {1.2, 0, 0.5}, -0.05, {1, 0, 0});
}

TEST(ParticleBody, that_is_a_box_has_rounded_edges_for_a_particle) {
  const ParticleBody box = body_of("shape: box, min: [1, -0.5, 0.2], max: [2, 0.5, 0.6]");
  expect_at(box, {1.4, 0.7, 0.3}, 0.2, {0, 1, 0});
  expect_at(box, {1.4, 0, 0.55}, -0.05, {0, 0, 1});
  expect_at(box, {0.7, -0.9, 0.3}, 0.5, {-0.6, -0.8, 0});
  const double corner = std::sqrt(0.01 + 0.04 + 0.04);
  expect_at(box, {2.1, 0.7, 0.8}, corner, {0.1 / corner, 0.2 / corner, 0.2 / corner});
}

TEST(ParticleBody, that_is_a_formula_has_its_distance_beside_the_surface) {
  const ParticleBody sphere =
      body_of("shape: formula, surface: \"3*((x-1)^2+y^2+(z-0.5)^2-0.09)\"");
  // f/|grad f| is off by the square of the distance over the diameter.
  expect_at(
      sphere, {1.18, 0.2401, 0.5}, std::hypot(0.18, 0.2401) - 0.3, {0.59984, 0.80012, 0}, 2e-5);
  expect_at(sphere, {4.18, 0.24, 0.5}, 0, {0.6, 0.8, 0}, 1e-9);  // the image
  const ParticleBody plane = body_of("shape: formula, surface: \"4*(y+0.7)\"");
  expect_at(plane, {1.1, 0.3, 0.2}, 1, {0, 1, 0}, 1e-9);
}

}  // namespace
}  // namespace dns::testing::test_particle_bodies
