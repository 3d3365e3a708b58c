/// Averages taken while a staggered flow runs, against sums made here from the fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "solver/core/error.hpp"
#include "solver/statistics/budget_averages.hpp"
#include "solver/statistics/energy_spectra.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "solver/statistics/statistics_sums.hpp"
#include "tests/verification/flow_with_ghosts.hpp"
#include "tests/verification/sampled_channel.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_statistics {
namespace {

const std::string yaml = sampled_channel();

/// What one cell adds to each sum of products, as the header of solver/numerics/statistics.hpp
/// says.
std::map<std::string, double> cell_values(const FlowWithGhosts& flow,
                                          const StatisticsSums& about,
                                          PerAxis<int> c) {
  const std::array<std::string, 3> names{"u", "v", "w"};
  std::map<std::string, double> values;
  double phi = 0;
  const auto temperature = [&](PerAxis<int> at) {
    return flow.at("temperature", at) - about.reference("T");
  };
  const auto component = [&](int a, PerAxis<int> at) {
    return flow.velocity(a, at) - about.reference(names.at(a));
  };
  const double t = temperature(c);
  for (int a = 0; a < 3; ++a) {
    const double low = component(a, c);
    const double high = component(a, moved(c, a, 1));
    phi += 2 * std::pow((high - low) / flow.width(a, c[a]), 2);
    values[names.at(a) + "T"] =
        (low * (temperature(moved(c, a, -1)) + t) + high * (temperature(moved(c, a, 1)) + t)) / 4;
    for (int b = a + 1; b < 3; ++b) {
      for (const int up_a : {0, 1}) {
        for (const int up_b : {0, 1}) {
          const PerAxis<int> edge = moved(moved(c, a, up_a), b, up_b);
          const double q_low = component(a, moved(edge, b, -1));
          const double q_high = component(a, edge);
          const double r_low = component(b, moved(edge, a, -1));
          const double r_high = component(b, edge);
          values[names.at(a) + names.at(b)] += (q_low + q_high) * (r_low + r_high) / 16;
          const double shear = (q_high - q_low) / flow.step_across(b, edge[b]) +
                               (r_high - r_low) / flow.step_across(a, edge[a]);
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
                         const StatisticsSums& about,
                         std::map<std::string, std::vector<double>>& sums) {
    const std::size_t found = std::string("uvw").find(variable);
    const int own = found == std::string::npos ? 3 : static_cast<int>(found);
    const PerAxis<int> n{resolved.grid.points.nx, resolved.grid.points.ny, resolved.grid.points.nz};
    PerAxis<int> begin{};
    PerAxis<int> end = n;
    PerAxis<int> kept{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      if (resolved.output.statistics->average[axis]) continue;
      if (variable != "p") {
        begin[axis] = axis == own ? 0 : -1;
        ++end[axis];
      }
      kept[axis] = end[axis] - begin[axis];
    }
    for (std::size_t order = 1; order <= 4; ++order) {
      std::string name;
      for (std::size_t n_times = 0; n_times < order; ++n_times) name += variable;
      std::vector<double>& sum = sums[name];
      sum.resize(static_cast<std::size_t>(kept[0] * kept[1] * kept[2]));
      for (int k = begin[2]; k < end[2]; ++k) {
        for (int j = begin[1]; j < end[1]; ++j) {
          for (int i = begin[0]; i < end[0]; ++i) {
            const PerAxis<int> c{i, j, k};
            double weight = dt;
            int outside = 0;
            std::size_t place = 0;
            for (const int axis : {2, 1, 0}) {
              if (axis != own && (c[axis] < 0 || c[axis] >= n[axis])) ++outside;
              place = place * static_cast<std::size_t>(kept[axis]);
              if (resolved.output.statistics->average[axis]) {
                weight *=
                    (axis == own ? flow.step_across(axis, c[axis]) : flow.width(axis, c[axis])) /
                    resolved.grid.length[axis];
              } else {
                place += static_cast<std::size_t>(c[axis] - begin[axis]);
              }
            }
            if (outside > 1) continue;
            const double value = own < 3           ? flow.velocity(own, c)
                                 : variable == "p" ? flow.at("pressure", c)
                                                   : flow.at("temperature", c);
            sum[place] +=
                weight * std::pow(value - about.reference(variable), static_cast<double>(order));
          }
        }
      }
    }
  }

  /// Adds the average over the axes of the case, times dt, to what `sums` has at each point.
  static void add_sample(const FlowWithGhosts& flow,
                         const Case& resolved,
                         double dt,
                         const StatisticsSums& about,
                         std::map<std::string, std::vector<double>>& sums) {
    const PerAxis<int> n{resolved.grid.points.nx, resolved.grid.points.ny, resolved.grid.points.nz};
    const PerAxis<bool>& average = resolved.output.statistics->average;
    for (const char* const variable : {"u", "v", "w", "p", "T"})
      add_powers(flow, resolved, dt, variable, about, sums);
    const PerAxis<int> kept{average[0] ? 1 : n[0], average[1] ? 1 : n[1], average[2] ? 1 : n[2]};
    for (int k = 0; k < n[2]; ++k) {
      for (int j = 0; j < n[1]; ++j) {
        for (int i = 0; i < n[0]; ++i) {
          const PerAxis<int> c{i, j, k};
          double weight = dt;
          for (int axis = 0; axis < 3; ++axis) {
            if (average[axis]) weight *= flow.width(axis, c[axis]) / resolved.grid.length[axis];
          }
          const auto point = static_cast<std::size_t>(
              ((average[2] ? 0 : k) * kept[1] + (average[1] ? 0 : j)) * kept[0] +
              (average[0] ? 0 : i));
          for (const auto& [name, value] : cell_values(flow, about, c)) {
            sums[name].resize(static_cast<std::size_t>(kept[0] * kept[1] * kept[2]));
            sums[name][point] += weight * value;
          }
        }
      }
    }
  }
};

TEST_P(StatisticsTest, sums_are_those_of_the_fields_of_each_sample) {
  for (const PerAxis<bool>& average :
       {PerAxis<bool>{true, false, true}, PerAxis<bool>{false, false, true}, PerAxis<bool>{}}) {
    Case resolved = case_of(yaml);
    resolved.output.statistics->average = average;
    const auto simulation = started(resolved);
    std::map<std::string, std::vector<double>> expected;
    for (int step = 1; step <= 6; ++step) {
      simulation->advance();
      if (step % 2 != 0) continue;
      const double dt = step == 4 ? 0.04 : 0.02;  // trapezoidal rule
      add_sample(
          FlowWithGhosts(*simulation, resolved), resolved, dt, simulation->statistics(), expected);
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
    for (const Average& average : averages_of(statistics, resolved)) {
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

/// Products are interpolated with the orders of the axes that are kept, and so are those of means.
TEST_P(StatisticsTest, flows_that_are_the_same_along_z_have_no_stresses_at_any_order) {
  const auto flow = [](const std::string& order, const std::string& boundaries) {
    return fmt::format(R"yaml(scheme: projection
grid: {{points: [12, 15, 8], length: [3.141592653589793, 3.141592653589793, 1]}}
accuracy: {{order: {}}}
fluid: {{reynolds: 30, prandtl: 0.7}}
boundaries: {{{}, z: periodic}}
initial: {{velocity: ["sin(2*x)*cos(2*y)", "-cos(2*x)*sin(2*y)", "0.5+0.3*cos(2*x)*cos(2*y)"], temperature: "cos(2*x)*cos(2*y)"}}
time: {{scheme: runge_kutta, step: 0.01, steps: 10}}
output: {{statistics: {{every: 1, average: [z]}}}}
)yaml",
                       order,
                       boundaries);
  };
  const std::string periodic = "x: periodic, y: periodic";
  const std::string symmetric =
      "x_min: {type: symmetry}, x_max: {type: symmetry}, y_min: {type: symmetry}, y_max: {type: "
      "symmetry}";
  const std::string walls =
      "x: periodic, y_min: {type: wall, temperature: 1}, y_max: {type: wall, temperature: 0}";
  for (const std::string& one : {flow("4", periodic),
                                 flow("[6, 2, 6]", periodic),
                                 flow("8", periodic),
                                 flow("6", symmetric),
                                 flow("[6, 2, 6]", walls),
                                 flow("[6, 4, 6]", walls)}) {
    const Case resolved = case_of(one);
    const StatisticsSums statistics = after(resolved, 1)->statistics();
    for (const Average& average : averages_of(statistics, resolved)) {
      const bool is_moment = average.name.size() == 2;
      for (const double value : average.values) {
        if (!is_moment) continue;
        EXPECT_NEAR(value, 0, is_double() ? 1e-14 : 1e-6) << average.name << "\n" << one;
      }
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
    for (const Average& average : averages_of(run.statistics.front(), resolved)) {
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

/// The mean over x and z, at plane j across y, of the product of what two functions of points
/// differ from their own means there.
template <class One, class Other>
double covariance_at(const Case& resolved, int j, const One& one, const Other& other) {
  const Extents n = resolved.grid.points;
  const auto mean_of = [&](const auto& value) {
    double sum = 0;
    for (int k = 0; k < n.nz; ++k) {
      for (int i = 0; i < n.nx; ++i) sum += value({i, j, k});
    }
    return sum / (n.nx * n.nz);
  };
  const double first = mean_of(one);
  const double second = mean_of(other);
  return mean_of([&](PerAxis<int> c) { return (one(c) - first) * (other(c) - second); });
}

/// Moments made of sums of whole values would lose 16 to 32 digits here.
TEST_P(StatisticsTest, offsets_of_1e4_cost_no_digits_of_moments) {
  Case resolved = case_of(R"yaml(scheme: projection
grid: {points: [8, 7, 5], length: [3, 2.1, 1.3], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: [1e4, 0, -1e4], temperature: 1e4, scalars: {salt: {gradient: 0}}}
  y_max: {type: wall, velocity: [1e4, 0, -1e4], temperature: 1e4, scalars: {salt: {gradient: 0}}}
  z: periodic
temperature: {reference: 0}
scalars: {salt: {prandtl: 1, reference: 0, initial: "1e4+0.5*cos(2*pi*x/3)*exp(y)"}}
initial:
  velocity: ["1e4+sin(2*pi*x/3)+y", "y*(2.1-y)*sin(2*pi*z/1.3)", "-1e4+cos(2*pi*x/3+1)*y"]
  temperature: "1e4+0.5*sin(2*pi*x/3+z)*y"
time: {step: 1e-6, steps: 1}
output: {statistics: {every: 1, spectra: [x]}}
)yaml");
  for (const int ranks : {1, 2}) {
    const RanksResult run = run_on_ranks(resolved, ranks, 1);
    const StatisticsSums& statistics = run.statistics.front();
    for (const char* const symbol : {"u", "T", "salt"})
      EXPECT_NEAR(statistics.reference(symbol), 1e4, 10) << symbol;
    const FlowWithGhosts flow(run.restart, resolved);
    const std::vector<Average> averages = averages_of(statistics, resolved);
    const std::vector<Spectrum> spectra = spectra_of(statistics, averages, resolved);
    const auto value_of = [&](const auto& all, const std::string& name, int j) {
      const auto found =
          std::ranges::find_if(all, [&](const auto& one) { return one.name == name; });
      return found->values.at(j);
    };
    using Point = PerAxis<int>;
    const auto component = [&](int a) {
      return [&flow, a](Point c) { return flow.velocity(a, c); };
    };
    const auto scalar = [&](const char* name) {
      return [&flow, name](Point c) { return flow.at(name, c); };
    };
    const auto between = [](const auto& q, int axis) {
      return [=](Point c) { return 0.5 * (q(moved(c, axis, -1)) + q(c)); };
    };
    for (int j = 0; j < resolved.grid.points.ny; ++j) {
      const auto expect = [&](const std::string& name, double expected, double size) {
        EXPECT_NEAR(value_of(averages, name, j), expected, 1e-9 * size) << name << " " << j;
      };
      const auto both_faces = [&](const auto& q, const auto& r) {
        return 0.5 * (covariance_at(resolved, j, q, r) + covariance_at(resolved, j + 1, q, r));
      };
      const auto u = component(0);
      const auto v = component(1);
      const auto w = component(2);
      expect("uu", covariance_at(resolved, j, u, u), 1);
      expect("vv", both_faces(v, v), 1);
      expect("ww", covariance_at(resolved, j, w, w), 1);
      expect("uw", covariance_at(resolved, j, between(u, 2), between(w, 0)), 1);
      expect("uv", both_faces(between(u, 1), between(v, 0)), 1);
      expect("vw", both_faces(between(v, 2), between(w, 1)), 1);
      for (const auto& [symbol, field] :
           {std::pair{"T", "temperature"}, std::pair{"salt", "salt"}}) {
        const auto q = scalar(field);
        const std::string name = symbol;
        const double variance = covariance_at(resolved, j, q, q);
        ASSERT_GT(variance, 1e-4);
        expect(name_of_product(name, name), variance, 1);
        expect(name_of_product("u", name), covariance_at(resolved, j, u, between(q, 0)), 1);
        expect(name_of_product("v", name), both_faces(v, between(q, 1)), 1);
        expect(name_of_product("w", name), covariance_at(resolved, j, w, between(q, 2)), 1);
        const auto mean_less = [&](Point c) { return q(c) - value_of(averages, name, j); };
        const auto square = [&](Point c) { return mean_less(c) * mean_less(c); };
        expect("skewness_" + name,
               covariance_at(resolved, j, square, mean_less) / std::pow(variance, 1.5),
               1e3);
        expect("flatness_" + name,
               covariance_at(resolved, j, square, square) / std::pow(variance, 2) + 1,
               1e3);
        // Transforms round in the precision of the run, as values are stored.
        const double stored = epsilon() * 1e4;
        const auto next = [&](Point c) {
          c[0] = (c[0] + 1) % resolved.grid.points.nx;
          return q(c);
        };
        const auto correlation = std::ranges::find(
            spectra, "correlation_x_" + name_of_product(name, name), &Spectrum::name);
        const auto nx = static_cast<std::size_t>(correlation->extents.nx);
        EXPECT_NEAR(correlation->values.at(static_cast<std::size_t>(j) * nx + 1),
                    covariance_at(resolved, j, q, next),
                    8 * stored * std::sqrt(variance) + 1e-9);
      }
    }
  }
}

/// A uniform velocity along axes averaged over changes no term; along the one that is kept it
/// carries the stresses.
TEST_P(StatisticsTest, budgets_of_a_flow_with_a_large_uniform_velocity) {
  const auto budgets_with = [&](double u, double v) {
    const Case resolved = case_of(fmt::format(
        R"yaml(scheme: projection
grid: {{points: [9, 7, 5], length: [3, 2, 1]}}
fluid: {{reynolds: 30}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial:
  velocity: ["{}+sin(pi*y)*cos(2*pi*z)", "{}+cos(2*pi*x/3)*(1+sin(2*pi*z))", "cos(2*pi*x/3)*(1+0.5*sin(pi*y))"]
time: {{step: 1e-9, steps: 1}}
output: {{statistics: {{every: 1, average: [x, z], budgets: true}}}}
)yaml",
        u,
        v));
    const StatisticsSums statistics = after(resolved, 1)->statistics();
    EXPECT_EQ(statistics.reference("u"), u);
    EXPECT_EQ(statistics.reference("v"), v);
    std::map<std::string, std::vector<double>> terms;
    for (const Average& term : budgets_of(statistics, resolved)) {
      const bool has_pressure = term.name.find("pressure") != std::string::npos ||
                                term.name.find("residual") != std::string::npos;
      if (!has_pressure) terms[term.name] = term.values;
    }
    return terms;
  };
  const auto at_rest = budgets_with(0, 0);
  const auto along = budgets_with(1024, 0);
  const auto across = budgets_with(0, 1024);
  const auto twice = budgets_with(0, 2048);
  const double stored = 1024 * epsilon();
  double carried = 0;
  for (const auto& [name, values] : at_rest) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_NEAR(along.at(name)[j], values[j], 1e-8 + 64 * stored) << name << " " << j;
      const double change = across.at(name)[j] - values[j];
      if (name.ends_with("advection")) {
        carried = std::max(carried, std::abs(change));
        EXPECT_NEAR(twice.at(name)[j] - values[j], 2 * change, 2048 * (1e-4 + 64 * stored))
            << name << " " << j;
      } else {
        EXPECT_NEAR(change, 0, 1e-4 + 64 * stored) << name << " " << j;
      }
    }
  }
  EXPECT_GT(carried, 100);
}

TEST_P(StatisticsTest, a_restart_keeps_the_references_and_all_bits) {
  std::string hot = yaml;
  hot.replace(hot.find("1+0.1*cos"), 1, "300");
  Case resolved = case_of(hot);
  resolved.output.statistics->window = 0.07;
  const auto simulation = started(resolved);
  for (int step = 0; step < 4; ++step) simulation->advance();
  EXPECT_NEAR(simulation->statistics().reference("T"), 300, 40);
  const auto resumed_from = [&](bool has_references) {
    FlowState state = state_of(*simulation);
    state.statistics = simulation->statistics();
    state.window = simulation->window();
    EXPECT_EQ(state.window.references.size(), state.statistics.references.size());
    if (!has_references) state.statistics.references = state.window.references = {};
    auto resumed = make_simulation(resolved);
    resumed->set_state(state);
    return resumed;
  };
  const auto again = resumed_from(true);
  const auto of_older_version = resumed_from(false);
  for (int step = 0; step < 2; ++step) {
    for (Simulation* const one : {simulation.get(), again.get(), of_older_version.get()})
      one->advance();
  }
  const auto state_with_sums = [](const Simulation& one) {
    FlowState state = state_of(one);
    state.statistics = one.statistics();
    state.window = one.window();
    return state;
  };
  EXPECT_TRUE(same_bits(state_with_sums(*again), state_with_sums(*simulation)));
  EXPECT_TRUE(of_older_version->statistics().references.empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, StatisticsTest, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_statistics
