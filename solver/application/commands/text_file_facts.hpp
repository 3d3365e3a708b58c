/// Facts about the files other than HDF5 that the program writes: time series, list of snapshots,
/// log, case, results of the benchmark, pictures.
#pragma once

#include <optional>
#include <string>

#include "solver/application/commands/facts.hpp"

namespace dns {

/// A file is recognised by its content, whatever its name (a case: by .yaml). None for any other
/// file. An unfinished last line is left out: a run may be writing it.
/// Throws IoError when the file cannot be read, CaseError for a case with mistakes.
std::optional<Facts> facts_of_text_file(const std::string& path);

}  // namespace dns
