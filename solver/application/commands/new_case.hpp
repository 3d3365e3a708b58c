/// `dns new NAME`: a case file to start from.
#pragma once

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"

namespace dns {

/// Writes NAME.yaml from a template, or lists the templates. Throws CaseError for a name that is no
/// name, a file that exists (without --force) and an unknown template; IoError.
ExitCode new_case(const Command& command);

}  // namespace dns
