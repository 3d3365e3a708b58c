/// Flows with given accelerations, heat, linear forcing and sponges, against exact solutions and
/// balances.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/reduction.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/case_needs.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_sources {
namespace {

using std::numbers::pi;

class Sources : public OnEveryTarget {};

/// The interior of a field of a copy, with its points.
template <class Visit>
void for_each_value(const Case& resolved, const FlowState& state, int variable, Visit visit) {
  const auto v = static_cast<std::size_t>(variable);
  const std::vector<double> values =
      values_of(state, variable == 3 ? temperature_name : velocity_names[v]);
  const Extents n = resolved.grid.points;
  const int ghosts = resolved.scheme == Scheme::projection ? 1 : 0;
  const PerAxis<std::vector<double>> places =
      point_coordinates(resolved, whole_box(resolved), variable);
  const Box stored{{-ghosts, -ghosts, -ghosts}, {n.nx + ghosts, n.ny + ghosts, n.nz + ghosts}};
  std::size_t at = 0;
  for_each_point(stored, [&](Index3 c) {
    const double value = values[at++];
    if (!Box{{}, {n.nx, n.ny, n.nz}}.holds(c)) return;
    visit(value, places[0][c.i], places[1][c.j], places[2][c.k]);
  });
}

/// Vortices in planes z = constant that swell and shrink, u = c sin x cos y, v = -c cos x sin y,
/// T = c cos x cos y with c = cos(2 t): advection of u is a gradient, that of T is not.
struct Vortices {
  static constexpr double viscosity = 0.1, prandtl = 0.7;

  static std::string yaml(int n, double step, bool is_projection) {
    // Scheme splitting takes -grad T for that of the pressure, and has (u.grad) u in full.
    const std::string advection_x = "cos(2*t)^2*sin(x)*cos(x)";
    const std::string advection_y = "cos(2*t)^2*sin(y)*cos(y)";
    const std::string more_x = is_projection ? "" : "+" + advection_x + "-cos(2*t)*sin(x)*cos(y)";
    const std::string more_y = is_projection ? "" : "+" + advection_y + "-cos(2*t)*cos(x)*sin(y)";
    return fmt::format(
        R"yaml(
scheme: {scheme}
grid: {{points: [{n}, {m}, 4], length: [{l:.17g}, {l:.17g}, 1]}}
fluid: {{reynolds: 10, prandtl: 0.7{capacity}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial:
  velocity: ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0]
  temperature: "cos(x)*cos(y)"
forcing:
  type: formula
  acceleration: ["(-2*sin(2*t)+0.2*cos(2*t))*sin(x)*cos(y){x}", "(2*sin(2*t)-0.2*cos(2*t))*cos(x)*sin(y){y}", 0]
  heat: "(-2*sin(2*t)+0.2/0.7*cos(2*t))*cos(x)*cos(y)+cos(2*t)^2*(cos(x)^2*sin(y)^2-sin(x)^2*cos(y)^2)"
time: {{step: {dt:.17g}, steps: 100000{iterations}}}
)yaml",
        fmt::arg("scheme", is_projection ? "projection" : "splitting"),
        fmt::arg("capacity", is_projection ? "" : ", heat_capacity_ratio: 1"),
        fmt::arg("iterations", is_projection ? "" : ", global_iterations: 2, local_iterations: 2"),
        fmt::arg("n", n),
        fmt::arg("m", n + 3),
        fmt::arg("l", 2 * pi),
        fmt::arg("x", more_x),
        fmt::arg("y", more_y),
        fmt::arg("dt", step));
  }

