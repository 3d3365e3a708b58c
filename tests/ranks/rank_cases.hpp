/// Cases for runs on several ranks.
#pragma once

#include <array>
#include <string>

namespace dns::testing {

/// Small cases with planes for four ranks, and slabs that differ by a plane.
struct NamedCase {
  const char* name;
  std::string yaml;
};
inline const NamedCase splitting_walls{"splitting, walls along z", R"yaml(case: ranks
scheme: splitting
device: cpu
grid: {points: [13, 11, 34], length: [1.0, 1.2, 2.5]}
fluid: {reynolds: 20, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1.0}
  y_max: {type: wall, velocity: [1, 0, 0], temperature: {gradient: 0}}
  z_min: {type: wall, velocity: [0, 0.5, 0], temperature: 1.0}
  z_max: {type: symmetry}
initial:
  velocity: ["0.1*sin(2*pi*x)", "0", "0"]
  temperature: "1"
  noise: {amplitude: 0.01, seed: 3}
time: {step: 1.0e-3, steps: 10, global_iterations: 2, local_iterations: 1}
output: {fields: {every: 10}, checkpoint: {every: 5}}
)yaml"};
inline const NamedCase splitting_periodic{"splitting, periodic along z", R"yaml(case: ranks
scheme: splitting
device: cpu
grid: {points: [12, 13, 35], length: [1, 1, 2]}
fluid: {reynolds: 50, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 1.2}
  y_max: {type: wall, temperature: 1}
  z: periodic
initial: {velocity: [1, "0.1*sin(pi*z)", "0.1*sin(pi*y)"], temperature: "1+0.1*cos(pi*z)"}
time: {step: 2.0e-3, steps: 10, global_iterations: 2, local_iterations: 2}
output: {fields: {every: 10}, checkpoint: {every: 5}}
)yaml"};
inline const NamedCase projection_walls{"projection, walls along z", R"yaml(case: ranks
scheme: projection
device: cpu
grid: {points: [10, 9, 33], length: [3, 2, 1.5], stretching: {z: {type: tanh, factor: 1.3}}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y: periodic
  z_min: {type: wall, temperature: 1}
  z_max: {type: wall, velocity: [0.5, 0.1, 0], temperature: 0}
forcing: {type: pressure_gradient, value: [0.3, 0, 0]}
initial:
  velocity: ["sin(2*pi*x/3)*z", "0.4*sin(pi*y)", "0"]
  temperature: "1-z/1.5"
  noise: {amplitude: 0.02, seed: 3}
time: {step: 0.01, steps: 10}
output: {fields: {every: 10}, checkpoint: {every: 5}, statistics: {start: 0.0, every: 2, spectra: [x, y]}}
)yaml"};
/// A channel, without keys of accuracy and time.
inline const std::string channel = R"yaml(case: ranks
scheme: projection
device: cpu
grid: {points: [12, 9, 35], length: [3, 2, 1.5], stretching: {y: {type: tanh, factor: 1.5}}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.5, 0, -0.25], temperature: 0}
  z: periodic
buoyancy: {direction: y, rayleigh: 2000}
forcing: {type: bulk_velocity, value: [1, 0, 0.2]}
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)*cos(z)"
output: {fields: {every: 10}, checkpoint: {every: 5}, statistics: {start: 0.0, every: 2, spectra: [x, z]}}
)yaml";
inline const NamedCase projection_periodic{"projection, periodic along z",
                                           channel + "time: {cfl: 0.4, end: 0.1}\n"};
inline const NamedCase projection_order_6{"projection, order 6 along all axes",
                                          R"yaml(case: ranks
scheme: projection
device: cpu
grid: {points: [12, 9, 35], length: [3, 2, 1.5]}
accuracy: {order: 6}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries: {x: periodic, y: periodic, z: periodic}
buoyancy: {direction: y, rayleigh: 2000}
forcing: {type: formula, acceleration: ["0.3*sin(2*pi*z/1.5)*cos(t)", 0, "sin(pi*y)"], heat: "sin(2*pi*z/1.5)", linear: 0.2}
initial:
  velocity: ["0.5+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*sin(pi*y)"]
  temperature: "0.1*cos(2*pi*x/3)"
  noise: {amplitude: 0.05, seed: 3}
time: {step: 0.01, steps: 10}
output: {fields: {every: 10}, checkpoint: {every: 5}, statistics: {start: 0.0, every: 2, spectra: [x, y, z]}}
)yaml"};
inline const NamedCase projection_channel_order_6{
    "projection, orders 6, 2, 6, walls along y",
    channel + "accuracy: {order: [6, 2, 6]}\ntime: {step: 0.01, steps: 10}\n"};
inline const std::array all_cases{splitting_walls,
                                  splitting_periodic,
                                  projection_walls,
                                  projection_periodic,
                                  projection_order_6,
                                  projection_channel_order_6};

}  // namespace dns::testing
