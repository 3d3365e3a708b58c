/// Flows around bodies that move, against bodies at rest, balances, and other ways to pose the
/// same. The expected coefficients of a cylinder that oscillates are those of an independent model
/// of the method in Python (numpy, double, two dimensions).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/statistics/average_names.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_moving_bodies {
namespace {

using std::numbers::pi;

class MovingBodies : public OnEveryTarget {
 public:
  using OnEveryTarget::case_of;
};

/// A stirred flow on a grid of odd and unequal numbers of cells around a ball, a box that turns,
/// a formula and a body at rest. Rows of the time series are three steps apart.
Case stirred(const std::string& ball,
             const std::string& block,
             const std::string& egg,
             const std::string& more = "") {
  return MovingBodies::case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [19, 23, 17], length: [1.9, 2.1, 1.7], origin: [-1, -1.1, 0], stretching: {{y: {{factor: 1.05}}}}}}
fluid: {{reynolds: 20, prandtl: 0.7}}
boundaries: {{x: periodic, y_min: {{type: wall, temperature: 1}}, y_max: {{type: wall, temperature: 0}}, z: periodic}}
solids:
  post: {{shape: cylinder, axis: z, center: [-0.71, 0.3, 0], radius: 0.19, temperature: 0.5}}
  ball: {{shape: sphere, center: [0.42, -0.42, 0.31], radius: 0.27, temperature: 1, {}}}
  block: {{shape: box, center: [0.1, 0.45, 0.9], min: [-0.19, 0.2, 0.69], max: [0.41, 0.7, 1.13], temperature: 0, {}}}
  egg: {{shape: formula, center: [-0.35, -0.4, 1.1], surface: "((x+0.35)/0.3)^2 + ((y+0.4)/0.2)^2 + ((z-1.1)/0.25)^2 - 1", temperature: 0.7, {}}}
initial: {{velocity: ["0.5*(1-y^2)", "0.2*cos(2*pi*x/1.9)", "0.3*sin(2*pi*x/1.9)"], temperature: 0.5}}
time: {{scheme: implicit, step: 0.02, steps: 100000}}
output: {{timeseries: {{every: 3}}{}}}
)yaml",
                                           ball,
                                           block,
                                           egg,
                                           more));
}

Case stirred_by_motion(const std::string& more = "") {
  return stirred(
      "motion: {velocity: [\"0.9*cos(3*t)\", 0.3, -0.6]}",
      "motion: {velocity: [0, 0, \"0.5*sin(4*t)\"], rotation: [0.3, 0, \"1.5*cos(2*t)\"]}",
      "motion: {rotation: [0, 1, 2]}",
      more);
}

/// The largest difference of two flows in any of their fields.
double largest_difference(const FlowState& a, const FlowState& b) {
  double largest = 0;
  for (const HostField& field : a.fields) {
    const std::vector<double> of_a = in_doubles(field);
    const std::vector<double> of_b = values_of(b, field.name());
    for (std::size_t n = 0; n < of_a.size(); ++n)
      largest = larger_or_nan(largest, std::abs(of_a[n] - of_b.at(n)));
  }
  return largest;
}

FlowState snapshot_of(const Simulation& simulation) {
  FlowState state = simulation.allocate_state(CopyPurpose::snapshot);
  simulation.copy_state(state, CopyPurpose::snapshot);
  return state;
}

TEST_P(MovingBodies, whose_motion_is_zero_have_the_bits_of_bodies_at_rest) {
  const Case rest = stirred("", "", "");
  const Case moving = stirred("motion: {}", "motion: {velocity: [0, 0, 0]}", "motion: {}");
  const auto expected = after(rest, 7);
  const auto found = after(moving, 7);
  FlowState of_rest = state_of(*expected);
  FlowState of_moving = state_of(*found);
  EXPECT_GT(of_moving.numbers.size(), of_rest.numbers.size());
  of_moving.numbers = of_rest.numbers;  // those of the motion are further ones
  EXPECT_TRUE(same_bits(of_moving, of_rest));
  EXPECT_TRUE(same_bits(snapshot_of(*found), snapshot_of(*expected)));
}

