/// Particles in flows whose trajectories are known, on every device and precision.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/files/hdf5_file.hpp"
#include "tests/particles/particle_runs.hpp"

namespace dns::testing::test_particles {
namespace {

class ParticlesTest : public OnEveryTarget {
 protected:
  static ParticleCopy particles_of(Simulation& simulation, std::size_t species = 0) {
    return simulation.particles({.species = species, .stride = 1, .fluid_velocity = true});
  }
  /// Of values that many steps round.
  static double tolerance(double in_double, double in_float) {
    return is_double() ? in_double : in_float;
  }
};

const std::string box_at_rest = R"yaml(scheme: projection
grid: {points: [5, 7, 4], length: [30, 49, 20]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: [0, 0, 0]}
time: {step: 0.5, steps: 20}
)yaml";

/// tau = 5: the step is exact, in steps of a tenth of it. The periodic box is 49 high.
TEST_P(ParticlesTest, that_settle_by_stokes_drag_are_where_they_must_be) {
  const auto simulation = after(case_of(box_at_rest + R"yaml(
particles:
  dust: {count: 1, positions: [1, 20, 3], velocity: [1, 0, 0], diameter: 0.03, density: 1000,
         gravity: [0, -1, 0]}
)yaml"),
                                20);
  const ParticleCopy dust = particles_of(*simulation);
  ASSERT_EQ(dust.ids, std::vector<std::int64_t>{0});
  EXPECT_NEAR(dust.positions[0], 1 + 5 * (1 - std::exp(-2.0)), tolerance(1e-12, 1e-5));
  EXPECT_NEAR(dust.positions[1], 20 - 28.3549986988 + 49, tolerance(1e-10, 3e-5));
  EXPECT_EQ(dust.positions[2], 3);
  EXPECT_NEAR(dust.velocities[0], std::exp(-2.0), tolerance(1e-12, 1e-6));
  EXPECT_NEAR(dust.velocities[1], -4.31900026023, tolerance(1e-11, 3e-6));
}

/// In steps of a tenth of the response time, and half of them.
TEST_P(ParticlesTest, that_settle_by_schiller_and_naumann_are_of_order_two) {
  for (const char* const scheme : {"implicit", "runge_kutta"}) {
    const auto velocity = [&](const std::string& forces, int steps) {
      const auto simulation = after(
          case_of("scheme: projection\ngrid: {points: [5, 6, 4], length: [1, 1.5, 1]}\n"
                  "fluid: {reynolds: 100}\n"
                  "boundaries: {x: periodic, y: periodic, z: periodic}\n"
                  "time: {step: " +
                  std::to_string(0.5 / steps) + ", steps: 1000, scheme: " + scheme +
                  "}\n"
                  "particles: {drop: {count: 3, positions: [0.5, 1, n/4], velocity: [0, 0, 0],"
                  " diameter: 0.1, density: 2.5, drag: schiller_naumann,"
                  " gravity: [0, -1, 0], forces: " +
                  forces + "}}\n"),
          steps);
      return -particles_of(*simulation).velocities[1];
    };
    const double v = 0.0732252450966;
    const double coarse = velocity("[drag, gravity]", 40) - v;
    const double fine = velocity("[drag, gravity]", 80) - v;
    if (is_double()) {
      EXPECT_GT(std::log2(std::abs(coarse / fine)), 1.9) << scheme;
    }
    EXPECT_NEAR(velocity("[drag, gravity, added_mass]", 100), 0.072133316971, 3e-5) << scheme;
  }
}

/// psi = sin x sin y of tracers that turn in a steady vortex drifts from 1/2 as the step makes it:
/// 4.4e-4 a turn with 64 implicit steps, 3.7e-5 with Runge-Kutta steps.
TEST_P(ParticlesTest, that_follow_a_steady_vortex_drift_as_their_steps_do) {
  constexpr double turn = 8.62606259;      // 4 K(3/4)
  const int turns = is_double() ? 10 : 1;  // the vortex lasts no longer in float
  const auto drift = [&](const std::string& scheme, const std::string& interpolation) {
    const auto simulation = after(
        case_of("scheme: projection\ngrid: {points: [32, 32, 4], length: [2*pi, 2*pi, 1]}\n"
                "fluid: {reynolds: 1e12}\n"
                "boundaries: {x: periodic, y: periodic, z: periodic}\n"
                "initial: {velocity: [sin(x)*cos(y), -cos(x)*sin(y), 0]}\n"
                "time: {step: " +
                std::to_string(turn / 64) + ", steps: 10000, scheme: " + scheme +
                "}\nparticles: {tracer: {count: 1, positions: [pi/2, pi/6, 0.3], interpolation: " +
                interpolation + "}}\n"),
        64 * turns);
    const std::vector<double> place = particles_of(*simulation).positions;
    return std::sin(place[0]) * std::sin(place[1]) - 0.5;
  };
  // The error of 32 cells is about 2e-5 a turn with `cubic`.
  for (const char* const interpolation : {"cubic", "divergence_free"}) {
    EXPECT_NEAR(std::abs(drift("implicit", interpolation)) / turns, 4.4e-4, tolerance(6e-5, 3e-4));
    EXPECT_NEAR(
        std::abs(drift("runge_kutta", interpolation)) / turns, 3.7e-5, tolerance(3e-5, 2e-4));
  }
}

/// Across u = 1 - y^2, which the fluid keeps, with three elastic bounces; tau 0.5, (1 - 1/rho) g
/// = 1.
TEST_P(ParticlesTest, that_bounce_across_a_channel_are_where_they_must_be) {
  const auto place = [&](const std::string& scheme, int steps) {
    const auto simulation =
        after(case_of("scheme: projection\n"
                      "grid: {points: [5, 9, 4], length: [6, 2, 1], origin: [0, -1, 0], "
                      "stretching: {y: {factor: 1}}}\n"
                      "fluid: {reynolds: 1e9}\n"
                      "boundaries: {x: periodic, y: wall, z: periodic}\n"
                      "initial: {velocity: [1-y^2, 0, 0]}\n"
                      "time: {step: " +
                      std::to_string(5.0 / steps) + ", steps: 100000, scheme: " + scheme +
                      "}\n"
                      "particles: {ball: {count: 2, positions: [0, 0.5, n/2], velocity: [0, 0, 0], "
                      "diameter: 0.02, density: 2.25e-5, gravity: [0, 2.25e-5/(1-2.25e-5), 0]}}\n"),
              steps);
    const ParticleCopy balls = particles_of(*simulation);
    EXPECT_EQ(balls.positions[1], balls.positions[4]);
    return std::hypot(balls.positions[0] - 2.75568754594, balls.positions[1] + 0.973127873282);
  };
  EXPECT_LT(place("implicit", 500), 2e-3);
  EXPECT_LT(place("implicit", 2000), tolerance(2e-4, 1e-3));
  EXPECT_LT(place("runge_kutta", 500), 2e-3);
}

/// In the vortex (-y, x), which is a solution of the equations, between faces that give it.
TEST_P(ParticlesTest, that_leave_and_enter_a_vortex_by_their_density_do_so_at_the_known_rate) {
  const std::string vortex = R"yaml(scheme: projection
grid: {points: [9, 11, 4], length: [8, 9, 1], origin: [-4, -4.5, 0]}
fluid: {reynolds: 100}
boundaries:
  x_min: {type: inflow, velocity: [-y, x, 0]}
  x_max: {type: inflow, velocity: [-y, x, 0]}
  y_min: {type: inflow, velocity: [-y, x, 0]}
  y_max: {type: inflow, velocity: [-y, x, 0]}
  z: periodic
initial: {velocity: [-y, x, 0]}
)yaml";
  const std::complex<double> i(0, 1);
  // r'' = (i r - r')/tau - beta r
  const auto expected = [&](double tau, double beta, double t) {
    const std::complex<double> root = std::sqrt(1 / tau / tau - 4.0 * (beta - i / tau));
    const std::complex<double> slow = (-1 / tau + root) / 2.0;
    const std::complex<double> fast = (-1 / tau - root) / 2.0;
    const std::complex<double> of_fast = (i - slow) / (fast - slow);
    return (1.0 - of_fast) * std::exp(slow * t) + of_fast * std::exp(fast * t);
  };
  const auto error = [&](const std::string& particles, double tau, double beta, int steps) {
    const auto simulation =
        after(case_of(vortex + "time: {step: " + std::to_string(2.0 / steps) +
                      ", steps: 10000}\nparticles: {bead: {count: 1, positions: "
                      "[1, 0, 0.2], " +
                      particles + "}}\n"),
              steps);
    const std::vector<double> place = particles_of(*simulation).positions;
    return std::abs(std::complex<double>(place[0], place[1]) - expected(tau, beta, 2));
  };
  const std::string heavy = "diameter: 0.1, density: 180";   // tau = 10
  const std::string heavier = "diameter: 0.1, density: 18";  // tau = 1
  const std::string light =
      "diameter: 0.1, density: 0.5, forces: [drag, added_mass]";  // tau = 1/18, beta = 3/2
  EXPECT_LT(error(heavy, 10, 0, 80), tolerance(1e-3, 1e-3));
  EXPECT_LT(error(light, 1.0 / 18, 1.5, 200), 1e-3);
  if (!is_double()) return;
  EXPECT_GT(std::log2(error(heavier, 1, 0, 100) / error(heavier, 1, 0, 200)), 1.9);
  EXPECT_GT(std::log2(error(light, 1.0 / 18, 1.5, 400) / error(light, 1.0 / 18, 1.5, 800)), 1.8);
}

