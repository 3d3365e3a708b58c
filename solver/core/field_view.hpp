/// A non-owning view of one field.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Values at the points of a box, x contiguous. Point (0, 0, 0) is where `origin` points; ghost
/// points have the indices -1 and n.
template <class Real>
struct FieldView {
  Real* origin = nullptr;
  int stride_y = 0, stride_z = 0;  // a plane has less than 2^31 points, a field may have more

  template <Axis axis>
  [[nodiscard]] DNS_HD int stride() const {
    if constexpr (axis == Axis::x) return 1;
    if constexpr (axis == Axis::y) return stride_y;
    if constexpr (axis == Axis::z) return stride_z;
  }
  [[nodiscard]] DNS_HD Real* address(Index3 c) const {
    return origin + (static_cast<std::ptrdiff_t>(stride_z) * c.k + (stride_y * c.j + c.i));
  }
  /// The value at point c (a pack of values for a pack of points).
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(Point c) const {
    return load(address(c), c);
  }
  /// The value `steps` points further along `axis`.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto beside(Point c, int steps) const {
    return load_beside<axis == Axis::x>(address(c) + steps * stride<axis>(), c);
  }
  /// The value further along two axes.
  template <Axis axis, Axis second, class Point>
  [[nodiscard]] DNS_HD auto beside(Point c, int steps, int second_steps) const {
    return load_beside<axis == Axis::x || second == Axis::x>(
        address(c) + (steps * stride<axis>() + second_steps * stride<second>()), c);
  }
  template <class Point, class Value>
  DNS_HD void set(Point c, Value value) const {
    store(address(c), value, c);
  }
  [[nodiscard]] DNS_HD FieldView<const Real> as_const() const {
    return {origin, stride_y, stride_z};
  }

 private:
  template <bool is_shifted_along_x, class Point>
  [[nodiscard]] DNS_HD static auto load_beside(const Real* from, Point c) {
    if constexpr (is_shifted_along_x) return load_unaligned(from, c);
    if constexpr (!is_shifted_along_x) return load(from, c);
  }
};

}  // namespace dns