  /// Root of the mean square, of velocity and of temperature.
  static std::array<double, 2> errors(const Case& resolved, const Simulation& simulation) {
    const FlowState state = state_of(simulation);
    const double c = std::cos(2 * state.time);
    std::array<double, 2> squares{};
    double count = 0;
    for (const int variable : {0, 1, 3}) {
      for_each_value(
          resolved, state, variable, [&](double value, double x, double y, double /*z*/) {
            const double exact = variable == 0   ? c * std::sin(x) * std::cos(y)
                                 : variable == 1 ? -c * std::cos(x) * std::sin(y)
                                                 : c * std::cos(x) * std::cos(y);
            squares[variable == 3 ? 1 : 0] += (value - exact) * (value - exact);
            ++count;
          });
    }
    return {std::sqrt(squares[0] / count), std::sqrt(squares[1] / count)};
  }
};

TEST_P(Sources, projection_follows_them_with_second_order) {
  std::vector<std::array<double, 2>> errors;
  for (const int n : {16, 32}) {
    const Case resolved = case_of(Vortices::yaml(n, 0.8 / n, true));
    errors.push_back(Vortices::errors(resolved, *after(resolved, n)));
  }
  EXPECT_LT(errors[1][0], 4e-3);
  EXPECT_LT(errors[1][1], 8e-3);
  EXPECT_GT(std::log2(errors[0][0] / errors[1][0]), 1.9) << errors[0][0] << " " << errors[1][0];
  EXPECT_GT(std::log2(errors[0][1] / errors[1][1]), 1.9) << errors[0][1] << " " << errors[1][1];
}

/// First order in time, so that the step goes with the square of the spacing.
TEST_P(Sources, splitting_follows_them_with_second_order_in_space) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  std::vector<std::array<double, 2>> errors;
  for (const int n : {12, 24}) {
    const double step = 0.4 / (n * n);
    const Case resolved = case_of(Vortices::yaml(n, step, false));
    errors.push_back(Vortices::errors(resolved, *after(resolved, n * n)));
  }
  EXPECT_GT(std::log2(errors[0][0] / errors[1][0]), 1.8) << errors[0][0] << " " << errors[1][0];
  EXPECT_GT(std::log2(errors[0][1] / errors[1][1]), 1.8) << errors[0][1] << " " << errors[1][1];
}

std::string uniform_flow(const std::string& scheme, const std::string& forcing) {
  return fmt::format(R"yaml(
scheme: {}
grid: {{points: [6, 5, 7], length: [1.2, 1, 0.7]}}
fluid: {{reynolds: 10, prandtl: 1}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [2, -1, 0.5], temperature: 3}}
forcing: {}
time: {{step: 0.1, steps: 100000}}
)yaml",
                     scheme,
                     forcing);
}

/// Where nothing depends on space, the scheme is that of dq/dt = S - R q.
TEST_P(Sources, a_uniform_flow_is_drawn_to_its_target) {
  const std::string forcing =
      "{type: formula, heat: 0.3, sponges: {all: {rate: 1.5, velocity: [1, 0, t], temperature: 1}, "
      "more: {rate: \"0.5+0*x\", velocity: [0, 0, 0]}}}";
  for (const bool is_projection : {true, false}) {
    const Case resolved =
        case_of(uniform_flow(is_projection ? "projection" : "splitting", forcing));
    const auto simulation = after(resolved, 4);
    std::array<double, 4> q{2, -1, 0.5, 3};
    const double dt = 0.1;
    for (int n = 0; n < 4; ++n) {
      const double t = dt * (n + (is_projection ? 0.5 : 1));
      const std::array<double, 4> source{1.5, 0, 1.5 * t, 1.8};
      const std::array<double, 4> rate{2, 2, 2, 1.5};
      for (std::size_t v = 0; v < 4; ++v) {
        q[v] = is_projection ? q[v] + dt * (source[v] - rate[v] * q[v]) / (1 + dt * rate[v] / 2)
                             : (q[v] + dt * source[v]) / (1 + dt * rate[v]);
      }
    }
    const FlowState state = state_of(*simulation);
    for (const int variable : {0, 1, 2, 3}) {
      for_each_value(resolved, state, variable, [&](double value, double, double, double) {
        EXPECT_NEAR(value, q[variable], is_double() ? 1e-12 : 2e-6);
      });
    }
  }
}

