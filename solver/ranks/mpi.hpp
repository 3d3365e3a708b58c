/// Ranks as processes that a launcher of MPI has started.
#pragma once

#include <cstddef>
#include <memory>

#include "solver/core/communicator.hpp"
#include "solver/core/device_facts.hpp"

namespace dns {

/// Joins the ranks that this process was started with: one where nobody started it with others; or
/// those of the MPI_Comm `processes`, of a program that has started MPI itself. Messages of more
/// than `largest_piece` bytes are sent in pieces. Throws DeviceError, with the cure, where this
/// build or this machine has no MPI.
std::unique_ptr<Communicator> join_mpi(std::size_t largest_piece = std::size_t{1} << 30,
                                       const void* processes = nullptr);

/// How long a rank waits for another that is at work on the same [s]: DNS_RANK_TIMEOUT, or 300.
double longest_wait_for_ranks();

/// The library of MPI, or why there is none.
LibraryFacts mpi_facts();

/// The packages of Debian and Ubuntu with MPI, and what else they are good for.
inline constexpr const char* mpi_cure =
    "apt-get install openmpi-bin (and libopenmpi-dev before the program is built), or the module "
    "of a cluster";

}  // namespace dns
