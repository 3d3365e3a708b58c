/// Flows on several ranks against the same flows on one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_ranks {
namespace {

struct NamedCase {
  const char* name;
  std::string yaml;
  double roundings = 1;  // by how much its systems magnify them, beyond those of the others
};

/// Slabs so thick that rows far from the seams do not matter, or hardly.
NamedCase long_lines(const std::string& scheme, double reynolds) {
  return {"long lines",
          fmt::format(R"yaml(
scheme: {}
grid: {{points: [6, 9, 131], length: [1, 1, 4]}}
fluid: {{reynolds: {}, prandtl: 0.72{}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial:
  velocity: ["0.3*sin(2*pi*y)", "0.3*cos(2*pi*x)", "1+0.3*sin(pi*z)"]
  temperature: "1+0.1*cos(2*pi*y)*cos(pi*z)"
time: {{step: 0.02, steps: 6, global_iterations: 1{}}}
)yaml",
                      scheme,
                      reynolds,
                      scheme == "splitting" ? ", heat_capacity_ratio: 1.4" : "",
                      scheme == "splitting" ? ", local_iterations: 2" : ""),
          3};
}

/// Odd and unequal extents: slabs differ by a plane.
std::vector<NamedCase> splitting_cases() {
  return {{"all kinds of boundaries, periodic along z",
           R"yaml(
scheme: splitting
grid: {points: [19, 14, 23], length: [1.5, 1, 0.75], origin: [-1, 0, 2]}
fluid: {reynolds: 100, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x_min: {type: inflow, velocity: ["1+0.1*sin(3*t)*y", 0, "0.1*sin(2*pi*z/0.75)"], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: {gradient: "0.1*x"}}
  y_max: {type: symmetry}
  z: periodic
forcing:
  type: formula
  acceleration: ["0.3*sin(2*pi*z/0.75)*cos(t)", 0, "x*y"]
  heat: "sin(2*pi*z/0.75)+t"
  sponges: {end: {rate: "x > 0 ? 5*x : 0", velocity: [1, 0, 0], temperature: 1}}
initial:
  velocity: ["1+0.1*y*(1-y)", "0.05*sin(pi*y)*cos(x)", "0.1*cos(2*pi*(z-2)/0.75)"]
  temperature: "1+0.1*x*y"
  noise: {amplitude: 0.01, seed: 7}
time: {step: 0.005, steps: 8, global_iterations: 2, local_iterations: 2}
)yaml",
           1},
          {"a table and synthetic turbulence at the inflow",
           R"yaml(
scheme: splitting
grid: {points: [15, 14, 23], length: [1.5, 1, 0.75], origin: [-1, 0, 2]}
fluid: {reynolds: 100, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x_min:
    type: inflow
    velocity: {profile: inflow_profile.csv}
    temperature: 1
    turbulence: {stresses: inflow_stresses.csv, lengths: [0.2, 0.2, 0.2], seed: 3}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 1}
  y_max: {type: symmetry}
  z: periodic
initial: {velocity: [1, 0, 0]}
time: {step: 0.005, steps: 8}
)yaml",
           1},
          {"walls all round, a tolerance",
           R"yaml(
scheme: splitting
grid: {points: [12, 17, 25], length: [1, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x_min: {type: wall, temperature: 1}
  x_max: {type: wall, temperature: 1.5}
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: wall, velocity: [1, 0, 0.2], temperature: {gradient: 0}}
  z_min: {type: wall, velocity: [0.3, 0, 0], temperature: {gradient: 0.2}}
  z_max: {type: wall, temperature: 1.2}
time: {step: 0.01, steps: 6, local_iterations: 2, global_tolerance: 1e-4, max_global_iterations: 4}
)yaml",
           1},
          {"symmetry and outflow along z, periodic along x and y",
           R"yaml(
scheme: splitting
grid: {points: [9, 16, 27], length: [1, 1, 2]}
fluid: {reynolds: 40, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x: periodic
  y: periodic
  z_min: {type: symmetry}
  z_max: {type: outflow}
initial:
  velocity: ["sin(2*pi*y)", "0.3*cos(2*pi*x)*z", "0.2*z"]
  temperature: "1+0.1*cos(2*pi*y)"
time: {step: 0.01, steps: 6, local_iterations: 2, global_iterations: 1}
)yaml",
           1},
          {"strongly coupled across whole slabs: diffusion number 1000 along z",
           R"yaml(
scheme: splitting
grid: {points: [9, 11, 24], length: [1, 1, 0.05]}
fluid: {reynolds: 0.23, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["0.1*sin(2*pi*y)", "0.1*cos(2*pi*x)", "0.1*sin(40*pi*z)"]
  temperature: "1+0.1*cos(2*pi*y)*cos(40*pi*z)"
time: {step: 0.001, steps: 6, local_iterations: 1, global_iterations: 1}
)yaml",
           100},
          {"bodies, one of them turning, one adiabatic",
           R"yaml(
scheme: splitting
grid: {points: [15, 14, 23], length: [1.2, 1, 1.4]}
fluid: {reynolds: 20, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.5, 0, 0.2], temperature: 1.2}
  z: periodic
solids:
  ball: {shape: sphere, center: [0.3, 0.47, 0.61], radius: 0.31, rotation: [0.3, 0, 0.5], temperature: 1.1}
  rod: {shape: cylinder, center: [0.8, 0.5, 1.3], radius: 0.17, axis: y, length: 0.6, temperature: {gradient: 0}}
initial: {velocity: ["0.5*y", 0, "0.2*y"], temperature: 1}
time: {step: 0.01, steps: 6, global_iterations: 2, local_iterations: 2}
)yaml",
           1},
          long_lines("splitting", 1000),  // diffusion number 0.02
          long_lines("splitting", 2)};    // 11
}

