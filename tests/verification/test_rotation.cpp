/// Rotation of the frame: its operator, and flows with exact solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/coriolis.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "tests/projection/staggered_grids.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_rotation {
namespace {

using std::numbers::pi;

class Rotation : public OnEveryTarget {};

constexpr PerAxis<double> oblique{0.3, -0.5, 0.7};

/// Velocities on the host, random or uniform, 0 on boundary faces.
template <class Real>
class HostFlow {
 public:
  HostFlow(const StaggeredGrid& grid, Extents cells)
      : grid_(grid),
        cells_(cells),
        layout_(cells, {orders_of(grid)[0] - 1, orders_of(grid)[1] - 1, orders_of(grid)[2] - 1}) {
    for (auto& field : fields_) field.assign(layout_.count(sizeof(Real)) + 64, Real(0));
    for (int a = 0; a < 3; ++a) {
      const AxisMetricValues exact = metric_values(grid[a], 0, cells[static_cast<int>(a)]);
      arrays_[a][0].assign(exact.share_below.begin(), exact.share_below.end());
      arrays_[a][1].assign(exact.share_above.begin(), exact.share_above.end());
    }
  }

  template <class ValueAt>
  void set(const ValueAt& value_at) {
    for (int component = 0; component < 3; ++component) {
      const FieldView<Real> q = view()[component];
      for_each_point(layout_.all_points(), [&](Index3 c) {
        const bool is_wall = c[component] == 0 && !axis(component).is_periodic;
        q.set(c, is_wall ? Real(0) : static_cast<Real>(value_at(component)));
      });
      for_each_point(layout_.all_stored(), [&](Index3 c) {
        Index3 image = c;
        for (int a = 0; a < 3; ++a) {
          const int n = cells_[a];
          if (axis(a).is_periodic) {
            image[a] = periodic_image(c[a], n);
          } else if (c[a] < 0 || c[a] >= n) {
            q.set(c, Real(0));
            return;
          }
        }
        q.set(c, q(image));
      });
    }
  }

  [[nodiscard]] VelocityView<Real> view() {
    return {{layout_.field_view(fields_[0].data()),
             layout_.field_view(fields_[1].data()),
             layout_.field_view(fields_[2].data())}};
  }
  [[nodiscard]] GridMetrics<Real> metrics() const {
    GridMetrics<Real> all{};
    for (int a = 0; a < 3; ++a) {
      all.axes[a].share_below = arrays_[a][0].data() + metric_ghosts;
      all.axes[a].share_above = arrays_[a][1].data() + metric_ghosts;
    }
    return all;
  }
  [[nodiscard]] const StaggeredAxis& axis(int a) const { return grid_[a]; }
  [[nodiscard]] bool is_unknown(int component, Index3 c) const {
    return c[component] > 0 || axis(component).is_periodic;
  }
  /// Of the control volume of a component.
  [[nodiscard]] double volume(int component, Index3 c) const {
    double volume = 1;
    for (int a = 0; a < 3; ++a)
      volume *= a == component ? axis(a).centre_distance(c[a]) : axis(a).width(c[a]);
    return volume;
  }
  [[nodiscard]] Box points() const { return layout_.all_points(); }

