/// Non-owning views of fields: what formulas read and write.
#pragma once

#include <cstddef>
#include <type_traits>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// u, v, w, T, in the order of their numbers.
inline constexpr int variables_per_level = 4;

/// One value of each variable.
template <class Value>
struct NodeValues {
  Value values[variables_per_level];

  DNS_HD Value& operator[](int variable) { return values[variable]; }
  DNS_HD const Value& operator[](int variable) const { return values[variable]; }
};

/// One field by itself: node (0, 0, 0) is where `origin` points; strides in words.
template <class Real>
struct StridedField {
  Real* origin = nullptr;
  int stride_x = 1, stride_y = 0, stride_z = 0;  // a plane has less than 2^31 words

  [[nodiscard]] DNS_HD Real* address(Index3 c) const {
    return origin +
           (static_cast<std::ptrdiff_t>(stride_z) * c.k + (stride_y * c.j + stride_x * c.i));
  }
  [[nodiscard]] StridedField<const Real> as_const() const {
    return {origin, stride_x, stride_y, stride_z};
  }
};

/// The values of all variables at a node, `interleave_width` of them side by side; address(group)
/// is where a group of them starts.
template <int interleave_width, CacheHint hint = CacheHint::none, class AddressOf>
[[nodiscard]] DNS_HD auto load_groups(const AddressOf& address) {
  using Number = std::remove_cvref_t<decltype(*address(0))>;
  NodeValues<Number> values;
  for (int group = 0; group < variables_per_level / interleave_width; ++group) {
    const auto side_by_side = load_aligned<interleave_width, hint, Number>(address(group));
    for (int n = 0; n < interleave_width; ++n)
      values[group * interleave_width + n] = side_by_side[n];
  }
  return values;
}
template <int interleave_width, class AddressOf, class Value>
DNS_HD void store_groups(const AddressOf& address, const NodeValues<Value>& values) {
  for (int group = 0; group < variables_per_level / interleave_width; ++group) {
    SideBySide<Value, interleave_width> side_by_side;
    for (int n = 0; n < interleave_width; ++n)
      side_by_side[n] = values[group * interleave_width + n];
    store_aligned(address(group), side_by_side);
  }
}

/// u, v, w, T at the same nodes, x the fastest. The values of `interleave_width` variables at a
/// node lie side by side: a thread of a GPU loads them in one access; for a CPU, whose vectors run
/// along x, every field lies by itself (1). Ghost nodes of periodic axes have the indices -1 and n.
template <class Real, int interleave_width = 1>
struct LevelView {
  static_assert(variables_per_level % interleave_width == 0);
  static constexpr int groups = variables_per_level / interleave_width;
  using Number = std::remove_const_t<Real>;

  Real* origin[groups] = {};       // node (0, 0, 0) of each group of variables
  int stride_y = 0, stride_z = 0;  // words; a plane has less than 2^31 bytes, a group may have more

  template <Axis axis>
  [[nodiscard]] DNS_HD int stride() const {
    if constexpr (axis == Axis::x) return interleave_width;
    if constexpr (axis == Axis::y) return stride_y;
    if constexpr (axis == Axis::z) return stride_z;
  }

  [[nodiscard]] DNS_HD Real* address(int variable, Index3 c) const {
    return origin[variable / interleave_width] +
           (static_cast<std::ptrdiff_t>(stride_z) * c.k +
            (stride_y * c.j + interleave_width * c.i)) +
           variable % interleave_width;
  }
  [[nodiscard]] StridedField<Real> field(int variable) const {
    return {address(variable, {}), interleave_width, stride_y, stride_z};
  }

  /// The value of a variable at point c (a pack of values for a pack of points).
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(int variable, Point c) const {
    static_assert(interleave_width == 1 || std::is_same_v<Point, Index3>);
    return load(address(variable, c), c);
  }
  /// The values of all variables at point c.
  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(Point c) const {
    return beside<Axis::y>(c, 0);  // an axis along which packs stay where they start
  }
  /// The values of all variables at the point `steps` further along `axis`.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto beside(Point c, int steps) const {
    const int offset = steps * stride<axis>();
    if constexpr (interleave_width == 1) {
      NodeValues<decltype((*this)(0, c))> values;
      for (int variable = 0; variable < variables_per_level; ++variable) {
        const Real* from = address(variable, c) + offset;
        values[variable] = axis == Axis::x ? load_unaligned(from, c) : load(from, c);
      }
      return values;
    } else {
      return load_groups<interleave_width>(
          [&](int group) { return address(group * interleave_width, c) + offset; });
    }
  }

  template <class Point, class Value>
  DNS_HD void set(int variable, Point c, Value value) const {
    store(address(variable, c), value, c);
  }
  template <class Point, class Value>
  DNS_HD void set(Point c, const NodeValues<Value>& values) const {
    if constexpr (interleave_width == 1) {
      for (int variable = 0; variable < variables_per_level; ++variable) {
        set(variable, c, values[variable]);
      }
    } else {
      store_groups<interleave_width>(
          [&](int group) { return address(group * interleave_width, c); }, values);
    }
  }

  [[nodiscard]] DNS_HD LevelView<const Real, interleave_width> as_const() const {
    LevelView<const Real, interleave_width> view;
    for (int group = 0; group < groups; ++group) view.origin[group] = origin[group];
    view.stride_y = stride_y;
    view.stride_z = stride_z;
    return view;
  }
};

/// The nodes of a level along one grid line, by their number of steps from the node `first`: a
/// thread of a GPU computes each address from there in one operation.
template <Axis axis, class Real, int interleave_width>
class LevelLine {
 public:
  using Number = std::remove_const_t<Real>;

  DNS_HD LevelLine(const LevelView<Real, interleave_width>& level, Index3 first)
      : step_bytes_(level.template stride<axis>() * bytes_per<Real>) {
    for (int group = 0; group < groups; ++group) {
      first_[group] = anchored(level.address(group * interleave_width, first));
    }
  }

  [[nodiscard]] DNS_HD Real* address(int variable, int steps) const {
    const std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(steps) * step_bytes_;
    return reinterpret_cast<Real*>(reinterpret_cast<Bytes*>(first_[variable / interleave_width]) +
                                   bytes) +
           variable % interleave_width;
  }
  /// The values of all variables.
  template <CacheHint hint = CacheHint::none>
  [[nodiscard]] DNS_HD NodeValues<Number> values(int steps) const {
    return load_groups<interleave_width, hint>(
        [&](int group) { return address(group * interleave_width, steps); });
  }
  DNS_HD void set(int steps, const NodeValues<Number>& values) const {
    store_groups<interleave_width>(
        [&](int group) { return address(group * interleave_width, steps); }, values);
  }

 private:
  static constexpr int groups = LevelView<Real, interleave_width>::groups;
  using Bytes = std::conditional_t<std::is_const_v<Real>, const std::byte, std::byte>;

  Real* first_[groups];
  int step_bytes_;
};

/// Values given on one face of the box, addressed by any point of the grid: the index along the
/// face's normal is ignored.
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
