/// The body of solver_on_cuda.
#pragma once

#include "cuda/cuda_backend.cuh"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/solvers.hpp"

namespace dns {

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cuda(const Case& resolved, std::size_t workspace_values) {
  using Backend = CudaBackend<Real>;
  static_assert(ExecutionBackend<Backend>);
  return std::make_unique<typename SolverOf<scheme, Backend>::Type>(
      Backend(workspace_values), resolved, whole_box(resolved));
}

}  // namespace dns
