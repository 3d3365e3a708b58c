/// A flow that starts from a file.
#pragma once

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// The flow of case.initial.file, a snapshot, checkpoint or plain file, at the points of a part of
/// the box, in double, at step 0: velocities and scalars at the nodes, or velocities at the low
/// faces of all cells and scalars at their centres. Scalars that the file does not have start by
/// their formulas.
///
/// From the same scheme and grid values are taken as they are; only the centres of a snapshot are
/// interpolated to faces, linearly (on a boundary plane the value of the first cell). From another
/// one all variables are interpolated from where they live to where they are to be, in the third
/// degree along each axis (cubic_stencil), the values of walls included (source_line); boxes of
/// other sizes as axis_fit says.
///
/// Each part reads the planes that it needs; that which begins the box reads all, and compares them
/// with their checksums. Values do not depend on the part. Holds the part and a few planes.
/// Throws CaseError, where the file does not do, and IoError; messages begin with "initial.path: ".
FlowState flow_from_file(const Case& resolved, const Subdomain& part);

}  // namespace dns
