/// Buoyancy in steps that are long compared with the waves of a stable stratification.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "solver/core/reduction.hpp"
#include "solver/projection/flow_copies.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_buoyancy_steps {
namespace {

class BuoyancySteps : public OnEveryTarget {
 protected:
  struct Rolls {
    std::string accuracy;
    int nx, ny;
    double rayleigh;
    double prandtl = 0.71;
    double wave_number = 3.117;
    double taylor = 0;  // 4 Omega^2 H^4/nu^2, about the normal of the plates
    int nz = 7;
    std::string stretching = {};
  };
  static double growth_of(const Rolls& rolls);
};

/// A standing wave of wave vector pi along `up` and along the axis before it in a box with T = s
/// along `up` and N = 1; all velocities and what T differs by are 1e-4.
std::string wave(int up, double dt, int steps, double reynolds, const std::string& more = "") {
  const std::array<std::string, 3> names{"x", "y", "z"};
  const int across = (up + 2) % 3;
  const int along = (up + 1) % 3;
  const auto s = static_cast<std::size_t>(up);
  const auto r = static_cast<std::size_t>(across);
  const auto h = static_cast<std::size_t>(along);
  PerAxis<std::string> velocity{"0", "0", "0"};
  velocity[r] = fmt::format("-1e-4*sin(pi*{})*cos(pi*{})", names[r], names[s]);
  velocity[s] = fmt::format("1e-4*cos(pi*{})*sin(pi*{})", names[r], names[s]);
  PerAxis<int> points{};
  points[r] = 14;
  points[s] = 17;
  points[h] = 5;
  PerAxis<double> length{1, 1, 1};
  length[h] = 0.2;
  return fmt::format(
      R"yaml(
case: wave
scheme: projection
grid: {{points: [{}, {}, {}], length: [{}, {}, {}], stretching: {{{}: {{type: tanh, factor: 1}}}}}}
fluid: {{reynolds: {}, prandtl: 1}}
buoyancy: {{rayleigh: {}, direction: {}, reference_temperature: -7}}
boundaries:
  {}_min: {{type: symmetry}}
  {}_max: {{type: wall, velocity: ["0", "0", "0"], temperature: {{gradient: 0}}}}
  {}_min: {{type: wall, temperature: 0}}
  {}_max: {{type: wall, temperature: 1}}
  {}: periodic
initial: {{velocity: ["{}", "{}", "{}"], temperature: "{}"}}
time: {{step: {}, steps: {}}}
{})yaml",
      points[0],
      points[1],
      points[2],
      length[0],
      length[1],
      length[2],
      names[s],
      reynolds,
      reynolds * reynolds,
      names[s],
      names[r],
      names[r],
      names[s],
      names[s],
      names[h],
      velocity[0],
      velocity[1],
      velocity[2],
      names[s],
      dt,
      steps,
      more);
}

/// All energy is kinetic at the start; later it is never more.
TEST_P(BuoyancySteps, add_no_energy_to_a_wave) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  struct Steps {
    double dt;
    int steps;
  };
  for (const Steps& of : {Steps{0.1, 600}, Steps{1, 200}, Steps{1.7, 200}, Steps{1.95, 200}}) {
    for (const int up : {0, 1, 2}) {
      if (up != 1 && of.dt < 1) continue;
      auto simulation = started(case_of(wave(up, of.dt, of.steps, 1e6)));
      const double at_start = simulation->diagnostics().kinetic_energy;
      double largest = 0;
      for (int n = 0; n < of.steps; ++n) {
        simulation->advance();
        largest = larger_or_nan(largest, simulation->diagnostics().kinetic_energy);
      }
      EXPECT_LE(largest, 1.01 * at_start) << "N dt " << of.dt << ", axis " << up;
    }
  }
}

