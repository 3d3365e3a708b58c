/// The body of make_cuda_splitting.
#pragma once

#include "cuda/cuda_backend.cuh"
#include "cuda/cuda_splitting.hpp"
#include "solver/equations/case_needs.hpp"
#include "solver/time/splitting_solver.hpp"

namespace dns {

template <class Real>
std::unique_ptr<Simulation> make_cuda_splitting(const Case& resolved) {
  static_assert(ExecutionBackend<CudaBackend<Real>>);
  return std::make_unique<SplittingSolver<CudaBackend<Real>>>(
      CudaBackend<Real>(sweep_workspace_words(resolved)), resolved);
}

}  // namespace dns
