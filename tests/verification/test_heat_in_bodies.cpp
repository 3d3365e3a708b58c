/// Heat at the surfaces of bodies and in bodies that conduct it, against exact solutions, balances
/// and other ways to pose the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/config/step_limit.hpp"
#include "solver/core/reduction.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/solids/solid_points.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_heat_in_bodies {
namespace {

using std::numbers::pi;

constexpr std::array both_schemes{TimeScheme::implicit, TimeScheme::runge_kutta};

class HeatInBodies : public OnEveryTarget {
 public:
  /// By one thread: the grids are small.
  static Case case_of(const std::string& yaml) {
    Case resolved = OnEveryTarget::case_of(yaml);
    resolved.run.threads = 1;
    return resolved;
  }
};

/// A temperature at cell centres and the volume around each.
struct Cell {
  PerAxis<double> x;
  double volume, temperature, capacity;
  int body;
};

/// All cells of a flow, with c of solver/numerics/solid_rows.hpp.
std::vector<Cell> cells_of(const Case& resolved, const FlowState& flow) {
  const StaggeredGrid grid = staggered_grid(resolved);
  const std::vector<SolidPoints> points = find_solid_points(resolved, whole_box(resolved), alone());
  const SolidPoints& centres = points[first_scalar];
  const SolidPulls pulls = solid_pulls(resolved, grid, whole_box(resolved), centres, first_scalar);
  const std::vector<double> values = values_of(flow, temperature_name);
  const Extents n = resolved.grid.points;
  std::vector<Cell> cells;
  for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
    const std::size_t at = centres.place(c);
    cells.push_back({{grid[0].centre(c.i), grid[1].centre(c.j), grid[2].centre(c.k)},
                     grid[0].width(c.i) * grid[1].width(c.j) * grid[2].width(c.k),
                     values.at(at),
                     pulls.inverse_capacity.empty() ? 1 : 1 / pulls.inverse_capacity[at],
                     centres.body_at(c)});
  });
  return cells;
}
std::vector<Cell> cells_of(const Case& resolved, const Simulation& simulation) {
  return cells_of(resolved, state_of(simulation));
}

double heat_of(const std::vector<Cell>& cells) {
  double heat = 0;
  for (const Cell& cell : cells) heat += cell.capacity * cell.volume * cell.temperature;
  return heat;
}

/// Two layers of fluid with a slab between them, whose faces lie between those of cells.
struct Slab {
  static constexpr double low = 0.313, high = 0.572, conductivity = 5, capacity = 3;

  static std::string yaml(int n, const std::string& of_slab, double source, double step) {
    return fmt::format(R"yaml(
scheme: projection
grid: {{points: [5, {}, 4], length: [4, 1, 3.2], stretching: {{y: {{type: tanh, factor: 0.9}}}}}}
fluid: {{reynolds: 2, prandtl: 0.5}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: 1}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
solids:
  slab: {{shape: box, min: [-1, {}, -1], max: [9, {}, 9], temperature: {}}}
initial: {{temperature: "cos(pi*x/2)"}}
forcing: {{type: formula, heat: {}}}
time: {{step: {:.17g}, steps: 1000000}}
)yaml",
                       n,
                       low,
                       high,
                       of_slab,
                       source,
                       step);
  }
  static std::string conducting() {
    return fmt::format(
        "{{conducting: {{conductivity: {}, heat_capacity: {}}}}}", conductivity, capacity);
  }
  /// Solves (k T')' + source = 0: k T' = a - source y.
  static double exact(double y, double source) {
    const auto pieces = [&](double end, auto integral) {
      double sum = integral(0.0, std::min(end, low), 1.0);
      if (end > low) sum += integral(low, std::min(end, high), conductivity);
      if (end > high) sum += integral(high, end, 1.0);
      return sum;
    };
    const auto of_one = [](double from, double to, double k) { return (to - from) / k; };
    const auto of_y = [](double from, double to, double k) {
      return (to * to - from * from) / 2 / k;
    };
    const double a = (source * pieces(1, of_y) - 1) / pieces(1, of_one);
    return 1 + a * pieces(y, of_one) - source * pieces(y, of_y);
  }
};

