/// Several scalars, with Prandtl numbers, sources, boundary conditions, mean gradients and weights
/// in buoyancy of their own: against exact solutions, temperature and balances.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_scalars {
namespace {

using std::numbers::pi;

class Scalars : public OnEveryTarget {};

/// Vortices u = c sin x cos y, v = - c cos x sin y, c = cos 2t, that carry scalars
/// q = a cos x cos(y + p), a = 1 + sin(t)/2, which move them by buoyancy. Re = 10.
struct Vortices {
  struct Scalar {
    std::string name;
    double prandtl, phase, weight;
  };
  static std::vector<Scalar> scalars() {
    return {{"temperature", 0.7, 0, 1}, {"salt", 3, 0.4, -0.6}, {"dye", 0.3, -0.7, 0.8}};
  }
  static constexpr double factor = 0.5;  // Ra/(Pr Re^2)

  static std::string of(const Scalar& scalar) {
    return fmt::format("(1+0.5*sin(t))*cos(x)*cos(y+{})", scalar.phase);
  }
  static double exact(const Scalar& scalar, double x, double y, double t) {
    return (1 + 0.5 * std::sin(t)) * std::cos(x) * std::cos(y + scalar.phase);
  }
  /// q_t + V . grad q - lap q/(Re Pr)
  static std::string source(const Scalar& scalar) {
    return fmt::format(
        "(0.5*cos(t)+{:.17g}*(1+0.5*sin(t)))*cos(x)*cos(y+{p})+cos(2*t)*(1+0.5*sin(t))*"
        "(cos(x)^2*sin(y)*sin(y+{p})-sin(x)^2*cos(y)*cos(y+{p}))",
        2 / (10 * scalar.prandtl),
        fmt::arg("p", scalar.phase));
  }
  /// Temperature and dye are given at both walls, of salt the derivative.
  static std::string faces(bool has_walls) {
    if (!has_walls) return "{x: periodic, y: periodic, z: periodic}";
    const auto all = scalars();
    std::string faces = "{x: periodic, z: periodic";
    for (const std::string side : {"y_min", "y_max"}) {
      faces += fmt::format(
          ", {}: {{type: wall, velocity: [\"cos(2*t)*sin(x)*cos(y)\", 0, 0], temperature: \"{}\", "
          "scalars: {{salt: {{gradient: \"(1+0.5*sin(t))*cos(x)*{:.17g}\"}}, dye: \"{}\"}}}}",
          side,
          of(all[0]),
          std::sin(all[1].phase),
          of(all[2]));
    }
    return faces + "}";
  }
  static Case parsed(int n, double dt, bool has_walls, const std::string& scheme) {
    const auto all = scalars();
    std::string rising;
    std::string more;
    for (const Scalar& scalar : all) {
      rising += fmt::format("{:+}*({})", scalar.weight, of(scalar));
      if (scalar.name != "temperature")
        more += fmt::format(
            "  {}: {{prandtl: {}, initial: \"cos(x)*cos(y+{})\", source: \"{}\", "
            "buoyancy: {}}}\n",
            scalar.name,
            scalar.prandtl,
            scalar.phase,
            source(scalar),
            scalar.weight);
    }
    return parse_case(
        fmt::format(
            R"yaml(
scheme: projection
grid: {{points: [{n}, {m}, 4], length: [{two_pi:.17g}, {height:.17g}, 1]{stretching}}}
fluid: {{reynolds: 10, prandtl: 0.7}}
buoyancy: {{rayleigh: 35, direction: y, reference_temperature: 0.25}}
scalars:
{more}boundaries: {faces}
initial:
  velocity: ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0]
  temperature: "cos(x)*cos(y)"
forcing:
  type: formula
  acceleration:
    - "(-2*sin(2*t)+0.2*cos(2*t))*sin(x)*cos(y)"
    - "(2*sin(2*t)-0.2*cos(2*t))*cos(x)*sin(y)-0.5*({rising}-0.25)"
    - 0
  heat: "{heat}"
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
            fmt::arg("n", n),
            fmt::arg("m", has_walls ? n + 1 : n + 3),
            fmt::arg("two_pi", 2 * pi),
            fmt::arg("height", has_walls ? pi : 2 * pi),
            fmt::arg("stretching", has_walls ? ", stretching: {y: {type: tanh, factor: 1.1}}" : ""),
            fmt::arg("more", more),
            fmt::arg("faces", faces(has_walls)),
            fmt::arg("rising", rising),
            fmt::arg("heat", source(all[0])),
            fmt::arg("scheme", scheme),
            fmt::arg("dt", dt)),
        "vortices.yaml",
        {});
  }
};

