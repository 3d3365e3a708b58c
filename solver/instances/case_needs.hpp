/// What a case needs of its device.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// What a simulation takes, counted by constructing it without its memory.
struct CaseNeeds {
  std::size_t device_bytes = 0;
  std::size_t restart_bytes = 0;  // on the host, of a copy of the flow for restart
  std::size_t viewing_bytes = 0;  // of one for viewing and snapshots; 0: the other serves for both
  std::vector<std::string> methods;  // Simulation::methods, without bodies
};

/// The needs of a case whose device is resolved; of several ranks, the most that one of them needs
/// of each. Throws DeviceError.
[[nodiscard]] CaseNeeds needs_of(const Case& resolved, int ranks = 1);
/// The needs of one rank of a case.
[[nodiscard]] CaseNeeds needs_of_rank(const Case& resolved, int rank, int ranks);

/// Bytes that a step moves at least: each value read, each result written once.
[[nodiscard]] double compulsory_bytes_per_step(const Case& resolved);

/// The largest grid of the same proportions that fits into `available` bytes, given that this one
/// needs `needed`, as a line of a case file: "grid.points: [96, 48, 48]". Empty if there is none.
[[nodiscard]] std::string grid_that_fits(const Case& resolved,
                                         std::size_t needed,
                                         std::size_t available);

}  // namespace dns
