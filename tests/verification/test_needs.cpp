/// What a run takes of memory, as it is counted before, and what it then takes.
#include <sys/resource.h>

#include <ctime>
#include <string>
#include <vector>

#include "solver/instances/case_needs.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_needs {
namespace {

struct Named {
  std::string name, yaml;
};

const std::vector<Named>& cases() {
  static const std::vector<Named> all{
      {"implicit, stretched along y, statistics, planes, probes", R"yaml(
scheme: projection
grid: {points: [19, 12, 22], length: [4, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 100, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: {gradient: 1}}
  z: periodic
buoyancy: {rayleigh: 1000, direction: y}
initial: {velocity: ["y*(2-y)", 0, 0], temperature: "1-y/2"}
time: {step: 0.01, steps: 9}
output:
  statistics: {every: 1, start: 0, budgets: true, spectra: [x, z], window: 0.02}
  planes: {every: 1, middle: {axis: x, at: 2}, low: {axis: z, at: 0.1}}
  probes: {every: 1, line: {from: [0.1, 0.2, 0.3], to: [3.9, 1.8, 1.9], count: 7}}
)yaml"},
      {"stretched along two axes, bodies, sources", R"yaml(
scheme: projection
grid: {points: [17, 16, 21], length: [1.2, 1, 1.4], stretching: {x: {factor: 1.1}, y: {factor: 1.2}}}
fluid: {reynolds: 40, prandtl: 0.7}
scalars: {salt: {prandtl: 3, source: "x*t", buoyancy: 0.5}, dye: {prandtl: 1}}
buoyancy: {rayleigh: 10}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: "y", scalars: {salt: 0, dye: 1}}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 0, scalars: {salt: {gradient: 0}, dye: 0}}
  y_max: {type: symmetry}
  z: periodic
solids:
  ball: {shape: sphere, center: [0.4, 0.5, 0.6], radius: 0.2, temperature: 1, scalars: {salt: 1, dye: {gradient: 0}}}
  rod: {shape: cylinder, center: [0.8, 0.5, 0.9], radius: 0.1, axis: y, rotation: [0, 1, 0], temperature: {gradient: 0}, scalars: {salt: 2, dye: 0}}
forcing: {type: formula, acceleration: ["sin(y)", 0, 1], sponges: {end: {rate: "max(0, x-1)", velocity: [1, 0, 0]}}}
initial: {velocity: [1, 0, 0], temperature: 0}
time: {step: 0.01, steps: 9}
output: {statistics: {every: 1, start: 0, average: [z]}}
)yaml"},
      {"runge_kutta of order 6", R"yaml(
scheme: projection
grid: {points: [12, 14, 18], length: [1, 1, 1]}
accuracy: {order: 6}
fluid: {reynolds: 100, prandtl: 1}
scalars: {salt: {prandtl: 3, mean_gradient: [0, 0, 1]}}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(2*pi*y)", "cos(2*pi*x)", 0], temperature: 1}
time: {scheme: runge_kutta, step: 0.001, steps: 9}
output: {statistics: {every: 1, start: 0, spectra: [x, y, z]}}
)yaml"},
      {"runge_kutta between walls", R"yaml(
scheme: projection
grid: {points: [16, 12, 18], length: [1, 1, 1]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z_min: {type: wall}, z_max: {type: wall}}
initial: {velocity: ["y*(1-y)", 0, 0]}
time: {scheme: runge_kutta, step: 0.001, steps: 9}
)yaml"},
      {"splitting with a tolerance, bodies, derived fields", R"yaml(
scheme: splitting
grid: {points: [19, 17, 24], length: [2, 1, 1.2]}
fluid: {reynolds: 50, prandtl: 0.7, heat_capacity_ratio: 1.4}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: symmetry}
  z_min: {type: wall, temperature: 0}
  z_max: {type: outflow}
solids:
  ball: {shape: sphere, center: [1, 0.5, 0.6], radius: 0.2, temperature: {gradient: 0}}
  rod: {shape: cylinder, center: [0.4, 0.5, 0.6], radius: 0.1, axis: y, temperature: 2}
forcing: {type: formula, acceleration: ["sin(y)", 0, "t"]}
initial: {velocity: [1, 0, 0], temperature: 1}
time: {step: 0.001, steps: 9, local_iterations: 2, global_tolerance: 1e-3, max_global_iterations: 3}
output:
  fields: {every: 1, variables: [velocity, temperature, vorticity]}
  planes: {every: 1, middle: {axis: y, at: 0.5}}
)yaml"},
      {"splitting, periodic", R"yaml(
scheme: splitting
grid: {points: [13, 16, 18], length: [1, 1, 1]}
fluid: {reynolds: 50, prandtl: 0.7, heat_capacity_ratio: 1.4}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(2*pi*y)", 0, 0], temperature: 1}
time: {step: 0.001, steps: 9, global_iterations: 2}
)yaml"},
      {"lines that a GPU solves in pieces, bodies", R"yaml(
scheme: projection
grid: {points: [601, 12, 9], length: [60, 1.2, 0.9]}
fluid: {reynolds: 40}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0]}
  x_max: {type: outflow}
  y: wall
  z: periodic
