/// Orders 2 to 8 and time scheme runge_kutta against numbers of an independent program in Python
/// that does the same in other words, and against exact flows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"
#include "solver/numerics/staggered_orders.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_runge_kutta {
namespace {

class RungeKuttaFlow : public OnEveryTarget {};

constexpr double two_pi = 2 * std::numbers::pi;

/// Faces that are equal but for a part in 10^12: the axis counts as stretched, with implicit
/// diffusion.
std::string almost_uniform(int cells, double length) {
  std::string faces;
  for (int face = 0; face <= cells; ++face) {
    const double shift = face % 2 == 1 ? 1e-12 * length / cells : 0;
    faces += fmt::format("{}{:.17g}", face == 0 ? "" : ", ", length * face / cells + shift);
  }
  return fmt::format("{{coordinates: [{}]}}", faces);
}

std::string taylor_green(const std::string& order, const std::string& stretching) {
  return fmt::format(R"yaml(
case: taylor_green
scheme: projection
grid: {{points: [16, 16, 16], length: [{0:.17g}, {0:.17g}, {0:.17g}]{2}}}
accuracy: {{order: {1}}}
fluid: {{reynolds: 100}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"]}}
time: {{scheme: runge_kutta, step: 0.02, steps: 50}}
)yaml",
                     two_pi,
                     order,
                     stretching);
}

TEST_P(RungeKuttaFlow, taylor_green_has_the_energy_and_dissipation_of_the_model) {
  struct Expected {
    std::string order;
    double energy, dissipation;
    bool is_implicit_along_y = false;
  };
  const std::vector<Expected> all{
      {"2", 1.17619387542250e-01, 7.53467001496683e-03},
      {"4", 1.17487032263859e-01, 7.75065478766535e-03},
      {"6", 1.17481698163140e-01, 7.76522956952394e-03},
      {"8", 1.17481124307085e-01, 7.76748319352794e-03},
      {"[6, 2, 6]", 1.17527020737541e-01, 7.68665046955395e-03},
      {"[6, 2, 4]", 1.17528411088894e-01, 7.68356889091363e-03},
      {"[2, 4, 2]", 1.17572604139580e-01, 7.61359746397878e-03},
      {"[4, 6, 8]", 1.17483543147763e-01, 7.75984424075663e-03},
      {"6", 1.17527019020993e-01, 7.68665037902713e-03, true},  // 6, 2, 6
  };
  for (const Expected& expected : all) {
    const std::string stretching =
        expected.is_implicit_along_y ? ", stretching: {y: " + almost_uniform(16, two_pi) + "}" : "";
    auto simulation = after(case_of(taylor_green(expected.order, stretching)), 50);
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    // 150 stages of a few roundings each; the cells that are not quite equal.
    const double tolerance =
        is_double() ? (expected.is_implicit_along_y ? 2e-11 : 1e-13) : 200 * epsilon();
    EXPECT_NEAR(diagnostics.kinetic_energy, expected.energy, tolerance * expected.energy)
        << expected.order;
    EXPECT_NEAR(diagnostics.dissipation, expected.dissipation, 4 * tolerance * expected.dissipation)
        << expected.order;
    EXPECT_LT(diagnostics.divergence_max, 200 * epsilon()) << expected.order;
  }
}

constexpr PerAxis<double> speed{1.0, 0.7, -0.4};

/// Antuono's Beltrami flow (2020), carried along by a uniform velocity: an exact solution.
double moving_beltrami(int component, PerAxis<double> place, double t, double nu) {
  PerAxis<double> x{};
  for (int n = 0; n < 3; ++n) {
    const int axis = (component + n) % 3;
    x[n] = place[axis] - speed[axis] * t;
  }
  const double five = 5 * std::numbers::pi / 6;
  const double one = std::numbers::pi / 6;
  const double u = std::sin(x[0] - five) * std::cos(x[1] - one) * std::sin(x[2]) -
                   std::cos(x[2] - five) * std::sin(x[0] - one) * std::sin(x[1]);
  return speed[component] +
         4 * std::numbers::sqrt2 / (3 * std::sqrt(3.0)) * u * std::exp(-3 * nu * t);
}

std::string beltrami_case(const std::string& order,
                          PerAxis<int> n,
                          double dt,
                          const std::string& stretching = "") {
  std::string velocity;
  for (int component = 0; component < 3; ++component) {
    const std::array names{"x", "y", "z"};
    const auto name = [&](int further) { return names.at((component + further) % 3); };
    velocity += fmt::format(
        "{}\"{:.17g}+{:.17g}*(sin({}-5*pi/6)*cos({}-pi/6)*sin({})-cos({}-5*pi/6)*sin({}-pi/6)*sin({"
        "}))\"",
        component == 0 ? "" : ", ",
        speed[component],
        4 * std::numbers::sqrt2 / (3 * std::sqrt(3.0)),
        name(0),
        name(1),
        name(2),
        name(2),
        name(0),
        name(1));
  }
  return fmt::format(R"yaml(
case: beltrami
scheme: projection
grid: {{points: [{0}, {1}, {2}], length: [{3:.17g}, {3:.17g}, {3:.17g}]{4}}}
accuracy: {{order: {5}}}
fluid: {{reynolds: 20}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [{6}]}}
time: {{scheme: runge_kutta, step: {7:.17g}, steps: 100000}}
)yaml",
                     n[0],
                     n[1],
                     n[2],
                     two_pi,
                     stretching,
                     order,
                     velocity,
                     dt);
}

