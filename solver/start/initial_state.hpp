/// The flow that a run starts from.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// The flow at step 0: expressions, file and noise of case.initial (double precision, or the
/// file's). Throws IoError, CaseError for a file that does not fit.
FlowState initial_state(const Case& resolved);

}  // namespace dns
