#include "bench/scaling.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "bench/stepping.hpp"
#include "bench/text_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"

namespace dns::bench {
namespace {

struct ScalingFlow {
  const char* name;
  const char* yaml;  // but grid.points, precision and device; null: the model problem
  const char* order = "2";
};

constexpr const char* taylor_green = R"yaml(
scheme: projection
grid: {points: [16, 16, 16], length: [6.283185307179586, 6.283185307179586, 6.283185307179586]}
fluid: {reynolds: 1600}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", 0]}
time: {step: 1.0e-3, steps: 100000}
)yaml";

constexpr std::array<ScalingFlow, 5> flows{{
    {"splitting, channel", nullptr},
    {"projection, Taylor-Green", taylor_green},
    {"projection, Taylor-Green, order 6", taylor_green, "6"},
    {"projection, walls along y, orders 6, 2, 6",
     R"yaml(
scheme: projection
grid: {points: [16, 16, 16], length: [6.283185307179586, 2, 3.141592653589793], stretching: {y: {factor: 2}}}
fluid: {reynolds: 2800}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
initial: {velocity: ["1.5*y*(2-y)", 0, "0.1*sin(x)*y*(2-y)"]}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {step: 1.0e-3, steps: 100000}
)yaml",
     "[6, 2, 6]"},
    {"projection, walls along z", R"yaml(
scheme: projection
grid: {points: [16, 16, 16], length: [6.283185307179586, 3.141592653589793, 2], stretching: {z: {factor: 2}}}
fluid: {reynolds: 2800}
boundaries: {x: periodic, y: periodic, z_min: {type: wall}, z_max: {type: wall}}
initial: {velocity: ["1.5*z*(2-z)", "0.1*sin(x)*z*(2-z)", 0]}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {step: 1.0e-3, steps: 100000}
)yaml"},
}};

/// One step: the mean of many.
struct StepOnRanks {
  double seconds = 0;
  double exchange_seconds = 0;
  Traffic traffic;  // of rank 0
};

Case case_of(const ScalingFlow& flow, Precision precision, Device device) {
  constexpr int some = 16;  // points: to be replaced
  std::vector<Override> overrides(1);
  overrides[0].path = "accuracy.order";
  overrides[0].value = flow.order;
  Case resolved = flow.yaml == nullptr ? bench::case_of({Scheme::splitting, some})
                                       : parse_case(flow.yaml, "bench", overrides);
  resolved.precision = precision;
  resolved.device = device == Device::cuda ? DeviceChoice::cuda : DeviceChoice::cpu;
  return resolved;
}

double seconds_of_exchange(const Simulation& simulation) {
  for (const PhaseTime& phase : simulation.phase_times()) {
    if (phase.name == "exchange") return phase.seconds;
  }
  return 0;
}

/// Called by all ranks of the communicator. As many steps as fit into a second, which the first
/// ones, that warm up, tell.
StepOnRanks time_steps(const Case& resolved, Communicator& communicator) {
  constexpr double enough_seconds = 1;
  constexpr int steps_before = 2;
  const std::unique_ptr<Simulation> simulation = make_simulation(resolved, communicator);
  simulation->set_state(initial_state(resolved, simulation->subdomain()));
  double longest = 0;
  for (int n = 0; n < steps_before; ++n) {
    const Stopwatch stopwatch;
    simulation->advance();
    static_cast<void>(simulation->phase_times());  // waits for the device
    longest = std::ranges::max(communicator.gathered(stopwatch.seconds()));
  }
  const int steps = std::clamp(static_cast<int>(enough_seconds / longest), 3, 200);
  const Traffic before = simulation->traffic();
  const double exchange_before = seconds_of_exchange(*simulation);
  static_cast<void>(communicator.gathered(0));  // all begin together
  const Stopwatch stopwatch;
  for (int n = 0; n < steps; ++n) simulation->advance();
  const double exchange = seconds_of_exchange(*simulation) - exchange_before;
  const double seconds = std::ranges::max(communicator.gathered(stopwatch.seconds()));
  const Traffic& after = simulation->traffic();
  const std::size_t of_step = steps;
  return {seconds / steps,
          exchange / steps,
          {(after.messages - before.messages) / of_step, (after.bytes - before.bytes) / of_step}};
}

}  // namespace