/// All velocities at their faces, one component after the other.
std::vector<double> velocities(const Case& resolved, const Simulation& simulation) {
  const FlowState state = state_of(simulation);
  const Extents n = resolved.grid.points;
  std::vector<double> all;
  for (const auto name : velocity_names) {
    const std::vector<double> stored = values_of(state, name);
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      const auto at = (static_cast<std::size_t>(c.k + 1) * static_cast<std::size_t>(n.ny + 2) +
                       static_cast<std::size_t>(c.j + 1)) *
                          static_cast<std::size_t>(n.nx + 2) +
                      static_cast<std::size_t>(c.i + 1);
      all.push_back(stored.at(at));
    });
  }
  return all;
}

std::vector<double> exact_velocities(const Case& resolved, double t) {
  const StaggeredGrid grid = staggered_grid(resolved);
  const Extents n = resolved.grid.points;
  std::vector<double> all;
  for (int component = 0; component < 3; ++component) {
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      PerAxis<double> place{};
      for (int axis = 0; axis < 3; ++axis) {
        const StaggeredAxis& along = grid[axis];
        place[axis] = axis == component ? along.face(c[axis]) : along.centre(c[axis]);
      }
      all.push_back(moving_beltrami(component, place, t, 0.05));
    });
  }
  return all;
}

double root_mean_square_of_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += (a[n] - b[n]) * (a[n] - b[n]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST_P(RungeKuttaFlow, errors_in_space_are_those_of_the_model) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  struct Expected {
    const char* order;
    PerAxis<double> error;
  };
  for (const auto& [order, error] : std::array<Expected, 4>{{{"2", {3.18e-2, 1.46e-2, 8.29e-3}},
                                                             {"4", {7.30e-3, 1.59e-3, 5.22e-4}},
                                                             {"6", {2.78e-3, 2.99e-4, 5.72e-5}},
                                                             {"8", {1.19e-3, 6.35e-5, 7.10e-6}}}}) {
    for (int k = 2; k <= 4; ++k) {
      const Case resolved = case_of(beltrami_case(order, {4 * k, 6 * k, 8 * k}, 0.005));
      const auto simulation = after(resolved, 100);
      const double found = root_mean_square_of_difference(velocities(resolved, *simulation),
                                                          exact_velocities(resolved, 0.5));
      const double expected = error[k - 2];
      EXPECT_NEAR(found, expected, 0.01 * expected) << "order " << order << ", " << 4 * k;
    }
  }
}

