/// The backend of the CPU, and the bodies of solver_on_cpu and needs_on_cpu.
#pragma once

#include "cpu/openmp_backend.hpp"
#include "solver/instances/solvers.hpp"

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

template <Scheme scheme, class Real>
CaseNeeds needs_on_cpu(const Case& resolved, int rank, int ranks) {
  return needs_of_solver<scheme, OpenMpBackend<Real>>(resolved, rank, ranks);
}

}  // namespace dns
