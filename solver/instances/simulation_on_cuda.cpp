#include <cstddef>
#include <string>

#include "cuda/cuda_facts.hpp"
#include "solver/core/error.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/instances/solvers.hpp"

namespace dns {
namespace {

/// Throws DeviceError before anything is allocated when the GPU has too little memory.
void require_memory(const Case& resolved, std::size_t needed) {
  const auto [free_bytes, total_bytes] = cuda_memory();
  if (needed <= free_bytes) return;
  const std::string fitting = grid_that_fits(resolved, needed, free_bytes);
  throw DeviceError("the case needs " + std::to_string(needed >> 20) +
                    " MiB on the GPU, but only " + std::to_string(free_bytes >> 20) + " of " +
                    std::to_string(total_bytes >> 20) + " MiB are free; " +
                    (fitting.empty() ? "" : fitting + " would fit; else ") +
                    "use precision: float or device: cpu");
}

}  // namespace

CaseNeeds needs_on_cuda(const Case& resolved, int rank, int ranks) {
  return with_scheme_and_precision(resolved, [&]<Scheme scheme, class Real>() {
    return needs_on_cuda<scheme, Real>(resolved, rank, ranks);
  });
}

std::unique_ptr<Simulation> simulation_on_cuda(const Case& resolved, Communicator& communicator) {
  const std::string obstacle = cuda_obstacle();
  if (!obstacle.empty()) throw DeviceError(obstacle);
  require_memory(resolved,
                 needs_on_cuda(resolved, communicator.rank(), communicator.size()).device_bytes);
  return with_scheme_and_precision(resolved, [&]<Scheme scheme, class Real>() {
    return solver_on_cuda<scheme, Real>(resolved, communicator);
  });
}

}  // namespace dns
