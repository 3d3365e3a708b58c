#include "solver/instances/make_simulation.hpp"

#include "cpu/cpu_facts.hpp"
#include "cpu/vectors.hpp"
#include "cuda/cuda_facts.hpp"
#include "solver/config/references.hpp"
#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/solvers.hpp"
#include "solver/simulation/about_references.hpp"

namespace dns {
namespace {

DeviceChoice usable_cpu() {
  const std::string obstacle = cpu_obstacle(built_for_vectors());
  if (!obstacle.empty()) throw DeviceError(obstacle);
  return DeviceChoice::cpu;
}

}  // namespace

DeviceFacts device_facts() {
  const Vectors vectors = built_for_vectors();
  const std::string words = vectors_in_words(vectors);
  const std::string level = engine_level();
  return {cpu_obstacle(vectors),
          level.empty() ? words : level + " (" + words + ")",
          cpu_libraries(),
          cuda_facts()};
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
