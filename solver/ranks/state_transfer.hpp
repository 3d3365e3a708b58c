/// Flows of the whole box on rank 0 and of slabs on all ranks.
/// `part` is the slab of the rank that calls.
#pragma once

#include <string>

#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/other_ranks.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// The part of a flow of the whole box that a slab holds, in the same memory, which is not to be
/// changed where `whole` is not.
FlowState slab_of(const FlowState& whole, const Subdomain& part);

/// Called by all ranks: the slab of this rank of a flow that rank 0 has. Its values are those of
/// `whole`, or where `file` is not empty each rank reads its own (SlabReader::read); then the
/// fields of `whole` need no values. `whole` and `file` are those of rank 0. Throws, the same on
/// all ranks, CaseError where extents are not those of the box, and IoError where one rank cannot
/// read its slab, or what they have read together is not what the file should hold.
FlowState slab_of_this_rank(Communicator& communicator,
                            const Subdomain& part,
                            const FlowState& whole,
                            const std::string& file,
                            const SlabReader& reader);

}  // namespace dns
