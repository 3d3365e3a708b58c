/// Walls with slip and shear, blowing and suction, and walls that move, against exact flows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "tests/message_of.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_walls {
namespace {

constexpr double pi = 3.14159265358979323846;
const std::array<std::string, 2> time_schemes{"implicit", "runge_kutta"};

/// Axes by their role: walls across `across`, the flow along `along`, the third axis `span`.
struct Roles {
  int across;
  int along = (across + 1) % 3;
  int span = (across + 2) % 3;

  /// Values by role, in the order x, y, z.
  template <class Value>
  [[nodiscard]] std::string vector(const Value& of_along,
                                   const Value& of_across,
                                   const Value& of_span) const {
    PerAxis<std::string> all;
    all[along] = fmt::format("{}", of_along);
    all[across] = fmt::format("{}", of_across);
    all[span] = fmt::format("{}", of_span);
    return fmt::format("[{}, {}, {}]", all[0], all[1], all[2]);
  }
  /// A formula of A (across), S (along), Z (span) and t in x, y, z; in quotes.
  [[nodiscard]] std::string formula(const std::string& of_roles) const {
    std::string text;
    for (const char letter : of_roles) {
      const auto axis = letter == 'A' ? across : letter == 'S' ? along : span;
      const bool is_axis = letter == 'A' || letter == 'S' || letter == 'Z';
      text += is_axis ? axis_names[axis] : std::string(1, letter);
    }
    return '"' + text + '"';
  }
  [[nodiscard]] std::string boundaries(const std::string& low, const std::string& high) const {
    return fmt::format(
        "boundaries: {{{0}_min: {{type: wall{1}}}, {0}_max: {{type: wall{2}}}, "
        "{3}: periodic, {4}: periodic}}\n",
        axis_names[across],
        low,
        high,
        axis_names[along],
        axis_names[span]);
  }
  [[nodiscard]] std::string velocity(int axis) const {
    return fmt::format("velocity_{}", axis_names[axis]);
  }
  [[nodiscard]] std::string shear(const char* end) const {
    return fmt::format("wall_shear_{}_{}_{}", axis_names[across], end, axis_names[along]);
  }
  [[nodiscard]] double of(int axis, double x, double y, double z) const {
    return std::array{x, y, z}.at(axis);
  }
};

class Walls : public OnEveryTarget {
 protected:
  /// Odd, unequal extents, cells of different size across the walls, which are at 0 and 1.
  [[nodiscard]] static std::string channel(const Roles& roles,
                                           const std::string& boundaries,
                                           const std::string& scheme,
                                           double reynolds,
                                           const std::string& more) {
    return fmt::format(R"yaml(scheme: projection
grid: {{points: {}, length: {}, stretching: {{{}: {{type: tanh, factor: 1.3}}}}}}
fluid: {{reynolds: {}}}
{}time: {{step: 0.02, steps: 100000, scheme: {}}}
{})yaml",
                       roles.vector(7, 11, 5),
                       roles.vector(15, 1, 7),
                       axis_names[roles.across],
                       reynolds,
                       boundaries,
                       scheme,
                       more);
  }
  /// A steady flow along the walls, as a function of the distance from the low one.
  static void expect_profile(const Case& resolved,
                             const Simulation& simulation,
                             const Roles& roles,
                             const std::function<double(double)>& profile,
                             double tolerance) {
    const auto exact = at_centres(resolved, [&](double x, double y, double z) {
      return profile(roles.of(roles.across, x, y, z));
    });
    const auto found = values_of(viewing_copy(simulation), roles.velocity(roles.along));
    for (std::size_t n = 0; n < exact.size(); ++n) ASSERT_NEAR(found[n], exact[n], tolerance) << n;
  }
  /// With what is left of the start.
  [[nodiscard]] static double round_off() { return is_double() ? 1e-10 : 2e-5; }
};

