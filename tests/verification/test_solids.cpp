/// Flows around solid bodies, against exact solutions, balances and other ways to pose the same.
/// The expected errors of the flow between cylinders are those of an independent model of the
/// method in Python (numpy, double, two dimensions).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/solids/solid_points.hpp"
#include "solver/statistics/average_names.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_solids {
namespace {

using std::numbers::pi;

class Solids : public OnEveryTarget {};

double named(const Simulation& simulation, const FlowDiagnostics& diagnostics, const char* name) {
  const std::vector<std::string> names = simulation.diagnostic_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::out_of_range(fmt::format("no column {}", name));
  return diagnostics.others.at(found - names.begin());
}

/// A value at every unknown of a variable, as a copy for restart has it.
template <class Visit>
void for_each_unknown(const Case& resolved, const FlowState& state, int variable, Visit visit) {
  const StaggeredGrid grid = staggered_grid(resolved);
  const auto name = variable == 3 ? temperature_name : velocity_names[variable];
  const std::vector<double> values = values_of(state, name);
  const Extents n = resolved.grid.points;
  const auto place = [&](int axis, int index) {
    const StaggeredAxis& along = grid[axis];
    return axis == variable ? along.face(index) : along.centre(index);
  };
  const auto width = [&](int axis, int index) {
    const StaggeredAxis& along = grid[axis];
    return axis == variable ? along.mirrored_distance(index) : along.width(index);
  };
  for (int k = 0; k < n.nz; ++k) {
    for (int j = 0; j < n.ny; ++j) {
      for (int i = 0; i < n.nx; ++i) {
        const auto row = static_cast<std::size_t>(k + 1) * static_cast<std::size_t>(n.ny + 2) +
                         static_cast<std::size_t>(j + 1);
        const auto at = row * static_cast<std::size_t>(n.nx + 2) + static_cast<std::size_t>(i + 1);
        visit(values[at],
              PerAxis<double>{place(0, i), place(1, j), place(2, k)},
              width(0, i) * width(1, j) * width(2, k),
              Index3{i, j, k});
      }
    }
  }
}

/// Flow between a turning cylinder and a resting one around it, on a stretched grid, off its
/// centre: u_theta = A r + B/r, T = log r.
struct Cylinders {
  static constexpr double inner = 0.35, outer = 0.9, x0 = 0.013, y0 = -0.021;
  static constexpr double turn = 1 / inner;
  static constexpr double gap = outer * outer - inner * inner;
  static constexpr double a = -turn * inner * inner / gap;
  static constexpr double b = turn * inner * inner * outer * outer / gap;

  static std::string faces(int n, double amplitude) {
    std::string text;
    for (int j = 0; j <= n; ++j) {
      const double s = -1 + 2.0 * j / n;
      text += fmt::format("{}{:.17g}", j == 0 ? "" : ", ", s + amplitude * std::sin(pi * s) / pi);
    }
    return "[" + text + "]";
  }

  static std::string yaml(int n, const char* time_scheme) {
    const std::string r = fmt::format("sqrt((x-{})^2+(y+{})^2)", x0, -y0);
    return fmt::format(
        R"yaml(
scheme: projection
grid:
  points: [{n}, {n}, 4]
  length: [2, 2, 0.25]
  origin: [-1, -1, 0]
  stretching:
    x: {{type: coordinates, coordinates: {fx}}}
    y: {{type: coordinates, coordinates: {fy}}}
fluid: {{reynolds: 20, prandtl: 1}}
boundaries:
  x_min: {{type: wall, temperature: {t2}}}
  x_max: {{type: wall, temperature: {t2}}}
  y_min: {{type: wall, temperature: {t2}}}
  y_max: {{type: wall, temperature: {t2}}}
  z: periodic
solids:
  core: {{shape: cylinder, center: [{x0}, {y0}, 0], radius: {r1}, axis: z, rotation: [0, 0, {w}], temperature: {t1}}}
  ring: {{shape: formula, surface: "{r2} - {r}", temperature: {t2}}}
initial:
  velocity: ["-(y-{y0})*({speed})", "(x-{x0})*({speed})", 0]
  temperature: "{r} < {r1} ? {t1} : {r} > {r2} ? {t2} : log({r})"
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
        fmt::arg("n", n),
        fmt::arg("scheme", time_scheme),
        fmt::arg("fx", faces(n, 0.15)),
        fmt::arg("fy", faces(n, -0.1)),
        fmt::arg("t1", std::log(inner)),
        fmt::arg("t2", std::log(outer)),
        fmt::arg("x0", x0),
        fmt::arg("y0", y0),
        fmt::arg("r1", inner),
        fmt::arg("r2", outer),
        fmt::arg("w", turn),
        fmt::arg("r", r),
        fmt::arg("speed",
                 fmt::format("{0} < {1} ? {2} : {0} > {3} ? 0 : {4} + {5}/({0})^2",
                             r,
                             inner,
                             turn,
                             outer,
                             a,
                             b)),
        fmt::arg("dt", 0.8 / n));
  }