/// A stream along z that depends on x alone: nothing carries it, and what drag leaves of it is
/// exp(-rate t), of second order in time in both schemes of time.
TEST_P(Sources, drag_slows_the_flow_in_its_region) {
  for (const std::string time : {"implicit", "runge_kutta"}) {
    std::vector<double> errors;
    for (const double step : {0.1, 0.05}) {
      const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [9, 5, 7]}}
fluid: {{reynolds: 1.0e+12}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0, 0, 2]}}
forcing: {{type: formula, drag: {{canopy: {{rate: "x > 0.5 ? 1.5 : 0"}}, all: {{rate: 0.25}}}}}}
time: {{scheme: {}, step: {}, steps: 100000}}
)yaml",
                                                time,
                                                step));
      const auto simulation = after(resolved, static_cast<int>(std::lround(1 / step)));
      const FlowState state = state_of(*simulation);
      double error = 0;
      for_each_value(resolved, state, 2, [&](double value, double x, double, double) {
        const double exact = 2 * std::exp(-(x > 0.5 ? 1.75 : 0.25) * state.time);
        error = larger_or_nan(error, std::abs(value - exact));
      });
      for_each_value(resolved, state, 0, [&](double value, double, double, double) {
        EXPECT_NEAR(value, 0, is_double() ? 1e-14 : 1e-6);
      });
      errors.push_back(error);
    }
    EXPECT_LT(errors[0], 2e-3) << time;
    if (is_double()) {
      EXPECT_GT(std::log2(errors[0] / errors[1]), 1.9) << time << ": " << errors[0];
    }
  }
}

/// In both schemes it is a sponge that draws to rest.
TEST_P(Sources, drag_is_a_sponge_with_the_target_zero) {
  for (const char* scheme : {"projection", "splitting"}) {
    const auto values_with = [&](const std::string& regions) {
      const Case resolved = case_of(uniform_flow(scheme, "{type: formula, " + regions + "}"));
      const FlowState state = state_of(*after(resolved, 3));
      std::vector<double> all;
      for (const int variable : {0, 1, 2}) {
        for_each_value(resolved, state, variable, [&](double value, double, double, double) {
          all.push_back(value);
        });
      }
      return all;
    };
    EXPECT_EQ(values_with("drag: {wood: {rate: \"y > 0.5 ? 2 : 0\"}}"),
              values_with("sponges: {wood: {rate: \"y > 0.5 ? 2 : 0\", velocity: [0, 0, 0]}}"));
  }
}

/// What a linear force gives to the kinetic energy is 2 A of it; what viscosity takes is the
/// dissipation. The mean momentum is held at zero.
TEST_P(Sources, linear_forcing_feeds_a_box_as_much_as_its_energy_says) {
  std::vector<double> imbalances;
  for (const double step : {0.01, 0.005}) {
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [16, 18, 15], length: [6.3, 6.3, 6.3]}}
fluid: {{reynolds: 20}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial:
  velocity: ["sin(2*pi*y/6.3)+0.3*cos(4*pi*z/6.3)", "sin(2*pi*z/6.3)", "sin(2*pi*x/6.3)+0.2*cos(4*pi*y/6.3)"]
forcing: {{type: bulk_velocity, value: [0, 0, 0], linear: 0.4}}
time: {{step: {}, steps: 100000}}
)yaml",
                                              step));
    const auto simulation = after(resolved, static_cast<int>(std::lround(0.5 / step)));
    const FlowDiagnostics before = simulation->diagnostics();
    simulation->advance();
    const FlowDiagnostics later = simulation->diagnostics();
    const double growth = (later.kinetic_energy - before.kinetic_energy) / step;
    const double fed = 0.4 * (later.kinetic_energy + before.kinetic_energy);
    const double taken = (later.dissipation + before.dissipation) / 2;
    EXPECT_GT(fed, 0.1);
    imbalances.push_back(std::abs(growth - fed + taken));
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(later.others.at(axis), 0, is_double() ? 1e-14 : 1e-7);
  }
  EXPECT_LT(imbalances[0], is_double() ? 2e-4 : 1e-3);
  if (is_double()) {
    EXPECT_GT(std::log2(imbalances[0] / imbalances[1]), 1.8) << imbalances[0];
  }
}

