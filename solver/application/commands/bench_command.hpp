/// The command `dns bench`.
#pragma once

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"

namespace dns {

/// Measures what was asked for and prints tables on stdout as they are ready; files asked for are
/// written at the end, complete or not at all. Returns ExitCode::bug when a variant gave a wrong
/// result. Throws CaseError for wrong usage, and the errors of error.hpp.
ExitCode measure(const Command& command);

}  // namespace dns