  static double exact(int variable, const PerAxis<double>& x) {
    const double dx = x[0] - x0;
    const double dy = x[1] - y0;
    const double r = std::hypot(dx, dy);
    if (variable == 3) return std::log(r);
    if (variable == 2) return 0;
    const double speed = a + b / (r * r);
    return variable == 0 ? -dy * speed : dx * speed;
  }
  static bool is_between(const PerAxis<double>& x) {
    const double r = std::hypot(x[0] - x0, x[1] - y0);
    return r > inner && r < outer;
  }

  struct Errors {
    double velocity = 0, temperature = 0;
  };
  static Errors of(const Case& resolved, const Simulation& simulation) {
    const FlowState state = state_of(simulation);
    const std::vector<SolidPoints> points =
        find_solid_points(resolved, whole_box(resolved), alone());
    std::array<double, 4> sums{};
    for (const int variable : {0, 1, 2, 3}) {
      const SolidPoints& of = points[variable];
      for_each_unknown(
          resolved, state, variable, [&](double value, const auto& x, double volume, Index3 c) {
            const bool is_fluid = is_between(x) && of.body_at(c) == no_body;
            const double error = is_fluid ? value - exact(variable, x) : 0;
            sums[variable] += volume * error * error;
          });
    }
    const double volume = pi * gap * resolved.grid.length[2];
    return {std::sqrt((sums[0] + sums[1] + sums[2]) / volume), std::sqrt(sums[3] / volume)};
  }
};

TEST_P(Solids, flow_between_cylinders_has_the_errors_of_the_method_and_their_order) {
  const std::array<double, 2> expected{7.77e-3, 2.47e-3};
  std::array<Cylinders::Errors, 2> errors;
  for (const std::size_t level : {0, 1, 0}) {
    const int n = level == 0 ? 24 : 48;
    const bool is_again = errors[1].velocity > 0;  // by stages
    const Case resolved = case_of(Cylinders::yaml(n, is_again ? "runge_kutta" : "implicit"));
    const auto simulation = after(resolved, 8 * n);
    errors[level] = Cylinders::of(resolved, *simulation);
    EXPECT_NEAR(errors[level].velocity / expected[level], 1, 0.05);
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    const double round_off = is_double() ? 1e-12 : 2e-4;
    EXPECT_LT(diagnostics.divergence_max, round_off);
    EXPECT_LT(named(*simulation, diagnostics, "body_slip"), is_double() ? 1e-6 : 1e-4);
    // The steady torque of the inner cylinder, 4 pi nu B for each length, is that of the ring.
    const double torque = 4 * pi * resolved.viscosity() * Cylinders::b * resolved.grid.length[2];
    const double on_core = named(*simulation, diagnostics, "torque_core_z");
    const double on_ring = named(*simulation, diagnostics, "torque_ring_z");
    EXPECT_NEAR(on_core / -torque, 1, level == 0 ? 0.05 : 0.02);
    EXPECT_NEAR(on_ring / torque, 1, level == 0 ? 0.05 : 0.02);
    // So is its heat.
    const double heat = -2 * pi * resolved.conductivity() * resolved.grid.length[2];
    EXPECT_NEAR(named(*simulation, diagnostics, "heat_core") / heat, 1, 0.02);
    EXPECT_NEAR(named(*simulation, diagnostics, "heat_ring") / -heat, 1, 0.02);
  }
  EXPECT_GT(std::log2(errors[0].temperature / errors[1].temperature), 1.9);
  EXPECT_GT(std::log2(errors[0].velocity / errors[1].velocity), 1.4);
}

/// A body whose surfaces lie on faces of cells is a channel's walls.
TEST_P(Solids, bodies_on_cell_faces_are_walls) {
  const auto yaml = [](int cells, double low, double length, const char* solids) {
    return fmt::format(R"yaml(
scheme: projection
grid: {{points: [5, {}, 6], length: [1, {}, 1], origin: [0, {}, 0]}}
fluid: {{reynolds: 5}}
boundaries:
  x: periodic
  y_min: {{type: wall}}
  y_max: {{type: wall}}
  z: periodic
{}
initial: {{velocity: ["0.1*sin(2*pi*z)", 0, "0.1*cos(2*pi*x)"]}}
forcing: {{type: pressure_gradient, value: [1, 0, 0.5]}}
time: {{step: 0.05, steps: 100000}}
)yaml",
                       cells,
                       length,
                       low,
                       solids);
  };
  const Case walls = case_of(yaml(16, 0, 1, ""));
  Case bodies = case_of(yaml(24, -0.25, 1.5, R"yaml(
solids:
  low: {shape: box, min: [-1, -1, -1], max: [2, 0, 2]}
  high: {shape: box, min: [-1, 1, -1], max: [2, 2, 2]}
)yaml"));
  const int steps = 750;
  const FlowState expected = state_of(*after(walls, steps));
  for (const TimeScheme scheme : {TimeScheme::implicit, TimeScheme::runge_kutta}) {
    bodies.time.scheme = scheme;
    bodies.time.step = 0.04;
    const auto simulation = after(bodies, steps);
    const FlowState state = state_of(*simulation);
    double largest = 0;
    for (const int variable : {0, 1, 2}) {
      std::vector<double> inside;
      for_each_unknown(
          bodies, state, variable, [&](double value, const auto& x, double /*volume*/, Index3) {
            if (x[1] > -1e-9 && x[1] < 1 - 1e-9) inside.push_back(value);
          });
      std::size_t n = 0;
      for_each_unknown(walls, expected, variable, [&](double value, const auto&, double, Index3) {
        largest = larger_or_nan(largest, std::abs(value - inside.at(n++)));
      });
      EXPECT_EQ(n, inside.size());
    }
    EXPECT_LT(largest, is_double() ? 1e-9 : 2e-5);
    // The force on both bodies is that on walls and on the fluid that they displace.
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    const double force = named(*simulation, diagnostics, "force_low_x") +
                         named(*simulation, diagnostics, "force_high_x");
    EXPECT_NEAR(force, 1.5, is_double() ? 1e-6 : 1e-3);
  }
}

std::string array_of_spheres(const std::string& more) {
  return R"yaml(
scheme: projection
grid: {points: [18, 15, 21], length: [1.2, 1, 1.4]}
fluid: {reynolds: 4, prandtl: 0.7}
boundaries: {x: periodic, y: periodic, z: periodic}
solids:
  ball: {shape: sphere, center: [0.1, 0.47, 0.61], radius: 0.31, temperature: 1}
  rod: {shape: cylinder, center: [0.7, 0.5, 0.9], radius: 0.17, axis: y, temperature: 0}
initial: {velocity: ["1+0.1*sin(2*pi*y)", "0.1*sin(2*pi*x/1.2)", 0], temperature: 0.5}
time: {step: 0.02, steps: 100000}
output:
  timeseries: {every: 200}
)yaml" + more;
}

