#include "cpu/cpu_facts.hpp"
#include "cpu/openmp_simulation.hpp"
#include "cuda/cuda_simulation.hpp"
#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/time/simulation.hpp"

namespace dns {
namespace {

DeviceChoice usable_cpu() {
  const std::string obstacle = cpu_obstacle();
  if (!obstacle.empty()) throw DeviceError(obstacle);
  return DeviceChoice::cpu;
}

}  // namespace

DeviceChoice resolve_device(DeviceChoice asked) {
  if (asked == DeviceChoice::cpu) return usable_cpu();
  const std::string obstacle = cuda_obstacle();
  if (obstacle.empty()) return DeviceChoice::cuda;
  if (asked == DeviceChoice::automatic) return usable_cpu();
  if (!has_cuda()) throw CaseError("device is cuda, but " + obstacle);
  throw DeviceError("device is cuda, but " + obstacle);
}

std::unique_ptr<Simulation> make_simulation(const Case& resolved) {
  Case placed = resolved;
  placed.device = resolve_device(resolved.device);
  return placed.device == DeviceChoice::cuda ? make_cuda_simulation(placed)
                                             : make_openmp_simulation(placed);
}

}  // namespace dns
