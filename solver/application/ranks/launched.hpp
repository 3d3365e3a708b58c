/// Who started this process, and with how many others.
#pragma once

#include <string>

namespace dns {

/// What the environment says of the ranks that a launcher has started.
struct Launched {
  std::string launcher;  // "mpirun", "mpiexec", "srun"; empty: none, or for a single process
  int rank = 0;
  int ranks = 1;
};

/// By the variables of Open MPI, of PMI (MPICH and its kin) and of a step of Slurm. The script of a
/// job of Slurm is no step: there, as anywhere else, a program is alone.
Launched launched_here();

}  // namespace dns
