/// The orders of differences along the axes of a grid.
#pragma once

#include <algorithm>
#include <array>

#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {

[[nodiscard]] inline std::array<int, 3> orders_of(const StaggeredGrid& grid) {
  return {grid[0].order, grid[1].order, grid[2].order};
}

template <class Real>
[[nodiscard]] AnyOrders<Real> any_orders(const StaggeredGrid& grid) {
  return {
      AnyOrder<Real>(grid[0].order), AnyOrder<Real>(grid[1].order), AnyOrder<Real>(grid[2].order)};
}

/// Calls function(orders) with SecondOrder where all axes have that, else with AnyOrders.
template <class Real, class Function>
auto with_orders(const StaggeredGrid& grid, const Function& function) {
  const bool is_second_order =
      std::ranges::all_of(grid, [](const StaggeredAxis& axis) { return axis.order == 2; });
  return is_second_order ? function(SecondOrder{}) : function(any_orders<Real>(grid));
}

}  // namespace dns
