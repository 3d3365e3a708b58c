/// Bodies that leave a flow no way.
#pragma once

#include "solver/core/communicator.hpp"
#include "solver/core/index.hpp"
#include "solver/solids/solid_points.hpp"

namespace dns {

/// Scheme projection. Throws CaseError, naming a body and a place, where the fluid that bodies
/// leave has no divergence-free flow with the given boundary values: a part of it takes inflow and
/// has no outflow, or more than a tenth of the outflow has no inflow, or no part of it goes round a
/// periodic axis along which forcing holds a bulk velocity. Bodies that move are no obstacle here:
/// they carry a flux of their own.
///
/// velocity: u, v, w, filled beyond the ends, after dead ends are closed. Called by all ranks.
void refuse_closed_ways(const PerAxis<const SolidPoints*>& velocity,
                        const Case& resolved,
                        const Subdomain& part,
                        Communicator& communicator);

}  // namespace dns
