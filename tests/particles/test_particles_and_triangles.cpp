/// Particles that meet bodies of triangles, on every device and precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/instances/case_needs.hpp"
#include "solver/particles/bodies_for_particles.hpp"
#include "tests/particles/particle_runs.hpp"
#include "tests/solids/surfaces.hpp"

namespace dns::testing::test_particles_and_triangles {
namespace {

class ParticlesAndTrianglesTest : public OnEveryTarget {
 protected:
  static ParticleCopy particles_of(Simulation& simulation, std::size_t species) {
    return simulation.particles({.species = species, .stride = 1, .fluid_velocity = false});
  }
  static double tolerance(double in_double, double in_float) {
    return is_double() ? in_double : in_float;
  }
};

std::string at_rest(const std::string& grid, const std::string& solids, const std::string& scheme) {
  return "scheme: projection\ngrid: " + grid +
         "\nfluid: {reynolds: 100}\nboundaries: {x: periodic, y: periodic, z: periodic}\n"
         "initial: {velocity: [0, 0, 0]}\nsolids: {" +
         solids + "}\ntime: {step: 0.01, steps: 1000, scheme: " + scheme + "}\n";
}

Surface octahedron(const Corner& centre, double radius) {
  Surface surface;
  for (int octant = 0; octant < 8; ++octant) {
    std::array<Corner, 3> triangle{};
    for (int axis = 0; axis < 3; ++axis) {
      Corner& corner = triangle[static_cast<std::size_t>(axis)];
      corner = centre;
      corner[axis] += ((octant >> axis) & 1) != 0 ? radius : -radius;
    }
    surface.push_back(triangle);
  }
  return surface;
}

/// Particles so heavy that the fluid does not slow them down fly at the faces of an octahedron:
/// planes, where the lattice is exact.
TEST_P(ParticlesAndTrianglesTest, bounce_on_planes_at_the_exact_place_and_angle) {
  const Corner centre{1, 0.75, 0.625};
  const double radius = 0.5;
  const double half = 0.02;  // diameter
  const double root = std::sqrt(3.);
  const SurfaceFile file("octahedron", binary_stl(octahedron(centre, radius)));
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    std::string yaml = at_rest("{points: [27, 23, 19], length: [2, 1.5, 1.25]}",
                               "it: {shape: stl, path: " + file.path() + "}",
                               scheme) +
                       "particles:\n";
    const auto sign = [](int octant, int axis) { return ((octant >> axis) & 1) != 0 ? 1. : -1.; };
    for (int octant = 0; octant < 8; ++octant) {
      std::array<std::string, 3> x;
      std::array<std::string, 3> v;
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const double normal = sign(octant, axis) / root;
        x[a] = fmt::format("{:.17g}+0.01*cos({}*n)", centre[axis] + 0.5 * normal, axis + 1);
        v[a] = fmt::format("{:.17g}+0.2*sin({}*n)", -2 * normal, axis + 1);
      }
      yaml += fmt::format(
          "  s{}: {{count: 7, positions: ['{}', '{}', '{}'], velocity: ['{}', '{}', '{}'], "
          "diameter: {}, density: 1e14}}\n",
          octant,
          x[0],
          x[1],
          x[2],
          v[0],
          v[1],
          v[2],
          2 * half);
    }
    const int steps = 23;
    const auto simulation = after(case_of(yaml), steps);
    for (int octant = 0; octant < 8; ++octant) {
      const ParticleCopy shot = particles_of(*simulation, static_cast<std::size_t>(octant));
      ASSERT_EQ(shot.ids.size(), 7U);
      for (std::size_t n = 0; n < 7; ++n) {
        std::array<double, 3> x{};
        std::array<double, 3> v{};
        double gap = -radius / root - half;
        double speed = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          const double angle = static_cast<double>(n) * (axis + 1);
          const double normal = sign(octant, axis) / root;
          x[a] = centre[axis] + 0.5 * normal + 0.01 * std::cos(angle);
          v[a] = -2 * normal + 0.2 * std::sin(angle);
          gap += (x[a] - centre[axis]) * normal;
          speed += v[a] * normal;
        }
        const double time = 0.01 * steps;
        ASSERT_LT(gap + time * speed, -0.1) << "meets the face";
        for (int axis = 0; axis < 3; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          const double normal = sign(octant, axis) / root;
          const double place = x[a] + time * v[a] - 2 * (gap + time * speed) * normal;
          EXPECT_NEAR(shot.positions[3 * n + a], place, tolerance(4e-8, 2e-4)) << scheme << octant;
          EXPECT_NEAR(shot.velocities[3 * n + a], v[a] - 2 * speed * normal, tolerance(4e-7, 2e-3))
              << scheme << octant;
        }
      }
    }
  }
}

