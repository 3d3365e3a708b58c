// The way from the program into the solvers on the CPU, which are a shared library in a wheel.
#include <omp.h>

#include "solver/instances/solvers.hpp"

namespace dns {

[[gnu::visibility("default")]] CaseNeeds needs_on_cpu(const Case& resolved, int rank, int ranks) {
  return with_scheme_and_precision(resolved, [&]<Scheme scheme, class Real>() {
    return needs_on_cpu<scheme, Real>(resolved, rank, ranks);
  });
}

[[gnu::visibility("default")]] std::unique_ptr<Simulation> simulation_on_cpu(
    const Case& resolved, Communicator& communicator) {
  const int threads = resolved.run.threads > 0 ? resolved.run.threads : omp_get_max_threads();
  return with_scheme_and_precision(resolved, [&]<Scheme scheme, class Real>() {
    return solver_on_cpu<scheme, Real>(resolved, threads, communicator);
  });
}

}  // namespace dns