solids: {rod: {shape: cylinder, center: [3, 0.6], radius: 0.2, axis: z}}
initial: {velocity: [1, 0, 0]}
time: {step: 0.01, steps: 9}
)yaml"},
      {"splitting, lines that a GPU solves in pieces", R"yaml(
scheme: splitting
grid: {points: [10, 1100, 9], length: [0.1, 11, 0.1]}
fluid: {reynolds: 50, prandtl: 0.7, heat_capacity_ratio: 1.4}
boundaries: {x: periodic, y: {type: wall, temperature: 1}, z: periodic}
initial: {velocity: [0, 0, 0], temperature: 1}
time: {step: 0.001, steps: 9}
)yaml"}};
  return all;
}

std::size_t bytes_in(const FlowState& state) {
  std::size_t bytes = 0;
  for (const HostField& field : state.fields) {
    if (field.name() != solid_name) bytes += field.bytes();  // it is shared
  }
  return bytes;
}

/// Compares a simulation with what was counted, before it starts and when it has done all it does.
void expect_as_counted(Simulation& simulation, const FlowState& start, const CaseNeeds& counted) {
  EXPECT_EQ(simulation.memory_bytes(), counted.device_bytes);
  simulation.set_state(start);
  FlowState restart = simulation.allocate_state(CopyPurpose::restart);
  FlowState viewing = simulation.allocate_state(CopyPurpose::snapshot);
  for (int step = 0; step < 3; ++step) {
    simulation.advance();
    simulation.diagnostics();
    simulation.planes();
    simulation.take_probes();
  }
  simulation.copy_state(restart, CopyPurpose::restart);
  simulation.copy_state(viewing, CopyPurpose::snapshot);
  EXPECT_EQ(simulation.memory_bytes(), counted.device_bytes) << "after some steps";
  EXPECT_EQ(bytes_in(restart), counted.restart_bytes);
  EXPECT_EQ(simulation.one_copy_serves_both() ? 0 : bytes_in(viewing), counted.viewing_bytes);
}

class Needs : public OnEveryTarget {};

TEST_P(Needs, are_what_a_run_takes_to_the_byte) {
  for (const auto& [name, yaml] : cases()) {
    SCOPED_TRACE(name);
    const Case resolved = case_of(yaml);
    const auto simulation = make_simulation(resolved);
    expect_as_counted(*simulation, initial_state(resolved), needs_of(resolved));
  }
}

TEST_P(Needs, of_each_rank_are_what_it_takes) {
  for (const auto& [name, yaml] : cases()) {
    for (const int ranks : {2, 3}) {
      const Case resolved = case_of(yaml);
      ThreadRanks::run(ranks, [&, &name = name](Communicator& communicator) {
        SCOPED_TRACE(name + " on rank " + std::to_string(communicator.rank()));
        const auto simulation = make_simulation(resolved, communicator);
        expect_as_counted(*simulation,
                          initial_state(resolved, simulation->subdomain()),
                          needs_of_rank(resolved, communicator.rank(), ranks));
      });
    }
  }
}

TEST_P(Needs, of_several_ranks_are_those_of_the_one_that_needs_most) {
  const Case resolved = case_of(cases().front().yaml);
  std::size_t most = 0;
  for (const int rank : {0, 1, 2})
    most = std::max(most, needs_of_rank(resolved, rank, 3).device_bytes);
  EXPECT_EQ(needs_of(resolved, 3).device_bytes, most);
  EXPECT_LT(most, needs_of(resolved).device_bytes);
}

/// Of the process so far [bytes].
double largest_resident_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

TEST_P(Needs, of_large_cases_are_counted_fast_and_without_their_memory) {
  static_cast<void>(needs_of(case_of(cases().front().yaml)));  // starts the device
  for (const auto& [name, yaml] : cases()) {
    Case resolved = case_of(yaml);
    resolved.grid.points = {1000, 1000, 1000};
    if (resolved.output.statistics) resolved.output.statistics->average = {};
    const double before = largest_resident_memory();
    const std::clock_t start = std::clock();  // of this process: others may keep it waiting
    EXPECT_GT(needs_of(resolved).device_bytes,
              10 * resolved.grid.points.count() * bytes_of(resolved.precision));
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 1) << name;
    EXPECT_LT(largest_resident_memory() - before, 2e8) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(, Needs, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_needs