 private:
  StaggeredGrid grid_;
  Extents cells_;
  FieldLayout layout_;
  PerAxis<std::vector<Real>> fields_;
  PerAxis<std::array<std::vector<Real>, 2>> arrays_;
};

template <class Real, class Visit>
void for_each_acceleration(HostFlow<Real>& flow, const StaggeredGrid& grid, const Visit& visit) {
  const AnyOrders<Real> orders = any_orders<Real>(grid);
  PerAxis<Real> rate;
  for (int a = 0; a < 3; ++a) rate[a] = static_cast<Real>(2 * oblique[a]);
  for_each_point(flow.points(), [&](Index3 point) {
    const auto c = flow.view()[0].spot(point);
    const auto along = [&]<Axis axis>() {
      return double(coriolis_at<axis>(flow.view().as_const(), flow.metrics(), orders, rate, c));
    };
    const PerAxis<double> acceleration{along.template operator()<Axis::x>(),
                                       along.template operator()<Axis::y>(),
                                       along.template operator()<Axis::z>()};
    for (int component = 0; component < 3; ++component) {
      if (flow.is_unknown(component, point)) visit(component, point, acceleration[component]);
    }
  });
}

std::vector<StaggeredGrid> grids_to_turn(Extents cells) {
  using enum AxisKind;
  std::vector<StaggeredGrid> grids;
  for (const PerAxis<AxisKind>& kinds :
       {PerAxis<AxisKind>{stretched_periodic, stretched_walled, uniform_periodic},
        PerAxis<AxisKind>{stretched_walled, uniform_walled, stretched_periodic},
        PerAxis<AxisKind>{stretched_walled, stretched_walled, stretched_walled},
        PerAxis<AxisKind>{stretched_periodic, stretched_periodic, stretched_periodic}})
    grids.push_back(grid_of(kinds, cells));
  for (const PerAxis<int>& orders : {PerAxis<int>{2, 2, 2},
                                     PerAxis<int>{6, 2, 6},
                                     PerAxis<int>{4, 4, 4},
                                     PerAxis<int>{8, 8, 8},
                                     PerAxis<int>{4, 8, 6}}) {
    grids.push_back(grid_of({uniform_periodic, uniform_periodic, uniform_periodic}, cells));
    for (int a = 0; a < 3; ++a) grids.back()[a].order = orders[a];
  }
  grids.push_back(grid_of({uniform_periodic, stretched_walled, uniform_periodic}, cells));
  grids.back()[0].order = grids.back()[2].order = 6;
  return grids;
}

template <class Real>
void expect_no_work() {
  const Extents cells{11, 9, 10};
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for (const StaggeredGrid& grid : grids_to_turn(cells)) {
    HostFlow<Real> flow(grid, cells);
    flow.set([&](int /*component*/) { return normal(generator); });
    double work = 0;
    double sum_of_magnitudes = 0;
    double largest = 0;
    for_each_acceleration(flow, grid, [&](int component, Index3 c, double acceleration) {
      const double term =
          flow.volume(component, c) * double(flow.view()[component](c)) * acceleration;
      work += term;
      sum_of_magnitudes += std::abs(term);
      largest = larger_or_nan(largest, std::abs(acceleration));
    });
    EXPECT_GT(largest, 0.5) << name_of(grid);
    EXPECT_LT(std::abs(work), 16 * double(std::numeric_limits<Real>::epsilon()) * sum_of_magnitudes)
        << name_of(grid) << orders_of(grid)[0] << orders_of(grid)[1] << orders_of(grid)[2];
  }
}
TEST(coriolis, does_no_work) {
  expect_no_work<double>();
  expect_no_work<float>();
}

TEST(coriolis, of_a_uniform_flow_is_the_vector_product) {
  const Extents cells{11, 9, 10};
  const PerAxis<double> v{0.4, 1.1, -0.6};
  for (const StaggeredGrid& grid : grids_to_turn(cells)) {
    HostFlow<double> flow(grid, cells);
    flow.set([&](int component) { return v[component]; });
    int count = 0;
    for_each_acceleration(flow, grid, [&](int component, Index3 c, double acceleration) {
      for (int a = 0; a < 3; ++a)  // far from walls, where the flow is not uniform
        if (!flow.axis(a).is_periodic && (c[a] < 2 || c[a] > cells[a] - 2)) return;
      const auto next = static_cast<std::size_t>((component + 1) % 3);
      const auto last = static_cast<std::size_t>((component + 2) % 3);
      EXPECT_NEAR(acceleration, -2 * (oblique[next] * v[last] - oblique[last] * v[next]), 1e-14);
      ++count;
    });
    EXPECT_GT(count, 0);
  }
}

/// V turned by an angle about an axis of length one.
PerAxis<double> turned(const PerAxis<double>& v, const PerAxis<double>& axis, double angle) {
  double along = 0;
  for (int a = 0; a < 3; ++a) along += axis[a] * v[a];
  PerAxis<double> result{};
  for (int a = 0; a < 3; ++a) {
    const std::size_t next = (a + 1) % 3;
    const std::size_t last = (a + 2) % 3;
    result[a] = v[a] * std::cos(angle) +
                (axis[next] * v[last] - axis[last] * v[next]) * std::sin(angle) +
                axis[a] * along * (1 - std::cos(angle));
  }
  return result;
}

constexpr PerAxis<double> wind{0.4, -0.25, 0.15};

std::string inertial_oscillation(const std::string& scheme,
                                 const PerAxis<double>& axis,
                                 double dt) {
  return fmt::format(
      R"yaml(
scheme: projection
grid: {{points: [6, 5, 4], stretching: {{y: {{coordinates: [0, 0.1, 0.3, 0.5, 0.85, 1]}}}}}}
fluid: {{reynolds: 100}}
rotation: {{rate: [{:.17g}, {:.17g}, {:.17g}]}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: [{}, {}, {}]}}
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
      axis[0] / 2,
      axis[1] / 2,
      axis[2] / 2,
      wind[0],
      wind[1],
      wind[2],
      scheme,
      dt);
}