std::vector<NamedCase> projection_cases() {
  const std::string start = R"yaml(
scheme: projection
grid: {points: [10, 9, 25], length: [3, 2, 1.5], stretching: {GRID}}
fluid: {reynolds: 30, prandtl: 0.7}
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)*cos(z)"
  noise: {amplitude: 0.02, seed: 3}
)yaml";
  const auto made = [&](const char* name, const std::string& stretching, const std::string& rest) {
    std::string yaml = start;
    yaml.replace(yaml.find("GRID"), 4, stretching);
    return NamedCase{name, yaml + rest, 1};
  };
  return {
      made("channel, buoyancy, averages along x and z", "y: {factor: 1.5}", R"yaml(
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.5, 0, -0.25], temperature: 0}
  z: periodic
buoyancy: {direction: y, rayleigh: 2000}
forcing: {type: bulk_velocity, value: [1, 0, 0.2]}
time: {step: 0.02, steps: 6, global_iterations: 2}
output: {statistics: {start: 0.03, every: 2, quantities: {uT2: "u*T^2+z"}, phase: {period: 0.07, bins: 3}}}
)yaml"),
      made("walls along stretched z, averages kept along it", "z: {factor: 1.3}", R"yaml(
boundaries:
  x: periodic
  y: periodic
  z_min: {type: wall, temperature: 1}
  z_max: {type: wall, velocity: [0.5, 0.1, 0], temperature: 0}
forcing: {type: pressure_gradient, value: [0.3, 0, 0]}
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2}}
)yaml"),
      made("outflow along x, CFL number held", "x: {factor: 1.1}", R"yaml(
boundaries:
  x_min: {type: inflow, velocity: ["1+y*(2-y)*(1+0.3*sin(t))", "0.2*sin(2*pi*z/1.5)", 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: {gradient: 1}}
  y_max: {type: symmetry}
  z: periodic
time: {cfl: 0.8, steps: 6}
)yaml"),
      made("a table and synthetic turbulence at the inflow", "x: {factor: 1.1}", R"yaml(
boundaries:
  x_min:
    type: inflow
    velocity: {profile: inflow_profile.csv}
    temperature: 1
    turbulence: {stresses: inflow_stresses.csv, lengths: [0.5, 0.3, 0.4], seed: 3}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 1}
  y_max: {type: symmetry}
  z: periodic
time: {step: 0.02, steps: 6}
)yaml"),
      made("outflow along z and out of a side", "z: {factor: 1.2}", R"yaml(
boundaries:
  z_min: {type: inflow, velocity: [0, 0, "1+0.5*x"], temperature: "1+x"}
  z_max: {type: outflow}
  x_min: {type: wall, temperature: 0}
  x_max: {type: outflow}
  y: periodic
time: {step: 0.01, steps: 6}
)yaml"),
      made("given on all faces, not quite balanced", "x: {factor: 1.1}", R"yaml(
boundaries:
  z_min: {type: inflow, velocity: ["0.1*x", 0, "1+x^2+0.1*t"], temperature: 1}
  z_max: {type: inflow, velocity: [0, 0, "1+x^2+0.1*t+0.01*y"], temperature: 1}
  x_min: {type: wall, temperature: 0}
  x_max: {type: wall, temperature: 0}
  y_min: {type: inflow, velocity: [0, "0.1*sin(2*x)*z", 0], temperature: 1}
  y_max: {type: inflow, velocity: [0, "0.1*sin(2*x)*z", 0], temperature: 1}
time: {step: 0.01, steps: 6}
)yaml"),
      made("periodic, one tolerance", "", R"yaml(
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.02, steps: 6, global_tolerance: 1e-4, max_global_iterations: 5}
)yaml"),
      made("a closed box whose mean temperature is known", "y: {factor: 1.3}", R"yaml(
boundaries:
  x_min: {type: wall, temperature: {gradient: 0}}
  x_max: {type: wall, velocity: [0, 0.2, 1], temperature: {gradient: 0.3}}
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: symmetry}
  z: periodic
