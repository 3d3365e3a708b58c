#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_projection_balances {
namespace {

class ProjectionBalances : public OnEveryTarget {};

struct Mix {
  const char* name;
  std::string faces;
  std::string more;  // keys of other sections
};

const std::string wall = "{type: wall}";
const std::string symmetry = "{type: symmetry}";
const std::string outflow = "{type: outflow}";

std::string both(const std::string& axis, const std::string& at_min, const std::string& at_max) {
  return "  " + axis + "_min: " + at_min + "\n  " + axis + "_max: " + at_max + "\n";
}
std::string periodic(const std::string& axis) {
  return "  " + axis + ": periodic\n";
}
std::string inflow(const std::string& u, const std::string& v, const std::string& w) {
  return fmt::format(R"yaml({{type: inflow, velocity: ["{}", "{}", "{}"]}})yaml", u, v, w);
}

std::vector<Mix> mixes() {
  const std::string lid = R"yaml({type: wall, velocity: ["1+0.2*sin(3*t)", 0, "0.5*x"]})yaml";
  const std::string blown =
      R"yaml({type: wall, velocity: [0, "0.3*sin(4*pi*x/3)*cos(1.6*pi*z)*cos(t)", 0]})yaml";
  return {
      {"closed box", both("x", wall, wall) + both("y", wall, lid) + both("z", symmetry, wall), ""},
      {"blowing walls", periodic("x") + both("y", blown, wall) + periodic("z"), ""},
      {"through flow along x",
       both("x", inflow("1+y*(1-y)*(1+0.3*sin(t))", "0.2*z", "0"), outflow) +
           both("y", wall, wall) + periodic("z"),
       ""},
      {"through flow along -y",
       both("y", outflow, inflow("0.1", "-1-0.5*sin(pi*x)", "0.3*x")) +
           both("x", symmetry, symmetry) + both("z", wall, symmetry),
       ""},
      {"through flow along z, two ways out",
       both("z", inflow("0", "0", "1+0.5*x"), outflow) + both("x", wall, outflow) + periodic("y"),
       ""},
      {"given on all faces, not quite balanced",
       both("x", inflow("1+y^2+0.1*t", "0", "z"), inflow("1+y^2+0.1*t", "0.1", "0")) +
           both("y", inflow("x", "0.5*sin(2*x)", "0"), inflow("x", "0.5*sin(2*x)", "0")) +
           both("z", wall, wall),
       ""},
      {"channel of constant flux",
       periodic("x") + both("y", wall, wall) + periodic("z"),
       "forcing: {type: bulk_velocity, value: [1, 0, 0.2]}\n"},
      {"between symmetry planes, CFL held",
       both("x", symmetry, symmetry) + both("y", symmetry, symmetry) + periodic("z"),
       ""},
  };
}

/// The divergence of a velocity that is exact to round-off: a few units in the last place of the
/// largest velocity over the smallest width, from the sum of six faces and the pressure's solution.
TEST_P(ProjectionBalances, divergence_is_round_off_for_every_mix_of_boundaries) {
  for (const Mix& mix : mixes()) {
    const bool holds_cfl = mix.name == std::string("between symmetry planes, CFL held");
    const Case resolved = case_of(fmt::format(R"yaml(
case: mix
scheme: projection
grid:
  points: [13, 18, 11]
  length: [1.5, 1, 1.25]
  stretching: {{x: {{type: tanh, factor: 1.1}}, y: {{type: tanh, factor: 1.4}}}}
fluid: {{reynolds: 80}}
boundaries:
{}
initial: {{velocity: ["1+sin(3*y)*z", "cos(2*x)", "x*y-z"]}}
time: {{{}, steps: 6, global_iterations: 2}}
{})yaml",
                                              mix.faces,
                                              holds_cfl ? "cfl: 0.7" : "step: 0.02",
                                              mix.more));
    auto simulation = started(resolved);
    const StaggeredGrid grid = staggered_grid(resolved);
    double smallest = 1;
    for (const StaggeredAxis& axis : grid) smallest = std::min(smallest, axis.width(0));
    for (int step = 0; step <= 6; ++step) {
      if (step > 0) simulation->advance();
      const FlowDiagnostics diagnostics = simulation->diagnostics();
      const double fastest = 3;  // [U] in all of these flows, about
      EXPECT_LE(diagnostics.divergence_max, 24 * epsilon() * fastest / smallest)
          << mix.name << " after step " << step;
      if (holds_cfl && step > 1) {
        EXPECT_LT(diagnostics.cfl, 0.75);
      }
    }
  }
}