TEST_P(Walls, couette_flow_slips_at_both_by_its_slip_length) {
  for (const int across : {0, 1, 2}) {
    for (const std::string& scheme : time_schemes) {
      for (const double l : {0.0, 0.013, 2.0}) {
        const Roles roles{across};
        const std::string slip = fmt::format(", slip_length: {}", l);
        const std::string high = slip + ", velocity: " + roles.vector(1.0, 0.0, -0.5);
        const Case resolved =
            case_of(channel(roles, roles.boundaries(slip, high), scheme, 0.2, ""));
        const auto simulation = after(resolved, 400);
        expect_profile(
            resolved,
            *simulation,
            roles,
            [&](double distance) { return (distance + l) / (1 + 2 * l); },
            round_off());
        const double shear = 1 / (0.2 * (1 + 2 * l));
        EXPECT_NEAR(figure(*simulation, roles.shear("min")), shear, 20 * round_off());
        EXPECT_NEAR(figure(*simulation, roles.shear("max")), -shear, 20 * round_off());
        EXPECT_NEAR(figure(*simulation, "friction_velocity"),
                    std::sqrt(shear * std::sqrt(1.25)),
                    20 * round_off());
      }
    }
  }
}

/// Along a wall at rest, driven by the shear 0.75 at the other one.
TEST_P(Walls, a_film_is_driven_by_the_given_shear) {
  for (const int across : {0, 1, 2}) {
    for (const std::string& scheme : time_schemes) {
      for (const bool is_low_driven : {false, true}) {
        const Roles roles{across};
        const std::string driven = ", shear: " + roles.vector(-0.75, 0.0, 0.0);
        const Case resolved = case_of(
            channel(roles,
                    is_low_driven ? roles.boundaries(driven, "") : roles.boundaries("", driven),
                    scheme,
                    0.2,
                    ""));
        const auto simulation = after(resolved, 800);
        expect_profile(
            resolved,
            *simulation,
            roles,
            [&](double y) { return 0.75 * (is_low_driven ? 1 - y : y); },
            round_off());
        const double at_rest = 0.75 / 0.2;
        EXPECT_NEAR(figure(*simulation, roles.shear(is_low_driven ? "max" : "min")),
                    at_rest,
                    20 * round_off());
        EXPECT_NEAR(figure(*simulation, roles.shear(is_low_driven ? "min" : "max")),
                    -at_rest,
                    20 * round_off());
        EXPECT_NEAR(figure(*simulation, "friction_velocity"), std::sqrt(at_rest), 20 * round_off());
      }
    }
  }
}

/// u = Re (y (1 - y) + l)/2: a force does the work that dissipation and the slipping walls take.
TEST_P(Walls, slip_takes_the_power_that_the_fluid_does_not_dissipate) {
  const double l = 0.15;
  const double reynolds = 0.4;
  for (const int across : {0, 1, 2}) {
    const Roles roles{across};
    const std::string slip = fmt::format(", slip_length: {}", l);
    const Case resolved =
        case_of(channel(roles,
                        roles.boundaries(slip, slip),
                        "implicit",
                        reynolds,
                        "forcing: {type: pressure_gradient, value: " + roles.vector(1.0, 0.0, 0.0) +
                            "}\noutput: {statistics: {start: 16, every: 1, average: [" +
                            axis_names[roles.along] + ", " + axis_names[roles.span] + "]}}\n"));
    const auto simulation = after(resolved, 801);
    expect_profile(
        resolved,
        *simulation,
        roles,
        [&](double y) { return reynolds / 2 * (y * (1 - y) + l); },
        0.003);
    EXPECT_NEAR(figure(*simulation, roles.shear("min")), 0.5, round_off());
    EXPECT_NEAR(figure(*simulation, "friction_velocity"), std::sqrt(0.5), round_off());
    const double slope = 0.5 * reynolds;
    const double of_walls = 2 / reynolds * l * slope * slope;
    const double power =
        figure(*simulation, fmt::format("bulk_velocity_{}", axis_names[roles.along]));
    EXPECT_NEAR(simulation->diagnostics().dissipation + of_walls, power, round_off());
    EXPECT_NEAR(friction_velocity(averages_of(simulation->statistics(), resolved), resolved),
                std::sqrt(0.5),
                round_off());
  }
}

