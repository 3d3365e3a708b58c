/// Output of its last step that a run still owes when it ended between two writes.
#pragma once

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/output/output_writer.hpp"

namespace dns {

/// Output of the step of a checkpoint that was due with it and is not in the case's folder:
/// snapshot, pictures, averages of another step than the checkpoint's, and those of the window that
/// the end of the run cut short. With these, a run
/// resumed from the checkpoint leaves the files of a run that was never stopped.
WriteRequest missing_output(const Case& resolved, const FlowState& checkpoint);

}  // namespace dns
