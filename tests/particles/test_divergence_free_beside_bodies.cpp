/// Both interpolations of the velocity beside bodies, and what particles do there, on every device
/// and precision.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/numerics/particle_divergence_free.hpp"
#include "solver/particles/bodies_for_particles.hpp"
#include "tests/particles/sampled_flow.hpp"
#include "tests/verification/flow_with_ghosts.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_divergence_free_beside_bodies {
namespace {

constexpr std::array<const char*, 2> interpolations{"cubic", "divergence_free"};
constexpr std::array<const char*, 2> schemes{"implicit", "runge_kutta"};

/// The velocity of a simulation, on the host.
class VelocityOnHost {
 public:
  VelocityOnHost(const Simulation& simulation, const Case& resolved)
      : lines_(resolved), layout_(resolved.grid.points, {1, 1, 1}) {
    const FlowWithGhosts flow(simulation, resolved);
    for (int q = 0; q < 3; ++q) {
      auto& values = values_.at(static_cast<std::size_t>(q));
      values.resize(layout_.count(sizeof(double)));
      const FieldView<double> view = layout_.field_view(values.data());
      for_each_point(layout_.all_stored(), [&](Index3 c) {
        view.set(c, flow.velocity(q, {c.i, c.j, c.k}));
      });
      velocity_.own.component[q] = view.as_const();
    }
    velocity_.planes = velocity_.whole = resolved.grid.points.nz;
  }

  [[nodiscard]] PerAxis<double> at(const PerAxis<double>& x) const {
    return velocity_by(velocity_, DivergenceFreeWeights::at(lines_.axes(), x));
  }
  /// d/dx_axis of each component.
  [[nodiscard]] PerAxis<double> slopes(const PerAxis<double>& x, int axis) const {
    const PerAxis<ParticleAxis> axes = lines_.axes();
    return velocity_by(velocity_, DivergenceFreeWeights::at(axes, x).slopes(axes, x, axis));
  }

 private:
  AxesOfCase lines_;
  FieldLayout layout_;
  std::array<std::vector<double>, 3> values_;
  VelocityAround<double> velocity_{};
};

/// How far places are from the nearest body of a case.
class Surroundings {
 public:
  explicit Surroundings(const Case& resolved) : bodies_(resolved), all_(bodies_.on_host()) {}

  [[nodiscard]] double distance(const PerAxis<double>& x) const {
    double least = 1e30;
    for (const ParticleBody& body : all_) least = std::min(least, body.at(x).distance);
    return least;
  }

 private:
  BodiesForParticles bodies_;
  std::vector<ParticleBody> all_;
};

class DivergenceFreeBesideBodies : public OnEveryTarget {
 protected:
  static ParticleCopy particles_of(Simulation& simulation, std::size_t species) {
    return simulation.particles({.species = species, .stride = 1, .fluid_velocity = true});
  }
  static PerAxis<double> place_of(const ParticleCopy& particles, std::size_t n) {
    return {
        particles.positions[3 * n], particles.positions[3 * n + 1], particles.positions[3 * n + 2]};
  }
};

/// A ball across the seams of two and three ranks, a rod, a block and a lens in a flow that
/// changes.
std::string four_bodies(const std::string& scheme) {
  return fmt::format(R"yaml(scheme: projection
grid: {{points: [17, 13, 15], length: [2, 1.5, 1.8], stretching: {{y: {{factor: 1.1}}}}}}
fluid: {{reynolds: 60}}
boundaries: {{x: periodic, y: wall, z: periodic}}
initial: {{velocity: ["sin(pi*y/1.5) + 0.4*sin(2*pi*z/1.8)", "0.3*sin(pi*x)*sin(pi*y/1.5)^2", "0.4*cos(pi*x)"]}}
solids:
  ball: {{shape: sphere, center: [0.5, 0.7, 0.85], radius: 0.3}}
  rod: {{shape: cylinder, center: [1.3, 0.5, 0], radius: 0.2, axis: z}}
  block: {{shape: box, min: [1.62, 0.9, 0.2], max: [1.95, 1.3, 0.71]}}
  lens: {{shape: formula, surface: "((x-0.9)/0.3)^2+((y-1.1)/0.2)^2+((z-1.3)/0.35)^2-1"}}
time: {{step: 0.02, steps: 1000, scheme: {}}}
)yaml",
                     scheme);
}

