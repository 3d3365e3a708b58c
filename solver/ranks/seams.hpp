/// What ranks store beyond the seams of a sweep that goes across their slabs.
#pragma once

#include <type_traits>

#include "solver/core/field_view.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/solve_seams.hpp"

namespace dns {

/// Passes the unknowns beyond a seam to the sink of a sweep, at the points where they are.
template <class Sink, class Real, int unknowns>
struct StoreBeyond {
  Sink sink;
  FaceView<const Real> beyond[unknowns];

  template <class Point>
  DNS_HD void operator()(Point c) const {
    std::remove_const_t<decltype(beyond[0](c))> x[unknowns];
    for (int unknown = 0; unknown < unknowns; ++unknown) x[unknown] = beyond[unknown](c);
    sink(c, x, sink.read(c));
  }
};

/// Copies a field point by point.
template <class Real>
struct CopyField {
  FieldView<const Real> from;
  FieldView<Real> to;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    to.set(c, from(c));
  }
};

}  // namespace dns
