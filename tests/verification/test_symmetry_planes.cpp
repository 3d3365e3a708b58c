/// Orders 4 to 8 between planes of symmetry: against an independent program in Python, against the
/// whole periodic box, and against a given flow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/instances/case_needs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_symmetry_planes {
namespace {

class SymmetryPlanes : public OnEveryTarget {};

/// Which axes of the box end at planes of symmetry; the others are periodic.
struct Planes {
  bool x = true, y = true, z = true;

  [[nodiscard]] bool along(int axis) const { return std::array{x, y, z}.at(axis); }
};

std::string boundaries(const Planes& planes) {
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& name = axis_name(axis);
    text +=
        planes.along(axis)
            ? fmt::format("  {0}_min: {{type: symmetry}}\n  {0}_max: {{type: symmetry}}\n", name)
            : fmt::format("  {}: periodic\n", name);
  }
  return text;
}

/// A flow with the symmetry of the box and without any other, and a temperature. The box between
/// the planes has 10 x 9 x 11 cells; a periodic axis is twice as long, with twice as many.
std::string uneven_vortices(const std::string& order,
                            const Planes& planes,
                            const std::string& more = "time: {step: 0.02, steps: 1000}") {
  const auto times = [&](int axis) { return planes.along(axis) ? 1 : 2; };
  return fmt::format(R"yaml(
case: vortices
scheme: projection
grid: {{points: [{}, {}, {}], length: [{:.17g}, {}, {}]}}
accuracy: {{order: {}}}
fluid: {{reynolds: 100, prandtl: 0.5}}
boundaries:
{}initial:
  velocity:
    - "sin(x)*(cos(pi*y/2.5)*cos(pi*z/2)+0.4*cos(2*pi*y/2.5))"
    - "-0.7*cos(x)*sin(pi*y/2.5)+0.3*cos(2*x)*sin(2*pi*y/2.5)*cos(pi*z/2)"
    - "0.5*cos(x)*cos(pi*y/2.5)*sin(pi*z)"
  temperature: "cos(x)*cos(pi*y/2.5)+0.5*cos(pi*z)+0.2*cos(x)*cos(pi*z/2)"
{}
)yaml",
                     10 * times(0),
                     9 * times(1),
                     11 * times(2),
                     std::numbers::pi * times(0),
                     2.5 * times(1),
                     2 * times(2),
                     order,
                     boundaries(planes),
                     more);
}

constexpr Planes octant{};
constexpr Planes none{false, false, false};

/// The numbers are those of an independent program in Python with numpy, which has images in place
/// of ghost points and cosine transforms of scipy: uneven_vortices() projected, then 50 steps of
/// 0.02 of the same scheme; where y has order 2, diffusion along it is implicit.
TEST_P(SymmetryPlanes, energy_and_dissipation_are_those_of_the_model) {
  struct Expected {
    const char* order;
    double energy, dissipation;
  };
  for (const auto& [order, energy, dissipation] :
       std::array<Expected, 5>{{{"4", 8.72157767645009e-02, 9.90246800050225e-03},
                                {"6", 8.72051283055916e-02, 9.92498181897237e-03},
                                {"8", 8.72036533568590e-02, 9.92988411059996e-03},
                                {"[4, 6, 8]", 8.72079401082679e-02, 9.91141866843277e-03},
                                {"[6, 2, 6]", 8.73613140243789e-02, 9.84068594660635e-03}}}) {
    const Case resolved = case_of(uneven_vortices(order, octant));
    const FlowDiagnostics found = after(resolved, 50)->diagnostics();
    // 150 stages of a few roundings each.
    const double tolerance = is_double() ? 1e-13 : 200 * epsilon();
    EXPECT_NEAR(found.kinetic_energy, energy, tolerance * energy) << order;
    EXPECT_NEAR(found.dissipation, dissipation, 4 * tolerance * dissipation) << order;
    EXPECT_LT(found.divergence_max, 200 * epsilon()) << order;
  }
}

/// Where a point is in a field of a copy for restart.
std::size_t place_of(const Extents& cells, Index3 c) {
  const int row = (c.k + 1) * (cells.ny + 2) + c.j + 1;
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.nx + 2) +
         static_cast<std::size_t>(c.i + 1);
}

