/// Facts about the files other than HDF5 that the program writes for programs to read: tables, list
/// of snapshots, case, pictures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/application/commands/facts.hpp"

namespace dns {

/// A file is recognised by its content, whatever its name (a case: by .yaml). None for any other
/// file. An unfinished last line is left out: a run may be writing it.
/// Throws IoError when the file cannot be read, CaseError for a case with mistakes.
std::optional<Facts> facts_of_data_file(const std::string& path);

/// A time series or the table of a probe: its complete lines.
struct Table {
  std::vector<std::string> names;  // of the columns
  std::vector<double> steps;       // the first column
  std::vector<double> newest;      // the last line, a value for each name; empty: there is none
};

/// Throws IoError when the file cannot be read.
Table read_table(const std::string& path);

}  // namespace dns
