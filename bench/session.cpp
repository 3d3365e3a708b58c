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

void Session::require_memory_of_steps(int points, Precision precision, Device device) const {
  const StepMemory needed = memory_of_steps(points, precision, device);
  const bool is_on_cpu = device == Device::cpu;
  const std::string what = fmt::format("a step at {}^3 in {}", points, dns::name_of(precision));
  require_memory(needed.host + (is_on_cpu ? needed.device : 0), request.host_memory, what);
  if (!is_on_cpu) require_memory(needed.device, cuda_memory(), what + " on the GPU");
}

const StepTimes& Session::time_steps(int points, Precision precision, Device device, int threads) {
  const int team = device == Device::cpu ? threads : 0;
  const std::tuple key{points, precision, device, team};
  const auto known = steps.find(key);
  if (known != steps.end()) return known->second;
  require_memory_of_steps(points, precision, device);
  progress(fmt::format("steps at {}^3, {}, {}{}",
                       points,
                       dns::name_of(precision),
                       name_of(device),
                       team > 0 ? fmt::format(", {} threads", team) : ""));
  StepTimes& times =
      steps.emplace(key, time_channel(points, precision, device, threads)).first->second;
  const double energy = energies.emplace(points, times.energy).first->second;
  std::vector<Measurement> measured = measurements_of(times);
  for (Measurement& m : measured) {
    m.error = std::abs(times.energy - energy) / energy;
    m.tolerance = energy_tolerance;
  }
  keep(std::move(measured));
  return times;
}

}  // namespace dns::bench
