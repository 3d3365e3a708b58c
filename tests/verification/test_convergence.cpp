#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing::test_convergence {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A shear wave carried by a uniform stream and decaying: with k.a = 0,
///   V = c + a sin(k.(x - c t)) exp(-k^2 t/Re),  T = 1
/// solves the equations of scheme splitting exactly when the heat capacity ratio is 1 (no heating
/// by dissipation), since (V.grad)V = (c.k) a cos(...) and div V = 0.
struct ShearWave {
  double k[3];
  double a[3];
  double c[3];
  double reynolds;

  [[nodiscard]] double velocity(int component, double x, double y, double z, double t) const {
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double phase = k[0] * (x - c[0] * t) + k[1] * (y - c[1] * t) + k[2] * (z - c[2] * t);
    return c[component] + a[component] * std::sin(phase) * std::exp(-k2 * t / reynolds);
  }
  [[nodiscard]] std::string text(int component, const std::string& t) const {
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    return fmt::format(
        "{:.17g}+{:.17g}*sin({:.17g}*(x-({:.17g})*{t})+{:.17g}*(y-({:.17g})*{t})+{:.17g}*(z-({:."
        "17g})"
        "*{t}))*exp(-{:.17g}*{t})",
        c[component],
        a[component],
        k[0],
        c[0],
        k[1],
        c[1],
        k[2],
        c[2],
        k2 / reynolds,
        fmt::arg("t", t));
  }
};

// Wave numbers, amplitude and stream differ in every component, so that swapped axes show.
const ShearWave oblique_wave{{2 * pi, 4 * pi, -2 * pi}, {0.3, 0.1, 0.5}, {0.7, -0.4, 0.5}, 40};

constexpr int components = 3;

double largest_error(const Simulation& simulation,
                     const Case& resolved,
                     const std::function<double(int, double, double, double)>& exact) {
  const FlowState state = state_of(simulation);
  const Extents n = resolved.grid.points;
  double largest = 0;
  for (int variable = 0; variable < variables_per_level; ++variable) {
    const auto values = in_doubles(state.fields[variable]);
    std::size_t node = 0;
    for (int k = 0; k < n.nz; ++k) {
      for (int j = 0; j < n.ny; ++j) {
        for (int i = 0; i < n.nx; ++i, ++node) {
          const double error = std::abs(values[node] - exact(variable,
                                                             coordinate(resolved, 0, i),
                                                             coordinate(resolved, 1, j),
                                                             coordinate(resolved, 2, k)));
          largest = larger_or_nan(largest, error);
        }
      }
    }
  }
  return largest;
}

std::string three(const std::function<std::string(int)>& entry) {
  return fmt::format(R"(["{}", "{}", "{}"])", entry(0), entry(1), entry(2));
}

std::string wave_case(const std::string& points,
                      double step,
                      int steps,
                      const std::string& boundaries) {
  const auto start = three([](int q) { return oblique_wave.text(q, "0"); });
  return fmt::format(R"yaml(
case: wave
scheme: splitting
grid: {{points: {}, length: [1, 1, 1]}}
fluid: {{reynolds: {}, prandtl: 0.72, heat_capacity_ratio: 1}}
boundaries:
{}
initial: {{velocity: {}, temperature: 1}}
time: {{step: {:.17g}, steps: {}, global_iterations: 2, local_iterations: 2}}
)yaml",
                     points,
                     oblique_wave.reynolds,
                     boundaries,
                     start,
                     step,
                     steps);
}

std::string periodic_boundaries() {
  return "  x: periodic\n  y: periodic\n  z: periodic\n";
}

/// The exact solution given on all six faces.
std::string given_boundaries() {
  const auto velocity = three([](int q) { return oblique_wave.text(q, "t"); });
  std::string faces;
  for (const char* face : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}) {
    faces += fmt::format("  {}: {{type: inflow, velocity: {}, temperature: 1}}\n", face, velocity);
  }
  return faces;
}

double wave_error(const Case& resolved) {
  auto simulation = started(resolved);
  while (simulation->step() < resolved.time.steps) simulation->advance();
  return largest_error(*simulation, resolved, [&](int variable, double x, double y, double z) {
    return is_velocity(variable) ? oblique_wave.velocity(variable, x, y, z, simulation->time())
                                 : 1.0;
  });
}

class Convergence : public OnEveryTarget {};

// The step shrinks with h^2, so that a scheme of second order in space and first order in time
// loses a factor of 4 in error when h is halved; first order in space or zeroth in time would not.
// In single precision round-off stays far below these errors.
TEST_P(Convergence, errors_of_a_periodic_wave_fall_with_h_squared_and_dt) {
  const double coarse =
      wave_error(case_of(wave_case("[16, 20, 18]", 0.004, 12, periodic_boundaries())));
  const double fine =
      wave_error(case_of(wave_case("[32, 40, 36]", 0.001, 48, periodic_boundaries())));
  const double order = std::log2(coarse / fine);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, 2, 0.2) << coarse << " " << fine;
}

TEST_P(Convergence, errors_with_given_moving_boundaries_fall_with_h_squared_and_dt) {
  const double coarse =
      wave_error(case_of(wave_case("[17, 21, 19]", 0.004, 12, given_boundaries())));
  const double fine = wave_error(case_of(wave_case("[33, 41, 37]", 0.001, 48, given_boundaries())));
  const double order = std::log2(coarse / fine);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, 2, 0.25) << coarse << " " << fine;
}

