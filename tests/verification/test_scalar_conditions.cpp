/// Value, gradient and transfer of scalars at walls, planes of symmetry, inflow and outflow:
/// against exact solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_scalar_conditions {
namespace {

using std::numbers::pi;

class ScalarConditions : public OnEveryTarget {};

/// x, y or z: the axis, and those after it in turn.
struct Axes {
  int across;
  [[nodiscard]] std::string name(std::size_t after = 0) const {
    return axis_names[(across + after) % 3];
  }
  /// [a, b, c] of what belongs to the axis and those after it.
  template <class Value>
  [[nodiscard]] std::string list(const Value& own, const Value& next, const Value& last) const {
    PerAxis<Value> all{};
    all[across] = own;
    all[(across + 1) % 3] = next;
    all[(across + 2) % 3] = last;
    return fmt::format("[{}, {}, {}]", all[0], all[1], all[2]);
  }
  [[nodiscard]] std::string periodic_others() const {
    return fmt::format("{}: periodic, {}: periodic", name(1), name(2));
  }
};

/// A uniform stream of 0.7 carries q = A(t) cos(1.3 s + p) (2 + sin(2 pi r)), A = 1 + sin(t)/2, s
/// from 0 to 1 across the faces and r along the next axis. Re = 10.
struct Manufactured {
  Axes axes;
  bool goes_through;  // the stream, from face to face; else along the next axis
  double prandtl, phase;

  static constexpr double k = 1.3;
  static constexpr double speed = 0.7;