/// Places after some bounces between a sphere and its images.
std::vector<double> places_after_bounces(const Case& resolved) {
  const auto simulation = after(resolved, 130);
  return simulation->particles({.species = 0, .stride = 1, .fluid_velocity = false}).positions;
}

TEST_P(ParticlesAndTrianglesTest, bounce_on_a_fine_sphere_as_on_a_sphere_to_second_order) {
  const SurfaceFile file("sphere", binary_stl(icosphere(6, {0.825, 0.75, 0.675}, 0.45)));
  std::array<double, 2> medians{};
  for (const int finer : {1, 2}) {
    const std::string grid = fmt::format(
        "{{points: [{}, {}, {}], length: [1.65, 1.5, 1.35]}}", 11 * finer, 10 * finer, 9 * finer);
    const std::string shots = R"yaml(particles:
  shot: {count: 101, positions: ["0.825+0.1*cos(n)", "0.75+0.1*sin(2*n)", 0],
         velocity: ["0.2*cos(3*n)", "0.2*sin(5*n)", "2*cos(pi*n)"], diameter: 0.04, density: 1e14}
)yaml";
    const auto places = [&](const std::string& body) {
      return places_after_bounces(case_of(at_rest(grid, body, "implicit") + shots));
    };
    const std::vector<double> triangles = places("it: {shape: stl, path: " + file.path() + "}");
    const std::vector<double> sphere =
        places("it: {shape: sphere, center: [0.825, 0.75, 0.675], radius: 0.45}");
    ASSERT_EQ(triangles.size(), 303U);
    ASSERT_EQ(sphere.size(), 303U);
    std::vector<double> errors;
    for (std::size_t n = 0; n < triangles.size(); n += 3) {
      const auto way = [&](std::size_t axis, double length) {
        return std::remainder(triangles[n + axis] - sphere[n + axis], length);
      };
      errors.push_back(std::hypot(way(0, 1.65), way(1, 1.5), way(2, 1.35)));
      EXPECT_TRUE(std::isfinite(errors.back()));
    }
    std::ranges::sort(errors);
    medians.at(static_cast<std::size_t>(finer - 1)) = errors[errors.size() / 2];
  }
  RecordProperty("medians", fmt::format("{:.2e} {:.2e}", medians[0], medians[1]));
  EXPECT_LT(medians[0], 0.05);
  EXPECT_GT(medians[0] / medians[1], 3);
}

/// A block turned about all axes, so that its edges lie between nodes of the lattice.
class TurnedBlock {
 public:
  [[nodiscard]] Surface surface() const {
    Surface turned = block({-half_[0], -half_[1], -half_[2]}, half_);
    for (auto& triangle : turned)
      for (Corner& x : triangle) x = to_box(x);
    return turned;
  }
  /// From the surface, below 0 inside.
  [[nodiscard]] double distance(const double* place) const {
    double inside = -1e30;
    double square = 0;
    for (int row = 0; row < 3; ++row) {
      double way = 0;
      for (int axis = 0; axis < 3; ++axis) way += axes_[row][axis] * (place[axis] - centre_[axis]);
      const double beyond = std::abs(way) - half_[row];
      inside = std::max(inside, beyond);
      if (beyond > 0) square += beyond * beyond;
    }
    return square > 0 ? std::sqrt(square) : inside;
  }

 private:
  [[nodiscard]] Corner to_box(const Corner& x) const {
    Corner place = centre_;
    for (int row = 0; row < 3; ++row)
      for (int axis = 0; axis < 3; ++axis) place[axis] += axes_[row][axis] * x[row];
    return place;
  }
  Corner centre_{1, 1, 0.5};
  Corner half_{0.25, 0.35, 0.2};
  PerAxis<Corner> axes_{Corner{2. / 3, 2. / 3, 1. / 3},
                        Corner{-2. / 3, 1. / 3, 2. / 3},
                        Corner{1. / 3, -2. / 3, 2. / 3}};
};

std::string stream(const std::string& path, const std::string& scheme) {
  return R"yaml(scheme: projection
grid: {points: [30, 21, 11], length: [3, 2, 1]}
fluid: {reynolds: 40}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0]}
  x_max: {type: outflow}
  y: symmetry
  z: periodic