/// Output writes copies while the run goes on.
TEST_P(MovingBodies, stay_in_a_copy_where_they_were) {
  for (const CopyPurpose purpose : {CopyPurpose::snapshot, CopyPurpose::viewing}) {
    const auto simulation = after(stirred_by_motion(), 2);
    FlowState first = simulation->allocate_state(purpose);
    FlowState second = simulation->allocate_state(purpose);
    simulation->copy_state(first, purpose);
    const std::vector<double> before = values_of(first, "solid");
    for (int n = 0; n < 6; ++n) simulation->advance();
    simulation->copy_state(second, purpose);
    EXPECT_NE(values_of(second, "solid"), before);
    EXPECT_EQ(values_of(first, "solid"), before);
  }
}

/// Both sums are those of one steady flow.
TEST_P(MovingBodies, feel_the_forces_of_bodies_at_rest_in_steady_flow) {
  for (const char* const forcing :
       {"{type: pressure_gradient, value: [0.3, 0.1, -0.2]}",
        "{type: formula, acceleration: [0.3, 0.1, -0.2], drag: {d: {rate: "
        "\"9*((x-0.1)^2+(y-0.47)^2+(z-0.61)^2 < 0.04)\"}}}"}) {
    const auto yaml = [&](const char* motion) {
      return case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [18, 15, 21], length: [1.2, 1, 1.4]}}
fluid: {{reynolds: 4}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids:
  ball: {{shape: sphere, center: [0.1, 0.47, 0.61], radius: 0.31{0}}}
  rod: {{shape: cylinder, center: [0.7, 0.5, 0.9], radius: 0.17, axis: y{0}}}
forcing: {1}
time: {{scheme: implicit, step: 0.02, steps: 100000}}
)yaml",
                                 motion,
                                 forcing));
    };
    const auto rest = after(yaml(""), 1200);
    const auto moving = after(yaml(", motion: {}"), 1200);
    for (const char* const what : {"force", "torque"}) {
      for (const char* const body : {"ball", "rod"}) {
        for (const char axis : {'x', 'y', 'z'}) {
          const std::string name = fmt::format("{}_{}_{}", what, body, axis);
          EXPECT_NEAR(figure(*moving, name), figure(*rest, name), is_double() ? 1e-6 : 1e-4)
              << name;
        }
      }
    }
    EXPECT_GT(std::abs(figure(*moving, "force_ball_x")), 0.1);
    EXPECT_GT(std::abs(figure(*moving, "torque_ball_y")), 1e-4);
  }
}

/// A circular cylinder that turns about its axis holds the same points always.
TEST_P(MovingBodies, that_turn_about_their_axis_are_those_whose_surface_turns) {
  const auto yaml = [](const char* motion) {
    return case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [25, 23, 5], length: [2, 2, 0.5], origin: [-1, -1, 0]}}
fluid: {{reynolds: 10}}
boundaries: {{x_min: {{type: wall}}, x_max: {{type: wall}}, y_min: {{type: wall}}, y_max: {{type: wall}}, z: periodic}}
solids:
  core: {{shape: cylinder, axis: z, center: [0.11, -0.07, 0], radius: 0.4, {}}}
time: {{scheme: implicit, step: 0.05, steps: 100000}}
)yaml",
                               motion));
  };
  const auto surface = after(yaml("rotation: [0, 0, 1.5]"), 240);
  const auto body = after(yaml("motion: {rotation: [0, 0, 1.5]}"), 240);
  EXPECT_LT(largest_difference(snapshot_of(*surface), snapshot_of(*body)),
            is_double() ? 1e-10 : 1e-4);
  const double torque = figure(*surface, "torque_core_z");
  EXPECT_LT(torque, -0.05);
  EXPECT_NEAR(figure(*body, "torque_core_z") / torque, 1, is_double() ? 1e-5 : 1e-3);
  EXPECT_NEAR(figure(*body, "rotation_core_z"), 1.5, 1e-12);
  EXPECT_NEAR(figure(*body, "quaternion_core_w"), std::cos(0.75 * 12), 1e-9);
  EXPECT_NEAR(figure(*body, "quaternion_core_z"), std::sin(0.75 * 12), 1e-9);
}

/// A copy for restart says where bodies are: their rows are then made on the device.
TEST_P(MovingBodies, that_moved_make_the_rows_of_bodies_placed_there) {
  const auto with = [](const PerAxis<double>& center) {
    return case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [19, 23, 17], length: [1.9, 2.1, 1.7], origin: [-1, -1.1, 0], stretching: {{y: {{factor: 1.05}}}}}}
