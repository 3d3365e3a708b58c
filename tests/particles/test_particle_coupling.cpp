/// Particles that act on the flow, on every device and precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>
#include <string>
#include <vector>

#include "tests/verification/slabs.hpp"

namespace dns::testing::test_particle_coupling {
namespace {

class CoupledParticlesTest : public OnEveryTarget {
 protected:
  static ParticleCopy particles_of(Simulation& simulation) {
    return simulation.particles({.species = 0, .stride = 1, .fluid_velocity = true});
  }
  static PerAxis<double> of_axes(Simulation& simulation, const std::string& name) {
    const FlowDiagnostics diagnostics = simulation.diagnostics();
    const std::vector<std::string> names = simulation.diagnostic_names();
    PerAxis<double> values{};
    for (int axis = 0; axis < 3; ++axis) {
      const auto found = std::ranges::find(names, name + "_" + axis_names[axis]);
      EXPECT_NE(found, names.end()) << name;
      values[axis] = diagnostics.others.at(static_cast<std::size_t>(found - names.begin()));
    }
    return values;
  }
  static PerAxis<double> momentum_of_particles(Simulation& simulation, double mass) {
    PerAxis<double> sum{};
    const ParticleCopy copy = particles_of(simulation);
    for (std::size_t n = 0; n < copy.velocities.size(); ++n)
      sum[static_cast<int>(n % 3)] += mass * copy.velocities[n];
    return sum;
  }
};

double volume(double diameter) {
  return std::numbers::pi / 6 * diameter * diameter * diameter;
}

/// One particle at the same place of each cell: all forces are those of a uniform suspension.
///   d(v - u)/dt = - (1 + phi)(v - u)/tau + g (1 - 1/rho),   d(u + phi v)/dt = phi g (1 - 1/rho)
std::string suspension(const std::string& scheme, double step) {
  return R"yaml(scheme: projection
grid: {points: [5, 7, 9], length: [1, 1.4, 1.8]}
fluid: {reynolds: 50}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: [0.5, 0, -0.3]}
time: {step: )yaml" +
         std::to_string(step) + ", steps: 1000, scheme: " + scheme + R"yaml(}
particles:
  dust: {count: 315, positions: ["0.2*(n - 5*rint((n-2)/5)) + 0.03",
                                 "0.2*(rint((n-2)/5) - 7*rint((n-17)/35)) + 0.11",
                                 "0.2*rint((n-17)/35) + 0.17"],
         velocity: [-0.5, 0.25, 0], diameter: 0.01, density: 900, gravity: [0, 0, -0.9],
         coupling: two_way, represents: 12}
)yaml";
}

TEST_P(CoupledParticlesTest, all_alike_slow_down_with_the_fluid_at_the_known_rate) {
  const double tau = 900 * 0.01 * 0.01 * 50 / 18;
  const double phi = 12 * 900 * volume(0.01) / (0.2 * 0.2 * 0.2);
  const double fall = 0.9 * (1 - 1.0 / 900);
  const double rate = (1 + phi) / tau;
  const double t = 0.4;
  const auto error = [&](const std::string& scheme, int steps) {
    const auto simulation = after(case_of(suspension(scheme, t / steps)), steps);
    const PerAxis<double> u = of_axes(*simulation, "bulk_velocity");
    const ParticleCopy dust = particles_of(*simulation);
    double largest = 0;
    const std::array<double, 3> u_0{0.5, 0, -0.3};
    const std::array<double, 3> v_0{-0.5, 0.25, 0};
    for (std::size_t a = 0; a < 3; ++a) {
      const double g = a == 2 ? -fall : 0;
      const double slip = g / rate + (v_0[a] - u_0[a] - g / rate) * std::exp(-rate * t);
      const double sum = u_0[a] + phi * v_0[a] + phi * g * t;
      const double fluid = (sum - phi * slip) / (1 + phi);
      largest = std::max(largest, std::abs(u[static_cast<int>(a)] - fluid));
      for (std::size_t n = a; n < dust.velocities.size(); n += 3)
        largest = std::max(largest, std::abs(dust.velocities[n] - (fluid + slip)));
    }
    return largest;
  };
  EXPECT_GT(phi, 0.5) << "the fluid feels the particles";
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const double coarse = error(scheme, 40);
    EXPECT_LT(coarse, 1.5e-3) << scheme;
    if (!is_double()) continue;
    EXPECT_GT(std::log2(coarse / error(scheme, 80)), 1.85) << scheme;
  }
}

std::string cloud(const std::string& scheme) {
  return R"yaml(scheme: projection
grid: {points: [9, 7, 13], length: [1, 1.1, 1.5]}
fluid: {reynolds: 80}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["0.5*sin(2*pi*z/1.5)+0.2", "0.4*cos(2*pi*x)", "0.3*sin(2*pi*x)-0.1"]}
time: {step: 0.01, steps: 2000, scheme: )yaml" +
         scheme + R"yaml(}
