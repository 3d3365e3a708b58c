/// Gravity in any direction, and scalars that rise against each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/reduction.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_gravity {
namespace {

using std::numbers::pi;

class Gravity : public OnEveryTarget {};

/// A heated box with walls across x and y, stretched across y, and eddies; `what`: what drives it.
std::string box(const std::string& scheme, const std::string& what, double dt) {
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: [11, 12, 13], length: [1, 1.2, 2], stretching: {{y: {{type: tanh, factor: 1.2}}}}}}
{}
boundaries:
  x_min: {{type: wall, temperature: "0.3+y"}}
  x_max: {{type: symmetry}}
  y_min: {{type: wall, temperature: {{gradient: 0}}}}
  y_max: {{type: wall, temperature: 1}}
  z: periodic
initial: {{velocity: ["sin(pi*x)*cos(pi*z)", 0, "-cos(pi*x)*sin(pi*z)"], temperature: "y+0.3*sin(pi*z)"}}
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
                     what,
                     scheme,
                     dt);
}

TEST_P(Gravity, along_an_axis_gives_the_same_bits_by_letter_and_by_vector) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    for (const std::string letter : {"x", "y", "z"}) {
      const std::string vector = letter == "x"   ? "[3, 0, 0]"
                                 : letter == "y" ? "[0, 1, 0]"
                                                 : "[0, 0, 0.01]";
      const auto run = [&](const std::string& buoyancy, double dt) {
        const std::string what =
            "fluid: {reynolds: 50, prandtl: 2}\nbuoyancy: {reference_temperature: 0.4, " +
            buoyancy + "}";
        return state_of(*after(case_of(box(scheme, what, dt)), 8));
      };
      const FlowState by_letter = run("rayleigh: 1e5, direction: " + letter, 0.01);
      EXPECT_TRUE(same_bits(run("rayleigh: 1e5, direction: " + vector, 0.01), by_letter))
          << scheme << letter;
      EXPECT_TRUE(same_bits(run("richardson: 20, direction: " + letter, 0.01), by_letter))
          << scheme << letter;
    }
  }
}

/// A scalar that rises alone does what temperature does.
TEST_P(Gravity, lifts_scalars_without_temperature) {
  const std::string periodic =
      "boundaries: {x: periodic, y: periodic, z: periodic}\n"
      "grid: {points: [11, 12, 10], length: [1, 1.2, 2]}\nscheme: projection\n"
      "time: {step: 0.02, steps: 1000}\nbuoyancy: {direction: [1, -2, 3], ";
  const std::string start = "0.2*sin(2*pi*x)*cos(pi*z)";
  const FlowState warm =
      state_of(*after(case_of(periodic +
                              "richardson: 3}\nfluid: {reynolds: 40, prandtl: 2}\ninitial: "
                              "{temperature: \"" +
                              start + "\"}\ntemperature: {mean_gradient: [0, -0.5, 1]}\n"),
                      10));
  const FlowState salty = state_of(
      *after(case_of(periodic +
                     "richardson: 6}\nfluid: {reynolds: 40}\nscalars: {dye: {prandtl: 1, "
                     "initial: \"x*(1-x)\"}, salt: {prandtl: 2, buoyancy: 0.5, initial: \"" +
                     start + "\", mean_gradient: [0, -0.5, 1]}}\n"),
             10));
  for (const char* const name : {"velocity_x", "velocity_y", "velocity_z"})
    EXPECT_EQ(values_of(warm, name), values_of(salty, name)) << name;
  EXPECT_EQ(values_of(warm, "temperature"), values_of(salty, "salt"));
  EXPECT_GT(std::ranges::max(values_of(warm, "velocity_z")), 0.01);
}

/// T = e . x, which the pressure balances; cells stretched along two axes.
TEST_P(Gravity, leaves_a_stratified_fluid_at_rest) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const std::string t = "(2*x+3*y+6*z)/7";
    const Case resolved = case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [9, 10, 11], stretching: {{x: {{type: tanh, factor: 1.5}}, z: {{type: tanh, factor: 1.1}}}}}}
fluid: {{reynolds: 100, prandtl: 1}}
buoyancy: {{richardson: 1, direction: [2, 3, 6], reference_temperature: -1}}
boundaries:
  x_min: {{type: wall, temperature: "{0}"}}
  x_max: {{type: wall, temperature: "{0}"}}
  y_min: {{type: wall, temperature: "{0}"}}
  y_max: {{type: wall, temperature: "{0}"}}
  z_min: {{type: wall, temperature: "{0}"}}
  z_max: {{type: wall, temperature: "{0}"}}
