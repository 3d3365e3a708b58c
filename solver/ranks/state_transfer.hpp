/// Flows of the whole box on rank 0 and of slabs on all ranks.
///
/// A field has as many planes along z as there are points, or two more: a ghost plane at each end.
/// Plane n of a slab's field is plane n + part.first(2) of the whole field. Of what the box holds,
/// a rank owns the planes of its points, and beyond an end of the box the ghost plane there.
///
/// `part` is the slab of the rank that calls.
#pragma once

#include <string>

#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// A flow as bytes, without the values of its fields but with those of its statistics.
std::string described(const FlowState& state);

/// The part of a flow of the whole box that a slab holds, in the same memory, which is not to be
/// changed where `whole` is not.
FlowState slab_of(const FlowState& whole, const Subdomain& part);

/// On rank 0: sends every other rank the part of each field that its slab holds.
void scatter(Communicator& communicator, const Subdomain& part, const FlowState& whole);
/// On the others: that part of a flow that is described so.
FlowState receive_slab(Communicator& communicator,
                       const Subdomain& part,
                       const std::string& description);

/// On rank 0: fills in the planes that the others own.
void gather(Communicator& communicator, const Subdomain& part, FlowState& whole);
/// On the others: sends them.
void send_slab(Communicator& communicator, const Subdomain& part, const FlowState& slab);

}  // namespace dns
