/// Widths of cells and control volumes of a staggered grid and distances between them, in the form
/// that formulas read.
#pragma once

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

/// Velocity components have the number of their axis; this is the number of anything that lives at
/// cell centres.
inline constexpr int scalar_component = first_scalar;

/// One axis of a staggered grid; arrays over the index.
template <class Real>
struct AxisMetrics {
  const Real* inverse_width;     // of cells [1/L]
  const Real* inverse_distance;  // across faces [1/L]; 0 on boundaries
  // Shares of the cells below and above a face in its control volume: width(i - 1)/(2 d) and
  // width(i)/(2 d), d the distance of their centres.
  const Real* share_below;
  const Real* share_above;
  const Real* width;         // of cells [L]; 0 beyond the last one
  const Real* distance;      // across faces, see StaggeredAxis::centre_distance [L]
  const Real* low_distance;  // the same, but 0 at the high face of the last cell
  const Real* inverse_step;  // 1/distance, on boundaries to the mirror image [1/L]
};

template <class Real>
struct GridMetrics {
  PerAxis<AxisMetrics<Real>> axes;

  template <Axis axis>
  [[nodiscard]] DNS_HD const AxisMetrics<Real>& along() const {
    return axes[axis];
  }
};

/// Sweep coefficients of one kind of unknowns along one axis.
template <class Real>
struct AxisCoefficients {
  const Real* advection;  // dt/4 over the width of their control volumes [1/U]
  // dt/2 nu/(width distance), with the distance to the neighbour on the low and on the high side.
  // At a boundary the neighbour of a centre is its mirror image.
  const Real* diffusion_low;
  const Real* diffusion_high;
};

/// Sweep coefficients of unknowns at centres and at faces, for one diffusivity nu [U L].
template <class Real>
struct SweepCoefficients {
  PerAxis<AxisCoefficients<Real>> centres, faces;
  PerAxis<Real> uniform_diagonal;  // 1 + dt nu/width^2 along uniform axes

  /// Coefficients of the unknowns of a component along `axis`.
  template <Axis axis, int component>
  [[nodiscard]] DNS_HD const AxisCoefficients<Real>& unknowns() const {
    if constexpr (component == velocity_along(axis)) return faces[axis];
    if constexpr (component != velocity_along(axis)) return centres[axis];
  }
};

/// One entry of the arrays of AxisCoefficients: `factor`, with dt in it, times the part that
/// depends on the grid and the diffusivity alone. c.i counts through the entries of several arrays,
/// c.k through those for several dt.
template <class Real>
struct ScaleMetric {
  const double* exact;
  Real* values;
  int count;  // of `exact`
  Numbered<double, 3> factor;

  DNS_HD void operator()(Index3 c) const {
    values[c.k * count + c.i] = static_cast<Real>(factor[c.k] * read_only(exact + c.i));
  }
};

/// Axes known to be uniform when a formula is compiled, which then reads their metrics once.
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
/// The entry that belongs to point c of metrics that are equal at all points of a uniform axis.
/// They are read at point 1: the face of point 0 may lie on a boundary.
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