/// The largest difference of a flow between planes from that of the whole box, at all stored
/// points, also on the planes and beyond them.
double largest_difference(const Case& part_case,
                          const FlowState& part,
                          const Case& whole_case,
                          const FlowState& whole) {
  double largest = part.fields.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
  const Extents n = part_case.grid.points;
  for (const HostField& field : part.fields) {
    const std::vector<double> found = in_doubles(field);
    const std::vector<double> expected = values_of(whole, field.name());
    for_each_point(widened({{}, {n.nx, n.ny, n.nz}}), [&](Index3 c) {
      largest = larger_or_nan(
          largest,
          std::abs(found.at(place_of(n, c)) - expected.at(place_of(whole_case.grid.points, c))));
    });
  }
  return largest;
}

TEST_P(SymmetryPlanes, a_part_of_the_box_is_the_whole_to_round_off) {
  struct Part {
    const char* order;
    Planes planes;
    const char* more;
  };
  const char* plain = "time: {step: 0.02, steps: 1000}";
  const char* lifted = "buoyancy: {rayleigh: 2e3, direction: z}\ntime: {step: 0.02, steps: 1000}\n";
  const char* forced = R"yaml(
forcing:
  type: formula
  acceleration: ["0.2*sin(2*x)*cos(pi*z/2)", "0.1*cos(x)*sin(pi*y/2.5)*cos(3*t)", "0"]
  heat: "cos(x)*cos(pi*z)"
  sponges: {one: {rate: "1+cos(x)*cos(pi*y/2.5)", velocity: ["sin(x)", 0, 0], temperature: "cos(x)"}}
time: {cfl: 0.8, steps: 1000}
)yaml";
  for (const auto& [order, planes, more] :
       std::vector<Part>{{"4", octant, plain},
                         {"6", octant, plain},
                         {"8", octant, plain},
                         {"[8, 4, 6]", octant, forced},
                         {"6", {true, true, false}, lifted},
                         {"6", {false, true, true}, plain},
                         {"8", {true, false, true}, forced},
                         {"[6, 2, 6]", {true, false, true}, plain},
                         {"[6, 6, 2]", {true, true, false}, lifted},
                         {"[2, 4, 8]", {false, true, true}, forced}}) {
    SCOPED_TRACE(fmt::format("order {}, planes along{}{}{}",
                             order,
                             planes.x ? " x" : "",
                             planes.y ? " y" : "",
                             planes.z ? " z" : ""));
    const Case part_case = case_of(uneven_vortices(order, planes, more));
    const Case whole_case = case_of(uneven_vortices(order, none, more));
    ASSERT_EQ(part_case.accuracy.order, whole_case.accuracy.order);
    const auto part = after(part_case, 12);
    const auto whole = after(whole_case, 12);
    // Values of one; what the steps make of roundings.
    EXPECT_LT(largest_difference(part_case, state_of(*part), whole_case, state_of(*whole)),
              500 * epsilon());
    const FlowDiagnostics a = part->diagnostics();
    const FlowDiagnostics b = whole->diagnostics();
    EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, 100 * epsilon());
    EXPECT_NEAR(a.dissipation, b.dissipation, 100 * epsilon());
    EXPECT_NEAR(a.cfl, b.cfl, 200 * epsilon());
    EXPECT_LT(a.divergence_max, 200 * epsilon());
    EXPECT_NEAR(
        figure(*part, "temperature_mean"), figure(*whole, "temperature_mean"), 100 * epsilon());
  }
}

