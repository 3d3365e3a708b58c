/// The keys of a case file: unknown, repeated and misplaced ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/case_problems.hpp"
#include "solver/config/case_tree.hpp"

namespace dns {

/// The scheme that a case file names; none where that is missing or unknown.
std::optional<Scheme> scheme_of(const CaseNode& root);

/// Gives renamed keys in `map`, which stands at `path`, their present names, each with a warning.
/// One given by both names is a problem, and left out.
void rename_keys(CaseNode& map, const std::string& path, CaseProblems& problems);

/// Reports every key that is not in the table, belongs to the other scheme, is given twice, or is a
/// section but not a map.
/// Returns the known keys that misspelt ones were probably meant to be.
std::vector<std::string> check_keys(const CaseNode& root, CaseProblems& problems);

/// What to say about `path`, which is not in the table: "grid.lenght: unknown key; did you mean
/// grid.length?". Keys of the other scheme are not proposed where `scheme` is known.
/// Requires find_key(path) to be null.
std::string unknown_key_message(const std::string& path, std::optional<Scheme> scheme);

/// The known key closest to `path`, which is not in the table; empty when none is close.
std::string suggested_key(const std::string& path, std::optional<Scheme> scheme);

}  // namespace dns
