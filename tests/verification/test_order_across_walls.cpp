/// accuracy.order [p, 4, p] across walls and planes of symmetry, against numbers of an independent
/// program in Python that does the same in other words, and exact flows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/statistics/budget_averages.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "tests/verification/flow_with_ghosts.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"
#include "tests/waves_across_walls.hpp"

namespace dns::testing::test_order_across_walls {
namespace {

class FlowAcrossWalls : public OnEveryTarget {};

constexpr double two_pi = 2 * std::numbers::pi;

/// A channel between y = -1 and 1, periodic along x over 2 pi and along z.
std::string channel(const std::string& points,
                    double factor,
                    double reynolds,
                    const std::string& rest,
                    const std::string& order = "[6, 4, 6]",
                    const std::string& walls = "y_min: {type: wall}, y_max: {type: wall}") {
  const std::string stretching =
      factor > 0 ? fmt::format(", stretching: {{y: {{type: tanh, factor: {}}}}}", factor) : "";
  return fmt::format(R"yaml(
case: channel
scheme: projection
grid: {{points: [{0}], length: [{1:.17g}, 2, 1], origin: [0, -1, 0]{2}}}
accuracy: {{order: {3}}}
fluid: {{reynolds: {4}}}
boundaries: {{x: periodic, z: periodic, {5}}}
{6}
)yaml",
                     points,
                     two_pi,
                     stretching,
                     order,
                     reynolds,
                     walls,
                     rest);
}

/// Expects a relative error.
void expect_close(double found, double expected, double tolerance, const std::string& what) {
  EXPECT_NEAR(found, expected, tolerance * std::abs(expected)) << what;
}

/// A flow of hardly any viscosity, from the start that the model has too.
std::string without_viscosity(double dt, const std::string& order = "[6, 4, 6]") {
  return channel("16, 32, 8",
                 2,
                 1e18,
                 fmt::format(R"yaml(
initial: {{velocity: ["1+0.3*sin(x)*cos(2*y)", "0.3*cos(x)*sin(pi*y)", 0]}}
time: {{step: {}, steps: 1000}}
)yaml",
                             dt),
                 order);
}

TEST_P(FlowAcrossWalls, advection_takes_the_energy_of_the_model_and_makes_none) {
  const double before = 5.010751417194e-1;
  const double tolerance = is_double() ? 2e-12 : 1e-6;
  auto simulation = started(case_of(without_viscosity(0.05)));
  expect_close(simulation->diagnostics().kinetic_energy, before, tolerance, "at the start");
  for (int n = 0; n < 40; ++n) simulation->advance();
  const FlowDiagnostics after = simulation->diagnostics();
  expect_close(after.kinetic_energy, 5.010751182971e-1, tolerance, "at t = 2");
  EXPECT_LT(after.divergence_max, 1000 * epsilon());
  if (!is_double()) return;
  double loss_before = 1 - after.kinetic_energy / before;
  for (const double dt : {0.025, 0.0125}) {
    const int steps = static_cast<int>(std::lround(2 / dt));
    const double energy =
        dns::testing::after(case_of(without_viscosity(dt)), steps)->diagnostics().kinetic_energy;
    const double loss = 1 - energy / before;
    EXPECT_GT(loss, 0) << dt;
    EXPECT_NEAR(loss_before / loss, 8, 0.3) << dt;  // order 3 in time
    loss_before = loss;
  }
}