/// Of a uniform flow [U].
PerAxis<double> wind_of(const FlowState& state) {
  return {values_of(state, "velocity_x")[7],
          values_of(state, "velocity_y")[7],
          values_of(state, "velocity_z")[7]};
}
double distance_of(const PerAxis<double>& a, const PerAxis<double>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const std::vector<PerAxis<double>> axes_of_rotation{
    {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {2.0 / 3, -1.0 / 3, 2.0 / 3}};

/// A uniform flow turns by - 2 Omega t.
TEST_P(Rotation, makes_an_inertial_oscillation) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const bool is_implicit = scheme == "implicit";
    for (const auto& axis : axes_of_rotation) {
      std::vector<double> errors;
      for (const int steps : {50, 100}) {
        const double dt = 2 * pi / steps;
        const auto flow = after(case_of(inertial_oscillation(scheme, axis, dt)), steps / 2);
        errors.push_back(distance_of(wind_of(viewing_copy(*flow)), turned(wind, axis, -pi)));
      }
      const std::string what = fmt::format("{} {}: {}, {}", scheme, axis[0], errors[0], errors[1]);
      // implicit: the period is wrong by (2 Omega dt)^2/24, and the ellipse is one
      EXPECT_LT(errors[1], is_implicit ? 1e-3 : 2e-5) << what;
      if (is_double()) {
        EXPECT_GT(order_of(errors[0], errors[1]), is_implicit ? 1.95 : 2.95) << what;
      }
    }
  }
}

TEST_P(Rotation, has_the_period_that_algebra_gives) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  for (const double turn : {0.1, 0.5, 0.9}) {
    auto flow = started(case_of(inertial_oscillation("implicit", {0, 0, 1}, turn)));
    std::vector<double> u;
    for (int n = 0; n < 200; ++n) {
      flow->advance();
      u.push_back(wind_of(viewing_copy(*flow))[0]);
    }
    // det 1 and trace 2 - (2 Omega dt)^2: neutral, cos(angle) = 1 - (2 Omega dt)^2/2
    for (std::size_t n = 2; n < u.size(); ++n)
      ASSERT_NEAR(u[n] - (2 - turn * turn) * u[n - 1] + u[n - 2], 0, 1e-13) << turn;
  }
}