/// div u = SUM D_ijk H_i H_j H_k, and D is 0 in the cells that surfaces cut, and in bodies.
TEST_P(DivergenceFreeBesideBodies, has_no_divergence_and_the_values_of_the_points) {
  for (const char* const scheme : schemes) {
    SCOPED_TRACE(scheme);
    const Case resolved = case_of(four_bodies(scheme) + R"yaml(
particles:
  tracer: {count: 3000, positions: [2*r1, 1.5*r2, 1.8*r3], interpolation: divergence_free}
)yaml");
    const auto simulation = after(resolved, 8);
    const VelocityOnHost flow(*simulation, resolved);
    const Surroundings bodies(resolved);
    const ParticleCopy tracers = particles_of(*simulation, 0);
    double steepest = 0;
    double largest = 0;
    int near = 0;
    for (std::size_t n = 0; n < tracers.ids.size(); ++n) {
      const PerAxis<double> x = place_of(tracers, n);
      const PerAxis<double> u = flow.at(x);
      double divergence = 0;
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(tracers.fluid_velocities[3 * n + static_cast<std::size_t>(axis)],
                    u[axis],
                    1e-13);  // sums of 36 values up to 1, in double
        const PerAxis<double> slopes = flow.slopes(x, axis);
        divergence += slopes[axis];
        for (int q = 0; q < 3; ++q) steepest = std::max(steepest, std::abs(slopes[q]));
      }
      ASSERT_TRUE(std::isfinite(divergence)) << n;
      largest = std::max(largest, std::abs(divergence));
      if (bodies.distance(x) < 0.1) ++near;
    }
    EXPECT_GT(near, 300) << "within a cell of a surface";
    EXPECT_GT(steepest, 5);
    // Each velocity is rounded once, a difference over a cell of 0.1 is off by 20 of that.
    EXPECT_LT(largest, 200 * epsilon());
  }
}

/// Flow along a floor at y = 1/3, a third of a cell above a point of the grid, is linear in y, and
/// so it stays. Cells of a quarter of the width have the same values beside the floor, a quarter as
/// large: the error is of first order there, and 0 from two cells above the floor on.
TEST_P(DivergenceFreeBesideBodies, is_of_first_order_at_the_surface_and_exact_beyond) {
  for (const char* const interpolation : interpolations) {
    SCOPED_TRACE(interpolation);
    std::array<double, 2> worst{};
    for (const int finer : {1, 4}) {
      const double h = 0.1 / finer;
      const Case resolved = case_of(fmt::format(R"yaml(scheme: projection
grid: {{points: [5, {}, 7], length: [1, 1.3, 1.4]}}
fluid: {{reynolds: 100}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: wall, velocity: [1, 0, 0]}}, z: periodic}}
initial: {{velocity: ["max(0, (y-1/3)/(1.3-1/3))", 0, 0]}}
solids: {{floor: {{shape: box, min: [-1, -1, -1], max: [2, 0.33333333333333331, 3]}}}}
time: {{step: 0.05, steps: 1000, scheme: implicit}}
particles:
  low: {{count: 200, positions: [r1, "1/3 + {:.17g}*(n + 0.5)/100", 1.4*r3], interpolation: {}}}
)yaml",
                                                13 * finer,
                                                h,
                                                interpolation));
      const auto simulation = started(resolved);
      const ParticleCopy particles = particles_of(*simulation, 0);
      ASSERT_EQ(particles.ids.size(), 200U);
      for (std::size_t n = 0; n < 200; ++n) {
        const double y = particles.positions[3 * n + 1];
        const double exact = (y - 1.0 / 3) / (1.3 - 1.0 / 3);
        const double error = std::abs(particles.fluid_velocities[3 * n] - exact);
        ASSERT_TRUE(std::isfinite(error)) << y;
        double& largest = worst.at(finer == 1 ? 0 : 1);
        if (y < 1.0 / 3 + 1.99 * h) largest = std::max(largest, error);
        if (y > 0.7) {
          EXPECT_LT(error, 20 * epsilon()) << y;
        }
      }
      EXPECT_LT(worst.at(finer == 1 ? 0 : 1), 0.5 * h);
    }
    EXPECT_NEAR(worst[0], 4 * worst[1], 100 * epsilon());
    EXPECT_GT(worst[0], 0.002);
  }
}

