/// The backend of a GPU, and the bodies of solver_on_cuda and needs_on_cuda.
#pragma once

#include "cuda/cuda_backend.cuh"
#include "solver/instances/solvers.hpp"

namespace dns {

/// What the solvers on a GPU run on.
template <class Real>
using BackendOnCuda = DistributedBackend<CudaBackend<Real>>;

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cuda(const Case& resolved, Communicator& communicator) {
  using Local = CudaBackend<Real>;
  using Backend = BackendOnCuda<Real>;
  static_assert(ExecutionBackend<Local> && ExecutionBackend<Backend>);
  return std::make_unique<typename SolverOf<scheme, Backend>::Type>(
      Backend(Local(), communicator, whole_box(resolved)), resolved);
}

template <Scheme scheme, class Real>
CaseNeeds needs_on_cuda(const Case& resolved, int rank, int ranks) {
  return needs_of_solver<scheme, CudaBackend<Real>>(resolved, rank, ranks);
}

}  // namespace dns
