/// Where a case puts bodies of entries with several.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// The case with each of several bodies as an entry of its own, in their order. Places and random
/// numbers are functions of the case alone. Where positions have random numbers, a body that would
/// overlap another, or stick out of the box, gets the next ones.
///
/// Throws CaseError "solids.balls.positions: ..." of a body that is outside of the box or overlaps
/// another; IoError of a file that cannot be read.
[[nodiscard]] Case with_single_bodies(const Case& resolved);

}  // namespace dns