const std::string of_both_kinds = R"yaml(
particles:
  tracer: {count: 60, positions: [r1, 0.05+0.9*r2, r3]}
  dust: {count: 60, positions: [r1, 0.05+0.9*r2, r3], seed: 5, velocity: [r2, 3*r1-1.5, 0.3],
         diameter: 0.02, density: 900}
)yaml";

/// Planes of symmetry at y = 0 and y = 1 of a periodic box from -1 to 1.
TEST_P(ParticlesTest, in_half_a_box_move_as_in_the_whole_one) {
  const std::string rest = R"yaml(fluid: {reynolds: 50}
initial: {velocity: ["cos(pi*y)*(1+0.3*sin(2*pi*z))", "0.7*sin(pi*y)*cos(2*pi*x)",
                     "0.6*cos(pi*y)*sin(2*pi*x)"]}
)yaml";
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    // Diffusion is explicit along all axes in both boxes then.
    const std::string order = scheme == "implicit" ? "" : "accuracy: {order: 4}\n";
    const std::string time = order + "time: {step: 0.02, steps: 1000, scheme: " + scheme + "}\n";
    const auto half = after(case_of("scheme: projection\ngrid: {points: [9, 8, 5]}\n"
                                    "boundaries: {x: periodic, y: symmetry, z: periodic}\n" +
                                    rest + time + of_both_kinds),
                            50);
    const auto whole =
        after(case_of("scheme: projection\n"
                      "grid: {points: [9, 16, 5], length: [1, 2, 1], origin: [0, -1, 0]}\n"
                      "boundaries: {x: periodic, y: periodic, z: periodic}\n" +
                      rest + time + of_both_kinds),
              50);
    for (const std::size_t species : {0U, 1U}) {
      const ParticleCopy some = particles_of(*half, species);
      const ParticleCopy all = particles_of(*whole, species);
      ASSERT_EQ(some.ids, all.ids);
      double moved = 0;
      for (std::size_t n = 0; n < some.positions.size(); ++n) {
        const double there = n % 3 == 1 ? std::abs(all.positions[n]) : all.positions[n];
        const double way = std::abs(some.positions[n] - there);
        EXPECT_LT(std::min(way, std::abs(way - 1)), tolerance(1e-11, 3e-4)) << n;
        if (n % 3 == 1) moved += all.positions[n] < 0 ? 1 : 0;
      }
      if (species == 1) {
        EXPECT_GT(moved, 10) << "have crossed a plane";
      }
    }
  }
}

