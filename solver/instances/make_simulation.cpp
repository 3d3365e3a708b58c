#include "solver/instances/make_simulation.hpp"

#include <omp.h>

#include "cpu/cpu_facts.hpp"
#include "cuda/cuda_facts.hpp"
#include "solver/config/references.hpp"
#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/solvers.hpp"
#include "solver/simulation/about_references.hpp"

namespace dns {
namespace {

DeviceChoice usable_cpu() {
  const std::string obstacle = cpu_obstacle();
  if (!obstacle.empty()) throw DeviceError(obstacle);
  return DeviceChoice::cpu;
}

/// On resolved.run.threads threads, or as many as OpenMP offers when that is 0.
std::unique_ptr<Simulation> simulation_on_cpu(const Case& resolved, Communicator& communicator) {
  const int threads = resolved.run.threads > 0 ? resolved.run.threads : omp_get_max_threads();
  return with_scheme_and_precision(resolved, [&]<Scheme scheme, class Real>() {
    return solver_on_cpu<scheme, Real>(resolved, threads, communicator);
  });
}

}  // namespace

DeviceFacts device_facts() {
  return {cpu_obstacle(), vectors_in_words(), cpu_libraries(), cuda_facts()};
}

DeviceChoice resolve_device(DeviceChoice asked) {
  if (asked == DeviceChoice::cpu) return usable_cpu();
  const std::string obstacle = cuda_obstacle();
  if (obstacle.empty()) return DeviceChoice::cuda;
  if (asked == DeviceChoice::automatic) return usable_cpu();
  if (!has_cuda()) throw CaseError("device is cuda, but " + obstacle);
  throw DeviceError("device is cuda, but " + obstacle);
}

std::vector<std::string> gpu_identities() {
  return cuda_identities();
}

void choose_gpu(int number) {
  choose_cuda_device(number);
}

std::unique_ptr<Simulation> make_simulation(const Case& resolved, Communicator& communicator) {
  Case placed = about_references(resolved, references_of(resolved));
  placed.device = resolve_device(resolved.device);
  return simulation_about_references(resolved,
                                     placed.device == DeviceChoice::cuda
                                         ? simulation_on_cuda(placed, communicator)
                                         : simulation_on_cpu(placed, communicator));
}

}  // namespace dns
