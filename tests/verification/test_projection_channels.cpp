#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_projection_channels {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Flow along one axis between walls across the next one, the third periodic.
struct Channel {
  int flow;

  [[nodiscard]] int across() const { return (flow + 1) % 3; }
  [[nodiscard]] std::string points(int across_points) const {
    PerAxis<int> n{5, 5, 5};
    n[flow] = 4;
    n[across()] = across_points;
    return fmt::format("[{}, {}, {}]", n[0], n[1], n[2]);
  }
  [[nodiscard]] std::string lengths() const {
    PerAxis<int> length{1, 1, 1};
    length[across()] = 2;
    return fmt::format("[{}, {}, {}]", length[0], length[1], length[2]);
  }
  [[nodiscard]] std::string faces(const std::string& wall) const {
    std::string text;
    for (int axis = 0; axis < 3; ++axis) {
      text += axis == across()
                  ? fmt::format("  {0}_min: {1}\n  {0}_max: {1}\n", axis_names[axis], wall)
                  : fmt::format("  {}: periodic\n", axis_names[axis]);
    }
    return text;
  }
  [[nodiscard]] std::string vector(double along) const {
    PerAxis<double> v{};
    v[flow] = along;
    return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
  }
  [[nodiscard]] std::string shear_name(const char* end) const {
    return fmt::format("wall_shear_{}_{}_{}", axis_names[across()], end, axis_names[flow]);
  }
  [[nodiscard]] std::string text(int across_points,
                                 double reynolds,
                                 const std::string& forcing,
                                 double along,
                                 double dt) const {
    return fmt::format(R"yaml(
case: channel
scheme: projection
grid: {{points: {}, length: {}, stretching: {{{}: {{type: tanh, factor: 1.3}}}}}}
fluid: {{reynolds: {}}}
boundaries:
{}
initial: {{velocity: {}}}
forcing: {{type: {}}}
time: {{step: {:.17g}, steps: 100000}}
)yaml",
                       points(across_points),
                       lengths(),
                       axis_names[across()],
                       reynolds,
                       faces("{type: wall}"),
                       vector(along),
                       forcing,
                       dt);
  }
};

class ProjectionChannels : public OnEveryTarget {};

/// u/U = 1 - eta^2 - 32/pi^3 sum (-1)^n/(2n+1)^3 cos((2n+1) pi eta/2) exp(-(2n+1)^2 pi^2 nu t/(4
/// h^2)) with h = 1, eta from -1 to 1, U = G/(2 nu).
double poiseuille_from_rest(double eta, double nu_t) {
  double u = 1 - eta * eta;
  double sign = 1;
  for (int n = 0; n < 40; ++n) {
    const double odd = 2 * n + 1;
    u -= 32 / (pi * pi * pi) * sign / (odd * odd * odd) * std::cos(odd * pi * eta / 2) *
         std::exp(-odd * odd * pi * pi * nu_t / 4);
    sign = -sign;
  }
  return u;
}

TEST_P(ProjectionChannels, poiseuille_flow_starts_up_to_second_order_along_each_axis) {
  const double reynolds = 2;
  for (const int flow : {0, 1, 2}) {
    const Channel channel{flow};
    const auto error = [&](int n, double dt, int steps) {
      const Case resolved = case_of(
          channel.text(n, reynolds, "pressure_gradient, value: " + channel.vector(1), 0, dt));
      auto simulation = started(resolved);
      for (int s = 0; s < steps; ++s) simulation->advance();
      const auto exact = at_centres(resolved, [&](double x, double y, double z) {
        const double at = channel.across() == 0 ? x : channel.across() == 1 ? y : z;
        return reynolds / 2 * poiseuille_from_rest(at - 1, simulation->time() / reynolds);
      });
      const std::string name = fmt::format("velocity_{}", axis_names[flow]);
      return distance(resolved, values_of(viewing_copy(*simulation), name), exact);
    };
    const double coarse = error(12, 0.04, 20);
    const double fine = error(24, 0.02, 40);
    RecordProperty(axis_names[flow], fmt::format("{:.3f}", order_of(coarse, fine)));
    EXPECT_NEAR(order_of(coarse, fine), 2, 0.1) << coarse << " " << fine;
  }
}