initial: {{temperature: "{0}"}}
time: {{scheme: {1}, step: 0.1, steps: 1000}}
)yaml",
                                              t,
                                              scheme));
    const FlowState flow = viewing_copy(*after(resolved, 20));
    for (const char* const name : {"velocity_x", "velocity_y", "velocity_z"}) {
      double fastest = 0;
      for (const double u : values_of(flow, name)) fastest = larger_or_nan(fastest, std::abs(u));
      EXPECT_LE(fastest, 200 * epsilon()) << scheme << ' ' << name;
    }
  }
}

/// Plane waves V = d cos(omega t) sin(k . x) exp(-nu k^2 t), T = -sqrt(g/beta) sin(omega t) sin(k .
/// x) exp(-nu k^2 t) in a mean gradient g e, Pr = 1, with d along the part of e across k: omega = N
/// sin of the angle between e and k, N^2 = beta g. Nothing is advected but g e.
struct PlaneWave {
  static constexpr double beta = 2.25;
  static constexpr double gradient = 0.64;
  static constexpr double viscosity = 0.02;
  static constexpr PerAxis<double> e{1 / 3., 2 / 3., 2 / 3.};
  PerAxis<double> k;

  [[nodiscard]] double of_e() const { return e[0] * k[0] + e[1] * k[1] + e[2] * k[2]; }
  [[nodiscard]] double square() const { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }
  [[nodiscard]] double sine() const { return std::sqrt(1 - of_e() * of_e() / square()); }
  [[nodiscard]] double frequency() const { return std::sqrt(beta * gradient) * sine(); }
  [[nodiscard]] double direction(int a) const { return (e[a] - k[a] * of_e() / square()) / sine(); }
  [[nodiscard]] double shape(double x, double y, double z) const {
    return std::sin(k[0] * x + k[1] * y + k[2] * z);
  }
  [[nodiscard]] std::string yaml(const std::string& scheme,
                                 const std::string& order,
                                 int n,
                                 double dt,
                                 double amplitude = 1) const {
    const std::string sine_of_phase =
        fmt::format("sin({:.17g}*x+{:.17g}*y+{:.17g}*z)", k[0], k[1], k[2]);
    return fmt::format(
        R"yaml(
scheme: projection
grid: {{points: [{n}, {m}, {n}], length: [{l:.17g}, {l:.17g}, {l:.17g}]}}
accuracy: {{order: {order}}}
fluid: {{reynolds: {re}, prandtl: 1}}
buoyancy: {{richardson: {beta}, direction: [1, 2, 2], reference_temperature: 0}}
temperature: {{mean_gradient: [{gx:.17g}, {gy:.17g}, {gy:.17g}]}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["{u:.17g}*{s}", "{v:.17g}*{s}", "{w:.17g}*{s}"], temperature: 0}}
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
        fmt::arg("n", n),
        fmt::arg("m", n + n / 6),
        fmt::arg("l", 2 * pi),
        fmt::arg("order", order),
        fmt::arg("re", 1 / viscosity),
        fmt::arg("beta", beta),
        fmt::arg("gx", gradient * e[0]),
        fmt::arg("gy", gradient * e[1]),
        fmt::arg("u", amplitude * direction(0)),
        fmt::arg("v", amplitude * direction(1)),
        fmt::arg("w", amplitude * direction(2)),
        fmt::arg("s", sine_of_phase),
        fmt::arg("scheme", scheme),
        fmt::arg("dt", dt));
  }
};

struct WaveErrors {
  double of_fields, of_frequency;
};

/// After n steps of 1.8/n; the frequency is that of the turn of the amplitudes.
WaveErrors errors_of_wave(const PlaneWave& wave, const Case& resolved, int n) {
  const FlowState state = viewing_copy(*after(resolved, n));
  const double turn = wave.frequency() * state.time;
  const double decay = std::exp(-PlaneWave::viscosity * wave.square() * state.time);
  const auto shape =
      at_centres(resolved, [&](double x, double y, double z) { return wave.shape(x, y, z); });
  WaveErrors errors{};
  const auto measured = [&](const std::string& name, double exact_amplitude) {
    const std::vector<double> values = values_of(state, name);
    std::vector<double> exact = shape;
    for (double& value : exact) value *= exact_amplitude;
    errors.of_fields = std::max(errors.of_fields, distance(resolved, values, exact));
    return std::inner_product(shape.begin(), shape.end(), values.begin(), 0.0);
  };
  const double of_heat = std::sqrt(PlaneWave::gradient / PlaneWave::beta);
  const double heat = measured("temperature", -of_heat * std::sin(turn) * decay) / of_heat;
  double velocity = 0;
  for (int a = 0; a < 3; ++a) {
    const double width = resolved.grid.length[a] / resolved.grid.points[static_cast<int>(a)];
    const double mean_of_faces = std::cos(wave.k[a] * width / 2);
    const double here = measured(std::string("velocity_") + "xyz"[a],
                                 wave.direction(a) * mean_of_faces * std::cos(turn) * decay);
    velocity += wave.direction(a) * here / mean_of_faces;
  }
  errors.of_frequency = std::abs(std::atan2(-heat, velocity) / turn - 1);
  return errors;
}

