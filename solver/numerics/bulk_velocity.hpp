/// The mean of a velocity component over a box that is periodic along it, and what walls take from
/// it.
#pragma once

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/plane_closure.hpp"

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

/// The momentum of all faces, and what diffusion takes from it through walls across other axes: SUM
/// area nu (q_1 - q_0)/width [U^2 L^2], q_0 the ghost point.
template <Axis axis, class Real>
struct MomentumBetweenWalls {
  enum Sum { momentum, shear, sums };
  struct Wall {
    PlaneClosure<Real> closure{};
    double rate = 0;  // nu/width^2 of the cells beside it [U/L]
    int plane = -1;   // of these cells; -1: there is no wall, or it is another rank's
  };

  FaceMomentum<axis, Real> of_faces;
  PerAxis<Wall[2]> walls;  // across each axis, low and high; across x in boxes of one plane alone

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const auto q = in_double(of_faces.velocity(c));
    const auto volume = of_faces.volume(c);
    reduction.sum[momentum] += q * volume;
    add_across<Axis::x>(c, q, volume, reduction);
    add_across<Axis::y>(c, q, volume, reduction);
    add_across<Axis::z>(c, q, volume, reduction);
  }

 private:
  template <Axis across, class Point, class Value, class Volume, class Reduced>
  DNS_HD void add_across(Point c, Value q, Volume volume, Reduced& reduction) const {
    for (int end = 0; end < 2; ++end) {
      const Wall& wall = walls[across][end];
      if (along<across>(c) != wall.plane) continue;
      reduction.sum[shear] += wall.rate * (volume * wall.closure.drop(c, q));
    }
  }
};

/// The control volumes beside a wall, each times the 1 - first of its point [L^3]. For the points
/// of the last plane inside.
template <Axis axis, class Real>
struct DragOnUnitVelocity {
  FaceMomentum<axis, Real> of_faces;
  PlaneClosure<Real> closure;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    reduction.sum[0] += of_faces.volume(c) * (1 - in_double(closure.varying(c)));
  }
};

}  // namespace dns