TEST_P(BuoyancySteps, add_no_energy_with_global_iterations) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const double dt : {1.0, 1.9}) {
    for (const int iterations : {2, 3}) {
      Case resolved = case_of(wave(1, dt, 60, 1e6));
      resolved.time.global_iterations = iterations;
      auto simulation = started(resolved);
      const double at_start = simulation->diagnostics().kinetic_energy;
      double largest = 0;
      for (int n = 0; n < 60; ++n) {
        simulation->advance();
        largest = larger_or_nan(largest, simulation->diagnostics().kinetic_energy);
      }
      EXPECT_LE(largest, 1.01 * at_start) << "N dt " << dt << ", iterations " << iterations;
    }
  }
}

/// The frequency of the semi-discrete wave is that of the limit of short steps; with viscosity and
/// conduction.
TEST_P(BuoyancySteps, are_of_second_order) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  const Case resolved = case_of(wave(1, 1, 1, 200));
  const auto after_steps = [&](double dt, int steps) {
    return viewing_copy(*after(case_of(wave(1, dt, steps, 200)), steps));
  };
  const FlowState coarse = after_steps(0.4, 10);
  const FlowState middle = after_steps(0.2, 20);
  const FlowState fine = after_steps(0.1, 40);
  for (const char* const name : {"velocity_x", "velocity_y", "temperature"}) {
    const auto between = [&](const FlowState& a, const FlowState& b) {
      return distance(resolved, values_of(a, name), values_of(b, name));
    };
    const double order = order_of(between(coarse, middle), between(middle, fine));
    RecordProperty(name, fmt::format("{:.2f}", order));
    EXPECT_GT(order, 1.85) << name;
    EXPECT_LT(order, 2.3) << name;
  }
}

/// N dt is 2 at most: longer constant steps are refused, those of time.cfl shortened.
TEST_P(BuoyancySteps, are_no_longer_than_waves_allow) {
  for (const int up : {0, 1, 2}) {
    const std::string message =
        message_of<CaseError>([&] { return after(case_of(wave(up, 2.1, 9, 1e6)), 1); });
    EXPECT_NE(message.find("at most in implicit steps with waves of buoyancy"), std::string::npos)
        << message;
    Case free = case_of(wave(up, 1, 9, 1e6));
    free.time.step = std::numeric_limits<double>::infinity();
    free.time.cfl = 5;
    auto flow = started(free);
    flow->advance();
    EXPECT_LE(flow->time(), 1.81);
    EXPECT_GT(flow->time(), 1.5);
  }
}

TEST_P(BuoyancySteps, keep_a_stratified_fluid_at_rest) {
  for (const double dt : {1.0, 1.9}) {
    Case resolved = case_of(wave(2, dt, 10, 100));
    resolved.initial.velocity = {Expression(0.0), Expression(0.0), Expression(0.0)};
    const FlowState flow = viewing_copy(*after(resolved, 10));
    double fastest = 0;
    for (const double w : values_of(flow, "velocity_z"))
      fastest = larger_or_nan(fastest, std::abs(w));
    EXPECT_LE(fastest, 200 * epsilon() * 8 * dt) << "N dt " << dt;
  }
}

TEST_P(BuoyancySteps, go_on_bit_for_bit_and_are_the_same_on_several_ranks) {
  for (const int up : {1, 2}) {
    const Case resolved = case_of(wave(up, 1.5, 12, 1e3));
    EXPECT_TRUE(goes_on_bit_for_bit(resolved)) << up;
    EXPECT_LE(difference_on_ranks(resolved, up == 2 ? 3 : 2, {"velocity_z", "temperature"}),
              2000 * epsilon())
        << up;
  }
}