TEST_P(Solids, forces_of_a_steady_flow_are_what_drives_it) {
  Case resolved =
      case_of(array_of_spheres("forcing: {type: pressure_gradient, value: [0.3, 0.1, -0.2]}\n"));
  for (const TimeScheme scheme : {TimeScheme::implicit, TimeScheme::runge_kutta}) {
    resolved.time.scheme = scheme;
    const bool is_explicit = scheme == TimeScheme::runge_kutta;
    if (is_explicit) resolved.time.step = 0.0024;
    const auto simulation = after(resolved, is_explicit ? 3000 : 2000);
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    const double volume = 1.2 * 1 * 1.4;
    const double tolerance = is_double() ? 1e-6 : 1e-4;
    EXPECT_NEAR(named(*simulation, diagnostics, "force_ball_x") +
                    named(*simulation, diagnostics, "force_rod_x"),
                0.3 * volume,
                tolerance);
    EXPECT_NEAR(named(*simulation, diagnostics, "force_ball_y") +
                    named(*simulation, diagnostics, "force_rod_y"),
                0.1 * volume,
                tolerance);
    EXPECT_NEAR(named(*simulation, diagnostics, "force_ball_z") +
                    named(*simulation, diagnostics, "force_rod_z"),
                -0.2 * volume,
                tolerance);
    EXPECT_NEAR(
        named(*simulation, diagnostics, "heat_ball") + named(*simulation, diagnostics, "heat_rod"),
        0,
        tolerance);
    EXPECT_GT(named(*simulation, diagnostics, "heat_ball"), 0.05);
    EXPECT_LT(diagnostics.divergence_max, is_double() ? 1e-12 : 1e-4);
  }
}

