/// The rows of the operators of order_across_walls.hpp in memory of the device, as the order of an
/// axis in AxisOrders, and differences and means along any axis of a box.
#pragma once

#include <type_traits>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/order_across_walls.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

/// Rows of the operators in memory of the device, row_width weights each.
enum class RowAcrossWalls {
  difference_at_cell,  // B
  mean_at_cell,        // J
  adjoint_at_cell,     // I^T
  difference_at_face,  // - B^T
  mean_at_face,        // I
  adjoint_at_face,     // J^T
  carry_at_face,       // J*
};
inline constexpr int kinds_of_rows_across_walls = 7;

/// The order of an axis in AxisOrders: rows that depend on the place along it.
template <class Real>
struct RowsAcrossWalls {
  using Kind = RowAcrossWalls;
  static constexpr int row_width = MatricesAcrossWalls::row_width;

  const Real* weights = nullptr;  // by kind, row and place in the row; (cells + 1) rows each
  const Real* inverse_cell_volume = nullptr;  // 1/wc, 1/wf [1/L]
  const Real* inverse_face_volume = nullptr;
  int cells = 0;

  [[nodiscard]] static DNS_HD constexpr bool is_at_face(Kind kind) {
    return kind >= Kind::difference_at_face;
  }
  /// Steps from the point of a row to its first value.
  template <Kind kind>
  [[nodiscard]] DNS_HD int first(int index) const {
    return (is_at_face(kind) ? MatricesAcrossWalls::first_cell(index, cells)
                             : MatricesAcrossWalls::first_face(index, cells)) -
           index;
  }
  template <Kind kind>
  [[nodiscard]] DNS_HD const Real* row(int index) const {
    return weights + (static_cast<int>(kind) * (cells + 1) + index) * row_width;
  }
  /// Whether the row has the weights of the inside, and those of all operators at its points.
  template <bool at_face>
  [[nodiscard]] DNS_HD bool is_inside(int index) const {
    return index >= 5 && index <= cells - (at_face ? 5 : 6);
  }
  /// A row applied to at(steps), the value so many steps from its point. Number: of the weights.
  template <Kind kind, class Number = Real, class At>
  [[nodiscard]] DNS_HD auto applied(int index, const At& at) const {
    const int first_step = first<kind>(index);
    const Real* const weight = row<kind>(index);
    auto sum = static_cast<Number>(read_only(weight)) * at(first_step);
    DNS_UNROLLED
    for (int m = 1; m < row_width; ++m)
      sum += static_cast<Number>(read_only(weight + m)) * at(first_step + m);
    return sum;
  }
  /// B q at a cell, wf G q at a face. Beyond an end the points have the ghost that makes the mean
  /// of it and the first value inside that on the wall.
  template <bool at_face, class Number = Real, class At>
  [[nodiscard]] DNS_HD auto difference(int index, const At& at) const {
    constexpr Kind kind = at_face ? Kind::difference_at_face : Kind::difference_at_cell;
    auto sum = applied<kind, Number>(index, at);
    if (at_face && index == 0) sum -= on_wall<Number>(at);
    if (at_face && index == cells) sum += on_wall<Number>(at);
    return sum;
  }
  /// I q or J q; on an end the value there.
  template <bool at_face, class Number = Real, class At>
  [[nodiscard]] DNS_HD auto mean(int index, const At& at) const {
    constexpr Kind kind = at_face ? Kind::mean_at_face : Kind::mean_at_cell;
    auto sum = applied<kind, Number>(index, at);
    if (at_face && (index == 0 || index == cells)) sum = on_wall<Number>(at);
    return sum;
  }
  /// 1/wc or 1/wf [1/L].
  template <bool at_face>
  [[nodiscard]] DNS_HD Real inverse_volume(int index) const {
    return read_only((at_face ? inverse_face_volume : inverse_cell_volume) + index);
  }

 private:
  template <class Number, class At>
  [[nodiscard]] static DNS_HD auto on_wall(const At& at) {
    return Number(0.5) * (at(-1) + at(0));
  }
};

/// Whether an order of AxisOrders is RowsAcrossWalls.
template <class Order>
inline constexpr bool is_across_walls = false;
template <class Real>
inline constexpr bool is_across_walls<RowsAcrossWalls<Real>> = true;

/// The orders of a box with rows across walls along y.
template <class Real, class X = AnyOrder<Real>, class Z = X>
using OrdersAcrossWalls = AxisOrders<X, RowsAcrossWalls<Real>, Z>;

/// I q at a point half-way between those of q: a face (on_face) or a centre along `axis`. at(n): q
/// at index i + n. Number: of the weights.
template <class Number, Axis axis, bool on_face, class Orders, class Point, class At>
[[nodiscard]] DNS_HD auto mean_along(const Orders& orders, const Point& c, const At& at) {
  const auto& order = orders.template along<axis>();
  if constexpr (is_across_walls<std::remove_cvref_t<decltype(order)>>) {
    return order.template mean<on_face, Number>(along<axis>(c), at);
  } else {
    return mean_of<Number, on_face>(order, at);
  }
}

}  // namespace dns
