/// The section `grid` of a case file.
#pragma once

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads cells or nodes, size and stretching; what is wrong becomes a problem.
GridCase read_grid(ValueReader& reader);

}  // namespace dns