/// Of the volume; for equal cells.
double share_of_fluid(const Case& resolved) {
  const SolidPoints centres =
      find_solid_points(resolved, whole_box(resolved), alone())[first_scalar];
  const Extents n = resolved.grid.points;
  int fluid = 0;
  for_each_point({{}, {n.nx, n.ny, n.nz}},
                 [&](Index3 c) { fluid += centres.body_at(c) == no_body ? 1 : 0; });
  return fluid / static_cast<double>(n.count());
}

/// In a steady flow around bodies at rest what drives it is dissipated, in the fluid.
TEST_P(Solids, dissipation_of_a_steady_flow_is_the_power_that_drives_it) {
  const Case resolved =
      case_of(array_of_spheres("forcing: {type: pressure_gradient, value: [0.3, 0.1, -0.2]}\n"));
  const auto simulation = after(resolved, 2000);
  const FlowDiagnostics diagnostics = simulation->diagnostics();
  const double power = 0.3 * named(*simulation, diagnostics, "bulk_velocity_x") +
                       0.1 * named(*simulation, diagnostics, "bulk_velocity_y") -
                       0.2 * named(*simulation, diagnostics, "bulk_velocity_z");
  const double fluid_share = share_of_fluid(resolved);
  EXPECT_GT(power, 1e-3);
  EXPECT_NEAR(diagnostics.dissipation * fluid_share / power, 1, is_double() ? 1e-8 : 1e-4);
}

/// A body that slides along itself carries no kinetic energy of the flow, and its temperature is
/// not the flow's.
TEST_P(Solids, means_are_those_of_the_fluid_alone) {
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [7, 20, 6], length: [1, 2, 1], origin: [0, -0.5, 0]}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: [3, 0, 0], temperature: 5}
  y_max: {type: wall, velocity: [-2, 0, 0], temperature: -3}
  z: periodic
solids:
  low: {shape: box, min: [-1, -1, -1], max: [2, 0, 2], velocity: [3, 0, 0], temperature: 5}
  high: {shape: box, min: [-1, 1, -1], max: [2, 2, 2], velocity: [-2, 0, 0], temperature: -3}