TEST_P(HeatInBodies, conduction_through_a_slab_is_exact_to_round_off) {
  for (const TimeScheme scheme : both_schemes) {
    Case resolved = case_of(Slab::yaml(21, Slab::conducting(), 0, 0.02));
    resolved.time.scheme = scheme;
    const auto simulation = after(resolved, 500);
    double largest = 0;
    for (const Cell& cell : cells_of(resolved, *simulation))
      largest = larger_or_nan(largest, std::abs(cell.temperature - Slab::exact(cell.x[1], 0)));
    EXPECT_LT(largest, is_double() ? 1e-9 : 1e-5);
    const double low = figure(*simulation, "nusselt_y_min");
    const double high = figure(*simulation, "nusselt_y_max");
    const double resistance =
        Slab::low + (Slab::high - Slab::low) / Slab::conductivity + (1 - Slab::high);
    EXPECT_NEAR(low * resistance, 1, is_double() ? 1e-9 : 1e-4);
    EXPECT_NEAR(low, high, is_double() ? 1e-9 : 1e-4);
    EXPECT_NEAR(figure(*simulation, "heat_slab"), 0, is_double() ? 1e-9 : 1e-4);
  }
}

/// With a source in the fluid and in the slab.
TEST_P(HeatInBodies, heat_made_in_a_slab_leaves_it_with_second_order) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  constexpr double source = 3;
  std::vector<double> errors;
  for (const int n : {13, 27, 55}) {
    const Case resolved = case_of(Slab::yaml(n, Slab::conducting(), source, 0.02));
    const auto simulation = after(resolved, 400);
    double largest = 0;
    for (const Cell& cell : cells_of(resolved, *simulation))
      largest = larger_or_nan(largest, std::abs(cell.temperature - Slab::exact(cell.x[1], source)));
    errors.push_back(largest);
    // What is made in the slab leaves it, up to the part of the cells that its faces cut.
    const double made = source * (Slab::high - Slab::low) * 12.8;
    EXPECT_NEAR(figure(*simulation, "heat_slab") / made, 1, 5.0 / n);
  }
  EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.8)
      << errors[0] << " " << errors[1] << " " << errors[2];
}

/// A warm core in a shell that conducts, in a fluid at rest within a cold ring; all off the axes.
struct Annulus {
  static constexpr double core = 0.31, shell = 0.57, ring = 0.9, x0 = 0.013, y0 = -0.021;

  static std::string yaml(int n, double conductivity) {
    const std::string r = fmt::format("sqrt((x-{})^2+(y+{})^2)", x0, -y0);
    return fmt::format(R"yaml(
scheme: projection
grid: {{points: [{0}, {0}, 4], length: [2, 2, 0.25], origin: [-1, -1, 0]}}
fluid: {{reynolds: 1, prandtl: 1}}
boundaries:
  x: {{type: wall, temperature: 0}}
  y: {{type: wall, temperature: 0}}
  z: periodic
solids:
  core: {{shape: cylinder, center: [{1}, {2}], radius: {3}, temperature: 1}}
  shell: {{shape: cylinder, center: [{1}, {2}], radius: {4}, temperature: {{conducting: {{conductivity: {5}, heat_capacity: 2}}}}}}
  ring: {{shape: formula, surface: "{6} - {7}", temperature: 0}}
initial: {{temperature: 0}}
time: {{step: {8:.17g}, steps: 1000000}}
)yaml",
                       n,
                       x0,
                       y0,
                       core,
                       shell,
                       conductivity,
                       ring,
                       r,
                       0.2 / n);
  }
  static double flux(double conductivity) {
    return 1 / (std::log(shell / core) / conductivity + std::log(ring / shell));
  }
  static double exact(const PerAxis<double>& x, double conductivity) {
    const double r = std::hypot(x[0] - x0, x[1] - y0);
    if (r <= core) return 1;
    if (r >= ring) return 0;
    return r < shell ? 1 - flux(conductivity) * std::log(r / core) / conductivity
                     : flux(conductivity) * std::log(ring / r);
  }
};

