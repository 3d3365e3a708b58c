/// Axes, points and boxes of points of the logical grid.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "solver/core/host_device.hpp"

namespace dns {

enum class Axis : int { x = 0, y = 1, z = 2 };

/// The variables of a flow have numbers: a velocity component that of its axis, then come scalars,
/// temperature first, then what is not transported.
inline constexpr int first_scalar = 3;

[[nodiscard]] DNS_HD constexpr int velocity_along(Axis axis) {
  return static_cast<int>(axis);
}
[[nodiscard]] DNS_HD constexpr bool is_velocity(int variable) {
  return variable < first_scalar;
}

/// An axis, or its number.
template <class Index>
concept AxisOrNumber = std::same_as<Index, Axis> || std::integral<Index>;

/// An array of things that have numbers of type int: axes, faces.
template <class T, int count>
struct Numbered {  // NOLINT(*reserved-identifier,*identifier-naming): of generated comparisons
  T values[count];

  [[nodiscard]] DNS_HD constexpr T& operator[](std::integral auto n) { return values[n]; }
  [[nodiscard]] DNS_HD constexpr const T& operator[](std::integral auto n) const {
    return values[n];
  }
  [[nodiscard]] DNS_HD constexpr T& operator[](Axis axis) { return values[static_cast<int>(axis)]; }
  [[nodiscard]] DNS_HD constexpr const T& operator[](Axis axis) const {
    return values[static_cast<int>(axis)];
  }
  [[nodiscard]] constexpr int size() const { return count; }
  [[nodiscard]] constexpr T* begin() { return values; }
  [[nodiscard]] constexpr const T* begin() const { return values; }
  [[nodiscard]] constexpr T* end() { return values + count; }
  [[nodiscard]] constexpr const T* end() const { return values + count; }
  template <std::size_t n>
  [[nodiscard]] constexpr T& get() {
    return values[n];
  }
  template <std::size_t n>
  [[nodiscard]] constexpr const T& get() const {
    return values[n];
  }
  friend constexpr bool operator==(const Numbered&, const Numbered&) = default;
  friend constexpr auto operator<=>(const Numbered&, const Numbered&) = default;  // NOLINT: no null
};

/// Values along x, y and z. An index is an axis or its number.
template <class T>
using PerAxis = Numbered<T, 3>;

/// Values of the faces of the box. An index is a face_index.
template <class T>
using PerFace = Numbered<T, 6>;

/// Calls function.operator()<axis>() for x, y, z in turn; on the host.
template <class Function>
constexpr void for_each_axis(const Function& function) {
  function.template operator()<Axis::x>();
  function.template operator()<Axis::y>();
  function.template operator()<Axis::z>();
}

/// Calls function.operator()<axis>() for an axis known at run time only.
template <class Function>
constexpr void with_axis(AxisOrNumber auto axis, const Function& function) {
  if (static_cast<Axis>(axis) == Axis::x) function.template operator()<Axis::x>();
  if (static_cast<Axis>(axis) == Axis::y) function.template operator()<Axis::y>();
  if (static_cast<Axis>(axis) == Axis::z) function.template operator()<Axis::z>();
}

/// The axis that is neither of the two.
[[nodiscard]] DNS_HD constexpr Axis third_axis(Axis a, Axis b) {
  return static_cast<Axis>(3 - static_cast<int>(a) - static_cast<int>(b));
}

/// The two axes in a plane across an axis, in order.
struct AxesInPlane {
  Axis first, second;
};
[[nodiscard]] DNS_HD constexpr AxesInPlane axes_in_plane(AxisOrNumber auto normal) {
  const auto axis = static_cast<Axis>(normal);
  return {axis == Axis::x ? Axis::y : Axis::x, axis == Axis::z ? Axis::y : Axis::z};
}

/// A grid point: i along x, j along y, k along z.
struct Index3 {
  int i = 0, j = 0, k = 0;

  /// Along an axis known at run time only; where it is a constant: along<axis>(c).
  [[nodiscard]] constexpr int operator[](AxisOrNumber auto axis) const {
    return static_cast<Axis>(axis) == Axis::x ? i : static_cast<Axis>(axis) == Axis::y ? j : k;
  }
  [[nodiscard]] constexpr int& operator[](AxisOrNumber auto axis) {
    return static_cast<Axis>(axis) == Axis::x ? i : static_cast<Axis>(axis) == Axis::y ? j : k;
  }
};

/// The index in [0, n) that `index` repeats along a periodic axis of n points; -n <= index < 2n.
[[nodiscard]] DNS_HD constexpr int periodic_image(int index, int n) {
  return index < 0 ? index + n : index >= n ? index - n : index;
}

/// Number of points along each axis.
struct Extents {
  int nx = 0, ny = 0, nz = 0;