initial: {velocity: ["y < 0 ? 3 : y > 1 ? -2 : 3 - 5*y", 0, 0], temperature: "y < 0 ? 5 : y > 1 ? -3 : 5 - 8*y"}
time: {step: 0.02, steps: 100000}
output: {statistics: {every: 1, average: [x, z]}}
)yaml");
  // Ten cells across the gap, whose centres are inside of it.
  double energy = 0;
  for (int cell = 0; cell < 10; ++cell) {
    const double u = 3 - 5 * (cell + 0.5) / 10;
    energy += u * u / 2 / 10;
  }
  const auto simulation = after(resolved, 3);
  const FlowDiagnostics diagnostics = simulation->diagnostics();
  const double tolerance = is_double() ? 1e-12 : 1e-5;
  EXPECT_NEAR(diagnostics.kinetic_energy, energy, tolerance);
  EXPECT_NEAR(diagnostics.dissipation, 25 * resolved.viscosity(), 25 * tolerance);
  EXPECT_NEAR(named(*simulation, diagnostics, "temperature_mean"), 1, tolerance);
  for (const Average& average : averages_of(simulation->statistics(), resolved)) {
    for (std::size_t j = 0; j < 20; ++j) {
      const bool is_in_gap = j >= 5 && j < 15;
      const double value = average.values[j];
      if (average.name == "fluid") {
        EXPECT_NEAR(value, is_in_gap ? 1 : 0, tolerance);
      } else if (average.name.starts_with("skewness_") || average.name.starts_with("flatness_")) {
        EXPECT_TRUE(std::isnan(value)) << average.name;  // nothing fluctuates
      } else {
        EXPECT_EQ(std::isnan(value), !is_in_gap) << average.name;
      }
      const double u = 3 - 5 * (static_cast<double>(j) - 4.5) / 10;
      if (average.name == "u" && is_in_gap) {
        EXPECT_NEAR(value, u, tolerance);
      }
      if (average.name == "T" && is_in_gap) {
        EXPECT_NEAR(value, 5 + 1.6 * (u - 3), tolerance);
      }
    }
  }
}

/// Averages over x and y leave out the cells in bodies, in number and in value.
TEST_P(Solids, averages_are_those_of_the_fluid_alone) {
  const Case resolved = case_of(array_of_spheres("  statistics: {every: 1, average: [x, y]}\n"));
  const auto simulation = after(resolved, 3);
  const std::vector<Average> averages = averages_of(simulation->statistics(), resolved);
  const auto average = [&](std::string_view name) -> const std::vector<double>& {
    return std::ranges::find(averages, name, &Average::name)->values;
  };
  // Means of the last of three samples cannot be seen alone: a second run has but that one.
  Case last = resolved;
  last.output.statistics->every = 3;
  const auto again = after(last, 3);
  const std::vector<Average> of_last = averages_of(again->statistics(), last);
  const SolidPoints centres =
      find_solid_points(resolved, whole_box(resolved), alone())[first_scalar];
  std::vector<double> fluid(21);
  std::vector<double> sum(21);
  for_each_unknown(resolved,
                   state_of(*again),
                   first_scalar,
                   [&](double value, const auto&, double /*volume*/, Index3 c) {
                     if (centres.body_at(c) != no_body) return;
                     fluid[c.k] += 1.0 / (18 * 15);
                     sum[c.k] += value / (18 * 15);
                   });
  const auto& mean = std::ranges::find(of_last, "T", &Average::name)->values;
  for (std::size_t k = 0; k < fluid.size(); ++k) {
    EXPECT_NEAR(average("fluid")[k], fluid[k], is_double() ? 1e-12 : 1e-6);
    EXPECT_NEAR(mean[k], sum[k] / fluid[k], is_double() ? 1e-12 : 1e-5);
  }
  EXPECT_LT(std::ranges::min(fluid), 0.7);
  // Along periodic axes there is as much fluid at faces as in cells, also at the first face. Faces
  // of u and v have a point more below the first cell along z.
  const StatisticsSums sums = again->statistics();
  for (const std::string variable : {"u", "v"}) {
    const auto at_faces = std::ranges::find(sums.last, share_name_of(variable), &HostField::name);
    ASSERT_NE(at_faces, sums.last.end());
    const std::span<const double> shares = at_faces->values<double>();
    for (std::size_t k = 0; k < fluid.size(); ++k)
      EXPECT_NEAR(shares[k + 1], fluid[k], is_double() ? 1e-12 : 1e-6);
  }
}

