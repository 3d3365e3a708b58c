/// Facts about the files other than HDF5 that the program writes: time series, list of snapshots,
/// log, case, results of the benchmark, pictures.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/application/commands/facts.hpp"

namespace dns {

/// A file is recognised by its content, whatever its name (a case: by .yaml). None for any other
/// file. An unfinished last line is left out: a run may be writing it.
/// Throws IoError when the file cannot be read, CaseError for a case with mistakes.
std::optional<Facts> facts_of_text_file(const std::string& path);

/// A line of a time series: the name of each column and what stands there.
using SeriesLine = std::vector<std::pair<std::string, std::string>>;

/// The newest complete line of a time series; none where there is no such file, or no line in it.
std::optional<SeriesLine> newest_line_of_series(const std::string& path);

/// The steps of the complete lines of a time series or of a probe's table: their first column.
/// Throws IoError when the file cannot be read.
std::vector<double> steps_of_table(const std::string& path);

}  // namespace dns
