/// From the faces of a case to conditions on variables and their targets.
#pragma once

#include <vector>

#include "solver/config/case.hpp"
#include "solver/numerics/boundary_closure.hpp"

namespace dns {

/// The condition on a variable at a face of the case; the face's axis is 0, 1 or 2.
///   wall, inflow: velocity by value, temperature by value or gradient
///   outflow:      all extrapolated
///   symmetry:     normal velocity 0, everything else with gradient 0
/// Requires a face that is not periodic.
BoundaryCondition condition_on(const FaceCase& face, int axis, int variable);

/// The targets of a variable at all nodes of a face at time t, in double: shape (nz, ny), (nz, nx)
/// or (ny, nx) for a face across x, y or z.
std::vector<double> face_targets(const Case& resolved, std::size_t face, int variable, double t);

/// The targets change with time.
bool has_moving_targets(const FaceCase& face, int variable);

}  // namespace dns
