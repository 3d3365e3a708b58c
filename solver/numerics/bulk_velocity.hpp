/// Means of velocity components over a box that is periodic along them, and what walls take from
/// these.
#pragma once

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/plane_closure.hpp"
#include "solver/numerics/projection.hpp"

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

/// Places of sums over the faces of the three components: the first of three each.
struct MomentumSum {
  static constexpr int momentum = 0, shear = 3, count = 6;
};

/// The momentum of all faces of each component [U L^3], and what diffusion takes from it through
/// walls across other axes: SUM area nu (q_1 - q_0)/width [U^2 L^2], q_0 the ghost point.
template <class Real>
struct MomentaBetweenWalls {
  static constexpr bool is_light = true;  // cuda/reduce.cuh
  struct Wall {
    int plane = -1;   // of the cells beside it; -1: there is no wall, or it is another rank's
    double rate = 0;  // nu/width^2 of these cells [U/L]
    PerAxis<PlaneClosure<Real>> of{};  // by component
  };

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  PerAxis<bool> is_summed;   // components; the others are not read
  PerAxis<Wall[2]> walls{};  // across each axis, low and high; across x in boxes of one plane alone

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, MomentumSum::count, 0>& reduction) const {
    const auto x = entry_in_double<Axis::x>(metrics.template along<Axis::x>().width, c);
    const auto y = entry_in_double<Axis::y>(metrics.template along<Axis::y>().width, c);
    const auto z = entry_in_double<Axis::z>(metrics.template along<Axis::z>().width, c);
    add<Axis::x>(c, y * z, reduction);
    add<Axis::y>(c, x * z, reduction);
    add<Axis::z>(c, x * y, reduction);
  }

 private:
  template <Axis axis, class Point, class Area, class Reduced>
  DNS_HD void add(Point c, Area area, Reduced& reduction) const {
    if (!is_summed[axis]) return;
    constexpr int component = velocity_along(axis);
    const auto q = in_double(velocity[axis](c));
    const auto volume = area * entry_in_double<axis>(metrics.template along<axis>().distance, c);
    reduction.sum[MomentumSum::momentum + component] += q * volume;
    constexpr AxesInPlane across = axes_in_plane(axis);
    for (int end = 0; end < 2; ++end) {
      add_shear<axis, across.first>(walls[across.first][end], c, q, volume, reduction);
      add_shear<axis, across.second>(walls[across.second][end], c, q, volume, reduction);
    }
  }
  template <Axis axis, Axis across, class Point, class Value, class Volume, class Reduced>
  DNS_HD static void add_shear(
      const Wall& wall, Point c, Value q, Volume volume, Reduced& reduction) {
    if (along<across>(c) != wall.plane) return;
    reduction.sum[MomentumSum::shear + velocity_along(axis)] +=
        wall.rate * (volume * wall.of[axis].drop(c, q));
  }
};

}  // namespace dns