particles:
  dust: {count: 400, positions: [r1, 0.3+0.5*r2, 1.5*r3], velocity: ["r1-0.5", "r2-0.5", "r3-0.5"],
         diameter: 0.02, density: 200, gravity: [0.3, -1, 0.5], drag: schiller_naumann,
         coupling: two_way}
)yaml";
}

constexpr double mass_in_cloud = 200;  // over the volume of a particle

/// Fluid and particles gain the weight of the particles alone.
TEST_P(CoupledParticlesTest, and_the_fluid_keep_their_momentum_to_round_off) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const int steps = is_double() ? 500 : 100;
    const auto simulation = started(case_of(cloud(scheme)));
    const double mass = mass_in_cloud * volume(0.02);
    const double box = 1 * 1.1 * 1.5;
    const auto momentum = [&] {
      PerAxis<double> sum = momentum_of_particles(*simulation, mass);
      const PerAxis<double> u = of_axes(*simulation, "bulk_velocity");
      for (int axis = 0; axis < 3; ++axis) sum[axis] += box * u[axis];
      return sum;
    };
    const PerAxis<double> at_start = momentum();
    double exchanged = 0;
    for (int n = 0; n < steps; ++n) {
      simulation->advance();
      if (n % 10 != 0) continue;
      const PerAxis<double> force = of_axes(*simulation, "dust_force");
      exchanged += 0.1 * std::hypot(force[0], force[1], force[2]);
    }
    const PerAxis<double> at_end = momentum();
    const PerAxis<double> gravity{0.3, -1, 0.5};
    for (int axis = 0; axis < 3; ++axis) {
      const double weight = 400 * volume(0.02) * 199 * gravity[axis] * 0.01 * steps;
      const double limit = is_double() ? 1e-12 : 2e-5;
      EXPECT_NEAR(at_end[axis] - at_start[axis], weight, limit * std::max(exchanged, 0.1))
          << scheme << axis;
    }
    EXPECT_GT(exchanged, 0.1) << scheme;
  }
}

/// In each step the fluid gets what the particles lose, to the last quantum of each.
TEST_P(CoupledParticlesTest, give_the_fluid_in_each_step_what_they_lose) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const auto simulation = started(case_of(cloud(scheme)));
    const double mass = mass_in_cloud * volume(0.02);
    const double quanta = 400 * mass * 0x1p-39 * 64;
    for (int n = 0; n < 12; ++n) {
      const PerAxis<double> before = momentum_of_particles(*simulation, mass);
      simulation->advance();
      const PerAxis<double> force = of_axes(*simulation, "dust_force");
      const PerAxis<double> now = momentum_of_particles(*simulation, mass);
      const PerAxis<double> gravity{0.3, -1, 0.5};
      for (int axis = 0; axis < 3; ++axis) {
        const double weight = 400 * volume(0.02) * 199 * gravity[axis];
        const double lost = 0.01 * weight - (now[axis] - before[axis]);
        const double round_off = 400 * mass * 4 * epsilon();  // of velocities of 1
        EXPECT_NEAR(
            0.01 * force[axis], lost, round_off + (scheme == "implicit" ? quanta : 0.03 * quanta))
            << scheme << axis;
        EXPECT_GT(std::abs(lost), 1e-6);
      }
    }
  }
}

void expect_same_flow(const FlowState& one, const FlowState& other) {
  ASSERT_EQ(one.fields.size(), other.fields.size());
  for (std::size_t n = 0; n < one.fields.size(); ++n)
    EXPECT_EQ(std::memcmp(one.fields[n].data(), other.fields[n].data(), one.fields[n].bytes()), 0);
  ASSERT_EQ(one.particles.size(), other.particles.size());
  EXPECT_EQ(one.particles[0].ids, other.particles[0].ids);
  EXPECT_EQ(one.particles[0].positions, other.particles[0].positions);
  EXPECT_EQ(one.particles[0].velocities, other.particles[0].velocities);
}

TEST_P(CoupledParticlesTest, go_on_bit_for_bit_from_a_copy_whatever_the_order_and_the_threads) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    Case resolved = case_of(cloud(scheme));
    const auto in_one_go = after(resolved, 45);
    FlowState copy = state_of(*after(resolved, 20));
    ParticleCopy& dust = copy.particles.at(0);
    std::ranges::reverse(dust.ids);
    for (std::vector<double>* const of : {&dust.positions, &dust.velocities}) {
      std::ranges::reverse(*of);
      for (std::size_t n = 0; n < of->size(); n += 3) std::swap((*of)[n], (*of)[n + 2]);
    }
    resolved.run.threads = 3;
    const auto resumed = make_simulation(resolved);
    resumed->set_state(copy);
    for (int n = 20; n < 45; ++n) resumed->advance();
    expect_same_flow(state_of(*in_one_go), state_of(*resumed));
    EXPECT_EQ(in_one_go->diagnostics().others, resumed->diagnostics().others);
  }
}

