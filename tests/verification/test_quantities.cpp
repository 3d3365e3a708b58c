/// Means of formulas of the flow, against values made here from the fields.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "solver/statistics/flow_averages.hpp"
#include "tests/verification/flow_with_ghosts.hpp"
#include "tests/verification/sampled_channel.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_quantities {
namespace {

/// The channel with a scalar; T is stored less 0.5.
const std::string yaml = sampled_channel({
    .low_wall = ", scalars: {salt: 1}",
    .high_wall = ", scalars: {salt: {gradient: 0}}",
    .statistics = ", quantities: {uT2: \"u*T^2\", several: \"abs(v)*w - p*t + x*y^2/(1+z)\", "
                  "where_hot: \"T > 1 ? salt : -1\"}",
    .keys = "temperature: {reference: 0.5}\n"
            "scalars: {salt: {prandtl: 2, initial: \"x*(3-x)+z*(1.5-z)\"}}\n",
});

/// The variables of formulas at a cell.
struct Values {
  double u, v, w, p, temperature, salt, x, y, z, t;
};
using Formula = std::function<double(const Values&)>;
const std::vector<std::pair<std::string, Formula>> formulas{
    {"uT2", [](const Values& q) { return q.u * q.temperature * q.temperature; }},
    {"several",
     [](const Values& q) { return std::abs(q.v) * q.w - q.p * q.t + q.x * q.y * q.y / (1 + q.z); }},
    {"where_hot", [](const Values& q) { return q.temperature > 1 ? q.salt : -1; }}};

Values values_at(const FlowWithGhosts& flow, PerAxis<int> c, double t) {
  const auto component = [&](int axis) {
    return 0.5 * (flow.velocity(axis, c) + flow.velocity(axis, moved(c, axis, 1)));
  };
  const auto centre = [&](int axis) { return flow.axis(axis).centre(c[axis]); };
  return {component(0),
          component(1),
          component(2),
          flow.at("pressure", c),
          0.5 + flow.at("temperature", c),
          flow.at("salt", c),
          centre(0),
          centre(1),
          centre(2),
          t};
}

/// The average of a formula over some axes, at each point of the others.
std::vector<double> average_of(const Formula& formula,
                               const FlowWithGhosts& flow,
                               const Case& resolved,
                               double t) {
  const auto [nx, ny, nz] = resolved.grid.points;
  const PerAxis<bool>& average = resolved.output.statistics->average;
  const PerAxis<int> kept{average[0] ? 1 : nx, average[1] ? 1 : ny, average[2] ? 1 : nz};
  std::vector<double> values(static_cast<std::size_t>(kept[0] * kept[1] * kept[2]));
  for_each_point({{}, {nx, ny, nz}}, [&](Index3 at) {
    const PerAxis<int> c{at.i, at.j, at.k};
    double weight = 1;
    std::size_t place = 0;
    for (const int axis : {2, 1, 0}) {
      place *= static_cast<std::size_t>(kept[axis]);
      if (average[axis]) {
        weight *= flow.width(axis, c[axis]) / resolved.grid.length[axis];
      } else {
        place += static_cast<std::size_t>(c[axis]);
      }
    }
    values[place] += weight * formula(values_at(flow, c, t));
  });
  return values;
}

std::vector<double> average_named(const std::string& name,
                                  const StatisticsSums& statistics,
                                  const Case& resolved) {
  for (const Average& average : averages_of(statistics, resolved))
    if (average.name == name) return average.values;
  ADD_FAILURE() << "no average " << name;
  return {};
}

class QuantitiesTest : public OnEveryTarget {
 protected:
  static void expect_near(const std::vector<double>& values,
                          const std::vector<double>& expected,
                          const std::string& name) {
    // Values of size 1 to 10, averaged in double with widths in the precision of the run.
    const double tolerance = is_double() ? 1e-12 : 1e-5;
    ASSERT_EQ(values.size(), expected.size()) << name;
    for (std::size_t point = 0; point < values.size(); ++point)
      EXPECT_NEAR(values[point], expected[point], tolerance) << name << " at " << point;
  }
};

TEST_P(QuantitiesTest, are_the_means_of_formulas_at_the_centres_of_cells) {
  for (const PerAxis<bool>& average :
       {PerAxis<bool>{true, false, true}, PerAxis<bool>{false, false, true}, PerAxis<bool>{}}) {
    Case resolved = case_of(yaml);
    resolved.output.statistics->average = average;
    const auto simulation = started(resolved);
    std::vector<std::vector<double>> expected(formulas.size());
    for (int step = 1; step <= 6; ++step) {
      simulation->advance();
      if (step % 2 != 0) continue;
      const double share = step == 4 ? 0.5 : 0.25;  // trapezoidal rule
      const FlowWithGhosts flow(*simulation, resolved);
      for (std::size_t n = 0; n < formulas.size(); ++n) {
        const std::vector<double> now =
            average_of(formulas[n].second, flow, resolved, simulation->time());
        expected[n].resize(now.size());
        for (std::size_t point = 0; point < now.size(); ++point)
          expected[n][point] += share * now[point];
      }
    }
    for (std::size_t n = 0; n < formulas.size(); ++n) {
      const std::string& name = formulas[n].first;
      expect_near(average_named(name, simulation->statistics(), resolved), expected[n], name);
    }
  }
}

TEST_P(QuantitiesTest, are_the_same_on_several_ranks) {
  const Case resolved = case_of(yaml);
  const RanksResult one = run_on_ranks(resolved, 1, 4);
  const RanksResult three = run_on_ranks(resolved, 3, 4);
  for (const auto& [name, formula] : formulas) {
    for (const StatisticsSums& of_rank : three.statistics) {
      expect_near(average_named(name, of_rank, resolved),
                  average_named(name, one.statistics.front(), resolved),
                  name);
    }
  }
}

/// Cells in bodies are left out, as of other averages: the mean of a constant is the constant.
TEST_P(QuantitiesTest, are_means_over_the_fluid) {
  const Case resolved = case_of(R"yaml(scheme: projection
grid: {points: [15, 9, 4], length: [6, 3, 1]}
fluid: {reynolds: 20}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0]}
  x_max: {type: outflow}
  y: periodic
  z: periodic
solids: {bar: {shape: box, min: [1.4, 1.1, 0], max: [2.6, 1.9, 1]}}
initial: {velocity: [1, 0, 0]}
time: {step: 0.05, steps: 2}
output: {statistics: {every: 1, quantities: {seven: "7 + 0*u", beyond: "x"}}}
)yaml");
  const StatisticsSums statistics = after(resolved, 2)->statistics();
  const std::vector<double> beyond = average_named("beyond", statistics, resolved);
  const std::vector<double> seven = average_named("seven", statistics, resolved);
  for (std::size_t i = 0; i < seven.size(); ++i) {
    EXPECT_NEAR(seven[i], 7, 1e-6);
    EXPECT_NEAR(beyond[i], 0.4 * (static_cast<double>(i) + 0.5), 1e-5);
  }
}

