#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "solver/core/reduction.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_projection_orders {
namespace {

constexpr double pi = 3.14159265358979323846;

/// An exact solution of the Navier-Stokes equations, as formulas of x, y, z, t.
struct ExactFlow {
  PerAxis<std::string> velocity;
  std::string pressure;
  double length, origin;
  double reynolds;

  [[nodiscard]] Function velocity_at(int axis, double t) const {
    return
        [e = Expression(velocity[axis]), t](double x, double y, double z) { return e(x, y, z, t); };
  }
  [[nodiscard]] Function pressure_at(double t) const {
    return [e = Expression(pressure), t](double x, double y, double z) { return e(x, y, z, t); };
  }
};

/// Beltrami flow named after Arnold, Beltrami and Childress.
ExactFlow abc_flow() {
  const double reynolds = 5;
  const std::string decay = fmt::format("exp(-t/{})", reynolds);
  const PerAxis<std::string> v{"(sin(z)+0.7*cos(y))*" + decay,
                               "(0.4*sin(x)+cos(z))*" + decay,
                               "(0.7*sin(y)+0.4*cos(x))*" + decay};
  return {v, fmt::format("-0.5*(({})^2+({})^2+({})^2)", v[0], v[1], v[2]), 2 * pi, 0, reynolds};
}

/// Antuono, J. Fluid Mech. 890 (2020) A23: Taylor-Green flow in three dimensions.
ExactFlow antuono_flow() {
  const double reynolds = 10;
  const auto f = [&](const std::string& x, const std::string& y, const std::string& z) {
    return fmt::format(
        "4*sqrt(2)/(3*sqrt(3))*exp(-3*t/{3})*(sin({0}-5*pi/6)*cos({1}-pi/6)*sin({2})-"
        "cos({2}-5*pi/6)*sin({0}-pi/6)*sin({1}))",
        x,
        y,
        z,
        reynolds);
  };
  const PerAxis<std::string> v{f("x", "y", "z"), f("y", "z", "x"), f("z", "x", "y")};
  return {v, fmt::format("-0.5*(({})^2+({})^2+({})^2)", v[0], v[1], v[2]), 2 * pi, 0, reynolds};
}

/// Ethier & Steinman, Int. J. Numer. Methods Fluids 19 (1994) 369-375; a = pi/4, d = pi/2, nu = 1.
ExactFlow ethier_steinman_flow() {
  const auto component = [](const std::string& x, const std::string& y, const std::string& z) {
    return fmt::format(
        "-pi/4*(exp(pi/4*{0})*sin(pi/4*{1}+pi/2*{2})+exp(pi/4*{2})*cos(pi/4*{0}+pi/2*{1}))*"
        "exp(-pi^2/4*t)",
        x,
        y,
        z);
  };
  const auto term = [](const std::string& x, const std::string& y, const std::string& z) {
    return fmt::format(
        "exp(pi/2*{0})+2*sin(pi/4*{0}+pi/2*{1})*cos(pi/4*{2}+pi/2*{0})*exp(pi/4*({1}+{2}))",
        x,
        y,
        z);
  };
  return {{component("x", "y", "z"), component("y", "z", "x"), component("z", "x", "y")},
          fmt::format("-pi^2/32*({}+{}+{})*exp(-pi^2/2*t)",
                      term("x", "y", "z"),
                      term("y", "z", "x"),
                      term("z", "x", "y")),
          2,
          -1,
          1};
}

/// In a periodic box, or with the exact velocity given on all faces.
std::string case_text(const ExactFlow& flow,
                      const std::string& points,
                      double dt,
                      bool is_periodic,
                      const std::string& stretching) {
  std::string faces = "  x: periodic\n  y: periodic\n  z: periodic\n";
  if (!is_periodic) {
    faces.clear();
    for (const char* face : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}) {
      faces += fmt::format("  {}: {{type: inflow, velocity: [\"{}\", \"{}\", \"{}\"]}}\n",
                           face,
                           flow.velocity[0],
                           flow.velocity[1],
                           flow.velocity[2]);
    }
  }
  const auto at_start = [&](int axis) {
    std::string text = flow.velocity[axis];
    for (std::size_t at = 0; (at = text.find('t', at)) != std::string::npos;) {
      const bool is_word = (at > 0 && std::isalpha(text[at - 1]) != 0) ||
                           (at + 1 < text.size() && std::isalpha(text[at + 1]) != 0);
      if (!is_word) text[at] = '0';
      ++at;
    }
    return text;
  };
  return fmt::format(R"yaml(
case: exact
scheme: projection
grid: {{points: {0}, length: [{1:.17g}, {1:.17g}, {1:.17g}], origin: [{2}, {2}, {2}]{3}}}
fluid: {{reynolds: {4}}}
boundaries:
{5}
initial: {{velocity: ["{6}", "{7}", "{8}"]}}
time: {{step: {9:.17g}, steps: 1000}}
)yaml",
                     points,
                     flow.length,
                     flow.origin,
                     stretching.empty() ? "" : ", stretching: {" + stretching + "}",
                     flow.reynolds,
                     faces,
                     at_start(0),
                     at_start(1),
                     at_start(2),
                     dt);
}

