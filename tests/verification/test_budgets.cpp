/// Budgets of kinetic energy and Reynolds stresses, against what the scheme does to a flow,
/// computed here from its fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "solver/core/reduction.hpp"
#include "solver/statistics/budget_averages.hpp"
#include "tests/verification/flow_with_ghosts.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_budgets {
namespace {

const std::string start = R"yaml(scheme: projection
grid:
  points: [11, 7, 10]
  length: [3, 2, 1.5]
  stretching: {x: {coordinates: [0, 0.2, 0.5, 0.7, 1, 1.3, 1.5, 1.8, 2.1, 2.4, 2.7, 3]}, y: {factor: 1.5}}
fluid: {reynolds: 30, prandtl: 0.7}
buoyancy: {direction: y, rayleigh: 5000}
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y+0.1*z"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)*cos(2*pi*z/1.5)"
  noise: {amplitude: 0.1, seed: 3}
time: {step: 0.02, steps: 6}
forcing: {type: pressure_gradient, value: [0.3, 0, 0]}
output: {statistics: {every: 3, budgets: true}}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.5, 0, -0.25], temperature: 0}
)yaml";
const std::string channel = start + "  z: periodic\n";
const std::string slipping = [] {
  std::string yaml = channel;
  yaml.replace(yaml.find("y_min: {type: wall"), 18, "y_min: {type: wall, slip_length: 0.3");
  yaml.replace(yaml.find("velocity: [0.5, 0, -0.25]"), 25, "shear: [0.5, 0, \"-0.2*sin(z)\"]");
  return yaml;
}();
const std::string duct = [] {
  std::string oblique = start;
  const std::string along_y = "direction: y";
  oblique.replace(oblique.find(along_y), along_y.size(), "direction: [-0.5, 1, 0.7]");
  // Along a stretched axis that is averaged the term of buoyancy is of second order.
  const std::string stretched_x =
      "x: {coordinates: [0, 0.2, 0.5, 0.7, 1, 1.3, 1.5, 1.8, 2.1, 2.4, 2.7, 3]}, ";
  oblique.erase(oblique.find(stretched_x), stretched_x.size());
  return oblique + "  z_min: {type: wall, temperature: 1}\n  z_max: {type: symmetry}\n";
}();

using Cell = PerAxis<int>;

Extents cells_of(const Case& resolved) {
  Extents cells = resolved.grid.points;
  for (int axis = 0; axis < 3; ++axis) {
    if (resolved.output.statistics->average[axis]) cells[axis] = 1;
  }
  return cells;
}

/// The right-hand side of the equation of component a, semi-discrete: of the header of
/// solver/numerics/advection_diffusion.hpp, with pressure and buoyancy.
double right_hand_side(const FlowWithGhosts& flow, const Case& resolved, int a, Cell c) {
  const double nu = resolved.viscosity();
  const StaggeredAxis& own = flow.axis(a);
  const double u = flow.velocity(a, c);
  double sum = 0;
  for (int b = 0; b < 3; ++b) {
    const StaggeredAxis& along = flow.axis(b);
    const int j = c[b];
    const auto flux = [&](int end) {
      if (b == a)
        return (flow.velocity(a, moved(c, a, end - 1)) + flow.velocity(a, moved(c, a, end))) / 2;
      const double below = own.mirrored_width(c[a] - 1);
      const double above = own.mirrored_width(c[a]);
      const Cell at = moved(c, b, end);
      return (below * flow.velocity(b, moved(at, a, -1)) + above * flow.velocity(b, at)) /
             (below + above);
    };
    const double width = b == a ? along.mirrored_distance(j) : along.width(j);
    const double low = b == a ? along.mirrored_width(j - 1) : along.mirrored_distance(j);
    const double high = b == a ? along.mirrored_width(j) : along.mirrored_distance(j + 1);
    const double before = flow.velocity(a, moved(c, b, -1));
    const double behind = flow.velocity(a, moved(c, b, 1));
    sum -= (flux(1) * behind - flux(0) * before) / (2 * width);
    sum += nu * ((behind - u) / high - (u - before) / low) / width;
  }
  sum -=
      (flow.at("pressure", c) - flow.at("pressure", moved(c, a, -1))) / own.mirrored_distance(c[a]);
  if (resolved.buoyancy) {
    sum += resolved.buoyancy_along()[a] *
           (flow.at("temperature", c) + flow.at("temperature", moved(c, a, -1))) / 2;
  }
  return sum;
}