TEST_P(Walls, that_slip_freely_are_planes_of_symmetry) {
  const std::string start = R"yaml(scheme: projection
grid: {points: [9, 7, 10], length: [3, 1, 1.5], stretching: {y: {factor: 1.2}}}
fluid: {reynolds: 30}
initial:
  velocity: ["y*(1-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  noise: {amplitude: 0.1, seed: 3}
output: {statistics: {start: 0, every: 1, average: [x]}}
)yaml";
  for (const std::string& scheme : time_schemes) {
    const std::string time = "time: {step: 0.02, steps: 20, scheme: " + scheme + "}\n";
    const auto state = [&](const std::string& face) {
      return state_of(
          *after(case_of(start + time + "boundaries: {x: periodic, y_min: " + face +
                         ", y_max: {type: wall}, z_min: {type: wall}, z_max: " + face + "}\n"),
                 6));
    };
    FlowState free = state("{type: wall, shear: [0, 0, 0]}");
    FlowState symmetric = state("{type: symmetry}");
    for (FlowState* const flow : {&free, &symmetric}) flow->numbers.clear();  // marks of the cases
    EXPECT_TRUE(same_bits(free, symmetric)) << scheme;
  }
}

/// Of A, the distance from the low wall, and S:
///   u_S = cos S cos(A + 1/2) c,  u_A = sin S sin(A + 1/2) c,  u_Z = sin S cos(3 A/2) c
/// with c = cos 2t and p = c^2 (cos(2 A + 1) - cos 2 S)/4; the forces make up for the rest.
struct Manufactured {
  Roles roles;
  double nu;
  PerAxis<std::string> u{"cos(S)*cos(A+0.5)", "sin(S)*sin(A+0.5)", "sin(S)*cos(1.5*A)"};
  PerAxis<std::string> slope{"-cos(S)*sin(A+0.5)", "sin(S)*cos(A+0.5)", "-1.5*sin(S)*sin(1.5*A)"};

  [[nodiscard]] std::string by_role(const PerAxis<std::string>& all) const {
    return roles.vector(roles.formula(all[0]), roles.formula(all[1]), roles.formula(all[2]));
  }
  [[nodiscard]] std::string velocity() const { return by_role(u); }
  [[nodiscard]] std::string forces() const {
    const auto linear = [&](const std::string& q, double decay) {
      return fmt::format("({})*({}*cos(2*t)-2*sin(2*t))", q, decay * nu);
    };
    return by_role({linear(u[0], 2),
                    linear(u[1], 2),
                    linear(u[2], 3.25) +
                        "+cos(2*t)^2*(cos(S)^2*cos(A+0.5)*cos(1.5*A)-1.5*sin(S)^2*sin(A+0.5)*sin("
                        "1.5*A))"});
  }
  /// Keys of a wall, whose normal into the fluid is +A (inward 1) or -A (-1).
  [[nodiscard]] std::string slip(double inward, const std::string& length) const {
    PerAxis<std::string> wall;
    for (const int q : {0, 2})
      wall[q] = fmt::format("(({})-({})*({})*({}))*cos(2*t)", u[q], inward, length, slope[q]);
    wall[1] = "(" + u[1] + ")*cos(2*t)";
    return fmt::format(", slip_length: {}, velocity: {}", roles.formula(length), by_role(wall));
  }
  /// Slip lengths of place, 0 at some, and of time too.
  inline static const std::string of_place = "0.1*(1+cos(2*S))*(1+cos(2*pi*Z/0.7))";
  inline static const std::string of_time = "0.15*(1+sin(S)*cos(2*pi*Z/0.7)*sin(3*t))";
  [[nodiscard]] std::string shear(double inward) const {
    const auto of = [&](int q) { return fmt::format("{}*({})*cos(2*t)", inward, slope[q]); };
    return fmt::format(", velocity: {}, shear: {}",
                       by_role({"0", "(" + u[1] + ")*cos(2*t)", "0"}),
                       by_role({of(0), "0", of(2)}));
  }
  [[nodiscard]] double exact(int role, double x, double y, double z, double t) const {
    const double s = roles.of(roles.along, x, y, z);
    const double a = roles.of(roles.across, x, y, z);
    const double c = std::cos(2 * t);
    if (role == 0) return std::cos(s) * std::cos(a + 0.5) * c;
    if (role == 1) return std::sin(s) * std::sin(a + 0.5) * c;
    return std::sin(s) * std::cos(1.5 * a) * c;
  }
};