const std::string stream = R"yaml(scheme: projection
grid: {points: [12, 6, 5], length: [2, 1, 1]}
fluid: {reynolds: 20}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0]}
  x_max: {type: outflow}
  y_min: {type: wall, velocity: [1, 0, 0]}
  y_max: {type: wall, velocity: [1, 0, 0]}
  z: periodic
initial: {velocity: [1, 0, 0]}
)yaml";

TEST_P(ParticlesTest, that_flow_in_and_out_are_counted_to_the_last) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const auto simulation =
        started(case_of(stream + "time: {step: 0.05, steps: 1000, scheme: " + scheme + R"yaml(}
particles:
  tracer: {count: 7, positions: [0.02, "0.1+0.8*r1", r2], release: {start: 0.1, every: 5, end: 3}}
  dust: {count: 100, positions: [2*r1, r2, r3], diameter: 0.01, density: 2000, gravity: [0, -3, 0],
         walls: absorb}
)yaml"));
    for (int n = 0; n < 90; ++n) {
      simulation->advance();
      const double time = simulation->time();
      // Releases at steps 5, 10, ... up to t = 3.
      const int releases = std::min(static_cast<int>(time / 0.25 + 1e-6), 12);
      EXPECT_EQ(diagnostic(*simulation, "tracer_count"),
                7 * releases - diagnostic(*simulation, "tracer_out_x_max"));
      EXPECT_EQ(diagnostic(*simulation, "dust_count"),
                100 - diagnostic(*simulation, "dust_out_x_max") -
                    diagnostic(*simulation, "dust_out_x_min") -
                    diagnostic(*simulation, "dust_deposited_y_min") -
                    diagnostic(*simulation, "dust_deposited_y_max"));
    }
    // A tracer takes 1.98 to the outflow: all but those of the last 1.98 have left.
    EXPECT_EQ(diagnostic(*simulation, "tracer_out_x_max"), 7 * 10);
    EXPECT_EQ(diagnostic(*simulation, "tracer_count"), 7 * 2);
    EXPECT_GT(diagnostic(*simulation, "dust_deposited_y_min"), 10);
    EXPECT_EQ(particles_of(*simulation, 0).ids.size(), 14U);
  }
}

