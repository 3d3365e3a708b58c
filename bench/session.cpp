#include "bench/session.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bench/studies/cuda_studies.hpp"

namespace dns::bench {
namespace {

constexpr double energy_tolerance = 1e-5;  // a step in float rounds by far less

}  // namespace

std::vector<Measurement> Session::keep(std::vector<Measurement> measured) {
  for (Measurement& m : measured) {
    m.copy_bandwidth = copy_of(m.device);
    measurements.push_back(m);
  }
  return measured;
}

void Session::require_memory_of_steps(const StepsAsked& asked) const {
  const StepMemory needed = memory_of_steps(asked);
  const bool is_on_cpu = asked.device == Device::cpu;
  const std::string what =
      fmt::format("a step at {}^3 in {}", asked.points, dns::name_of(asked.precision));
  require_memory(needed.host + (is_on_cpu ? needed.device : 0), request.host_memory, what);
  if (!is_on_cpu) require_memory(needed.device, cuda_memory(), what + " on the GPU");
}

const StepTimes& Session::time_steps(const StepsAsked& asked) {
  const auto known = steps.find(asked);
  if (known != steps.end()) return known->second;
  require_memory_of_steps(asked);
  progress(fmt::format("steps of scheme {} at {}^3, {}, {}{}",
                       dns::name_of(asked.scheme),
                       asked.points,
                       dns::name_of(asked.precision),
                       name_of(asked.device),
                       asked.threads > 0 ? fmt::format(", {} threads", asked.threads) : ""));
  StepTimes& times = steps.emplace(asked, bench::time_steps(asked)).first->second;
  const double energy =
      energies.emplace(std::pair(asked.scheme, asked.points), times.energy).first->second;
  std::vector<Measurement> measured = measurements_of(times);
  for (Measurement& m : measured) {
    m.error = std::abs(times.energy - energy) / energy;
    m.tolerance = energy_tolerance;
  }
  keep(std::move(measured));
  return times;
}

}  // namespace dns::bench
