/// Vortices and jets that leave through an outflow, also where fluid comes back in.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_outflow {
namespace {

class Outflow : public OnEveryTarget {};

/// A stream of 1 carries a vortex of the largest velocity 1.25 at a distance of 0.5 out at s = 2:
/// so the velocity at the face is negative for a while. `outwards` +1: along `axis`; -1: against
/// it.
struct LeavingVortex {
  int cells = 32;     // across, and along up to s = 2
  double longer = 0;  // by how much the box is longer than to s = 2
  int axis = 0;
  int outwards = 1;
  const char* backflow = "free";

  [[nodiscard]] std::string yaml() const {
    const int across = (axis + 1) % 3;
    const std::string s = fmt::format("({}*{})", outwards, axis_names[axis]);
    const std::string n = axis_names[across];
    const std::string shape = fmt::format("2.5*exp(0.5-2*({}^2+{}^2))", s, n);
    PerAxis<std::string> velocity{"0", "0", "0"};
    PerAxis<std::string> stream{"0", "0", "0"};
    PerAxis<int> points{4, 4, 4};
    PerAxis<double> length{0.375, 0.375, 0.375};
    PerAxis<double> origin{};
    stream[axis] = fmt::format("{}", outwards);
    velocity[axis] = fmt::format("{}*(1-{}*{})", outwards, n, shape);
    velocity[across] = fmt::format("{}*{}", s, shape);
    length[axis] = 4 + longer;
    length[across] = 4;
    points[axis] = static_cast<int>(cells * length[axis] / 4 + 0.5);
    points[across] = cells;
    origin[axis] = outwards > 0 ? -2 : -2 - longer;
    origin[across] = -2;
    return fmt::format(
        R"yaml(
scheme: projection
grid: {{points: [{}], length: [{}], origin: [{}]}}
fluid: {{reynolds: 1000}}
boundaries:
  {a}_{in}: {{type: inflow, velocity: [{stream}]}}
  {a}_{out}: {{type: outflow, backflow: {backflow}}}
  {n}_min: {{type: symmetry}}
  {n}_max: {{type: symmetry}}
  {rest}: periodic
initial: {{velocity: ["{velocity}"]}}
time: {{step: 0.04, steps: 10000}}
)yaml",
        fmt::join(points, ", "),
        fmt::join(length, ", "),
        fmt::join(origin, ", "),
        fmt::arg("a", axis_names[axis]),
        fmt::arg("n", n),
        fmt::arg("rest", axis_names[(axis + 2) % 3]),
        fmt::arg("in", outwards > 0 ? "min" : "max"),
        fmt::arg("out", outwards > 0 ? "max" : "min"),
        fmt::arg("stream", fmt::join(stream, ", ")),
        fmt::arg("backflow", backflow),
        fmt::arg("velocity", fmt::join(velocity, "\", \"")));
  }
};

/// The root of the mean square of (u - u_longer, v - v_longer) up to s = 2, of a vortex along x.
double reflection(const Case& resolved, const FlowState& flow, const FlowState& longer) {
  const Extents n = resolved.grid.points;
  double sum = 0;
  for (const auto name : {velocity_x_name, velocity_y_name}) {
    const std::vector<double> values = values_of(flow, name);
    const std::vector<double> expected = values_of(longer, name);
    const std::size_t lines = values.size() / static_cast<std::size_t>(n.nx);
    const std::size_t stride = expected.size() / lines;
    for (std::size_t at = 0; at < values.size(); ++at) {
      const auto nx = static_cast<std::size_t>(n.nx);
      const double error = values[at] - expected.at(at / nx * stride + at % nx);
      sum += error * error;
    }
  }
  return std::sqrt(sum / static_cast<double>(n.count()));
}

/// Against a box that is twice as long and a half. The vortex has a root mean square of 0.45 at the
/// start, 0.32 when its middle is on the face and half is gone.
TEST_P(Outflow, a_vortex_leaves_with_little_reflection) {
  const Case longer = case_of(LeavingVortex{.longer = 6}.yaml());
  for (const char* backflow : {"free", "stabilised"}) {
    const Case resolved = case_of(LeavingVortex{.backflow = backflow}.yaml());
    auto whole = started(longer);
    auto part = started(resolved);
    double largest = 0;
    double left = 0;
    double lowest = 1;
    for (int step = 1; step <= 125; ++step) {
      whole->advance();
      part->advance();
      if (step % 5 != 0) continue;
      const FlowState flow = viewing_copy(*part);
      left = reflection(resolved, flow, viewing_copy(*whole));
      largest = larger_or_nan(largest, left);
      for (const double u : values_of(flow, velocity_x_name)) lowest = std::min(lowest, u);
    }
    fmt::print("    {}: largest {:.4f}, at t = 5 {:.4f}\n", backflow, largest, left);
    EXPECT_LT(lowest, -0.15);  // it does flow back
    EXPECT_LT(largest, 0.02) << backflow;
    EXPECT_LT(left, 0.004) << backflow;
    EXPECT_LT(part->diagnostics().divergence_max, 2000 * epsilon());
  }
}

