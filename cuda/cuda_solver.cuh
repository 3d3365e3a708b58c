/// The body of make_cuda_solver.
#pragma once

#include "cuda/cuda_backend.cuh"
#include "cuda/cuda_solver.hpp"
#include "solver/equations/case_needs.hpp"
#include "solver/time/solver_of.hpp"

namespace dns {

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> make_cuda_solver(const Case& resolved) {
  using Backend = CudaBackend<Real>;
  static_assert(ExecutionBackend<Backend>);
  return std::make_unique<SolverOf<scheme, Backend>>(Backend(sweep_workspace_words(resolved)),
                                                     resolved);
}

}  // namespace dns