TEST_P(Walls, slip_shear_blowing_and_suction_are_of_second_order_along_each_axis) {
  if (!is_double()) GTEST_SKIP() << "one precision shows the order";
  for (const int across : {0, 1, 2}) {
    const Manufactured flow{Roles{across}, 0.1};
    const Roles& roles = flow.roles;
    const std::array conditions{
        roles.boundaries(flow.slip(1, "0.07"), flow.shear(-1)),
        roles.boundaries(flow.shear(1), flow.slip(-1, "0.4")),
        roles.boundaries(flow.slip(1, "0.4"), flow.slip(-1, "0")),
        roles.boundaries(flow.slip(1, flow.of_place), flow.slip(-1, flow.of_time))};
    for (const std::string& boundaries : conditions) {
      for (const std::string& scheme : time_schemes) {
        const auto errors = [&](int fineness) {
          const Case resolved = case_of(fmt::format(
              R"yaml(scheme: projection
grid: {{points: {}, length: {}, stretching: {{{}: {{type: tanh, factor: 1.2}}}}}}
fluid: {{reynolds: 10}}
{}initial: {{velocity: {}}}
forcing: {{type: formula, acceleration: {}}}
time: {{step: {}, steps: 1000, scheme: {}}}
)yaml",
              roles.vector(16 * fineness, 13 * fineness, 4),
              roles.vector(2 * pi, 1.0, 0.7),
              axis_names[across],
              boundaries,
              flow.velocity(),
              flow.forces(),
              0.04 / fineness,
              scheme));
          const auto simulation = after(resolved, 13 * fineness);
          const FlowState state = viewing_copy(*simulation);
          PerAxis<double> all{};
          for (const int role : {0, 1, 2}) {
            const auto exact = at_centres(resolved, [&](double x, double y, double z) {
              return flow.exact(role, x, y, z, simulation->time());
            });
            const int axis = std::array{roles.along, roles.across, roles.span}.at(role);
            all[role] = distance(resolved, values_of(state, roles.velocity(axis)), exact);
          }
          return all;
        };
        const auto coarse = errors(1);
        const auto fine = errors(2);
        for (const int role : {0, 1, 2}) {
          EXPECT_NEAR(order_of(coarse[role], fine[role]), 2, 0.2)
              << axis_names[across] << " " << scheme << " " << role << ": " << coarse[role] << " "
              << fine[role] << "\n"
              << boundaries;
          EXPECT_LT(fine[role], 2e-3);
        }
      }
    }
  }
}

/// By halving steps on one grid that is the same for all.
TEST_P(Walls, slip_lengths_that_change_are_of_second_order_in_time) {
  if (!is_double()) GTEST_SKIP() << "one precision shows the order";
  for (const int across : {0, 1, 2}) {
    const Manufactured flow{Roles{across}, 0.1};
    const Roles& roles = flow.roles;
    for (const std::string& scheme : time_schemes) {
      const auto velocities = [&](int steps) {
        const Case resolved = case_of(fmt::format(
            R"yaml(scheme: projection
grid: {{points: {}, length: {}}}
fluid: {{reynolds: 10}}
{}initial: {{velocity: {}}}
forcing: {{type: formula, acceleration: {}}}
time: {{step: {}, steps: 1000, scheme: {}}}
)yaml",
            roles.vector(9, 7, 5),
            roles.vector(2 * pi, 1.0, 0.7),
            roles.boundaries(flow.slip(1, flow.of_time), flow.slip(-1, flow.of_time)),
            flow.velocity(),
            flow.forces(),
            0.4 / steps,
            scheme));
        const auto simulation = after(resolved, steps);
        const FlowState state = viewing_copy(*simulation);
        return std::array{values_of(state, roles.velocity(roles.along)),
                          values_of(state, roles.velocity(roles.span))};
      };
      const auto finest = velocities(160);
      const auto coarse = velocities(10);
      const auto fine = velocities(20);
      for (const std::size_t n : {0, 1}) {
        const auto error = [&](const auto& found) {
          double largest = 0;
          for (std::size_t point = 0; point < found[n].size(); ++point)
            largest = std::max(largest, std::abs(found[n][point] - finest[n][point]));
          return largest;
        };
        EXPECT_GT(order_of(error(coarse), error(fine)), 1.8)
            << axis_names[across] << " " << scheme << " " << n << ": " << error(coarse) << " "
            << error(fine);
        EXPECT_LT(error(fine), 1e-2);
      }
    }
  }
}

