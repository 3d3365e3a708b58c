/// Non-owning views of fields: what formulas read and write.
#pragma once

#include <cstddef>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// The variables of a layer, in the order of its fields; a velocity component has the number of
/// its axis.
inline constexpr int variables_per_layer = 4;
inline constexpr int temperature_variable = 3;

[[nodiscard]] constexpr int velocity_along(Axis axis) {
  return static_cast<int>(axis);
}

/// One value of each variable.
template <class Value>
struct LayerValues {
  Value values[variables_per_layer];

  DNS_HD Value& operator[](int variable) { return values[variable]; }
  DNS_HD const Value& operator[](int variable) const { return values[variable]; }
};

/// u, v, w, T at the same nodes: four fields with the same strides, x contiguous. Node (0, 0, 0)
/// is where `origin` points; ghost nodes of periodic axes have the indices -1 and n.
template <class Real>
struct LayerView {
  Real* origin[variables_per_layer] = {};
  int stride_y = 0, stride_z = 0;  // a plane has less than 2^31 nodes, a field may have more

  template <Axis axis>
  [[nodiscard]] DNS_HD int stride() const {
    if constexpr (axis == Axis::x) return 1;
    if constexpr (axis == Axis::y) return stride_y;
    if constexpr (axis == Axis::z) return stride_z;
  }

  [[nodiscard]] DNS_HD Real* address(int variable, Index3 c) const {
    return origin[variable] +
           (static_cast<std::ptrdiff_t>(stride_z) * c.k + (stride_y * c.j + c.i));
  }

  /// The value of a variable at point c (a pack of values for a pack of points).
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(int variable, Point c) const {
    return load(address(variable, c), c);
  }

  template <class Point, class Value>
  DNS_HD void set(int variable, Point c, Value value) const {
    store(address(variable, c), value, c);
  }

  [[nodiscard]] DNS_HD LayerView<const Real> as_const() const {
    LayerView<const Real> view;
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      view.origin[variable] = origin[variable];
    }
    view.stride_y = stride_y;
    view.stride_z = stride_z;
    return view;
  }
};

/// Values given on one face of the box, addressed by any point of the grid: the component along
/// the face's normal does not count.
template <class Real>
struct FaceView {
  Real* values = nullptr;
  int stride_x = 0, stride_y = 0, stride_z = 0;

  [[nodiscard]] DNS_HD Real* address(Index3 c) const {
    return values + (stride_x * c.i + stride_y * c.j + stride_z * c.k);
  }
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(Point c) const {
    return load_unaligned(address(c), c);
  }
  template <class Point, class Value>
  DNS_HD void set(Point c, Value value) const {
    store(address(c), value, c);
  }
  [[nodiscard]] DNS_HD FaceView<const Real> as_const() const {
    return {values, stride_x, stride_y, stride_z};
  }
};

/// A face view of values stored with the first transverse axis contiguous.
template <class Real>
[[nodiscard]] FaceView<Real> face_view(Real* values, Axis normal, Extents points) {
  if (normal == Axis::x) return {values, 0, 1, points.ny};
  if (normal == Axis::y) return {values, 1, 0, points.nx};
  return {values, 1, points.nx, 0};
}

}  // namespace dns