buoyancy: {direction: z, rayleigh: 2000}
time: {step: 0.02, steps: 6, global_iterations: 2}
)yaml"),
      made("bodies in a periodic box, dead ends between them, CFL number held", "", R"yaml(
boundaries: {x: periodic, y: periodic, z: periodic}
solids:
  rods: {shape: formula, surface: "0.3-0.6*sin(7*x)*sin(9*y)*sin(8*z)-0.2", temperature: 1}
  ball: {shape: sphere, center: [0.2, 1.9, 0.1], radius: 0.4, temperature: 2}
forcing: {type: bulk_velocity, value: [1, 0, 0.2]}
time: {cfl: 0.7, steps: 6}
)yaml"),
      made("forces and heat by formulas, a sponge before the outflow", "x: {factor: 1.1}", R"yaml(
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0.1], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: {gradient: 1}}
  y_max: {type: symmetry}
  z: periodic
forcing:
  type: formula
  acceleration: ["0.3*sin(2*pi*z/1.5)*cos(t)", 0, "x*y"]
  heat: "sin(2*pi*z/1.5)+t"
  linear: 0.1
  sponges: {end: {rate: "x > 2 ? 5*(x-2) : 0", velocity: [1, 0, "0.1*sin(2*pi*z/1.5)"], temperature: 1}}
time: {step: 0.02, steps: 6}
)yaml"),
      made("outflow past a turning rod and an adiabatic ball", "x: {factor: 1.1}", R"yaml(
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0.1], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: {gradient: 1}}
  y_max: {type: symmetry}
  z: periodic
solids:
  rod: {shape: cylinder, center: [0.9, 1.1, 0.6], radius: 0.33, axis: z, rotation: [0, 0, 2], temperature: 2}
  ball: {shape: sphere, center: [1.9, 0.9, 0.1], radius: 0.45, temperature: {gradient: 0}}
