/// What CUDA finds on this machine.
#pragma once

#include "solver/core/device_facts.hpp"

namespace dns {

/// GPUs that answer, whether this build has code for them, and the libraries of the CUDA Toolkit.
/// Never throws: what is wrong is an obstacle.
CudaFacts cuda_facts();

}  // namespace dns
