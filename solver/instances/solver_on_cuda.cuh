/// The backend of a GPU, and the body of solver_on_cuda.
#pragma once

#include "cuda/cuda_backend.cuh"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/solvers.hpp"
#include "solver/ranks/distributed_backend.hpp"

namespace dns {

/// What the solvers on a GPU run on.
template <class Real>
using BackendOnCuda = DistributedBackend<CudaBackend<Real>>;

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cuda(const Case& resolved,
                                           std::size_t workspace_values,
                                           Communicator& communicator) {
  using Local = CudaBackend<Real>;
  using Backend = BackendOnCuda<Real>;
  static_assert(ExecutionBackend<Local> && ExecutionBackend<Backend>);
  return std::make_unique<typename SolverOf<scheme, Backend>::Type>(
      Backend(Local(workspace_values), communicator, whole_box(resolved)), resolved);
}

}  // namespace dns