/// Averages of f over the axes of the case, over control volumes of component a (3: cells), for the
/// unknowns of all cells, and one more along the component's own axis where that is kept.
std::vector<double> averaged(const FlowWithGhosts& flow,
                             const Case& resolved,
                             int a,
                             Extents kept,
                             const std::function<double(Cell)>& f) {
  const Extents n = resolved.grid.points;
  const auto& average = resolved.output.statistics->average;
  std::vector<double> averages(kept.count());
  for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 at) {
    double weight = 1;
    Index3 point = at;
    for (int axis = 0; axis < 3; ++axis) {
      if (!average[axis]) continue;
      point[axis] = 0;
      weight *=
          (axis == a ? flow.axis(axis).mirrored_distance(at[axis]) : flow.width(axis, at[axis])) /
          flow.axis(axis).length();
    }
    averages[(point.k * kept.ny + point.j) * kept.nx + point.i] += weight * f({at.i, at.j, at.k});
  });
  return averages;
}

/// 2 <u'R'> of component a at cells: the mean of both faces, those on boundaries having none.
std::vector<double> growth(const FlowWithGhosts& flow, const Case& resolved, int a) {
  const Extents cells = cells_of(resolved);
  const auto is_wall = [&](Cell c) { return flow.axis(a).is_wall(c[a]); };
  const auto rate = [&](Cell c) { return is_wall(c) ? 0 : right_hand_side(flow, resolved, a, c); };
  const auto u = averaged(flow, resolved, a, cells, [&](Cell c) { return flow.velocity(a, c); });
  const auto r = averaged(flow, resolved, a, cells, rate);
  const auto ur =
      averaged(flow, resolved, a, cells, [&](Cell c) { return flow.velocity(a, c) * rate(c); });
  std::vector<double> at_faces;
  for (std::size_t n = 0; n < u.size(); ++n) at_faces.push_back(2 * (ur[n] - u[n] * r[n]));
  if (resolved.output.statistics->average[a]) return at_faces;
  std::vector<double> at_cells;
  const int last = cells[static_cast<int>(a)] - 1;
  for_each_point({{}, {cells.nx, cells.ny, cells.nz}}, [&](Index3 c) {
    const auto at = [&](Index3 face) {
      return at_faces[(face.k * cells.ny + face.j) * cells.nx + face.i];
    };
    Index3 behind = c;
    int& index = behind[static_cast<int>(a)];
    index = index < last ? index + 1 : 0;  // beyond the last: periodic, or a wall like the first
    at_cells.push_back((at(c) + at(behind)) / 2);
  });
  return at_cells;
}

const std::vector<double>& term(const std::vector<Average>& budgets, std::string_view name) {
  const auto found = std::ranges::find(budgets, fmt::format("budget_{}", name), &Average::name);
  EXPECT_NE(found, budgets.end()) << name;
  return found->values;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = larger_or_nan(most, std::abs(value));
  return most;
}

/// The integral over the axes that are kept.
double integral(const Case& resolved, const std::vector<double>& values) {
  const StaggeredGrid grid = staggered_grid(resolved);
  const Extents cells = cells_of(resolved);
  double sum = 0;
  std::size_t point = 0;
  for_each_point({{}, {cells.nx, cells.ny, cells.nz}}, [&](Index3 c) {
    double share = values[point++];
    for (int axis = 0; axis < 3; ++axis) {
      if (!resolved.output.statistics->average[axis])
        share *= grid[axis].width(c[axis]) / grid[axis].length();
    }
    sum += share;
  });
  return sum;
}

const PerAxis<std::string> normal_stresses{"uu", "vv", "ww"};

class Budgets : public OnEveryTarget {
 protected:
  [[nodiscard]] static double tolerance() { return is_double() ? 1e-11 : 2e-5; }

  [[nodiscard]] static std::vector<std::pair<std::string, Case>> cases() {
    std::vector<std::pair<std::string, Case>> all;
    const auto add =
        [&](const std::string& name, const std::string& yaml, const PerAxis<bool>& average) {
          Case resolved = case_of(yaml);
          resolved.output.statistics->average = average;
          all.emplace_back(name, resolved);
        };
    add("channel, x z", channel, {true, false, true});
    add("channel, x", channel, {true, false, false});
    add("channel, z", channel, {false, false, true});
    add("duct, x", duct, {true, false, false});
    add("slip and shear, x z", slipping, {true, false, true});
    add("slip and shear, x", slipping, {true, false, false});
    return all;
  }
};

