/// Simulations on a GPU, for host code that knows nothing of CUDA.
#pragma once

#include <memory>
#include <string>

#include "solver/time/simulation.hpp"

namespace dns {

/// Why no GPU can be used, with the cure; empty when one can.
std::string cuda_obstacle();

/// Throws DeviceError.
std::unique_ptr<Simulation> make_cuda_simulation(const Case& resolved);

}  // namespace dns
