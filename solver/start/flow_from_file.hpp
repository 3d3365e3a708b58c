/// A flow that starts from a file.
#pragma once

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// The flow of case.initial.file, a snapshot or checkpoint of the same scheme and grid, in double,
/// at step 0. Scheme splitting: velocities and temperature at the nodes, as they are. Scheme
/// projection: velocities at the low faces of all cells (interpolated between the centres of a
/// snapshot; on a boundary plane that of the first cell) and temperature.
/// Throws IoError, CaseError for a file of another scheme or grid or without temperature.
FlowState flow_from_file(const Case& resolved);

}  // namespace dns
