/// Outputs belong to the time of the flow: pressure and what bodies feel, in both time schemes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_times_of_outputs {
namespace {

using std::numbers::pi;

class TimesOfOutputs : public OnEveryTarget {
 public:
  using OnEveryTarget::case_of;
};

/// The phase [radian] of e^(i waves 2 pi x/length) in values at cell centres, weighted with
/// cos(2 pi y/length) or not.
double phase_of(const Case& resolved, const std::vector<double>& values, int waves, bool odd) {
  const double length = resolved.grid.length[0];
  std::complex<double> sum = 0;
  const std::vector<double> x =
      at_centres(resolved, [](double along, double, double) { return along; });
  const std::vector<double> y =
      at_centres(resolved, [](double, double across, double) { return across; });
  for (std::size_t n = 0; n < values.size(); ++n)
    sum += values[n] * (odd ? std::cos(2 * pi * y[n] / length) : 1.0) *
           std::polar(1.0, -2 * pi * waves * x[n] / length);
  return std::arg(sum);
}

/// By how much the pressure of Taylor-Green vortices that a stream carries lies behind them. With
/// the pressure of the middle of the step or of the last stage that was dt or dt/3.
double lag_of_pressure(const std::string& scheme, double dt) {
  const Case resolved = TimesOfOutputs::case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [32, 30, 5], length: [6.283185307179586, 6.283185307179586, 1]}}
fluid: {{reynolds: 100}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["1 + sin(x)*cos(y)", "-cos(x)*sin(y)", 0]}}
time: {{scheme: {}, step: {}, steps: 100000}}
)yaml",
                                                            scheme,
                                                            dt));
  const auto simulation = after(resolved, static_cast<int>(std::lround(1 / dt)));
  const FlowState flow = viewing_copy(*simulation);
  const double vortices = phase_of(resolved, values_of(flow, velocity_x_name), 1, true);
  const double pressure = phase_of(resolved, values_of(flow, pressure_name), 2, false);
  return std::remainder(pressure - 2 * vortices, pi);
}

TEST_P(TimesOfOutputs, pressure_is_in_phase_with_the_vortices_that_make_it) {
  const double round_off = is_double() ? 0 : 2e-5;
  const double of_flow = 1e-4;  // at cell centres, from the difference of 32 and 30 cells
  const double implicit = std::abs(lag_of_pressure("implicit", 0.05));
  const double of_stages = std::abs(lag_of_pressure("runge_kutta", 0.05));
  EXPECT_LT(implicit, 2e-3);
  EXPECT_LT(of_stages, 1e-4 + of_flow + round_off);
  if (is_double()) {
    EXPECT_GT(implicit, 3 * std::abs(lag_of_pressure("implicit", 0.025)));
  }
}

/// A plug that pulses between inflow and outflow.
Case plug(const std::string& time, double dt, double reynolds) {
  return TimesOfOutputs::case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [24, 13, 4], length: [2, 1, 0.25]}}
fluid: {{reynolds: {}}}
boundaries:
  x_min: {{type: inflow, velocity: ["1 + 0.3*sin(2*pi*t)*(1 + 0.5*cos(2*pi*y))", "0.2*sin(3*t)*sin(2*pi*y)", 0]}}
  x_max: {{type: outflow, backflow: stabilised}}
  y: periodic
  z: periodic
initial: {{velocity: [1, 0, 0]}}
time: {{scheme: {}, step: {}, steps: 100000}}
)yaml",
                                             reynolds,
                                             time,
                                             dt));
}

TEST_P(TimesOfOutputs, a_pulsing_plug_has_the_order_of_its_scheme) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  struct Expected {
    const char* scheme;
    double reynolds, velocity, pressure;  // orders
  };
  // Implicit diffusion across the inflow leaves stages between 2 and 3.
  for (const auto& [scheme, reynolds, velocity, pressure] :
       {Expected{"implicit", 100, 1.9, 1.9},
        Expected{"runge_kutta", 100, 2.2, 1.9},
        Expected{"runge_kutta, explicit_diffusion: [x]", 100, 2.9, 1.9},
        Expected{"runge_kutta", 1e6, 2.9, 1.9}}) {
    std::vector<FlowState> flows;
    for (const int steps : {50, 100, 200, 400})
      flows.push_back(viewing_copy(*after(plug(scheme, 1.0 / steps, reynolds), steps)));
    const Case resolved = plug(scheme, 0.01, reynolds);
    const auto change = [&](std::size_t level, std::string_view name) {
      return distance(resolved, values_of(flows[level], name), values_of(flows[level + 1], name));
    };
    for (const auto& [name, order] :
         {std::pair{velocity_x_name, velocity}, std::pair{pressure_name, pressure}}) {
      SCOPED_TRACE(fmt::format("{} at Re {}: {}", scheme, reynolds, name));
      EXPECT_GT(order_of(change(0, name), change(1, name)), order);
      EXPECT_GT(order_of(change(1, name), change(2, name)), order);
    }
  }
}