TEST_P(Budgets, of_normal_stresses_close_to_what_the_scheme_does) {
  for (const auto& [name, resolved] : cases()) {
    const auto simulation = after(resolved, 3);
    const FlowWithGhosts flow(*simulation, resolved);
    const std::vector<Average> budgets = budgets_of(simulation->statistics(), resolved);
    std::vector<double> half_sum(cells_of(resolved).count());
    for (int a = 0; a < 3; ++a) {
      const std::vector<double> expected = growth(flow, resolved, a);
      const std::vector<double>& residual = term(budgets, normal_stresses[a] + "_residual");
      const double scale = largest(term(budgets, normal_stresses[a] + "_dissipation")) +
                           largest(term(budgets, normal_stresses[a] + "_pressure_strain"));
      EXPECT_GT(scale, 0.01) << name;
      ASSERT_EQ(residual.size(), expected.size());
      for (std::size_t n = 0; n < expected.size(); ++n) {
        EXPECT_NEAR(residual[n], expected[n], tolerance() * std::max(scale, 1.0))
            << name << " " << normal_stresses[a] << " at " << n;
        half_sum[n] += expected[n] / 2;
      }
    }
    const std::vector<double>& energy = term(budgets, "k_residual");
    for (std::size_t n = 0; n < energy.size(); ++n)
      EXPECT_NEAR(energy[n], half_sum[n], 10 * tolerance()) << name << " at " << n;
  }
}

/// Transports redistribute, and pressure strain exchanges among the components.
TEST_P(Budgets, conserve_what_they_only_redistribute) {
  for (const auto& [name, resolved] : cases()) {
    const auto simulation = after(resolved, 3);
    const std::vector<Average> budgets = budgets_of(simulation->statistics(), resolved);
    for (const std::string& stress : normal_stresses) {
      for (const char* const what :
           {"_advection", "_turbulent_transport", "_pressure_transport", "_viscous_diffusion"}) {
        const std::vector<double>& values = term(budgets, stress + what);
        const bool passes_walls = name.starts_with("slip") && what[1] == 'v';  // viscous diffusion
        if (passes_walls) continue;
        EXPECT_NEAR(integral(resolved, values), 0, tolerance() * (largest(values) + 1))
            << name << " " << stress << what;
      }
      for (const double value : term(budgets, stress + "_dissipation")) EXPECT_LE(value, 0);
    }
    EXPECT_GT(largest(term(budgets, "vv_turbulent_transport")), 1e-4) << name;
    const std::vector<double>& of_u = term(budgets, "uu_pressure_strain");
    EXPECT_GT(largest(of_u), 1e-3) << name;
    for (std::size_t n = 0; n < of_u.size(); ++n) {
      EXPECT_NEAR(
          of_u[n] + term(budgets, "vv_pressure_strain")[n] + term(budgets, "ww_pressure_strain")[n],
          0,
          tolerance())
          << name << " at " << n;
    }
    for (const Average& average : budgets) {
      EXPECT_FALSE(average.name.starts_with("budget_k_pressure_strain"));
      EXPECT_TRUE(std::isfinite(largest(average.values))) << average.name;
    }
  }
}

TEST_P(Budgets, are_the_same_on_any_number_of_ranks) {
  for (const auto& [name, resolved] : cases()) {
    const StatisticsSums one = run_on_ranks(resolved, 1, 6).statistics.front();
    EXPECT_EQ(one.samples, 2);
    for (const int ranks : {2, 3}) {
      for (const StatisticsSums& several : run_on_ranks(resolved, ranks, 6).statistics) {
        ASSERT_EQ(several.sums.size(), one.sums.size());
        for (std::size_t n = 0; n < one.sums.size(); ++n) {
          const auto expected = one.sums[n].values<double>();
          const auto found = several.sums[n].values<double>();
          ASSERT_EQ(several.sums[n].extents(), one.sums[n].extents());
          for (std::size_t point = 0; point < expected.size(); ++point) {
            ASSERT_NEAR(found[point],
                        expected[point],
                        20 * tolerance() * std::max(1.0, std::abs(expected[point])))
                << name << ", " << ranks << " ranks: " << one.sums[n].name() << " at " << point;
          }
        }
      }
    }
  }
}