/// Steady flow of the discrete equations stays, with the shear that balances what drives it.
TEST_P(FlowAcrossWalls, laminar_flow_on_uniform_cells_is_exact) {
  for (const std::string order : {"[2, 4, 2]", "[4, 4, 4]", "[6, 4, 6]", "[8, 4, 8]"}) {
    const Case resolved = case_of(channel("8, 16, 8",
                                          0,
                                          10,
                                          R"yaml(
initial: {velocity: ["1-y^2", 0, 0]}
forcing: {type: pressure_gradient, value: [0.2, 0, 0]}
time: {step: 0.05, steps: 1000}
)yaml",
                                          order));
    auto simulation = after(resolved, 20);
    const std::vector<double> u = values_of(viewing_copy(*simulation), "velocity_x");
    const std::vector<double> exact =
        at_centres(resolved, [](double, double y, double) { return 1 - y * y; });
    for (std::size_t n = 0; n < u.size(); ++n)
      ASSERT_NEAR(u[n], exact[n], 4000 * epsilon()) << order << ' ' << n;
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    const auto number = [&](const std::string& name) {
      const auto names = simulation->diagnostic_names();
      return diagnostics.others.at(std::ranges::find(names, name) - names.begin());
    };
    EXPECT_NEAR(number("wall_shear_y_min_x"), 0.2, 1000 * epsilon()) << order;
    EXPECT_NEAR(number("wall_shear_y_max_x"), 0.2, 1000 * epsilon()) << order;
    EXPECT_NEAR(number("friction_velocity"), std::sqrt(0.2), 1000 * epsilon()) << order;
    EXPECT_NEAR(number("bulk_velocity_x"), 2.0 / 3, 1000 * epsilon()) << order;
    // nu <u'^2> = nu 4/3, exact for the differences of a parabola.
    EXPECT_NEAR(diagnostics.dissipation, 0.1 * 4 / 3, 4000 * epsilon()) << order;
  }
}

/// u = c_0 + c_1 y - y^2 beside walls with slip lengths, a given shear, and a plane of symmetry.
TEST_P(FlowAcrossWalls, parabolas_meet_conditions_of_all_kinds) {
  struct Flow {
    std::string walls, u;
  };
  const double c_1 = 0.7 / 2.25;  // walls at 0 and 1, slip lengths 0.2 and 0.05
  for (const Flow& flow :
       {Flow{"y_min: {type: wall, slip_length: 0.2}, "
             "y_max: {type: wall, velocity: [1, 0, 0], slip_length: 0.05}",
             fmt::format("{:.17g}+{:.17g}*y-y^2", 1.4 + 1.2 * c_1, c_1)},
        Flow{"y_min: {type: wall}, y_max: {type: symmetry}", "3+2*y-y^2"},
        Flow{"y_min: {type: wall, shear: [2.5, 0, 0]}, y_max: {type: wall}", "0.5+0.5*y-y^2"}}) {
    const Case resolved = case_of(channel("8, 16, 8",
                                          0,
                                          10,
                                          fmt::format(R"yaml(
initial: {{velocity: ["{}", 0, 0]}}
forcing: {{type: pressure_gradient, value: [0.2, 0, 0]}}
time: {{step: 0.05, steps: 1000}}
)yaml",
                                                      flow.u),
                                          "[6, 4, 6]",
                                          flow.walls));
    const std::vector<double> before = values_of(viewing_copy(*started(resolved)), "velocity_x");
    const std::vector<double> later = values_of(viewing_copy(*after(resolved, 20)), "velocity_x");
    for (std::size_t n = 0; n < before.size(); ++n)
      ASSERT_NEAR(later[n], before[n], 4000 * epsilon()) << flow.walls << ' ' << n;
  }
}

/// T is linear between a wall of given temperature or gradient and one with a transfer.
TEST_P(FlowAcrossWalls, heat_passes_walls_of_all_kinds) {
  for (const std::string low : {"1", "{gradient: 0.428571428571428571}"}) {
    std::string yaml =
        channel("8, 16, 8",
                0,
                10,
                R"yaml(
initial: {velocity: [0, 0, 0], temperature: "1-3/7*(y+1)"}
time: {step: 0.04, steps: 1000}
)yaml",
                "[6, 4, 6]",
                "y_min: {type: wall, temperature: " + low +
                    "}, y_max: {type: wall, temperature: {transfer: 3, outside: 0}}");
    yaml.replace(yaml.find("{reynolds: 10}"), 14, "{reynolds: 10, prandtl: 0.7}");
    const Case resolved = case_of(yaml);
    const auto simulation = after(resolved, 20);
    const std::vector<double> found = values_of(viewing_copy(*simulation), "temperature");
    const std::vector<double> exact =
        at_centres(resolved, [](double, double y, double) { return 1 - 3.0 / 7 * (y + 1); });
    for (std::size_t n = 0; n < exact.size(); ++n)
      ASSERT_NEAR(found[n], exact[n], 2000 * epsilon()) << low << ' ' << n;
    const auto names = simulation->diagnostic_names();
    const auto others = simulation->diagnostics().others;
    for (std::size_t n = 0; n < names.size(); ++n) {
      const bool is_flux = names[n].starts_with("heat_flux_");
      if (!is_flux && !names[n].starts_with("nusselt_y")) continue;
      EXPECT_NEAR(others[n], is_flux ? 3.0 / 7 / 7 : 1, 4000 * epsilon()) << names[n];
    }
  }
}

