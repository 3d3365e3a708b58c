/// The flow in a plane normal to an axis.
#pragma once

#include <cstddef>

#include "solver/core/level_view.hpp"

namespace dns {

/// A variable q in a plane between two planes of its points, by linear interpolation:
///
///   sample = (1 - weight) q_below + weight q_above
///
/// for the points c of the plane below. On the points the weight is 0 and the step too: the sample
/// is q, to the last bit.
template <class Real>
struct SampleInPlane {
  StridedField<const Real> q;
  std::ptrdiff_t step;  // from a point below to that above it [words]
  Real weight;
  StridedField<Real> samples;

  DNS_HD void operator()(Index3 c) const {
    const Real* const below = q.address(c);
    *samples.address(c) = (Real(1) - weight) * below[0] + weight * below[step];
  }
};

}  // namespace dns