  [[nodiscard]] std::string periodic_part() const {
    return fmt::format("(2+sin(2*pi*{}))", axes.name(1));
  }
  [[nodiscard]] std::string source() const {
    const double kappa = 1 / (10 * prandtl);
    const std::string amplitude = "(1+0.5*sin(t))";
    const std::string across = fmt::format("cos({}*{}+{})", k, axes.name(), phase);
    const std::string slope = fmt::format("{}*sin({}*{}+{})", -k, k, axes.name(), phase);
    const std::string along_slope = fmt::format("2*pi*cos(2*pi*{})", axes.name(1));
    const std::string carried = goes_through ? fmt::format("({})*{}", slope, periodic_part())
                                             : fmt::format("{}*{}", across, along_slope);
    return fmt::format(
        "0.5*cos(t)*{a}*{r}+{A}*(0.7*{c}+{kappa:.17g}*{a}*({k2:.17g}*{r}+4*pi^2*sin(2*pi*{next})))",
        fmt::arg("a", across),
        fmt::arg("r", periodic_part()),
        fmt::arg("A", amplitude),
        fmt::arg("c", carried),
        fmt::arg("kappa", kappa),
        fmt::arg("k2", k * k),
        fmt::arg("next", axes.name(1)));
  }
  /// The condition at an end, with `factor` sin and cos there as numbers.
  [[nodiscard]] std::string at(bool is_high, const std::string& condition) const {
    const double angle = (is_high ? k : 0) + phase;
    const double outward = is_high ? 1 : -1;
    const double transfer = 2.5;
    const double slope = -outward * k * std::sin(angle);
    const auto times = [&](double factor) {
      return fmt::format("\"{:.17g}*(1+0.5*sin(t))*{}\"", factor, periodic_part());
    };
    if (condition == "value") return times(std::cos(angle));
    if (condition == "gradient") return fmt::format("{{gradient: {}}}", times(slope));
    return fmt::format(
        "{{transfer: {}, outside: {}}}", transfer, times(std::cos(angle) + slope / transfer));
  }
  [[nodiscard]] std::string start() const {
    return fmt::format("cos({}*{}+{})*{}", k, axes.name(), phase, periodic_part());
  }
  [[nodiscard]] Function exact(double t) const {
    return [*this, t](double x, double y, double z) {
      const PerAxis<double> place{x, y, z};
      return (1 + 0.5 * std::sin(t)) * std::cos(k * place[axes.across] + phase) *
             (2 + std::sin(2 * pi * place[(axes.across + 1) % 3]));
    };
  }
};

/// Between two kinds of faces three scalars with different conditions at each end.
TEST_P(ScalarConditions, follow_a_manufactured_flow_with_second_order) {
  struct Kind {
    const char *low, *high, *scheme;
    PerAxis<std::array<const char*, 2>> conditions;
  };
  const std::vector<Kind> kinds{
      {"type: wall, velocity: {moving}",
       "type: symmetry",
       "implicit",
       {{{"value", "transfer"}, {"transfer", "gradient"}, {"gradient", "value"}}}},
      {"type: symmetry",
       "type: wall, velocity: {moving}",
       "runge_kutta",
       {{{"value", "transfer"}, {"transfer", "gradient"}, {"gradient", "value"}}}},
      {"type: inflow, velocity: {through}",
       "type: outflow, backflow: stabilised",
       "implicit",
       {{{"transfer", "transfer"}, {"value", "gradient"}, {"transfer", "value"}}}}};
  for (const Kind& kind : kinds) {
    for (int across = 0; across < 3; ++across) {
      const Axes axes{across};
      const bool is_explicit = kind.scheme == std::string("runge_kutta");  // along the other axes
      const bool goes_through = std::string(kind.high).find("outflow") != std::string::npos;
      const PerAxis<Manufactured> scalars{{{axes, goes_through, 0.7, 0.4},
                                           {axes, goes_through, 2, -0.8},
                                           {axes, goes_through, 0.3, 0.9}}};
      const std::string stream = goes_through ? axes.list(0.7, 0.0, 0.0) : axes.list(0.0, 0.7, 0.0);
      const auto face = [&](bool is_high) {
        const std::string words = fmt::format(fmt::runtime(is_high ? kind.high : kind.low),
                                              fmt::arg("moving", stream),
                                              fmt::arg("through", stream));
        const auto condition = [&](std::size_t n) {
          return scalars[n].at(is_high, kind.conditions[n].at(is_high ? 1 : 0));
        };
        return fmt::format("{{{}, temperature: {}, scalars: {{salt: {}, dye: {}}}}}",
                           words,
                           condition(0),
                           condition(1),
                           condition(2));
      };
      std::vector<PerAxis<double>> errors;
      for (const int n : {12, 24}) {
        const Case resolved = case_of(fmt::format(
            R"yaml(
scheme: projection
grid: {{points: {points}, length: [1, 1, 1], stretching: {{{name}: {{type: tanh, factor: 1}}}}}}
fluid: {{reynolds: 10, prandtl: 0.7}}
scalars:
  salt: {{prandtl: 2, initial: "{salt}", source: "{salt_source}"}}
  dye: {{prandtl: 0.3, initial: "{dye}", source: "{dye_source}"}}
boundaries: {{{others}, {name}_min: {low}, {name}_max: {high}}}
initial: {{velocity: {stream}, temperature: "{heat}"}}
forcing: {{type: formula, heat: "{heat_source}"}}
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
            fmt::arg("points", axes.list(n, n + n / 4, 5)),
            fmt::arg("name", axes.name()),
            fmt::arg("others", axes.periodic_others()),
            fmt::arg("low", face(false)),
            fmt::arg("high", face(true)),
            fmt::arg("stream", stream),
            fmt::arg("heat", scalars[0].start()),
            fmt::arg("heat_source", scalars[0].source()),
            fmt::arg("salt", scalars[1].start()),
            fmt::arg("salt_source", scalars[1].source()),
            fmt::arg("dye", scalars[2].start()),
            fmt::arg("dye_source", scalars[2].source()),
            fmt::arg("scheme", kind.scheme),
            fmt::arg("dt", is_explicit ? 0.6 / (n * n) : 0.24 / n)));
        const FlowState state = viewing_copy(*after(resolved, is_explicit ? n * n / 6 : n));
        auto& of_grid = errors.emplace_back();
        const PerAxis<const char*> names{"temperature", "salt", "dye"};
        for (int s = 0; s < 3; ++s)
          of_grid[s] = distance(resolved,
                                values_of(state, names[s]),
                                at_centres(resolved, scalars[s].exact(state.time)));
      }
      for (int s = 0; s < 3; ++s) {
        const std::string what = fmt::format("{} to {}, {}, scalar {}: {:.3g} {:.3g} ({:.2f})",
                                             kind.low,
                                             kind.high,
                                             axes.name(),
                                             s,
                                             errors[0][s],
                                             errors[1][s],
                                             order_of(errors[0][s], errors[1][s]));
        fmt::print("    {}\n", what);
        EXPECT_LT(errors[1][s], 2e-2) << what;
        EXPECT_GT(order_of(errors[0][s], errors[1][s]), 1.85) << what;
      }
    }
  }
}

/// A slab from 0 to 1 across an axis, without flow, Re Pr = 1.
std::string slab(const Axes& axes,
                 int n,
                 const std::string& low,
                 const std::string& high,
                 const std::string& start,
                 double dt,
                 const std::string& scheme = "implicit") {
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: {}, length: [1, 1, 1], stretching: {{{}: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 2, prandtl: 0.5}}
boundaries: {{{}, {}_min: {}, {}_max: {}}}
initial: {{velocity: [0, 0, 0], temperature: "{}"}}
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
                     axes.list(n, 4, 5),
                     axes.name(),
                     axes.periodic_others(),
                     axes.name(),
                     low,
                     axes.name(),
                     high,
                     start,
                     scheme,
                     dt);
}