fluid: {{reynolds: 20, prandtl: 0.7}}
boundaries: {{x: periodic, y_min: {{type: wall, temperature: 1}}, y_max: {{type: wall, temperature: 0}}, z: periodic}}
solids:
  post: {{shape: cylinder, axis: z, center: [-0.71, 0.3, 0], radius: 0.19, temperature: 0.5}}
  ball: {{shape: sphere, center: [{}, {}, {}], radius: 0.27, temperature: 1, motion: {{}}}}
initial: {{velocity: ["0.5*(1-y^2)", "0.2*cos(2*pi*x/1.9)", "0.3*sin(2*pi*x/1.9)"], temperature: 0.5}}
time: {{scheme: implicit, step: 0.02, steps: 100000}}
)yaml",
                               center[0],
                               center[1],
                               center[2]));
  };
  const PerAxis<double> place{0.83, 0.22, 0.13};  // across the ends of x and z
  const Case placed = with(place);
  const auto expected = after(placed, 1);
  const FlowState start = state_of(*expected);
  const auto moved = make_simulation(with({0.1, -0.3, 0.8}));
  moved->set_state(start);
  for (int n = 0; n < 5; ++n) {
    expected->advance();
    moved->advance();
  }
  const FlowState of_moved = snapshot_of(*moved);
  const FlowState of_placed = snapshot_of(*expected);
  EXPECT_EQ(values_of(of_moved, solid_name), values_of(of_placed, solid_name));
  EXPECT_LT(largest_difference(of_moved, of_placed), is_double() ? 1e-9 : 1e-4);
  EXPECT_GT(largest_difference(of_moved, snapshot_of(*after(with({0.1, -0.3, 0.8}), 6))), 0.1);
  for (const char axis : {'x', 'y', 'z'}) {
    const std::string name = fmt::format("force_ball_{}", axis);
    EXPECT_NEAR(figure(*moved, name), figure(*expected, name), is_double() ? 1e-8 : 1e-3) << name;
  }
}

TEST_P(MovingBodies, resume_with_the_bits_of_a_run_in_one_go) {
  const Case resolved = stirred_by_motion();
  const auto whole = started(resolved);
  for (int n = 0; n < 4; ++n) whole->advance();
  const FlowState copy = state_of(*whole);
  for (int n = 0; n < 7; ++n) whole->advance();
  const auto resumed = make_simulation(resolved);
  resumed->set_state(copy);
  for (int n = 0; n < 7; ++n) resumed->advance();
  EXPECT_EQ(all_figures(*resumed), all_figures(*whole));
  EXPECT_TRUE(same_bits(state_of(*resumed), state_of(*whole)));
  EXPECT_TRUE(same_bits(snapshot_of(*resumed), snapshot_of(*whole)));
  EXPECT_GT(std::abs(figure(*whole, "force_block_z")), 1e-3);
}

TEST_P(MovingBodies, on_several_ranks_are_those_on_one) {
  const Case resolved = stirred_by_motion();
  const RanksResult whole = run_on_ranks(resolved, 1, 8);
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const RanksResult parts = run_on_ranks(resolved, ranks, 8);
    EXPECT_LT(largest_difference(parts.restart, whole.restart), 2e4 * epsilon());
    EXPECT_LT(largest_difference(parts.viewing, whole.viewing), 2e4 * epsilon());
    EXPECT_EQ(values_of(parts.viewing, solid_name), values_of(whole.viewing, solid_name));
    const std::vector<double>& expected = whole.diagnostics.front().others;
    for (const FlowDiagnostics& of_rank : parts.diagnostics) {
      ASSERT_EQ(of_rank.others.size(), expected.size());
      for (std::size_t n = 0; n < expected.size(); ++n)
        EXPECT_NEAR(of_rank.others[n], expected[n], 1e5 * epsilon() * (1 + std::abs(expected[n])))
            << n;
      EXPECT_EQ(of_rank.others, parts.diagnostics.front().others);
    }
    for (std::size_t n = 0; n < whole.restart.numbers.size(); ++n) {
      const NamedNumber& number = whole.restart.numbers[n];
      if (number.name.starts_with("motion_place") ||
          number.name.starts_with("motion_orientation")) {
        EXPECT_EQ(parts.restart.numbers.at(n).value, number.value) << number.name;
      }
    }
  }
}