TEST_P(CoupledParticlesTest, change_the_flow_and_those_that_do_not_act_leave_it) {
  const std::string two_way = cloud("implicit");
  std::string none = two_way;
  none.replace(none.find("coupling: two_way"), 17, "coupling: none");
  const FlowState with = state_of(*after(case_of(two_way), 5));
  const FlowState without = state_of(*after(case_of(none), 5));
  EXPECT_NE(std::memcmp(with.fields[0].data(), without.fields[0].data(), with.fields[0].bytes()),
            0);
}

/// A flow as rank 0 of several has it, and the first forces.
struct OnRanks {
  std::vector<PerAxis<double>> forces;
  ParticleCopy particles;
};

OnRanks on_ranks(const Case& resolved, int ranks, int steps) {
  OnRanks ended;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto simulation = make_simulation(resolved, communicator);
    simulation->set_state(initial_state(resolved, simulation->subdomain()));
    std::vector<PerAxis<double>> forces;
    for (int n = 0; n < steps; ++n) {
      simulation->advance();
      const std::vector<double> others = simulation->diagnostics().others;
      PerAxis<double>& force = forces.emplace_back();
      for (std::size_t a = 0; a < 3; ++a)
        force[static_cast<int>(a)] = others.at(others.size() - 3 + a);
    }
    const ParticleCopy particles =
        simulation->particles({.species = 0, .stride = 1, .fluid_velocity = false});
    if (communicator.rank() == 0) ended = {forces, particles};
  });
  return ended;
}

/// The first forces are those in one and the same flow: whole numbers, the same on any ranks. Later
/// flows differ by round-off.
TEST_P(CoupledParticlesTest, give_the_same_on_several_ranks) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const Case resolved = case_of(cloud(scheme));
    const OnRanks one = on_ranks(resolved, 1, 15);
    for (const int ranks : {2, 3}) {
      const OnRanks other = on_ranks(resolved, ranks, 15);
      for (int axis = 0; axis < 3; ++axis) {
        if (scheme == "implicit") {
          EXPECT_EQ(one.forces[0][axis], other.forces[0][axis]) << ranks;
        }
        EXPECT_NEAR(one.forces[14][axis], other.forces[14][axis], is_double() ? 1e-11 : 1e-4);
      }
      ASSERT_EQ(one.particles.ids, other.particles.ids);
      double largest = 0;
      for (std::size_t n = 0; n < one.particles.positions.size(); ++n) {
        const double length = n % 3 == 0 ? 1 : n % 3 == 1 ? 1.1 : 1.5;
        const double way = std::abs(one.particles.positions[n] - other.particles.positions[n]);
        largest = std::max(largest, std::min(way, std::abs(way - length)));
      }
      EXPECT_LT(largest, is_double() ? 1e-12 : 1e-5) << scheme << ranks;
    }
    const OnRanks again = on_ranks(resolved, 3, 15);
    EXPECT_EQ(again.particles.positions, on_ranks(resolved, 3, 15).particles.positions);
  }
}

/// A particle that settles in Stokes flow also moves with the flow that it makes itself, at a part
/// of d/h of its velocity in a fluid at rest: 0.966 between the points of u, 1.544 at one.
/// Reference: the same force and weights, solved in Fourier space.
TEST_P(CoupledParticlesTest, feel_the_known_part_of_the_flow_that_they_make_themselves) {
  // Lengths in h; tau = 1e3 d^2/(18 nu); W = 0.999 g tau.
  const double tau = 1000 * 0.1 * 0.1 / 18;
  for (const auto& [place, part] :
       {std::pair<std::string, double>{"[16.25, 16.25, 16.25]", 0.966259},
        {"[16, 16.5, 16.5]", 1.543631}}) {
    const auto simulation =
        after(case_of("scheme: projection\ngrid: {points: [32, 32, 32], length: [32, 32, 32]}\n"
                      "fluid: {reynolds: 1}\nboundaries: {x: periodic, y: periodic, z: periodic}\n"
                      "forcing: {type: bulk_velocity, value: [0, 0, 0]}\n"
                      "time: {step: 4, steps: 1000}\n"
                      "particles: {bead: {count: 1, positions: " +
                      place +
                      ", velocity: [0, 0, 0], diameter: 0.1, density: 1000, gravity: [1e-6, 0, 0], "
                      "coupling: two_way}}\n"),
              60);
    const double settling = 0.999e-6 * tau;
    EXPECT_NEAR((particles_of(*simulation).velocities[0] / settling - 1) / 0.1,
                part,
                is_double() ? 0.01 : 0.03)
        << place;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, CoupledParticlesTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_particle_coupling