/// A smooth flow without divergence that slips on the walls, or is at rest there. d/dt (u'v') or
/// d/dt (u'w') from the rates of both components at the centres of cells: second order, as the
/// terms.
double shear_error(int points,
                   double slip_length,
                   int other,
                   const std::function<Case(const std::string&)>& case_of) {
  // f and F' are 0 at a slip length l behind the walls, with q = y (2 - y):
  //   f = q + 2 l,   F = q^2 + c q,   c = 4 l/(1 + l)
  const double factor = 4 * slip_length / (1 + slip_length);
  const std::string profile = fmt::format("(y*(2-y)+{})", 2 * slip_length);
  const std::string potential = fmt::format("(y^2*(2-y)^2+{}*y*(2-y))", factor);
  const std::string slope = fmt::format("(4*y*(2-y)*(1-y)+{}*(1-y))", 2 * factor);
  const Case resolved = case_of(fmt::format(R"yaml(scheme: projection
grid: {{points: [{0}, {0}, {0}], length: [2, 2, 2], stretching: {{y: {{factor: 1.2}}}}}}
fluid: {{reynolds: 10}}
boundaries:
  x: periodic
  y_min: &wall {{type: wall, slip_length: {1}}}
  y_max: *wall
  z: periodic
initial:
  velocity:
    - "{2}*(1+0.7*cos(pi*z))+{4}*(sin(pi*x)+0.5*cos(pi*x)*cos(pi*z))"
    - "{3}*(cos(pi*z)-pi*(cos(pi*x)-0.5*sin(pi*x)*cos(pi*z)))"
    - "{2}*sin(pi*x)-{4}*sin(pi*z)/pi"
time: {{step: 0.001, steps: 1}}
output: {{statistics: {{every: 1, budgets: true}}}}
)yaml",
                                            points,
                                            slip_length,
                                            profile,
                                            potential,
                                            slope));
  const auto simulation = after(resolved, 1);
  const FlowWithGhosts flow(*simulation, resolved);
  const std::vector<Average> budgets = budgets_of(simulation->statistics(), resolved);
  const Extents cells = cells_of(resolved);
  const auto centred = [&](int a, Cell c) {
    return (flow.velocity(a, c) + flow.velocity(a, moved(c, a, 1))) / 2;
  };
  const auto rate = [&](int a, Cell c) {
    const auto at = [&](Cell face) {
      if (flow.axis(a).is_wall(face[a])) return 0.0;
      if (face[a] == flow.axis(a).cells()) face[a] = 0;
      return right_hand_side(flow, resolved, a, face);
    };
    return (at(c) + at(moved(c, a, 1))) / 2;
  };
  const auto mean = [&](const std::function<double(Cell)>& f) {
    return averaged(flow, resolved, 3, cells, f);
  };
  const auto u = mean([&](Cell c) { return centred(0, c); });
  const auto v = mean([&](Cell c) { return centred(other, c); });
  const auto u_rate = mean([&](Cell c) { return rate(0, c); });
  const auto v_rate = mean([&](Cell c) { return rate(other, c); });
  const auto both =
      mean([&](Cell c) { return centred(0, c) * rate(other, c) + centred(other, c) * rate(0, c); });
  const std::vector<double>& residual = term(budgets, other == 1 ? "uv_residual" : "uw_residual");
  std::vector<double> squares;
  for (std::size_t n = 0; n < u.size(); ++n) {
    const double expected = both[n] - u[n] * v_rate[n] - v[n] * u_rate[n];
    squares.push_back(std::pow(residual[n] - expected, 2));
  }
  return std::sqrt(integral(resolved, squares));
}

TEST_P(Budgets, of_shear_stresses_close_to_second_order) {
  if (!is_double()) GTEST_SKIP() << "one precision shows the order";
  for (const int other : {1U, 2U}) {
    for (const double slip_length : {0.0, 0.25}) {
      const double coarse = shear_error(16, slip_length, other, &Budgets::case_of);
      const double fine = shear_error(32, slip_length, other, &Budgets::case_of);
      const double order = std::log2(coarse / fine);
      fmt::print("    u{}, slip length {}: {:.2f} of {:.1e}\n",
                 other == 1 ? 'v' : 'w',
                 slip_length,
                 order,
                 fine);
      // Diffusion of u'w' in the cells beside walls is of first order: h^1.5 in this mean.
      EXPECT_GT(order, other == 1 ? 1.6 : 1.4) << coarse << " " << fine;
      EXPECT_LT(fine, slip_length > 0 ? 0.2 : 0.1);  // of terms up to 3; with slip u, w are larger
    }
  }
}