/// Root of the mean square of the error of <uv> = - 0.3 y (1 - y^2)^4 on so many cells, weighted by
/// volume.
double error_of_stress(const std::function<Case(const std::string&)>& case_of, int cells) {
  const Case resolved = case_of(channel(fmt::format("24, {}, 8", cells), 1.5, 1e6, R"yaml(
initial: {velocity: ["-4*y*(1-y^2)*sin(x)+0.3*(2*y*(1-y^2)^2-4*y^3*(1-y^2))*cos(x)",
    "-(1-y^2)^2*cos(x)+0.3*y^2*(1-y^2)^2*sin(x)", 0]}
time: {step: 1e-7, steps: 1000}
output: {statistics: {every: 1, average: [x, z]}}
)yaml"));
  const StatisticsSums sums = after(resolved, 1)->statistics();
  const auto found = std::ranges::find(sums.sums, "uv", &HostField::name);
  const std::vector<double> uv = sums.average(found - sums.sums.begin());
  const StaggeredAxis y = staggered_grid(resolved)[1];
  double square = 0;
  for (int j = 0; j < cells; ++j) {
    const double at = y.centre(j);
    square += y.cell_volume(j) * std::pow(uv.at(j) + 0.3 * at * std::pow(1 - at * at, 4), 2);
  }
  return std::sqrt(square);
}

TEST_P(FlowAcrossWalls, the_shear_stress_at_centres_has_order_4) {
  const auto read = [](const std::string& yaml) { return case_of(yaml); };
  const double coarse = error_of_stress(read, 24);
  const double fine = error_of_stress(read, 48);
  EXPECT_LT(fine, 1e-4);
  if (is_double()) {
    EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << ' ' << fine;
  }
}

/// The mean over planes of a stirred flow changes by what the averages of one sample have of
/// advection, of viscosity and of the driving; over all cells the first is nothing and the second
/// what the walls take.
TEST_P(FlowAcrossWalls, momentum_balances_in_every_plane) {
  constexpr double driving = 0.3;
  const auto flow = [&](double dt, const std::string& more) {
    return case_of(channel("12, 15, 9",
                           1.5,
                           50,
                           fmt::format(R"yaml(
initial: {{velocity: ["1-y^2+0.3*sin(x)*cos(2*y)", "0.3*cos(x)*sin(pi*y)*cos(2*pi*z)", "0.2*(1-y^4)*cos(x-2*pi*z)"]}}
forcing: {{type: pressure_gradient, value: [{}, 0, 0]}}
time: {{step: {:.17g}, steps: 1000}}
{})yaml",
                                       driving,
                                       dt,
                                       more)));
  };
  const auto means_along = [](const Simulation& simulation, const Case& resolved, const char* q) {
    const std::vector<double> values = values_of(viewing_copy(simulation), q);
    const auto [nx, ny, nz] = resolved.grid.points;
    std::vector<double> means(ny);
    for (std::size_t n = 0; n < values.size(); ++n)
      means[n / nx % ny] += values[n] / (double(nx) * nz);
    return means;
  };
  const auto at = [](const Simulation& simulation, const Case& resolved, const std::string& name) {
    const StatisticsSums sums = simulation.statistics();
    const auto averages = averages_of(sums, resolved);
    return std::ranges::find(averages, name, &Average::name)->values;
  };
  std::vector<double> largest;
  for (const double dt : {0.008, 0.004}) {
    // One sample, at the same time.
    const int sample = static_cast<int>(std::lround(0.08 / dt));
    const Case resolved =
        flow(dt, fmt::format("output: {{statistics: {{every: {}, average: [x, z]}}}}\n", sample));
    auto simulation = started(resolved);
    const StaggeredGrid grid = staggered_grid(resolved);
    PerAxis<std::vector<double>> before, after;
    for (int step = 1; step <= sample + 1; ++step) {
      simulation->advance();
      if (std::abs(step - sample) != 1) continue;
      auto& means = step < sample ? before : after;
      means[0] = means_along(*simulation, resolved, "velocity_x");
      means[2] = means_along(*simulation, resolved, "velocity_z");
    }
    double off = 0;
    for (const int component : {0, 2}) {
      const std::string name = component == 0 ? "momentum_u_" : "momentum_w_";
      const std::vector<double> advection = at(*simulation, resolved, name + "advection");
      const std::vector<double> diffusion = at(*simulation, resolved, name + "diffusion");
      double advected = 0;
      double size = 0;
      for (std::size_t j = 0; j < advection.size(); ++j) {
        const double width = grid[1].across_walls->cell_volume(static_cast<int>(j));
        advected += width * advection[j];
        size += width * std::abs(advection[j]);
        const double change = (after[component][j] - before[component][j]) / (2 * dt);
        off = larger_or_nan(
            off, std::abs(change - advection[j] - diffusion[j] - (component == 0 ? driving : 0)));
      }
      EXPECT_GT(size, 1e-3) << name;
      EXPECT_NEAR(advected, 0, 20 * epsilon() * size) << name;
    }
    largest.push_back(off);
  }
  EXPECT_LT(largest[0], is_double() ? 2e-4 : 1e-3);
  if (is_double()) {
    EXPECT_NEAR(largest[0] / largest[1], 4, 0.3);
  }
}

