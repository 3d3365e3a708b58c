/// The Lorentz force of a uniform magnetic field: flows with exact solutions, and what is kept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_lorentz_force {
namespace {

using std::numbers::pi;

class LorentzForces : public OnEveryTarget {};

/// Hartmann's flow between walls at y = -1 and 1, in units of G Re.
double hartmann_profile(double y, double ha, bool has_net_current) {
  const double profile = 1 - std::cosh(ha * y) / std::cosh(ha);
  return profile / (has_net_current ? ha * ha : ha * std::tanh(ha));
}

struct HartmannRun {
  std::string scheme = "implicit", net_current = "zero", order = "2";
  double ha = 6, dt = 0.02;
  bool is_stretched = true;
};

/// Reynolds 1, G 1. It begins 10 % off.
std::string hartmann_flow(const HartmannRun& run, int n) {
  return fmt::format(
      R"yaml(
scheme: projection
grid: {{points: [4, {}, 5], length: [1, 2, 1], origin: [0, -1, 0]{}}}
accuracy: {{order: {}}}
fluid: {{reynolds: 1}}
magnetic: {{field: [0, 2, 0], hartmann: {}, net_current: {}}}
boundaries: {{x: periodic, z: periodic, y_min: {{type: wall}}, y_max: {{type: wall}}}}
initial: {{velocity: ["{:.17g}*(1 - cosh({}*y)/cosh({}))", 0, 0]}}
forcing: {{type: pressure_gradient, value: [1, 0, 0]}}
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
      n,
      run.is_stretched ? ", stretching: {y: {type: tanh, factor: 1.8}}" : "",
      run.order,
      run.ha,
      run.net_current,
      1.1 * (run.net_current == "free" ? 1 / (run.ha * run.ha) : 1 / (run.ha * std::tanh(run.ha))),
      run.ha,
      run.ha,
      run.scheme,
      run.dt);
}

/// The rms error after `steps`, over the largest velocity.
double error_of_hartmann(const Case& resolved, const HartmannRun& run, int steps) {
  const bool has_net_current = run.net_current == "free";
  const auto exact = at_centres(resolved, [&](double, double y, double) {
    return hartmann_profile(y, run.ha, has_net_current);
  });
  return distance(resolved, values_of(viewing_copy(*after(resolved, steps)), "velocity_x"), exact) /
         hartmann_profile(0, run.ha, has_net_current);
}

TEST_P(LorentzForces, make_the_flow_of_hartmann_with_second_order) {
  for (const HartmannRun& run : {HartmannRun{},
                                 HartmannRun{.ha = 20},
                                 HartmannRun{.net_current = "free"},
                                 HartmannRun{.is_stretched = false},
                                 HartmannRun{.scheme = "runge_kutta", .dt = 0.01}}) {
    std::vector<double> errors;
    for (const int n : {19, 38}) {
      const Case resolved = case_of(hartmann_flow(run, n));
      errors.push_back(error_of_hartmann(resolved, run, run.scheme == "implicit" ? 200 : 400));
    }
    const std::string what = fmt::format("{} {} Ha {} stretched {}: {}, {}",
                                         run.scheme,
                                         run.net_current,
                                         run.ha,
                                         run.is_stretched,
                                         errors[0],
                                         errors[1]);
    RecordProperty(
        fmt::format("{}_{}_{}_{}", run.scheme, run.net_current, run.ha, run.is_stretched), what);
    EXPECT_LT(errors[1], 0.013) << what;
    EXPECT_GT(errors[0], 1e-4) << what;
    EXPECT_GT(order_of(errors[0], errors[1]), 1.9) << what;
  }
}

/// Held at the bulk velocity 2/3 at Ha 6, against a profile of order 6 in finite differences:
/// Incompact3d, examples/MHD/reference_velocity_profile_mhdchan2d.dat (y, u of some points).
TEST_P(LorentzForces, make_the_flow_of_hartmann_that_incompact3d_has) {
  constexpr std::array<std::array<double, 2>, 9> reference{{{0.01111741, 0.05159312},
                                                            {0.05654183, 0.2300248},
                                                            {0.1060508, 0.3763869},
                                                            {0.1641176, 0.5008686},
                                                            {0.248868, 0.6199111},
                                                            {0.3567852, 0.7055064},
                                                            {0.5233358, 0.7648322},
                                                            {0.748351, 0.7901435},
                                                            {1.0, 0.7955881}}};
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [4, 96, 4], length: [1, 2, 1], stretching: {y: {type: tanh, factor: 1.8}}}
fluid: {reynolds: 1}
magnetic: {hartmann: 6}
boundaries: {x: periodic, z: periodic, y_min: {type: wall}, y_max: {type: wall}}
initial: {velocity: ["y*(2-y)", 0, 0]}
forcing: {type: bulk_velocity, value: [0.66666667, 0, 0]}
time: {scheme: implicit, step: 0.02, steps: 100000}
)yaml");
  auto flow = after(resolved, 200);
  const FlowState state = viewing_copy(*flow);
  const auto y = at_centres(resolved, [](double, double at, double) { return at; });
  const auto& u = values_of(state, "velocity_x");
  for (const auto& [at, wanted] : reference) {
    std::size_t above = 4;  // of the line through the first cells
    while (y[above] < at) above += 4;
    const double share = (at - y[above - 4]) / (y[above] - y[above - 4]);
    EXPECT_NEAR(u[above - 4] + share * (u[above] - u[above - 4]), wanted, 1.5e-3) << at;
  }
  // What drives it: nu Ha tanh(Ha) U/(1 - tanh(Ha)/Ha).
  EXPECT_NEAR(
      figure(*flow, "driving_x") / (2.0 / 3 * 6 * std::tanh(6.0) / (1 - std::tanh(6.0) / 6)),
      1,
      2e-3);
}

