/// The part of a flow that a rank has.
#pragma once

#include "solver/core/flow_state.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// Of a flow of the whole box what a slab holds, in the same memory, which is not to be changed
/// where `whole` is not.
inline FlowState slab_of(const FlowState& whole, const Subdomain& part) {
  FlowState slab = whole;
  for (HostField& field : slab.fields) {
    const Planes planes = held(field.extents().nz, part);
    field = field.planes(planes.first, planes.count);
  }
  return slab;
}

}  // namespace dns
