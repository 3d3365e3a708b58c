#include "solver/core/device_facts.hpp"

#include <algorithm>

namespace dns {

std::string usable_devices(const DeviceFacts& facts) {
  const std::vector<GpuFacts>& gpus = facts.cuda.gpus;
  const bool has_gpu = std::any_of(
      gpus.begin(), gpus.end(), [](const GpuFacts& gpu) { return gpu.obstacle.empty(); });
  const bool has_cpu = facts.cpu_obstacle.empty();
  if (!has_gpu) return has_cpu ? "the CPU" : "";
  return has_cpu ? "a GPU or the CPU" : "a GPU";
}

}  // namespace dns
