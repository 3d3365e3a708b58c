/// The flow that a run starts from.
#pragma once

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// The flow of a part of the box at step 0: expressions, file and noise of case.initial, in double
/// precision. It equals that of the whole box there, bit for bit. Throws as flow_from_file does.
FlowState initial_state(const Case& resolved, const Subdomain& part);
FlowState initial_state(const Case& resolved);

}  // namespace dns
