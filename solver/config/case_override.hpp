/// Overrides of a case file from the command line.
#pragma once

#include <vector>

#include "solver/config/case_problems.hpp"
#include "solver/config/case_tree.hpp"
#include "solver/config/load_case.hpp"

namespace dns {

/// Puts the values of overrides into the tree, in order: creates missing sections, replaces a value
/// that is there, and drops from the file what contradicts it (time.end goes when time.steps
/// comes). A text key takes the value as it stands, everything else as YAML.
/// A wrong path or a value that is no YAML is added to the problems.
void apply_overrides(CaseNode& root,
                     const std::vector<Override>& overrides,
                     CaseProblems& problems);

}  // namespace dns
