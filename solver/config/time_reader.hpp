/// The section `time` of a case file.
#pragma once

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads steps, their number and the iterations of a step; what is wrong becomes a problem.
TimeCase read_time(ValueReader& reader);

}  // namespace dns
