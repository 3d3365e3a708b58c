/// How many CPU threads to use.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/load_case.hpp"

namespace dns {

/// An environment variable; empty when it is not set.
std::string environment(const char* variable);
/// The positive number that an environment variable starts with; 0 when there is none.
int number_in_environment(const char* variable);

/// The cores that a process may use; 0: this one. None where it is not known. Where OpenMP binds
/// threads to places (OMP_PROC_BIND, OMP_PLACES), it has bound the first thread to one before
/// main() begins: then those of all places.
using Cores = std::bitset<CPU_SETSIZE>;
Cores cores_of_affinity(pid_t process);
/// Gives the calling thread all of them, for a program that it starts: OpenMP there finds its
/// places among the cores that are left to it.
void use_all_cores();

/// Cores this process may use: the least of its CPU affinity, its cgroup's quota and what the
/// queue gave the job (SLURM_CPUS_PER_TASK, NCPUS of PBS, NSLOTS of Grid Engine). At least 1.
int available_cores();

/// How many threads, and who says so.
struct Threads {
  int count = 0;
  std::string_view source;  // "--threads", "OMP_NUM_THREADS", "run.threads"; empty: nobody
};

/// The number of threads: command line (`typed`), else OMP_NUM_THREADS, else case file, else
/// `cores`. 0: none.
Threads resolve_threads(int typed, int in_case, int cores = available_cores());

/// Throws DeviceError where the stack is limited to less than 256 KiB. The limit sets the stacks of
/// threads too, and no error is reported when one is too small.
void require_stack();

/// Throws CaseError for more than 8 threads per core, where that is more than 64, and DeviceError
/// when they cannot be made or their stacks would be too small. GNU OpenMP would end the program.
void require_threads(const Threads& threads);

/// Sets the number of threads that machine, environment and overrides ask for; `cores` where none
/// of them does.
void use_threads(Case& resolved,
                 const std::vector<Override>& overrides,
                 int cores = available_cores());

/// Threads that wait for others are to spin for microseconds only, then sleep: on a machine that is
/// busy with something else, longer spinning keeps the very threads they wait for from running, and
/// small grids take many times longer. GNU OpenMP reads this setting (GOMP_SPINCOUNT) when it is
/// loaded, so the program restarts itself once with it; a setting of the user's stays.
void wait_without_long_spinning(char** arguments);

}  // namespace dns