/// Rows of order 4 across walls, and orders of higher order along them.
TEST_P(LorentzForces, make_the_flow_of_hartmann_with_fourth_order) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  const HartmannRun run{.scheme = "runge_kutta", .order = "[2, 4, 4]", .dt = 0.005};
  std::vector<double> errors;
  for (const int n : {20, 40})
    errors.push_back(error_of_hartmann(case_of(hartmann_flow(run, n)), run, 800));
  const std::string what = fmt::format("{}, {}", errors[0], errors[1]);
  RecordProperty("errors", what);
  EXPECT_LT(errors[1], 3e-5) << what;
  EXPECT_GT(order_of(errors[0], errors[1]), 3.5) << what;
}

/// Shercliff's flow through a duct |y| < 1, |z| < 1 with insulating walls, in units of G Re: of
/// X = u + b and u - b each has nu X'' +- Ha dX/dy = -1, in cosines of z.
double shercliff(double y, double z, double ha) {
  double u = 0;
  for (int k = 0; k < 90; ++k) {
    const double alpha = (k + 0.5) * pi;
    const double root = std::sqrt(ha * ha + 4 * alpha * alpha);
    const double slow = (root - ha) / 2;
    const double fast = -(root + ha) / 2;
    const double waves =
        (std::sinh(slow) * std::cosh(fast * y) - std::sinh(fast) * std::cosh(slow * y)) /
        std::sinh(root);
    u += (k % 2 == 0 ? 2 : -2) / (alpha * alpha * alpha) * std::cos(alpha * z) * (1 - waves);
  }
  return u;
}

TEST_P(LorentzForces, make_the_flow_of_shercliff_with_second_order) {
  constexpr double ha = 30;
  std::vector<double> errors;
  for (const int n : {17, 34}) {
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [4, {}, {}], length: [1, 2, 2], origin: [0, -1, -1], stretching: {{y: {{type: tanh, factor: 2.2}}, z: {{type: tanh, factor: 1.3}}}}}}
fluid: {{reynolds: 1}}
magnetic: {{hartmann: {}}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: wall}}, z_min: {{type: wall}}, z_max: {{type: wall}}}}
initial: {{velocity: ["0.03*(1-y^2)*(1-z^2)", 0, 0]}}
forcing: {{type: pressure_gradient, value: [1, 0, 0]}}
time: {{scheme: implicit, step: 0.01, steps: 100000}}
)yaml",
                                              n,
                                              n + 3,
                                              ha));
    auto flow = after(resolved, 400);
    const auto exact =
        at_centres(resolved, [](double, double y, double z) { return shercliff(y, z, ha); });
    errors.push_back(distance(resolved, values_of(viewing_copy(*flow), "velocity_x"), exact) /
                     shercliff(0, 0, ha));
    EXPECT_LT(figure(*flow, "charge_max"), 4000 * epsilon());
    // What drives the flow becomes heat of friction and of the current.
    const double work = figure(*flow, "bulk_velocity_x");
    EXPECT_NEAR(flow->diagnostics().dissipation + figure(*flow, "joule_dissipation"),
                work,
                (1e-6 + 100 * epsilon()) * work);
  }
  const std::string what = fmt::format("{}, {}", errors[0], errors[1]);
  RecordProperty("errors", what);
  EXPECT_LT(errors[1], 0.013) << what;
  EXPECT_GT(errors[0], 1e-3) << what;
  EXPECT_GT(order_of(errors[0], errors[1]), 1.85) << what;
}

struct Wave {
  std::string scheme, order;
  PerAxis<int> k;     // of two pi
  PerAxis<double> a;  // amplitude, across k
  double least_order;
};