initial: {velocity: [1, 0, 0]}
solids: {it: {shape: stl, path: )yaml" +
         path + "}}\ntime: {step: 0.02, steps: 1000, scheme: " + scheme + R"yaml(}
particles:
  dust: {count: 900, positions: [3*r1, 2*r2, r3], seed: 3, diameter: 0.03, density: 600,
         restitution: 0.5}
  tracer: {count: 900, positions: [3*r1, 2*r2, r3]}
  leaf: {count: 900, positions: [3*r1, 2*r2, r3], interpolation: divergence_free}
  sand: {count: 900, positions: [3*r1, 2*r2, r3], seed: 4, diameter: 0.02, density: 90,
         restitution: 0, gravity: [0, -1, 0]}
  drops: {count: 900, positions: [3*r1, 2*r2, r3], seed: 3, diameter: 0.03, density: 600,
          walls: absorb}
)yaml";
}

TEST_P(ParticlesAndTrianglesTest, are_never_in_a_body_and_stay_there_where_they_shall) {
  const TurnedBlock body;
  const SurfaceFile file("never", binary_stl(body.surface()));
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const Case resolved = case_of(stream(file.path(), scheme));
    const BodiesForParticles bodies(resolved);
    const ParticleBody of_particles = bodies.on_host().at(0);
    const double spacing = of_particles.lattice.spacing[0];
    const auto simulation = started(resolved);
    const double released = diagnostic(*simulation, "dust_count");
    EXPECT_EQ(released, diagnostic(*simulation, "drops_count"));
    EXPECT_LT(released, 885) << "those in the body are left out";
    EXPECT_GT(released, 820);
    double deepest = 0;
    double deepest_in_lattice = 0;
    double nearest = 1;
    for (int n = 0; n < 60; ++n) {
      simulation->advance();
      for (std::size_t species = 0; species < 5; ++species) {
        const double half = resolved.particles[species].diameter.value_or(0) / 2;
        const ParticleCopy copy = particles_of(*simulation, species);
        ASSERT_FALSE(copy.positions.empty());
        for (std::size_t m = 0; m < copy.positions.size(); m += 3) {
          const double* const x = &copy.positions[m];
          const double gap = body.distance(x) - half;
          const double in_lattice = of_particles.distance({x[0], x[1], x[2]}) - half;
          ASSERT_TRUE(std::isfinite(gap));
          deepest = std::min(deepest, gap);
          deepest_in_lattice = std::min(deepest_in_lattice, in_lattice);
          nearest = std::min(nearest, gap);
        }
      }
      EXPECT_EQ(released,
                diagnostic(*simulation, "drops_count") +
                    diagnostic(*simulation, "drops_out_x_max") +
                    diagnostic(*simulation, "drops_deposited_solids"));
    }
    EXPECT_GE(deepest_in_lattice, -1e-6 * spacing);
    EXPECT_GE(deepest, -0.5 * spacing) << "edges are rounded";
    EXPECT_LT(nearest, 0.01) << "some meet the body";
    EXPECT_GE(diagnostic(*simulation, "drops_deposited_solids"), 10);
    EXPECT_EQ(released,
              diagnostic(*simulation, "dust_count") + diagnostic(*simulation, "dust_out_x_max"));
    RecordProperty(scheme + "_deepest", fmt::format("{:.3g}", deepest / spacing));
    RecordProperty(scheme + "_in_lattice", fmt::format("{:.3g}", deepest_in_lattice / spacing));
  }
}

TEST_P(ParticlesAndTrianglesTest, go_on_bit_for_bit_from_a_copy) {
  const SurfaceFile file("go_on", binary_stl(TurnedBlock().surface()));
  expect_to_go_on_bit_for_bit(case_of(stream(file.path(), "implicit")));
}

TEST_P(ParticlesAndTrianglesTest, need_the_memory_of_the_lattice) {
  const SurfaceFile file("memory", binary_stl(TurnedBlock().surface()));
  const Case resolved = case_of(stream(file.path(), "implicit"));
  Case with_box = resolved;
  with_box.solids[0].shape = SolidCase::Shape::box;
  const BodiesForParticles bodies(resolved);
  const std::size_t lattice = bodies.lattices().numbers.size() * sizeof(int) +
                              bodies.lattices().distances.size() * sizeof(float);
  EXPECT_GT(lattice, 10000U);
  EXPECT_EQ(needs_of(resolved).device_bytes, needs_of(with_box).device_bytes + lattice);
}

INSTANTIATE_TEST_SUITE_P(Devices, ParticlesAndTrianglesTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_particles_and_triangles
