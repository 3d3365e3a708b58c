#include "solver/application/ranks/launched.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace dns {
namespace {

struct Variables {
  const char* launcher;
  const char* ranks;
  const char* rank;
};

/// In the order in which they count: mpirun in a job of Slurm starts its helpers by srun.
constexpr std::array<Variables, 3> launchers{
    {{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
     {"mpiexec", "PMI_SIZE", "PMI_RANK"},
     {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};

/// -1: none.
int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  int number = -1;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

}  // namespace

Launched launched_here() {
  for (const Variables& variables : launchers) {
    const int ranks = number_in(variables.ranks);
    const int rank = number_in(variables.rank);
    if (ranks < 1 || rank < 0 || rank >= ranks) continue;
    if (ranks == 1) return {};
    return {variables.launcher, rank, ranks};
  }
  return {};
}

}  // namespace dns
