/// The solvers on a GPU, by scheme and precision. Each is compiled in a file of its own, so that
/// they compile side by side.
#pragma once

#include <memory>

#include "solver/time/simulation.hpp"

namespace dns {

/// Throws DeviceError.
template <Scheme scheme, class Real>
std::unique_ptr<Simulation> make_cuda_solver(const Case& resolved);

}  // namespace dns
