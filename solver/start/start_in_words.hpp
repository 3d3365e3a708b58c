/// What a flow that starts from a file starts from.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// What the flow of case.initial.file is, and what becomes of it on the grid of the case, a line
/// each. Reads no values. Throws as flow_from_file does.
std::vector<std::string> start_in_words(const Case& resolved);

}  // namespace dns
