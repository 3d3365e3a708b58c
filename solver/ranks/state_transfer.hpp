/// Flows of the whole box on rank 0 and of slabs on all ranks.
/// `part` is the slab of the rank that calls.
#pragma once

#include <string>

#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// A flow as bytes, without the values of its fields but with those of its statistics.
std::string described(const FlowState& state);

/// The part of a flow that is described so, its fields without values.
FlowState slab_described(const std::string& description, const Subdomain& part);

/// The part of a flow of the whole box that a slab holds, in the same memory, which is not to be
/// changed where `whole` is not.
FlowState slab_of(const FlowState& whole, const Subdomain& part);

/// On rank 0: sends every other rank the part of each field that its slab holds.
void scatter(Communicator& communicator, const Subdomain& part, const FlowState& whole);
/// On the others: that part of a flow that is described so.
FlowState receive_slab(Communicator& communicator,
                       const Subdomain& part,
                       const std::string& description);

}  // namespace dns