TEST_P(HeatInBodies, between_cylinders_of_two_materials_is_of_second_order) {
  if (!is_double()) GTEST_SKIP() << "rounding hides the order in float";
  for (const double conductivity : {6.0, 0.25}) {
    std::vector<double> errors;
    for (const int n : {25, 50}) {
      const Case resolved = case_of(Annulus::yaml(n, conductivity));
      const auto simulation = after(resolved, 12 * n);
      double sum = 0;
      double volume = 0;
      for (const Cell& cell : cells_of(resolved, *simulation)) {
        const double error = cell.temperature - Annulus::exact(cell.x, conductivity);
        sum += cell.volume * error * error;
        volume += cell.volume;
      }
      errors.push_back(std::sqrt(sum / volume));
      const double heat = 2 * pi * 0.25 * Annulus::flux(conductivity);
      EXPECT_NEAR(figure(*simulation, "heat_core") / heat, 1, n == 25 ? 0.03 : 0.01);
      EXPECT_NEAR(figure(*simulation, "heat_ring") / -heat, 1, n == 25 ? 0.03 : 0.01);
      EXPECT_NEAR(figure(*simulation, "heat_shell"), 0, 1e-7);
    }
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.7)
        << conductivity << ": " << errors[0] << " " << errors[1];
  }
}

/// A rod that conducts in a flow between walls, or in a periodic box.
std::string rod_in_a_flow(const std::string& stretching, bool has_walls) {
  const char* const walls =
      "y_min: {type: wall, temperature: {gradient: 0}}\n"
      "  y_max: {type: wall, velocity: [1, 0, 0.4], temperature: {gradient: 0}}";
  return fmt::format(R"yaml(
scheme: projection
grid: {{points: [21, 17, 7], length: [1.3, 1, 0.5]{}}}
fluid: {{reynolds: 20, prandtl: 0.7}}
boundaries:
  x: periodic
  {}
  z: periodic
solids:
  rod: {{shape: cylinder, center: [0.6, 0.45, 0], radius: 0.27, temperature: {{conducting: {{conductivity: 7, heat_capacity: 2.5}}}}}}
  ball: {{shape: sphere, center: [1.1, 0.8, 0.1], radius: 0.16, temperature: {{conducting: {{conductivity: 0.2, heat_capacity: 0.4}}}}}}
initial:
  velocity: ["y + 0.3*sin(4*pi*z)", "0.2*sin(2*pi*x/1.3)", 0]
  temperature: "1 + sin(2*pi*x/1.3) + y*(1 - y)*cos(4*pi*z)"
time: {{step: 0.001, steps: 100000}}
)yaml",
                     stretching,
                     has_walls ? walls : "y: periodic");
}

TEST_P(HeatInBodies, of_a_closed_box_is_kept_to_round_off) {
  for (const TimeScheme scheme : both_schemes) {
    for (const char* stretching :
         {"", ", stretching: {x: {factor: 0.7}, y: {factor: 1.1}, z: {factor: 0.8}}"}) {
      for (const bool has_walls : {true, false}) {
        Case resolved = case_of(rod_in_a_flow(stretching, has_walls));
        resolved.time.scheme = scheme;
        const auto simulation = started(resolved);
        const std::vector<Cell> before = cells_of(resolved, *simulation);
        for (int n = 0; n < 50; ++n) simulation->advance();
        const std::vector<Cell> now = cells_of(resolved, *simulation);
        double change = 0;
        double in_rod = 0;
        for (std::size_t n = 0; n < now.size(); ++n) {
          change = larger_or_nan(change, std::abs(now[n].temperature - before[n].temperature));
          if (now[n].body == 0)
            in_rod += now[n].volume * (now[n].temperature - before[n].temperature);
        }
        SCOPED_TRACE(fmt::format("{} '{}' {}", static_cast<int>(scheme), stretching, has_walls));
        EXPECT_GT(change, 0.1);
        EXPECT_GT(std::abs(in_rod), 1e-4);
        EXPECT_NEAR(heat_of(now) / heat_of(before), 1, 50 * 4 * epsilon());
      }
    }
  }
}