TEST_P(ProjectionChannels, shear_on_the_walls_balances_the_driving_force) {
  for (const int flow : {0, 1, 2}) {
    const Channel channel{flow};
    const double force = 0.75;
    auto simulation = started(case_of(channel.text(
        11, 1, fmt::format("pressure_gradient, value: {}", channel.vector(force)), 0, 0.04)));
    for (int s = 0; s < 400; ++s) simulation->advance();
    const double tolerance = is_double() ? 1e-10 : 2e-5;
    EXPECT_NEAR(figure(*simulation, channel.shear_name("min")), force, tolerance);
    EXPECT_NEAR(figure(*simulation, channel.shear_name("max")), force, tolerance);
    EXPECT_NEAR(figure(*simulation, "friction_velocity"), std::sqrt(force), tolerance);
  }
}

TEST_P(ProjectionChannels, bulk_velocity_is_held_and_its_driving_force_recorded) {
  for (const int flow : {0, 1, 2}) {
    const Channel channel{flow};
    auto simulation = started(case_of(channel.text(
        11, 1, fmt::format("bulk_velocity, value: {}", channel.vector(0.8)), 0.3, 0.04)));
    const std::string bulk = fmt::format("bulk_velocity_{}", axis_names[flow]);
    const std::string driving = fmt::format("driving_{}", axis_names[flow]);
    const double round_off = is_double() ? 1e-14 : 1e-6;
    for (int s = 0; s < 400; ++s) {
      if (s < 10 || s % 50 == 0) {
        EXPECT_NEAR(figure(*simulation, bulk), 0.8, round_off) << s;
      }
      simulation->advance();
    }
    const double force = figure(*simulation, driving);
    EXPECT_NEAR(force, 3 * 0.8, 0.06);  // 3 nu U/h^2, but for the error of the grid
    EXPECT_NEAR(figure(*simulation, channel.shear_name("min")), force, is_double() ? 1e-10 : 2e-5);
    EXPECT_NEAR(figure(*simulation, channel.shear_name("max")), force, is_double() ? 1e-10 : 2e-5);
  }
}

/// Between a hot and a cold wall across one axis, gravity along the next: T = T_low + (T_high -
/// T_low) s and, with B = Ra/(Pr Re^2), w = B Re (T_high - T_low) (-s^3/6 + s^2/4 - s/12).
TEST_P(ProjectionChannels, natural_convection_between_walls_settles_to_its_cubic_profile) {
  for (const int across : {0U, 1U, 2U}) {
    const std::size_t gravity = (across + 1) % 3;
    const auto error = [&](int n) {
      PerAxis<int> points{4, 4, 4};
      points[across] = n;
      std::string faces;
      for (int axis = 0; axis < 3; ++axis) {
        const std::string& name = axis_names[axis];
        faces += axis == across ? fmt::format(
                                      "  {0}_min: {{type: wall, temperature: 1}}\n"
                                      "  {0}_max: {{type: wall, temperature: 0}}\n",
                                      name)
                                : fmt::format("  {}: periodic\n", name);
      }
      const Case resolved = case_of(fmt::format(R"yaml(
case: slot
scheme: projection
grid: {{points: [{}, {}, {}], length: [1, 1, 1], stretching: {{{}: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 2, prandtl: 0.8}}
buoyancy: {{rayleigh: 64, direction: {}, reference_temperature: 0.5}}
boundaries:
{}
initial: {{velocity: [0, 0, 0], temperature: 0.5}}
time: {{step: 0.01, steps: 1000}}
)yaml",
                                                points[0],
                                                points[1],
                                                points[2],
                                                axis_names[across],
                                                axis_names[gravity],
                                                faces));
      auto simulation = started(resolved);
      for (int s = 0; s < 600; ++s) simulation->advance();
      const FlowState state = viewing_copy(*simulation);
      const auto along = [&](double x, double y, double z) {
        return across == 0 ? x : across == 1 ? y : z;
      };
      const double round_off = is_double() ? 1e-10 : 1e-5;
      EXPECT_LT(
          distance(resolved,
                   values_of(state, "temperature"),
                   at_centres(resolved,
                              [&](double x, double y, double z) { return 1 - along(x, y, z); })),
          round_off);
      const std::string hot = fmt::format("nusselt_{}_min", axis_names[across]);
      const std::string cold = fmt::format("nusselt_{}_max", axis_names[across]);
      EXPECT_NEAR(figure(*simulation, hot), 1, 10 * round_off);
      EXPECT_NEAR(figure(*simulation, cold), 1, 10 * round_off);
      EXPECT_NEAR(figure(*simulation, "nusselt_volume"), 1, 10 * round_off);
      const double strength = 64 / (0.8 * 4) * 2;
      return distance(resolved,
                      values_of(state, fmt::format("velocity_{}", axis_names[gravity])),
                      at_centres(resolved, [&](double x, double y, double z) {
                        const double s = along(x, y, z);
                        return -strength * (-s * s * s / 6 + s * s / 4 - s / 12);
                      }));
    };
    const double coarse = error(12);
    const double fine = error(24);
    EXPECT_NEAR(order_of(coarse, fine), 2, 0.1) << coarse << " " << fine;
  }
}

/// Heat is neither made nor lost: with given flux at the walls its mean follows the flux exactly.
/// Conduction between a wall at `low` and one at `high`, across an axis, so fast that the profile
/// is linear at any time.
std::string conduction_across(int across,
                              const std::string& low,
                              const std::string& high,
                              const std::string& initial = {}) {
  PerAxis<int> points{5, 5, 5};
  points[across] = 9;
  PerAxis<double> length{0.3, 0.3, 0.3};
  length[across] = 0.5;
  std::string faces;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& name = axis_names[axis];
    faces += axis == across ? fmt::format(
                                  "  {0}_min: {{type: wall, temperature: {1}}}\n"
                                  "  {0}_max: {{type: wall, temperature: {2}}}\n",
                                  name,
                                  low,
                                  high)
                            : fmt::format("  {}: periodic\n", name);
  }
  return fmt::format(R"yaml(
case: conduction
scheme: projection
grid: {{points: [{}, {}, {}], length: [{}, {}, {}], stretching: {{{}: {{type: tanh, factor: 1.2}}}}}}
fluid: {{reynolds: 1, prandtl: 0.002}}
boundaries:
{}
initial: {{velocity: [0, 0, 0], temperature: "{}"}}
time: {{step: 0.0025, steps: 1000}}
)yaml",
                     points[0],
                     points[1],
                     points[2],
                     length[0],
                     length[1],
                     length[2],
                     axis_names[across],
                     faces,
                     initial.empty() ? "2*" + axis_names[across] : initial);
}

