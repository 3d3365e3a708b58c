#include <cstddef>

#include "cuda/cuda_error.hpp"
#include "cuda/cuda_simulation.hpp"
#include "cuda/cuda_solver.hpp"

namespace dns {
namespace {

/// Throws DeviceError before anything is allocated when the GPU has too little memory.
void require_memory(const Case& resolved) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for its free memory");
  const std::size_t needed = needs_of(resolved).device_bytes;
  if (needed <= free_bytes) return;
  const std::string fitting = grid_that_fits(resolved, needed, free_bytes);
  throw DeviceError("the case needs " + std::to_string(needed >> 20) +
                    " MiB on the GPU, but only " + std::to_string(free_bytes >> 20) + " of " +
                    std::to_string(total_bytes >> 20) + " MiB are free; " +
                    (fitting.empty() ? "" : fitting + " would fit; else ") +
                    "use precision: float or device: cpu");
}

template <Scheme scheme>
std::unique_ptr<Simulation> make_solver(const Case& resolved) {
  return resolved.precision == Precision::single_precision
             ? make_cuda_solver<scheme, float>(resolved)
             : make_cuda_solver<scheme, double>(resolved);
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
  return resolved.scheme == Scheme::projection ? make_solver<Scheme::projection>(resolved)
                                               : make_solver<Scheme::splitting>(resolved);
}

}  // namespace dns
