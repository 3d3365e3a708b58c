/// The mean velocity over a box, along axes that are periodic.
#pragma once

#include "solver/core/reduction.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// Contribution of the faces of one cell to the momentum along each axis: velocity times the
/// control volume around the face [U L^3]; 0 along axes that are not wanted.
template <class Real>
struct FaceMomentum {
  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  bool is_wanted[3];

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 3, 0>& reduction) const {
    if (is_wanted[0]) add<Axis::x>(c, reduction);
    if (is_wanted[1]) add<Axis::y>(c, reduction);
    if (is_wanted[2]) add<Axis::z>(c, reduction);
  }

 private:
  template <Axis axis, class Point, class Number>
  DNS_HD void add(Point c, Reduction<Number, 3, 0>& reduction) const {
    constexpr int a = static_cast<int>(axis);
    const auto extent = [&]<Axis along>() {
      const AxisMetrics<Real>& sizes = metrics.template along<along>();
      return entry_in_double<along>(along == axis ? sizes.distance : sizes.width, c);
    };
    reduction.sum[a] += in_double(velocity[a](c)) * (extent.template operator()<Axis::x>() *
                                                     extent.template operator()<Axis::y>() *
                                                     extent.template operator()<Axis::z>());
  }
};

}  // namespace dns