/// The profile lags behind by H^2/(6 kappa (1 + t)) and less of the difference: 8e-5.
TEST_P(ProjectionChannels, nusselt_numbers_are_those_of_the_wall_temperatures_of_the_moment) {
  for (const int across : {0U, 1U, 2U}) {
    const std::string& name = axis_names[across];
    auto simulation = started(case_of(conduction_across(across, "0", "\"1+t\"")));
    for (int s = 0; s < 400; ++s) simulation->advance();
    ASSERT_NEAR(simulation->time(), 1, 1e-6);
    for (const std::string& where : {name + "_min", name + "_max", std::string("volume")})
      EXPECT_NEAR(figure(*simulation, "nusselt_" + where), 1, 2e-4) << where;
  }
}

/// The flow goes on: a ratio to nothing is no divergence.
TEST_P(ProjectionChannels, nusselt_numbers_are_nan_while_both_walls_have_one_temperature) {
  for (const std::string& low :
       {std::string("\"2*t\""), std::string("\"2*t + cos(2*pi*x/0.3)\"")}) {
    auto simulation = started(case_of(conduction_across(1, low, "0")));
    for (const char* where : {"y_min", "y_max", "volume"})
      EXPECT_TRUE(std::isnan(figure(*simulation, fmt::format("nusselt_{}", where)))) << where;
    simulation->advance();
    for (const char* where : {"y_min", "y_max", "volume"})
      EXPECT_TRUE(std::isfinite(figure(*simulation, fmt::format("nusselt_{}", where)))) << where;
  }
}

