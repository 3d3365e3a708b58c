/// The bodies of advance_stage_across_walls.
#pragma once

#include <cstddef>
#include <type_traits>

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

template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredLayout& layout,
    const PerAxis<int>& orders,
    const StageAcrossWalls<typename Backend::Real, AnyOrder<typename Backend::Real>>& equation) {
  using Real = typename Backend::Real;
  with_order_of_sides(orders, [&]<class Order>(Order order) {
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
      backend.for_each(layout.all_points(), fixed);
    }
  });
}

template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredLayout& layout,
    const PerAxis<int>& orders,
    const ScalarStageAcrossWalls<typename Backend::Real, AnyOrder<typename Backend::Real>>&
        equation) {
  using Real = typename Backend::Real;
  with_order_of_sides(orders, [&]<class Order>(Order order) {
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
