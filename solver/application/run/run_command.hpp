/// The commands `dns run` and `dns resume`.
#pragma once

#include <chrono>

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"
#include "solver/run/ranks/team_of_ranks.hpp"

namespace dns {

/// Runs a case from its start, or from the newest checkpoint of its folder with --resume; `dns
/// resume` goes on from the newest good checkpoint of a folder, with the case stored in it. Called
/// by all ranks of `team`. `started`: when the program did, for run.wall_time_limit.
/// Returns finished or stopped_early; throws the errors of error.hpp. Nothing is allocated before
/// the case is valid, and no file is touched before its first flow is known.
ExitCode run(const Command& command, std::chrono::steady_clock::time_point started, Team& team);

}  // namespace dns
