#include "cuda/cuda_backend.cuh"
#include "cuda/cuda_simulation.hpp"
#include "solver/equations/case_needs.hpp"
#include "solver/time/splitting_solver.hpp"

namespace dns {
namespace {

static_assert(ExecutionBackend<CudaBackend<float>> && ExecutionBackend<CudaBackend<double>>);

/// Throws DeviceError before anything is allocated when the GPU has too little memory.
void require_memory(const Case& resolved) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for its free memory");
  const std::size_t needed = needs_of(resolved).device_bytes;
  if (needed <= free_bytes) return;
  throw DeviceError("the case needs " + std::to_string(needed >> 20) +
                    " MiB on the GPU, but only " + std::to_string(free_bytes >> 20) + " of " +
                    std::to_string(total_bytes >> 20) +
                    " MiB are free; use fewer grid points, precision: float or device: cpu");
}

template <class Real>
std::unique_ptr<Simulation> make(const Case& resolved) {
  const std::size_t workspace = static_cast<std::size_t>(sweep_workspace_words(resolved)) *
                                LayerShape::of(resolved).interior().extents().count();
  return std::make_unique<SplittingSolver<CudaBackend<Real>>>(CudaBackend<Real>(workspace),
                                                              resolved);
}

}  // namespace

std::string cuda_obstacle() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  static_cast<void>(cudaGetLastError());
  const std::string reason = status == cudaSuccess ? "none was found" : cudaGetErrorString(status);
  return "no GPU can be used (" + reason +
         "); see what nvidia-smi and CUDA_VISIBLE_DEVICES say, or use device: cpu";
}

std::unique_ptr<Simulation> make_cuda_simulation(const Case& resolved) {
  const std::string obstacle = cuda_obstacle();
  if (!obstacle.empty()) throw DeviceError(obstacle);
  require_memory(resolved);
  return resolved.precision == Precision::single_precision ? make<float>(resolved)
                                                           : make<double>(resolved);
}

}  // namespace dns
