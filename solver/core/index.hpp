/// Axes, points and boxes of points of the logical grid.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"

namespace dns {

enum class Axis : int { x = 0, y = 1, z = 2 };

/// A grid point: i along x, j along y, k along z.
struct Index3 {
  int i = 0, j = 0, k = 0;
};

/// Number of points along each axis.
struct Extents {
  int nx = 0, ny = 0, nz = 0;

  [[nodiscard]] DNS_HD constexpr std::size_t count() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
           static_cast<std::size_t>(nz);
  }
  friend constexpr bool operator==(const Extents&, const Extents&) = default;
};

/// The points c with begin <= c < end in every component.
struct Box {
  Index3 begin, end;

  [[nodiscard]] DNS_HD constexpr Extents extents() const {
    return {end.i - begin.i, end.j - begin.j, end.k - begin.k};
  }
};

/// Some of the outermost planes of a box: those across axis 0, 1, 2 at its low and high end.
struct BoundaryPlanes {
  bool is_included[3][2];

  /// Across one axis.
  [[nodiscard]] DNS_HD constexpr bool any_across(Axis axis) const {
    return is_included[static_cast<int>(axis)][0] || is_included[static_cast<int>(axis)][1];
  }
  [[nodiscard]] constexpr bool any() const {
    return any_across(Axis::x) || any_across(Axis::y) || any_across(Axis::z);
  }
  static constexpr BoundaryPlanes all() { return {{{true, true}, {true, true}, {true, true}}}; }
};

/// The component of `c` along `axis`.
template <Axis axis>
DNS_HD constexpr int along(Index3 c) {
  if constexpr (axis == Axis::x) return c.i;
  if constexpr (axis == Axis::y) return c.j;
  if constexpr (axis == Axis::z) return c.k;
}

/// The number of points along `axis`.
template <Axis axis>
DNS_HD constexpr int along(Extents e) {
  return along<axis>(Index3{e.nx, e.ny, e.nz});
}

/// `c` with its component along `axis` replaced. Point: Index3 or a type derived from it.
template <Axis axis, class Point>
DNS_HD constexpr Point placed(Point c, int position) {
  if constexpr (axis == Axis::x) c.i = position;
  if constexpr (axis == Axis::y) c.j = position;
  if constexpr (axis == Axis::z) c.k = position;
  return c;
}

/// The value stored at `from`: what a formula reads at one point. A backend that evaluates
/// formulas at several neighbouring points at once overloads load and store for its own type of
/// point (cpu/pack.hpp); a formula is written once, for any type of point.
///
/// A value behind a pointer to const is not written while the kernel runs.
template <class Real>
DNS_HD Real load(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
template <class Real>
DNS_HD Real load(Real* from, Index3 /*at*/) {
  return *from;
}
/// Stands for a point whose values a GPU reads in the order in which a kernel asks for them, as it
/// does through anchored() pointers: what is read-only it might read earlier or later.
struct PointInOrder {};
template <class Real>
DNS_HD Real load(const Real* from, PointInOrder /*at*/) {
  return *from;
}
template <class Real>
DNS_HD Real load_unaligned(const Real* from, PointInOrder /*at*/) {
  return *from;
}

/// The same where points handled at once may start at any address; `load` may require that they
/// start at a multiple of their number, as those of a level's own points do.
template <class Real>
DNS_HD Real load_unaligned(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
/// The same next to what is loaded anyway, or in a small array: nothing to ask memory for ahead.
template <class Real>
DNS_HD Real load_nearby(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
template <class Real>
DNS_HD void store(Real* to, Real value, Index3 /*at*/) {
  *to = value;
}

}  // namespace dns