/// The seams of the ranks cut the bodies; a run and its continuation are the same.
TEST_P(HeatInBodies, on_several_ranks_and_after_a_restart_is_the_same) {
  for (const TimeScheme scheme : both_schemes) {
    Case resolved = case_of(rod_in_a_flow(", stretching: {y: {factor: 1.1}}", true));
    resolved.time.scheme = scheme;
    const auto whole = after(resolved, 12);
    const std::vector<double> expected = values_of(state_of(*whole), temperature_name);
    for (const int ranks : {2, 3}) {
      const RanksResult result = run_on_ranks(resolved, ranks, 12);
      const std::vector<double> found = values_of(result.restart, temperature_name);
      ASSERT_EQ(found.size(), expected.size());
      double largest = 0;
      const std::vector<Cell> cells = cells_of(resolved, result.restart);
      const std::vector<Cell> alone_cells = cells_of(resolved, *whole);
      for (std::size_t n = 0; n < cells.size(); ++n)
        largest =
            larger_or_nan(largest, std::abs(cells[n].temperature - alone_cells[n].temperature));
      EXPECT_LT(largest, 1e3 * epsilon()) << ranks << " ranks";
      const auto names = whole->diagnostic_names();
      for (const char* name : {"heat_rod", "heat_ball"}) {
        const auto place = std::ranges::find(names, name) - names.begin();
        EXPECT_NEAR(result.diagnostics[0].others.at(place), figure(*whole, name), 1e3 * epsilon());
      }
    }
    const auto first = after(resolved, 5);
    const auto second = started(resolved);
    second->set_state(state_of(*first));
    for (int n = 0; n < 7; ++n) second->advance();
    EXPECT_EQ(values_of(state_of(*second), temperature_name), expected);
  }
}

/// What leaves a body that conducts is what its cells lose.
TEST_P(HeatInBodies, that_leaves_a_body_is_what_it_loses) {
  if (!is_double()) GTEST_SKIP() << "the differences fall below the round-off of floats";
  Case resolved = case_of(rod_in_a_flow("", false));
  resolved.solids.pop_back();
  resolved.time.step = 0.001;
  const auto simulation = after(resolved, 80);
  const auto heat = [&] {
    double sum = 0;
    for (const Cell& cell : cells_of(resolved, *simulation))
      sum += cell.body == 0 ? cell.capacity * cell.volume * cell.temperature : 0;
    return sum;
  };
  const double before = heat();
  const double first = figure(*simulation, "heat_rod");
  simulation->advance();
  const double second = figure(*simulation, "heat_rod");
  EXPECT_GT(std::abs(first), 1e-3);
  EXPECT_NEAR((heat() - before) / 0.001 / ((first + second) / 2), -1, 1e-3);
}

/// A layer of a solid before the wall of the box, whose conductivity over its thickness is the
/// transfer of a box without it.
TEST_P(HeatInBodies, a_body_that_fills_a_layer_is_a_thick_wall) {
  const auto yaml = [](int cells, double low, const char* wall, const std::string& solids) {
    return fmt::format(R"yaml(
scheme: projection
grid: {{points: [5, {}, 4], length: [4, {}, 3.2], origin: [0, {}, 0]}}
fluid: {{reynolds: 2, prandtl: 1}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: {}}}
  y_max: {{type: wall, temperature: -1}}
  z: periodic
{}
initial: {{temperature: 0}}
time: {{step: 0.02, steps: 100000}}
)yaml",
                       cells,
                       1 - low,
                       low,
                       wall,
                       solids);
  };
  const Case transfer = case_of(yaml(15, 0, "{transfer: 8, outside: 2}", ""));
  const std::string layer =
      "solids: {wall: {shape: box, min: [-1, -9, -1], max: [9, 0, 9], temperature: {conducting: "
      "{conductivity: 1.6, heat_capacity: 0.5}}}}";
  Case thick = case_of(yaml(18, -0.2, "2", layer));
  const auto expected = after(transfer, 800);
  const std::vector<Cell> outside = cells_of(transfer, *expected);
  for (const TimeScheme scheme : both_schemes) {
    thick.time.scheme = scheme;
    const auto found = after(thick, 800);
    std::vector<Cell> inside = cells_of(thick, *found);
    std::erase_if(inside, [](const Cell& cell) { return cell.x[1] < 0; });
    ASSERT_EQ(inside.size(), outside.size());
    double largest = 0;
    for (std::size_t n = 0; n < inside.size(); ++n)
      largest = larger_or_nan(largest, std::abs(inside[n].temperature - outside[n].temperature));
    EXPECT_LT(largest, is_double() ? 1e-9 : 1e-5);
    // The flux through the wall of the box is that of what lies there.
    const double flux = transfer.conductivity() * 3 / (1 + 0.125);
    const double conduction = thick.conductivity() * 3 / 1.2;  // of the box without bodies
    EXPECT_NEAR(figure(*found, "nusselt_y_min") * conduction / flux, 1, is_double() ? 1e-9 : 1e-4);
    EXPECT_NEAR(figure(*found, "nusselt_y_max") * conduction / flux, 1, is_double() ? 1e-9 : 1e-4);
    EXPECT_NEAR(figure(*found, "heat_wall") / (12.8 * flux), 1, is_double() ? 1e-9 : 1e-4);
  }
}

