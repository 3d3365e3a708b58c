/// Averages taken while a staggered flow runs, against sums made here from the fields.
#include <algorithm>
#include <cmath>
#include <map>

#include "solver/core/error.hpp"
#include "solver/statistics/budget_averages.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "solver/statistics/statistics_sums.hpp"
#include "tests/verification/flow_with_ghosts.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing {
namespace {

const std::string yaml = R"yaml(scheme: projection
grid:
  points: [11, 7, 5]
  length: [3, 2, 1.5]
  stretching: {x: {coordinates: [0, 0.2, 0.5, 0.7, 1, 1.3, 1.5, 1.8, 2.1, 2.4, 2.7, 3]}, y: {factor: 1.5}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.5, 0, -0.25], temperature: {gradient: 1}}
  z: periodic
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)"
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2}}
)yaml";

/// What one cell adds to each sum of products, as the header of solver/numerics/statistics.hpp
/// says.
std::map<std::string, double> cell_values(const FlowWithGhosts& flow, std::array<int, 3> c) {
  const std::array<std::string, 3> names{"u", "v", "w"};
  std::map<std::string, double> values;
  double phi = 0;
  const double t = flow.at("temperature", c);
  for (std::size_t a = 0; a < 3; ++a) {
    const double low = flow.velocity(a, c);
    const double high = flow.velocity(a, moved(c, a, 1));
    phi += 2 * std::pow((high - low) / flow.width(a, c.at(a)), 2);
    values[names.at(a) + "T"] = (low * (flow.at("temperature", moved(c, a, -1)) + t) +
                                 high * (flow.at("temperature", moved(c, a, 1)) + t)) /
                                4;
    for (std::size_t b = a + 1; b < 3; ++b) {
      for (const int up_a : {0, 1}) {
        for (const int up_b : {0, 1}) {
          const std::array<int, 3> edge = moved(moved(c, a, up_a), b, up_b);
          const double q_low = flow.velocity(a, moved(edge, b, -1));
          const double q_high = flow.velocity(a, edge);
          const double r_low = flow.velocity(b, moved(edge, a, -1));
          const double r_high = flow.velocity(b, edge);
          values[names.at(a) + names.at(b)] += (q_low + q_high) * (r_low + r_high) / 16;
          const double shear = (q_high - q_low) / flow.step_across(b, edge.at(b)) +
                               (r_high - r_low) / flow.step_across(a, edge.at(a));
          phi += shear * shear / 4;
        }
      }
    }
  }
  values["dissipation"] = phi;
  return values;
}

class StatisticsTest : public OnEveryTarget {
 protected:
  /// Adds the averages of the powers of a variable, where it is kept, times dt to `sums`: along
  /// axes that are kept faces, or cells and one more at each end; 0 where two of these meet.
  static void add_powers(const FlowWithGhosts& flow,
                         const Case& resolved,
                         double dt,
                         const std::string& variable,
                         std::map<std::string, std::vector<double>>& sums) {
    const std::size_t own = std::string("uvw").find(variable);
    const std::array<int, 3> n{
        resolved.grid.points.nx, resolved.grid.points.ny, resolved.grid.points.nz};
    std::array<int, 3> begin{};
    std::array<int, 3> end = n;
    std::array<int, 3> kept{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (resolved.output.statistics->average.at(axis)) continue;
      if (variable != "p") {
        begin.at(axis) = axis == own ? 0 : -1;
        ++end.at(axis);
      }
      kept.at(axis) = end.at(axis) - begin.at(axis);
    }
    for (std::size_t order = 1; order <= 4; ++order) {
      std::string name;
      for (std::size_t n_times = 0; n_times < order; ++n_times) name += variable;
      std::vector<double>& sum = sums[name];
      sum.resize(static_cast<std::size_t>(kept[0] * kept[1] * kept[2]));
      for (int k = begin[2]; k < end[2]; ++k) {
        for (int j = begin[1]; j < end[1]; ++j) {
          for (int i = begin[0]; i < end[0]; ++i) {
            const std::array<int, 3> c{i, j, k};
            double weight = dt;
            int outside = 0;
            std::size_t place = 0;
            for (const std::size_t axis : {2U, 1U, 0U}) {
              if (axis != own && (c.at(axis) < 0 || c.at(axis) >= n.at(axis))) ++outside;
              place = place * static_cast<std::size_t>(kept.at(axis));
              if (resolved.output.statistics->average.at(axis)) {
                weight *= (axis == own ? flow.step_across(axis, c.at(axis))
                                       : flow.width(axis, c.at(axis))) /
                          resolved.grid.length.at(axis);
              } else {
                place += static_cast<std::size_t>(c.at(axis) - begin.at(axis));
              }
            }
            if (outside > 1) continue;
            const double value = own < 3           ? flow.velocity(own, c)
                                 : variable == "p" ? flow.at("pressure", c)
                                                   : flow.at("temperature", c);
            sum[place] += weight * std::pow(value, static_cast<double>(order));
          }
        }
      }
    }
  }