const std::string turbulent_box = R"yaml(scheme: projection
grid: {points: [8, 9, 7], length: [1, 1, 1]}
fluid: {reynolds: 80}
boundaries: {x: periodic, y: wall, z: periodic}
initial: {velocity: ["y*(1-y)*4+0.5*sin(2*pi*z)", "0.4*sin(pi*y)^2*cos(2*pi*x)", "0.3*sin(2*pi*x)"]}
)yaml";

std::string with_particles(const std::string& scheme) {
  return turbulent_box + "time: {step: 0.03, steps: 1000, scheme: " + scheme +
         "}\n"
         R"yaml(particles:
  tracer: {count: 50, positions: [r1, r2, r3], release: {every: 7}}
  dust: {count: 80, positions: [r1, r2, r3], seed: 9, diameter: 0.03, density: 30,
         drag: schiller_naumann, gravity: [0, -2, 0.5], restitution: 0.8}
  sand: {count: 40, positions: [r1, r2, r3], seed: 2, diameter: 0.02, density: 5,
         forces: [drag, added_mass], walls: absorb}
)yaml";
}

void expect_same(const ParticleCopy& one, const ParticleCopy& other) {
  EXPECT_EQ(one.ids, other.ids);
  EXPECT_EQ(one.positions, other.positions);
  EXPECT_EQ(one.velocities, other.velocities);
}

TEST_P(ParticlesTest, go_on_bit_for_bit_from_a_copy) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const Case resolved = case_of(with_particles(scheme));
    const auto in_one_go = after(resolved, 45);
    const auto before = after(resolved, 20);
    const FlowState copy = state_of(*before);
    ASSERT_EQ(copy.particles.size(), 3U);
    const auto resumed = make_simulation(resolved);
    resumed->set_state(copy);
    for (int n = 20; n < 45; ++n) resumed->advance();
    for (const std::size_t species : {0U, 1U, 2U})
      expect_same(particles_of(*in_one_go, species), particles_of(*resumed, species));
    EXPECT_GT(particles_of(*resumed, 0).ids.size(), 300U);
    EXPECT_EQ(in_one_go->diagnostics().others, resumed->diagnostics().others);
  }
}