/// Between a wall at 0 and a plane that gives a flux or takes part in a transfer, with its surface
/// between the faces of cells.
TEST_P(HeatInBodies, a_surface_gives_a_flux_or_a_transfer) {
  for (const TimeScheme scheme : both_schemes) {
    for (const bool is_flux : {true, false}) {
      Case resolved =
          case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [5, 17, 4], length: [4, 1, 3.2], stretching: {{y: {{type: tanh, factor: 0.9}}}}}}
fluid: {{reynolds: 2, prandtl: 0.5}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: 5}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
solids:
  floor: {{shape: box, min: [-1, -1, -1], max: [9, 0.283, 9], temperature: {}}}
initial: {{temperature: 0}}
time: {{step: 0.01, steps: 1000000}}
)yaml",
                              is_flux ? "{heat_flux: 0.7}" : "{transfer: 3, outside: 2}"));
      resolved.time.scheme = scheme;
      const auto simulation = after(resolved, 500);
      const double gap = 1 - 0.283;
      const double flux = is_flux ? 0.7 : 2 / (gap + 1.0 / 3);  // the diffusivity is 1
      double largest = 0;
      for (const Cell& cell : cells_of(resolved, *simulation)) {
        if (cell.body != no_body) continue;
        largest = larger_or_nan(largest, std::abs(cell.temperature - flux * (1 - cell.x[1])));
      }
      EXPECT_LT(largest, is_double() ? 1e-9 : 2e-5);
      EXPECT_NEAR(figure(*simulation, "heat_floor"), flux * 12.8, is_double() ? 1e-8 : 2e-3);
    }
  }
}

/// Around a rod in a ring at 0: the flux of the rod goes into the ring, whatever the surface.
TEST_P(HeatInBodies, a_rod_gives_a_flux_or_a_transfer) {
  if (!is_double()) GTEST_SKIP() << "the errors fall below the round-off of floats";
  for (const bool is_flux : {true, false}) {
    const double radius = 0.35;
    const double ring = 0.9;
    std::vector<double> errors;
    for (const int n : {25, 50, 100}) {
      const Case resolved =
          case_of(fmt::format(R"yaml(
scheme: projection
grid: {{points: [{0}, {0}, 4], length: [2, 2, 0.25], origin: [-1, -1, 0]}}
fluid: {{reynolds: 1, prandtl: 1}}
boundaries:
  x: {{type: wall, temperature: 0}}
  y: {{type: wall, temperature: 0}}
  z: periodic
solids:
  rod: {{shape: cylinder, center: [0.013, -0.021], radius: 0.35, temperature: {1}}}
  ring: {{shape: formula, surface: "0.9 - sqrt((x-0.013)^2+(y+0.021)^2)", temperature: 0}}
initial: {{temperature: 0}}
time: {{step: 0.01, steps: 1000000}}
)yaml",
                              n,
                              is_flux ? "{heat_flux: 2}" : "{transfer: 4, outside: 1}"));
      const auto simulation = after(resolved, 200);
      const double heat = is_flux ? 2 * pi * radius * 0.25 * 2
                                  : 2 * pi * 0.25 / (std::log(ring / radius) + 1 / (4 * radius));
      errors.push_back(std::abs(figure(*simulation, "heat_rod") / heat - 1));
      EXPECT_NEAR(figure(*simulation, "heat_rod") + figure(*simulation, "heat_ring"), 0, 1e-6);
    }
    EXPECT_LT(errors[0], 0.05);
    EXPECT_LT(errors[2], 0.01) << errors[0] << " " << errors[1] << " " << errors[2];
  }
}

/// After a jump of a given value steps are implicit Euler for a while.
TEST_P(HeatInBodies, an_adiabatic_body_lets_no_heat_through_in_damped_steps) {
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [21, 17, 4], length: [1.3, 1, 0.25]}
fluid: {reynolds: 10, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: wall, velocity: ["t > 0.25 ? 1e-9 : 0", 0, 0], temperature: {gradient: 0}}
  z: periodic
solids:
  rod: {shape: cylinder, center: [0.6, 0.45, 0], radius: 0.27, temperature: {gradient: 0}}
