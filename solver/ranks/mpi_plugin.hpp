/// What the program finds in its plugin for MPI (libdns_mpi.so) by name. Everything of MPI is
/// behind it, so that the program starts where there is no MPI.
#pragma once

#include <cstddef>

#include "solver/core/communicator.hpp"

namespace dns {

inline constexpr const char* mpi_plugin_file = "libdns_mpi.so";

struct MpiLimits {
  /// What waits longer for others throws DeviceError [s]; at leisure, for what may be long in
  /// coming.
  double wait, wait_at_leisure;
  /// MPI counts in int: larger messages are sent in pieces [bytes].
  std::size_t largest_piece;
  /// The MPI_Comm whose processes are the ranks, of a program that has started MPI itself; null:
  /// all processes.
  const void* processes = nullptr;
};

/// What the plugin has as "dns_mpi".
struct MpiPlugin {
  const char* version;                      // the version() of the program that it belongs to
  const char* (*library)();                 // of MPI, with its version: "Open MPI v4.1.4"
  Communicator* (*join)(const MpiLimits&);  // starts MPI unless it is; the caller owns the result,
                                            // which ends MPI if it has started it
};

extern "C" [[gnu::visibility("default")]] const MpiPlugin dns_mpi;

}  // namespace dns
