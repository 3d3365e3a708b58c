/// Faces that can carry nothing.
#pragma once

#include "solver/core/communicator.hpp"
#include "solver/core/index.hpp"
#include "solver/solids/solid_points.hpp"

namespace dns {

/// Fills the points of a part that lie beyond periodic ends and seams from the points there.
void fill_beyond(SolidPoints& points, const Subdomain& part, Communicator& communicator);

/// A face that is the only open one of a cell carries nothing, whatever the pressure: it becomes
/// part of the body beside the cell, until there is none. Walls and symmetry planes are closed.
/// velocity: u, v, w, filled beyond the ends, and so they are afterwards.
void close_dead_ends(PerAxis<SolidPoints*> velocity,
                     const Case& resolved,
                     const Subdomain& part,
                     Communicator& communicator);

}  // namespace dns
