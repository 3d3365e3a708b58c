/// A non-owning view of one field.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// A point and its offset in all fields of one layout, computed once for all of them. Point: Index3
/// or a type derived from it.
template <class Point>
struct Spot : Point {
  std::ptrdiff_t offset;
  std::ptrdiff_t stride_y, stride_z;

  template <Axis axis>
  [[nodiscard]] DNS_HD std::ptrdiff_t stride() const {
    if constexpr (axis == Axis::x) return 1;
    if constexpr (axis == Axis::y) return stride_y;
    if constexpr (axis == Axis::z) return stride_z;
  }
  /// The spot `steps` points further along `axis`.
  template <Axis axis>
  [[nodiscard]] DNS_HD Spot moved(int steps) const {
    Spot there = placed<axis>(*this, along<axis>(*this) + steps);
    there.offset += steps * stride<axis>();
    return there;
  }
};

/// Values at the points of a box, x contiguous. Point (0, 0, 0) is where `origin` points; ghost
/// points have the indices -1 and n.
template <class Real>
struct FieldView {
  Real* origin = nullptr;
  int stride_y = 0, stride_z = 0;  // a plane has less than 2^31 points, a field may have more

  template <class Point>
  [[nodiscard]] DNS_HD Spot<Point> spot(Point c) const {
    return {c, offset(c), stride_y, stride_z};
  }
  [[nodiscard]] DNS_HD Real* address(Index3 c) const { return origin + offset(c); }

  /// The value at point c (a pack of values for a pack of points).
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(Point c) const {
    return load(address(c), c);
  }
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(const Spot<Point>& c) const {
    return load(origin + c.offset, static_cast<const Point&>(c));
  }
  /// The value `steps` points further along `axis`.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto beside(const Spot<Point>& c, int steps) const {
    return load_beside<axis == Axis::x>(origin + (c.offset + steps * c.template stride<axis>()),
                                        static_cast<const Point&>(c));
  }
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto beside(Point c, int steps) const {
    return beside<axis>(spot(c), steps);
  }
  /// The value further along two axes.
  template <Axis axis, Axis second, class Point>
  [[nodiscard]] DNS_HD auto beside(const Spot<Point>& c, int steps, int second_steps) const {
    constexpr bool is_shifted_along_x = axis == Axis::x || second == Axis::x;
    const std::ptrdiff_t shift =
        steps * c.template stride<axis>() + second_steps * c.template stride<second>();
    return load_beside<is_shifted_along_x>(origin + (c.offset + shift),
                                           static_cast<const Point&>(c));
  }
  template <class Point, class Value>
  DNS_HD void set(Point c, Value value) const {
    store(address(c), value, c);
  }
  template <class Point, class Value>
  DNS_HD void set(const Spot<Point>& c, Value value) const {
    store(origin + c.offset, value, static_cast<const Point&>(c));
  }
  [[nodiscard]] DNS_HD FieldView<const Real> as_const() const {
    return {origin, stride_y, stride_z};
  }

 private:
  [[nodiscard]] DNS_HD std::ptrdiff_t offset(Index3 c) const {
    return static_cast<std::ptrdiff_t>(stride_z) * c.k + (stride_y * c.j + c.i);
  }
  template <bool is_shifted_along_x, class Point>
  [[nodiscard]] DNS_HD static auto load_beside(const Real* from, Point c) {
    if constexpr (is_shifted_along_x) return load_nearby(from, c);
    if constexpr (!is_shifted_along_x) return load(from, c);
  }
};

}  // namespace dns