TEST_P(ProjectionBalances, kinetic_energy_without_viscosity_drifts_with_the_step_squared_or_less) {
  if (!is_double()) GTEST_SKIP() << "the drift falls below the round-off of floats";
  const auto drift = [](double dt, int steps) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: inviscid
scheme: projection
grid: {{points: [14, 12, 10], length: [6.283185307179586, 6, 5], stretching: {{y: {{type: tanh, factor: 0.8}}}}}}
fluid: {{reynolds: 1e15}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["sin(x)*cos(2*pi*y/6)", "-cos(x)*sin(2*pi*z/5)", "0.5*cos(x+2*pi*y/6)"]}}
time: {{step: {}, steps: 1000}}
)yaml",
                                              dt));
    auto simulation = started(resolved);
    // The first step is of lower order: the drift is counted from the second one on.
    for (int n = 0; n < steps / 10; ++n) simulation->advance();
    const double before = simulation->diagnostics().kinetic_energy;
    for (int n = 0; n < steps; ++n) simulation->advance();
    return std::abs(simulation->diagnostics().kinetic_energy / before - 1);
  };
  const double coarse = drift(0.08, 20);
  const double fine = drift(0.04, 40);
  const double order = order_of(coarse, fine);
  RecordProperty("order", fmt::format("{:.2f} of {:.1e}", order, fine));
  EXPECT_GT(order, 1.9) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-4);
}

/// Each factor by itself does not conserve momentum, only their sum does: what is left of the
/// products falls with the square of the step. Where the flow's symmetry makes it vanish, momentum
/// is conserved to round-off.
TEST_P(ProjectionBalances, momentum_in_a_periodic_box_is_conserved) {
  const auto change = [](const std::string& velocity, double dt, int steps) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: momentum
scheme: projection
grid: {{points: [14, 12, 10], length: [2, 3, 1], stretching: {{z: {{type: tanh, factor: 0.9}}}}}}
fluid: {{reynolds: 30}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: {}}}
time: {{step: {}, steps: 100}}
)yaml",
                                              velocity,
                                              dt));
    auto simulation = started(resolved);
    const auto at_start = simulation->diagnostics().others;
    for (int n = 0; n < steps; ++n) simulation->advance();
    const auto after = simulation->diagnostics().others;
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      largest = larger_or_nan(largest, std::abs(after[axis] - at_start[axis]));
    }
    return largest;
  };
  const std::string vortices =
      R"v(["sin(pi*x)*cos(2*pi*y/3)*cos(2*pi*z)", "-1.5*cos(pi*x)*sin(2*pi*y/3)*cos(2*pi*z)", 0])v";
  EXPECT_LT(change(vortices, 0.02, 20), 100 * epsilon());

  const std::string oblique =
      R"v(["1+sin(pi*x)*cos(2*pi*y/3)", "0.3-cos(pi*x)*sin(2*pi*z)", "-0.2+cos(pi*x)"])v";
  EXPECT_LT(change(oblique, 0.02, 20), 100 * epsilon());
}

