/// The flow that a run starts from.
#pragma once

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// The flow of a part of the box at step 0: expressions, file and noise of case.initial, in double
/// precision. It equals that of the whole box there, bit for bit. Throws IoError, CaseError for a
/// file that does not fit.
FlowState initial_state(const Case& resolved, const Subdomain& part);
FlowState initial_state(const Case& resolved);

}  // namespace dns