/// Averages over periodic axes are those of the whole box, at the first points along x.
TEST_P(SymmetryPlanes, averages_are_those_of_the_whole_box) {
  const std::string more = R"yaml(
time: {step: 0.02, steps: 1000}
output: {statistics: {start: 0, every: 1, average: [y, z]}}
)yaml";
  const auto sums_of = [&](const Planes& planes) {
    return after(case_of(uneven_vortices("6", planes, more)), 4)->statistics();
  };
  const StatisticsSums part = sums_of({true, false, false});
  const StatisticsSums whole = sums_of(none);
  ASSERT_GT(part.sums.size(), 20U);
  ASSERT_EQ(part.sums.size(), whole.sums.size());
  for (std::size_t n = 0; n < part.sums.size(); ++n) {
    const std::string& name = part.sums[n].name();
    ASSERT_EQ(name, whole.sums[n].name());
    const std::vector<double> found = part.average(n);
    const std::vector<double> expected = whole.average(n);
    for (std::size_t point = 0; point < 10; ++point)
      EXPECT_NEAR(found.at(point), expected.at(point), 50 * epsilon()) << name << ' ' << point;
  }
}

/// A steady flow that forces and heat hold: errors fall with the power of the order.
TEST_P(SymmetryPlanes, errors_fall_with_the_power_of_the_order) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  const std::string u = "sin(x)*cos(y)*cos(2*z)";
  const std::string v = "cos(x)*sin(y)*cos(2*z)";
  const std::string w = "-cos(x)*cos(y)*sin(2*z)";
  const auto carried = [&](const PerAxis<const char*>& slopes) {
    return fmt::format("({})*({})+({})*({})+({})*({})", u, slopes[0], v, slopes[1], w, slopes[2]);
  };
  const std::string force_x =
      carried({"cos(x)*cos(y)*cos(2*z)", "-sin(x)*sin(y)*cos(2*z)", "-2*sin(x)*cos(y)*sin(2*z)"});
  const std::string force_y =
      carried({"-sin(x)*sin(y)*cos(2*z)", "cos(x)*cos(y)*cos(2*z)", "-2*cos(x)*sin(y)*sin(2*z)"});
  const std::string force_z =
      carried({"sin(x)*cos(y)*sin(2*z)", "cos(x)*sin(y)*sin(2*z)", "-2*cos(x)*cos(y)*cos(2*z)"});
  const std::string t = "cos(x)*cos(2*y)*cos(z)";
  const std::string heat =
      carried({"-sin(x)*cos(2*y)*cos(z)", "-2*cos(x)*sin(2*y)*cos(z)", "-cos(x)*cos(2*y)*sin(z)"});
  const auto errors = [&](const std::string& order, int k) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: held
scheme: projection
grid: {{points: [{0}, {1}, {2}], length: [{4:.17g}, {4:.17g}, {4:.17g}]}}
accuracy: {{order: {3}}}
fluid: {{reynolds: 20, prandtl: 0.5}}
boundaries:
{5}initial: {{velocity: ["{6}", "{7}", "{8}"], temperature: "{9}"}}
forcing:
  type: formula
  acceleration: ["{10}+0.3*{6}", "{11}+0.3*{7}", "{12}+0.3*({8})"]
  heat: "{13}+0.6*{9}"
time: {{step: 0.01, steps: 1000}}
)yaml",
                                              4 * k,
                                              5 * k,
                                              6 * k,
                                              order,
                                              std::numbers::pi,
                                              boundaries(octant),
                                              u,
                                              v,
                                              w,
                                              t,
                                              force_x,
                                              force_y,
                                              force_z,
                                              heat));
    // On faces, where no interpolation adds an error of its own.
    const auto start = started(resolved);
    const FlowState exact = initial_state(resolved);
    for (int n = 0; n < 30; ++n) start->advance();
    const FlowState found = state_of(*start);
    std::array<double, 2> largest{};
    const Extents n = resolved.grid.points;
    for (const HostField& field : exact.fields) {
      if (field.name() == pressure_name) continue;
      const std::vector<double> expected = in_doubles(field);
      const std::vector<double> stored = values_of(found, field.name());
      std::size_t at = 0;
      for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
        double& error = largest[field.name() == temperature_name ? 1 : 0];
        error = larger_or_nan(error, std::abs(stored.at(place_of(n, c)) - expected.at(at++)));
      });
    }
    return largest;
  };
  for (const int order : {4, 6, 8}) {
    const auto coarse = errors(std::to_string(order), 3);
    const auto fine = errors(std::to_string(order), 5);
    for (const std::size_t which : {0, 1}) {
      const double found = std::log(coarse[which] / fine[which]) / std::log(5.0 / 3);
      fmt::print(
          "    order {}: {:.3g} {:.3g} ({:.2f})\n", order, coarse[which], fine[which], found);
      EXPECT_NEAR(found, order, 0.4) << order;
    }
  }
}

