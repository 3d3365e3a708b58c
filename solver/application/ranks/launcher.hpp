/// Who starts the ranks of a run: a launcher, or with `--ranks N` the program itself by mpirun.
#pragma once

#include <string>
#include <vector>

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

/// Runs this program by mpirun on `ranks` ranks, with `arguments` without --ranks, and returns its
/// exit code. Ctrl-C and SIGTERM reach it as SIGUSR2, which ends a run with a checkpoint; a second
/// Ctrl-C ends all at once. Throws DeviceError where MPI or mpirun is missing.
int start_ranks(int ranks, const std::vector<std::string>& arguments);

}  // namespace dns