/// The rate at which rolls grow between rigid plates [U/H], with U the velocity of free fall.
double BuoyancySteps::growth_of(const Rolls& rolls) {
  const double reynolds = std::sqrt(rolls.rayleigh / rolls.prandtl);
  auto simulation = started(case_of(fmt::format(R"yaml(
case: rolls
scheme: projection
grid: {{points: [{}, {}, {}], length: [{:.17g}, 1, 1]{}}}
accuracy: {}
fluid: {{reynolds: {:.17g}, prandtl: {}}}
buoyancy: {{rayleigh: {}, direction: y, reference_temperature: 0.5}}
rotation: {{rate: [0, {:.17g}, 0]}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: 1}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
initial: {{temperature: "1-y+1e-3*cos({}*x)*sin(pi*y)"}}
time: {{step: 0.04, steps: 100000}}
)yaml",
                                                rolls.nx,
                                                rolls.ny,
                                                rolls.nz,
                                                2 * std::numbers::pi / rolls.wave_number,
                                                rolls.stretching,
                                                rolls.accuracy,
                                                reynolds,
                                                rolls.prandtl,
                                                rolls.rayleigh,
                                                std::sqrt(rolls.taylor) / (2 * reynolds),
                                                rolls.wave_number)));
  const auto energy_at = [&](double time) {
    while (simulation->time() < time - 1e-9) simulation->advance();
    return simulation->diagnostics().kinetic_energy;
  };
  const double early = energy_at(8);
  return std::log(energy_at(12) / early) / (2 * 4);
}

/// Against the eigenvalues of the linear equations in Chebyshev polynomials of degree 40; they
/// vanish at the critical Rayleigh number, 1707.76.
TEST_P(BuoyancySteps, rolls_grow_and_decay_as_linear_theory_says) {
  const std::string high_order = "{order: [6, 2, 6]}";
  const auto error = [&](const std::string& accuracy, int nx, int ny) {
    return growth_of({accuracy, nx, ny, 3000}) - 0.1618911618617;
  };
  const double coarse = error(high_order, 9, 16);
  const double fine = error(high_order, 9, 32);
  EXPECT_LT(std::abs(fine), 0.01 * 0.1619);
  EXPECT_NEAR(coarse / fine, 4, 0.25);  // of second order across the plates
  // Nine cells along a roll resolve it at order 6, not at order 2.
  EXPECT_NEAR(error(high_order, 18, 32), fine, 2e-5);
  EXPECT_LT(error("{order: 2}", 9, 32), fine - 1.5e-3);

  const double at_1600 = growth_of({high_order, 9, 32, 1600});
  const double at_1720 = growth_of({high_order, 9, 32, 1720});
  EXPECT_LT(at_1600, 0);
  EXPECT_GT(at_1720, 0);
  const double critical = 1600 - at_1600 * 120 / (at_1720 - at_1600);
  EXPECT_NEAR(critical, 1707.76, 0.006 * 1707.76);
}

/// Likewise in a frame that rotates, Ta = 1e4 and Pr = 1: the rate vanishes at Ra = 4712.1.
TEST_P(BuoyancySteps, rotating_rolls_grow_and_decay_as_linear_theory_says) {
  struct Kind {
    const char* accuracy;
    int nx;
  };
  for (const Kind& kind : {Kind{"{order: 2}", 32}, Kind{"{order: [6, 2, 2]}", 9}}) {
    const auto growth = [&](double rayleigh) {
      return growth_of({kind.accuracy,
                        kind.nx,
                        32,
                        rayleigh,
                        1,
                        4.80,
                        1e4,
                        4,
                        ", stretching: {y: {type: tanh, factor: 1.3}}"});
    };
    const double exact = 0.2082469348657;
    const double error = growth(8000) / exact - 1;
    const double at_4600 = growth(4600);
    const double at_4800 = growth(4800);
    const double critical = 4600 - at_4600 * 200 / (at_4800 - at_4600);
    const std::string what =
        fmt::format("{}: {}, {} {}: {}", kind.accuracy, error, at_4600, at_4800, critical);
    RecordProperty(kind.accuracy, what);
    EXPECT_LT(std::abs(error), 0.01) << what;
    EXPECT_LT(at_4600, 0) << what;
    EXPECT_GT(at_4800, 0) << what;
    EXPECT_NEAR(critical, 4712, 0.01 * 4712) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, BuoyancySteps, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_buoyancy_steps
