/// Momentum that bodies take in Runge-Kutta steps: what drives a flow goes into the flow, the walls
/// and the bodies, to round-off.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_body_impulses {
namespace {

class BodyImpulses : public OnEveryTarget {
 public:
  using OnEveryTarget::case_of;

 protected:
  /// A stirred flow around two bodies, one that turns and one that reaches through periodic ends.
  static Case stirred(const std::string& stretching, const std::string& driving) {
    return case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [15, 14, 11], length: [3, 2.5, 2], origin: [-1.5, -1, 0]{}}}
fluid: {{reynolds: 20}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
forcing: {}
solids:
  wheel: {{shape: cylinder, axis: z, center: [-0.1, 0.1, 0], radius: 0.43, rotation: [0, 0, 1.5]}}
  ball: {{shape: sphere, center: [1.4, 1.3, 0.1], radius: 0.45}}
initial: {{velocity: ["1 + 0.5*sin(2*pi*y/2.5)", "0.4*cos(2*pi*x/3)", "0.3*sin(2*pi*x/3 + pi*z)"]}}
time: {{scheme: runge_kutta, step: 0.01, steps: 100000}}
)yaml",
                               stretching,
                               driving));
  }

  /// The momentum of the box [U L^3].
  static double momentum(Simulation& simulation, char axis, const Case& resolved) {
    return figure(simulation, fmt::format("bulk_velocity_{}", axis)) * volume(resolved);
  }
  static double taken(Simulation& simulation, char axis, const Case& resolved) {
    double sum = 0;
    for (const SolidCase& body : resolved.solids)
      sum += figure(simulation, fmt::format("impulse_{}_{}", body.name, axis));
    return sum;
  }
  static double volume(const Case& resolved) {
    const auto& length = resolved.grid.length;
    return length[0] * length[1] * length[2];
  }
};

// Cells that differ make the diffusion along their axis implicit.
constexpr const char* grids_in_turn[] = {
    "",
    ", stretching: {y: {factor: 1.1}}",
    ", stretching: {x: {factor: 0.7}, y: {factor: 1.1}}",
    ", stretching: {x: {factor: 0.7}, y: {factor: 1.1}, z: {factor: 0.8}}"};

TEST_P(BodyImpulses, what_drives_a_periodic_flow_goes_into_flow_and_bodies) {
  const double drive[] = {1.5, -0.7, 0.4};
  for (const char* stretching : grids_in_turn) {
    const Case resolved = stirred(stretching, "{type: pressure_gradient, value: [1.5, -0.7, 0.4]}");
    const auto simulation = started(resolved);
    double before[3];
    for (int axis = 0; axis < 3; ++axis)
      before[axis] = momentum(*simulation, "xyz"[axis], resolved);
    for (int n = 0; n < 12; ++n) simulation->advance();
    for (int axis = 0; axis < 3; ++axis) {
      const char name = "xyz"[axis];
      SCOPED_TRACE(fmt::format("{} of grid '{}'", name, stretching));
      const double given = drive[axis] * simulation->time() * volume(resolved);
      const double kept = momentum(*simulation, name, resolved) - before[axis];
      const double in_bodies = taken(*simulation, name, resolved);
      EXPECT_GT(std::abs(in_bodies), 0.05);
      // Each step rounds velocities of about 1 in the whole volume.
      EXPECT_NEAR(kept + in_bodies, given, 12 * 10 * epsilon() * volume(resolved));
    }
  }
}

TEST_P(BodyImpulses, a_held_stream_is_driven_by_what_bodies_take) {
  const Case resolved = stirred(grids_in_turn[1], "{type: bulk_velocity, value: [1, 0, 0]}");
  const auto simulation = started(resolved);
  double given = 0;
  for (int n = 0; n < 12; ++n) {
    const double before = momentum(*simulation, 'x', resolved);
    const double in_bodies = taken(*simulation, 'x', resolved);
    simulation->advance();
    const double driving = figure(*simulation, "driving_x") * 0.01 * volume(resolved);
    const double kept = momentum(*simulation, 'x', resolved) - before;
    EXPECT_NEAR(kept + taken(*simulation, 'x', resolved) - in_bodies,
                driving,
                10 * epsilon() * volume(resolved));
    given += driving;
  }
  EXPECT_GT(taken(*simulation, 'x', resolved), 0.1 * given);
}

/// Sources that depend on the velocity act in bodies, too.
TEST_P(BodyImpulses, forces_beside_sources_are_the_rate_of_the_impulse) {
  for (const char* const forcing :
       {"{type: formula, acceleration: [1, 0, 0]}",
        "{type: formula, drag: {d: {rate: \"3*exp(-x^2-y^2)\"}}}",
        "{type: formula, sponges: {s: {rate: \"3*exp(-x^2-y^2)\", velocity: [1, 0, 0]}}}",
        "{type: formula, linear: 0.5}"}) {
    SCOPED_TRACE(forcing);
    const Case resolved = stirred(grids_in_turn[0], forcing);
    const auto simulation = after(resolved, 40);
    const auto force = [&] {
      return figure(*simulation, "force_wheel_x") + figure(*simulation, "force_ball_x");
    };
    const double impulse_before = taken(*simulation, 'x', resolved);
    double last = force();
    double sum = 0;
    for (int n = 0; n < 20; ++n) {
      simulation->advance();
      const double now = force();
      sum += 0.01 * (last + now) / 2;
      last = now;
    }
    const double impulse = taken(*simulation, 'x', resolved) - impulse_before;
    EXPECT_GT(std::abs(impulse), 0.05);
    EXPECT_NEAR(sum, impulse, 0.01 * std::abs(impulse));
  }
}