std::string heated(const std::string& yaml) {
  std::string with = yaml;
  return with.insert(with.find('}', with.find("fluid: {reynolds: ")), ", prandtl: 0.7");
}

/// A warm flow between walls, one of which slides and slips, stirred so that all terms of budgets
/// are there.
std::string stirred(double dt, int every, int cells) {
  return channel(
      fmt::format("10, {}, 9", cells),
      1.5,
      30,
      fmt::format(R"yaml(
buoyancy: {{direction: y, rayleigh: 5000}}
initial:
  velocity: ["1-y^2+0.3*sin(x)*cos(2*y)+0.2*sin(2*pi*z)*y", "0.3*(1-y^2)^2*(sin(x)+cos(2*pi*z))", "0.2*(1-y^4)*cos(x-2*pi*z)"]
  temperature: "1-y+0.3*sin(x)*(1-y^2)"
forcing: {{type: pressure_gradient, value: [0.3, 0, 0]}}
time: {{step: {:.17g}, steps: 1000}}
output: {{statistics: {{every: {}, budgets: true, average: [x, z]}}}}
)yaml",
                  dt,
                  every),
      "[6, 4, 6]",
      "y_min: {type: wall, temperature: 2}, "
      "y_max: {type: wall, slip_length: 0.2, velocity: [0.5, 0, -0.25], temperature: 0}");
}

const std::vector<double>& named(const std::vector<Average>& averages, const std::string& name) {
  return std::ranges::find(averages, name, &Average::name)->values;
}