/// Against much shorter steps on the same grid. The model has 1/640 in place of 1/320, which moves
/// the differences by a part in 500.
TEST_P(RungeKuttaFlow, errors_in_time_fall_with_the_third_power_of_the_step) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  const auto errors = [](const std::string& order, const std::string& stretching) {
    const auto flow = [&](int steps) {
      const Case resolved = case_of(beltrami_case(order, {16, 16, 16}, 1.0 / steps, stretching));
      return velocities(resolved, *after(resolved, steps));
    };
    const std::vector<double> exact = flow(320);
    return std::array{root_mean_square_of_difference(flow(20), exact),
                      root_mean_square_of_difference(flow(40), exact)};
  };
  for (const char* order : {"4", "6", "8"}) {
    const auto [coarse, fine] = errors(order, "");
    EXPECT_NEAR(coarse, 2.95e-5, 0.03 * 2.95e-5) << order;
    EXPECT_NEAR(fine, 3.67e-6, 0.03 * 3.67e-6) << order;
    EXPECT_NEAR(order_of(coarse, fine), 3, 0.05) << order;
  }
  const auto [coarse, fine] = errors("6", ", stretching: {y: " + almost_uniform(16, two_pi) + "}");
  EXPECT_NEAR(coarse, 3.44e-5, 0.03 * 3.44e-5);
  EXPECT_NEAR(fine, 4.91e-6, 0.03 * 4.91e-6);
}

TEST_P(RungeKuttaFlow, energy_without_viscosity_falls_by_the_error_in_time_and_never_grows) {
  for (const char* order : {"4", "6", "8", "[6, 2, 4]"}) {
    std::vector<double> changes;
    for (const double cfl : {0.5, 0.25}) {
      auto simulation = started(case_of(fmt::format(R"yaml(
case: inviscid
scheme: projection
grid: {{points: [16, 14, 18], length: [{0:.17g}, {0:.17g}, {0:.17g}]}}
accuracy: {{order: {1}}}
fluid: {{reynolds: 1e15}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["0.5+sin(x+1)*cos(2*y)*cos(z)", "-cos(x)*sin(2*y)*cos(z)+0.4*sin(z)", "0.5*cos(x-y)"]}}
time: {{scheme: runge_kutta, cfl: {2}, end: 3}}
)yaml",
                                                    two_pi,
                                                    order,
                                                    cfl)));
      const double before = simulation->diagnostics().kinetic_energy;
      double highest = before;
      while (simulation->time() < 3 - 1e-9) {
        simulation->advance();
        highest = std::max(highest, simulation->diagnostics().kinetic_energy);
      }
      changes.push_back(simulation->diagnostics().kinetic_energy / before - 1);
      EXPECT_LE(highest, before * (1 + 20 * epsilon())) << order;
      EXPECT_GT(changes.back(), -2e-2) << order;
    }
    // dt^3, of which steps of another length at the end take a little; roundings of floats hide it.
    if (is_double()) {
      EXPECT_GT(changes[0] / changes[1], 6) << order;
    }
  }
}

TEST_P(RungeKuttaFlow, implicit_diffusion_never_feeds_the_energy) {
  for (const double number : {1.0, 100.0, 1e4}) {  // nu dt/hy^2
    const double dt = 0.1 * two_pi / 12;
    const double height = two_pi / 1000;
    const double nu = number * std::pow(height / 12, 2) / dt;
    auto simulation = started(case_of(fmt::format(R"yaml(
case: diffusion
scheme: projection
grid: {{points: [12, 12, 12], length: [{0:.17g}, {1:.17g}, {0:.17g}], stretching: {{y: {2}}}}}
accuracy: {{order: 6}}
fluid: {{reynolds: {3:.17g}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0, 0, 0], noise: {{amplitude: 1e-6, seed: 3}}}}
time: {{step: {4:.17g}, steps: 100}}
)yaml",
                                                  two_pi,
                                                  height,
                                                  almost_uniform(12, height),
                                                  1 / nu,
                                                  dt)));
    const double before = simulation->diagnostics().kinetic_energy;
    EXPECT_GT(before, 0);
    for (int n = 0; n < 100; ++n) {
      simulation->advance();
      EXPECT_LE(simulation->diagnostics().kinetic_energy, before) << number << ", step " << n;
    }
  }
}

