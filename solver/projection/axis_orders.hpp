/// The orders of differences along the axes of a grid.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "solver/core/index.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/rows_across_walls.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

[[nodiscard]] inline PerAxis<int> orders_of(const StaggeredGrid& grid) {
  return {grid[0].order, grid[1].order, grid[2].order};
}

/// The orders that fields have ghost points for.
[[nodiscard]] inline PerAxis<int> orders_of_layout(const StaggeredGrid& grid) {
  PerAxis<int> orders = orders_of(grid);
  if (grid[1].across_walls) orders[1] = 4;
  return orders;
}

template <class Real>
[[nodiscard]] AnyOrders<Real> any_orders(const StaggeredGrid& grid) {
  return {
      AnyOrder<Real>(grid[0].order), AnyOrder<Real>(grid[1].order), AnyOrder<Real>(grid[2].order)};
}

/// function(orders) with SecondOrder where all axes have that, with rows across walls where there
/// are any, else with AnyOrders: for kernels whose speed at higher orders matters little.
template <class Real, class Function>
auto with_second_or_any_orders(const StaggeredGrid& grid,
                               const RowsAcrossWalls<Real>& rows,
                               const Function& function) {
  if (rows.weights != nullptr) {
    const AnyOrders<Real> sides = any_orders<Real>(grid);
    return function(OrdersAcrossWalls<Real>{sides.x, rows, sides.z});
  }
  const bool is_second_order = orders_of(grid) == PerAxis<int>{2, 2, 2};
  return is_second_order ? function(SecondOrder{}) : function(any_orders<Real>(grid));
}

/// Calls function(order) with a FixedOrder where x and z have the same, else with null.
template <class Function>
void with_order_of_sides(const PerAxis<int>& orders, const Function& function) {
  const auto is_called_with = [&]<int order>() {
    if (orders[0] != order || orders[2] != order) return false;
    function(FixedOrder<order>{});
    return true;
  };
  if (!is_called_with.template operator()<2>() && !is_called_with.template operator()<4>() &&
      !is_called_with.template operator()<6>() && !is_called_with.template operator()<8>())
    function(nullptr);
}

/// Calls function(orders) with OrdersAcrossWalls, of FixedOrder where x and z have the same.
template <class Real, class Function>
void with_orders_across_walls(const StaggeredGrid& grid,
                              const RowsAcrossWalls<Real>& rows,
                              const Function& function) {
  with_order_of_sides(orders_of(grid), [&]<class Order>(Order order) {
    if constexpr (std::is_same_v<Order, std::nullptr_t>) {
      const AnyOrders<Real> sides = any_orders<Real>(grid);
      function(OrdersAcrossWalls<Real>{sides.x, rows, sides.z});
    } else {
      function(OrdersAcrossWalls<Real, Order>{order, rows, order});
    }
  });
}

/// Calls function(orders) with FixedOrders where an order is that of all axes, or of all but y or
/// z, which are of order 2; else with AnyOrders.
template <class Real, class Function>
void with_orders(const StaggeredGrid& grid, const Function& function) {
  const auto is_called_with = [&]<int x, int y, int z>() {
    if (orders_of(grid) != PerAxis<int>{x, y, z}) return false;
    function(FixedOrders<x, y, z>{});
    return true;
  };
  const auto is_called_with_order = [&]<int order>() {
    return is_called_with.template operator()<order, order, order>() ||
           is_called_with.template operator()<order, 2, order>() ||
           is_called_with.template operator()<order, order, 2>();
  };
  if (!is_called_with.template operator()<2, 2, 2>() &&
      !is_called_with_order.template operator()<4>() &&
      !is_called_with_order.template operator()<6>() &&
      !is_called_with_order.template operator()<8>()) {
    function(any_orders<Real>(grid));
  }
}

}  // namespace dns
