/// The commands of the command line, except those that compute (run.hpp). Results go to stdout,
/// messages to stderr; each throws the errors of error.hpp, as main turns them into exit codes.
#pragma once

#include <string>

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"
#include "solver/run/ranks/team_of_ranks.hpp"

namespace dns {

/// `dns new NAME`: writes NAME.yaml from a template, or lists the templates. Throws CaseError for
/// an invalid name, a file that exists (without --force) and an unknown template; IoError.
ExitCode new_case(const Command& command);

/// The templates of `dns new`, each on a line "name   summary", for completion. Throws IoError.
std::string list_of_templates();

/// `dns check` and `dns run --dry-run`: prints the resolved case, then as YAML comments (so that
/// the whole is a case file again) the memory it needs, its stability limits and an estimate of the
/// time; with --json an object with the same. Writes nothing.
ExitCode check(const Command& command);

/// `dns info`: prints what a snapshot, a checkpoint, statistics.h5 or the folder of a run holds;
/// with --json as an object. Only reads, so that it may look at a running case. Throws IoError.
ExitCode info(const Command& command);

/// `dns keys WORD`: describe_keys(word), and each quantity of this name that a run writes, such as
/// "nusselt_y_min" or "budget_uv_production", with the file where it is, its unit and its meaning.
/// Throws CaseError where there is neither.
std::string explain(const std::string& word);

/// `dns plot`: pictures of a run and a page with all of them; prints their paths. Throws IoError
/// when python3 is missing.
ExitCode plot(const Command& command);

/// `dns live`: serves a web page of a run until Ctrl-C. Throws IoError when python3 is missing.
ExitCode live(const Command& command);

/// `dns average`: averages of a run from one time to another, with 95 % uncertainty; writes a file
/// like statistics.h5 and prints its path and its numbers. Throws IoError when python3 is missing.
ExitCode average(const Command& command);

/// `dns export`: snapshots, averages and time series of a run in files for other programs; prints
/// their paths. Throws IoError when python3 is missing.
ExitCode export_run(const Command& command);

/// `dns sweep`: one run of a case for each value of keys, and a table of all. The script takes the
/// place of this program, so that signals reach it: returns only by throwing, IoError when python3
/// is missing.
ExitCode sweep(const Command& command);

/// `dns doctor`: prints what this machine and this build offer, one line each with its cure below.
/// The code is `device` when there is neither a processor nor a GPU that the program can run on.
ExitCode doctor(const Command& command);

/// `dns bench`: measures what was asked for and prints tables as they are ready; files asked for
/// are written at the end, complete or not at all. Returns ExitCode::bug when a variant gave a
/// wrong result. Throws CaseError for wrong usage.
ExitCode measure(const Command& command);

/// Whether the command is `dns bench scaling`, which runs on several ranks.
bool measures_scaling(const Command& command);
/// `dns bench scaling`, called by all ranks; the first prints the table. Throws CaseError for wrong
/// usage.
ExitCode measure_scaling(const Command& command, Team& team);

/// What `dns bench` measures, each on a line "name   meaning".
std::string list_of_sections();

}  // namespace dns