TEST_P(Gravity, carries_waves_at_any_angle) {
  struct Kind {
    std::string scheme, order;
    double order_of_fields, order_of_frequency, most;
  };
  for (const auto& [scheme, order, order_of_fields, order_of_frequency, most] :
       std::vector<Kind>{{"implicit", "2", 1.85, 1.95, 1e-2},
                         {"runge_kutta", "2", 1.85, 1.95, 1e-2},
                         {"runge_kutta", "[6, 4, 8]", 2.7, 3.5, 2e-4}}) {
    for (const PlaneWave& wave :
         {PlaneWave{{1, -1, 1}}, PlaneWave{{1, 1, 1}}, PlaneWave{{2, 0, -1}}}) {
      std::vector<WaveErrors> errors;
      for (const int n : {12, 24})
        errors.push_back(errors_of_wave(wave, case_of(wave.yaml(scheme, order, n, 1.8 / n)), n));
      const std::string what =
          fmt::format("{} {}, angle sine {:.3f}: fields {} {}, frequency {} {}",
                      scheme,
                      order,
                      wave.sine(),
                      errors[0].of_fields,
                      errors[1].of_fields,
                      errors[0].of_frequency,
                      errors[1].of_frequency);
      RecordProperty(fmt::format("{}{}{}", scheme, order, wave.sine()), what);
      EXPECT_LT(errors[1].of_fields, most) << what;
      EXPECT_LT(errors[1].of_frequency, most) << what;
      EXPECT_GT(order_of(errors[0].of_fields, errors[1].of_fields), order_of_fields) << what;
      EXPECT_GT(order_of(errors[0].of_frequency, errors[1].of_frequency), order_of_frequency)
          << what;
    }
  }
}

/// The longest steps, N dt = 1.
TEST_P(Gravity, makes_no_energy_of_waves_in_long_steps) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  const PlaneWave wave{{1, -1, 1}};
  const double longest = 1 / std::sqrt(PlaneWave::beta * PlaneWave::gradient);
  Case resolved = case_of(wave.yaml("implicit", "2", 8, 0.999 * longest, 1e-4));
  resolved.fluid.reynolds = 1e8;
  auto flow = started(resolved);
  const double at_start = flow->diagnostics().kinetic_energy;
  double largest = 0;
  for (int n = 0; n < 400; ++n) {
    flow->advance();
    largest = larger_or_nan(largest, flow->diagnostics().kinetic_energy);
  }
  EXPECT_LE(largest, 1.01 * at_start);
  EXPECT_GT(largest, 0.5 * at_start);
}

TEST_P(Gravity, along_no_axis_limits_the_step_to_what_waves_allow) {
  const PlaneWave wave{{1, -1, 1}};
  const double longest = 1 / std::sqrt(PlaneWave::beta * PlaneWave::gradient);
  const std::string message = message_of<CaseError>(
      [&] { return after(case_of(wave.yaml("implicit", "2", 8, 1.5 * longest)), 1); });
  EXPECT_NE(message.find("at most in implicit steps with waves of buoyancy"), std::string::npos)
      << message;
  Case free = case_of(wave.yaml("implicit", "2", 8, 1));
  free.time.step = std::numeric_limits<double>::infinity();
  free.time.cfl = 5;
  auto flow = started(free);
  flow->advance();
  EXPECT_LE(flow->time(), 1.0001 * longest);
  EXPECT_GT(flow->time(), 0.5 * longest);
}

TEST_P(Gravity, along_no_axis_goes_on_bit_for_bit_and_is_the_same_on_several_ranks) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const std::string what =
        "fluid: {reynolds: 50, prandtl: 2}\nbuoyancy: {richardson: 4, direction: [-0.4, 1, 0.7], "
        "reference_temperature: 0.4}";
    const Case resolved = case_of(box(scheme, what, 0.02));
    EXPECT_TRUE(goes_on_bit_for_bit(resolved)) << scheme;
    for (const int ranks : {2, 3}) {
      EXPECT_LE(difference_on_ranks(resolved, ranks, {"velocity_x", "velocity_z", "temperature"}),
                500 * epsilon())
          << scheme << " ranks " << ranks;
    }
  }
}

/// Salt fingers: elevators along e, which vary with k across e, in warm salty fluid above cold
/// fresh one. Of w, T and s, which grow as exp(a t),
///
///   (a + nu k^2) w = beta (T - b s),   (a + nu k^2/Pr) T = - G w,   (a + nu k^2/Sc) s = - S w
///
/// S: the mean gradient of s along e. Nothing is advected but the mean gradients.
struct Fingers {
  static constexpr double reynolds = 10;
  static constexpr double prandtl = 7;
  static constexpr double schmidt = 21;
  static constexpr double gradient = 1;     // G
  static constexpr double of_salt = 0.5;    // S
  static constexpr double richardson = 1;   // beta
  static constexpr double wave_number = 5;  // k = (4, -3, 0), e = (3, 4, 0)/5
  double weight;                            // b