/// A channel of all that may change in a step: moving, oscillating and heated walls, buoyancy,
/// forces by formula, a held bulk velocity, uneven extents.
std::string full_channel(const std::string& walls, const std::string& time) {
  const std::string axis = walls;
  const std::string other = walls == "y" ? "z" : "y";
  return fmt::format(R"yaml(
case: channel
scheme: projection
grid: {{points: [11, 13, 18], length: [2, 1, 1.25], stretching: {{{0}: {{type: tanh, factor: 1.4}}}}}}
accuracy: {{order: 6}}
fluid: {{reynolds: 60, prandtl: 0.7}}
buoyancy: {{rayleigh: 2e3, direction: {0}, reference_temperature: 0.3}}
boundaries:
  x: periodic
  {1}: periodic
  {0}_min: {{type: wall, velocity: [{2}], temperature: 1}}
  {0}_max: {{type: wall, temperature: "0.2*sin(3*t)"}}
initial:
  velocity: ["1+0.3*sin(pi*x)*{0}", "0.2*cos(pi*x)*{0}", "0.1*sin(pi*x)"]
  temperature: "0.5+0.1*cos(pi*x)"
forcing: {{type: bulk_velocity, value: [1, 0, 0]}}
time: {{{3}}}
output: {{statistics: {{start: 0, every: 1}}}}
)yaml",
                     axis,
                     other,
                     walls == "y" ? R"yaml("0.3*sin(5*t)", 0, "0.2*cos(4*t)")yaml"
                                  : R"yaml("0.3*sin(5*t)", "0.2*cos(4*t)", 0)yaml",
                     time);
}

/// Both time schemes at order 2: the flows differ by the error in time, of second order.
TEST_P(RungeKuttaFlow, runge_kutta_and_implicit_steps_tend_to_the_same_flow) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  const std::string duct = R"yaml(
case: duct
scheme: projection
grid: {points: [8, 13, 12], length: [2, 1, 1.25], stretching: {y: {type: tanh, factor: 1.4}}}
fluid: {reynolds: 60, prandtl: 0.7}
buoyancy: {rayleigh: 2e3, direction: y}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: {gradient: 0}}
  z_min: {type: wall, velocity: ["0.3*sin(5*t)", 0, 0], temperature: 0.5}
  z_max: {type: symmetry}
initial:
  velocity: ["1+0.3*sin(pi*x)*y", "0.2*cos(pi*x)*y", "0.1*sin(pi*x)"]
  temperature: "0.5+0.1*cos(pi*x)"
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {step: 0.01, steps: 100000}
)yaml";
  std::string channel = full_channel("y", "step: 0.01, steps: 100000");
  channel.replace(channel.find("order: 6"), 8, "order: 2");
  for (const std::string& yaml : {channel, duct}) {
    std::vector<double> differences;
    for (const double dt : {0.02, 0.01, 0.005}) {
      std::vector<std::vector<double>> found;
      for (const TimeScheme scheme : {TimeScheme::implicit, TimeScheme::runge_kutta}) {
        Case resolved = case_of(yaml);
        resolved.time.scheme = scheme;
        resolved.time.step = dt;
        const auto simulation = after(resolved, static_cast<int>(std::lround(0.4 / dt)));
        found.push_back(velocities(resolved, *simulation));
        const std::vector<double> t = values_of(viewing_copy(*simulation), temperature_name);
        found.back().insert(found.back().end(), t.begin(), t.end());
      }
      differences.push_back(root_mean_square_of_difference(found[0], found[1]));
    }
    fmt::print("    {:.3g} {:.3g} {:.3g}\n", differences[0], differences[1], differences[2]);
    EXPECT_LT(differences[2], 1e-3);
    EXPECT_GT(differences[0] / differences[1], 3);
    EXPECT_GT(differences[1] / differences[2], 3);
  }
}

TEST_P(RungeKuttaFlow, restart_reproduces_every_bit) {
  for (const std::string& yaml : {full_channel("y", "cfl: 0.8, steps: 100"),
                                  full_channel("z", "step: 0.02, steps: 100"),
                                  taylor_green("[6, 2, 4]", ""),
                                  taylor_green("8", "")}) {
    const Case resolved = case_of(yaml);
    auto through = after(resolved, 7);
    const FlowState middle = state_of(*through);
    for (int n = 0; n < 6; ++n) through->advance();
    auto resumed = make_simulation(resolved);
    resumed->set_state(middle);
    for (int n = 0; n < 6; ++n) resumed->advance();
    EXPECT_TRUE(same_bits(state_of(*through), state_of(*resumed))) << yaml;
  }
}