/// Between walls a heat source that does not depend on space gives a parabola, exact for the
/// differences but for half a cell at the wall.
TEST_P(Sources, heat_between_walls_is_a_parabola) {
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [4, 17, 5], length: [1, 2, 1], origin: [0, -1, 0]}
fluid: {reynolds: 2, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 0.5}
  y_max: {type: wall, temperature: 0.5}
  z: periodic
initial: {temperature: 0.5}
forcing: {type: formula, heat: 1.5}
time: {step: 0.2, steps: 100000}
)yaml");
  const auto simulation = after(resolved, 200);
  const double h = 2.0 / 17;
  for_each_value(resolved, state_of(*simulation), 3, [&](double value, double, double y, double) {
    EXPECT_NEAR(value, 0.5 + 1.5 * (1 - y * y + h * h / 4), is_double() ? 1e-9 : 2e-5);
  });
}

/// Between the faces of a slab that turns its back on itself: nu u'' + R (1 - u) = 0 and
/// k T'' + Q = 0.
TEST_P(Sources, sponge_and_heat_balance_friction_beside_a_body) {
  constexpr double low = 1.2011, high = 2.8037, rate = 0.5, viscosity = 0.1, heat = 0.3;
  const double middle = (low + high) / 2;
  const double half = (high - low) / 2;
  const double k = std::sqrt(rate / viscosity);
  std::vector<double> errors_of_u, errors_of_t;
  for (const int n : {24, 48}) {
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [5, {}, 4], length: [0.5, 2, 0.4]}}
fluid: {{reynolds: 10, prandtl: 1}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids: {{slab: {{shape: box, min: [-1, {}, -1], max: [1, {}, 1], temperature: 0}}}}
initial: {{temperature: 0}}
forcing:
  type: formula
  heat: {}
  sponges: {{all: {{rate: {}, velocity: [1, 0, 0]}}}}
time: {{step: 0.1, steps: 100000}}
)yaml",
                                              n,
                                              high - 2,
                                              low,
                                              heat,
                                              rate));
    const auto simulation = after(resolved, 600);
    const FlowState state = state_of(*simulation);
    double error_of_u = 0;
    double error_of_t = 0;
    const auto above_slab = [&](double y) { return y < low ? y + 2 : y; };
    const auto is_fluid = [&](double y) { return above_slab(y) < high; };
    for_each_value(resolved, state, 0, [&](double value, double, double y, double) {
      const double exact = 1 - std::cosh(k * (above_slab(y) - middle)) / std::cosh(k * half);
      if (is_fluid(y)) error_of_u = larger_or_nan(error_of_u, std::abs(value - exact));
    });
    for_each_value(resolved, state, 3, [&](double value, double, double y, double) {
      const double from_middle = above_slab(y) - middle;
      const double exact = heat / (2 * viscosity) * (half * half - from_middle * from_middle);
      if (is_fluid(y)) error_of_t = larger_or_nan(error_of_t, std::abs(value - exact));
    });
    errors_of_u.push_back(error_of_u);
    errors_of_t.push_back(error_of_t);
  }
  EXPECT_LT(errors_of_u[1], 1e-3);
  EXPECT_LT(errors_of_t[1], 2e-3);
  EXPECT_GT(errors_of_u[0] / errors_of_u[1], 3) << errors_of_u[0];
}