/// Differences of linear profiles have no error: T = T_low - G (1/h_low + s), with
/// G = (T_low - T_high)/(1 + 1/h_low + 1/h_high).
TEST_P(ScalarConditions, conduction_between_transfers_is_that_of_resistances_in_series) {
  struct Pair {
    std::string low, high;
    double low_outside, high_outside, low_resistance, high_resistance;
  };
  const std::vector<Pair> pairs{{"{type: wall, temperature: {transfer: 4, outside: 1.5}}",
                                 "{type: symmetry, temperature: {transfer: 0.5, outside: -1}}",
                                 1.5,
                                 -1,
                                 0.25,
                                 2},
                                {"{type: symmetry, temperature: 2}",
                                 "{type: wall, temperature: {transfer: 5, outside: 0.5}}",
                                 2,
                                 0.5,
                                 0,
                                 0.2}};
  for (const Pair& pair : pairs) {
    for (int across = 0; across < 3; ++across) {
      const Axes axes{across};
      const Case resolved = case_of(slab(axes, 9, pair.low, pair.high, "0.3", 0.02));
      auto simulation = after(resolved, 1500);
      const double gradient =
          (pair.low_outside - pair.high_outside) / (1 + pair.low_resistance + pair.high_resistance);
      const auto exact = at_centres(resolved, [&](double x, double y, double z) {
        return pair.low_outside - gradient * (pair.low_resistance + std::array{x, y, z}.at(across));
      });
      EXPECT_LT(distance(resolved, values_of(viewing_copy(*simulation), "temperature"), exact),
                200 * epsilon());
      for (const std::string& of : {"nusselt_" + axes.name() + "_min",
                                    "nusselt_" + axes.name() + "_max",
                                    std::string("nusselt_volume")})
        EXPECT_NEAR(figure(*simulation, of), 1, 2000 * epsilon()) << of;
    }
  }
}

/// The root of f between a and b.
double root_of(const std::function<double(double)>& f, double a, double b) {
  for (int n = 0; n < 200; ++n) {
    const double middle = (a + b) / 2;
    const bool is_beyond = (f(a) < 0) == (f(middle) < 0);
    (is_beyond ? a : b) = middle;
  }
  return a;
}