TEST_P(Solids, a_held_bulk_velocity_is_held_around_bodies) {
  const Case resolved =
      case_of(array_of_spheres("forcing: {type: bulk_velocity, value: [0.5, 0, 0]}\n"));
  const auto simulation = after(resolved, 2000);
  const FlowDiagnostics diagnostics = simulation->diagnostics();
  EXPECT_NEAR(named(*simulation, diagnostics, "bulk_velocity_x"), 0.5, is_double() ? 1e-12 : 1e-5);
  EXPECT_NEAR(named(*simulation, diagnostics, "force_ball_x") +
                  named(*simulation, diagnostics, "force_rod_x"),
              named(*simulation, diagnostics, "driving_x") * 1.2 * 1.4,
              is_double() ? 1e-6 : 1e-3);
}

/// The slip that a projection leaves is of second order in the time step.
TEST_P(Solids, slip_after_the_projection_is_of_second_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  std::vector<double> slips;
  for (const int halvings : {0, 1, 2}) {
    const double step = 0.01 / (1 << halvings);
    Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [32, 32, 4], length: [1, 1, 0.125]}}
fluid: {{reynolds: 100}}
boundaries:
  x: periodic
  y_min: {{type: wall, velocity: ["0.9*cos(6*t)", 0, 0]}}
  y_max: {{type: wall, velocity: ["0.9*cos(6*t)", 0, 0]}}
  z: periodic
solids: {{rod: {{shape: cylinder, center: [0.48, 0.53, 0], radius: 0.21, axis: z}}}}
initial: {{velocity: [0.9, 0, 0]}}
time: {{step: {:.17g}, steps: 100000}}
)yaml",
                                        step));
    const auto simulation = after(resolved, 40 << halvings);
    slips.push_back(named(*simulation, simulation->diagnostics(), "body_slip"));
  }
  EXPECT_GT(slips.back(), 0);
  EXPECT_GT(std::log2(slips[1] / slips[2]), 1.7) << slips[0] << " " << slips[1] << " " << slips[2];
}

/// Bodies with pores and thin parts, at a CFL number of 5. The second one closes the box along x.
TEST_P(Solids, random_bodies_stay_stable_at_a_cfl_number_of_5) {
  struct Body {
    const char* inside;
    const char* bulk_velocity;
  };
  for (const auto& [inside, bulk_velocity] :
       {Body{"sin(9*x+1)*sin(11*y+2)*sin(8*z+3)-0.15", "[0.6, 0.1, 0.1]"},
        Body{"0.04-abs(y-0.47)*(x<0.7)", "[0, 0, 0.6]"}}) {
    for (const double cfl : {0.5, 5.0}) {
      Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [25, 27, 22], length: [1, 1, 1]}}
fluid: {{reynolds: 300}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids: {{pores: {{shape: formula, surface: "0.03-({})"}}}}
initial: {{velocity: [1, 0.3, 0.2]}}
forcing: {{type: bulk_velocity, value: {}}}
time: {{cfl: {}, step: 1, steps: 100000}}
)yaml",
                                          inside,
                                          bulk_velocity,
                                          cfl));
      const auto simulation = started(resolved);
      for (int n = 0; n < 150; ++n) simulation->advance();
      const FlowDiagnostics diagnostics = simulation->diagnostics();
      EXPECT_LT(diagnostics.kinetic_energy, 20) << inside << " at " << cfl;
      EXPECT_LT(diagnostics.divergence_max, is_double() ? 1e-9 : 0.02) << inside << " at " << cfl;
    }
  }
}

std::string insulated_rod(double speed_of_wall) {
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: [21, 17, 4], length: [1.3, 1, 0.25]}}
fluid: {{reynolds: 10, prandtl: 0.7}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: {{gradient: 0}}}}
  y_max: {{type: wall, velocity: [{0}, 0, 0], temperature: {{gradient: 0}}}}
  z: periodic
solids:
  rod: {{shape: cylinder, center: [0.6, 0.45, 0], radius: 0.27, axis: z, temperature: {{gradient: 0}}}}
initial: {{velocity: ["{0}*y", 0, 0], temperature: "sin(2*pi*x/1.3)+y"}}
time: {{step: 0.02, steps: 100000}}
)yaml",
                     speed_of_wall);
}

double heat_of_fluid(const Case& resolved, const Simulation& simulation) {
  double heat = 0;
  for_each_unknown(
      resolved, state_of(simulation), 3, [&](double value, const auto& x, double volume, Index3) {
        if (std::hypot(x[0] - 0.6, x[1] - 0.45) > 0.27) heat += value * volume;
      });
  return heat;
}