Case on_target(Case resolved, const Target& target) {
  resolved.device = target.device;
  resolved.precision = target.precision;
  resolved.run.threads = 2;
  return resolved;
}

TEST_P(Scalars, follow_a_manufactured_flow_with_second_order) {
  for (const bool has_walls : {false, true}) {
    for (const std::string scheme : {"implicit", "runge_kutta"}) {
      std::vector<std::vector<double>> errors;
      for (const int n : {12, 24}) {
        const Case resolved =
            on_target(Vortices::parsed(n, 0.48 / n, has_walls, scheme), GetParam());
        const FlowState state = viewing_copy(*after(resolved, n));
        auto& of_grid = errors.emplace_back();
        for (const auto& scalar : Vortices::scalars()) {
          const auto exact = at_centres(resolved, [&](double x, double y, double) {
            return Vortices::exact(scalar, x, y, state.time);
          });
          of_grid.push_back(distance(resolved, values_of(state, scalar.name), exact));
        }
      }
      for (std::size_t n = 0; n < errors[0].size(); ++n) {
        const std::string what = fmt::format("{} {} {}: {} {}",
                                             scheme,
                                             has_walls ? "walls" : "periodic",
                                             Vortices::scalars()[n].name,
                                             errors[0][n],
                                             errors[1][n]);
        EXPECT_LT(errors[1][n], 8e-3) << what;
        EXPECT_GT(order_of(errors[0][n], errors[1][n]), 1.85) << what;
      }
    }
  }
}

/// A box with a scalar that has all that temperature has.
struct Twin {
  const char* name;
  std::string faces_and_more, time;
};
std::vector<Twin> twins() {
  const std::string warm = "temperature: 1, scalars: {twin: 1, other: {gradient: 0}}";
  const std::string cold = "temperature: \"0.2*sin(t)\", scalars: {twin: \"0.2*sin(t)\", other: x}";
  const std::string flux =
      "temperature: {gradient: 0.5}, scalars: {twin: {gradient: 0.5}, other: {gradient: 0}}";
  const std::string transfer =
      "temperature: {transfer: 3, outside: \"cos(t)\"}, scalars: {twin: {transfer: 3, outside: "
      "\"cos(t)\"}, other: {transfer: 0.5, outside: \"x\"}}";
  return {
      {"convection",
       fmt::format("boundaries: {{x: periodic, z: periodic, y_min: {{type: wall, {}}}, y_max: "
                   "{{type: wall, {}}}}}\nbuoyancy: {{rayleigh: 2000}}\n",
                   warm,
                   cold),
       "step: 0.02, steps: 1000"},
      {"channel in stages",
       fmt::format("boundaries: {{x: periodic, z: periodic, y_min: {{type: wall, {}}}, y_max: "
                   "{{type: wall, {}}}}}\naccuracy: {{order: [6, 2, 2]}}\nbuoyancy: {{rayleigh: "
                   "2000}}\n",
                   flux,
                   cold),
       "step: 0.01, steps: 1000"},
      {"wake",
       fmt::format("boundaries: {{x_min: {{type: inflow, velocity: [1, 0, 0], {}}}, x_max: "
                   "{{type: outflow}}, z: periodic, y_min: {{type: symmetry}}, y_max: {{type: "
                   "wall, {}}}}}\nsolids: {{rod: {{shape: cylinder, center: [1, 0.5, 0], radius: "
                   "0.2, temperature: 2, scalars: {{twin: 2, other: {{gradient: 0}}}}}}}}\n",
                   warm,
                   flux),
       "step: 0.02, steps: 1000"},
      {"backflow",
       fmt::format("boundaries: {{x_min: {{type: inflow, velocity: [1, 0, 0], {}}}, x_max: {{type: "
                   "outflow, backflow: stabilised}}, z: periodic, y_min: {{type: symmetry, {}}}, "
                   "y_max: {{type: wall, {}}}}}\nforcing: {{type: formula, heat: "
                   "\"0.1*x*sin(t)\", acceleration: [\"-4*(1-2*y)\", 0, 0]}}\n",
                   warm,
                   transfer,
                   transfer),
       "step: 0.02, steps: 1000"},
      {"transfers in stages",
       fmt::format("boundaries: {{x: periodic, z: periodic, y_min: {{type: symmetry, {}}}, y_max: "
                   "{{type: wall, {}}}}}\naccuracy: {{order: [6, 2, 2]}}\nbuoyancy: {{rayleigh: "
                   "2000}}\n",
                   cold,
                   transfer),
       "step: 0.01, steps: 1000"}};
}
std::string yaml_of(const Twin& twin) {
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: [15, 14, 9], length: [2, 1, 1]{}}}
fluid: {{reynolds: 60, prandtl: 0.7}}
scalars:
  twin: {{prandtl: 0.7, initial: "1-y+0.2*sin(pi*x)", source: "0.1*x*sin(t)"}}
  other: {{prandtl: 4, initial: "y"}}
{}
initial: {{velocity: ["4*y*(1-y)", "0.1*sin(pi*x)", 0], temperature: "1-y+0.2*sin(pi*x)", noise: {{amplitude: 0.05}}}}
{}time: {{{}}}
output: {{statistics: {{every: 1, average: [z]}}}}
)yaml",
                     ", stretching: {y: {type: tanh, factor: 1.1}}",
                     twin.faces_and_more,
                     twin.faces_and_more.find("forcing:") == std::string::npos
                         ? "forcing: {type: formula, heat: \"0.1*x*sin(t)\", sponges: {end: {rate: "
                           "\"max(0, x-1.5)\", temperature: \"0.3+y*t\", scalars: {twin: "
                           "\"0.3+y*t\"}}}}\n"
                         : "",
                     twin.time);
}