/// What bodies take and what the flow keeps is nothing but for what products of factors leave out.
TEST_P(MovingBodies, take_the_momentum_that_a_periodic_flow_loses) {
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [25, 21, 19], length: [2.5, 2.1, 1.9]}
fluid: {reynolds: 20}
boundaries: {x: periodic, y: periodic, z: periodic}
solids:
  ball: {shape: sphere, center: [1.1, 1, 0.3], radius: 0.4, motion: {velocity: ["sin(2*t)", 0.2, -0.4]}}
time: {scheme: implicit, step: 0.02, steps: 100000}
output: {timeseries: {every: 1000}}
)yaml");
  const auto simulation = started(resolved);
  const double volume = 2.5 * 2.1 * 1.9;
  const double inside = 4 * pi / 3 * 0.4 * 0.4 * 0.4;
  PerAxis<double> before{};
  for (int axis = 0; axis < 3; ++axis)
    before[axis] = volume * figure(*simulation, fmt::format("bulk_velocity_{}", "xyz"[axis]));
  constexpr int steps = 60;
  for (int n = 0; n < steps; ++n) simulation->advance();
  const double t = simulation->time();
  const PerAxis<double> gained{inside * std::sin(2 * t), 0, 0};  // by the fluid in the body
  double largest_force = 0;
  for (int axis = 0; axis < 3; ++axis)
    largest_force = std::max(
        largest_force, std::abs(figure(*simulation, fmt::format("force_ball_{}", "xyz"[axis]))));
  EXPECT_GT(largest_force, 0.05);
  for (int axis = 0; axis < 3; ++axis) {
    const char name = "xyz"[axis];
    const double kept =
        volume * figure(*simulation, fmt::format("bulk_velocity_{}", name)) - before[axis];
    const double impulse = t * figure(*simulation, fmt::format("force_ball_{}", name));
    EXPECT_NEAR(kept, gained[axis] - impulse, 0.005 * t * largest_force) << name;
  }
  EXPECT_LT(simulation->diagnostics().divergence_max, is_double() ? 1e-12 : 1e-4);
  EXPECT_NEAR(figure(*simulation, "position_ball_x"), 1.1 + (1 - std::cos(2 * t)) / 2, 1e-7);
  EXPECT_NEAR(figure(*simulation, "position_ball_y"), 1 + 0.2 * t, 1e-12);
  EXPECT_NEAR(figure(*simulation, "velocity_ball_x"), std::sin(2 * t), 1e-12);
}

/// A cylinder at rest in a stream, and one that moves through fluid at rest.
TEST_P(MovingBodies, feel_the_force_of_a_stream_when_they_move_through_fluid_at_rest) {
  constexpr int per_diameter = 8;
  constexpr int steps = 89;  // to t = 3
  const auto run = [&](double stream, double speed) {
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [{0}, {0}, 4], length: [6, 6, 0.5]}}
fluid: {{reynolds: 40}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids:
  rod: {{shape: cylinder, axis: z, center: [3.13, 3.04, 0], radius: 0.5, motion: {{velocity: [{2}, 0, 0]}}}}
initial: {{velocity: [{1}, 0, 0]}}
time: {{scheme: implicit, step: {3:.17g}, steps: 100000, damping: off}}
)yaml",
                                              6 * per_diameter,
                                              stream,
                                              speed,
                                              0.27 / per_diameter));
    const auto simulation = started(resolved);
    std::vector<double> forces;
    for (int n = 0; n < steps; ++n) {
      simulation->advance();
      forces.push_back(figure(*simulation, "force_rod_x") / 0.5);
    }
    forces.erase(forces.begin(), forces.begin() + steps / 3);
    return forces;
  };
  const std::vector<double> rest = run(1, 0);
  const std::vector<double> moving = run(0, -1);
  double mean = 0;
  double difference = 0;
  double square = 0;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    mean += rest[n] / static_cast<double>(rest.size());
    difference += (moving[n] - rest[n]) / static_cast<double>(rest.size());
  }
  constexpr std::size_t steps_of_cell = 4;  // h/(U dt) = 3.7
  std::size_t count = 0;
  for (std::size_t n = 0; n + steps_of_cell <= rest.size(); ++n) {
    double over_cell = 0;
    for (std::size_t m = 0; m < steps_of_cell; ++m)
      over_cell += (moving[n + m] - rest[n + m]) / steps_of_cell;
    square += over_cell * over_cell;
    ++count;
  }
  EXPECT_GT(mean, 0.5);
  EXPECT_LT(mean, 2);
  EXPECT_LT(std::abs(difference / mean), 0.007);
  EXPECT_LT(std::sqrt(square / static_cast<double>(count)) / mean, 0.02);
}