/// A wave of differences of order 2 between walls half a cell beyond it, sin(pi s) at s = (j +
/// 1/2)/n, decays in each step by the polynomial of the three stages.
TEST_P(RungeKuttaFlow, explicit_diffusion_between_walls_has_the_polynomial_of_the_stages) {
  constexpr int n = 9;
  constexpr double dt = 0.01;
  constexpr int steps = 7;
  constexpr double reynolds = 3;
  const double rate = 2 * n * n * (1 - std::cos(std::numbers::pi / n)) / reynolds;  // of length 1
  const double z = rate * dt;
  const double expected = std::pow(1 - z + z * z / 2 - z * z * z / 6, steps);
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name = axis_name(axis);
    const std::string wave = "\"sin(pi*" + name + ")\"";
    std::string boundaries;
    std::string velocity;
    std::string points;
    for (int other = 0; other < 3; ++other) {
      boundaries += axis_name(other) + (other == axis ? ": wall, " : ": periodic, ");
      velocity += (velocity.empty() ? "" : ", ") + (other == (axis + 1) % 3 ? wave : "0");
      points += (points.empty() ? "" : ", ") + std::to_string(other == axis ? n : 4 + other);
    }
    const auto simulation = after(case_of(fmt::format(R"yaml(
case: wave
scheme: projection
grid: {{points: [{}], length: [1, 1, 1]}}
fluid: {{reynolds: {}}}
boundaries: {{{}}}
initial: {{velocity: [{}]}}
time: {{scheme: runge_kutta, step: {}, steps: 100, explicit_diffusion: [{}]}}
)yaml",
                                                      points,
                                                      reynolds,
                                                      boundaries.substr(0, boundaries.size() - 2),
                                                      velocity,
                                                      dt,
                                                      name)),
                                  steps);
    const double energy = simulation->diagnostics().kinetic_energy;  // 1/4 at the start
    EXPECT_NEAR(std::sqrt(4 * energy), expected, 20 * epsilon()) << name;
  }
}

TEST_P(RungeKuttaFlow, a_change_of_order_or_scheme_projects_the_flow_anew) {
  const double round_off = 400 * epsilon();
  const Case sixth = case_of(taylor_green("6", ""));
  Case second = case_of(taylor_green("2", ""));
  const FlowState of_sixth = state_of(*after(sixth, 5));
  auto as_second = make_simulation(second);
  as_second->set_state(of_sixth);
  EXPECT_LT(as_second->diagnostics().divergence_max, round_off);
  as_second->advance();
  EXPECT_LT(as_second->diagnostics().divergence_max, round_off);
  second.time.scheme = TimeScheme::implicit;
  auto as_implicit = make_simulation(second);
  as_implicit->set_state(of_sixth);
  EXPECT_LT(as_implicit->diagnostics().divergence_max, round_off);
  const double energy = as_implicit->diagnostics().kinetic_energy;
  for (int n = 0; n < 5; ++n) as_implicit->advance();
  EXPECT_LT(as_implicit->diagnostics().divergence_max, round_off);
  EXPECT_NEAR(as_implicit->diagnostics().kinetic_energy, energy, 1e-2 * energy);
  auto back = make_simulation(sixth);
  back->set_state(state_of(*as_implicit));
  EXPECT_LT(back->diagnostics().divergence_max, round_off);
  back->advance();
  EXPECT_NEAR(back->diagnostics().kinetic_energy, energy, 1e-2 * energy);
}

TEST_P(RungeKuttaFlow, the_bulk_velocity_is_held_and_walls_move) {
  const Case resolved = case_of(full_channel("y", "cfl: 0.8, steps: 100"));
  auto simulation = started(resolved);
  for (int n = 0; n < 12; ++n) {
    simulation->advance();
    EXPECT_NEAR(figure(*simulation, "bulk_velocity_x"), 1, 50 * epsilon());
    EXPECT_LT(simulation->diagnostics().divergence_max, 2000 * epsilon());
    EXPECT_LT(simulation->diagnostics().cfl, 1.3);
  }
}