/// The residual is what changes <u'u'>, <v'v'>, <w'w'> from step to step; what only redistributes
/// has no sum.
TEST_P(FlowAcrossWalls, budgets_close_to_what_the_scheme_does) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  constexpr std::size_t cells = 13;
  std::vector<double> largest, of_v;
  for (const double dt : {0.008, 0.004}) {
    const int sample = static_cast<int>(std::lround(0.08 / dt));
    const Case of_sample = case_of(heated(stirred(dt, sample, cells)));
    const StaggeredAxis y = staggered_grid(of_sample)[1];
    // One sample each of a flow of its own, at three times in turn.
    std::vector<std::vector<Average>> moments, budgets;
    std::vector<double> square_of_v;  // over the volumes of faces; <v> = 0
    for (const int step : {sample - 1, sample, sample + 1}) {
      const Case resolved = case_of(heated(stirred(dt, step, cells)));
      const auto simulation = after(resolved, step);
      moments.push_back(averages_of(simulation->statistics(), resolved));
      budgets.push_back(budgets_of(simulation->statistics(), resolved));
      const FlowWithGhosts flow(*simulation, resolved);
      double sum = 0;
      for_each_point({{}, {10, int(cells), 9}}, [&](Index3 c) {
        sum += y.face_volume(c.j) * std::pow(flow.velocity(1, {c.i, c.j, c.k}), 2) / 90;
      });
      square_of_v.push_back(sum);
    }
    const auto term = [&](const std::string& stress, const char* what) -> const auto& {
      return named(budgets[1], "budget_" + stress + what);
    };
    const auto integral = [&](const std::vector<double>& values) {
      double sum = 0;
      for (std::size_t j = 0; j < cells; ++j) sum += y.cell_volume(static_cast<int>(j)) * values[j];
      return sum;
    };
    double off = 0;
    for (const std::string stress : {"uu", "ww"}) {
      for (std::size_t j = 0; j < cells; ++j) {
        const double change =
            (named(moments[2], stress)[j] - named(moments[0], stress)[j]) / (2 * dt);
        off = larger_or_nan(off, std::abs(change - term(stress, "_residual")[j]));
      }
      EXPECT_EQ(std::ranges::count(term(stress, "_pressure_transport"), 0), cells);
    }
    largest.push_back(off);
    of_v.push_back(
        std::abs((square_of_v[2] - square_of_v[0]) / (2 * dt) - integral(term("vv", "_residual"))));
    for (const char* const what :
         {"_pressure_transport", "_viscous_diffusion", "_turbulent_transport"}) {
      const auto& values = term("vv", what);
      EXPECT_NEAR(integral(values), 0, 1e-14) << what;
      EXPECT_GT(*std::ranges::max_element(values), 1e-4) << what;
    }
    for (std::size_t j = 0; j < cells; ++j) {
      const double strain = term("uu", "_pressure_strain")[j] + term("vv", "_pressure_strain")[j] +
                            term("ww", "_pressure_strain")[j];
      EXPECT_NEAR(strain, 0, 1e-14) << j;
    }
  }
  EXPECT_LT(largest[0], 2e-3);
  EXPECT_NEAR(largest[0] / largest[1], 4, 0.3) << largest[1];
  EXPECT_LT(of_v[0], 1e-3);
  EXPECT_GT(of_v[0] / of_v[1], 3.7) << of_v[1];
}

/// What is left of advection redistributes, up to the error of production.
TEST_P(FlowAcrossWalls, turbulent_transport_has_a_sum_of_order_4) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  std::vector<double> sums;
  for (const int cells : {16, 32, 64}) {
    const Case resolved = case_of(heated(stirred(0.004, 2, cells)));
    const auto budgets = budgets_of(after(resolved, 2)->statistics(), resolved);
    const StaggeredAxis y = staggered_grid(resolved)[1];
    const auto transport = named(budgets, "budget_uu_turbulent_transport");
    double sum = 0;
    for (int j = 0; j < cells; ++j) sum += y.cell_volume(j) * transport[j];
    sums.push_back(std::abs(sum));
    EXPECT_GT(*std::ranges::max_element(transport), 5e-4) << cells;
  }
  EXPECT_LT(sums[0], 1e-6) << sums[1] << ' ' << sums[2];
  EXPECT_GT(std::log2(sums[0] / sums[2]), 2 * 3.0) << sums[1] << ' ' << sums[2];
}

TEST_P(FlowAcrossWalls, budgets_of_shear_stresses_close_to_order_2) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  constexpr double dt = 0.002;
  std::vector<double> errors;
  for (const int cells : {16, 32}) {
    std::vector<std::vector<double>> stresses;
    std::vector<double> residual;
    for (const int step : {19, 20, 21}) {
      const Case resolved = case_of(heated(stirred(dt, step, cells)));
      const StatisticsSums sums = after(resolved, step)->statistics();
      stresses.push_back(named(averages_of(sums, resolved), "uv"));
      if (step == 20) residual = named(budgets_of(sums, resolved), "budget_uv_residual");
    }
    double square = 0;
    for (std::size_t j = 0; j < residual.size(); ++j)
      square += std::pow((stresses[2][j] - stresses[0][j]) / (2 * dt) - residual[j], 2) / cells;
    errors.push_back(std::sqrt(square));
  }
  EXPECT_LT(errors[0], 0.05);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.6) << errors[0] << ' ' << errors[1];
}