/// A plane wave advects nothing, and decays at the rate nu k^2 + N (k . b)^2/k^2.
TEST_P(LorentzForces, damp_waves_by_their_direction) {
  constexpr double nu = 0.01, ha = 20, time = 0.5;
  constexpr double rate = ha * ha * nu;
  for (const Wave& wave : {Wave{"implicit", "2", {1, 1, 0}, {1, -1, 0}, 1.9},
                           Wave{"implicit", "2", {1, 2, 1}, {1, 0, -1}, 1.8},
                           Wave{"implicit", "2", {1, 0, 1}, {0, 1, 0}, 1.85},
                           Wave{"runge_kutta", "2", {1, 1, 0}, {0, 0, 1}, 1.9},
                           Wave{"runge_kutta", "[6, 4, 8]", {1, 1, 1}, {1, -2, 1}, 3.7}}) {
    const double k2 =
        4 * pi * pi * (wave.k[0] * wave.k[0] + wave.k[1] * wave.k[1] + wave.k[2] * wave.k[2]);
    const double along = 2 * pi * wave.k[1];
    const double decay = nu * k2 + rate * along * along / k2;
    std::vector<double> errors;
    for (const int n : {12, 24}) {
      const int steps = wave.scheme == "implicit" ? n * n / 3 : 4 * n;
      const std::string phase =
          fmt::format("sin(2*pi*({}*x+{}*y+{}*z))", wave.k[0], wave.k[1], wave.k[2]);
      auto flow = started(case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [{}, {}, {}]}}
accuracy: {{order: {}}}
fluid: {{reynolds: {:.17g}}}
magnetic: {{hartmann: {:.17g}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["{}*{}", "{}*{}", "{}*{}"]}}
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
                                              n,
                                              n + 1,
                                              n + 2,
                                              wave.order,
                                              1 / nu,
                                              ha,
                                              wave.a[0],
                                              phase,
                                              wave.a[1],
                                              phase,
                                              wave.a[2],
                                              phase,
                                              wave.scheme,
                                              time / steps)));
      const double at_start = flow->diagnostics().kinetic_energy;
      for (int step = 0; step < steps; ++step) flow->advance();
      const double found = -std::log(flow->diagnostics().kinetic_energy / at_start) / (2 * time);
      errors.push_back(std::abs(found / decay - 1));
      EXPECT_LT(figure(*flow, "charge_max"), 2000 * epsilon());
    }
    const std::string what =
        fmt::format("{} {} {}: {}, {}", wave.scheme, wave.order, wave.k[2], errors[0], errors[1]);
    RecordProperty(fmt::format("{}_{}{}{}", wave.scheme, wave.k[0], wave.k[1], wave.k[2]), what);
    EXPECT_LT(errors[1], 0.03) << what;
    if (is_double()) {
      EXPECT_GT(order_of(errors[0], errors[1]), wave.least_order) << what;
    }
  }
}

/// Vortices with all three components, across an oblique field.
std::string vortices(
    const std::string& scheme, const std::string& order, bool has_walls, double dt, double ha = 5) {
  return fmt::format(
      R"yaml(
scheme: projection
grid: {{points: [12, 11, 16], length: [2, 1, 1.5]{}}}
accuracy: {{order: {}}}
fluid: {{reynolds: 50}}
magnetic: {{field: [0.4, 0.7, -0.5], hartmann: {}}}
boundaries: {}
initial:
  velocity:
    - "sin(pi*x)*sin(2*pi*y)"
    - "(sin(4*pi*z/3)-cos(pi*x))*sin(pi*y)^2"
    - "sin(2*pi*y)*(0.6*sin(pi*x)+0.75*cos(4*pi*z/3))"
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
      has_walls ? ", stretching: {y: {type: tanh, factor: 1.2}}" : "",
      order,
      ha,
      has_walls ? "{x: periodic, z: periodic, y_min: {type: wall}, y_max: {type: wall}}"
                : "{x: periodic, y: periodic, z: periodic}",
      scheme,
      dt);
}

struct MagneticRun {
  const char *scheme, *order;
  bool has_walls;
};
const std::vector<MagneticRun> runs{{"implicit", "2", false},
                                    {"implicit", "2", true},
                                    {"runge_kutta", "[6, 2, 6]", true},
                                    {"runge_kutta", "[6, 4, 6]", true},
                                    {"runge_kutta", "4", false}};