/// Orders 6 along x and z, walls along y: what the diagnostics say balances, up to the error of the
/// trapezoidal rule in time.
TEST_P(RungeKuttaFlow, kinetic_energy_of_a_channel_changes_by_work_less_dissipation) {
  constexpr double force = 0.5;
  const auto unbalanced = [&](int steps) {
    auto simulation = started(case_of(fmt::format(R"yaml(
case: channel
scheme: projection
grid: {{points: [16, 13, 11], length: [2, 1, 1.5], stretching: {{y: {{type: tanh, factor: 1.4}}}}}}
accuracy: {{order: [6, 2, 6]}}
fluid: {{reynolds: 40}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: wall}}, z: periodic}}
initial:
  velocity:
    - "6*y*(1-y) + 16*(y*(1-y))^2*sin(pi*x)*cos(4*pi/3*z)"
    - 0
    - "8*(y*(1-y))^2*cos(pi*x)"
forcing: {{type: pressure_gradient, value: [{}, 0, 0]}}
time: {{step: {:.17g}, steps: {}}}
)yaml",
                                                  force,
                                                  0.4 / steps,
                                                  steps)));
    const auto gain = [&] {
      return force * figure(*simulation, "bulk_velocity_x") - simulation->diagnostics().dissipation;
    };
    const double before = simulation->diagnostics().kinetic_energy;
    double gained = 0;
    for (int n = 0; n < steps; ++n) {
      const double at_begin = gain();
      simulation->advance();
      gained += 0.2 / steps * (at_begin + gain());
    }
    return (simulation->diagnostics().kinetic_energy - before) / gained - 1;
  };
  const double coarse = unbalanced(20);
  const double fine = unbalanced(40);
  EXPECT_LT(std::abs(coarse), 1e-2);
  if (is_double()) {
    EXPECT_NEAR(order_of(coarse, fine), 2, 0.3);
  }
}

/// Couette's profile between a resting and a moving wall, and Poiseuille's of a given pressure
/// gradient, are exact in differences of order 2: steady from the start.
TEST_P(RungeKuttaFlow, laminar_profiles_stay_as_they_are) {
  const Case resolved = case_of(R"yaml(
case: laminar
scheme: projection
grid: {points: [9, 16, 8], length: [1, 2, 1]}
accuracy: {order: 8}
fluid: {reynolds: 50}
boundaries:
  x: periodic
  y_min: {type: wall}
  y_max: {type: wall, velocity: [0.5, 0, 0]}
  z: periodic
initial: {velocity: ["0.25*y+y*(2-y)+1/256", 0, 0]}
forcing: {type: pressure_gradient, value: [0.04, 0, 0]}
time: {step: 0.05, steps: 100}
)yaml");
  const std::vector<double> expected = at_centres(
      resolved,
      [](double /*x*/, double y, double /*z*/) { return 0.25 * y + y * (2 - y) + 1.0 / 256; });
  const std::vector<double> found = values_of(viewing_copy(*after(resolved, 60)), velocity_x_name);
  for (std::size_t n = 0; n < found.size(); ++n)
    EXPECT_NEAR(found[n], expected[n], 400 * epsilon()) << n;
}

/// A wave of T in a uniform stream, exp(i k x): D makes i d of it, I the factor m, so that
/// dT/dt = lambda T with lambda = - i U d m - kappa d^2, and a step multiplies it by
/// 1 + z + z^2/2 + z^3/6, z = lambda dt.
TEST_P(RungeKuttaFlow, temperature_is_advected_and_diffused_by_the_known_symbols) {
  constexpr int steps = 20;
  constexpr double dt = 0.02;
  for (const int order : {2, 4, 6, 8}) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: wave
scheme: projection
grid: {{points: [14, 9, 11], length: [{0:.17g}, 5, 4]}}
accuracy: {{order: {1}}}
fluid: {{reynolds: 100, prandtl: 0.5}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0.8, 0, 0], temperature: "sin(3*x)"}}
time: {{scheme: runge_kutta, step: {2}, steps: {3}}}
)yaml",
                                              two_pi,
                                              order,
                                              dt,
                                              steps));
    const std::vector<double> found =
        values_of(viewing_copy(*after(resolved, steps)), temperature_name);
    const double h = two_pi / 14;
    double difference = 0;
    double mean = 0;
    for (int pair = 0; pair < order / 2; ++pair) {
      const int m = 2 * pair + 1;
      difference += weight_of_order(order, pair) / m * 2 * std::sin(m * 1.5 * h) / h;
      mean += weight_of_order(order, pair) * std::cos(m * 1.5 * h);
    }
    const std::complex<double> z =
        dt * std::complex<double>(-0.02 * difference * difference, -0.8 * difference * mean);
    const std::complex<double> factor = std::pow(1.0 + z + z * z / 2.0 + z * z * z / 6.0, steps);
    const std::vector<double> expected =
        at_centres(resolved, [&](double x, double /*y*/, double /*z*/) {
          return (factor * std::exp(std::complex<double>(0, 3 * x))).imag();
        });
    for (std::size_t n = 0; n < found.size(); ++n)
      EXPECT_NEAR(found[n], expected[n], 100 * epsilon()) << "order " << order << ", " << n;
  }
}