std::vector<ScalingMeasurement> measure_scaling(
    Communicator& communicator,
    const ScalingRequest& request,
    const std::function<void(const std::string&)>& progress) {
  const int ranks = communicator.size();
  const bool is_on_gpu = request.device == Device::cuda;
  const auto usual = is_on_gpu ? std::vector<int>{192, 512} : std::vector<int>{128};
  const std::vector<int>& sizes = request.points.empty() ? usual : request.points;
  constexpr std::size_t ways = 2;  // strong and weak
  const std::size_t all_measurements =
      sizes.size() * request.precisions.size() * flows.size() * ways;
  std::vector<ScalingMeasurement> measurements;
  const auto add =
      [&](const ScalingFlow& flow, Precision precision, Extents alone_on, Extents all) {
        Case resolved = case_of(flow, precision, request.device);
        const auto tell = [&](const char* who) {
          progress(fmt::format("{} of {}: {}, {}, {} x {} x {}, {}",
                               measurements.size() + 1,
                               all_measurements,
                               flow.name,
                               dns::name_of(precision),
                               all.nx,
                               all.ny,
                               all.nz,
                               who));
        };
        // Rank 0 alone; the others wait for its word.
        StepOnRanks one;
        const bool is_weak = alone_on.nz != all.nz;
        if (communicator.rank() == 0) {
          tell("one process");
          resolved.grid.points = alone_on;
          resolved.run.threads = is_weak ? request.threads : request.threads_of_one;
          omp_set_num_threads(resolved.run.threads);
          one = time_steps(resolved, alone());
        }
        communicator.broadcast_at_leisure(&one, sizeof(one), 0);
        tell("all ranks");
        resolved.grid.points = all;
        resolved.run.threads = request.threads;
        omp_set_num_threads(resolved.run.threads);
        const StepOnRanks several = time_steps(resolved, communicator);
        // One process on a CPU has the cores of all ranks.
        const double share = is_weak || (!is_on_gpu && request.threads_of_one > request.threads)
                                 ? 1
                                 : static_cast<double>(ranks);
        measurements.push_back({.flow = flow.name,
                                .precision = precision,
                                .points = all,
                                .is_weak = is_weak,
                                .seconds_of_one = one.seconds,
                                .seconds = several.seconds,
                                .efficiency = one.seconds / several.seconds / share,
                                .exchange = several.exchange_seconds / several.seconds,
                                .traffic = several.traffic});
      };
  for (const int n : sizes) {
    for (const Precision precision : request.precisions) {
      for (const ScalingFlow& flow : flows) {
        add(flow, precision, {n, n, n}, {n, n, n});
        const int planes = n / ranks;
        add(flow, precision, {n, n, planes}, {n, n, planes * ranks});
      }
    }
  }
  return measurements;
}

std::string scaling_table(std::span<const ScalingMeasurement> measurements,
                          const ScalingRequest& request,
                          int ranks) {
  const bool is_on_gpu = request.device == Device::cuda;
  TextTable table({"flow",
                   "<precision",
                   "<grid",
                   "one process [ms]",
                   fmt::format("{} ranks", ranks),
                   "efficiency",
                   "exchange",
                   "messages",
                   "MB sent"});
  for (const ScalingMeasurement& it : measurements) {
    table.add({it.flow,
               std::string(dns::name_of(it.precision)),
               fmt::format("{} x {} x {}{}",
                           it.points.nx,
                           it.points.ny,
                           it.points.nz,
                           it.is_weak ? ", weak" : ""),
               three_digits(1e3 * it.seconds_of_one),
               three_digits(1e3 * it.seconds),
               percent(it.efficiency),
               percent(it.exchange),
               std::to_string(it.traffic.messages),
               three_digits(1e-6 * static_cast<double>(it.traffic.bytes))});
  }
  return fmt::format(
             "scaling: {} ranks{}, milliseconds per step\n"
             "  efficiency: {}; weak: one process with one rank's share of the box, on its cores\n"
             "  exchange: share of the step, waiting included; messages and MB sent by rank 0 in a "
             "step\n",
             ranks,
             is_on_gpu ? fmt::format(", a GPU each")
                       : fmt::format(" of {} threads", request.threads),
             is_on_gpu ? "time of one GPU over that of all, times their number"
                       : fmt::format("time of one process of {} threads over that of all ranks",
                                     request.threads_of_one)) +
         table.text();
}

std::string scaling_csv(std::span<const ScalingMeasurement> measurements,
                        const ScalingRequest& request,
                        int ranks) {
  std::string text =
      "flow,device,threads,ranks,precision,nx,ny,nz,scaling,seconds_of_one,seconds,efficiency,"
      "exchange,messages,bytes\n";
  for (const ScalingMeasurement& it : measurements) {
    text += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.4f},{:.4f},{},{}\n",
                        it.flow,
                        name_of(request.device),
                        request.device == Device::cuda ? 0 : request.threads,
                        ranks,
                        dns::name_of(it.precision),
                        it.points.nx,
                        it.points.ny,
                        it.points.nz,
                        it.is_weak ? "weak" : "strong",
                        it.seconds_of_one,
                        it.seconds,
                        it.efficiency,
                        it.exchange,
                        it.traffic.messages,
                        it.traffic.bytes);
  }
  return text;
}

}  // namespace dns::bench