/// Sweeps are made along z, y and x in turn: flows along different axes differ by what factors
/// leave out, with dt^2; mirrored ones by round-off.
TEST_P(Outflow, that_is_stabilised_is_the_same_at_every_face) {
  const auto energy = [&](int axis, int outwards) {
    return after(case_of(LeavingVortex{
                     .cells = 21, .axis = axis, .outwards = outwards, .backflow = "stabilised"}
                             .yaml()),
                 55)
        ->diagnostics()
        .kinetic_energy;
  };
  const double along_x = energy(0, 1);
  EXPECT_GT(along_x, 0.5);
  for (const int axis : {0, 1, 2}) {
    const double forwards = energy(axis, 1);
    EXPECT_NEAR(energy(axis, -1), forwards, 500 * epsilon()) << axis_names[axis];
    EXPECT_NEAR(forwards, along_x, 2e-3) << axis_names[axis];
  }
}

/// A jet that entrains what is beside it through the outflow: free, the fluid that comes back in
/// grows to an exchange with the outside that makes energy until the flow diverges.
TEST_P(Outflow, that_is_stabilised_keeps_a_jet_with_entrainment_stable) {
  const auto jet = [](const char* backflow) {
    return case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [24, 18, 4], length: [6, 4, 0.5], origin: [0, -2, 0]}}
fluid: {{reynolds: 1000}}
boundaries:
  x_min: {{type: inflow, velocity: ["exp(-(y/0.3)^8)+0.02*sin(3*t)*exp(-(y/0.5)^4)", "0.05*sin(2*t)*exp(-(y/0.4)^4)", 0]}}
  x_max: {{type: outflow, backflow: {}}}
  y_min: {{type: symmetry}}
  y_max: {{type: symmetry}}
  z: periodic
initial: {{velocity: ["exp(-(y/0.3)^8)", 0, 0]}}
time: {{scheme: implicit, cfl: 0.8, step: 0.1, end: 200}}
)yaml",
                               backflow));
  };
  // The largest kinetic energy until t = 200, or until it is beyond 1: the jet has 0.06.
  const auto largest_energy = [](const Case& resolved) {
    auto simulation = started(resolved);
    double largest = 0;
    try {
      for (int step = 1; simulation->time() < 200 && largest < 1; ++step) {
        simulation->advance();
        if (step % 10 == 0)
          largest = larger_or_nan(largest, simulation->diagnostics().kinetic_energy);
      }
    } catch (const DivergenceError&) {
      largest = std::numeric_limits<double>::infinity();
    }
    return largest;
  };
  const double stabilised = largest_energy(jet("stabilised"));
  const double free = largest_energy(jet("free"));
  fmt::print("    largest kinetic energy: stabilised {:.3g}, free {:.3g}\n", stabilised, free);
  EXPECT_LT(stabilised, 0.5);  // that of the whole box at the velocity of the jet
  EXPECT_GT(free, 1);
}

INSTANTIATE_TEST_SUITE_P(Devices, Outflow, all_targets(), name_of_target);

/// q/(1 + rate |u_n|) where u_n < 0; a velocity in the plane has the mean u_n of its two sides.
template <class Real>
class SlowBackflowOf : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SlowBackflowOf, Reals);

TYPED_TEST(SlowBackflowOf, acts_where_fluid_comes_in) {
  using Real = TypeParam;
  constexpr int ny = 5;
  const std::array<Real, ny> speed{Real(0.5), Real(-0.5), Real(-1), Real(0.25), Real(-2)};
  std::vector<Real> normal(ny * 2);  // (ny, nx), nx = 2
  for (std::size_t j = 0; j < ny; ++j) {
    normal[2 * j] = speed.at(j);
    normal[2 * j + 1] = -speed.at(j);
  }
  const FieldView<const Real> field{normal.data(), 2, 2 * ny};
  for (const int plane : {0, 1}) {
    // Outwards is along -x at plane 0, along x at plane 1: u_n = -speed at both.
    const Real inward(plane == 0 ? 1 : -1);
    std::vector<Real> across(ny, Real(3));
    std::vector<Real> along(ny, Real(3));
    const SlowBackflow<Axis::x, 0, Real> of_normal{
        field, {across.data(), 0, 1, ny}, Real(2), inward, plane};
    const SlowBackflow<Axis::x, 1, Real> of_v{
        field, {along.data(), 0, 1, ny}, Real(2), inward, plane};
    for (int j = 0; j < ny; ++j) of_normal(Index3{plane, j, 0});
    for (int j = 1; j < ny; ++j) of_v(Index3{plane, j, 0});
    for (int j = 0; j < ny; ++j) {
      const auto inflow = [&](int at) { return speed.at(at); };
      EXPECT_EQ(across.at(j), Real(3) / (1 + 2 * std::max(inflow(j), Real(0))));
      if (j == 0) continue;
      EXPECT_EQ(along.at(j),
                Real(3) / (1 + 2 * std::max((inflow(j - 1) + inflow(j)) / 2, Real(0))));
    }
  }
}

}  // namespace
}  // namespace dns::testing::test_outflow