TEST_P(Sources, an_acceleration_beside_a_body_is_a_pressure_gradient) {
  const auto flow_with = [&](const char* forcing) {
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [18, 15, 6], length: [3, 2.5, 1]}}
fluid: {{reynolds: 40}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids: {{rod: {{shape: cylinder, center: [1.4, 1.3, 0], radius: 0.5}}}}
initial: {{velocity: [0.3, "0.1*sin(2*pi*x/3)", 0]}}
forcing: {}
time: {{step: 0.05, steps: 100000}}
)yaml",
                                              forcing));
    return state_of(*after(resolved, 20));
  };
  const FlowState by_gradient = flow_with("{type: pressure_gradient, value: [0.2, -0.1, 0]}");
  const FlowState by_formula = flow_with(R"({type: formula, acceleration: ["0.2+0*x", -0.1, 0]})");
  for (const std::string_view name : velocity_names) {
    const std::vector<double> one = values_of(by_gradient, name);
    const std::vector<double> other = values_of(by_formula, name);
    double difference = 0;
    for (std::size_t n = 0; n < one.size(); ++n)
      difference = larger_or_nan(difference, std::abs(one[n] - other[n]));
    EXPECT_LT(difference, is_double() ? 1e-13 : 1e-5) << name;
  }
}

TEST_P(Sources, memory_with_sources_is_known_before) {
  const std::string forcing =
      "{type: formula, acceleration: [\"sin(y)\", 0, 1], sponges: {all: {rate: 1, velocity: [1, 0, "
      "0]}}}";
  for (const char* scheme : {"projection", "splitting"}) {
    Case resolved = case_of(uniform_flow(scheme, forcing));
    resolved.device = GetParam().device;
    const Extents points{76, 65, 50};
    resolved.grid.points = points;
    Case without = resolved;
    without.forcing = {};
    const std::size_t taken = make_simulation(resolved)->memory_bytes();
    EXPECT_EQ(needs_of(resolved).device_bytes, taken);
    EXPECT_GT(taken,
              make_simulation(without)->memory_bytes() +
                  5 * points.count() * bytes_of(resolved.precision));
  }
}

TEST_P(Sources, a_negative_rate_is_refused_with_its_place) {
  const Case resolved = case_of(uniform_flow(
      "projection",
      "{type: formula, sponges: {end: {rate: \"x > 0.9 ? -1 : 1\", velocity: [0, 0, 0]}}}"));
  const std::string message = message_of<CaseError>([&] { return started(resolved); });
  EXPECT_NE(message.find("forcing.sponges.end.rate: x > 0.9 ? -1 : 1 is -1 at "
                         "x = 1, y = 0.1, z = 0.05"),
            std::string::npos)
      << message;
  const Case drag =
      case_of(uniform_flow("projection", "{type: formula, drag: {end: {rate: \"0.9 - x\"}}}"));
  EXPECT_NE(message_of<CaseError>([&] {
              return started(drag);
            }).find("forcing.drag.end.rate: 0.9 - x is -0.1 at x = 1, y = 0.1, z = 0.05"),
            std::string::npos);
}

TEST_P(Sources, a_force_that_becomes_infinite_stops_the_step_with_its_place) {
  const std::string heat = "x > 0.95 && t > 0.22 ? 1/(t-t) : t";
  for (const bool is_projection : {true, false}) {
    const Case resolved = case_of(uniform_flow(is_projection ? "projection" : "splitting",
                                               "{type: formula, heat: \"" + heat + "\"}"));
    const auto simulation = after(resolved, 2);
    const std::string message = message_of<CaseError>([&] { simulation->advance(); });
    // At the first cell centre or node there.
    const char* const place = is_projection ? "x = 1.1, y = 0.1, z = 0.05" : "x = 1, y = 0, z = 0";
    EXPECT_NE(message.find("forcing.heat: " + heat + " is inf at " + place), std::string::npos)
        << message;
  }
}

INSTANTIATE_TEST_SUITE_P(, Sources, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_sources