constexpr const char* felt_names[] = {"force_rod_x", "heat_rod"};

/// What a warm rod feels in a stream that comes and goes, at t = 1.6.
std::array<double, 2> felt(const std::string& scheme, double dt) {
  const Case resolved = TimesOfOutputs::case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [30, 21, 4], length: [6, 4, 0.5], origin: [-3, -2, 0]}}
fluid: {{reynolds: 40, prandtl: 1}}
boundaries:
  x_min: {{type: inflow, velocity: ["0.5*(1-cos(2*t))*(1-cos(2*t))", 0, 0], temperature: 0}}
  x_max: {{type: outflow}}
  y: periodic
  z: periodic
solids: {{rod: {{shape: cylinder, axis: z, center: [0, 0.03, 0], radius: 0.5, temperature: 1}}}}
initial: {{velocity: [0, 0, 0], temperature: 0}}
time: {{scheme: {}, step: {}, steps: 100000}}
)yaml",
                                                            scheme,
                                                            dt));
  const auto simulation = after(resolved, static_cast<int>(std::lround(1.6 / dt)));
  return {figure(*simulation, felt_names[0]), figure(*simulation, felt_names[1])};
}

TEST_P(TimesOfOutputs, bodies_feel_the_flow_of_the_same_time) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  std::array<std::array<double, 2>, 2> limits{};  // of each scheme
  for (const std::size_t scheme : {0, 1}) {
    std::vector<std::array<double, 2>> values;
    for (const double dt : {0.01, 0.005, 0.0025})
      values.push_back(felt(scheme == 0 ? "implicit" : "runge_kutta", dt));
    for (const std::size_t n : {0, 1}) {
      SCOPED_TRACE(fmt::format("{} of scheme {}", felt_names[n], scheme));
      const double change = values[1][n] - values[2][n];
      EXPECT_GT(order_of(std::abs(values[0][n] - values[1][n]), std::abs(change)), 1.9);
      EXPECT_LT(std::abs(change), (scheme == 0 ? 4e-4 : 4e-5) * std::abs(values[2][n]));
      limits[scheme][n] = values[2][n] - change / 3;
    }
  }
  for (const std::size_t n : {0, 1})
    EXPECT_NEAR(limits[0][n], limits[1][n], 2e-5 * std::abs(limits[0][n]));
}

/// Also around bodies and beside an outflow, with an axis of higher order along both.
TEST_P(TimesOfOutputs, a_run_of_stages_goes_on_bit_for_bit) {
  const Case resolved = TimesOfOutputs::case_of(R"yaml(
scheme: projection
grid: {points: [19, 12, 9], length: [4, 2, 0.5], origin: [-1, -1, 0]}
accuracy: {order: [2, 2, 6]}
fluid: {reynolds: 60, prandtl: 1}
boundaries:
  x_min: {type: inflow, velocity: ["1+0.2*sin(3*t)+0.3*sin(4*pi*z)", 0, "0.2*cos(4*pi*z)"], temperature: 0}
  x_max: {type: outflow, backflow: stabilised}
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: symmetry}
  z: periodic
solids:
  rod: {shape: cylinder, axis: z, center: [0, 0.1, 0], radius: 0.4, rotation: [0, 0, 1], temperature: {gradient: 0}}
initial: {velocity: [1, 0, 0], temperature: "x"}
time: {step: 0.01, steps: 100000}
)yaml");
  const auto whole = after(resolved, 12);
  const auto first = after(resolved, 7);
  const auto second = started(resolved);
  second->set_state(state_of(*first));
  EXPECT_EQ(values_of(viewing_copy(*second), pressure_name),
            values_of(viewing_copy(*first), pressure_name));
  for (int n = 0; n < 5; ++n) second->advance();
  for (const auto name : {velocity_x_name, velocity_y_name, pressure_name, temperature_name})
    EXPECT_EQ(values_of(viewing_copy(*second), name), values_of(viewing_copy(*whole), name))
        << name;
  for (const char* name : {"force_rod_x", "impulse_rod_x"})
    EXPECT_EQ(figure(*second, name), figure(*whole, name)) << name;
  EXPECT_LT(whole->diagnostics().divergence_max, 2000 * epsilon());
}

INSTANTIATE_TEST_SUITE_P(Devices, TimesOfOutputs, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_times_of_outputs