/// Coefficients of added mass and of friction of a cylinder that oscillates with a small amplitude
/// in a periodic box, beta = D^2 f/nu = 20, relative to the box as a whole.
struct Oscillation {
  double added_mass = 0, friction = 0;
};
Oscillation oscillation(double amplitude, int per_period, int projections) {
  constexpr int per_diameter = 10;
  constexpr double f = 0.2;
  const double w = 2 * pi * f;
  const double thickness = 4.0 / per_diameter;
  const Case resolved = MovingBodies::case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [{0}, {0}, 4], length: [6, 6, {1}]}}
fluid: {{reynolds: 100}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids:
  rod: {{shape: cylinder, axis: z, center: [3.02, 3.01, 0], radius: 0.5, motion: {{velocity: ["{2:.17g}*cos({3:.17g}*t)", 0, 0]}}}}
time: {{scheme: implicit, step: {4:.17g}, steps: 100000, damping: off, body_projections: {5}}}
)yaml",
                                                          6 * per_diameter,
                                                          thickness,
                                                          amplitude * w,
                                                          w,
                                                          1 / (f * per_period),
                                                          projections));
  const auto simulation = started(resolved);
  double by_a = 0, by_v = 0, of_a = 0, of_v = 0, both = 0;
  double before = figure(*simulation, "bulk_velocity_x");
  const double dt = 1 / (f * per_period);
  for (int n = 0; n < 2 * per_period; ++n) {
    simulation->advance();
    const double now = figure(*simulation, "bulk_velocity_x");
    const double middle = (n + 0.5) * dt;
    const double a_box = (now - before) / dt;
    const double a = -amplitude * w * w * std::sin(w * middle) - a_box;
    const double v = w * (amplitude * w * std::cos(w * middle) - (now + before) / 2);
    const double force = figure(*simulation, "force_rod_x") / thickness / (pi / 4) - a_box;
    before = now;
    if (n < per_period) continue;
    by_a -= force * a;
    by_v -= force * v;
    of_a += a * a;
    of_v += v * v;
    both += a * v;
  }
  const double determinant = of_a * of_v - both * both;
  return {.added_mass = (by_a * of_v - by_v * both) / determinant,
          .friction = (by_v * of_a - by_a * both) / determinant};
}

TEST_P(MovingBodies, feel_added_mass_and_friction_as_the_model_has_them) {
  const Oscillation found = oscillation(0.02, 200, 1);
  EXPECT_NEAR(found.added_mass, 1.5375, 0.001 * 1.5375);
  EXPECT_NEAR(found.friction, 0.6039, 0.002 * 0.6039);
}

/// Cut rows are pulled to W of the middle of a step: with W of its end the orders of the model are
/// 0.3 and below. Eight projections leave little of the slip, whose own error decreases more
/// slowly.
TEST_P(MovingBodies, feel_added_mass_and_friction_to_second_order_in_time) {
  std::array<Oscillation, 3> found;
  for (std::size_t n = 0; n < found.size(); ++n) found.at(n) = oscillation(0.002, 25 << n, 8);
  EXPECT_NEAR(found[2].added_mass, 1.52878, is_double() ? 3e-4 : 3e-3);  // of the model
  EXPECT_NEAR(found[2].friction, 0.60649, is_double() ? 3e-4 : 3e-3);
  if (!is_double()) return;  // differences are below the round-off of forces so small
  EXPECT_GT(order_of(std::abs(found[0].added_mass - found[1].added_mass),
                     std::abs(found[1].added_mass - found[2].added_mass)),
            1.9);
  EXPECT_GT(order_of(std::abs(found[0].friction - found[1].friction),
                     std::abs(found[1].friction - found[2].friction)),
            1.9);
}