TEST_P(ParticlesTest, do_not_depend_on_the_number_of_threads) {
  Case resolved = case_of(with_particles("implicit"));
  resolved.run.threads = 1;
  const auto one = after(resolved, 40);
  resolved.run.threads = 3;
  const auto other = after(resolved, 40);
  for (const std::size_t species : {0U, 1U, 2U})
    expect_same(particles_of(*one, species), particles_of(*other, species));
}

TEST_P(ParticlesTest, that_would_move_too_far_end_the_run_with_their_place) {
  const auto simulation = started(case_of(box_at_rest + R"yaml(
particles:
  shot: {count: 3, positions: [5+n, 20, 3], velocity: [0, 60*(n>1), 0], diameter: 0.03,
         density: 1e6}
)yaml"));
  simulation->advance();
  try {
    simulation->diagnostics();
    FAIL() << "nothing was thrown";
  } catch (const DivergenceError& error) {
    EXPECT_NE(std::string(error.what()).find("particle 2 of shot, at (7, 20, 3)"),
              std::string::npos)
        << error.what();
  }
}

TEST_P(ParticlesTest, outside_of_the_box_are_refused_with_their_number) {
  const Case resolved = case_of(turbulent_box + R"yaml(time: {step: 0.01, steps: 1}
particles: {dust: {count: 9, positions: [0.5, n/5, 0.5]}}
)yaml");
  try {
    static_cast<void>(started(resolved));
    FAIL() << "nothing was thrown";
  } catch (const CaseError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("particles.dust.positions: particle n = 6 is at (0.5, 1.2, 0.5)"),
              std::string::npos)
        << message;
  }
}

TEST_P(ParticlesTest, leave_the_flow_as_it_is) {
  const auto with = after(case_of(with_particles("implicit")), 12);
  const auto without = after(case_of(turbulent_box + "time: {step: 0.03, steps: 1000}\n"), 12);
  const FlowState one = state_of(*with);
  const FlowState other = state_of(*without);
  ASSERT_EQ(one.fields.size(), other.fields.size());
  for (std::size_t n = 0; n < one.fields.size(); ++n)
    EXPECT_EQ(std::memcmp(one.fields[n].data(), other.fields[n].data(), one.fields[n].bytes()), 0);
}