/// The kinetic energy of fluctuations changes by what its budget says, to the error of the time
/// step.
TEST_P(Budgets, residual_is_the_change_of_kinetic_energy) {
  if (!is_double())
    GTEST_SKIP() << "the error of the time step falls below the round-off of floats";
  const auto error = [&](double dt, int steps) {
    const Case resolved = case_of(fmt::format(R"yaml(scheme: projection
grid: {{points: [12, 10, 8], length: [6.283185307179586, 3, 2], stretching: {{y: {{type: tanh, factor: 0.8}}}}}}
fluid: {{reynolds: 20}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["0.5+sin(x)*cos(2*pi*y/3)", "-cos(x)*sin(pi*z)", "0.5*cos(x+2*pi*y/3)"]}}
time: {{step: {}, steps: 1000}}
output: {{statistics: {{every: 1, budgets: true}}}}
)yaml",
                                              dt));
    auto simulation = after(resolved, steps - 2);
    std::vector<double> energy;
    double rate = 0;
    for (int n = 0; n < 3; ++n) {
      const FlowState before = state_of(*simulation);
      auto next = make_simulation(resolved);  // takes a single sample
      next->set_state(before);
      next->advance();
      simulation->advance();
      const std::vector<Average> averages = averages_of(next->statistics(), resolved);
      double twice = 0;
      for (const Average& average : averages) {
        if (std::ranges::find(normal_stresses, average.name) != normal_stresses.end())
          twice += average.values[0];
      }
      energy.push_back(twice / 2);
      const std::vector<Average> budgets = budgets_of(next->statistics(), resolved);
      if (n == 1) rate = term(budgets, "k_residual")[0];
      EXPECT_LT(term(budgets, "k_dissipation")[0], 0);
      EXPECT_NEAR(term(budgets, "k_residual")[0], term(budgets, "k_dissipation")[0], 1e-12);
    }
    return std::abs((energy[2] - energy[0]) / (2 * dt) - rate);
  };
  const double coarse = error(0.02, 10);
  const double fine = error(0.01, 20);
  const double order = std::log2(coarse / fine);
  RecordProperty("order", fmt::format("{:.2f} of {:.1e}", order, fine));
  EXPECT_GT(order, 1.7) << coarse << " " << fine;
}

TEST_P(Budgets, of_a_steady_laminar_flow_vanish) {
  const Case resolved = case_of(R"yaml(scheme: projection
grid: {points: [5, 12, 7], length: [2, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 10}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
initial: {velocity: ["y*(2-y)", 0, 0]}
forcing: {type: pressure_gradient, value: [0.2, 0, 0]}
time: {step: 0.2, steps: 1000}
output: {statistics: {start: 120, every: 2, budgets: true}}
)yaml");
  const auto simulation = after(resolved, 650);
  EXPECT_EQ(simulation->statistics().samples, 26);
  for (const Average& average : budgets_of(simulation->statistics(), resolved))
    EXPECT_LT(largest(average.values), is_double() ? 1e-12 : 2e-4) << average.name;
}

/// The pressure that is averaged with the velocity is that of the same time.
TEST_P(Budgets, pressure_strain_has_second_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  std::vector<std::vector<double>> strains;
  for (const int steps : {20, 40, 80, 160}) {
    std::string yaml = channel;
    yaml.replace(yaml.find("noise: {amplitude: 0.1"), 22, "noise: {amplitude: 0");
    yaml.replace(yaml.find("step: 0.02, steps: 6"),
                 20,
                 fmt::format("step: {:.17g}, steps: {}", 0.2 / steps, steps));
    yaml.replace(yaml.find("every: 3"), 8, fmt::format("every: {}", steps));
    const Case resolved = case_of(yaml);
    const auto simulation = after(resolved, steps);
    strains.push_back(term(budgets_of(simulation->statistics(), resolved), "vv_pressure_strain"));
  }
  const auto change = [&](std::size_t level) {
    double most = 0;
    for (std::size_t n = 0; n < strains[level].size(); ++n)
      most = larger_or_nan(most, std::abs(strains[level][n] - strains[level + 1][n]));
    return most;
  };
  EXPECT_GT(std::log2(change(0) / change(1)), 1.8) << change(0) << " " << change(1);
  EXPECT_GT(std::log2(change(1) / change(2)), 1.9) << change(1) << " " << change(2);
}

INSTANTIATE_TEST_SUITE_P(Devices, Budgets, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_budgets
