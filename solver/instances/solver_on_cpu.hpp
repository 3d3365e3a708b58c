/// The body of solver_on_cpu.
#pragma once

#include "cpu/openmp_backend.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/solvers.hpp"

namespace dns {

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cpu(const Case& resolved, int threads) {
  using Backend = OpenMpBackend<Real>;
  static_assert(ExecutionBackend<Backend>);
  return std::make_unique<typename SolverOf<scheme, Backend>::Type>(
      Backend(threads), resolved, whole_box(resolved));
}

}  // namespace dns
