/// The libraries of the CUDA Toolkit that are opened on demand.
#pragma once

#include <vector>

#include "solver/core/device_facts.hpp"

namespace dns {

/// cuFFT and cuBLAS: opened, and asked for their versions.
std::vector<LibraryFacts> cuda_libraries();

}  // namespace dns