TEST_P(ProjectionChannels, walls_without_a_difference_of_temperature_have_a_heat_flux) {
  const auto has = [](const Simulation& simulation, const std::string& name) {
    return std::ranges::count(simulation.diagnostic_names(), name) == 1;
  };
  for (const auto& [low, high] : {std::pair<std::string, std::string>{"1", "1"},
                                  {"\"1+t\"", "\"1+t\""},
                                  {"\"sin(2*pi*z/0.3)\"", "0"},
                                  {"{gradient: 0.25}", "1"},
                                  {"{gradient: 0}", "{gradient: 0}"}}) {
    auto simulation = started(case_of(conduction_across(1, low, high)));
    EXPECT_TRUE(has(*simulation, "heat_flux_y_min") && has(*simulation, "heat_flux_y_max")) << low;
    EXPECT_FALSE(has(*simulation, "nusselt_y_min") || has(*simulation, "nusselt_volume")) << low;
  }
  // Steady: dT/dn out of the lower wall is 0.25, so that kappa 0.25 flows in along +y.
  auto simulation =
      started(case_of(conduction_across(1, "{gradient: 0.25}", "1", "1 + 0.25*(0.5 - y)")));
  for (int s = 0; s < 40; ++s) simulation->advance();
  const double kappa = 1 / 0.002;
  const double tolerance = is_double() ? 1e-7 : 0.1;
  EXPECT_NEAR(figure(*simulation, "heat_flux_y_min"), 0.25 * kappa, tolerance);
  EXPECT_NEAR(figure(*simulation, "heat_flux_y_max"), 0.25 * kappa, tolerance);
}

TEST_P(ProjectionChannels, mean_temperature_follows_the_heat_flux_at_the_walls) {
  auto simulation = started(case_of(R"yaml(
case: heated
scheme: projection
grid: {points: [9, 10, 8], length: [1, 2, 1], stretching: {y: {type: tanh, factor: 1.3}}}
fluid: {reynolds: 20, prandtl: 0.5}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: {gradient: 0.7}}
  y_max: {type: wall, temperature: {gradient: -0.2}}
  z: periodic
initial: {velocity: [0.5, 0, 0.2], temperature: "1+0.1*sin(2*pi*y)"}
time: {step: 0.02, steps: 100}
)yaml"));
  const double at_start = figure(*simulation, "temperature_mean");
  for (int s = 0; s < 50; ++s) simulation->advance();
  const double expected = at_start + simulation->time() * (0.7 - 0.2) / (20 * 0.5) / 2;
  EXPECT_NEAR(figure(*simulation, "temperature_mean"), expected, is_double() ? 1e-12 : 1e-5);
}

/// Rolls between walls of temperatures 1 and 0: with the stream function sin^2(pi s) sin(2 pi r)/(2
/// pi) and T = 1 - s + a sin(pi s) cos(2 pi r) the mean of V_s T is -a 2/(3 pi).
TEST_P(ProjectionChannels, heat_that_rolls_carry_is_in_the_nusselt_number_to_second_order) {
  constexpr double amplitude = 0.3;
  for (int s = 0; s < 3; ++s) {
    const std::size_t r = (s + 1) % 3;
    const auto error = [&](int n) {
      PerAxis<std::string> velocity{"0", "0", "0"};
      velocity[s] = fmt::format("-sin(pi*{0})^2*cos(2*pi*{1})", axis_names[s], axis_names[r]);
      velocity[r] =
          fmt::format("sin(pi*{0})*cos(pi*{0})*sin(2*pi*{1})", axis_names[s], axis_names[r]);
      std::string faces;
      for (int axis = 0; axis < 3; ++axis) {
        faces += axis != s ? fmt::format("  {}: periodic\n", axis_names[axis])
                           : fmt::format(
                                 "  {0}_min: {{type: wall, temperature: 1}}\n"
                                 "  {0}_max: {{type: wall, temperature: 0}}\n",
                                 axis_names[axis]);
      }
      auto simulation = started(case_of(fmt::format(R"yaml(
case: rolls
scheme: projection
grid: {{points: [{0}, {1}, {2}], length: [1, 1, 1]}}
fluid: {{reynolds: 20, prandtl: 0.5}}
boundaries:
{3}initial: {{velocity: ["{4}", "{5}", "{6}"], temperature: "1-{7}+{8}*sin(pi*{7})*cos(2*pi*{9})"}}
time: {{step: 0.01, steps: 1}}
)yaml",
                                                    n,
                                                    n + n / 4,
                                                    n + n / 8,
                                                    faces,
                                                    velocity[0],
                                                    velocity[1],
                                                    velocity[2],
                                                    axis_names[s],
                                                    amplitude,
                                                    axis_names[r])));
      return std::abs(figure(*simulation, "nusselt_volume") -
                      (1 - 20 * 0.5 * amplitude * 2 / (3 * pi)));
    };
    const double coarse = error(16);
    const double fine = error(32);
    EXPECT_NEAR(order_of(coarse, fine), 2, 0.15) << axis_names[s] << ": " << coarse << " " << fine;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ProjectionChannels, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_projection_channels