/// A formula that names a coordinate is stored for each point of the wall: the flow, what drives
/// it, its friction and its vorticity are those of the number. With a force that depends on the
/// velocity, as the balance of momentum is kept for numbers alone.
TEST_P(Walls, slip_lengths_at_all_points_are_those_of_the_whole_wall) {
  for (const int across : {0, 1, 2}) {
    const Roles roles{across};
    for (const std::string& scheme : time_schemes) {
      const auto flow_with = [&](const std::string& low, const std::string& high) {
        const std::string moving =
            ", velocity: " +
            roles.vector(std::string("0"), std::string("0"), roles.formula("0.3*sin(5*t)"));
        return after(
            case_of(channel(
                roles,
                roles.boundaries(", slip_length: " + low + moving, ", slip_length: " + high),
                scheme,
                50,
                fmt::format(
                    "initial: {{velocity: {}, noise: {{amplitude: 0.1, seed: 3}}}}\n"
                    "forcing: {{type: bulk_velocity, value: {}, drag: {{no: {{rate: 0*x}}}}}}\n"
                    "output: {{fields: {{variables: [velocity, pressure, vorticity]}}}}\n",
                    roles.vector(roles.formula("1+A"), std::string("0"), std::string("0")),
                    roles.vector(1.4, 0.0, 0.0)))),
            5);
      };
      auto number = flow_with("0.2", "0.01");
      auto steady = flow_with("\"0.2+0*z\"", "\"0.01+0*x*y\"");
      auto moving = flow_with("\"0.2+0*t\"", "\"0.01+0*x*t\"");
      const FlowState expected = viewing_copy(*number);
      for (Simulation* const other : {steady.get(), moving.get()}) {
        const FlowState found = viewing_copy(*other);
        ASSERT_EQ(found.fields.size(), expected.fields.size());
        for (const HostField& field : expected.fields) {
          const auto one = values_of(expected, field.name());
          const auto two = values_of(found, field.name());
          for (std::size_t n = 0; n < one.size(); ++n)
            ASSERT_NEAR(two[n], one[n], is_double() ? 1e-11 : 2e-4) << field.name() << n << scheme;
        }
        const auto& of_number = number->diagnostics().others;
        const auto& of_other = other->diagnostics().others;
        for (std::size_t n = 0; n < of_number.size(); ++n)
          EXPECT_NEAR(of_other[n], of_number[n], is_double() ? 1e-10 : 2e-3) << n << scheme;
      }
    }
  }
}

/// A channel with all of it, and a body.
std::string full_channel(const std::string& axis, const std::string& scheme) {
  const std::string other = axis == "y" ? "z" : "y";
  const bool is_implicit = scheme == "implicit";
  const auto along = [&](const std::string& u, const std::string& of_other) {
    return axis == "y" ? fmt::format("[{}, \"0.1*sin(pi*x)*cos(3*t)\", {}]", u, of_other)
                       : fmt::format("[{}, {}, \"0.1*sin(pi*x)*cos(3*t)\"]", u, of_other);
  };
  return fmt::format(
      R"yaml(scheme: projection
grid: {{points: [11, 13, 18], length: [2, 1, 1.25], stretching: {{{0}: {{type: tanh, factor: 1.4}}}}}}
fluid: {{reynolds: 60}}
boundaries:
  x: periodic
  {1}: periodic
  {0}_min: {{type: wall, slip_length: "0.03*(1+sin(pi*x)*cos(4*t))", velocity: {2}}}
  {0}_max: {{type: wall, shear: {3}, velocity: {4}}}
initial: {{velocity: ["1+0.3*sin(pi*x)*{0}", "0.2*cos(pi*x)*{0}", "0.1*sin(pi*x)"]}}
forcing: {{type: bulk_velocity, value: [1, 0, 0]}}
{5}time: {{step: 0.01, steps: 100, scheme: {6}}}
output: {{statistics: {{start: 0, every: 1, average: [x]}}}}
)yaml",
      axis,
      other,
      along("\"0.3*sin(5*t)\"", "0"),
      axis == "y" ? "[0.2, 0, \"0.1*sin(pi*x-t)\"]" : "[0.2, \"0.1*sin(pi*x-t)\", 0]",
      along("0", "0"),
      is_implicit ? "solids: {ball: {shape: sphere, center: [0.9, 0.45, 0.6], "
                    "radius: 0.2}}\n"
                  : "accuracy: {order: 6}\n",
      scheme);
}