/// The share of the fluid is that of the time, by the trapezoidal rule between samples.
TEST_P(MovingBodies, are_left_out_of_statistics_sample_by_sample) {
  Case resolved = stirred_by_motion(", statistics: {every: 2, average: [x, z]}");
  const auto simulation = started(resolved);
  const Extents n = resolved.grid.points;
  std::vector<double> before;
  std::vector<double> expected(n.ny, 0.0);
  for (int step = 1; step <= 8; ++step) {
    simulation->advance();
    if (step % 2 != 0) continue;
    const std::vector<double> solid = values_of(snapshot_of(*simulation), solid_name);
    std::vector<double> share(n.ny, 1.0);
    for (std::size_t at = 0; at < solid.size(); ++at)
      share.at(at / n.nx % n.ny) -= solid[at] / (n.nx * n.nz);
    for (std::size_t j = 0; j < before.size(); ++j)
      expected[j] += 2 * 0.02 * (before[j] + share[j]) / 2;
    before = share;
  }
  const StatisticsSums sums = simulation->statistics();
  ASSERT_EQ(sums.samples, 4);
  const auto fluid = std::ranges::find(sums.sums, fluid_share_name, &HostField::name);
  ASSERT_NE(fluid, sums.sums.end());
  const std::vector<double> found = in_doubles(*fluid);
  ASSERT_EQ(found.size(), expected.size());
  double least = 1;
  double changes = 0;
  for (std::size_t j = 0; j < found.size(); ++j) {
    EXPECT_NEAR(found[j], expected[j], 1e-6) << j;
    least = std::min(least, expected[j] / 0.12);
    changes = std::max(changes, std::abs(expected[j] - 0.12 * before[j]));
  }
  EXPECT_LT(least, 0.9);
  EXPECT_GT(changes, 1e-4);
}

/// What is in front of a plane of symmetry: of what the body displaces, too.
TEST_P(MovingBodies, feel_half_the_force_where_a_plane_of_symmetry_halves_them) {
  const auto force_on = [](const char* along_y, const char* shape) {
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [18, {}, 16], length: [2.25, {}, 2], origin: [-1.1, {}, -1]}}
fluid: {{reynolds: 20}}
boundaries: {{x: periodic, y: symmetry, z: periodic}}
solids:
  ball: {{{}, center: [0.01, 0, 0.02], motion: {{velocity: ["3*t", 0, 0], rotation: [0, "2*t", 0]}}}}
time: {{scheme: implicit, step: 0.02, steps: 100000}}
)yaml",
                                              along_y[0] == 'h' ? 7 : 14,
                                              along_y[0] == 'h' ? 0.875 : 1.75,
                                              along_y[0] == 'h' ? 0 : -0.875,
                                              shape));
    const auto simulation = after(resolved, 7);
    return PerAxis<double>{figure(*simulation, "force_ball_x"),
                           figure(*simulation, "force_ball_z"),
                           figure(*simulation, "torque_ball_y")};
  };
  // The volume of a formula is that of the cells that it holds.
  const PerAxis<double> whole =
      force_on("whole", "shape: formula, surface: \"(x-0.01)^2 + y^2 + (z-0.02)^2 - 0.25\"");
  const PerAxis<double> half = force_on("half", "shape: sphere, radius: 0.5");
  EXPECT_GT(std::abs(whole[0]), 0.3);
  // Faces on the plane are closed: dead ends beside it may have one open face less (6e-5).
  for (int n = 0; n < 3; ++n) EXPECT_NEAR(2 * half[n], whole[n], 2e-4) << n;
}

TEST_P(MovingBodies, end_a_run_when_they_leave_the_box_or_pass_a_cell_in_a_step) {
  const auto run = [](const std::string& velocity) {
    return message_of<CaseError>([&] {
      const auto simulation = started(stirred("motion: {velocity: " + velocity + "}", "", ""));
      for (int n = 0; n < 100; ++n) simulation->advance();
    });
  };
  const std::string out = run("[0, -1, 0]");
  EXPECT_NE(out.find("solids.ball.motion: at t = 0.4"), std::string::npos) << out;
  EXPECT_NE(out.find("leaves the box through boundaries.y_min"), std::string::npos) << out;
  const std::string fast = run("[0, 0, \"60*t\"]");
  EXPECT_NE(fast.find("solids.ball.motion: the step to t = 0.1"), std::string::npos) << fast;
  EXPECT_NE(fast.find("along z, but one cell, 0.1, is the most"), std::string::npos) << fast;
}

INSTANTIATE_TEST_SUITE_P(on_every_target, MovingBodies, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_moving_bodies
