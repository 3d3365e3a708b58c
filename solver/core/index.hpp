/// Axes, points and boxes of points of the logical grid.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"

namespace dns {

enum class Axis : int { x = 0, y = 1, z = 2 };

/// The variables of a flow have numbers: a velocity component that of its axis, temperature this
/// one.
inline constexpr int temperature_variable = 3;

[[nodiscard]] DNS_HD constexpr int velocity_along(Axis axis) {
  return static_cast<int>(axis);
}

/// Calls function.operator()<axis>() for x, y, z in turn; on the host.
template <class Function>
constexpr void for_each_axis(const Function& function) {
  function.template operator()<Axis::x>();
  function.template operator()<Axis::y>();
  function.template operator()<Axis::z>();
}

/// Calls function.operator()<axis>() for an axis known at run time only.
template <class Function>
constexpr void with_axis(int axis, const Function& function) {
  if (axis == 0) function.template operator()<Axis::x>();
  if (axis == 1) function.template operator()<Axis::y>();
  if (axis == 2) function.template operator()<Axis::z>();
}

/// The axis that is neither of the two.
[[nodiscard]] DNS_HD constexpr Axis third_axis(Axis a, Axis b) {
  return static_cast<Axis>(3 - static_cast<int>(a) - static_cast<int>(b));
}

/// The two axes in a plane across an axis, in order.
struct AxesInPlane {
  Axis first, second;
};
[[nodiscard]] DNS_HD constexpr AxesInPlane axes_in_plane(Axis normal) {
  return {normal == Axis::x ? Axis::y : Axis::x, normal == Axis::z ? Axis::y : Axis::z};
}

/// A grid point: i along x, j along y, k along z.
struct Index3 {
  int i = 0, j = 0, k = 0;
};

/// The index in [0, n) that `index` repeats along a periodic axis of n points; -n <= index < 2n.
[[nodiscard]] DNS_HD constexpr int periodic_image(int index, int n) {
  return index < 0 ? index + n : index >= n ? index - n : index;
}

/// Number of points along each axis.
struct Extents {
  int nx = 0, ny = 0, nz = 0;

  [[nodiscard]] DNS_HD constexpr std::size_t count() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
           static_cast<std::size_t>(nz);
  }
  /// Along an axis known at run time only; where it is a constant: along<axis>(extents).
  [[nodiscard]] constexpr int operator[](int axis) const {
    return axis == 0 ? nx : axis == 1 ? ny : nz;
  }
  [[nodiscard]] constexpr int& operator[](int axis) { return axis == 0 ? nx : axis == 1 ? ny : nz; }
  [[nodiscard]] constexpr int operator[](Axis axis) const {
    return (*this)[static_cast<int>(axis)];
  }
  [[nodiscard]] constexpr int& operator[](Axis axis) { return (*this)[static_cast<int>(axis)]; }
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

/// The index of `c` along `axis`.
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

/// `c` with its index along `axis` replaced. Point: Index3 or a type derived from it.
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
/// In place of a point: a GPU then loads values in the order of the program, as it does through
/// anchored() pointers. Read-only loads may move.
struct PointInOrder {};
template <class Real>
DNS_HD Real load(const Real* from, PointInOrder /*at*/) {
  return *from;
}
template <class Real>
DNS_HD Real load_unaligned(const Real* from, PointInOrder /*at*/) {
  return *from;
}

/// The same where points handled at once may start at any address; `load` may require a multiple
/// of their number, which a level's own points have.
template <class Real>
DNS_HD Real load_unaligned(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
/// The same next to what is loaded anyway, or in a small array: no need to prefetch.
template <class Real>
DNS_HD Real load_nearby(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
template <class Real>
DNS_HD void store(Real* to, Real value, Index3 /*at*/) {
  *to = value;
}

}  // namespace dns