time: {step: 0.02, steps: 6}
)yaml"),
      {"order 6 along x and y, oscillating walls along z, buoyancy, a held flux",
       R"yaml(
scheme: projection
grid: {points: [13, 11, 27], length: [2, 1, 1.25], stretching: {z: {type: tanh, factor: 1.4}}}
accuracy: {order: 6}
fluid: {reynolds: 60, prandtl: 0.7}
buoyancy: {rayleigh: 2e3, direction: z, reference_temperature: 0.3}
boundaries:
  x: periodic
  y: periodic
  z_min: {type: wall, velocity: ["0.3*sin(5*t)", "0.2*cos(4*t)", 0], temperature: 1}
  z_max: {type: wall, temperature: "0.2*sin(3*t)"}
initial:
  velocity: ["1+0.3*sin(pi*x)*z", "0.2*cos(pi*x)*z", "0.1*sin(pi*x)"]
  temperature: "0.5+0.1*cos(pi*x)"
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {cfl: 0.8, steps: 6}
output: {statistics: {start: 0, every: 1}}
)yaml"},
      {"orders 4, 8, 2, periodic along z, a force by formula and a sponge",
       R"yaml(
scheme: projection
grid: {points: [10, 12, 25], length: [1, 1, 2]}
accuracy: {order: [4, 8, 2]}
fluid: {reynolds: 60, prandtl: 0.7}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["1+0.3*sin(2*pi*x)*cos(pi*z)", "0.2*cos(2*pi*x)", "0.1*sin(2*pi*y)"]
  temperature: "0.5+0.1*cos(pi*z)"
forcing:
  type: formula
  acceleration: ["0.3*sin(pi*z)*cos(t)", 0, "sin(2*pi*y)"]
  heat: "sin(pi*z)+t"
  sponges: {end: {rate: "z > 1 ? 5*sin(pi*z)^2 : 0", velocity: [1, 0, 0], temperature: 1}}
time: {step: 0.01, steps: 6}
)yaml"},
      {"order 6 along all axes, forces and heat by formulas, a sponge",
       R"yaml(
scheme: projection
grid: {points: [13, 11, 25], length: [1, 1, 2]}
accuracy: {order: 6}
fluid: {reynolds: 60, prandtl: 0.7}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["1+0.3*sin(2*pi*x)*cos(pi*z)", "0.2*cos(2*pi*x)", "0.1*sin(2*pi*y)"]
  temperature: "0.5+0.1*cos(pi*z)"
forcing:
  type: formula
  acceleration: ["0.3*sin(pi*z)*cos(t)", 0, "sin(2*pi*y)"]
  heat: "sin(pi*z)+t"
  linear: 0.3
  sponges: {end: {rate: "z > 1 ? 5*sin(pi*z)^2 : 0", velocity: [1, 0, 0], temperature: 1}}
time: {step: 0.01, steps: 6}
output: {statistics: {start: 0, every: 2, average: [x, y], spectra: [x, y]}}
)yaml"},
      {"order 6 between planes of symmetry along x and y, heated walls along z",
       R"yaml(
scheme: projection
grid: {points: [11, 9, 26], length: [1, 1.5, 1.25], stretching: {z: {type: tanh, factor: 1.4}}}
accuracy: {order: 6}
fluid: {reynolds: 60, prandtl: 0.7}
buoyancy: {rayleigh: 2e3, direction: z, reference_temperature: 0.5}
boundaries:
  x_min: {type: symmetry}
  x_max: {type: symmetry}
  y_min: {type: symmetry}
  y_max: {type: symmetry}
  z_min: {type: wall, temperature: 1}
  z_max: {type: wall, temperature: 0}
initial:
  velocity: ["0.3*sin(pi*x)*z", "-0.2*cos(pi*x)*sin(2*pi*y/1.5)", "0.1*cos(pi*x)"]
  temperature: "1-z/1.25+0.1*cos(pi*x)*cos(2*pi*y/1.5)"
time: {cfl: 0.8, steps: 6}
output: {statistics: {start: 0, every: 1}}
)yaml"},
      {"orders 8, 4, 2, planes of symmetry along x and y, periodic along z",
       R"yaml(
scheme: projection
grid: {points: [11, 9, 26], length: [1, 1.5, 2]}
accuracy: {order: [8, 4, 2]}
fluid: {reynolds: 60}
boundaries:
  x_min: {type: symmetry}
  x_max: {type: symmetry}
  y_min: {type: symmetry}
  y_max: {type: symmetry}
  z: periodic
initial: {velocity: ["sin(pi*x)*cos(pi*z)", "-0.2*cos(pi*x)*sin(2*pi*y/1.5)", "0.5*cos(pi*x)"]}
time: {step: 0.01, steps: 6}
)yaml"},
      {"order 8, noise on a mean flow with buoyancy, held along x, CFL number held",
       R"yaml(
scheme: projection
grid: {points: [9, 8, 26], length: [2, 1, 1.5]}
accuracy: {order: 8}
fluid: {reynolds: 40, prandtl: 0.7}
buoyancy: {rayleigh: 2e3, direction: z, reference_temperature: 0.3}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["1+0.3*sin(pi*x)", 0.2, "0.1*sin(2*pi*y)"]
  temperature: "0.5+0.1*cos(pi*x)"
  noise: {amplitude: 0.2, seed: 5}
forcing: {type: bulk_velocity, value: [1, 0, 0.1]}
time: {cfl: 0.6, steps: 6}
output: {statistics: {start: 0, every: 1, spectra: [x, y, z]}}
)yaml"},
      {"orders 6, 2, 4, a pressure gradient",
       R"yaml(
scheme: projection
grid: {points: [10, 7, 27], length: [2, 1, 1.5]}
accuracy: {order: [6, 2, 4]}
fluid: {reynolds: 40}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["1+0.3*sin(pi*x)*cos(4*pi*z/3)", "0.2*cos(pi*x)", "0.1*sin(2*pi*y)"]
  noise: {amplitude: 0.1, seed: 6}
forcing: {type: pressure_gradient, value: [0.1, 0, 0.2]}
time: {step: 0.01, steps: 6}
output: {statistics: {start: 0, every: 2, average: [x, y], budgets: true}}
)yaml"},
      {"order 6 beside walls along stretched y, buoyancy, a held flux, CFL number held",
       R"yaml(
scheme: projection
grid: {points: [13, 11, 27], length: [2, 1, 1.25], stretching: {y: {type: tanh, factor: 1.4}}}
accuracy: {order: 6}
fluid: {reynolds: 60, prandtl: 0.7}
buoyancy: {rayleigh: 2e3, direction: y, reference_temperature: 0.3}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: ["0.3*sin(5*t)", 0, "0.2*cos(4*t)"], temperature: 1}
  y_max: {type: wall, temperature: "0.2*sin(3*t)"}
  z: periodic
