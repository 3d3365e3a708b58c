/// Which planes of a field of the whole box a rank holds, and which of them are its own.
///
/// A field has as many planes along z as there are points, or two more: a ghost plane at each end.
/// Plane n of a slab's field is plane n + part.first(2) of the whole field. Of what the box holds,
/// a rank owns the planes of its points, and beyond an end of the box the ghost plane there.
#pragma once

#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// A run of planes of a field of the whole box.
struct Planes {
  int first = 0, count = 0;
};

/// Planes of the field of the whole box of which `slab` is the part of one rank.
[[nodiscard]] inline int whole_planes(const HostField& slab, const Subdomain& part) {
  return slab.extents().nz - part.points().nz + part.whole.nz;
}

/// What a slab holds of a field of so many planes, ghost planes included.
[[nodiscard]] inline Planes held(int planes, const Subdomain& part) {
  return {part.first(2), part.points().nz + planes - part.whole.nz};
}

/// What its rank owns of it. Where the part is the whole box this is all, whatever the field.
[[nodiscard]] inline Planes owned(int planes, const Subdomain& part) {
  const int ghosts = (planes - part.whole.nz) / 2;
  const int begin = part.part.begin.k == 0 ? 0 : part.part.begin.k + ghosts;
  const int end = part.part.end.k == part.whole.nz ? planes : part.part.end.k + ghosts;
  return {begin, end - begin};
}

}  // namespace dns
