/// What the program finds in its plugin for MPI (libdns_mpi.so) by name. Everything of MPI is
/// behind it, so that the program starts where there is no MPI.
#pragma once

#include "solver/core/communicator.hpp"

namespace dns {

inline constexpr const char* mpi_plugin_file = "libdns_mpi.so";

extern "C" {
/// "dns_mpi_version": the version() of the program that it belongs to.
using MpiPluginVersion = const char*();
/// "dns_mpi_library": the library of MPI and its version, "Open MPI v4.1.4".
using MpiPluginLibrary = const char*();
/// "dns_mpi_join": starts MPI; the caller owns the result, whose end is that of MPI. A call that
/// waits longer than `limit` [s] for others throws DeviceError.
using MpiPluginJoin = Communicator*(double limit);
}

}  // namespace dns
