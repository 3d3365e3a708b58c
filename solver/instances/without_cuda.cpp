// Takes the place of the CUDA backend in a build without it.
#include <string>
#include <vector>

#include "cuda/cuda_facts.hpp"
#include "solver/core/error.hpp"
#include "solver/instances/solvers.hpp"

namespace dns {

std::string cuda_obstacle() {
  return "this program was built without CUDA; install the CUDA Toolkit and build the preset cuda "
         "(scripts/build cuda), or use device: cpu";
}

std::vector<std::string> cuda_identities() {
  return {};
}

void choose_cuda_device(int /*number*/) {
  throw DeviceError(cuda_obstacle());
}

CudaFacts cuda_facts() {
  return {"", cuda_obstacle(), {}, {}};
}

std::unique_ptr<Simulation> simulation_on_cuda(const Case& /*resolved*/,
                                               Communicator& /*communicator*/) {
  throw CaseError(cuda_obstacle());
}

CaseNeeds needs_on_cuda(const Case& /*resolved*/, int /*rank*/, int /*ranks*/) {
  throw CaseError(cuda_obstacle());
}

}  // namespace dns
