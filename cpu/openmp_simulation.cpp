#include "cpu/openmp_simulation.hpp"

#include <omp.h>

#include "cpu/openmp_backend.hpp"
#include "solver/time/projection_solver.hpp"
#include "solver/time/splitting_solver.hpp"

namespace dns {

static_assert(ExecutionBackend<OpenMpBackend<float>> && ExecutionBackend<OpenMpBackend<double>>);

namespace {

template <template <class> class Solver>
std::unique_ptr<Simulation> make_solver(const Case& resolved) {
  const int threads = resolved.run.threads > 0 ? resolved.run.threads : omp_get_max_threads();
  if (resolved.precision == Precision::single_precision) {
    return std::make_unique<Solver<OpenMpBackend<float>>>(OpenMpBackend<float>(threads), resolved);
  }
  return std::make_unique<Solver<OpenMpBackend<double>>>(OpenMpBackend<double>(threads), resolved);
}

}  // namespace

std::unique_ptr<Simulation> make_openmp_simulation(const Case& resolved) {
  return resolved.scheme == Scheme::projection ? make_solver<ProjectionSolver>(resolved)
                                               : make_solver<SplittingSolver>(resolved);
}

}  // namespace dns