struct Errors {
  double velocity = 0, pressure = 0;
};

/// After `steps` steps.
Errors errors_of(const ExactFlow& flow, const Case& resolved, int steps) {
  auto simulation = started(resolved);
  for (int n = 0; n < steps; ++n) simulation->advance();
  const FlowState state = viewing_copy(*simulation);
  Errors errors;
  const PerAxis<std::string_view> names{velocity_x_name, velocity_y_name, velocity_z_name};
  for (int axis = 0; axis < names.size(); ++axis) {
    const auto exact = at_centres(resolved, flow.velocity_at(axis, simulation->time()));
    errors.velocity =
        larger_or_nan(errors.velocity, distance(resolved, values_of(state, names[axis]), exact));
  }
  const auto exact = at_centres(resolved, flow.pressure_at(simulation->time()));
  errors.pressure = distance(resolved, values_of(state, "pressure"), exact, Mean::is_removed);
  return errors;
}

class ProjectionOrders : public OnEveryTarget {
 protected:
  /// Halves spacing and time step together.
  static void expect_second_order(const ExactFlow& flow,
                                  const std::array<std::string, 2>& points,
                                  double dt,
                                  int steps,
                                  bool is_periodic,
                                  const std::string& stretching = "") {
    const Errors coarse =
        errors_of(flow, case_of(case_text(flow, points[0], dt, is_periodic, stretching)), steps);
    const Errors fine = errors_of(
        flow, case_of(case_text(flow, points[1], dt / 2, is_periodic, stretching)), 2 * steps);
    const double velocity = order_of(coarse.velocity, fine.velocity);
    const double pressure = order_of(coarse.pressure, fine.pressure);
    RecordProperty("orders", fmt::format("velocity {:.3f} pressure {:.3f}", velocity, pressure));
    EXPECT_NEAR(velocity, 2, 0.1) << coarse.velocity << " " << fine.velocity;
    // On boundaries the pressure of a projection is of lower order in time.
    if (is_periodic) {
      EXPECT_NEAR(pressure, 2, 0.1) << coarse.pressure << " " << fine.pressure;
    } else {
      EXPECT_GT(pressure, 1.4) << coarse.pressure << " " << fine.pressure;
    }
  }
};

TEST_P(ProjectionOrders, abc_flow_is_of_second_order) {
  expect_second_order(abc_flow(), {"[16, 20, 18]", "[32, 40, 36]"}, 0.1, 5, true);
}

TEST_P(ProjectionOrders, antuono_flow_is_of_second_order) {
  expect_second_order(antuono_flow(), {"[20, 16, 18]", "[40, 32, 36]"}, 0.1, 5, true);
}

TEST_P(ProjectionOrders, periodic_flow_on_a_stretched_grid_is_of_second_order) {
  expect_second_order(abc_flow(),
                      {"[20, 16, 18]", "[40, 32, 36]"},
                      0.1,
                      5,
                      true,
                      "x: {type: tanh, factor: 0.7}, z: {type: tanh, factor: 1.0}");
}

TEST_P(ProjectionOrders, flow_between_given_velocities_is_of_second_order) {
  expect_second_order(ethier_steinman_flow(), {"[12, 14, 16]", "[24, 28, 32]"}, 0.01, 10, false);
}

TEST_P(ProjectionOrders, flow_between_given_velocities_on_stretched_axes_is_of_second_order) {
  expect_second_order(ethier_steinman_flow(),
                      {"[16, 14, 12]", "[32, 28, 24]"},
                      0.01,
                      10,
                      false,
                      "x: {type: tanh, factor: 1.2}, y: {type: tanh, factor: 1.0}, "
                      "z: {type: tanh, factor: 0.8}");
}

TEST_P(ProjectionOrders, flow_on_axes_that_are_fine_at_one_end_is_of_second_order) {
  expect_second_order(ethier_steinman_flow(),
                      {"[24, 20, 18]", "[48, 40, 36]"},
                      0.01,
                      10,
                      false,
                      "x: {type: tanh, factor: 1.0, fine_at: low}, "
                      "z: {type: tanh, factor: 0.8, fine_at: high}");
}