  /// Adds the average over the axes of the case, times dt, to what `sums` has at each point.
  static void add_sample(const FlowWithGhosts& flow,
                         const Case& resolved,
                         double dt,
                         std::map<std::string, std::vector<double>>& sums) {
    const std::array<int, 3> n{
        resolved.grid.points.nx, resolved.grid.points.ny, resolved.grid.points.nz};
    const std::array<bool, 3>& average = resolved.output.statistics->average;
    for (const char* const variable : {"u", "v", "w", "p", "T"})
      add_powers(flow, resolved, dt, variable, sums);
    const std::array<int, 3> kept{
        average[0] ? 1 : n[0], average[1] ? 1 : n[1], average[2] ? 1 : n[2]};
    for (int k = 0; k < n[2]; ++k) {
      for (int j = 0; j < n[1]; ++j) {
        for (int i = 0; i < n[0]; ++i) {
          const std::array<int, 3> c{i, j, k};
          double weight = dt;
          for (std::size_t axis = 0; axis < 3; ++axis) {
            if (average.at(axis))
              weight *= flow.width(axis, c.at(axis)) / resolved.grid.length.at(axis);
          }
          const auto point = static_cast<std::size_t>(
              ((average[2] ? 0 : k) * kept[1] + (average[1] ? 0 : j)) * kept[0] +
              (average[0] ? 0 : i));
          for (const auto& [name, value] : cell_values(flow, c)) {
            sums[name].resize(static_cast<std::size_t>(kept[0] * kept[1] * kept[2]));
            sums[name][point] += weight * value;
          }
        }
      }
    }
  }
};

TEST_P(StatisticsTest, sums_are_those_of_the_fields_of_each_sample) {
  for (const std::array<bool, 3>& average :
       {std::array{true, false, true}, std::array{false, false, true}, std::array<bool, 3>{}}) {
    Case resolved = case_of(yaml);
    resolved.output.statistics->average = average;
    const auto simulation = started(resolved);
    std::map<std::string, std::vector<double>> expected;
    for (int step = 1; step <= 6; ++step) {
      simulation->advance();
      if (step % 2 != 0) continue;
      const double dt = step == 4 ? 0.04 : 0.02;  // trapezoidal rule
      add_sample(FlowWithGhosts(*simulation, resolved), resolved, dt, expected);
    }
    const StatisticsSums statistics = simulation->statistics();
    EXPECT_EQ(statistics.samples, 3);  // after steps 2, 4, 6: t = 0.04, 0.08, 0.12
    EXPECT_NEAR(statistics.first_time, 0.04, 1e-12);
    EXPECT_NEAR(statistics.last_time, 0.12, 1e-12);
    EXPECT_NEAR(statistics.duration, 0.08, 1e-12);
    ASSERT_EQ(statistics.sums.size(), 27U);
    // Values of size 1 to 10 are read in the precision of the run and summed in double; slopes of
    // float fields over steps of 0.05 lose their last digits.
    const double tolerance = is_double() ? 1e-12 : 1e-5;
    for (const HostField& sum : statistics.sums) {
      const std::vector<double>& wanted = expected.at(sum.name());
      ASSERT_EQ(sum.extents().count(), wanted.size()) << sum.name();
      for (std::size_t point = 0; point < wanted.size(); ++point) {
        EXPECT_NEAR(sum.values<double>()[point],
                    wanted[point],
                    tolerance * std::max(1.0, std::abs(wanted[point])))
            << sum.name() << " at " << point;
      }
    }
  }
}