/// T = (cos(mu s) + a sin(mu s)) exp(-mu^2 t) of a slab that cools: on one side, mu tan mu = h; on
/// both, (mu^2 - h_0 h_1) tan mu = mu (h_0 + h_1), a = h_0/mu.
TEST_P(ScalarConditions, a_slab_that_cools_follows_its_slowest_mode) {
  for (const double low_transfer : {0.0, 3.0}) {
    for (const char* scheme : {"implicit", "runge_kutta"}) {
      for (int across = 0; across < 3; ++across) {
        const Axes axes{across};
        const double transfer = 1.5;
        const double mu = root_of(
            [&](double of) {
              return (of * of - low_transfer * transfer) * std::sin(of) -
                     of * (low_transfer + transfer) * std::cos(of);
            },
            0.1,
            pi - 0.1);
        const double share = low_transfer / mu;
        const int parts = scheme == std::string("runge_kutta") ? 4 : 1;  // explicit along others
        std::vector<double> errors;
        std::vector<double> rates;
        for (const int n : {10, 20}) {
          const Case resolved = case_of(
              slab(axes,
                   n,
                   low_transfer == 0
                       ? "{type: symmetry}"
                       : fmt::format("{{type: wall, temperature: {{transfer: {}, outside: 0}}}}",
                                     low_transfer),
                   fmt::format("{{type: {}, temperature: {{transfer: {}, outside: 0}}}}",
                               low_transfer == 0 ? "wall" : "symmetry",
                               transfer),
                   fmt::format("cos({mu:.17g}*{s})+{share:.17g}*sin({mu:.17g}*{s})",
                               fmt::arg("mu", mu),
                               fmt::arg("s", axes.name()),
                               fmt::arg("share", share)),
                   0.4 / n / parts,
                   scheme));
          auto simulation = started(resolved);
          const double before = figure(*simulation, "temperature_mean");
          for (int step = 0; step < n * parts; ++step) simulation->advance();
          const double t = simulation->time();
          rates.push_back(std::log(before / figure(*simulation, "temperature_mean")) / t);
          const auto exact = at_centres(resolved, [&](double x, double y, double z) {
            const double s = std::array{x, y, z}.at(across);
            return (std::cos(mu * s) + share * std::sin(mu * s)) * std::exp(-mu * mu * t);
          });
          errors.push_back(
              distance(resolved, values_of(viewing_copy(*simulation), "temperature"), exact));
        }
        const std::string what = fmt::format("{}, transfer {} and {}, {}: {} {}",
                                             scheme,
                                             low_transfer,
                                             transfer,
                                             axes.name(),
                                             errors[0],
                                             errors[1]);
        EXPECT_GT(order_of(errors[0], errors[1]), 1.8) << what;
        EXPECT_LT(errors[1], 2e-3) << what;
        EXPECT_NEAR(rates[1] / (mu * mu), 1, 5e-3) << what;
      }
    }
  }
}