TEST_P(QuantitiesTest, continue_with_the_same_bits) {
  const Case resolved = case_of(yaml);
  const auto whole = after(resolved, 6);
  const auto before = after(resolved, 3);
  FlowState state = state_of(*before);
  state.statistics = before->statistics();
  const auto rest = make_simulation(resolved);
  rest->set_state(state);
  for (int step = 0; step < 3; ++step) rest->advance();
  FlowState one;
  FlowState other;
  one.statistics = whole->statistics();
  other.statistics = rest->statistics();
  EXPECT_TRUE(same_bits(one, other));
}

/// Largest error of the mean of u v T + w^2 at the centres of n cells along x and y, stretched
/// along y, in a flow that is known.
double error_with(const Case& resolved) {
  const StatisticsSums statistics = after(resolved, 1)->statistics();
  const std::vector<double> values = average_named("known", statistics, resolved);
  const auto [nx, ny, nz] = resolved.grid.points;
  const StaggeredGrid grid = staggered_grid(resolved);
  double error = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      constexpr double k = 2 * std::numbers::pi;
      const double x = k * (i + 0.5) / nx;
      const double y = k * grid[1].centre(j);
      const double exact =
          -std::sin(x) * std::cos(y) * std::cos(x) * std::sin(y) * (1 + std::cos(x + y)) +
          std::pow(std::cos(x + y), 2);
      error = std::max(error, std::abs(values[static_cast<std::size_t>(j * nx + i)] - exact));
    }
  }
  return error;
}

TEST_P(QuantitiesTest, are_of_second_order_in_the_width_of_cells) {
  const auto error_of = [&](int n) {
    std::vector<double> coordinates;
    for (int j = 0; j <= n; ++j) {
      const double s = static_cast<double>(j) / n;
      coordinates.push_back(s + 0.05 * std::sin(2 * std::numbers::pi * s));
    }
    coordinates.back() = 1;
    return error_with(case_of(fmt::format(R"yaml(scheme: projection
grid: {{points: [{0}, {0}, 4], length: [1, 1, 1], stretching: {{y: {{coordinates: [{1}]}}}}}}
fluid: {{reynolds: 1000, prandtl: 1}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial:
  velocity: ["sin(2*pi*x)*cos(2*pi*y)", "-cos(2*pi*x)*sin(2*pi*y)", "cos(2*pi*(x+y))"]
  temperature: "1+cos(2*pi*(x+y))"
time: {{step: 1e-5, steps: 1}}
output: {{statistics: {{every: 1, average: [z], quantities: {{known: "u*v*T + w^2"}}}}}}
)yaml",
                                          n,
                                          fmt::join(coordinates, ", "))));
  };
  const double coarse = error_of(24);
  const double fine = error_of(48);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << coarse << " " << fine;
  EXPECT_LT(fine, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Devices, QuantitiesTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_quantities
