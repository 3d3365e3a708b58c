/// The keys of a case file: unknown, repeated and misplaced ones.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case_problems.hpp"
#include "solver/config/case_tree.hpp"

namespace dns {

/// Reports every key that is not in the table, given twice, or a section without being a map.
/// Returns the known keys that misspelt ones were probably meant to be.
std::vector<std::string> check_keys(const CaseNode& root, CaseProblems& problems);

/// What to say about `path`, which is not in the table: "grid.lenght: unknown key; did you mean
/// grid.length?". Requires find_key(path) to be null.
std::string unknown_key_message(const std::string& path);

/// The known key closest to `path`, which is not in the table; empty when none is close.
std::string suggested_key(const std::string& path);

}  // namespace dns
