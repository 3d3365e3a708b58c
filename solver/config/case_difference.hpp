/// What differs between two cases.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// The keys of scheme, grid, fluid, buoyancy, boundaries and forcing that two cases do not share,
/// such as "fluid.reynolds", in the order of a case file: what makes them different flows, whose
/// averages must not be mixed. Start, time steps, device, precision, threads and output may differ.
std::vector<std::string> differences_of_flow(const Case& one, const Case& other);

}  // namespace dns