/// Names without a kernel would stay zero in silence.
TEST_P(StatisticsTest, every_sum_is_taken) {
  Case resolved = case_of(yaml);
  resolved.output.statistics->budgets = true;
  resolved.output.statistics->spectra = {false, false, true};
  const auto simulation = started(resolved);
  for (int step = 0; step < 4; ++step) simulation->advance();
  std::size_t values = 0;
  for (const HostField& sum : simulation->statistics().sums) {
    values += sum.extents().count();
    EXPECT_TRUE(std::ranges::any_of(sum.values<double>(), [](double value) {
      return std::isfinite(value) && value != 0;
    })) << sum.name();
  }
  EXPECT_EQ(values, values_in_sums(resolved));
}

TEST_P(StatisticsTest, sums_of_other_axes_are_refused) {
  Case resolved = case_of(yaml);
  const auto simulation = started(resolved);
  simulation->advance();
  simulation->advance();
  FlowState state = state_of(*simulation);
  state.statistics = simulation->statistics();
  resolved.output.statistics->average = {true, false, false};
  EXPECT_THROW(make_simulation(resolved)->set_state(state), CaseError);
}

TEST_P(StatisticsTest, a_flow_without_temperature_has_no_sums_of_it) {
  Case resolved = case_of(yaml);
  resolved.fluid.prandtl = 0;
  const StatisticsSums statistics = make_simulation(resolved)->statistics();
  ASSERT_EQ(statistics.sums.size(), 20U);
  EXPECT_EQ(statistics.sums.back().name(), "dissipation");
  EXPECT_EQ(statistics.samples, 0);
}

/// A single sample of a flow that does not vary along the axes averaged over has no fluctuations,
/// whatever the flow: between walls, in and out, with temperature, a body and stretched cells.
TEST_P(StatisticsTest, a_flow_without_fluctuations_has_no_moments_of_them) {
  const std::string heated = R"yaml(scheme: projection
grid: {points: [9, 8, 5], length: [4, 2, 1], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 20, prandtl: 0.7}
buoyancy: {rayleigh: 100, direction: y}
boundaries:
  x_min: {type: inflow, velocity: ["y*(2-y)*(1+sin(t))", "0.1*sin(pi*y)", 0], temperature: "1+y"}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 2}
  y_max: {type: wall, velocity: [0.3, 0, 0], temperature: {gradient: 1}}
  z: periodic
initial: {velocity: ["y*(2-y)", 0, 0], temperature: 1}
time: {step: 0.02, steps: 10}
output: {statistics: {every: 10, average: [z], budgets: true}}
)yaml";
  const std::string cavity = R"yaml(scheme: projection
grid: {points: [7, 6, 5], length: [1, 1, 1], stretching: {x: {factor: 1.2}, z: {factor: 0.7}}}
fluid: {reynolds: 100}
boundaries:
  x_min: {type: wall}
  x_max: {type: wall}
  y_min: {type: wall}
  y_max: {type: wall, velocity: [1, 0, 0.5]}
  z_min: {type: wall}
  z_max: {type: wall}
time: {step: 0.05, steps: 10}
output: {statistics: {every: 10, budgets: true}}
)yaml";
  const std::string around_a_bar = R"yaml(scheme: projection
grid: {points: [15, 9, 4], length: [6, 3, 1]}
fluid: {reynolds: 20, prandtl: 1}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: 0}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 0}
  y_max: {type: wall, temperature: 1}
  z: periodic
