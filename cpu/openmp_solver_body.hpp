/// The body of make_openmp_solver.
#pragma once

#include "cpu/openmp_backend.hpp"
#include "cpu/openmp_solver.hpp"
#include "solver/time/solver_of.hpp"

namespace dns {

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> make_openmp_solver(const Case& resolved, int threads) {
  using Backend = OpenMpBackend<Real>;
  static_assert(ExecutionBackend<Backend>);
  return std::make_unique<SolverOf<scheme, Backend>>(Backend(threads), resolved);
}

}  // namespace dns