/// d/dt of the kinetic energy is minus the dissipation, to the error of the time scheme alone.
TEST_P(ProjectionBalances, dissipation_is_what_the_kinetic_energy_loses) {
  for (const std::string& faces : {periodic("x") + periodic("y") + periodic("z"),
                                   periodic("x") + both("y", wall, wall) + both("z", wall, wall),
                                   both("x", wall, wall) + both("y", wall, wall) + periodic("z")}) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: decay
scheme: projection
grid: {{points: [12, 16, 14], length: [2, 3, 1], stretching: {{y: {{type: tanh, factor: 1.2}}}}}}
fluid: {{reynolds: 100}}
boundaries:
{}
initial: {{velocity: ["sin(pi*x)*cos(2*pi*y/3)", "-cos(pi*x)*sin(2*pi*z)", "cos(pi*x)"]}}
time: {{step: 0.002, steps: 100}}
)yaml",
                                              faces));
    auto simulation = started(resolved);
    for (int n = 0; n < 20; ++n) simulation->advance();
    const FlowDiagnostics before = simulation->diagnostics();
    simulation->advance();
    const FlowDiagnostics middle = simulation->diagnostics();
    simulation->advance();
    const FlowDiagnostics after = simulation->diagnostics();
    const double loss = (before.kinetic_energy - after.kinetic_energy) / 0.004;
    EXPECT_NEAR(loss / middle.dissipation, 1, is_double() ? 2e-4 : 2e-3) << faces;
  }
}

TEST_P(ProjectionBalances, a_restart_goes_on_bit_for_bit) {
  const std::string heat = ", temperature: \"1+0.1*sin(x)\"";
  const std::string faces =
      "  x_min: {type: inflow, velocity: [\"1+0.2*sin(5*t)\", 0, 0], temperature: 1, "
      "turbulence: {stresses: inflow_stresses.csv, lengths: [0.8, 0.2, 0.3], seed: 3}}\n"
      "  x_max: {type: outflow}\n"
      "  y_min: {type: wall, temperature: \"2+t\"}\n"
      "  y_max: {type: wall, temperature: {gradient: -0.5}}\n"
      "  z: periodic\n";
  for (const bool is_open : {true, false}) {
    const Case resolved = case_of(fmt::format(
        R"yaml(
case: restart
scheme: projection
grid: {{points: [12, 11, 9], length: [2, 1, 1], stretching: {{y: {{type: tanh, factor: 1.2}}}}}}
fluid: {{reynolds: 60, prandtl: 0.7}}
buoyancy: {{rayleigh: 1000, direction: y}}
boundaries:
{}
initial: {{velocity: ["1+0.2*sin(pi*x)", "0.1*cos(pi*z)", "0.1*sin(pi*y)"]{}}}
time: {{cfl: 0.5, steps: 20, global_iterations: 2}}
{})yaml",
        is_open ? faces
                : "  x: periodic\n  y_min: {type: wall, temperature: 1}\n"
                  "  y_max: {type: wall, velocity: [0.1, 0, 0], temperature: 0}\n  z: periodic\n",
        heat,
        is_open ? "" : "forcing: {type: bulk_velocity, value: [1, 0, 0]}\n"));
    auto whole = started(resolved);
    for (int n = 0; n < 3; ++n) whole->advance();
    const FlowState middle = state_of(*whole);
    for (int n = 0; n < 4; ++n) whole->advance();

    Case on_one_thread = resolved;
    on_one_thread.run.threads = 1;
    auto resumed = make_simulation(on_one_thread);
    resumed->set_state(middle);
    EXPECT_TRUE(same_bits(state_of(*resumed), middle));
    for (int n = 0; n < 4; ++n) resumed->advance();
    EXPECT_TRUE(same_bits(state_of(*resumed), state_of(*whole))) << "open " << is_open;
    EXPECT_EQ(resumed->diagnostics().others, whole->diagnostics().others);
  }
}

