/// Means of velocity components over a box that is periodic along them, and what walls take from
/// these.
#pragma once

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/boundary_closure.hpp"
#include "solver/numerics/grid_metrics.hpp"

namespace dns {

/// Contribution of one face: velocity times the control volume around it [U L^3].
template <Axis axis, class Real>
struct FaceMomentum {
  FieldView<const Real> velocity;
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    reduction.sum[0] += in_double(velocity(c)) * volume(c);
  }
  template <class Point>
  [[nodiscard]] DNS_HD auto volume(Point c) const {
    const auto extent = [&]<Axis along>() {
      const AxisMetrics<Real>& sizes = metrics.template along<along>();
      return entry_in_double<along>(along == axis ? sizes.distance : sizes.width, c);
    };
    return extent.template operator()<Axis::x>() *
           (extent.template operator()<Axis::y>() * extent.template operator()<Axis::z>());
  }
};

/// The momentum of all faces of each component [U L^3], and what diffusion takes from it through
/// walls across other axes: SUM area nu (q_1 - q_0)/width [U^2 L^2], with the closure of the ghost
/// point q_0 and its given value.
template <class Real>
struct MomentaBetweenWalls {
  static constexpr int momentum = 0, shear = 3, sums = 6;  // the first of three each
  struct Wall {
    BoundaryClosure<Real> closure{};
    FaceView<const Real> given{};
    double rate = 0;  // nu/width^2 of the cells beside it [U/L]
    int plane = -1;   // of these cells; -1: there is no wall, or it is another rank's
  };

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  PerAxis<bool> is_summed;            // components; the others are not read
  PerAxis<PerAxis<Wall[2]>> walls{};  // component; across, in boxes of one plane alone if x; ends

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    add<Axis::x>(c, reduction);
    add<Axis::y>(c, reduction);
    add<Axis::z>(c, reduction);
  }

 private:
  template <Axis axis, class Point, class Reduced>
  DNS_HD void add(Point c, Reduced& reduction) const {
    if (!is_summed[axis]) return;
    const FaceMomentum<axis, Real> of_faces{velocity[axis], metrics};
    const auto q = in_double(velocity[axis](c));
    const auto volume = of_faces.volume(c);
    constexpr int component = velocity_along(axis);
    reduction.sum[momentum + component] += q * volume;
    const auto taken = taken_across<axis, Axis::x>(c, q) + taken_across<axis, Axis::y>(c, q) +
                       taken_across<axis, Axis::z>(c, q);
    reduction.sum[shear + component] += volume * taken;
  }
  template <Axis axis, Axis across, class Point, class Value>
  [[nodiscard]] DNS_HD Value taken_across(Point c, Value q) const {
    Value taken(0.0);
    if constexpr (axis != across) {
      for (int end = 0; end < 2; ++end) {
        const Wall& wall = walls[axis][across][end];
        if (along<across>(c) != wall.plane) continue;
        Value difference = (1 - double{wall.closure.first}) * q;
        if (wall.closure.weight != 0)
          difference -= double{wall.closure.weight} * in_double(wall.given(c));
        taken += wall.rate * difference;
      }
    }
    return taken;
  }
};

}  // namespace dns