TEST_P(Walls, refuse_negative_slip_lengths_in_the_run) {
  std::string yaml = full_channel("y", "runge_kutta");
  const std::string length = "0.03*(1+sin(pi*x)*cos(4*t))";
  yaml.replace(yaml.find(length), length.size(), "0.025-t");
  auto simulation = started(case_of(yaml));
  simulation->advance();
  const std::string message = message_of<CaseError>([&] {
    for (int n = 0; n < 4; ++n) simulation->advance();
  });
  EXPECT_NE(message.find("boundaries.y_min.slip_length: 0.025-t is -"), std::string::npos)
      << message;
  EXPECT_NE(message.find(", t = 0.0"), std::string::npos) << message;
  EXPECT_NE(message.find(", but must be finite and not negative"), std::string::npos) << message;
}

/// Stokes' layer of a wall that oscillates, u = exp(-k A) cos(2 pi t - k A) with k^2 = pi/nu.
TEST_P(Walls, stokes_layer_is_of_second_order_in_time_and_space) {
  if (!is_double()) GTEST_SKIP() << "one precision shows the order";
  const double k = 6;
  const double reynolds = k * k / pi;
  const auto layer = [&](const std::string& at) {
    return fmt::format("exp(-{0}*{1})*cos(2*pi*t-{0}*{1})", k, at);
  };
  for (const int across : {0, 1, 2}) {
    const Roles roles{across};
    for (const std::string& scheme : time_schemes) {
      const auto run = [&](int cells, int steps) {
        const auto wall = [&](const char* at) {
          return ", velocity: " +
                 roles.vector(roles.formula(layer(at)), std::string("0"), std::string("0"));
        };
        const Case resolved = case_of(fmt::format(
            R"yaml(scheme: projection
grid: {{points: {}, length: [1, 1, 1], stretching: {{{}: {{type: tanh, factor: 1.2, fine_at: low}}}}}}
fluid: {{reynolds: {:.17g}}}
{}initial: {{velocity: {}}}
time: {{step: {:.17g}, steps: 100000, scheme: {}}}
)yaml",
            roles.vector(4, cells, 4),
            axis_names[across],
            reynolds,
            roles.boundaries(wall("0"), wall("1")),
            roles.vector(roles.formula("exp(-6*A)*cos(6*A)"), std::string("0"), std::string("0")),
            1.0 / steps,
            scheme));
        const auto simulation = after(resolved, steps);
        const auto exact = at_centres(resolved, [&](double x, double y, double z) {
          const double a = roles.of(across, x, y, z);
          return std::exp(-k * a) * std::cos(2 * pi * simulation->time() - k * a);
        });
        const auto found = values_of(viewing_copy(*simulation), roles.velocity(roles.along));
        return std::pair{distance(resolved, found, exact), found};
      };
      const double coarse = run(16, 16).first;
      const double fine = run(32, 32).first;
      EXPECT_NEAR(order_of(coarse, fine), 2, 0.15) << scheme << " " << coarse << " " << fine;
      // In time alone: against steps that are far smaller.
      const auto in_time = [&](int steps) {
        const auto found = run(16, steps).second;
        const auto reference = run(16, 1024).second;
        double sum = 0;
        for (std::size_t n = 0; n < found.size(); ++n)
          sum += (found[n] - reference[n]) * (found[n] - reference[n]);
        return std::sqrt(sum / static_cast<double>(found.size()));
      };
      const double few = in_time(32);
      const double many = in_time(64);
      fmt::print("    {} {}: order {:.2f} in time alone, {:.1e} with 64 steps a period\n",
                 axis_names[across],
                 scheme,
                 order_of(few, many),
                 many);
      EXPECT_GT(order_of(few, many), 1.9) << scheme << " " << few << " " << many;
      EXPECT_LT(many, 1e-3);
    }
  }
}