/// A steady flow between walls: the impulse grows by the force of the time series.
TEST_P(BodyImpulses, driving_is_shear_and_force_between_walls) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  double force_of_sweeps = 0;
  for (const char* const time :
       {"step: 0.01, steps: 100000", "step: 0.005, steps: 100000, explicit_diffusion: [y]"}) {
    SCOPED_TRACE(time);
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [14, 13, 4], length: [2, 1.5, 0.5], origin: [-1, -0.75, 0]}}
fluid: {{reynolds: 2}}
boundaries: {{x: periodic, y: wall, z: periodic}}
forcing: {{type: pressure_gradient, value: [1, 0, 0]}}
solids: {{rod: {{shape: cylinder, axis: z, center: [0.03, 0.1, 0], radius: 0.3}}}}
time: {{scheme: runge_kutta, {}}}
)yaml",
                                              time));
    const double dt = resolved.time.step;
    const auto simulation = after(resolved, static_cast<int>(30 / dt));
    const double before = figure(*simulation, "impulse_rod_x");
    const double force = figure(*simulation, "force_rod_x");
    for (int n = 0; n < 5; ++n) simulation->advance();
    const double impulse = figure(*simulation, "impulse_rod_x") - before;
    EXPECT_NEAR(impulse, 5 * dt * force, 1e-12);
    const double shear =
        figure(*simulation, "wall_shear_y_min_x") + figure(*simulation, "wall_shear_y_max_x");
    const double area = 2 * 0.5;
    EXPECT_NEAR(impulse + 5 * dt * area * shear, 5 * dt * volume(resolved), 1e-12);
    if (force_of_sweeps == 0) force_of_sweeps = force;
    EXPECT_NEAR(force, force_of_sweeps, 1e-3 * force_of_sweeps);
  }
}

TEST_P(BodyImpulses, a_run_and_its_continuation_have_the_same) {
  const Case resolved =
      stirred(grids_in_turn[2], "{type: pressure_gradient, value: [1.5, -0.7, 0.4]}");
  const auto whole = after(resolved, 9);
  const auto first = after(resolved, 4);
  FlowState copy = state_of(*first);
  const auto second = started(resolved);
  second->set_state(copy);
  EXPECT_EQ(figure(*second, "impulse_ball_y"), figure(*first, "impulse_ball_y"));
  for (int n = 0; n < 5; ++n) second->advance();
  for (const char* name : {"impulse_wheel_x", "impulse_wheel_y", "impulse_ball_z"})
    EXPECT_EQ(figure(*second, name), figure(*whole, name)) << name;

  // A copy without impulses resumes, and they count from there.
  std::erase_if(copy.numbers,
                [](const NamedNumber& number) { return number.name.starts_with("impulse_"); });
  second->set_state(copy);
  EXPECT_EQ(figure(*second, "impulse_ball_y"), 0);
  for (int n = 0; n < 5; ++n) second->advance();
  EXPECT_NEAR(figure(*second, "impulse_ball_y"),
              figure(*whole, "impulse_ball_y") - figure(*first, "impulse_ball_y"),
              100 * epsilon());
}

/// The seams of the ranks cut the bodies.
TEST_P(BodyImpulses, several_ranks_balance_too) {
  const double drive[] = {1.5, -0.7, 0.4};
  for (const char* stretching : {grids_in_turn[0], grids_in_turn[3]}) {
    const Case resolved = stirred(stretching, "{type: pressure_gradient, value: [1.5, -0.7, 0.4]}");
    const auto names = make_simulation(resolved)->diagnostic_names();
    const auto value = [&](const RanksResult& result, const std::string& name) {
      return result.diagnostics[0].others.at(std::ranges::find(names, name) - names.begin());
    };
    for (const int ranks : {2, 3}) {
      const RanksResult start = run_on_ranks(resolved, ranks, 0);
      const RanksResult result = run_on_ranks(resolved, ranks, 12);
      for (int axis = 0; axis < 3; ++axis) {
        const char name = "xyz"[axis];
        SCOPED_TRACE(fmt::format("{} of {} ranks, grid '{}'", name, ranks, stretching));
        const std::string momentum = fmt::format("bulk_velocity_{}", name);
        const double kept = (value(result, momentum) - value(start, momentum)) * volume(resolved);
        const double in_bodies = value(result, fmt::format("impulse_wheel_{}", name)) +
                                 value(result, fmt::format("impulse_ball_{}", name));
        EXPECT_NEAR(kept + in_bodies,
                    drive[axis] * result.restart.time * volume(resolved),
                    12 * 10 * epsilon() * volume(resolved));
      }
    }
  }
}

/// What was begun for a flow is that flow's, also where the next step is taken before it is read.
TEST_P(BodyImpulses, late_diagnostics_have_the_impulse_of_their_flow) {
  const Case resolved = stirred("", "{type: pressure_gradient, value: [1, 0, 0]}");
  const auto simulation = after(resolved, 3);
  const double now = figure(*simulation, "impulse_wheel_x");
  const auto names = simulation->diagnostic_names();
  const auto place = std::ranges::find(names, "impulse_wheel_x") - names.begin();
  simulation->begin_diagnostics();
  simulation->advance();
  EXPECT_EQ(simulation->finish_diagnostics().others.at(place), now);
  EXPECT_NE(figure(*simulation, "impulse_wheel_x"), now);
  simulation->begin_diagnostics();
  simulation->advance();
  static_cast<void>(state_of(*simulation));  // adds up the impulses of the last step
  const double of_third = simulation->finish_diagnostics().others.at(place);
  EXPECT_EQ(of_third, figure(*after(resolved, 4), "impulse_wheel_x"));
}

INSTANTIATE_TEST_SUITE_P(Devices, BodyImpulses, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_body_impulses