initial: {temperature: "sin(2*pi*x/1.3)+y"}
time: {step: 0.1, steps: 100000}
)yaml");
  const auto simulation = started(resolved);
  const auto in_fluid = [&] {
    double heat = 0;
    for (const Cell& cell : cells_of(resolved, *simulation))
      heat += cell.body == no_body ? cell.volume * cell.temperature : 0;
    return heat;
  };
  const double before = in_fluid();
  for (int n = 0; n < 10; ++n) simulation->advance();
  EXPECT_NEAR(in_fluid(), before, is_double() ? 1e-10 : 1e-5);
}

/// The longest steps that explicit diffusion allows keep a temperature within its bounds.
TEST_P(HeatInBodies, the_limit_of_explicit_steps_is_that_of_bodies_that_conduct) {
  Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [9, 11, 10], length: [0.9, 1.1, 1]}
fluid: {reynolds: 2, prandtl: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
solids:
  rod: {shape: box, min: [-1, 0.2, 0.2], max: [2, 0.9, 0.8], temperature: {conducting: {conductivity: 8, heat_capacity: 0.5}}}
initial: {temperature: "sin(20*x + 30*y)*cos(29*z)"}
time: {scheme: runge_kutta, step: 1.0e-4, steps: 100000}
)yaml");
  const double limit = step_limit(resolved).diffusive_step();
  const auto largest = [&](double step) {
    resolved.time.step = step;
    double magnitude = 0;
    const auto simulation = after(resolved, 200);
    for (const Cell& cell : cells_of(resolved, *simulation))
      magnitude = larger_or_nan(magnitude, std::abs(cell.temperature));
    return magnitude;
  };
  EXPECT_LE(largest(limit), 1);
}

TEST_P(HeatInBodies, memory_is_known_before) {
  const Case resolved = case_of(rod_in_a_flow("", true));
  Case of_fluid = resolved;
  of_fluid.solids.clear();
  const std::size_t taken = make_simulation(resolved)->memory_bytes();
  EXPECT_EQ(needs_of(resolved).device_bytes, taken);
  EXPECT_GT(taken, make_simulation(of_fluid)->memory_bytes());
  const Case of_flux = case_of(R"yaml(
scheme: projection
grid: {points: [21, 17, 7], length: [1.3, 1, 0.5]}
fluid: {reynolds: 20, prandtl: 0.7}
boundaries: {x: periodic, y: periodic, z: periodic}
solids: {rod: {shape: sphere, center: [0.6, 0.4, 0.2], radius: 0.2, temperature: {heat_flux: 1}}}
time: {step: 0.004, steps: 10}
)yaml");
  EXPECT_EQ(needs_of(of_flux).device_bytes, make_simulation(of_flux)->memory_bytes());
}

TEST_P(HeatInBodies, nusselt_numbers_are_over_the_reference) {
  const Case resolved = case_of(R"yaml(
scheme: projection
grid: {points: [15, 17, 4], length: [1.3, 1, 0.25]}
fluid: {reynolds: 10, prandtl: 0.7}
boundaries: {x: periodic, y: {type: wall, temperature: 0}, z: periodic}
solids:
  rod: {shape: cylinder, center: [0.6, 0.45], radius: 0.2, temperature: 2, reference: {temperature_difference: 2}}
  ball: {shape: sphere, center: [0.1, 0.6, 0.1], radius: 0.1, temperature: 1, reference: {temperature_difference: -4, surface: 0.3, length: 0.7}}
  box: {shape: box, min: [1, 0.1, 0], max: [1.2, 0.3, 0.25], temperature: 1}
initial: {temperature: 0}
time: {step: 0.02, steps: 100000}
)yaml");
  const auto simulation = after(resolved, 5);
  const double diffusivity = 1 / 7.0;
  const double of_rod = 0.4 / (pi * 0.4 * 0.25 * diffusivity * 2);
  const double of_ball = 0.7 / (0.3 * diffusivity * -4);
  EXPECT_GT(figure(*simulation, "nusselt_rod"), 0.1);
  EXPECT_NEAR(
      figure(*simulation, "nusselt_rod") / (of_rod * figure(*simulation, "heat_rod")), 1, 1e-14);
  EXPECT_NEAR(
      figure(*simulation, "nusselt_ball") / (of_ball * figure(*simulation, "heat_ball")), 1, 1e-14);
  EXPECT_EQ(std::ranges::count(simulation->diagnostic_names(), "nusselt_box"), 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, HeatInBodies, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_heat_in_bodies