/// psi = (1 - y^2)^2 sin x cos t, p = sin y cos x cos t, nu = 0.02.
std::string forced(int cells) {
  const std::string f = "((1-y^2)^2)";
  const std::string f1 = "(-4*y*(1-y^2))";
  const std::string f2 = "(-4+12*y^2)";
  const std::string f3 = "(24*y)";
  const std::string u = "(" + f1 + "*sin(x)*cos(t))";
  const std::string v = "(-" + f + "*cos(x)*cos(t))";
  return channel(fmt::format("24, {}, 8", cells),
                 1.5,
                 50,
                 fmt::format(R"yaml(
initial: {{velocity: ["-4*y*(1-y^2)*sin(x)", "-(1-y^2)^2*cos(x)", 0]}}
forcing:
  type: formula
  acceleration:
    - "-{f1}*sin(x)*sin(t)+{u}*{f1}*cos(x)*cos(t)+{v}*{f2}*sin(x)*cos(t)-sin(y)*sin(x)*cos(t)-0.02*({f3}-{f1})*sin(x)*cos(t)"
    - "{f}*cos(x)*sin(t)+{u}*{f}*sin(x)*cos(t)-{v}*{f1}*cos(x)*cos(t)+cos(y)*cos(x)*cos(t)+0.02*({f2}-{f})*cos(x)*cos(t)"
    - 0
time: {{step: 0.01, steps: 1000}}
)yaml",
                             fmt::arg("f", f),
                             fmt::arg("f1", f1),
                             fmt::arg("f2", f2),
                             fmt::arg("f3", f3),
                             fmt::arg("u", u),
                             fmt::arg("v", v)));
}

TEST_P(FlowAcrossWalls, forced_flow_has_the_energy_of_the_model) {
  const std::vector<int> cells{16, 24, 32};
  const std::vector<double> energies{1.187477510825e-1, 1.186469224507e-1, 1.186300768024e-1};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    if (!is_double() && n > 0) continue;
    const auto simulation = after(case_of(forced(cells[n])), 100);
    expect_close(simulation->diagnostics().kinetic_energy,
                 energies[n],
                 is_double() ? 1e-11 : 2e-5,
                 std::to_string(cells[n]));
  }
}

/// Blowing, suction and sliding at both walls, given and moving: psi = cos(1.3 y + 0.4) sin x cos t
/// + 0.3 y, nu = 0.05.
std::string with_given_walls(int cells, double dt) {
  const std::string f = "cos(1.3*y+0.4)";
  const std::string f1 = "(-1.3*sin(1.3*y+0.4))";
  const std::string u = "(" + f1 + "*sin(x)*cos(t)+0.3)";
  const std::string v = "(-" + f + "*cos(x)*cos(t))";
  const auto at = [](double y) {
    return fmt::format(
        R"yaml(velocity: ["{:.17g}*sin(x)*cos(t)+0.3", "{:.17g}*cos(x)*cos(t)", 0])yaml",
        -1.3 * std::sin(1.3 * y + 0.4),
        -std::cos(1.3 * y + 0.4));
  };
  return channel(fmt::format("24, {}, 8", cells),
                 1.5,
                 20,
                 fmt::format(R"yaml(
initial: {{velocity: ["{f1}*sin(x)+0.3", "-{f}*cos(x)", 0]}}
forcing:
  type: formula
  acceleration:
    - "-{f1}*sin(x)*sin(t)+{u}*{f1}*cos(x)*cos(t)+{v}*(-1.69*{f})*sin(x)*cos(t)+0.05*2.69*({u}-0.3)"
    - "{f}*cos(x)*sin(t)+{u}*{f}*sin(x)*cos(t)-{v}*{f1}*cos(x)*cos(t)+0.05*2.69*{v}"
    - 0
time: {{step: {dt}, steps: 1000}}
)yaml",
                             fmt::arg("f", f),
                             fmt::arg("f1", f1),
                             fmt::arg("u", u),
                             fmt::arg("v", v),
                             fmt::arg("dt", dt)),
                 "[6, 4, 6]",
                 "y_min: {type: wall, " + at(-1) + "}, y_max: {type: wall, " + at(1) + "}");
}

TEST_P(FlowAcrossWalls, blowing_and_sliding_walls_give_the_energy_of_the_model) {
  const std::vector<int> cells{16, 24, 32};
  const std::vector<double> energies{2.947045804749e-1, 2.947715874720e-1, 2.947822155217e-1};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    if (!is_double() && n > 0) continue;
    const auto simulation = after(case_of(with_given_walls(cells[n], 0.005)), 100);
    expect_close(simulation->diagnostics().kinetic_energy,
                 energies[n],
                 is_double() ? 1e-10 : 2e-5,
                 std::to_string(cells[n]));
  }
}