TEST_P(Rotation, keeps_the_amplitude_of_an_inertial_oscillation) {
  for (const auto& axis : axes_of_rotation) {
    const double turn = 2 * pi / 100;
    auto flow = after(case_of(inertial_oscillation("implicit", axis, turn)), 100);
    const double at_first = flow->diagnostics().kinetic_energy;
    for (int n = 0; n < 1000; ++n) flow->advance();
    // The phase has moved by ten periods times (2 Omega dt)^2/24.
    EXPECT_NEAR(flow->diagnostics().kinetic_energy, at_first, 1e-3 * at_first);
    auto stages = started(case_of(inertial_oscillation("runge_kutta", axis, turn)));
    const double at_start = stages->diagnostics().kinetic_energy;
    for (int n = 0; n < 1000; ++n) stages->advance();
    const double loss = 1 - stages->diagnostics().kinetic_energy / at_start;
    EXPECT_LT(std::abs(loss), 2 * 1000 * std::pow(turn, 4) / 24 + 1000 * epsilon());
  }
}

/// Waves of all directions, small enough not to advect: the fastest grow by 6e-6 in a step.
TEST_P(Rotation, about_any_axis_lets_no_wave_grow) {
  const std::string yaml = R"yaml(
scheme: projection
grid: {points: [9, 8, 10], stretching: {z: {coordinates: [0, 0.05, 0.15, 0.3, 0.4, 0.5, 0.6, 0.75, 0.85, 0.95, 1]}}}
fluid: {reynolds: 1e12}
rotation: {rate: [0.3, -0.2, 0.34641016151377546]}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {noise: {amplitude: 1e-5}}
time: {step: 0.25, steps: 1000}
)yaml";
  auto flow = after(case_of(yaml), 10);
  const double at_first = flow->diagnostics().kinetic_energy;
  double largest = 0;
  for (int n = 0; n < 500; ++n) {
    flow->advance();
    largest = larger_or_nan(largest, flow->diagnostics().kinetic_energy);
  }
  EXPECT_GT(at_first, 1e-12);
  EXPECT_LT(largest, 1.01 * at_first);
  EXPECT_GT(flow->diagnostics().kinetic_energy, 0.98 * at_first);
}

/// A plane wave with k = (1, 0, 1) whose curl is proportional to it: exact, also with advection.
std::string inertial_wave(const std::string& scheme, const std::string& order, int n, double dt) {
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: [{n}, {m}, {n}], length: [{two_pi:.17g}, 1, {two_pi:.17g}]}}
accuracy: {{order: {order}}}
fluid: {{reynolds: 100}}
rotation: {{rate: [0.6, 0.8, 1.4]}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["-sin(x+z)/sqrt(2)", "cos(x+z)", "sin(x+z)/sqrt(2)"]}}
time: {{scheme: {scheme}, step: {dt:.17g}, steps: 100000}}
)yaml",
                     fmt::arg("n", n),
                     fmt::arg("m", 8),
                     fmt::arg("two_pi", 2 * pi),
                     fmt::arg("order", order),
                     fmt::arg("scheme", scheme),
                     fmt::arg("dt", dt));
}

TEST_P(Rotation, carries_an_inertial_wave_with_the_order_of_the_scheme) {
  struct Scheme {
    const char *scheme, *order;
    double least_order, error;
  };
  for (const Scheme& of : {Scheme{"implicit", "2", 1.9, 0.06},
                           Scheme{"runge_kutta", "2", 1.9, 0.05},
                           Scheme{"runge_kutta", "[6, 2, 6]", 2.9, 1e-3},
                           Scheme{"runge_kutta", "8", 2.9, 1e-3}}) {
    std::vector<double> errors;
    for (const int n : {16, 32}) {
      const int steps = 2 * n;
      const Case resolved = case_of(inertial_wave(of.scheme, of.order, n, 2.0 / steps));
      const FlowState state = viewing_copy(*after(resolved, steps));
      const double frequency = 2 * (0.6 + 1.4) / std::numbers::sqrt2;
      const auto exact = at_centres(resolved, [&](double x, double, double z) {
        return std::cos(x + z - frequency * state.time) * std::exp(-2.0 / 100 * state.time);
      });
      errors.push_back(distance(resolved, values_of(state, "velocity_y"), exact));
    }
    const std::string what =
        fmt::format("{} {}: {}, {}", of.scheme, of.order, errors[0], errors[1]);
    RecordProperty(std::string(of.scheme) + of.order, what);
    EXPECT_LT(errors[1], of.error) << what;
    if (is_double() || of.least_order < 2) {
      EXPECT_GT(order_of(errors[0], errors[1]), of.least_order) << what;
    }
  }
}