/// On a fixed grid the spatial error cancels between runs of different step.
TEST_P(ProjectionOrders, differences_between_steps_show_second_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "differences of runs are near round-off in float";
  for (const bool is_periodic : {true, false}) {
    const ExactFlow flow = is_periodic ? antuono_flow() : ethier_steinman_flow();
    const double dt = is_periodic ? 0.1 : 0.003;
    const Case base = case_of(case_text(flow, "[12, 10, 11]", dt, is_periodic, ""));
    const auto final_state = [&](int refinement) {
      Case resolved = base;
      resolved.time.step = dt / refinement;
      auto simulation = started(resolved);
      for (int n = 0; n < 10 * refinement; ++n) simulation->advance();
      return viewing_copy(*simulation);
    };
    const FlowState a = final_state(1);
    const FlowState b = final_state(2);
    const FlowState c = final_state(4);
    for (const auto name : {velocity_x_name, velocity_y_name, velocity_z_name}) {
      const double order = order_of(distance(base, values_of(a, name), values_of(b, name)),
                                    distance(base, values_of(b, name), values_of(c, name)));
      EXPECT_NEAR(order, 2, 0.1) << name << " is_periodic " << is_periodic;
    }
  }
}

/// A wave of temperature carried by a uniform stream: T = sin(k.(x - c t)) exp(-k^2 t/(Re Pr)).
TEST_P(ProjectionOrders, temperature_is_carried_and_diffuses_to_second_order) {
  const auto error = [&](int n, double dt, int steps) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: wave
scheme: projection
grid: {{points: [{}, {}, {}], length: [1, 1, 1], stretching: {{y: {{type: tanh, factor: 0.6}}}}}}
fluid: {{reynolds: 100, prandtl: 0.5}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0.7, -0.4, 0.5], temperature: "sin(2*pi*(x+y-z))"}}
time: {{step: {}, steps: 100}}
)yaml",
                                              n,
                                              n + n / 4,
                                              n + n / 8,
                                              dt));
    auto simulation = started(resolved);
    for (int s = 0; s < steps; ++s) simulation->advance();
    const double t = simulation->time();
    const auto exact = at_centres(resolved, [&](double x, double y, double z) {
      return std::sin(2 * pi * (x + y - z - (0.7 - 0.4 - 0.5) * t)) *
             std::exp(-3 * 4 * pi * pi * t / 50);
    });
    return distance(resolved, values_of(viewing_copy(*simulation), "temperature"), exact);
  };
  const double coarse = error(16, 0.04, 5);
  const double fine = error(32, 0.02, 10);
  RecordProperty("order", fmt::format("{:.3f}", order_of(coarse, fine)));
  EXPECT_NEAR(order_of(coarse, fine), 2, 0.1) << coarse << " " << fine;
}

/// Layers of temperature that diffuse and lift the fluid along them: with T = sin(k s) exp(-nu_T
/// k^2 t) the velocity across s is sin(k s) B/((nu - nu_T) k^2) (exp(-nu_T k^2 t) - exp(-nu k^2
/// t)).
TEST_P(ProjectionOrders, layers_that_buoyancy_lifts_are_followed_to_second_order) {
  constexpr double re = 10;
  constexpr double pr = 0.5;  // and B = Ra/(Pr Re^2) = 1
  constexpr double k = 2 * pi;
  const PerAxis<std::string_view> names{velocity_x_name, velocity_y_name, velocity_z_name};
  for (int lifted = 0; lifted < names.size(); ++lifted) {
    const int across = (lifted + 1) % names.size();
    const auto error = [&](int n, double dt, int steps) {
      const Case resolved = case_of(fmt::format(R"yaml(
case: layers
scheme: projection
grid: {{points: [{}, {}, {}], length: [1, 1, 1]}}
fluid: {{reynolds: {}, prandtl: {}}}
buoyancy: {{rayleigh: {}, direction: {}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{temperature: "sin(2*pi*{})"}}
time: {{step: {}, steps: 100}}
)yaml",
                                                n,
                                                n + n / 4,
                                                n + n / 8,
                                                re,
                                                pr,
                                                pr * re * re,
                                                axis_names[lifted],
                                                axis_names[across],
                                                dt));
      auto simulation = started(resolved);
      for (int s = 0; s < steps; ++s) simulation->advance();
      const double t = simulation->time();
      const double slow = k * k / re;
      const double fast = k * k / (re * pr);
      const double amplitude = (std::exp(-fast * t) - std::exp(-slow * t)) / (slow - fast);
      const auto exact = at_centres(resolved, [&](double x, double y, double z) {
        return amplitude * std::sin(k * std::array{x, y, z}.at(across));
      });
      return distance(resolved, values_of(viewing_copy(*simulation), names[lifted]), exact);
    };
    const double coarse = error(16, 0.02, 5);
    const double fine = error(32, 0.01, 10);
    EXPECT_NEAR(order_of(coarse, fine), 2, 0.1)
        << axis_names[lifted] << ": " << coarse << " " << fine;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ProjectionOrders, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_projection_orders