/// A file of particles at rest with diameters, which goes when the test is over.
class StartFile {
 public:
  StartFile(const std::vector<double>& positions, const std::vector<double>& diameters)
      : path_(::testing::TempDir() + "start_" + std::to_string(::getpid()) + ".h5") {
    Hdf5File file = Hdf5File::create(path_, Hdf5Format::compatible);
    write(file, "position", {diameters.size(), 3}, positions);
    write(file, "velocity", {diameters.size(), 3}, std::vector<double>(positions.size(), 0));
    write(file, "diameter", {diameters.size()}, diameters);
    file.close();
  }
  ~StartFile() { std::remove(path_.c_str()); }
  StartFile(const StartFile&) = delete;
  StartFile& operator=(const StartFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static void write(Hdf5File& file,
                    const std::string& name,
                    const std::vector<hsize_t>& shape,
                    const std::vector<double>& values) {
    DatasetWriter dataset = file.create_dataset(name, {.shape = shape});
    dataset.append(shape[0], values.data());
    dataset.close();
  }

  std::string path_;
};

/// tau ~ d^2; the box is 49 high, and the first two fall through its lower end.
TEST_P(ParticlesTest, with_diameters_of_their_own_settle_each_by_its_own) {
  const std::vector<double> diameters{0.03, 0.02, 0.01};
  const StartFile file({1, 20, 3, 2, 10, 4, 3, 45, 5}, diameters);
  const std::string species = "particles: {dust: {file: " + file.path() +
                              ", diameter: 0.03, density: 1000, gravity: [0, -1, 0]}}\n";
  const Case resolved =
      case_of(box_at_rest + species +
              "output: {trajectories: {every: 1, dust: {variables: [unwrapped, diameter]}}}\n");
  const auto simulation = after(resolved, 20);
  const ParticleCopy dust = particles_of(*simulation);
  ASSERT_EQ(dust.diameters, diameters);
  ASSERT_EQ(dust.turns.size(), 9U);
  for (std::size_t n = 0; n < 3; ++n) {
    const double tau = 5 * std::pow(diameters[n] / 0.03, 2);
    const double speed = 0.999 * tau * (1 - std::exp(-10 / tau));
    const double way = 0.999 * tau * 10 - tau * speed;
    const double from = n == 0 ? 20 : n == 1 ? 10 : 45;
    EXPECT_NEAR(dust.velocities[3 * n + 1], -speed, tolerance(1e-11, 3e-6)) << n;
    EXPECT_NEAR(
        dust.positions[3 * n + 1] + 49 * dust.turns[3 * n + 1], from - way, tolerance(1e-10, 3e-5))
        << n;
    EXPECT_EQ(dust.turns[3 * n + 1], n < 2 ? -1 : 0);
    EXPECT_EQ(dust.turns[3 * n], 0);
  }
  // What a copy holds goes on.
  const auto before = after(resolved, 11);
  const FlowState copy = state_of(*before);
  const auto resumed = make_simulation(resolved);
  resumed->set_state(copy);
  for (int n = 11; n < 20; ++n) resumed->advance();
  const ParticleCopy again = particles_of(*resumed);
  EXPECT_EQ(again.positions, dust.positions);
  EXPECT_EQ(again.turns, dust.turns);
  EXPECT_EQ(again.diameters, dust.diameters);
}

/// A particle of a third of the diameter gives the fluid a 27th at the same velocity: as one of a
/// species of its own does.
TEST_P(ParticlesTest, with_diameters_of_their_own_act_on_the_flow_as_those_of_several_species) {
  const std::vector<double> diameters{0.03, 0.01, 0.02};
  const StartFile file({0.2, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.7, 0.2}, diameters);
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const std::string flow =
        turbulent_box + "time: {step: 0.02, steps: 100, scheme: " + scheme + "}\n";
    const std::string more =
        " density: 400, gravity: [0, -2, 0], drag: schiller_naumann, coupling: two_way}";
    const auto one = after(case_of(flow + "particles: {dust: {file: " + file.path() +
                                   ", diameter: 0.03," + more + "}\n"),
                           15);
    const auto several = after(
        case_of(flow +
                "particles:\n"
                "  a: {count: 1, velocity: [0, 0, 0], positions: [0.2, 0.3, 0.4], diameter: 0.03," +
                more +
                "\n  b: {count: 1, velocity: [0, 0, 0], positions: [0.6, 0.5, 0.7], diameter: "
                "0.01," +
                more +
                "\n  c: {count: 1, velocity: [0, 0, 0], positions: [0.8, 0.7, 0.2], diameter: "
                "0.02," +
                more + "\n"),
        15);
    const ParticleCopy dust = particles_of(*one);
    double far = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      const ParticleCopy alone = particles_of(*several, n);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        far = larger_or_nan(far, std::abs(dust.positions[3 * n + axis] - alone.positions[axis]));
        far = larger_or_nan(far, std::abs(dust.velocities[3 * n + axis] - alone.velocities[axis]));
      }
    }
    EXPECT_LT(far, tolerance(1e-10, 1e-4)) << scheme;
    // The smallest alone falls at a ninth of the speed.
    EXPECT_GT(std::abs(dust.velocities[1] - dust.velocities[4]), 0.03) << scheme;
    const double energy = one->diagnostics().kinetic_energy;
    EXPECT_NEAR(energy / several->diagnostics().kinetic_energy, 1, tolerance(1e-9, 1e-5)) << scheme;
  }
}

TEST_P(ParticlesTest, with_diameters_of_their_own_that_are_wrong_are_refused_with_their_number) {
  const StartFile file({0.2, 0.3, 0.4, 0.6, 0.5, 0.7}, {0.03, 0.5});
  const Case resolved = case_of(
      turbulent_box + "time: {step: 0.01, steps: 1}\nparticles: {dust: {file: " + file.path() +
      ", diameter: 0.03, density: 10}}\n");
  try {
    (void)started(resolved);
    FAIL() << "nothing was thrown";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("dataset diameter: particle 1 has 0.5, but must have "
                        "more than 0 and at most 0.111111"),
              std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ParticlesTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_particles