/// Waves of spanwise velocity that travel along a wall below fluid at rest,
///   w = exp(-a A) cos(S - 2 pi t + b A),   (a - i b)^2 = 1 - 2 pi i/nu,
/// the generalised Stokes layer: a solution of the Navier-Stokes equations, since nothing is
/// advected.
TEST_P(Walls, waves_that_travel_along_a_wall_drive_the_generalised_stokes_layer) {
  if (!is_double()) GTEST_SKIP() << "one precision shows the order";
  const double reynolds = 3;
  const double square = std::hypot(1.0, 2 * pi * reynolds);
  const double a = std::sqrt((square + 1) / 2);
  const double b = std::sqrt((square - 1) / 2);
  const std::string wave = fmt::format("exp(-{0:.17g}*A)*cos(S-2*pi*t+{1:.17g}*A)", a, b);
  for (const int across : {0, 1, 2}) {
    const Roles roles{across};
    const auto spanwise = [&](const std::string& text) {
      return roles.vector(std::string("0"), std::string("0"), roles.formula(text));
    };
    const std::string wall = ", velocity: " + spanwise(wave);
    std::string start = wave;
    start.replace(start.find("2*pi*t"), 6, "0");
    for (const std::string& scheme : time_schemes) {
      const auto error = [&](int fineness) {
        const Case resolved = case_of(fmt::format(
            R"yaml(scheme: projection
grid: {{points: {}, length: {}, stretching: {{{}: {{type: tanh, factor: 1.2, fine_at: low}}}}}}
fluid: {{reynolds: 3}}
{}initial: {{velocity: {}}}
time: {{step: {:.17g}, steps: 100000, scheme: {}}}
)yaml",
            roles.vector(12 * fineness, 14 * fineness, 4),
            roles.vector(2 * pi, 1.5, 1.0),
            axis_names[across],
            roles.boundaries(wall, wall),
            spanwise(start),
            0.05 / fineness,
            scheme));
        const auto simulation = after(resolved, 30 * fineness);
        const auto exact = at_centres(resolved, [&](double x, double y, double z) {
          const double at = roles.of(across, x, y, z);
          return std::exp(-a * at) *
                 std::cos(roles.of(roles.along, x, y, z) - 2 * pi * simulation->time() + b * at);
        });
        return distance(
            resolved, values_of(viewing_copy(*simulation), roles.velocity(roles.span)), exact);
      };
      const double coarse = error(1);
      const double fine = error(2);
      EXPECT_NEAR(order_of(coarse, fine), 2, 0.2) << scheme << " " << coarse << " " << fine;
      EXPECT_LT(fine, 0.01);
    }
  }
}

TEST_P(Walls, restart_and_ranks_reproduce_the_flow) {
  for (const std::string& scheme : time_schemes) {
    for (const char* const axis : {"y", "z"}) {
      const Case resolved = case_of(full_channel(axis, scheme));
      auto through = after(resolved, 4);
      const FlowState middle = state_of(*through);
      for (int n = 0; n < 3; ++n) through->advance();
      auto resumed = make_simulation(resolved);
      resumed->set_state(middle);
      for (int n = 0; n < 3; ++n) resumed->advance();
      EXPECT_TRUE(same_bits(state_of(*through), state_of(*resumed))) << scheme << axis;
      EXPECT_LT(through->diagnostics().divergence_max, is_double() ? 1e-12 : 2e-3);

      const RanksResult one = run_on_ranks(resolved, 1, 5);
      const RanksResult three = run_on_ranks(resolved, 3, 5);
      for (const char* const component : {"velocity_x", "velocity_y", "velocity_z"}) {
        const auto expected = values_of(one.viewing, component);
        const auto found = values_of(three.viewing, component);
        for (std::size_t n = 0; n < expected.size(); ++n)
          ASSERT_NEAR(found[n], expected[n], is_double() ? 1e-12 : 1e-5) << scheme << axis << n;
      }
      for (std::size_t n = 0; n < one.diagnostics[0].others.size(); ++n) {
        EXPECT_NEAR(three.diagnostics[2].others[n],
                    one.diagnostics[0].others[n],
                    is_double() ? 1e-11 : 1e-4)
            << n;
      }
    }
  }
}

/// The mean of what is blown becomes 2, after t = 0.1.
TEST_P(Walls, refuse_net_blowing_in_the_run) {
  std::string yaml = full_channel("y", "implicit");
  const std::string blown = "0.1*sin(pi*x)*cos(3*t)";
  yaml.replace(yaml.find(blown), blown.size(), "t>0.02&&t<0.3?2:0.1*sin(pi*x)");
  auto simulation = started(case_of(yaml));
  simulation->advance();
  const std::string message = message_of<CaseError>([&] {
    for (int n = 0; n < 4; ++n) simulation->advance();
  });
  EXPECT_NE(message.find("boundaries.y_min.velocity: "), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(targets, Walls, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_walls