initial:
  velocity: ["1+0.3*sin(pi*x)*y", "0.2*cos(pi*x)*y", "0.1*sin(pi*x)"]
  temperature: "0.5+0.1*cos(pi*x)"
  noise: {amplitude: 0.1, seed: 6}
forcing: {type: bulk_velocity, value: [1, 0, 0.1]}
time: {cfl: 0.8, steps: 6}
output: {statistics: {start: 0, every: 1, spectra: [x, z]}}
)yaml"},
      {"orders 8, 2, 8 between walls, a pressure gradient, budgets",
       R"yaml(
scheme: projection
grid: {points: [18, 10, 26], length: [2, 1, 1.5]}
accuracy: {order: [8, 2, 8]}
fluid: {reynolds: 40}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall, velocity: [1, 0, 0]}, z: periodic}
initial:
  velocity: ["y+0.3*sin(pi*x)*cos(4*pi*z/3)", "0.2*cos(pi*x)", "0.1*sin(2*pi*y)"]
  noise: {amplitude: 0.1, seed: 6}
forcing: {type: pressure_gradient, value: [0.1, 0, 0.2]}
time: {step: 0.01, steps: 6}
output: {statistics: {start: 0, every: 2, budgets: true, spectra: [z]}}
)yaml"},
      {"order 4 along z alone, a duct",
       R"yaml(
scheme: projection
grid: {points: [14, 11, 25], length: [2, 1, 1.5], stretching: {x: {factor: 1.3}, y: {factor: 1.4}}}
accuracy: {order: [2, 2, 4]}
fluid: {reynolds: 40, prandtl: 0.7}
boundaries:
  x_min: {type: wall, temperature: {gradient: 0.3}}
  x_max: {type: wall, velocity: [0, 0, 0.5], temperature: 0}
  y_min: {type: wall, temperature: 1}
  y_max: {type: symmetry}
  z: periodic
initial: {velocity: ["0.1*sin(4*pi*z/3)", 0, 1], noise: {amplitude: 0.1, seed: 6}}
forcing:
  type: formula
  acceleration: ["0.3*sin(4*pi*z/3)*cos(t)", 0, "x*y"]
  heat: "sin(4*pi*z/3)+t"
time: {cfl: 0.6, steps: 6}
output: {statistics: {start: 0, every: 2}}
)yaml"},
      {"order 6 along y and z, walls along x",
       R"yaml(
scheme: projection
grid: {points: [11, 12, 25], length: [1, 2, 1.5], stretching: {x: {factor: 1.3}}}
accuracy: {order: [2, 6, 6]}
fluid: {reynolds: 40, prandtl: 0.7}
boundaries:
  x_min: {type: wall, temperature: 1}
  x_max: {type: wall, velocity: [0, 0.2, 0.5], temperature: 0}
  y: periodic
  z: periodic
initial:
  velocity: ["0.1*sin(pi*y)*cos(4*pi*z/3)", "0.3*x", 1]
  noise: {amplitude: 0.1, seed: 6}
buoyancy: {rayleigh: 2e3, direction: z, reference_temperature: 0.3}
time: {step: 0.01, steps: 6}
output: {statistics: {start: 0, every: 2, spectra: [y, z]}}
)yaml"},
      long_lines("projection", 1000),
      long_lines("projection", 2),
  };
}