/// The laminar layer of Ekman over a wall at rest, with u = 1 and w = 0 far above it, up to a plane
/// of symmetry at y = 2: nu W'' = - i f (W - 1) for W = u + i w, f = 2 Omega = 1.
struct Ekman {
  static constexpr double height = 2, nu = 0.05;
  static double depth() { return std::sqrt(2 * nu); }
  static std::complex<double> exact(double y) {
    const std::complex<double> slope = std::complex<double>(1, -1) / depth();
    return 1.0 - std::cosh(slope * (height - y)) / std::cosh(slope * height);
  }
  static std::string yaml(const std::string& scheme, int n, bool is_stretched) {
    const std::complex<double> c = std::cosh(std::complex<double>(1, -1) / depth() * height);
    const std::string a = fmt::format("(({}-y)/{:.17g})", height, depth());
    const std::string p = fmt::format("(exp{0}+exp(-{0}))/2*cos{0}", a);
    const std::string q = fmt::format("(exp{0}-exp(-{0}))/2*sin{0}", a);
    const double norm = std::norm(c);
    return fmt::format(
        R"yaml(
scheme: projection
grid: {{points: [4, {}, 5], length: [1, {}, 1]{}}}
fluid: {{reynolds: {:.17g}}}
rotation: {{rate: [0, 0.5, 0]}}
boundaries:
  x: periodic
  y_min: {{type: wall}}
  y_max: {{type: symmetry}}
  z: periodic
initial: {{velocity: ["1-({p}*{:.17g}-{q}*{:.17g})", 0, "{p}*{:.17g}+{q}*{:.17g}"]}}
forcing: {{type: pressure_gradient, value: [0, 0, -1]}}
time: {{scheme: {}, step: 0.1, steps: 100000}}
)yaml",
        n,
        height,
        is_stretched ? ", stretching: {y: {type: tanh, factor: 1.5, fine_at: low}}" : "",
        1 / nu,
        c.real() / norm,
        c.imag() / norm,
        c.imag() / norm,
        c.real() / norm,
        scheme,
        fmt::arg("p", "(" + p + ")"),
        fmt::arg("q", "(" + q + ")"));
  }
};

TEST_P(Rotation, makes_the_layer_of_ekman_with_second_order) {
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    for (const bool is_stretched : {false, true}) {
      std::vector<double> errors;
      for (const int n : {16, 32}) {
        const Case resolved = case_of(Ekman::yaml(scheme, n, is_stretched));
        const FlowState state = viewing_copy(*after(resolved, 400));
        const auto u =
            at_centres(resolved, [](double, double y, double) { return Ekman::exact(y).real(); });
        const auto w =
            at_centres(resolved, [](double, double y, double) { return Ekman::exact(y).imag(); });
        errors.push_back(std::hypot(distance(resolved, values_of(state, "velocity_x"), u),
                                    distance(resolved, values_of(state, "velocity_z"), w)));
      }
      const std::string what =
          fmt::format("{} stretched {}: {}, {}", scheme, is_stretched, errors[0], errors[1]);
      RecordProperty(scheme + (is_stretched ? "_stretched" : ""), what);
      EXPECT_LT(errors[1], 4e-3) << what;
      EXPECT_GT(errors[0], 1e-4) << what;
      EXPECT_GT(order_of(errors[0], errors[1]), 1.85) << what;
    }
  }
}

