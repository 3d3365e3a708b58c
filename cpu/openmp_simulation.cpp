#include "cpu/openmp_simulation.hpp"

#include <omp.h>

#include "cpu/openmp_solver.hpp"

namespace dns {
namespace {

template <Scheme scheme>
std::unique_ptr<Simulation> make_solver(const Case& resolved) {
  const int threads = resolved.run.threads > 0 ? resolved.run.threads : omp_get_max_threads();
  return resolved.precision == Precision::single_precision
             ? make_openmp_solver<scheme, float>(resolved, threads)
             : make_openmp_solver<scheme, double>(resolved, threads);
}

}  // namespace

std::unique_ptr<Simulation> make_openmp_simulation(const Case& resolved) {
  return resolved.scheme == Scheme::projection ? make_solver<Scheme::projection>(resolved)
                                               : make_solver<Scheme::splitting>(resolved);
}

}  // namespace dns
