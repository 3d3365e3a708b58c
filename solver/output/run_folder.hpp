/// The folder of a run: made or taken over before anything is written.
#pragma once

#include <string>

#include "solver/output/outputs.hpp"

namespace dns {

/// What to do with a folder that already holds a run.
enum class ExistingFolder { refuse, replace };

/// The file in the folder of a run that asks it to end after its step.
std::string stop_file(const std::string& directory);

/// Removes the file that asks a run to end, so that the next start does not end at once: one that
/// came after the last step, or while nobody ran, asked in vain. Links, pipes and empty folders of
/// this name go too. Returns why it is still there; empty: it is not.
std::string remove_stop_file(const std::string& directory);

/// Makes `directory` with its parents. Throws IoError when it cannot be made or written.
void make_run_folder(const std::string& directory);

/// Makes `directory` (with parents) ready for a new run. With `replace` the files an earlier run
/// left there are removed, those of all kinds of output and case.yaml, log.txt, STOP, and what a
/// killed run left of them as *.part; nothing else ever is. Throws CaseError when the folder holds
/// a run and `policy` is refuse, IoError when it cannot be made or written.
void prepare_run_folder(const std::string& directory,
                        ExistingFolder policy,
                        const Outputs& outputs);

/// Removes what a killed run left as *.part; what cannot be removed does no harm.
void remove_unfinished_files(const std::string& directory, const Outputs& outputs);

}  // namespace dns