std::string four_bodies_with_particles(const std::string& scheme,
                                       const std::string& interpolation) {
  return four_bodies(scheme) + fmt::format(R"yaml(
particles:
  dust: {{count: 400, positions: [2*r1, 1.5*r2, 1.8*r3], seed: 3, diameter: 0.03, density: 200,
         restitution: 0.7, gravity: [0.5, -1, 0.5], interpolation: {0}}}
  tracer: {{count: 400, positions: [2*r1, 1.5*r2, 1.8*r3], interpolation: {0}}}
  drops: {{count: 400, positions: [2*r1, 1.5*r2, 1.8*r3], seed: 3, diameter: 0.03, density: 200,
          walls: absorb, interpolation: {0}}}
)yaml",
                                           interpolation);
}

/// Restitution turns the velocity of some of the 400, and the surface of the lens is that of a
/// formula to second order in the radius of a particle.
TEST_P(DivergenceFreeBesideBodies, keeps_particles_out_of_them) {
  for (const char* const scheme : schemes) {
    SCOPED_TRACE(scheme);
    const Case resolved = case_of(four_bodies_with_particles(scheme, "divergence_free"));
    const Surroundings bodies(resolved);
    const auto simulation = started(resolved);
    const double released = figure(*simulation, "dust_count");
    EXPECT_LT(released, 390) << "those in bodies are left out";
    EXPECT_GT(released, 300);
    for (int step = 0; step < 60; ++step) {
      simulation->advance();
      for (std::size_t species = 0; species < 3; ++species) {
        const ParticleCopy particles = particles_of(*simulation, species);
        for (std::size_t n = 0; n < particles.ids.size(); ++n) {
          const double way = bodies.distance(place_of(particles, n));
          EXPECT_GE(way, (species == 1 ? 0 : 0.015) - 1e-9)
              << particles.name << " " << particles.ids[n] << " in step " << step;
        }
      }
    }
    EXPECT_EQ(figure(*simulation, "dust_count"), released);
    EXPECT_GE(figure(*simulation, "drops_deposited_solids"), 5);
    EXPECT_EQ(figure(*simulation, "drops_count") + figure(*simulation, "drops_deposited_solids") +
                  figure(*simulation, "drops_deposited_y_min") +
                  figure(*simulation, "drops_deposited_y_max"),
              released);
  }
}

/// On several ranks flows differ by round-off, and so do particles.
TEST_P(DivergenceFreeBesideBodies, moves_particles_alike_on_any_number_of_ranks) {
  for (const char* const interpolation : interpolations) {
    SCOPED_TRACE(interpolation);
    const Case resolved = case_of(four_bodies_with_particles("implicit", interpolation));
    const auto alone = after(resolved, 30);
    for (const int ranks : {2, 3}) {
      ThreadRanks::run(ranks, [&](Communicator& communicator) {
        const auto simulation = make_simulation(resolved, communicator);
        simulation->set_state(initial_state(resolved, simulation->subdomain()));
        for (int n = 0; n < 30; ++n) simulation->advance();
        for (std::size_t species = 0; species < 3; ++species) {
          const ParticleCopy copy = particles_of(*simulation, species);
          if (communicator.rank() != 0) continue;
          const ParticleCopy expected = particles_of(*alone, species);
          ASSERT_EQ(copy.ids, expected.ids);
          for (std::size_t n = 0; n < copy.positions.size(); ++n) {
            const double way = std::remainder(copy.positions[n] - expected.positions[n],
                                              resolved.grid.length[static_cast<int>(n % 3)]);
            EXPECT_NEAR(way, 0, is_double() ? 1e-11 : 1e-3);
          }
        }
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DivergenceFreeBesideBodies, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_divergence_free_beside_bodies
