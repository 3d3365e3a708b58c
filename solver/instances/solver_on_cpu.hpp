/// The backend of the CPU, and the body of solver_on_cpu.
#pragma once

#include "cpu/openmp_backend.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/solvers.hpp"
#include "solver/ranks/distributed_backend.hpp"

namespace dns {

/// What the solvers on the CPU run on.
template <class Real>
using BackendOnCpu = DistributedBackend<OpenMpBackend<Real>>;

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cpu(const Case& resolved,
                                          int threads,
                                          Communicator& communicator) {
  using Local = OpenMpBackend<Real>;
  using Backend = BackendOnCpu<Real>;
  static_assert(ExecutionBackend<Local> && ExecutionBackend<Backend>);
  return std::make_unique<typename SolverOf<scheme, Backend>::Type>(
      Backend(Local(threads), communicator, whole_box(resolved)), resolved);
}

}  // namespace dns