/// What flows in pushes everything out through an open boundary, without a reflection.
TEST_P(ProjectionBalances, an_outflow_lets_heat_and_vortices_leave) {
  for (const bool is_reversed : {false, true}) {
    const std::string in =
        fmt::format("{{type: inflow, velocity: [{}, 0, 0], temperature: 1}}", is_reversed ? -1 : 1);
    auto simulation =
        started(case_of(fmt::format(R"yaml(
case: open
scheme: projection
grid: {{points: [32, 9, 8], length: [2, 1, 1]}}
fluid: {{reynolds: 200, prandtl: 1}}
boundaries:
{}  y_min: {{type: symmetry}}
  y_max: {{type: symmetry}}
  z: periodic
initial: {{velocity: [{}, "0.1*sin(pi*y)*cos(2*pi*x)", "0.1*cos(pi*y)"], temperature: "0.5*sin(3*x)"}}
time: {{step: 0.03, steps: 1000}}
)yaml",
                                    is_reversed ? both("x", outflow, in) : both("x", in, outflow),
                                    is_reversed ? -1 : 1)));
    for (int n = 0; n < 200; ++n) simulation->advance();
    const FlowState state = viewing_copy(*simulation);
    const auto largest_distance = [&](std::string_view name, double exact) {
      double largest = 0;
      for (const double value : values_of(state, name)) {
        largest = larger_or_nan(largest, std::abs(value - exact));
      }
      return largest;
    };
    EXPECT_LT(largest_distance(velocity_x_name, is_reversed ? -1 : 1), 1e-4);
    EXPECT_LT(largest_distance(velocity_y_name, 0), 1e-4);
    EXPECT_LT(largest_distance(velocity_z_name, 0), 1e-4);
    EXPECT_LT(largest_distance(temperature_name, 1), 1e-4);
  }
}

/// A stream of velocity 1 carries T = s - t out through each of the six faces: linear in space and
/// time, so that only round-off is left once what the first steps did not know of the boundary has
/// gone, with ways of a step that end before and behind the first unknown beside the face.
TEST_P(ProjectionBalances, an_outflow_carries_a_linear_temperature_out_as_it_is) {
  for (int face = 0; face < face_names.size(); ++face) {
    for (const double dt : {0.04, 0.12}) {
      const int axis = face / 2;
      const double way = face % 2 == 0 ? -1 : 1;
      const std::string s = fmt::format("({}*{})", way, axis_names[axis]);
      PerAxis<double> velocity{};
      velocity[axis] = way;
      const std::string in = fmt::format(
          "{{type: inflow, velocity: [{}], temperature: \"{}-t\"}}", fmt::join(velocity, ", "), s);
      std::string faces;
      for (int other = 0; other < 3; ++other) {
        const std::string& name = axis_names[other];
        if (other != axis) {
          faces += periodic(name);
        } else {
          faces += way > 0 ? both(name, in, outflow) : both(name, outflow, in);
        }
      }
      const Case resolved = case_of(fmt::format(R"yaml(
case: linear
scheme: projection
grid: {{points: [10, 10, 10], length: [1, 1, 1]}}
fluid: {{reynolds: 5, prandtl: 1}}
boundaries:
{}initial: {{velocity: [{}], temperature: "{}"}}
time: {{step: {}, steps: 1000}}
)yaml",
                                                faces,
                                                fmt::join(velocity, ", "),
                                                s,
                                                dt));
      auto simulation = started(resolved);
      while (simulation->time() < 12) simulation->advance();
      const double t = simulation->time();
      const auto exact = at_centres(resolved, [&](double x, double y, double z) {
        return way * std::array{x, y, z}.at(axis) - t;
      });
      EXPECT_LT(distance(resolved, values_of(viewing_copy(*simulation), temperature_name), exact),
                is_double() ? 1e-12 : 2e-5)
          << face_names[face] << " dt " << dt;
    }
  }
}

TEST_P(ProjectionBalances, global_iterations_converge_to_the_tolerance) {
  const std::string text = R"yaml(
case: iterations
scheme: projection
grid: {points: [10, 12, 8], length: [2, 1, 1]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall, velocity: [1, 0, 0]}, z: periodic}
initial: {velocity: ["y+sin(pi*x)", "0.3*cos(2*pi*z)", "0.2*sin(pi*x)"]}
)yaml";
  const double tolerance = is_double() ? 1e-12 : 2e-6;
  auto to_tolerance = started(case_of(
      text +
      fmt::format("time: {{step: 0.02, steps: 9, global_tolerance: {}, max_global_iterations: 40}}",
                  tolerance)));
  auto fixed = started(case_of(text + "time: {step: 0.02, steps: 9, global_iterations: 40}"));
  for (int n = 0; n < 3; ++n) {
    const StepReport report = to_tolerance->advance();
    EXPECT_TRUE(report.reached_tolerance);
    EXPECT_LE(report.iteration_change, tolerance);
    EXPECT_GT(report.global_iterations, 2);
    EXPECT_LT(report.global_iterations, 40);
    fixed->advance();
  }
  EXPECT_TRUE(same_within(100 * tolerance, viewing_copy(*to_tolerance), viewing_copy(*fixed)));
}