/// A Tollmien-Schlichting wave on the laminar flow of the operators, growth of v from t = 10 to 20.
TEST_P(FlowAcrossWalls, a_tollmien_schlichting_wave_grows_as_in_the_model) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  const std::vector<int> cells{32, 64};
  const std::vector<double> growths{2.409687822299e-3, 2.236570472964e-3};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const int ny = cells[n];
    const Case resolved = case_of(channel(fmt::format("16, {}, 6", ny), 2, 7500, R"yaml(
forcing: {type: pressure_gradient, value: ["2/7500", 0, 0]}
time: {step: 0.05, steps: 1000}
)yaml"));
    const OperatorsAcrossWalls y(faces_of_channel(ny, 2));
    const Wave wave = wave_nearest(
        y,
        1,
        7500,
        [](double at) { return 1 - at * at; },
        Complex(2.2349769500e-3, -0.24989154312));
    const std::vector<double> profile = steady_profile(y, {}, {}, {0, 0, -2});
    double largest = 0;
    for (const Complex& v : wave.v) largest = std::max(largest, std::abs(v));
    const double scale = 1e-5 / largest;
    FlowState start = initial_state(resolved);
    const auto u_start = start.fields.at(0).values<double>();
    const auto v_start = start.fields.at(1).values<double>();
    const auto phase = [](double i) { return std::polar(1.0, two_pi * i / 16); };
    const auto v_at = [&](int j) { return j == 0 ? Complex(0) : wave.v[j - 1]; };
    std::size_t at = 0;
    for (int k = 0; k < 6; ++k) {
      for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < 16; ++i, ++at) {
          u_start[at] = profile[j] + scale * (wave.u[j] * phase(i)).real();
          v_start[at] = scale * (v_at(j) * phase(i + 0.5)).real();
        }
      }
    }
    auto simulation = make_simulation(resolved);
    simulation->set_state(start);
    const auto amplitude = [&] {
      const FlowState state = state_of(*simulation);
      const auto field = std::ranges::find(state.fields, "velocity_y", &HostField::name);
      const std::vector<double> v = in_doubles(*field);  // with ghost points
      const Extents stored = field->extents();
      const auto at_face = [&](int i, int j) {
        const int row = (stored.nz / 2 * stored.ny + (stored.ny - ny) / 2 + j);
        return v[row * stored.nx + (stored.nx - 16) / 2 + i];
      };
      Complex sum = 0;
      for (int j = 1; j < ny; ++j) {
        for (int i = 0; i < 16; ++i)
          sum += std::conj(v_at(j)) * at_face(i, j) * std::conj(phase(i + 0.5));
      }
      return sum;
    };
    for (int step = 0; step < 200; ++step) simulation->advance();
    const Complex first = amplitude();
    for (int step = 0; step < 200; ++step) simulation->advance();
    const double growth = std::log(std::abs(amplitude() / first)) / 10;
    expect_close(growth, growths[n], 1e-6, std::to_string(ny));
  }
}

/// Scalars, buoyancy and rotation at once.
std::string with_everything(const std::string& order, int planes = 16) {
  return channel(fmt::format("12, 16, {}", planes),
                 1.5,
                 100,
                 R"yaml(
initial: {velocity: ["1-y^2+0.1*sin(x)*sin(2*pi*z)", "0.1*cos(x)*(1-y^2)^2", "0.1*cos(2*x)"],
  temperature: "0.5*(1-y)+0.1*cos(x)*(1-y^2)"}
buoyancy: {richardson: 0.3, direction: [0, 1, 0]}
rotation: {rate: [0.1, 0, 0.2]}
forcing: {type: bulk_velocity, value: [0.6, 0, 0]}
time: {step: 0.01, steps: 1000}
)yaml",
                 order,
                 "y_min: {type: wall, temperature: 1}, "
                 "y_max: {type: wall, velocity: [\"0.2*sin(t)\", 0, 0], temperature: {transfer: 3, "
                 "outside: 0}}");
}

