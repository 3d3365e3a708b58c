#include "cpu/openmp_backend.hpp"
#include "cpu/openmp_solver.hpp"
#include "solver/time/projection_solver.hpp"

namespace dns {

static_assert(ExecutionBackend<OpenMpBackend<float>>);

template <>
std::unique_ptr<Simulation> make_openmp_solver<Scheme::projection, float>(const Case& resolved,
                                                                          int threads) {
  return std::make_unique<ProjectionSolver<OpenMpBackend<float>>>(OpenMpBackend<float>(threads),
                                                                  resolved);
}

}  // namespace dns
