// Stands in for the CUDA backend in a build without it.
#include "cuda/cuda_facts.hpp"
#include "cuda/cuda_simulation.hpp"
#include "solver/core/error.hpp"

namespace dns {

std::string cuda_obstacle() {
  return "this program was built without CUDA; install the CUDA Toolkit and build the preset cuda "
         "(scripts/build cuda), or use device: cpu";
}

std::unique_ptr<Simulation> make_cuda_simulation(const Case& /*resolved*/) {
  throw CaseError(cuda_obstacle());
}

CudaFacts cuda_facts() {
  return {"", cuda_obstacle(), {}, {}};
}

}  // namespace dns
