#include "bench/stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/trial.hpp"
#include "solver/config/load_case.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"

namespace dns::bench {
namespace {

constexpr const char* channel = R"yaml(
case: channel
scheme: splitting
device: {device}
precision: {precision}
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
run: {{threads: {threads}}}
)yaml";

}  // namespace

Case channel_case(int points, Precision precision, Device device, int threads) {
  return parse_case(fmt::format(fmt::runtime(channel),
                                fmt::arg("device", name_of(device)),
                                fmt::arg("precision", dns::name_of(precision)),
                                fmt::arg("points", points),
                                fmt::arg("global", global_iterations),
                                fmt::arg("local", local_iterations),
                                fmt::arg("threads", threads)),
                    "bench",
                    {});
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
}

}  // namespace

StepMemory memory_of_steps(int points, Precision precision, Device device) {
  constexpr std::size_t fields = 4;
  const Case resolved = channel_case(points, precision, device, 1);
  const std::size_t initial = fields * sizeof(double) * resolved.grid.points.count();
  return {needs_of(resolved).device_bytes, initial};
}

StepTimes time_channel(int points, Precision precision, Device device, int threads) {
  constexpr double enough_seconds = 1;
  constexpr double batch_seconds = 0.05;
  constexpr std::size_t fewest = 3;
  constexpr std::size_t most = 25;
  const Case resolved = channel_case(points, precision, device, threads);
  const std::unique_ptr<Simulation> simulation = make_simulation(resolved);
  simulation->set_state(initial_state(resolved));
  StepTimes times;
  times.points = points;
  times.precision = precision;
  times.device = device;
  times.threads = device == Device::cpu ? threads : 0;
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
  take_phases(times, before, simulation->phase_times(), steps);
  return times;
}

std::vector<Measurement> measurements_of(const StepTimes& times) {
  Measurement step;
  step.section = "step";
  step.variant = "whole step";
  step.device = times.device;
  step.threads = times.threads;
  step.precision = times.precision;
  step.points = times.points;
  step.seconds = times.seconds;
  step.bytes = times.bytes;
  step.memory_bytes = times.memory_bytes;
  std::vector<Measurement> results{step};
  const auto add_phase = [&](const char* name, double seconds) {
    Measurement phase = step;
    phase.variant = name;
    phase.seconds = seconds;
    phase.bytes = 0;
    phase.memory_bytes = 0;
    results.push_back(phase);
  };
  add_phase("phase sweep z", times.sweep_z);
  add_phase("phase sweep y", times.sweep_y);
  add_phase("phase sweep x", times.sweep_x);
  add_phase("phase non-linear update", times.nonlinear_update);
  return results;
}

}  // namespace dns::bench