solids: {bar: {shape: box, min: [1.4, 1.1, 0], max: [2.6, 1.9, 1], temperature: 3}}
initial: {velocity: [1, 0, 0], temperature: 0}
time: {step: 0.05, steps: 10}
output: {statistics: {every: 10, average: [z]}}
)yaml";
  for (const std::string& one : {heated, cavity, around_a_bar}) {
    const Case resolved = case_of(one);
    const StatisticsSums statistics = after(resolved, 10)->statistics();
    ASSERT_EQ(statistics.samples, 1);
    double largest_mean = 0;
    // Of squares of values up to 5; the weights of an average are as exact as widths of cells.
    const double round_off = is_double() ? 1e-12 : 1e-5;
    for (const Average& average : averages_of(statistics, resolved.viscosity())) {
      const bool is_moment = average.name.size() == 2;
      for (const double value : average.values) {
        if (std::isnan(value)) continue;  // in the body; a ratio of nothing
        EXPECT_NE(average.name, "skewness_u");
        if (is_moment) {
          EXPECT_NEAR(value, 0, round_off) << average.name;
        }
        if (average.name == "u") largest_mean = std::max(largest_mean, value);
      }
    }
    EXPECT_GT(largest_mean, 0.05);
    for (const Average& term : budgets_of(statistics, resolved)) {
      for (const double value : term.values) EXPECT_NEAR(value, 0, 10 * round_off) << term.name;
    }
  }
}

/// Widths that are rounded to the precision of the run would not add up to the lengths of the box.
TEST_P(StatisticsTest, a_uniform_flow_has_its_own_means_and_no_variance) {
  const std::string uniform = R"yaml(scheme: projection
grid:
  points: [11, 7, 5]
  length: [3, 2.1, 1.3]
  stretching: {x: {coordinates: [0, 0.2, 0.5, 0.7, 1, 1.3, 1.5, 1.8, 2.1, 2.4, 2.7, 3]}, y: {factor: 1.5}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: [0.1, 0, 20], temperature: {gradient: 0}}
  y_max: {type: wall, velocity: [0.1, 0, 20], temperature: {gradient: 0}}
  z: periodic
forcing: {type: bulk_velocity, value: [0.1, 0, 20]}
initial: {velocity: [0.1, 0, 20], temperature: 300}
time: {step: 0.01, steps: 3}
output: {statistics: {every: 1, budgets: true}}
)yaml";
  Case resolved = case_of(uniform);
  const double u = is_double() ? 0.1 : static_cast<double>(0.1F);
  const std::map<std::string, double> means{{"u", u}, {"w", 20}, {"T", 300}};
  for (const int ranks : {1, 2}) {
    const RanksResult run = run_on_ranks(resolved, ranks, 3);
    for (const Average& average : averages_of(run.statistics.front(), resolved.viscosity())) {
      const bool is_moment = average.name.size() == 2;
      const bool is_mean = means.contains(average.name);
      for (const double value : average.values) {
        // Sums in double round squares of 300 to 1e-11.
        if (is_moment) {
          EXPECT_LE(std::abs(value), 1e-10) << average.name;
        }
        if (is_mean) {
          EXPECT_NEAR(value, means.at(average.name), 1e-12 * 300) << average.name;
        }
      }
    }
    const FlowDiagnostics& diagnostics = run.diagnostics.front();
    const std::vector<std::string> names = make_simulation(resolved)->diagnostic_names();
    const auto column = [&](const char* name) {
      return diagnostics.others.at(
          static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
    };
    EXPECT_NEAR(column("bulk_velocity_x"), u, 1e-15);
    EXPECT_NEAR(column("bulk_velocity_z"), 20, 1e-13);
    EXPECT_NEAR(column("temperature_mean"), 300, 1e-12 * 300);
    EXPECT_NEAR(column("driving_z"), 0, 1e-10);
    EXPECT_NEAR(diagnostics.kinetic_energy, (u * u + 400) / 2, 1e-12 * 200);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, StatisticsTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing
