#include "cpu/openmp_backend.hpp"
#include "cpu/openmp_solver.hpp"
#include "solver/time/splitting_solver.hpp"

namespace dns {

static_assert(ExecutionBackend<OpenMpBackend<float>>);

template <>
std::unique_ptr<Simulation> make_openmp_solver<Scheme::splitting, float>(const Case& resolved,
                                                                         int threads) {
  return std::make_unique<SplittingSolver<OpenMpBackend<float>>>(OpenMpBackend<float>(threads),
                                                                 resolved);
}

}  // namespace dns
