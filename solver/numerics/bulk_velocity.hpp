/// The mean of a velocity component over a box that is periodic along it.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/grid_metrics.hpp"

namespace dns {

/// Contribution of one face: velocity times the control volume around it [U L^3].
template <Axis axis, class Real>
struct FaceMomentum {
  FieldView<const Real> velocity;
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    const auto extent = [&]<Axis along>() {
      const AxisMetrics<Real>& sizes = metrics.template along<along>();
      return entry_in_double<along>(along == axis ? sizes.distance : sizes.width, c);
    };
    reduction.sum[0] += in_double(velocity(c)) * (extent.template operator()<Axis::x>() *
                                                  extent.template operator()<Axis::y>() *
                                                  extent.template operator()<Axis::z>());
  }
};

}  // namespace dns
