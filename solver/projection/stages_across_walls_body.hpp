/// The bodies of advance_stage_across_walls.
#pragma once

#include <cstddef>
#include <type_traits>

#include "solver/numerics/stage_march_across_walls.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/stages_across_walls.hpp"

namespace dns {

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

/// A kernel at the points beside both walls: those of the first rows, then those of the last ones.
template <class Kernel>
struct BesideBothWalls {
  Kernel kernel;
  int inside;  // rows that are beside none

  template <class Point>
  DNS_HD void operator()(Point point) const {
    if (point.j >= cells_beside_walls) point.j += inside;
    kernel(point);
  }
};

/// Marches through the inside, and goes point by point beside the walls.
template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
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
      StageMarchAcrossWalls<Real, p, p> march{fixed, {}, {}};
      for (int axis = 0; axis < 3; ++axis) {
        const double scale = axis == 1 ? 1 : grid[axis].cells() / grid[axis].length();
        march.advection[axis] = static_cast<Real>(-0.5 * scale);
        march.diffusion[axis] =
            static_cast<Real>(scale * double{equation.terms.sides.diffusion[axis]});
      }
      Box beside = layout.all_points();
      beside.end.j = 2 * cells_beside_walls;
      const BesideBothWalls<StageAcrossWalls<Real, Order>> at_walls{fixed, n - beside.end.j};
      backend.template side_by_side<Axis::y>(2, [&](int part) {
        if (part == 0) backend.for_each(beside, at_walls);  // few points: before what fills a GPU
        if (part == 1) backend.march_planes(layout.points, march);
      });
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