/// Vortices with all three components in a periodic box or between walls; of implicit steps these
/// are porous, with a flow through them.
std::string vortices(const std::string& scheme,
                     const std::string& order,
                     bool has_walls,
                     double reynolds,
                     double dt) {
  const bool is_porous = has_walls && scheme == "implicit";
  const std::string walls = fmt::format(
      "{{x: periodic, z: periodic, y_min: {{{0}, temperature: 0}}, y_max: {{{0}, temperature: "
      "0}}}}",
      is_porous ? "type: inflow, velocity: [0, 0.2, 0]" : "type: wall");
  return fmt::format(
      R"yaml(
scheme: projection
grid: {{points: [12, 11, 10], length: [2, 1, 1.5]{}}}
accuracy: {{order: {}}}
fluid: {{reynolds: {}, prandtl: 0.7}}
buoyancy: {{rayleigh: {}}}
rotation: {{rate: [0.4, 0.7, -0.5]}}
boundaries: {}
initial:
  velocity:
    - "sin(pi*x)*sin(2*pi*y)"
    - "{}+(sin(4*pi*z/3)-cos(pi*x))*sin(pi*y)^2"
    - "sin(2*pi*y)*(0.6*sin(pi*x)+0.75*cos(4*pi*z/3))"
  temperature: "0.1*sin(pi*x)*sin(2*pi*y)"
time: {{scheme: {}, step: {:.17g}, steps: 100000}}
)yaml",
      has_walls ? ", stretching: {y: {type: tanh, factor: 1.2}}" : "",
      order,
      reynolds,
      0.1 * reynolds * reynolds,
      has_walls ? walls : "{x: periodic, y: periodic, z: periodic}",
      is_porous ? 0.2 : 0.0,
      scheme,
      dt);
}

TEST_P(Rotation, and_advection_have_second_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  struct Kind {
    const char* scheme;
    bool has_walls;
    double least_order;
  };
  for (const Kind& kind : {Kind{"implicit", false, 1.9},
                           Kind{"implicit", true, 1.85},
                           Kind{"runge_kutta", false, 2.8},
                           Kind{"runge_kutta", true, 1.85}}) {
    std::vector<FlowState> states;
    for (const int steps : {10, 20, 40})
      states.push_back(viewing_copy(
          *after(case_of(vortices(kind.scheme, "2", kind.has_walls, 50, 0.4 / steps)), steps)));
    const Case resolved = case_of(vortices(kind.scheme, "2", kind.has_walls, 50, 0.01));
    for (const char* const name : {"velocity_x", "velocity_y", "velocity_z"}) {
      const double coarse =
          distance(resolved, values_of(states[0], name), values_of(states[1], name));
      const double fine =
          distance(resolved, values_of(states[1], name), values_of(states[2], name));
      RecordProperty(fmt::format("{}_{}_{}", kind.scheme, kind.has_walls, name),
                     fmt::format("{:.2f}", order_of(coarse, fine)));
      EXPECT_GT(order_of(coarse, fine), kind.least_order)
          << kind.scheme << ' ' << kind.has_walls << ' ' << name << ' ' << coarse << ' ' << fine;
      EXPECT_GT(fine, 1e-12);
    }
  }
}

