/// Tracers in a Taylor-Green vortex, on every device and precision.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/verification/devices.hpp"

namespace dns::testing::test_particles_in_vortex {
namespace {

class ParticlesInVortexTest : public OnEveryTarget {
 protected:
  struct Place {
    double x, y;
  };
  /// Of the tracer from (pi/2, pi/6) after t = 10.
  Place place(const std::string& scheme, int cells, const std::string& reynolds, int steps) {
    const std::string points = std::to_string(cells);
    const auto simulation =
        after(case_of("scheme: projection\ngrid: {points: [" + points + ", " + points +
                      ", 4], length: [2*pi, 2*pi, 1]}\nfluid: {reynolds: " + reynolds +
                      "}\nboundaries: {x: periodic, y: periodic, z: periodic}\n"
                      "initial: {velocity: [sin(x)*cos(y), -cos(x)*sin(y), 0]}\n"
                      "time: {step: " +
                      std::to_string(10.0 / steps) + ", steps: 10000, scheme: " + scheme +
                      "}\nparticles: {tracer: {count: 1, positions: [pi/2, pi/6, 0.3]}}\n"),
              steps);
    const ParticleCopy tracer =
        simulation->particles({.species = 0, .stride = 1, .fluid_velocity = false});
    return {tracer.positions[0], tracer.positions[1]};
  }
  static double distance(const Place& a, const Place& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
  }
};

/// The trajectory in closed form for a steady vortex; integrated to 12 digits for one that decays.
TEST_P(ParticlesInVortexTest, tracers_are_where_they_must_be) {
  for (const auto& [scheme, steps] : {std::pair{"implicit", 400}, std::pair{"runge_kutta", 200}}) {
    EXPECT_LT(distance(place(scheme, 48, "1e12", steps), {2.48230983582, 0.954906498021}), 2e-3)
        << scheme;
    // Differences of order 2 make it decay too slowly, by h^2/12 of its rate.
    EXPECT_LT(distance(place(scheme, 48, "20", steps), {0.528367387334, 1.69879461246}), 4e-3)
        << scheme;
  }
}

/// By three numbers of steps on the same cells.
TEST_P(ParticlesInVortexTest, tracers_have_the_order_of_their_steps) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  for (const auto& [scheme, least] : {std::pair{"implicit", 1.9}, std::pair{"runge_kutta", 2.8}}) {
    const Place coarse = place(scheme, 32, "1e12", 100);
    const Place medium = place(scheme, 32, "1e12", 200);
    const Place fine = place(scheme, 32, "1e12", 400);
    EXPECT_GT(std::log2(distance(coarse, medium) / distance(medium, fine)), least) << scheme;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ParticlesInVortexTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_particles_in_vortex
