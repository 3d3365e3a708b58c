/// Particles on several ranks, as threads of the test, on every device and precision.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "tests/verification/slabs.hpp"

namespace dns::testing::test_particles_on_ranks {
namespace {

/// What a run on some ranks ends with, as rank 0 has it.
struct Ended {
  FlowState restart;  // of the slab of rank 0, with all particles
  std::vector<ParticleCopy> particles;
  std::vector<double> diagnostics;
};

class ParticlesOnRanksTest : public OnEveryTarget {
 protected:
  static Ended after_steps(const Case& resolved,
                           int ranks,
                           int steps,
                           const FlowState* start = nullptr) {
    Ended ended;
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      const auto simulation = make_simulation(resolved, communicator);
      const Subdomain part = simulation->subdomain();
      simulation->set_state(start == nullptr ? initial_state(resolved, part)
                                             : slab_of(*start, part));
      for (int n = 0; n < steps; ++n) simulation->advance();
      const FlowDiagnostics diagnostics = simulation->diagnostics();
      std::vector<ParticleCopy> particles;
      for (std::size_t species = 0; species < resolved.particles.size(); ++species)
        particles.push_back(simulation->particles({.species = species, .fluid_velocity = true}));
      FlowState restart = simulation->allocate_state(CopyPurpose::restart);
      simulation->copy_state(restart, CopyPurpose::restart);
      if (communicator.rank() == 0)
        ended = {std::move(restart), std::move(particles), diagnostics.others};
    });
    return ended;
  }
};

/// A flow that does not change: uniform in a periodic box.
std::string uniform_stream(const std::string& boundaries) {
  return "scheme: projection\ngrid: {points: [5, 6, 13], length: [1, 1.5, 2]}\n"
         "fluid: {reynolds: 50}\n" +
         boundaries +
         "initial: {velocity: [0.5, 0, -0.75]}\n"
         "time: {step: 0.05, steps: 1000, scheme: implicit}\n";
}

const std::string species = R"yaml(
particles:
  tracer: {count: 70, positions: [r1, r2, 2*r3], release: {every: 9, end: 1}}
  dust: {count: 90, positions: [r1, 1.5*r2, 2*r3], seed: 4, velocity: [0.3, "0.2*r1", "r2-0.5"],
         diameter: 0.05, density: 20, gravity: [0.2, 0, 0.9]}
)yaml";

/// The flow is the same to the last bit on all ranks, and so are the particles.
TEST_P(ParticlesOnRanksTest, have_the_same_bits_in_the_same_flow) {
  const Case resolved =
      case_of(uniform_stream("boundaries: {x: periodic, y: periodic, z: periodic}\n") + species);
  const Ended one = after_steps(resolved, 1, 60);
  for (const int ranks : {2, 3}) {
    const Ended other = after_steps(resolved, ranks, 60);
    ASSERT_EQ(other.particles.size(), 2U);
    for (std::size_t n = 0; n < 2; ++n) {
      EXPECT_EQ(one.particles[n].ids, other.particles[n].ids) << ranks;
      if (!is_double()) continue;  // round-off of the flow below
      double largest = 0;
      for (std::size_t m = 0; m < one.particles[n].positions.size(); ++m) {
        double way = std::abs(one.particles[n].positions[m] - other.particles[n].positions[m]);
        way = std::min(way, std::abs(way - (m % 3 == 0 ? 1 : m % 3 == 1 ? 1.5 : 2)));
        largest = std::max(largest, way);
      }
      EXPECT_LT(largest, 1e-12) << ranks;
    }
    EXPECT_EQ(one.diagnostics.back(), other.diagnostics.back());
  }
}

const std::string changing = R"yaml(scheme: projection
grid: {points: [7, 9, 13], length: [1, 1, 2]}
fluid: {reynolds: 60}
boundaries: {x: periodic, y: wall, z_min: {type: wall}, z_max: {type: symmetry}}
initial: {velocity: ["y*(1-y)*4+0.5*sin(pi*z)", "0.4*sin(pi*y)^2*cos(2*pi*x)", "0.5*sin(pi*z/2)^2*sin(2*pi*x)"]}
time: {step: 0.03, steps: 1000, scheme: SCHEME}
particles:
  tracer: {count: 200, positions: [r1, r2, 2*r3]}
  dust: {count: 300, positions: [r1, r2, 2*r3], seed: 3, diameter: 0.02, density: 50,
         gravity: [0, -0.5, 1]}
)yaml";

std::string with_scheme(std::string yaml, const std::string& scheme) {
  return yaml.replace(yaml.find("SCHEME"), 6, scheme);
}

/// On as many ranks the same bits, whether in one go or not; on others round-off apart.
TEST_P(ParticlesOnRanksTest, go_on_from_a_copy_of_all_of_them) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const Case resolved = case_of(with_scheme(changing, scheme));
    const RanksResult half = run_on_ranks(resolved, 2, 20);
    const Ended middle = after_steps(resolved, 2, 20);
    FlowState start = half.restart;
    start.particles = middle.restart.particles;
    ASSERT_EQ(start.particles.size(), 2U);
    EXPECT_EQ(start.particles[1].ids.size(), 300U);
    const Ended in_one_go = after_steps(resolved, 2, 40);
    const Ended resumed = after_steps(resolved, 2, 20, &start);
    const Ended on_three = after_steps(resolved, 3, 20, &start);
    for (std::size_t n = 0; n < 2; ++n) {
      EXPECT_EQ(in_one_go.particles[n].ids, resumed.particles[n].ids);
      EXPECT_EQ(in_one_go.particles[n].positions, resumed.particles[n].positions) << scheme;
      EXPECT_EQ(in_one_go.particles[n].velocities, resumed.particles[n].velocities);
      ASSERT_EQ(in_one_go.particles[n].ids, on_three.particles[n].ids);
      double largest = 0;
      for (std::size_t m = 0; m < on_three.particles[n].positions.size(); ++m) {
        const double way =
            std::abs(on_three.particles[n].positions[m] - resumed.particles[n].positions[m]);
        largest = std::max(largest, std::min(way, std::abs(way - 1)));
      }
      EXPECT_LT(largest, is_double() ? 1e-11 : 1e-3);
    }
  }
}

TEST_P(ParticlesOnRanksTest, need_four_planes_of_a_slab) {
  const Case resolved =
      case_of(uniform_stream("boundaries: {x: periodic, y: periodic, z: periodic}\n") + species);
  EXPECT_THROW(after_steps(resolved, 4, 1), CaseError);
}

INSTANTIATE_TEST_SUITE_P(Devices, ParticlesOnRanksTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_particles_on_ranks