class Ranks : public OnEveryTarget {
 protected:
  /// Of the largest value of a flow.
  [[nodiscard]] static double tolerance() { return is_double() ? 1e-12 : 2e-5; }
  /// The same in that flow's units, for what its systems make of roundings.
  [[nodiscard]] static double tolerance_of(const NamedCase& named, const FlowState& flow) {
    double largest = 1;
    for (const HostField& field : flow.fields) {
      for (const double value : in_doubles(field))
        largest = larger_or_nan(largest, std::abs(value));
    }
    return tolerance() * named.roundings * largest;
  }

  static Case case_named(const NamedCase& named) {
    Case resolved = case_of(named.yaml);
    if (!is_double() && resolved.time.global_tolerance) resolved.time.global_tolerance = 1e-2;
    return resolved;
  }
};

void expect_near(const FlowDiagnostics& a, const FlowDiagnostics& b, double tolerance) {
  EXPECT_NEAR(a.cfl, b.cfl, tolerance * 10);
  EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, tolerance);
  EXPECT_NEAR(a.dissipation, b.dissipation, tolerance * 100);
  ASSERT_EQ(a.others.size(), b.others.size());
  for (std::size_t n = 0; n < a.others.size(); ++n)
    EXPECT_NEAR(a.others[n], b.others[n], tolerance * 100) << n;
}

TEST_P(Ranks, agree_with_one_to_round_off) {
  for (const auto& cases : {splitting_cases(), projection_cases()}) {
    for (const NamedCase& named : cases) {
      const Case resolved = case_named(named);
      const RanksResult one = run_on_ranks(resolved, 1, 6);
      for (const int ranks : {2, 3}) {
        SCOPED_TRACE(fmt::format("{}, {} ranks", named.name, ranks));
        const RanksResult several = run_on_ranks(resolved, ranks, 6);
        EXPECT_TRUE(same_within(tolerance_of(named, one.viewing), several.viewing, one.viewing));
        for (const FlowDiagnostics& diagnostics : several.diagnostics) {
          expect_near(diagnostics, one.diagnostics.front(), tolerance() * named.roundings);
          EXPECT_NEAR(diagnostics.divergence_max,
                      one.diagnostics.front().divergence_max,
                      tolerance() * 100 * named.roundings);
          EXPECT_EQ(diagnostics.divergence_max, several.diagnostics.front().divergence_max);
        }
      }
    }
  }
}

/// Many slabs of the fewest planes, some with one more.
TEST_P(Ranks, agree_with_one_on_many_uneven_slabs) {
  constexpr int fewest_planes = 8;
  const std::vector<NamedCase> staggered = projection_cases();
  const auto high_order = std::find_if(staggered.begin(), staggered.end(), [](const auto& named) {
    return std::string_view(named.name).starts_with("order 6 along y and z");
  });
  ASSERT_NE(high_order, staggered.end());
  NamedCase in_short_steps = *high_order;
  in_short_steps.roundings *= 4;  // p has those of V over a step, here a twentieth of the case's
  for (const NamedCase& named :
       {splitting_cases().front(), staggered.at(0), staggered.at(1), in_short_steps}) {
    for (const int ranks : {7, 13, 19}) {
      Case resolved = case_named(named);
      resolved.grid.points.nz = fewest_planes * ranks + 3;
      if (resolved.accuracy.order[2] > 2) resolved.time.step = 5e-4;  // stable in explicit stages
      SCOPED_TRACE(
          fmt::format("{}, {} planes on {} ranks", named.name, resolved.grid.points.nz, ranks));
      const RanksResult one = run_on_ranks(resolved, 1, 3);
      const RanksResult several = run_on_ranks(resolved, ranks, 3);
      EXPECT_TRUE(same_within(tolerance_of(named, one.viewing), several.viewing, one.viewing));
      for (const FlowDiagnostics& diagnostics : several.diagnostics)
        expect_near(diagnostics, one.diagnostics.front(), tolerance() * named.roundings);
    }
  }
}

