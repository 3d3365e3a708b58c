/// The body of make_cuda_projection.
#pragma once

#include "cuda/cuda_backend.cuh"
#include "cuda/cuda_projection.hpp"
#include "solver/equations/case_needs.hpp"
#include "solver/time/projection_solver.hpp"

namespace dns {

template <class Real>
std::unique_ptr<Simulation> make_cuda_projection(const Case& resolved) {
  static_assert(ExecutionBackend<CudaBackend<Real>>);
  return std::make_unique<ProjectionSolver<CudaBackend<Real>>>(
      CudaBackend<Real>(sweep_workspace_words(resolved)), resolved);
}

}  // namespace dns
