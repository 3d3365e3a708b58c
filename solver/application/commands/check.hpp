/// The command `dns check` (and `dns run --dry-run`).
#pragma once

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"

namespace dns {

/// Prints on stdout the resolved case, then as YAML comments (so that the whole is a case file
/// again) the memory it needs, its stability limits and an estimate of the time; with --json an
/// object with the same. Writes nothing. Throws the errors of error.hpp.
ExitCode check(const Command& command);

}  // namespace dns
