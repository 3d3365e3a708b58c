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
  template <class Point, class Value>
  DNS_HD void set(Point c, Value value) const {
    store(address(c), value, c);
  }
  [[nodiscard]] DNS_HD FieldView<const Real> as_const() const {
    return {origin, stride_y, stride_z};
  }
};

}  // namespace dns
