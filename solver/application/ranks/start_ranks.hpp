/// `--ranks N`: the program starts itself on this machine as often as asked for.
#pragma once

#include <string>
#include <vector>

namespace dns {

/// mpirun as the shell would find it; empty where there is none.
std::string mpirun_path();

/// Runs this program by mpirun on `ranks` ranks, with `arguments` without --ranks, and returns its
/// exit code. Ctrl-C and SIGTERM reach it as SIGUSR2, which ends a run with a checkpoint; a second
/// Ctrl-C ends all at once. Throws DeviceError where MPI or mpirun is missing.
int start_ranks(int ranks, std::vector<std::string> arguments);

}  // namespace dns