  [[nodiscard]] DNS_HD constexpr std::size_t count() const { return plane() * nz; }
  /// Number of points of a plane across z.
  [[nodiscard]] DNS_HD constexpr std::size_t plane() const {
    return static_cast<std::size_t>(nx) * ny;
  }
  /// Place of a point in an array of all of them, x fastest.
  [[nodiscard]] DNS_HD constexpr std::size_t place(Index3 c) const {
    return (static_cast<std::size_t>(c.k) * ny + c.j) * nx + c.i;
  }
  /// Along an axis known at run time only; where it is a constant: along<axis>(extents).
  [[nodiscard]] constexpr int operator[](AxisOrNumber auto axis) const {
    return static_cast<Axis>(axis) == Axis::x ? nx : static_cast<Axis>(axis) == Axis::y ? ny : nz;
  }
  [[nodiscard]] constexpr int& operator[](AxisOrNumber auto axis) {
    return static_cast<Axis>(axis) == Axis::x ? nx : static_cast<Axis>(axis) == Axis::y ? ny : nz;
  }
  friend constexpr bool operator==(const Extents&, const Extents&) = default;
};

/// The points c with begin <= c < end in every component.
struct Box {
  Index3 begin, end;

  [[nodiscard]] DNS_HD constexpr Extents extents() const {
    return {end.i - begin.i, end.j - begin.j, end.k - begin.k};
  }
  [[nodiscard]] DNS_HD constexpr bool holds(Index3 c) const {
    return c.i >= begin.i && c.i < end.i && c.j >= begin.j && c.j < end.j && c.k >= begin.k &&
           c.k < end.k;
  }
};

/// The points that are in both; an empty box has begin = end.
[[nodiscard]] constexpr Box common_box(Box a, Box b) {
  Box both;
  for (const int axis : {0, 1, 2}) {
    both.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    both.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  const bool is_empty =
      both.end.i <= both.begin.i || both.end.j <= both.begin.j || both.end.k <= both.begin.k;
  if (is_empty) both.end = both.begin;
  return both;
}
/// The smallest box that holds the points of both.
[[nodiscard]] constexpr Box joint_box(Box a, Box b) {
  if (a.extents().count() == 0) return b;
  if (b.extents().count() == 0) return a;
  for (const int axis : {0, 1, 2}) {
    a.begin[axis] = std::min(a.begin[axis], b.begin[axis]);
    a.end[axis] = std::max(a.end[axis], b.end[axis]);
  }
  return a;
}
/// The box with one point more at every end.
[[nodiscard]] constexpr Box widened(Box box) {
  return {{box.begin.i - 1, box.begin.j - 1, box.begin.k - 1},
          {box.end.i + 1, box.end.j + 1, box.end.k + 1}};
}
/// Holds the first point of every pack, of up to 16 points along x, that holds a point of the box.
[[nodiscard]] constexpr Box with_packs(Box box) {
  box.begin.i -= 15;
  return box;
}

/// Calls visit(c) for the points of a box, x fastest; on the host.
template <class Visit>
constexpr void for_each_point(Box box, const Visit& visit) {
  for (int k = box.begin.k; k < box.end.k; ++k) {
    for (int j = box.begin.j; j < box.end.j; ++j) {
      for (int i = box.begin.i; i < box.end.i; ++i) visit(Index3{i, j, k});
    }
  }
}

/// Some of the outermost planes of a box: those across axis 0, 1, 2 at its low and high end.
struct BoundaryPlanes {
  PerAxis<bool[2]> is_included;

  /// Across one axis.
  [[nodiscard]] DNS_HD constexpr bool any_across(Axis axis) const {
    return is_included[axis][0] || is_included[axis][1];
  }
  [[nodiscard]] constexpr bool any() const {
    return any_across(Axis::x) || any_across(Axis::y) || any_across(Axis::z);
  }
  static constexpr BoundaryPlanes all() { return {{{{true, true}, {true, true}, {true, true}}}}; }
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
/// The value stored at `from`, where points handled at once may start at any address; `load` may
/// require a multiple of their number, which a level's own points have.
template <class Real>
DNS_HD Real load_unaligned(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
/// The value stored at `from`, next to what is loaded anyway or in a small array: no need to
/// prefetch.
template <class Real>
DNS_HD Real load_nearby(const Real* from, Index3 /*at*/) {
  return read_only(from);
}
template <class Real>
DNS_HD void store(Real* to, Real value, Index3 /*at*/) {
  *to = value;
}

}  // namespace dns

template <class T, int things>  // clang 14 would take `count` for std::count
struct std::tuple_size<dns::Numbered<T, things>> : std::integral_constant<std::size_t, things> {};
template <std::size_t n, class T, int things>
struct std::tuple_element<n, dns::Numbered<T, things>> : std::type_identity<T> {};
