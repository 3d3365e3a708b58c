/// Whether a case fits into the memory of this machine.
#pragma once

#include <cstddef>

#include "solver/config/case.hpp"

namespace dns {

/// Bytes this process may still take: free and reclaimable memory, within its control group and its
/// own limits (ulimit -v and -d).
std::size_t available_host_memory();

/// The ranks that share a run, and those of them on this host, which is that of rank 0.
struct RunRanks {
  int all = 1;
  int on_host = 1;
};

/// Bytes a run takes on the host: of each rank there the copies of its slab for output, and on the
/// CPU the simulation; compressed snapshots and a flow to start from that pass through rank 0.
std::size_t needed_host_memory(const Case& resolved, const RunRanks& ranks = {});

/// Throws DeviceError when a run needs more than there is. Linux would grant the memory and kill
/// the process later, when it is used.
void require_host_memory(const Case& resolved, const RunRanks& ranks);

}  // namespace dns
