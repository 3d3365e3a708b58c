/// Particles that meet bodies, on every device and precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/particles/particle_runs.hpp"

namespace dns::testing::test_particles_and_bodies {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector along(const Vector& x, double t, const Vector& v) {
  return {x[0] + t * v[0], x[1] + t * v[1], x[2] + t * v[2]};
}

struct Flight {
  Vector x, v;
};

/// When a straight flight meets a sphere of radius r about c; infinite: never.
double hit(const Flight& at, const Vector& c, double r) {
  const Vector way = along(at.x, -1, c);
  const double b = dot(way, at.v);
  const double a = dot(at.v, at.v);
  const double root = b * b - a * (dot(way, way) - r * r);
  if (root < 0 || b >= 0) return std::numeric_limits<double>::infinity();
  return (-b - std::sqrt(root)) / a;
}

/// A flight of time t among spheres of radius r, with elastic bounces.
Flight reflected(Flight at, const std::vector<Vector>& centres, double r, double t, int& bounces) {
  while (true) {
    double first = t;
    const Vector* met = nullptr;
    for (const Vector& c : centres) {
      const double when = hit(at, c, r);
      if (when >= first || when < 1e-12) continue;
      first = when;
      met = &c;
    }
    at.x = along(at.x, first, at.v);
    t -= first;
    if (met == nullptr) return at;
    ++bounces;
    const Vector way = along(at.x, -1, *met);
    at.v = along(at.v, -2 * dot(at.v, way) / dot(way, way), way);
  }
}

class ParticlesAndBodiesTest : public OnEveryTarget {
 protected:
  static ParticleCopy particles_of(Simulation& simulation) {
    return simulation.particles({.species = 0, .stride = 1, .fluid_velocity = false});
  }
  static double tolerance(double in_double, double in_float) {
    return is_double() ? in_double : in_float;
  }
};

std::string at_rest(const std::string& solids, const std::string& scheme, double step) {
  return "scheme: projection\ngrid: {points: [13, 11, 9], length: [2, 1.5, 1.2]}\n"
         "fluid: {reynolds: 100}\nboundaries: {x: periodic, y: periodic, z: periodic}\n"
         "initial: {velocity: [0, 0, 0]}\nsolids: {" +
         solids + "}\ntime: {step: " + std::to_string(step) + ", steps: 1000, scheme: " + scheme +
         "}\n";
}

/// Particles so heavy that the fluid does not slow them down, between three spheres of radius 0.2,
/// one of them as a formula.
TEST_P(ParticlesAndBodiesTest, bounce_on_spheres_as_by_hand) {
  const std::vector<Vector> centres{{0.5, 0.5, 0.6}, {1.4, 0.4, 0.5}, {1, 1.15, 0.6}};
  const std::string spheres =
      "one: {shape: sphere, center: [0.5, 0.5, 0.6], radius: 0.2}, "
      "two: {shape: sphere, center: [1.4, 0.4, 0.5], radius: 0.2}, "
      "three: {shape: formula, surface: \"sqrt((x-1)^2+(y-1.15)^2+(z-0.6)^2)-0.2\"}";
  const Vector x{0.95, 0.45, 0.55};
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const int steps = 36;
    const auto simulation = after(case_of(at_rest(spheres, scheme, 0.01) + R"yaml(
particles:
  shot: {count: 40, positions: [0.95, 0.45, 0.55], velocity: ["2*cos(n)", "2*sin(n)", "n/40-0.5"],
         diameter: 0.04, density: 1e14}
)yaml"),
                                  steps);
    const ParticleCopy shot = particles_of(*simulation);
    ASSERT_EQ(shot.ids.size(), 40U);
    int all = 0;
    int compared = 0;
    for (std::size_t n = 0; n < 40; ++n) {
      const auto angle = static_cast<double>(n);
      int bounces = 0;
      const Flight end =
          reflected({x, {2 * std::cos(angle), 2 * std::sin(angle), angle / 40 - 0.5}},
                    centres,
                    0.22,
                    0.01 * steps,
                    bounces);
      // Images of the spheres beyond the ends of the box are not among `centres`.
      const Vector length{2, 1.5, 1.2};
      bool is_inside = true;
      for (std::size_t a = 0; a < 3; ++a)
        is_inside = is_inside && end.x[a] > 0 && end.x[a] < length[a];
      if (!is_inside) continue;
      all += bounces;
      ++compared;
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_NEAR(shot.positions[3 * n + a], end.x[a], tolerance(1e-8, 2e-3)) << scheme << n;
        EXPECT_NEAR(shot.velocities[3 * n + a], end.v[a], tolerance(1e-7, 2e-2)) << scheme << n;
      }
    }
    EXPECT_GT(compared, 10);
    EXPECT_GT(all, 10);
  }
}

