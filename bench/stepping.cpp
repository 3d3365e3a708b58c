#include "bench/stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bench/studies/cuda_studies.hpp"
#include "bench/trial.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"

namespace dns::bench {
namespace {

constexpr const char* plane_channel = R"yaml(
scheme: projection
grid: {{points: [{points}, {points}, {points}], length: [6.283185307179586, 2, 3.141592653589793], stretching: {{y: {{factor: 2}}}}}}
fluid: {{reynolds: 2800}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: wall}}, z: periodic}}
initial: {{velocity: ["1.5*y*(2-y)", 0, "0.1*sin(x)*y*(2-y)"]}}
forcing: {{type: bulk_velocity, value: [1, 0, 0]}}
time: {{step: 1.0e-3, steps: 100000}}
)yaml";

constexpr const char* channel = R"yaml(
scheme: splitting
grid: {{points: [{points}, {points}, {points}], length: [1, 1, 1]}}
fluid: {{reynolds: 500, prandtl: 0.72, heat_capacity_ratio: 1.4}}
boundaries:
  x_min: {{type: inflow, velocity: [1, 0, 0], temperature: 1}}
  x_max: {{type: outflow}}
  y_min: {{type: wall, temperature: 1}}
  y_max: {{type: wall, temperature: 1}}
  z_min: {{type: wall, temperature: 1}}
  z_max: {{type: wall, temperature: 1}}
initial: {{velocity: [1, 0, 0], temperature: 1}}
time: {{step: 5.0e-3, steps: 1000, global_iterations: {global}, local_iterations: {local}}}
)yaml";

}  // namespace

Case case_of(const StepsAsked& asked, const std::vector<Override>& others) {
  const bool is_splitting = asked.scheme == Scheme::splitting;
  Case resolved = parse_case(fmt::format(fmt::runtime(is_splitting ? channel : plane_channel),
                                         fmt::arg("points", asked.points),
                                         fmt::arg("global", global_iterations),
                                         fmt::arg("local", local_iterations)),
                             "bench",
                             others);
  resolved.precision = asked.precision;
  resolved.device = asked.device == Device::cuda ? DeviceChoice::cuda : DeviceChoice::cpu;
  resolved.run.threads = asked.threads;
  return resolved;
}

namespace {

/// Seconds of the phases with one of these names.
double phase_seconds(const std::vector<PhaseTime>& phases,
                     std::initializer_list<std::string_view> names) {
  double seconds = 0;
  for (const PhaseTime& phase : phases) {
    if (std::find(names.begin(), names.end(), phase.name) != names.end()) seconds += phase.seconds;
  }
  return seconds;
}

/// Stores the phases per step, from readings before and after `steps` steps.
void take_phases(StepTimes& times,
                 const std::vector<PhaseTime>& before,
                 const std::vector<PhaseTime>& after,
                 int steps) {
  const auto per_step = [&](std::initializer_list<std::string_view> names) {
    return (phase_seconds(after, names) - phase_seconds(before, names)) / steps;
  };
  times.sweep_x = per_step({"sweep x"});
  times.sweep_y = per_step({"sweep y"});
  times.sweep_z = per_step({"sweep z"});
  times.nonlinear_update = per_step({"boundaries"});
  times.poisson = per_step({"poisson"});
}

}  // namespace

StepMemory memory_of_steps(const StepsAsked& asked) {
  constexpr std::size_t fields = 4;
  const Case resolved = case_of(asked);
  const std::size_t initial = fields * sizeof(double) * resolved.grid.points.count();
  return {needs_of(resolved).device_bytes, initial};
}

StepTimes time_steps(const StepsAsked& asked) {
  StepTimes times = time_steps(case_of(asked));
  times.asked = asked;
  return times;
}

StepTimes time_steps(const Case& resolved) {
  constexpr double enough_seconds = 1;
  constexpr double batch_seconds = 0.05;
  constexpr std::size_t fewest = 3;
  constexpr std::size_t most = 25;
  const std::unique_ptr<Simulation> simulation = make_simulation(resolved);
  simulation->set_state(initial_state(resolved));
  StepTimes times;
  times.memory_bytes = simulation->memory_bytes();
  times.bytes = compulsory_bytes_per_step(resolved);

  simulation->advance();
  times.energy = simulation->diagnostics().kinetic_energy;
  const auto seconds_of = [&](int steps) {
    const Stopwatch watch;
    for (int step = 0; step < steps; ++step) simulation->advance();
    static_cast<void>(simulation->phase_times());  // waits for the device
    return watch.seconds();
  };
  const double estimate = seconds_of(1);
  const int batch = std::clamp(static_cast<int>(batch_seconds / std::max(estimate, 1e-5)), 1, 200);
  const std::vector<PhaseTime> before = simulation->phase_times();
  const bool is_on_gpu = resolved.device == DeviceChoice::cuda;
  const std::optional<double> joules_before = is_on_gpu ? cuda_joules() : std::nullopt;
  std::vector<double> samples;
  double total = 0;
  while (samples.size() < fewest || (total < enough_seconds && samples.size() < most)) {
    const double seconds = seconds_of(batch);
    samples.push_back(seconds / batch);
    total += seconds;
  }
  times.seconds = median(samples);
  const int steps = batch * static_cast<int>(samples.size());
  times.mean_seconds = total / steps;
  if (joules_before) times.joules = (cuda_joules().value() - *joules_before) / steps;
  take_phases(times, before, simulation->phase_times(), steps);
  return times;
}

std::vector<Measurement> measurements_of(const StepTimes& times) {
  Measurement step;
  step.section = "step";
  step.variant = fmt::format("{}, whole step", dns::name_of(times.asked.scheme));
  step.device = times.asked.device;
  step.threads = times.asked.threads;
  step.precision = times.asked.precision;
  step.points = times.asked.points;
  step.seconds = times.seconds;
  step.bytes = times.bytes;
  step.memory_bytes = times.memory_bytes;
  step.joules = times.joules;
  std::vector<Measurement> results{step};
  const auto add_phase = [&](const char* name, double seconds) {
    Measurement phase = step;
    phase.variant = fmt::format("{}, {}", dns::name_of(times.asked.scheme), name);
    phase.seconds = seconds;
    phase.bytes = 0;
    phase.memory_bytes = 0;
    phase.joules = std::numeric_limits<double>::quiet_NaN();
    results.push_back(phase);
  };
  add_phase("sweep z", times.sweep_z);
  add_phase("sweep y", times.sweep_y);
  add_phase("sweep x", times.sweep_x);
  add_phase("update", times.nonlinear_update);
  if (times.asked.scheme == Scheme::projection) add_phase("poisson", times.poisson);
  return results;
}

}  // namespace dns::bench