/// Buoyancy does the work that the advection of T takes: without diffusion the sum of kinetic and
/// potential energy changes by the error in time alone.
TEST_P(RungeKuttaFlow, buoyancy_exchanges_energy_without_making_any) {
  if (!is_double()) GTEST_SKIP() << "the drift falls below the round-off of floats";
  const auto drift = [](double dt) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: waves
scheme: projection
grid: {{points: [12, 15, 9], length: [2, 1, 1.5], stretching: {{y: {{type: tanh, factor: 1.2}}}}}}
accuracy: {{order: 6}}
fluid: {{reynolds: 1e12, prandtl: 1}}
buoyancy: {{rayleigh: 2e24}}
boundaries:
  x: periodic
  y_min: {{type: symmetry}}
  y_max: {{type: symmetry}}
  z: periodic
initial: {{velocity: ["0.3*sin(pi*x)*cos(pi*y)", "-0.3*cos(pi*x)*sin(pi*y)", "0.2*cos(pi*x)"], temperature: "y+0.2*cos(pi*x)*cos(4*pi*z/3)"}}
time: {{step: {}, steps: 100000}}
)yaml",
                                              dt));
    const std::vector<double> shares = volume_shares(resolved);
    const std::vector<double> heights =
        at_centres(resolved, [](double /*x*/, double y, double /*z*/) { return y; });
    const auto energy = [&](Simulation& simulation) {
      const std::vector<double> t = values_of(viewing_copy(simulation), temperature_name);
      double sum = simulation.diagnostics().kinetic_energy;
      for (std::size_t n = 0; n < t.size(); ++n)
        sum -= resolved.buoyancy_factor() * shares[n] * t[n] * heights[n];
      return sum;
    };
    auto simulation = started(resolved);
    const double before = energy(*simulation);
    while (simulation->time() < 1 - 1e-9) simulation->advance();
    return std::abs(energy(*simulation) - before);
  };
  const double coarse = drift(0.04);
  const double fine = drift(0.02);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_GT(coarse / fine, 6) << coarse << ' ' << fine << ' ' << drift(0.01);
}

TEST_P(RungeKuttaFlow, steps_beyond_the_limit_are_shortened_or_refused) {
  const auto with = [](const std::string& time) {
    std::string yaml = taylor_green("6", "");
    yaml.replace(yaml.find("time:"), std::string::npos, "time: " + time + "\n");
    return case_of(yaml);
  };
  auto shortened = after(with("{cfl: 20, steps: 20}"), 20);
  EXPECT_LT(shortened->diagnostics().cfl, 1.1);
  const double energy = shortened->diagnostics().kinetic_energy;
  EXPECT_LT(energy, 0.125);
  EXPECT_GT(energy, 0.05);
  EXPECT_THROW(started(with("{step: 0.4, steps: 20}")), CaseError);
  EXPECT_NO_THROW(started(with("{step: 0.1, steps: 20}")));
}

/// A flow along an axis of order 2 may go further in a step than along one of order 6.
TEST_P(RungeKuttaFlow, the_longest_steps_are_stable_along_each_axis) {
  for (const auto& [velocity, least_cfl] :
       {std::pair{"1, 0.02, 0", 1.0}, std::pair{"0, 1, 0.02", 1.5}}) {
    auto simulation = started(case_of(fmt::format(R"yaml(
case: carried_noise
scheme: projection
grid: {{points: [16, 14, 18], length: [1, 1, 1]}}
accuracy: {{order: [6, 2, 6]}}
fluid: {{reynolds: 1e15}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [{}], noise: {{amplitude: 0.01, seed: 5}}}}
time: {{cfl: 5, steps: 200}}
)yaml",
                                                  velocity)));
    const double before = simulation->diagnostics().kinetic_energy;
    for (int n = 0; n < 200; ++n) {
      simulation->advance();
      EXPECT_LE(simulation->diagnostics().kinetic_energy, before * (1 + 20 * epsilon())) << n;
    }
    EXPECT_GT(simulation->diagnostics().cfl, least_cfl);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RungeKuttaFlow, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_runge_kutta
