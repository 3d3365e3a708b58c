/// What CUDA finds on this machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/core/device_facts.hpp"

namespace dns {

/// Why no GPU can be used, with the cure; empty when one can.
std::string cuda_obstacle();

/// Names of the GPUs, the same in all processes of a host; empty when there are none.
std::vector<std::string> cuda_identities();

/// From here on this thread computes on that GPU. Throws DeviceError.
void choose_cuda_device(int number);

/// Memory of the GPU in use [bytes].
struct CudaMemory {
  std::size_t free = 0, total = 0;
};
/// Throws DeviceError.
CudaMemory cuda_memory();

/// GPUs that CUDA finds, whether this build has code for them, and the libraries of the CUDA
/// Toolkit. Never throws: what is wrong is an obstacle.
CudaFacts cuda_facts();

}  // namespace dns