/// A plane that is a face of a box or a wall does the same, also where gravity and drag act and
/// bounces are not elastic.
TEST_P(ParticlesAndBodiesTest, bounce_on_a_box_as_on_a_wall) {
  const std::string rest = R"yaml(fluid: {reynolds: 100}
boundaries: {x: periodic, y: wall, z: periodic}
initial: {velocity: [0, 0, 0]}
particles:
  ball: {count: 5, positions: ["0.1+0.18*n", 0.8+0.03*n, 0.4], velocity: [1, 0, 0], diameter: 0.05,
         density: 400, gravity: [0, -1, 0], restitution: 0.8, drag: schiller_naumann}
)yaml";
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const std::string time = "time: {step: 0.02, steps: 1000, scheme: " + scheme + "}\n";
    const auto body =
        after(case_of("scheme: projection\ngrid: {points: [7, 13, 5], length: [1, 1.3, 1]}\n"
                      "solids: {floor: {shape: box, min: [-1, -1, -1], max: [2, 0.3, 2]}}\n" +
                      rest + time),
              90);
    const auto wall =
        after(case_of("scheme: projection\n"
                      "grid: {points: [7, 10, 5], length: [1, 1, 1], origin: [0, 0.3, 0]}\n" +
                      rest + time),
              90);
    const ParticleCopy one = particles_of(*body);
    const ParticleCopy other = particles_of(*wall);
    ASSERT_EQ(one.ids, other.ids);
    for (std::size_t n = 0; n < one.positions.size(); ++n) {
      EXPECT_NEAR(one.positions[n], other.positions[n], tolerance(1e-10, 1e-4)) << scheme << n;
      EXPECT_NEAR(one.velocities[n], other.velocities[n], tolerance(1e-10, 1e-3)) << scheme << n;
    }
    EXPECT_GT(std::abs(one.velocities[1]), 0.01) << "none has come to rest";
  }
}

const std::string stream = R"yaml(scheme: projection
grid: {points: [24, 17, 9], length: [3, 2, 1]}
fluid: {reynolds: 40}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0]}
  x_max: {type: outflow}
  y: symmetry
  z: periodic
initial: {velocity: [1, 0, 0]}
solids: {pole: {shape: cylinder, center: [1, 1, 0.5], radius: 0.3, axis: z}}
)yaml";

std::string with_both(const std::string& scheme, const std::string& walls) {
  return stream + "time: {step: 0.02, steps: 1000, scheme: " + scheme + R"yaml(}
particles:
  dust: {count: 300, positions: [3*r1, 2*r2, r3], seed: 3, diameter: 0.03, density: 600,
         restitution: 0.5}
  tracer: {count: 300, positions: [3*r1, 2*r2, r3]}
)yaml" +
         (walls == "absorb"
              ? "  drops: {count: 300, positions: [3*r1, 2*r2, r3], seed: 3, diameter: "
                "0.03, density: 600, walls: absorb}\n"
              : "");
}

/// The shortest way from the surface of the cylinder.
double nearest(const ParticleCopy& particles) {
  double least = 1;
  for (std::size_t n = 0; n < particles.positions.size(); n += 3) {
    const double way = std::hypot(particles.positions[n] - 1, particles.positions[n + 1] - 1) - 0.3;
    least = std::min(least, way);
  }
  return least;
}

TEST_P(ParticlesAndBodiesTest, are_never_in_one_and_stay_there_where_they_shall) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const auto simulation = started(case_of(with_both(scheme, "absorb")));
    const double released = diagnostic(*simulation, "dust_count");
    EXPECT_EQ(released, diagnostic(*simulation, "drops_count"));
    EXPECT_LT(released, 295) << "those in the body are left out";
    EXPECT_GT(released, 265);
    const auto of = [&](std::size_t species) {
      return simulation->particles({.species = species, .stride = 1, .fluid_velocity = false});
    };
    for (int n = 0; n < 40; ++n) {
      simulation->advance();
      EXPECT_GE(nearest(of(0)), 0.015 * (1 - 1e-9)) << n;
      EXPECT_GE(nearest(of(1)), 0) << n;
      EXPECT_GE(nearest(of(2)), 0.015 * (1 - 1e-9)) << n;
      EXPECT_EQ(released,
                diagnostic(*simulation, "drops_count") +
                    diagnostic(*simulation, "drops_out_x_max") +
                    diagnostic(*simulation, "drops_deposited_solids"));
    }
    EXPECT_GE(diagnostic(*simulation, "drops_deposited_solids"), 5);
    EXPECT_EQ(released,
              diagnostic(*simulation, "dust_count") + diagnostic(*simulation, "dust_out_x_max"));
  }
}

TEST_P(ParticlesAndBodiesTest, go_on_bit_for_bit_from_a_copy) {
  expect_to_go_on_bit_for_bit(case_of(with_both("implicit", "absorb")));
}

INSTANTIATE_TEST_SUITE_P(Devices, ParticlesAndBodiesTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_particles_and_bodies