/// Heat flows around an adiabatic rod, and none through it: to round-off where the fluid rests;
/// where it flows, up to what faces of cells that the surface cuts carry.
TEST_P(Solids, an_adiabatic_body_lets_no_heat_through) {
  for (const TimeScheme scheme : {TimeScheme::implicit, TimeScheme::runge_kutta}) {
    for (const double speed : {0.0, 1.0}) {
      Case resolved = case_of(insulated_rod(speed));
      resolved.time.scheme = scheme;
      resolved.time.step = 0.008;
      const auto simulation = started(resolved);
      const double before = heat_of_fluid(resolved, *simulation);
      for (int n = 0; n < 250; ++n) simulation->advance();
      const double round_off = is_double() ? 1e-13 : 1e-5;
      EXPECT_NEAR(
          heat_of_fluid(resolved, *simulation), before, speed == 0 ? round_off : 2e-3 * before);
    }
  }
}

/// Scheme splitting, in the limit of small velocities and temperatures, where diffusion is all
/// there is: the fluid between a turning rod and a ring at rest, or the heat between a warm one
/// and a cold one.
struct SmallCylinders {
  static constexpr double inner = 0.35, outer = 0.9, x0 = 0.013, y0 = -0.021, small = 1e-6;

  static std::string yaml(int n, bool turns) {
    const double h = 2.0 / (n - 1);
    return fmt::format(R"yaml(
scheme: splitting
grid: {{points: [{0}, {0}, 4], length: [2, 2, 0.25], origin: [-1, -1, 0]}}
fluid: {{reynolds: 20, prandtl: 1, heat_capacity_ratio: 1.4}}
boundaries:
  x_min: {{type: wall, temperature: 0}}
  x_max: {{type: wall, temperature: 0}}
  y_min: {{type: wall, temperature: 0}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
solids:
  core: {{shape: cylinder, center: [{1}, {2}, 0], radius: {3}, axis: z, rotation: [0, 0, {4}], temperature: {5}}}
  ring: {{shape: formula, surface: "{6} - sqrt((x-{1})^2+(y-({2}))^2)", temperature: 0}}
initial: {{temperature: 0}}
time: {{step: {7:.17g}, steps: 100000, global_iterations: 1, local_iterations: 1}}
)yaml",
                       n,
                       x0,
                       y0,
                       inner,
                       turns ? small : 0,
                       turns ? 0 : small,
                       outer,
                       diffusion_number * h * h * 20);
  }
  static constexpr double diffusion_number = 0.2;

  /// Relative to `small`: root of the mean square in the gap, of the velocity or temperature.
  static double error(const Case& resolved, const FlowState& state, bool turns) {
    const std::vector<double> u = values_of(state, "velocity_x");
    const std::vector<double> v = values_of(state, "velocity_y");
    const std::vector<double> t = values_of(state, "temperature");
    const double gap = outer * outer - inner * inner;
    double sum = 0;
    int count = 0;
    std::size_t at = 0;
    for (int k = 0; k < resolved.grid.points.nz; ++k) {
      for (int j = 0; j < resolved.grid.points.ny; ++j) {
        for (int i = 0; i < resolved.grid.points.nx; ++i, ++at) {
          const double x = coordinate(resolved, 0, i) - x0;
          const double y = coordinate(resolved, 1, j) - y0;
          const double r = std::hypot(x, y);
          if (r <= inner || r >= outer) continue;
          ++count;
          const double speed = inner * inner / gap * (outer * outer / (r * r) - 1);
          const double heat = std::log(outer / r) / std::log(outer / inner);
          sum += turns ? std::pow(u[at] / small + y * speed, 2) +
                             std::pow(v[at] / small - x * speed, 2)
                       : std::pow(t[at] / small - heat, 2);
        }
      }
    }
    return std::sqrt(sum / count);
  }
};