/// What drives a flow between walls across an axis, along the two others, and how strongly its mean
/// does; none: so that the bulk velocity is held.
struct Drive {
  std::string yaml;
  PerAxis<std::optional<double>> mean;
};

std::vector<Drive> drives_of(int along, int third) {
  const auto list = [&](const std::string& of_along, const std::string& of_third) {
    PerAxis<std::string> values{"0", "0", "0"};
    values[along] = of_along;
    values[third] = of_third;
    return fmt::format("[{}]", fmt::join(values, ", "));
  };
  PerAxis<std::optional<double>> held{0, 0, 0};
  held[along].reset();
  held[third].reset();
  PerAxis<std::optional<double>> given{0, 0, 0};
  given[along] = 1;
  given[third] = -0.2;
  PerAxis<std::optional<double>> buoyant{0, 0, 0};
  buoyant[along] = 0.5 * 0.6 * 2;
  buoyant[third] = 0.5 * 0.8 * 2;
  return {{"forcing: {type: bulk_velocity, value: " + list("1", "0.2") + "}", held},
          {"forcing: {type: pressure_gradient, value: " + list("1", "-0.2") + "}", given},
          {fmt::format("forcing: {{type: formula, acceleration: {}}}\nrotation: {{rate: {}}}",
                       list(fmt::format("1+sin(2*pi*{}/3)", axis_name(along)), "-0.2*(1+0*t)"),
                       list("0", "0.3")),
           given},
          {"buoyancy: {richardson: 0.5, reference_temperature: 0, direction: " +
               list("0.6", "0.8") + "}",
           buoyant}};
}

/// Walls across each axis in turn, one of which slides: what drives the flow is dM/dt and the mean
/// shear of both ends of the step, whatever the products of the factors do.
TEST_P(ProjectionBalances, of_momentum_are_exact_in_implicit_steps) {
  for (const int across : {0, 1, 2}) {
    const int along = (across + 1) % 3;
    const int third = (across + 2) % 3;
    const auto name = [](int axis) { return axis_name(axis); };
    PerAxis<std::string> velocity{"0", "0", "0"};
    const std::string profile = fmt::format("{0}*(2-{0})", name(across));
    velocity[along] = fmt::format("1.5*{}*(1+0.4*sin(4*pi*{}/1.5))", profile, name(third));
    velocity[third] = fmt::format("0.8*sin(2*pi*{}/3)*{}", name(along), profile);
    velocity[across] = fmt::format("0.5*cos(2*pi*{}/3)*sin(pi*{})", name(along), name(across));
    PerAxis<int> points{};
    PerAxis<double> length{};
    PerAxis<std::string> slide{"0", "0", "0"};
    points[across] = 13;
    points[along] = 12;
    points[third] = 11;
    length[across] = 2;
    length[along] = 3;
    length[third] = 1.5;
    slide[along] = "0.3*cos(t)";
    for (const Drive& drive : drives_of(along, third)) {
      for (const double cfl : {1.0, 2.0}) {
        const Case resolved = case_of(fmt::format(
            R"yaml(
scheme: projection
grid: {{points: [{}], length: [{}], stretching: {{{a}: {{type: tanh, factor: 1.4}}}}}}
fluid: {{reynolds: 200, prandtl: 0.7}}
boundaries:
  {a}_min: {{type: wall, velocity: ["{}"], temperature: {{gradient: 0}}}}
  {a}_max: {{type: wall, temperature: {{gradient: 0}}}}
  {}: periodic
  {}: periodic
initial: {{velocity: ["{}"], temperature: "2+sin(2*pi*{}/3)"}}
{}
time: {{scheme: implicit, cfl: {}, steps: 1000, damping: "off"}}
)yaml",
            fmt::join(points, ", "),
            fmt::join(length, ", "),
            fmt::join(slide, "\", \""),
            name(along),
            name(third),
            fmt::join(velocity, "\", \""),
            name(along),
            drive.yaml,
            cfl,
            fmt::arg("a", name(across))));
        const auto simulation = after(resolved, 3);
        const auto shear_along = [&](int axis) {
          const std::string face = "wall_shear_" + name(across);
          return (figure(*simulation, face + "_min_" + name(axis)) +
                  figure(*simulation, face + "_max_" + name(axis))) /
                 2;
        };
        double largest = 0;
        for (int step = 0; step < 10; ++step) {
          PerAxis<double> before{};
          PerAxis<double> momentum{};
          for (const int axis : {along, third}) {
            before[axis] = shear_along(axis);
            momentum[axis] = figure(*simulation, "bulk_velocity_" + name(axis));
          }
          simulation->advance();
          for (const int axis : {along, third}) {
            const double change =
                figure(*simulation, "bulk_velocity_" + name(axis)) - momentum[axis];
            const double force =
                drive.mean[axis] ? *drive.mean[axis] : figure(*simulation, "driving_" + name(axis));
            const double lack =
                force - change / simulation->time_step() - (before[axis] + shear_along(axis)) / 2;
            largest = larger_or_nan(largest, std::abs(lack));
          }
        }
        EXPECT_LT(largest, is_double() ? 2e-12 : 2e-4) << name(across) << " " << drive.yaml << cfl;
      }
    }
  }
}