const HostField& field_named(const std::vector<HostField>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &HostField::name);
  if (found == fields.end()) throw std::out_of_range(std::string(name));
  return *found;
}
bool have_same_values(const HostField& a, const HostField& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

TEST_P(Scalars, equal_to_temperature_have_its_bits) {
  for (const Twin& twin : twins()) {
    const auto simulation = after(case_of(yaml_of(twin)), 12);
    for (const FlowState& state : {state_of(*simulation), viewing_copy(*simulation)}) {
      const HostField& scalar = field_named(state.fields, "twin");
      EXPECT_TRUE(have_same_values(scalar, field_named(state.fields, "temperature"))) << twin.name;
      EXPECT_FALSE(have_same_values(scalar, field_named(state.fields, "other"))) << twin.name;
      for (const double value : in_doubles(scalar)) ASSERT_TRUE(std::isfinite(value)) << twin.name;
    }
    const StatisticsSums sums = simulation->statistics();
    for (const auto& [of_twin, of_temperature] : std::vector<std::array<const char*, 2>>{
             {"twin", "T"}, {"twin_twin", "TT"}, {"twin_twin_twin_twin", "TTTT"}}) {
      EXPECT_TRUE(
          have_same_values(field_named(sums.sums, of_twin), field_named(sums.sums, of_temperature)))
          << twin.name << ": " << of_twin;
    }
    // Fluxes have kernels of their own, which round on their own.
    for (const auto& [of_twin, of_temperature] : std::vector<std::array<const char*, 2>>{
             {"u_twin", "uT"}, {"v_twin", "vT"}, {"w_twin", "wT"}}) {
      const auto expected = in_doubles(field_named(sums.sums, of_temperature));
      const auto values = in_doubles(field_named(sums.sums, of_twin));
      for (std::size_t n = 0; n < expected.size(); ++n)
        ASSERT_NEAR(values[n], expected[n], 1e-13) << twin.name << ": " << of_twin;
    }
    EXPECT_EQ(figure(*simulation, "twin_mean"), figure(*simulation, "temperature_mean"));
    if (std::string_view(twin.name) == "wake") {
      EXPECT_EQ(figure(*simulation, "twin_flux_rod"), figure(*simulation, "heat_rod"));
    }
  }
}

TEST_P(Scalars, go_on_bit_for_bit) {
  for (const Twin& twin : twins()) {
    const Case resolved = case_of(yaml_of(twin));
    EXPECT_TRUE(goes_on_bit_for_bit(resolved)) << twin.name;
  }
}

/// Sums over ranks and sweeps across them round differently.
TEST_P(Scalars, are_the_same_on_several_ranks) {
  for (const Twin& twin : twins()) {
    const Case resolved = case_of(yaml_of(twin));
    const FlowState alone = viewing_copy(*after(resolved, 8));
    for (const int ranks : {2, 3}) {
      const RanksResult result = run_on_ranks(resolved, ranks, 8);
      for (const std::string_view name : {"temperature", "twin", "other"}) {
        const auto values = values_of(result.viewing, name);
        EXPECT_LT(distance(resolved, values, values_of(alone, name)), 200 * epsilon())
            << twin.name << ", " << name << ", ranks " << ranks;
      }
      EXPECT_TRUE(have_same_values(field_named(result.viewing.fields, "twin"),
                                   field_named(result.viewing.fields, "temperature")));
    }
  }
}

TEST_P(Scalars, in_closed_boxes_keep_their_means) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    auto simulation = started(case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [9, 12, 11], length: [2, 3, 1], stretching: {{y: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 40}}
scalars:
  salt: {{prandtl: 5, initial: "1.4+0.5*sin(pi*x+1)*cos(2*pi*y/3)"}}
  dye: {{prandtl: 0.2, initial: "1.6+0.3*cos(2*pi*z)*cos(2*pi*y/3)"}}
boundaries:
  x: periodic
  z: periodic
  y_min: {{type: wall, scalars: {{salt: {{gradient: 0}}, dye: {{gradient: 0.75}}}}}}
  y_max: {{type: wall, velocity: [1, 0, 0], scalars: {{salt: {{gradient: 0}}, dye: {{gradient: -0.25}}}}}}
initial: {{velocity: ["1+sin(pi*x)*cos(2*pi*y/3)", "0.3-cos(pi*x)*sin(2*pi*z)", "cos(pi*x)"]}}
time: {{scheme: {}, step: 0.01, steps: 5000}}
)yaml",
                                                  scheme)));
    const double salt = figure(*simulation, "salt_mean");
    const double dye = figure(*simulation, "dye_mean");
    for (int n = 0; n < 200; ++n) simulation->advance();
    const double tolerance = (is_double() ? 64 : 4) * epsilon();
    EXPECT_NEAR(figure(*simulation, "salt_mean"), salt, tolerance) << scheme;
    // 0.5 through the walls with Re Pr = 8 and a height of 3.
    EXPECT_NEAR(figure(*simulation, "dye_mean"), dye + 0.5 / 8 / 3 * 2, tolerance) << scheme;
  }
}

