#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

#include "solver/core/error.hpp"
#include "solver/core/reduction.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing::test_simulation {
namespace {

/// All kinds of boundaries, moving ones too, on an odd and unequal grid.
const char* const mixed_case = R"yaml(
case: mixed
scheme: splitting
grid: {points: [19, 14, 23], length: [1.5, 1, 0.75], origin: [-1, 0, 2]}
fluid: {reynolds: 100, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x_min: {type: inflow, velocity: ["1+0.1*sin(3*t)*y", 0, 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: {gradient: "0.1*x"}}
  y_max: {type: symmetry}
  z: periodic
initial:
  velocity: ["1+0.1*y*(1-y)", "0.05*sin(pi*y)*cos(x)", "0.1*cos(2*pi*(z-2)/0.75)"]
  temperature: "1+0.1*x*y"
  noise: {amplitude: 0.01, seed: 7}
time: {step: 0.005, steps: 8, global_iterations: 2, local_iterations: 2}
)yaml";

/// Walls all round, one of them moving.
const char* const cavity_case = R"yaml(
case: cavity
scheme: splitting
grid: {points: [12, 17, 15], length: [1, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x_min: {type: wall, temperature: 1}
  x_max: {type: wall, temperature: 1.5}
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: wall, velocity: [1, 0, 0], temperature: {gradient: 0}}
  z_min: {type: wall, temperature: {gradient: 0}}
  z_max: {type: wall, temperature: {gradient: 0}}
time: {step: 0.01, steps: 6, global_iterations: 1, local_iterations: 2}
)yaml";

FlowState state_after(const Case& resolved, int steps) {
  return state_of(*after(resolved, steps));
}

std::string divergence_of(Simulation& simulation) {
  return message_of<DivergenceError>([&] { return simulation.diagnostics(); });
}

class SimulationTest : public OnEveryTarget {};

TEST_P(SimulationTest, going_on_from_any_step_changes_no_bit) {
  for (const char* yaml : {mixed_case, cavity_case}) {
    const Case resolved = case_of(yaml);
    const FlowState whole = state_after(resolved, 6);
    for (int pause = 0; pause <= 5; ++pause) {
      auto second = make_simulation(resolved);
      second->set_state(state_after(resolved, pause));
      while (second->step() < 6) second->advance();
      EXPECT_TRUE(same_bits(state_of(*second), whole)) << "paused at step " << pause;
    }
  }
}

/// Intervals of time need it: time() - time_step() differs by round-off.
TEST_P(SimulationTest, the_time_before_a_step_is_kept_to_the_bit_and_in_checkpoints) {
  for (const Scheme scheme : {Scheme::splitting, Scheme::projection}) {
    Case resolved = case_of(cavity_case);
    resolved.scheme = scheme;
    auto simulation = started(resolved);
    EXPECT_EQ(simulation->time_before(), -simulation->time_step());
    int differ = 0;
    for (int step = 0; step < 12; ++step) {
      const double before = simulation->time();
      simulation->advance();
      EXPECT_EQ(simulation->time_before(), before);
      if (simulation->time() - simulation->time_step() == before) continue;
      ++differ;
      auto resumed = make_simulation(resolved);
      resumed->set_state(state_of(*simulation));
      EXPECT_EQ(resumed->time_before(), before);
    }
    EXPECT_GT(differ, 0);
  }
}

TEST_P(SimulationTest, boundary_nodes_meet_their_conditions_after_a_step) {
  const Case resolved = case_of(mixed_case);
  const FlowState state = state_after(resolved, 3);
  const Extents n = resolved.grid.points;
  const auto u = in_doubles(state.fields[0]);
  const auto v = in_doubles(state.fields[1]);
  const auto w = in_doubles(state.fields[2]);
  const auto heat = in_doubles(state.fields[3]);
  const auto at = [&](const auto& q, int i, int j, int k) {
    const std::ptrdiff_t node = i + n.nx * (j + static_cast<std::ptrdiff_t>(n.ny) * k);
    return q[node];
  };
  const double limit = is_double() ? 1e-13 : 1e-5;
  const double hy = 1.0 / 13;
  for (int k = 0; k < n.nz; ++k) {
    for (int j = 1; j + 1 < n.ny; ++j) {
      EXPECT_NEAR(at(u, 0, j, k), 1 + 0.1 * std::sin(3 * state.time) * hy * j, limit);
      EXPECT_NEAR(at(heat, 18, j, k), 2 * at(heat, 17, j, k) - at(heat, 16, j, k), limit);
      EXPECT_NEAR(at(w, 18, j, k), 2 * at(w, 17, j, k) - at(w, 16, j, k), limit);
    }
    for (int i = 1; i + 1 < n.nx; ++i) {
      const double x = -1 + 1.5 / 18 * i;
      // Outward normal derivative at the low y wall: -(dT/dy) = 0.1 x.
      const double slope =
          (3 * at(heat, i, 0, k) - 4 * at(heat, i, 1, k) + at(heat, i, 2, k)) / (2 * hy);
      EXPECT_NEAR(slope, 0.1 * x, limit * 30);
      EXPECT_EQ(at(u, i, 0, k), 0);
      EXPECT_EQ(at(v, i, 13, k), 0);
      EXPECT_NEAR(3 * at(w, i, 13, k), 4 * at(w, i, 12, k) - at(w, i, 11, k), limit * 5);
    }
  }
}

TEST_P(SimulationTest, global_iterations_stop_at_the_tolerance_and_say_so) {
  Case resolved = case_of(cavity_case);
  resolved.time.global_tolerance = is_double() ? 1e-9 : 1e-5;
  resolved.time.max_global_iterations = 60;
  auto simulation = started(resolved);
  const StepReport converged = simulation->advance();
  EXPECT_TRUE(converged.reached_tolerance);
  EXPECT_GT(converged.global_iterations, 2);
  EXPECT_LT(converged.global_iterations, 60);
  EXPECT_LE(converged.iteration_change, *resolved.time.global_tolerance);

  resolved.time.max_global_iterations = 2;
  const StepReport stopped = started(resolved)->advance();
  EXPECT_FALSE(stopped.reached_tolerance);
  EXPECT_EQ(stopped.global_iterations, 2);
  EXPECT_GT(stopped.iteration_change, *resolved.time.global_tolerance);
}

TEST_P(SimulationTest, nan_stops_the_run_and_its_place_is_named) {
  const Case resolved = case_of(cavity_case);
  auto simulation = started(resolved);
  FlowState state = initial_state(resolved);
  state.fields[3].values<double>()[5 + 12 * (6 + 17 * 7)] =
      std::numeric_limits<double>::quiet_NaN();
  simulation->set_state(state);
  const std::string message = divergence_of(*simulation);
  EXPECT_NE(message.find("temperature is nan at node (5, 6, 7)"), std::string::npos) << message;
  state.fields[3].values<double>()[5 + 12 * (6 + 17 * 7)] = std::numeric_limits<double>::infinity();
  simulation->set_state(state);
  EXPECT_THROW(simulation->diagnostics(), DivergenceError);
  // What one bad value makes of the neighbours is found, too.
  simulation->advance();
  EXPECT_THROW(simulation->diagnostics(), DivergenceError);
}

/// The step that was taken meanwhile carries a bad value to other places, and a wall of a damped
/// step jumps in it.
TEST_P(SimulationTest, the_place_of_a_bad_value_is_named_one_step_later_too) {
  const char* const closed_box = R"yaml(
scheme: projection
grid: {points: [12, 17, 15], length: [1, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.72}
boundaries:
  x_min: {type: wall, temperature: 1}
  x_max: {type: wall, temperature: "t < 0.005 ? 1.5 : 3"}
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: wall, temperature: {gradient: 0}}
  z_min: {type: wall, temperature: {gradient: 0}}
  z_max: {type: wall, temperature: {gradient: 0}}
time: {step: 0.01, steps: 6}
)yaml";
  for (const char* const yaml : {cavity_case, closed_box}) {
    const Case resolved = case_of(yaml);
    const auto with_value_at_a_point = [&](std::string_view name, double value) {
      FlowState state = initial_state(resolved);
      const auto field = std::ranges::find(state.fields, name, &HostField::name);
      field->values<double>()[5 + 12 * (6 + 17 * 7)] = value;
      return state;
    };
    auto simulation = started(resolved);
    const auto message_at_once_and_later = [&](const FlowState& state) {
      simulation->set_state(state);
      const std::string at_once = divergence_of(*simulation);
      simulation->begin_diagnostics();
      EXPECT_EQ(message_of<DivergenceError>([&] {
                  simulation->advance();
                  simulation->finish_diagnostics();
                }),
                at_once);
      simulation->set_state(state);  // from here on nothing is left of those begun before
      simulation->advance();
      return at_once;
    };
    const std::string odd = message_at_once_and_later(
        with_value_at_a_point(temperature_name, std::numeric_limits<double>::quiet_NaN()));
    EXPECT_NE(odd.find("temperature is nan at "), std::string::npos) << odd;
    EXPECT_NE(odd.find(" (5, 6, 7), "), std::string::npos) << odd;
    const std::string fast = message_at_once_and_later(with_value_at_a_point(velocity_x_name, 1e6));
    EXPECT_NE(fast.find("the CFL number ran away to "), std::string::npos) << fast;
    EXPECT_NE(fast.find("velocity_x is "), std::string::npos) << fast;
  }
}

TEST_P(SimulationTest, grid_that_fits_fills_most_of_the_memory) {
  for (const char* const scheme_case : {mixed_case, cavity_case}) {
    Case resolved = case_of(scheme_case);
    resolved.grid.points = {400, 200, 100};
    const std::size_t needed = needs_of(resolved).device_bytes;
    const std::string fitting = grid_that_fits(resolved, needed, needed / 10);
    Extents& points = resolved.grid.points;
    ASSERT_EQ(std::sscanf(
                  fitting.c_str(), "grid.points: [%d, %d, %d]", &points.nx, &points.ny, &points.nz),
              3)
        << fitting;
    EXPECT_LE(needs_of(resolved).device_bytes, needed / 10);
    EXPECT_GT(needs_of(resolved).device_bytes, needed / 15);
    EXPECT_EQ(grid_that_fits(resolved, needed, needed / 1000000), "");
  }
}

TEST_P(SimulationTest, nan_in_a_stretched_cell_is_named_with_its_centre) {
  const Case resolved = case_of(R"yaml(
case: stretched
scheme: projection
grid: {points: [5, 4, 4], length: [5, 1, 4], stretching: {y: {coordinates: [0, 0.1, 0.3, 0.7, 1]}}}
fluid: {reynolds: 50, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 0}
  y_max: {type: wall, temperature: 0}
  z: periodic
time: {step: 0.01, steps: 1}
)yaml");
  FlowState state = initial_state(resolved);
  const auto temperature = std::ranges::find(state.fields, "temperature", &HostField::name);
  ASSERT_NE(temperature, state.fields.end());
  temperature->values<double>()[1 + 5 * (2 + 4 * 2)] = std::numeric_limits<double>::quiet_NaN();
  auto simulation = started(resolved);
  simulation->set_state(state);
  const std::string message = divergence_of(*simulation);
  EXPECT_NE(message.find("temperature is nan at cell (1, 2, 2), x = 1.5, y = 0.5, z = 2.5"),
            std::string::npos)
      << message;
}

TEST_P(SimulationTest, figures_of_a_known_flow_are_exact) {
  Case resolved = case_of(R"yaml(
case: linear
scheme: splitting
grid: {points: [9, 7, 11], length: [2, 1, 0.5]}
fluid: {reynolds: 50, prandtl: 1, heat_capacity_ratio: 1.4}
boundaries:
  x_min: {type: inflow, velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
  x_max: {type: inflow, velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
  y_min: {type: inflow, velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
  y_max: {type: inflow, velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
  z_min: {type: inflow, velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
  z_max: {type: inflow, velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
initial: {velocity: ["2*x", "-y", "3*z"], temperature: "1+z"}
time: {step: 0.01, steps: 1}
)yaml");
  const FlowDiagnostics diagnostics = started(resolved)->diagnostics();
  const double limit = is_double() ? 1e-12 : 2e-5;
  EXPECT_NEAR(diagnostics.divergence_mean, 4, limit);
  EXPECT_NEAR(diagnostics.divergence_max, 4, limit * 5);
  EXPECT_NEAR(diagnostics.others.at(0), 1.25, limit);
  EXPECT_NEAR(diagnostics.dissipation, 2 * (4 + 1 + 9) / 50.0, limit);
  // At the corner (2, 1, 0.5): 0.01 (4/0.25 + 1/(1/6) + 1.5/0.05)
  EXPECT_NEAR(diagnostics.cfl, 0.01 * (16 + 6 + 30), limit);
  // Midpoint rule of (4 x^2 + y^2 + 9 z^2)/2: mean of x^2 over cells is L^2/3 - h^2/12.
  const auto mean_square = [](double length, double h) { return length * length / 3 - h * h / 12; };
  EXPECT_NEAR(diagnostics.kinetic_energy,
              (4 * mean_square(2, 0.25) + mean_square(1, 1.0 / 6) + 9 * mean_square(0.5, 0.05)) / 2,
              limit * 5);
}

TEST_P(SimulationTest, a_state_of_the_other_precision_is_taken_over) {
  Case resolved = case_of(cavity_case);
  const FlowState state = state_after(resolved, 2);
  resolved.precision = is_double() ? Precision::single_precision : Precision::double_precision;
  auto simulation = make_simulation(resolved);
  simulation->set_state(state);
  const FlowState taken = state_of(*simulation);
  EXPECT_EQ(taken.step, 2);
  EXPECT_TRUE(same_within(1e-6, taken, state, Precisions::may_differ));
}

TEST_P(SimulationTest, a_state_that_does_not_fit_is_refused) {
  const Case resolved = case_of(cavity_case);
  auto simulation = make_simulation(resolved);
  FlowState state = initial_state(resolved);
  state.fields.pop_back();
  EXPECT_THROW(simulation->set_state(state), CaseError);
  Case other = resolved;
  other.grid.points.nx = 13;
  EXPECT_THROW(simulation->set_state(initial_state(other)), CaseError);
}

INSTANTIATE_TEST_SUITE_P(Devices, SimulationTest, all_targets(), name_of_target);

class CpuThreads : public ::testing::TestWithParam<Precision> {};

TEST_P(CpuThreads, results_do_not_depend_on_the_number_of_threads) {
  for (const char* yaml : {mixed_case, cavity_case}) {
    Case resolved = parse_case(yaml, "test.yaml", {});
    resolved.device = DeviceChoice::cpu;
    resolved.precision = GetParam();
    resolved.run.threads = 1;
    const FlowState alone = state_after(resolved, 4);
    for (const int threads : {2, 3, 5}) {
      resolved.run.threads = threads;
      EXPECT_TRUE(same_bits(state_after(resolved, 4), alone)) << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions,
                         CpuThreads,
                         ::testing::Values(Precision::single_precision,
                                           Precision::double_precision),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

/// Rounding differs between the devices (fused multiply-add), nothing else.
TEST(devices, cpu_and_gpu_agree_to_rounding) {
  if (!has_gpu()) GTEST_SKIP() << no_gpu();
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    Case resolved = parse_case(mixed_case, "test.yaml", {});
    resolved.precision = precision;
    resolved.device = DeviceChoice::cpu;
    const FlowState on_cpu = state_after(resolved, 8);
    resolved.device = DeviceChoice::cuda;
    const FlowState on_gpu = state_after(resolved, 8);
    const double limit = precision == Precision::double_precision ? 1e-13 : 2e-5;
    EXPECT_TRUE(same_within(limit, on_gpu, on_cpu));
  }
}

TEST(initial_state, noise_depends_on_the_seed_alone_and_keeps_its_amplitude) {
  Case resolved = parse_case(mixed_case, "test.yaml", {});
  resolved.run.threads = 1;
  const FlowState first = initial_state(resolved);
  resolved.run.threads = 3;
  EXPECT_TRUE(same_bits(first, initial_state(resolved)));
  resolved.initial.noise.seed = 8;
  EXPECT_FALSE(same_bits(first, initial_state(resolved)));
  Case quiet = resolved;
  quiet.initial.noise.amplitude = 0;
  const auto with = in_doubles(initial_state(resolved).fields[1]);
  const auto without = in_doubles(initial_state(quiet).fields[1]);
  double largest = 0;
  double sum = 0;
  for (std::size_t n = 0; n < with.size(); ++n) {
    largest = larger_or_nan(largest, std::abs(with[n] - without[n]));
    sum += with[n] - without[n];
  }
  EXPECT_LE(largest, 0.01);
  EXPECT_GT(largest, 0.0099);
  // Standard deviation of the mean of 6118 uniform values: 0.01/sqrt(3 * 6118).
  EXPECT_LT(std::abs(sum) / static_cast<double>(with.size()), 4 * 0.01 / std::sqrt(3.0 * 6118));
  // The components know nothing of each other: nor does the mean of their products.
  const auto of_component = [&](int component) {
    std::vector<double> noise = in_doubles(initial_state(resolved).fields[component]);
    const auto quiet_values = in_doubles(initial_state(quiet).fields[component]);
    for (std::size_t n = 0; n < noise.size(); ++n) noise[n] -= quiet_values[n];
    return noise;
  };
  const std::vector<double> u = of_component(0);
  for (const int other : {1, 2}) {
    const std::vector<double> noise = of_component(other);
    double products = 0;
    for (std::size_t n = 0; n < u.size(); ++n) products += u[n] * noise[n];
    EXPECT_LT(std::abs(products) / static_cast<double>(u.size()),
              4 * 0.01 * 0.01 / (3 * std::sqrt(6118.0)));
  }
}

}  // namespace
}  // namespace dns::testing::test_simulation