TEST_P(Solids, splitting_diffuses_to_bodies_with_second_order) {
  for (const bool turns : {true, false}) {
    std::vector<double> errors;
    for (const int n : {25, 49}) {
      const Case resolved = case_of(SmallCylinders::yaml(n, turns));
      const auto simulation = after(resolved, static_cast<int>(6 / resolved.time.step));
      errors.push_back(SmallCylinders::error(resolved, state_of(*simulation), turns));
    }
    EXPECT_LT(errors[1], 2e-3);
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.8) << errors[0] << " " << errors[1];
  }
}

/// What `dns check` says of the memory is what a run with bodies takes, within the small arrays.
/// A cell of scheme splitting counts as much as of its corners are outside of bodies.
TEST_P(Solids, means_of_splitting_are_those_of_the_fluid_alone) {
  const Case resolved = case_of(R"yaml(
scheme: splitting
grid: {points: [12, 9, 11], length: [1.1, 0.8, 1]}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 0}
  z_min: {type: wall, temperature: {gradient: 0}}
  z_max: {type: wall, temperature: {gradient: 0}}
solids:
  ball: {shape: sphere, center: [1.05, 0.42, 0.47], radius: 0.25, temperature: 3, velocity: [0.3, 0.1, -0.2]}
  box: {shape: box, min: [0.35, 0.25, 0.15], max: [0.65, 0.45, 0.5], temperature: 2}
initial: {velocity: ["y*(0.8-y)", "0.1*sin(2*pi*x/1.1)*y*(0.8-y)", 0], temperature: 1-y/0.8}
time: {step: 1.0e-3, steps: 100000}
)yaml");
  const auto simulation = after(resolved, 2);
  const FlowDiagnostics diagnostics = simulation->diagnostics();
  const FlowState state = state_of(*simulation);
  const SolidPoints nodes = find_solid_points(resolved, whole_box(resolved), alone()).front();
  const Extents n = resolved.grid.points;
  std::array<std::vector<double>, 4> values;
  for (std::size_t v = 0; v < 4; ++v)
    values[v] = values_of(state, v == 3 ? temperature_name : velocity_names[v]);
  double share = 0;
  double energy = 0;
  double temperature = 0;
  for_each_point({{}, {n.nx, n.ny - 1, n.nz - 1}}, [&](Index3 c) {
    std::array<double, 4> mean{};
    double fluid = 0;
    for_each_point({c, {c.i + 2, c.j + 2, c.k + 2}}, [&](Index3 corner) {
      corner.i %= n.nx;
      const auto row = static_cast<std::size_t>(corner.k * n.ny + corner.j);
      const auto at = row * static_cast<std::size_t>(n.nx) + static_cast<std::size_t>(corner.i);
      for (std::size_t v = 0; v < 4; ++v) mean[v] += values[v][at] / 8;
      fluid += nodes.body_at(corner) == no_body ? 0.125 : 0;
    });
    share += fluid;
    energy += fluid * (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / 2;
    temperature += fluid * mean[3];
  });
  const double tolerance = is_double() ? 1e-12 : 1e-6;
  EXPECT_NEAR(diagnostics.kinetic_energy, energy / share, tolerance);
  EXPECT_NEAR(diagnostics.others.at(0), temperature / share, tolerance);
  EXPECT_LT(share, 0.95 * n.nx * (n.ny - 1) * (n.nz - 1));
}

TEST_P(Solids, memory_with_bodies_is_known_before) {
  const std::string forcing = "forcing: {type: pressure_gradient, value: [0.3, 0.1, -0.2]}\n";
  for (const std::string& yaml : {array_of_spheres(forcing), SmallCylinders::yaml(25, true)}) {
    Case resolved = case_of(yaml);
    resolved.device = GetParam().device;
    const Extents points{76, 65, 50};
    resolved.grid.points = points;
    Case without = resolved;
    without.solids.clear();
    const std::size_t taken = make_simulation(resolved)->memory_bytes();
    EXPECT_EQ(needs_of(resolved).device_bytes, taken);
    EXPECT_GT(taken,
              make_simulation(without)->memory_bytes() +
                  3 * points.count() * bytes_of(resolved.precision));
  }
}

INSTANTIATE_TEST_SUITE_P(, Solids, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_solids