/// After the next step all of them are what they are before it, to the last bit, and the step is
/// the same; on one rank too.
TEST_P(Ranks, read_diagnostics_one_step_later) {
  for (const auto& cases : {splitting_cases(), projection_cases()}) {
    for (const NamedCase& named : cases) {
      Case resolved = case_named(named);
      resolved.output.timeseries_every = 2;  // forces on bodies are summed up in these steps
      for (const int ranks : {1, 3}) {
        SCOPED_TRACE(fmt::format("{}, {} ranks", named.name, ranks));
        ThreadRanks::run(ranks, [&](Communicator& communicator) {
          const auto at_once = make_simulation(resolved, communicator);
          const auto later = make_simulation(resolved, communicator);
          for (const auto& simulation : {at_once.get(), later.get()})
            simulation->set_state(initial_state(resolved, simulation->subdomain()));
          for (int step = 0; step < 3; ++step) {
            const FlowDiagnostics expected = at_once->diagnostics();
            at_once->advance();
            later->begin_diagnostics();
            later->advance();
            const FlowDiagnostics found = later->finish_diagnostics();
            EXPECT_EQ(found.divergence_mean, expected.divergence_mean) << step;
            EXPECT_EQ(found.divergence_max, expected.divergence_max) << step;
            EXPECT_EQ(found.cfl, expected.cfl) << step;
            EXPECT_EQ(found.kinetic_energy, expected.kinetic_energy) << step;
            EXPECT_EQ(found.dissipation, expected.dissipation) << step;
            EXPECT_EQ(found.others, expected.others) << step;
          }
          EXPECT_TRUE(same_bits(state_of(*later), state_of(*at_once)));
        });
      }
    }
  }
}

/// Faces, vorticity and Q too, with seams and with walls beside them.
TEST_P(Ranks, make_the_same_snapshots_to_round_off) {
  for (const auto& cases : {splitting_cases(), projection_cases()}) {
    for (std::size_t number = 0; number < cases.size(); ++number) {
      const bool is_high_order = std::string_view(cases[number].name).starts_with("order 6");
      if (number > 3 && !is_high_order) continue;
      Case resolved = case_named(cases.at(number));
      FieldOutputCase& fields = resolved.output.fields;
      for (const char* const name : {"vorticity", "q_criterion"})
        fields.variables.emplace_back(name);
      if (resolved.scheme == Scheme::projection) fields.location = FieldOutputCase::Location::faces;
      const RanksResult one = run_on_ranks(resolved, 1, 2);
      ASSERT_GE(one.viewing.fields.size(), 8U);
      for (const int ranks : {2, 3}) {
        SCOPED_TRACE(fmt::format("{}, {} ranks", cases.at(number).name, ranks));
        const RanksResult several = run_on_ranks(resolved, ranks, 2);
        EXPECT_TRUE(same_within(
            tolerance_of(cases.at(number), one.viewing) * 10, several.viewing, one.viewing));
      }
    }
  }
}

TEST_P(Ranks, compute_the_same_bits_every_time) {
  for (const auto& cases : {splitting_cases(), projection_cases()}) {
    const Case resolved = case_named(cases.front());
    const RanksResult first = run_on_ranks(resolved, 3, 4);
    const RanksResult second = run_on_ranks(resolved, 3, 4);
    EXPECT_TRUE(same_bits(first.restart, second.restart));
  }
}

TEST_P(Ranks, go_on_from_flows_of_any_number_of_ranks) {
  for (const auto& cases : {splitting_cases(), projection_cases()}) {
    for (const NamedCase& named : cases) {
      SCOPED_TRACE(named.name);
      const Case resolved = case_named(named);
      const RanksResult whole = run_on_ranks(resolved, 1, 6);
      const RanksResult one = run_on_ranks(resolved, 1, 2);
      const RanksResult three = run_on_ranks(resolved, 3, 2, &one.restart);
      const RanksResult two = run_on_ranks(resolved, 2, 2, &three.restart);
      EXPECT_TRUE(same_within(tolerance_of(named, whole.viewing), two.viewing, whole.viewing));
      EXPECT_TRUE(same_within(tolerance() * 100 * named.roundings, two.restart, whole.restart));
      // On as many ranks, not a bit changes.
      const RanksResult paused = run_on_ranks(resolved, 3, 3);
      EXPECT_TRUE(same_bits(run_on_ranks(resolved, 3, 3, &paused.restart).restart,
                            run_on_ranks(resolved, 3, 6).restart));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Ranks, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_ranks
