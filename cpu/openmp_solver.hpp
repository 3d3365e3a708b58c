/// The solvers on the CPU, by scheme and precision. Each is compiled in a file of its own, so that
/// they compile side by side.
#pragma once

#include <memory>

#include "solver/time/simulation.hpp"

namespace dns {

/// threads >= 1.
template <Scheme scheme, class Real>
std::unique_ptr<Simulation> make_openmp_solver(const Case& resolved, int threads);

}  // namespace dns
