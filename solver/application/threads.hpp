/// How many CPU threads to use.
#pragma once

namespace dns {

/// Cores this process may use: the least of its CPU affinity, its cgroup's quota and what the
/// queue gave the job (SLURM_CPUS_PER_TASK, NCPUS of PBS, NSLOTS of Grid Engine). At least 1.
int available_cores();

/// Where a number of threads in the case comes from.
enum class ThreadSource { case_file, command_line };

/// The number of threads: command line, else OMP_NUM_THREADS, else case file, else
/// available_cores(). `asked` is the case's number, 0 for none.
int resolve_threads(int asked, ThreadSource source);

}  // namespace dns