/// d/dt of the energy is what friction and the current turn into heat.
TEST_P(LorentzForces, take_from_the_energy_the_heat_of_the_current) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const MagneticRun& run : runs) {
    constexpr double dt = 1e-4;
    auto flow = after(case_of(vortices(run.scheme, run.order, run.has_walls, dt, 20)), 20);
    const double before = flow->diagnostics().kinetic_energy;
    flow->advance();
    const double heat = flow->diagnostics().dissipation + figure(*flow, "joule_dissipation");
    EXPECT_GT(figure(*flow, "joule_dissipation"), 0.3 * heat);
    flow->advance();
    const double loss = (before - flow->diagnostics().kinetic_energy) / (2 * dt);
    const std::string what = fmt::format("{} {}: {}, {}", run.scheme, run.order, loss, heat);
    RecordProperty(fmt::format("{}_{}_{}", run.scheme, run.order, run.has_walls), what);
    EXPECT_NEAR(loss / heat, 1, 1e-6) << what;
  }
}

TEST_P(LorentzForces, have_second_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const MagneticRun& run : runs) {
    std::vector<FlowState> states;
    for (const int steps : {10, 20, 40})
      states.push_back(viewing_copy(
          *after(case_of(vortices(run.scheme, run.order, run.has_walls, 0.3 / steps)), steps)));
    const Case resolved = case_of(vortices(run.scheme, run.order, run.has_walls, 0.01));
    for (const char* const name : {"velocity_x", "velocity_y", "velocity_z"}) {
      const double coarse =
          distance(resolved, values_of(states[0], name), values_of(states[1], name));
      const double fine =
          distance(resolved, values_of(states[1], name), values_of(states[2], name));
      EXPECT_GT(order_of(coarse, fine), 1.8)
          << run.scheme << ' ' << run.order << ' ' << name << ' ' << coarse << ' ' << fine;
      EXPECT_GT(fine, 1e-12);
    }
  }
}

/// Of N dt 0.5 and 450, far beyond what stages allow: what is across the field dies out.
TEST_P(LorentzForces, do_not_limit_implicit_steps) {
  for (const double ha : {50.0, 1500.0}) {
    for (const bool has_walls : {false, true}) {
      auto flow = started(case_of(vortices("implicit", "2", has_walls, 0.01, ha)));
      const double at_start = flow->diagnostics().kinetic_energy;
      for (int n = 0; n < 300; ++n) {
        flow->advance();
        ASSERT_LT(flow->diagnostics().kinetic_energy, 1.01 * at_start) << ha << has_walls << n;
      }
      EXPECT_LT(flow->diagnostics().kinetic_energy, 0.1 * at_start) << ha << has_walls;
    }
  }
}

TEST_P(LorentzForces, limit_stages) {
  EXPECT_NO_THROW(after(case_of(vortices("runge_kutta", "2", false, 0.01)), 1));
  EXPECT_THROW(after(case_of(vortices("runge_kutta", "2", false, 0.01, 150)), 1), CaseError);
}

TEST_P(LorentzForces, go_on_bit_for_bit) {
  for (const MagneticRun& run : runs) {
    const Case resolved = case_of(vortices(run.scheme, run.order, run.has_walls, 0.01));
    EXPECT_TRUE(goes_on_bit_for_bit(resolved)) << run.scheme << run.has_walls;
  }
}

TEST_P(LorentzForces, are_the_same_on_several_ranks) {
  for (const MagneticRun& run : runs) {
    const Case resolved = case_of(vortices(run.scheme, run.order, run.has_walls, 0.01));
    for (const int ranks : {1, 2, 3}) {
      EXPECT_LT(difference_on_ranks(resolved, ranks, {"velocity_x", "velocity_y", "velocity_z"}),
                200 * epsilon())
          << run.scheme << run.has_walls << ", ranks " << ranks;
    }
  }
}

/// Their current and potential in Hartmann's flow: J_z is what u exceeds its mean by, Phi is 0;
/// with walls across z the other way around.
TEST_P(LorentzForces, are_shown_in_snapshots) {
  const HartmannRun run{};
  Case resolved = case_of(hartmann_flow(run, 19));
  resolved.output.fields.variables = {"velocity", "current", "electric_potential"};
  auto flow = after(resolved, 100);
  FlowState state = flow->allocate_state(CopyPurpose::snapshot);
  flow->copy_state(state, CopyPurpose::snapshot);
  const auto u = values_of(state, "velocity_x");
  const auto current = values_of(state, "current_z");
  const double mean = figure(*flow, "bulk_velocity_x");
  for (std::size_t n = 0; n < u.size(); ++n) {
    ASSERT_NEAR(current[n], u[n] - mean, 20 * epsilon());
    ASSERT_NEAR(values_of(state, "electric_potential")[n], 0, 20 * epsilon());
    ASSERT_NEAR(values_of(state, "current_y")[n], 0, 20 * epsilon());
  }
}

INSTANTIATE_TEST_SUITE_P(devices, LorentzForces, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_lorentz_force