/// What a wind carries along a mean gradient is all that changes the mean: dM/dt = - G . U.
TEST_P(Scalars, with_mean_gradients_keep_the_means_of_what_is_solved) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    for (const double wind : {0.0, 0.5}) {
      for (const std::string buoyancy : {"", "buoyancy: {richardson: 0.3, direction: [1, 0, 3]}"}) {
        auto simulation = started(case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [12, 9, 10], length: [6.28, 6.28, 6.28]}}
fluid: {{reynolds: 500, prandtl: 1}}
temperature: {{mean_gradient: [0, 0, 0.5]}}
scalars: {{salt: {{prandtl: 3, mean_gradient: [2, 0, -1], initial: "sin(y)*cos(x+1)"}}}}
{}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0, 0, 0], temperature: "sin(y)*cos(x+1)", noise: {{amplitude: 1}}}}
forcing: {{type: bulk_velocity, value: [{}, 0, 0]}}
time: {{scheme: {}, step: 0.1, steps: 5000}}
)yaml",
                                                      buoyancy,
                                                      wind,
                                                      scheme)));
        const double salt = figure(*simulation, "salt_mean");
        const double heat = figure(*simulation, "temperature_mean");
        for (int n = 0; n < 100; ++n) simulation->advance();
        const std::string what = fmt::format("{}, wind {}, {}", scheme, wind, buoyancy);
        EXPECT_NEAR(figure(*simulation, "temperature_mean"), heat, 100 * epsilon()) << what;
        EXPECT_NEAR(figure(*simulation, "salt_mean"), salt - 20 * wind, 1000 * epsilon()) << what;
        EXPECT_GT(simulation->diagnostics().kinetic_energy, 0.01 + wind * wind / 2) << what;
      }
    }
  }
}

