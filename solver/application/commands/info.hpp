/// The command `dns info`.
#pragma once

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"

namespace dns {

/// Prints on stdout what a snapshot, a checkpoint, statistics.h5 or the folder of a run holds; with
/// --json as an object. Only reads, so that it may look at a run that goes on. Throws IoError.
ExitCode info(const Command& command);

}  // namespace dns