  [[nodiscard]] static double damping(double schmidt_number) {
    return wave_number * wave_number / (reynolds * schmidt_number);
  }
  /// beta (T - b s)/w less a + nu k^2.
  [[nodiscard]] double surplus(double a) const {
    return richardson *
               (weight * of_salt / (a + damping(schmidt)) - gradient / (a + damping(prandtl))) -
           a - damping(1);
  }
  /// The largest root, by bisection: beyond it the surplus falls.
  [[nodiscard]] double growth() const {
    double low = -damping(schmidt) * 0.9;
    double high = 10;
    for (int n = 0; n < 100; ++n) {
      const double middle = (low + high) / 2;
      (surplus(middle) > 0 ? low : high) = middle;
    }
    return low;
  }
  /// b where the growth is 0.
  [[nodiscard]] static double critical_weight() {
    return damping(schmidt) / of_salt * (gradient / damping(prandtl) + damping(1) / richardson);
  }
  [[nodiscard]] std::string yaml(const std::string& scheme, int n, double dt) const {
    const double a = growth();
    return fmt::format(
        R"yaml(
scheme: projection
grid: {{points: [{n}, {m}, 4], length: [{lx:.17g}, {ly:.17g}, 1]}}
fluid: {{reynolds: {re}, prandtl: {pr}}}
buoyancy: {{richardson: {beta}, direction: [3, 4, 0]}}
temperature: {{mean_gradient: [{tx:.17g}, {ty:.17g}, 0]}}
scalars: {{salt: {{prandtl: {sc}, buoyancy: {b:.17g}, mean_gradient: [{sx:.17g}, {sy:.17g}, 0], initial: "{s:.17g}*cos(4*x-3*y)"}}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["0.006*cos(4*x-3*y)", "0.008*cos(4*x-3*y)", 0], temperature: "{t:.17g}*cos(4*x-3*y)"}}
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
        fmt::arg("n", n),
        fmt::arg("m", n + 1),
        fmt::arg("lx", 2 * pi / 4),
        fmt::arg("ly", 2 * pi / 3),
        fmt::arg("re", reynolds),
        fmt::arg("pr", prandtl),
        fmt::arg("sc", schmidt),
        fmt::arg("beta", richardson),
        fmt::arg("tx", 0.6 * gradient),
        fmt::arg("ty", 0.8 * gradient),
        fmt::arg("b", -weight),
        fmt::arg("sx", 0.6 * of_salt),
        fmt::arg("sy", 0.8 * of_salt),
        fmt::arg("t", -0.01 * gradient / (a + damping(prandtl))),
        fmt::arg("s", -0.01 * of_salt / (a + damping(schmidt))),
        fmt::arg("scheme", scheme),
        fmt::arg("dt", dt));
  }
};

/// Of the kinetic energy from t = 4 to 8.
double growth_of(Simulation& flow, double dt) {
  const auto energy_after = [&](double time) {
    for (int n = 0; n < std::lround(time / dt); ++n) flow.advance();
    return flow.diagnostics().kinetic_energy;
  };
  const double early = energy_after(4);
  return std::log(energy_after(4) / early) / 8;
}

TEST_P(Gravity, lets_salt_fingers_grow_as_linear_theory_says) {
  const double critical = Fingers::critical_weight();
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const auto measured = [&](const Fingers& fingers, int n, double dt) {
      return growth_of(*started(case_of(fingers.yaml(scheme, n, dt))), dt);
    };
    const Fingers strong{2 * critical};
    const double exact = strong.growth();
    const double coarse = measured(strong, 16, 0.016) - exact;
    const double fine = measured(strong, 32, 0.008) - exact;
    const double below = measured({0.95 * critical}, 32, 0.008);
    const double above = measured({1.05 * critical}, 32, 0.008);
    const double onset = critical * (0.95 + 0.1 * below / (below - above));
    const std::string what = fmt::format(
        "{}: growth {} {} {}; onset {} {}", scheme, exact, coarse, fine, onset, critical);
    RecordProperty(scheme, what);
    EXPECT_LT(std::abs(fine), 0.01 * exact) << what;
    EXPECT_NEAR(order_of(std::abs(coarse), std::abs(fine)), 2, 0.2) << what;
    EXPECT_LT(below, 0) << what;
    EXPECT_GT(above, 0) << what;
    EXPECT_NEAR(onset, critical, 0.01 * critical) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Gravity, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_gravity
