/// Sizes of cells and control volumes of a staggered grid, as formulas read them.
#pragma once

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Velocity components have the number of their axis; this one stands for anything that lives at
/// cell centres.
inline constexpr int scalar_component = 3;

/// The unknowns of one kind along one axis: those at cell centres, or those at faces. Arrays over
/// their index.
template <class Real>
struct UnknownSpacing {
  const Real* inverse_width;  // of their control volumes [1/L]; at faces on boundaries 0
  // One over width times the distance to the unknown before and behind [1/L^2]. Before the first
  // centre at a boundary and behind the last stands its mirror image.
  const Real* diffusion_low;
  const Real* diffusion_high;
};

/// One axis of a staggered grid.
template <class Real>
struct AxisMetrics {
  UnknownSpacing<Real> centres, faces;
  // What the cells below and above a face have in its control volume: width(i - 1)/(2 d) and
  // width(i)/(2 d), d the distance of their centres.
  const Real* share_below;
  const Real* share_above;
  const Real* width;         // of cells [L]; 0 behind the last one
  const Real* distance;      // across faces, see StaggeredAxis::centre_distance [L]
  const Real* low_distance;  // the same, but 0 at the face behind the last cell
  const Real* inverse_step;  // one over the same, on boundaries to the mirror image [1/L]
};

template <class Real>
struct StaggeredMetrics {
  AxisMetrics<Real> axes[3];

  template <Axis axis>
  [[nodiscard]] DNS_HD const AxisMetrics<Real>& along() const {
    return axes[static_cast<int>(axis)];
  }
  /// Of the unknowns of a component along `axis`.
  template <Axis axis, int component>
  [[nodiscard]] DNS_HD const UnknownSpacing<Real>& unknowns() const {
    if constexpr (component == static_cast<int>(axis)) return along<axis>().faces;
    if constexpr (component != static_cast<int>(axis)) return along<axis>().centres;
  }
};

/// The entry of an array along `axis` that belongs to point c: one number for all points of a pack
/// unless the axis is x.
template <Axis axis, class Real, class Point>
[[nodiscard]] DNS_HD auto entry(const Real* values, Point c) {
  if constexpr (axis == Axis::x) return load_nearby(values + c.i, c);
  if constexpr (axis != Axis::x) return read_only(values + along<axis>(c));
}

}  // namespace dns