/// w = sin x exp(-nu t) along a mean gradient G_z, and a uniform wind along G_x: s = a sin(x - U t)
/// - G_x U t with a' = - kappa a - G_z exp(-nu t). Nothing is advected along z.
TEST_P(Scalars, with_a_mean_gradient_follow_the_exact_solution) {
  struct Kind {
    std::string scheme, order;
    double least_order, most;
    int coarse = 16;
  };
  for (const auto& [scheme, order, least_order, most, coarse] :
       std::vector<Kind>{{"implicit", "2", 1.9, 5e-3},
                         {"runge_kutta", "2", 1.9, 5e-3},
                         {"runge_kutta", "6", 2.9, 3e-8, 64}}) {
    std::vector<double> errors;
    for (const int n : {coarse, 2 * coarse}) {
      const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [{n}, 6, 7], length: [{l:.17g}, 2, 3]}}
accuracy: {{order: {order}}}
fluid: {{reynolds: 10, prandtl: 1}}
temperature: {{mean_gradient: [0, 0, 1]}}
scalars: {{salt: {{prandtl: 4, mean_gradient: [0.5, 0, -2]}}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0.7, 0, "sin(x)"], temperature: 0}}
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
                                                fmt::arg("n", n),
                                                fmt::arg("l", 2 * pi),
                                                fmt::arg("order", order),
                                                fmt::arg("scheme", scheme),
                                                fmt::arg("dt", 0.8 / n)));
      auto simulation = after(resolved, n);
      const FlowState state = viewing_copy(*simulation);
      const double t = state.time;
      const double nu = 0.1;
      const double kappa = 0.025;
      const double of_heat = -t * std::exp(-nu * t);  // nu = kappa
      const double of_salt = 2 * (std::exp(-nu * t) - std::exp(-kappa * t)) / (kappa - nu);
      const auto exact = [&](double a, double mean) {
        return at_centres(resolved, [&, a, mean](double x, double, double) {
          return a * std::sin(x - 0.7 * t) + mean;
        });
      };
      errors.push_back(
          std::max(distance(resolved, values_of(state, "temperature"), exact(of_heat, 0)),
                   distance(resolved, values_of(state, "salt"), exact(of_salt, -0.35 * t))));
      EXPECT_NEAR(figure(*simulation, "salt_mean"), -0.35 * t, 64 * epsilon());
    }
    const std::string what =
        fmt::format("{}, order {}: {} {}", scheme, order, errors[0], errors[1]);
    EXPECT_LT(errors[1], is_double() ? most : std::max(most, 2e-4)) << what;
    if (is_double()) {
      EXPECT_GT(order_of(errors[0], errors[1]), least_order) << what;
    }
  }
}

/// Vertical waves in a stratification of temperature and salt, Pr = 1: w = cos(N t) sin x exp(-nu
/// t), q = - G/N sin(N t) sin x exp(-nu t), N^2 = beta (G_T + b G_s). One is a periodic box alone.
TEST_P(Scalars, with_mean_gradients_carry_waves) {
  const double gradient = 1;
  const double of_salt = -0.8;
  const double weight = -0.75;
  const double beta = 4;
  const double frequency = std::sqrt(beta * (gradient + weight * of_salt));
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    std::vector<double> errors;
    for (const int n : {16, 32}) {
      const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [{n}, 5, 6], length: [{l:.17g}, 1, 2]}}
fluid: {{reynolds: 50, prandtl: 1}}
buoyancy: {{rayleigh: 10000, direction: z, reference_temperature: 0}}
temperature: {{mean_gradient: [0, 0, {g}]}}
scalars: {{salt: {{prandtl: 1, mean_gradient: [0, 0, {s}], buoyancy: {b}}}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [0, 0, "sin(x)"], temperature: 0}}
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
                                                fmt::arg("n", n),
                                                fmt::arg("l", 2 * pi),
                                                fmt::arg("g", gradient),
                                                fmt::arg("s", of_salt),
                                                fmt::arg("b", weight),
                                                fmt::arg("scheme", scheme),
                                                fmt::arg("dt", 1.6 / n)));
      const FlowState state = viewing_copy(*after(resolved, n));
      const double decay = std::exp(-state.time / 50);
      const auto sine = [&](double amplitude) {
        return at_centres(resolved,
                          [=](double x, double, double) { return amplitude * std::sin(x); });
      };
      const double turned = std::sin(frequency * state.time) / frequency * decay;
      errors.push_back(
          std::max({distance(resolved,
                             values_of(state, "velocity_z"),
                             sine(std::cos(frequency * state.time) * decay)),
                    distance(resolved, values_of(state, "temperature"), sine(-gradient * turned)),
                    distance(resolved, values_of(state, "salt"), sine(-of_salt * turned))}));
    }
    const std::string what = fmt::format("{}: {} {}", scheme, errors[0], errors[1]);
    EXPECT_LT(errors[1], 4e-3) << what;
    EXPECT_GT(order_of(errors[0], errors[1]), 1.85) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Scalars, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_scalars