/// Free slip with a temperature, from a start that no mode is alone in: T = s + SUM b_n sin(n pi s)
/// exp(-(n pi)^2 t), b_n of start - s.
TEST_P(ScalarConditions, free_slip_with_a_temperature_forgets_any_start) {
  const auto start = [](double s) { return s + s * s * (1 - s) * std::exp(2 * s); };
  std::vector<double> amplitudes;
  constexpr int modes = 60;
  constexpr int intervals = 4000;
  for (int mode = 1; mode <= modes; ++mode) {
    double sum = 0;
    for (int n = 0; n < intervals; ++n) {
      const double s = (n + 0.5) / intervals;
      sum += (start(s) - s) * std::sin(mode * pi * s);
    }
    amplitudes.push_back(2 * sum / intervals);
  }
  for (int across = 0; across < 3; ++across) {
    const Axes axes{across};
    std::vector<double> errors;
    for (const int n : {12, 24}) {
      const Case resolved = case_of(slab(axes,
                                         n,
                                         "{type: symmetry, temperature: 0}",
                                         "{type: symmetry, temperature: 1}",
                                         fmt::format("{0}+{0}^2*(1-{0})*exp(2*{0})", axes.name()),
                                         0.06 / n));
      const FlowState state = viewing_copy(*after(resolved, n));
      const auto exact = at_centres(resolved, [&](double x, double y, double z) {
        const double s = std::array{x, y, z}.at(across);
        double value = s;
        for (int mode = 1; mode <= modes; ++mode) {
          value += amplitudes.at(mode - 1) * std::sin(mode * pi * s) *
                   std::exp(-mode * mode * pi * pi * state.time);
        }
        return value;
      });
      errors.push_back(distance(resolved, values_of(state, "temperature"), exact));
    }
    EXPECT_GT(order_of(errors[0], errors[1]), 1.85) << errors[0] << ' ' << errors[1];
    EXPECT_LT(errors[1], 2e-3);
  }
}

/// The mean changes by what passes through the faces, here by the mean of both ends of a step; and
/// where all that is outside is alike, everything ends there.
TEST_P(ScalarConditions, balances_close_between_the_columns_of_time_series) {
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [11, 14, 9], length: [2, 1.5, 1], stretching: {y: {type: tanh, factor: 1.2}}}
fluid: {reynolds: 20, prandtl: 0.5}
scalars: {salt: {prandtl: 2, initial: "1+0.5*cos(2*x)*y"}}
boundaries:
  x_min: {type: wall, temperature: {transfer: 1, outside: 0.5}, scalars: {salt: {gradient: 0}}}
  x_max: {type: symmetry, temperature: {transfer: 3, outside: 0.5}, scalars: {salt: {transfer: 2, outside: 0.5}}}
  y_min: {type: symmetry, temperature: 0.5, scalars: {salt: 0.5}}
  y_max: {type: wall, velocity: ["0.5*sin(2*x)", 0, 0], temperature: {transfer: 20, outside: 0.5}, scalars: {salt: {transfer: 0, outside: 9}}}
  z: periodic
initial: {velocity: ["sin(pi*x/2)*cos(pi*y/1.5)", "-0.75*cos(pi*x/2)*sin(pi*y/1.5)", "0.1"], temperature: "1+sin(x)*y"}
time: {step: 0.002, steps: 100000}
)yaml");
  auto simulation = after(resolved, 30);
  const std::array<double, 2> lengths{2, 1.5};
  const auto gain = [&](const std::string& scalar, const std::string& prefix) {
    double sum = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      const std::string& face = face_names[n];
      const double inward = face.ends_with("min") ? 1 : -1;
      sum += inward * figure(*simulation, prefix + face) / lengths.at(face[0] == 'x' ? 0 : 1);
    }
    return std::pair{figure(*simulation, scalar + "_mean"), sum};
  };
  if (is_double()) {
    for (const auto& [scalar, prefix] : std::vector<std::array<std::string, 2>>{
             {"temperature", "heat_flux_"}, {"salt", "salt_flux_"}}) {
      const auto [before, rate_before] = gain(scalar, prefix);
      simulation->advance();
      const auto [after, rate_after] = gain(scalar, prefix);
      EXPECT_NEAR((after - before) / 0.002 / ((rate_before + rate_after) / 2), 1, 2e-4) << scalar;
    }
  }
  Case longer = resolved;
  longer.time.step = 0.2;
  auto at_rest = after(longer, 3000);
  for (const char* scalar : {"temperature", "salt"}) {
    for (const double value : values_of(viewing_copy(*at_rest), scalar))
      ASSERT_NEAR(value, 0.5, 500 * epsilon()) << scalar;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ScalarConditions, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_scalar_conditions