/// A run that goes on with another viscosity, other walls, or forces whose mean is not known,
/// leaves the balance of its copy alone.
TEST_P(ProjectionBalances, of_a_copy_are_not_those_of_another_case) {
  const auto channel = [](int reynolds, const char* slide, const char* more) {
    return case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [8, 9, 7], length: [3, 2, 1.5]}}
fluid: {{reynolds: {}}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: wall, velocity: [{}, 0, 0]}}, z: periodic}}
initial: {{velocity: ["1.5*y*(2-y)", "0.1*sin(2*pi*x/3)*y*(2-y)", "0.2*cos(2*pi*x/3)*sin(pi*y)"]}}
forcing: {{type: bulk_velocity, value: [1, 0, 0.2]{}}}
time: {{step: 0.05, steps: 1000}}
)yaml",
                               reynolds,
                               slide,
                               more));
  };
  const FlowState copy = state_of(*after(channel(100, "0", ""), 4));
  FlowState without = copy;
  std::erase_if(without.numbers, [](const auto& number) {
    return number.name.starts_with("momentum_") || number.name.starts_with("shear_");
  });
  EXPECT_EQ(without.numbers.size() + 5, copy.numbers.size());
  for (const Case& another : {channel(200, "0", ""),
                              channel(100, "0.2", ""),
                              channel(100, "0", ", drag: {wood: {rate: x}}")}) {
    const auto one = started(another);
    const auto other = started(another);
    one->set_state(copy);
    other->set_state(without);
    for (int step = 0; step < 3; ++step) {
      one->advance();
      other->advance();
      EXPECT_EQ(figure(*one, "driving_x"), figure(*other, "driving_x"));
      EXPECT_EQ(figure(*one, "driving_z"), figure(*other, "driving_z"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ProjectionBalances, all_targets(), name_of_target);

TEST(values_of, names_a_field_that_is_missing_and_those_there_are) {
  FlowState state;
  for (const std::string name : {"velocity_x", "pressure"}) {
    state.fields.emplace_back(name, Extents{1, 1, 1}, Precision::double_precision);
  }
  state.fields[1].values<double>()[0] = 3;
  EXPECT_EQ(values_of(state, "pressure"), std::vector<double>{3});
  EXPECT_EQ(message_of<std::out_of_range>([&] { return values_of(state, "temperature"); }),
            "no field temperature in the flow, but: velocity_x pressure");
}

}  // namespace
}  // namespace dns::testing::test_projection_balances