/// Without friction the energy of a flow stays, but for what the time scheme loses or makes.
TEST_P(Rotation, keeps_the_energy_of_a_flow) {
  struct Kind {
    const char *scheme, *order;
  };
  for (const Kind& kind : {Kind{"implicit", "2"},
                           Kind{"runge_kutta", "2"},
                           Kind{"runge_kutta", "[6, 2, 6]"},
                           Kind{"runge_kutta", "8"}}) {
    const auto change = [&](int steps) {
      Case resolved = case_of(vortices(kind.scheme, kind.order, false, 1e12, 0.4 / steps));
      resolved.buoyancy.reset();
      auto flow = started(resolved);
      const double at_start = flow->diagnostics().kinetic_energy;
      for (int n = 0; n < steps; ++n) flow->advance();
      return flow->diagnostics().kinetic_energy / at_start - 1;
    };
    const double coarse = change(50);
    const double fine = change(100);
    const bool is_implicit = std::string(kind.scheme) == "implicit";
    const std::string what = fmt::format("{} {}: {}, {}", kind.scheme, kind.order, coarse, fine);
    RecordProperty(std::string(kind.scheme) + kind.order, what);
    EXPECT_LT(std::abs(fine), (is_implicit ? 2e-4 : 2e-6) + 400 * epsilon()) << what;
    if (is_double()) {
      EXPECT_GT(order_of(std::abs(coarse), std::abs(fine)), is_implicit ? 1.8 : 2.8) << what;
    }
  }
}

struct RotatingRun {
  const char *scheme, *order;
  bool has_walls;
};
const std::vector<RotatingRun> runs{{"implicit", "2", false},
                                    {"implicit", "2", true},
                                    {"runge_kutta", "[6, 2, 6]", true},
                                    {"runge_kutta", "4", false}};

std::string yaml_of(const RotatingRun& run) {
  return vortices(run.scheme, run.has_walls ? "2" : run.order, run.has_walls, 50, 0.01);
}

TEST_P(Rotation, goes_on_bit_for_bit) {
  for (const RotatingRun& run : runs) {
    const Case resolved = case_of(yaml_of(run));
    EXPECT_TRUE(goes_on_bit_for_bit(resolved)) << run.scheme << run.has_walls;
  }
}

TEST_P(Rotation, is_the_same_on_several_ranks) {
  for (const RotatingRun& run : runs) {
    const Case resolved = case_of(yaml_of(run));
    for (const int ranks : {1, 2, 3}) {
      EXPECT_LT(difference_on_ranks(resolved, ranks, {"velocity_x", "velocity_y", "velocity_z"}),
                200 * epsilon())
          << run.scheme << run.has_walls << ", ranks " << ranks;
    }
  }
}

/// A body at rest stays so, and feels a force, in a wind that turns.
TEST_P(Rotation, leaves_bodies_at_rest) {
  const std::string yaml = fmt::format(R"yaml(
scheme: projection
grid: {{points: [12, 11, 10]}}
fluid: {{reynolds: 50}}
rotation: {{rate: [0.4, 0.7, -0.5]}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
solids: {{ball: {{shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.25}}}}
initial: {{velocity: [0.8, -0.5, 0.3]}}
time: {{step: 0.01, steps: 1000}}
)yaml");
  auto flow = after(case_of(yaml), 30);
  EXPECT_LT(figure(*flow, "body_slip"), 0.05);
  EXPECT_GT(std::abs(figure(*flow, "force_ball_x")), 1e-4);
  EXPECT_LT(flow->diagnostics().divergence_max, 2000 * epsilon());
}

TEST_P(Rotation, limits_the_step) {
  Case resolved = case_of(inertial_oscillation("runge_kutta", {0, 0, 1}, 0.1));
  resolved.rotation->rate = {0, 0, 50};  // 2 Omega dt = 10
  auto flow = started(case_of(inertial_oscillation("runge_kutta", {0, 0, 1}, 0.01)));
  EXPECT_NO_THROW(flow->advance());
  EXPECT_THROW(after(resolved, 1), CaseError);
  resolved.time.cfl = 1;
  resolved.time.step = std::numeric_limits<double>::infinity();
  auto stages = after(resolved, 1);
  EXPECT_LT(stages->time_step(), 0.95 * 1.7321 / 100);
  resolved.time.scheme = TimeScheme::implicit;
  resolved.initial.velocity = {Expression("1e-6"), Expression("0"), Expression("0")};
  auto implicit = after(resolved, 1);
  EXPECT_NEAR(implicit->time_step(), 1.0 / 100, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(devices, Rotation, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_rotation
