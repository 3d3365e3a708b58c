/// Simulations on the CPU.
#pragma once

#include <memory>

#include "solver/time/simulation.hpp"

namespace dns {

/// Uses resolved.run.threads threads, or as many as OpenMP offers when that is 0.
std::unique_ptr<Simulation> make_openmp_simulation(const Case& resolved);

}  // namespace dns
