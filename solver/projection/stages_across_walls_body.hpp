/// The bodies of advance_stage_across_walls.
#pragma once

#include <cstddef>
#include <type_traits>

#include "solver/numerics/stage_march_across_walls.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/stages_across_walls.hpp"

namespace dns {

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

/// The terms with an order that is known when it is compiled.
template <class Order, class Real>
[[nodiscard]] TermsAcrossWalls<Real, Order> of_order(
    Order order, const TermsAcrossWalls<Real, AnyOrder<Real>>& any) {
  return {{any.sides.velocity,
           any.sides.metrics,
           {order, {}, order},
           {any.sides.diffusion[0], any.sides.diffusion[1], any.sides.diffusion[2]}},
          any.rows};
}

/// Fewer cells across the walls have too few rows of the inside to march through.
inline constexpr int fewest_cells_of_march = 16;
/// Cells beside each wall whose rows are of their own: those that RowsAcrossWalls::is_inside
/// leaves.
inline constexpr int cells_beside_walls = 5;

/// Marches through the inside, and goes point by point beside the walls.
template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const typename Backend::Real* second,
    const StageAcrossWalls<typename Backend::Real, AnyOrder<typename Backend::Real>>& equation) {
  using Real = typename Backend::Real;
  const int n = layout.points.ny;
  with_order_of_sides(orders_of(grid), [&]<class Order>(Order order) {
    if constexpr (std::is_same_v<Order, std::nullptr_t>) {
      backend.for_each(layout.all_points(), equation);
    } else {
      StageAcrossWalls<Real, Order> fixed{.terms = of_order(order, equation.terms),
                                          .weights = equation.weights,
                                          .implicit = equation.implicit,
                                          .force = equation.force,
                                          .result = equation.result,
                                          .pressure = equation.pressure,
                                          .temperature = equation.temperature,
                                          .buoyancy = {},
                                          .uniform = {}};
      for (int axis = 0; axis < 3; ++axis) {
        fixed.buoyancy[axis] = equation.buoyancy[axis];
        fixed.uniform[axis] = equation.uniform[axis];
      }
      if (n < fewest_cells_of_march) return backend.for_each(layout.all_points(), fixed);
      constexpr int p = 2 * Order::pairs();
      StageMarchAcrossWalls<Real, p, p> march{fixed, {}, {}, second};
      for (int axis = 0; axis < 3; ++axis) {
        const double scale = axis == 1 ? 1 : grid[axis].cells() / grid[axis].length();
        march.advection[axis] = static_cast<Real>(-0.5 * scale);
        march.diffusion[axis] =
            static_cast<Real>(scale * double{equation.terms.sides.diffusion[axis]});
      }
      backend.march_planes(layout.points, march);
      Box beside = layout.all_points();
      beside.end.j = cells_beside_walls;
      backend.for_each(beside, fixed);
      beside.begin.j = n - cells_beside_walls;
      beside.end.j = n;
      backend.for_each(beside, fixed);
    }
  });
}

template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const ScalarStageAcrossWalls<typename Backend::Real, AnyOrder<typename Backend::Real>>&
        equation) {
  using Real = typename Backend::Real;
  with_order_of_sides(orders_of(grid), [&]<class Order>(Order order) {
    if constexpr (std::is_same_v<Order, std::nullptr_t>) {
      backend.for_each(layout.all_points(), equation);
    } else {
      backend.for_each(layout.all_points(),
                       ScalarStageAcrossWalls<Real, Order>{.terms = of_order(order, equation.terms),
                                                           .weights = equation.weights,
                                                           .implicit = equation.implicit,
                                                           .q = equation.q,
                                                           .force = equation.force,
                                                           .result = equation.result});
    }
  });
}

}  // namespace dns