/// On a fixed grid the spatial error cancels between runs of different step.
TEST_P(Convergence, differences_between_steps_show_first_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "differences of runs are near round-off in float";
  const auto final_state = [&](double step, int steps) {
    auto simulation =
        started(case_of(wave_case("[13, 17, 15]", step, steps, periodic_boundaries())));
    for (int n = 0; n < steps; ++n) simulation->advance();
    return state_of(*simulation);
  };
  const FlowState a = final_state(0.002, 10);
  const FlowState b = final_state(0.001, 20);
  const FlowState c = final_state(0.0005, 40);
  double ab = 0;
  double bc = 0;
  for (std::size_t q = 0; q < components; ++q) {
    const auto va = in_doubles(a.fields[q]);
    const auto vb = in_doubles(b.fields[q]);
    const auto vc = in_doubles(c.fields[q]);
    for (std::size_t n = 0; n < va.size(); ++n) {
      ab = larger_or_nan(ab, std::abs(va[n] - vb[n]));
      bc = larger_or_nan(bc, std::abs(vb[n] - vc[n]));
    }
  }
  EXPECT_NEAR(std::log2(ab / bc), 1, 0.1) << ab << " " << bc;
}

/// Between symmetry planes the tangential velocity u = 1 + a cos(pi y) cos(2 pi z) exp(-5 pi^2
/// t/Re) with v = w = 0, T = 1 is exact; the planes close u by its gradient and v, w by value.
TEST_P(Convergence, shear_between_symmetry_planes_is_of_second_order) {
  const double reynolds = 20;
  const auto error = [&](int n, double step, int steps) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: symmetry
scheme: splitting
grid: {{points: [6, {}, {}], length: [1, 1, 1]}}
fluid: {{reynolds: {}, prandtl: 1, heat_capacity_ratio: 1}}
boundaries:
  x: periodic
  y_min: {{type: symmetry}}
  y_max: {{type: symmetry}}
  z_min: {{type: symmetry}}
  z_max: {{type: symmetry}}
initial: {{velocity: ["1+0.5*cos(pi*y)*cos(2*pi*z)", 0, 0], temperature: 1}}
time: {{step: {}, steps: {}, global_iterations: 1, local_iterations: 1}}
)yaml",
                                              n + 1,
                                              n + 3,
                                              reynolds,
                                              step,
                                              steps));
    auto simulation = started(resolved);
    for (int s = 0; s < steps; ++s) simulation->advance();
    const double decay = std::exp(-5 * pi * pi * simulation->time() / reynolds);
    return largest_error(*simulation, resolved, [&](int variable, double, double y, double z) {
      if (variable == 0) return 1 + 0.5 * std::cos(pi * y) * std::cos(2 * pi * z) * decay;
      return is_velocity(variable) ? 0.0 : 1.0;
    });
  };
  // Round-off in float grows with the steps, to 6e-6 after 160; the error of 48 cells is 6e-5.
  const double coarse = is_double() ? error(32, 0.001, 40) : error(24, 0.002, 20);
  const double fine = is_double() ? error(64, 0.00025, 160) : error(48, 0.0005, 80);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << coarse << " " << fine;
}

/// w = w0 + G t, T = T0 - G z + G (w0 t + G t^2/2), u = v = 0 is exact and linear in space: it
/// tests the temperature gradient in the momentum equation, convection of T and moving boundary
/// values.
TEST_P(Convergence, stream_driven_by_a_temperature_gradient_is_followed) {
  const double gradient = 0.5;
  const auto error = [&](double step, int steps) {
    const std::string speed = "0.25+0.5*t";
    const std::string heat = "2-0.5*z+0.5*(0.25*t+0.25*t*t)";
    std::string faces;
    for (const char* face : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}) {
      faces +=
          fmt::format("  {}: {{type: inflow, velocity: [0, 0, \"{}\"], temperature: \"{}\"}}\n",
                      face,
                      speed,
                      heat);
    }
    const Case resolved = case_of(fmt::format(R"yaml(
case: driven
scheme: splitting
grid: {{points: [6, 7, 9], length: [1, 1, 1]}}
fluid: {{reynolds: 10, prandtl: 0.5, heat_capacity_ratio: 1.4}}
boundaries:
{}
initial: {{velocity: [0, 0, 0.25], temperature: "2-0.5*z"}}
time: {{step: {}, steps: {}, global_iterations: 2, local_iterations: 3}}
)yaml",
                                              faces,
                                              step,
                                              steps));
    auto simulation = started(resolved);
    for (int s = 0; s < steps; ++s) simulation->advance();
    const double t = simulation->time();
    return largest_error(*simulation, resolved, [&](int variable, double, double, double z) {
      if (variable == 2) return 0.25 + gradient * t;
      if (is_velocity(variable)) return 0.0;
      return 2 - gradient * z + gradient * (0.25 * t + gradient * t * t / 2);
    });
  };
  const double coarse = error(0.04, 10);
  const double fine = error(0.02, 20);
  EXPECT_LT(coarse, 0.01);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.15) << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(Devices, Convergence, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_convergence