TEST_P(SymmetryPlanes, energy_without_viscosity_never_grows) {
  for (const char* order : {"4", "6", "8", "[6, 8, 4]"}) {
    std::vector<double> changes;
    for (const double cfl : {0.5, 0.25}) {
      std::string yaml =
          uneven_vortices(order, octant, fmt::format("time: {{cfl: {}, end: 3}}", cfl));
      yaml.replace(yaml.find("reynolds: 100"), 13, "reynolds: 1e15");
      auto simulation = started(case_of(yaml));
      const double before = simulation->diagnostics().kinetic_energy;
      double highest = before;
      while (simulation->time() < 3 - 1e-9) {
        simulation->advance();
        const FlowDiagnostics now = simulation->diagnostics();
        highest = larger_or_nan(highest, now.kinetic_energy);
        EXPECT_LT(now.divergence_max, 400 * epsilon());
      }
      changes.push_back(simulation->diagnostics().kinetic_energy / before - 1);
      EXPECT_LE(highest, before * (1 + 20 * epsilon())) << order;
      EXPECT_GT(changes.back(), -2e-2) << order;
    }
    if (is_double()) {
      EXPECT_GT(changes[0] / changes[1], 6) << order;  // dt^3
    }
  }
}

/// Forces that push through the planes are balanced by the pressure: uniform ones at once.
TEST_P(SymmetryPlanes, nothing_crosses_the_planes) {
  for (const char* order : {"4", "6", "8", "[6, 2, 8]"}) {
    const Case resolved = case_of(uneven_vortices(
        order,
        octant,
        "forcing: {type: formula, acceleration: [\"1+cos(x)*cos(pi*y/2.5)\", 0.7, \"-2*cos(t)\"]}\n"
        "time: {cfl: 0.8, steps: 1000}"));
    const auto simulation = after(resolved, 10);
    EXPECT_LT(simulation->diagnostics().divergence_max, 400 * epsilon()) << order;
    const FlowState state = state_of(*simulation);
    const Extents n = resolved.grid.points;
    for (int axis = 0; axis < 3; ++axis) {
      const auto velocity = values_of(state, velocity_names.at(axis));
      double largest = 0;
      double on_planes = 0;
      for_each_point(widened({{}, {n.nx, n.ny, n.nz}}), [&](Index3 c) {
        const double here = std::abs(velocity.at(place_of(n, c)));
        largest = larger_or_nan(largest, here);
        if (c[axis] == 0 || c[axis] == n[axis]) on_planes = larger_or_nan(on_planes, here);
      });
      EXPECT_EQ(on_planes, 0) << order << ' ' << axis;
      EXPECT_GT(largest, 0.1);
      EXPECT_LT(largest, 3);
    }
  }
}

TEST_P(SymmetryPlanes, memory_is_what_is_counted) {
  for (const Planes& planes : {octant, Planes{true, false, true}, Planes{false, false, true}}) {
    const Case resolved = case_of(uneven_vortices("6", planes));
    EXPECT_EQ(after(resolved, 2)->memory_bytes(), needs_of(resolved).device_bytes);
  }
}

TEST_P(SymmetryPlanes, restart_reproduces_every_bit) {
  for (const std::string& yaml :
       {uneven_vortices("6", octant),
        uneven_vortices("[4, 2, 8]", {true, false, true}, "time: {cfl: 0.8, steps: 1000}"),
        uneven_vortices("[6, 2, 6]", octant)}) {
    const Case resolved = case_of(yaml);
    auto through = after(resolved, 7);
    auto resumed = make_simulation(resolved);
    resumed->set_state(state_of(*through));
    for (int n = 0; n < 6; ++n) {
      through->advance();
      resumed->advance();
    }
    EXPECT_TRUE(same_bits(state_of(*through), state_of(*resumed))) << yaml;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SymmetryPlanes, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_symmetry_planes
