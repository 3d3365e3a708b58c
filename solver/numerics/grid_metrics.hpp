/// Widths of cells and control volumes of a staggered grid and distances between them, as formulas
/// read them.
#pragma once

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

/// Velocity components have the number of their axis; this one stands for anything that lives at
/// cell centres.
inline constexpr int scalar_component = 3;

/// One axis of a staggered grid; arrays over the index.
template <class Real>
struct AxisMetrics {
  const Real* inverse_width;     // of cells [1/L]
  const Real* inverse_distance;  // across faces [1/L]; 0 on boundaries
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
struct GridMetrics {
  AxisMetrics<Real> axes[3];

  template <Axis axis>
  [[nodiscard]] DNS_HD const AxisMetrics<Real>& along() const {
    return axes[static_cast<int>(axis)];
  }
};

/// What a step makes of the control volumes of one kind of unknowns along one axis.
template <class Real>
struct AxisCoefficients {
  const Real* advection;  // dt/4 over their width [1/U]
  // dt/2 nu over width times the distance to the unknown before and behind. Before the first centre
  // at a boundary and behind the last stands its mirror image.
  const Real* diffusion_low;
  const Real* diffusion_high;
};

/// The same for unknowns at centres and at faces along all axes, for one diffusivity nu.
template <class Real>
struct SweepCoefficients {
  AxisCoefficients<Real> centres[3], faces[3];
  Real uniform_diagonal[3];  // 1 + dt nu/width^2 along axes whose cells are equal

  /// Of the unknowns of a component along `axis`.
  template <Axis axis, int component>
  [[nodiscard]] DNS_HD const AxisCoefficients<Real>& unknowns() const {
    constexpr int a = static_cast<int>(axis);
    if constexpr (component == a) return faces[a];
    if constexpr (component != a) return centres[a];
  }
};

/// One number of every array of AxisCoefficients from what does not depend on dt; c.i counts
/// through all.
template <class Real>
struct ScaleMetric {
  const double* exact;
  Real* values;
  double factor;

  DNS_HD void operator()(Index3 c) const {
    values[c.i] = static_cast<Real>(factor * read_only(exact + c.i));
  }
};

/// Axes known to have equal cells where a formula is compiled, which then reads their sizes once.
template <bool x, bool y, bool z>
struct UniformAxes {
  template <Axis axis>
  static constexpr bool has = axis == Axis::x   ? x
                              : axis == Axis::y ? y
                                                : z;
};
using AnyAxes = UniformAxes<false, false, false>;
template <Axis axis, bool uniform>
using UniformAlong =
    UniformAxes<axis == Axis::x && uniform, axis == Axis::y && uniform, axis == Axis::z && uniform>;

/// The entry of an array along `axis` that belongs to point c: one number for all points of a pack
/// unless the axis is x.
template <Axis axis, class Real, class Point>
[[nodiscard]] DNS_HD auto entry(const Real* values, Point c) {
  if constexpr (axis == Axis::x) return load_nearby(values + c.i, c);
  if constexpr (axis != Axis::x) return read_only(values + along<axis>(c));
}
/// The same of a size that all points have in common along a uniform axis. Point 1 stands for them:
/// the face of point 0 may lie on a boundary.
template <Axis axis, class Uniform, class Real, class Point>
[[nodiscard]] DNS_HD auto entry_of(const Real* values, Point c) {
  if constexpr (Uniform::template has<axis>) return values[1];
  if constexpr (!Uniform::template has<axis>) return entry<axis>(values, c);
}
template <Axis axis, class Real, class Point>
[[nodiscard]] DNS_HD auto entry_in_double(const Real* values, Point c) {
  return in_double(entry<axis>(values, c));
}

}  // namespace dns