TEST_P(FlowAcrossWalls, goes_on_after_a_restart_with_the_same_bits) {
  const Case resolved = case_of(heated(with_everything("[6, 4, 6]")));
  auto simulation = after(resolved, 3);
  const FlowState between = state_of(*simulation);
  for (int n = 0; n < 3; ++n) simulation->advance();
  auto again = make_simulation(resolved);
  again->set_state(between);
  for (int n = 0; n < 3; ++n) again->advance();
  EXPECT_TRUE(same_bits(state_of(*simulation), state_of(*again)));
}

TEST_P(FlowAcrossWalls, slabs_of_several_ranks_have_the_flow_of_one) {
  if (GetParam().device == DeviceChoice::cuda) GTEST_SKIP() << "the ranks are threads";
  for (const std::string order : {"[2, 4, 2]", "[6, 4, 6]"}) {
    const Case resolved = case_of(heated(with_everything(order, 35)));
    const FlowState alone = run_on_ranks(resolved, 1, 20).viewing;
    for (const int ranks : {2, 3, 4}) {
      const RanksResult slabs = run_on_ranks(resolved, ranks, 20);
      EXPECT_TRUE(same_within(is_double() ? 1e-12 : 2e-4, alone, slabs.viewing))
          << order << ' ' << ranks;
    }
  }
}

/// Rotation and buoyancy do no work but that of buoyancy: with neither viscosity nor forces the
/// energy falls by the time scheme alone.
TEST_P(FlowAcrossWalls, rotation_does_no_work) {
  if (!is_double()) GTEST_SKIP() << "the drift falls below the round-off of floats";
  const auto loss = [&](double dt) {
    std::string yaml = without_viscosity(dt);
    yaml += "rotation: {rate: [0.3, 0.2, 0.5]}\n";
    auto simulation = started(case_of(yaml));
    const double before = simulation->diagnostics().kinetic_energy;
    const int steps = static_cast<int>(std::lround(1 / dt));
    for (int n = 0; n < steps; ++n) simulation->advance();
    return 1 - simulation->diagnostics().kinetic_energy / before;
  };
  const double first = loss(0.05);
  const double second = loss(0.025);
  EXPECT_GT(second, 0);
  EXPECT_NEAR(first / second, 8, 1);
}

/// With nu dt/h^2 from 1 to 1e4 at the wall cell.
TEST_P(FlowAcrossWalls, implicit_diffusion_has_no_limit) {
  const double width = 1 - std::tanh(2.5 * (1 - 1.0 / 12)) / std::tanh(2.5);
  for (const double number : {1.0, 100.0, 1e4}) {
    std::string yaml = channel("4, 24, 4",
                               2.5,
                               10,
                               fmt::format(R"yaml(
initial: {{velocity: ["1e-3*(1-y^2)*sin(9*y)", "1e-4*cos(x)*sin(pi*y)", 0]}}
time: {{step: {:.17g}, steps: 1000}}
)yaml",
                                           number * width * width * 10),
                               "[2, 4, 2]");
    yaml.replace(yaml.find(", 2, 1]"), 7, ", 2, 8]");  // explicit diffusion along z limits steps
    const Case resolved = case_of(yaml);
    auto simulation = started(resolved);
    double before = simulation->diagnostics().kinetic_energy;
    EXPECT_GT(before, 1e-8);
    for (int n = 0; n < 20; ++n) {
      simulation->advance();
      const double energy = simulation->diagnostics().kinetic_energy;
      EXPECT_LE(energy, before * (1 + 10 * epsilon())) << number << ' ' << n;
      before = energy;
    }
  }
}

/// Steps as long as stability allows, from noise, nearly without viscosity.
TEST_P(FlowAcrossWalls, energy_never_grows_in_the_longest_steps) {
  const Case resolved = case_of(channel("16, 24, 12", 2, 1e5, R"yaml(
initial: {velocity: [0, 0, 0], noise: {amplitude: 0.5, seed: 3}}
time: {cfl: 20, steps: 1000}
)yaml"));
  auto simulation = started(resolved);
  const double first = simulation->diagnostics().kinetic_energy;
  double before = first;
  for (int n = 0; n < 100; ++n) {
    simulation->advance();
    const double energy = simulation->diagnostics().kinetic_energy;
    ASSERT_LT(energy, before) << n;
    before = energy;
  }
  EXPECT_GT(before, 0.01 * first);
}

INSTANTIATE_TEST_SUITE_P(targets, FlowAcrossWalls, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_order_across_walls
