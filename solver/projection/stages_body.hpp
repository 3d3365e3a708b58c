/// The bodies of advance_stage and diffuse.
#pragma once

#include <type_traits>

#include "solver/numerics/stage_march.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/factor_sweeps.hpp"
#include "solver/projection/stages.hpp"

namespace dns {

/// The terms, and the equation, with orders that are known when it is compiled.
template <class Orders, class Real>
[[nodiscard]] SkewTerms<Real, Orders> of_fixed_orders(const Orders& orders,
                                                      const SkewTerms<Real, AnyOrders<Real>>& any) {
  return {
      any.velocity, any.metrics, orders, {any.diffusion[0], any.diffusion[1], any.diffusion[2]}};
}
template <class Real, class Axes>
[[nodiscard]] ImplicitDiffusion<Real, Axes> of_axes(const Axes& axes,
                                                    const ImplicitDiffusion<Real>& any) {
  return {any.coefficients, axes, any.weight};
}
template <class Orders, class Axes, class Real>
[[nodiscard]] StageEquation<Real, Orders, Axes> of_fixed_orders(
    const Orders& orders, const Axes& axes, const StageEquation<Real, AnyOrders<Real>>& equation) {
  StageEquation<Real, Orders, Axes> fixed{.terms = of_fixed_orders(orders, equation.terms),
                                          .implicit = of_axes(axes, equation.implicit),
                                          .weights = equation.weights,
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
  return fixed;
}

template <int x, int y, int z, class Real>
[[nodiscard]] StageMarch<Real, x, y, z> march_of(
    FixedOrders<x, y, z> orders,
    const StaggeredGrid& grid,
    const StageEquation<Real, AnyOrders<Real>>& equation) {
  const ImplicitAxes<FixedOrders<x, y, z>> axes{equation.implicit.is_implicit.chosen};
  StageMarch<Real, x, y, z> march{of_fixed_orders(orders, axes, equation), {}, {}};
  for_each_axis([&]<Axis axis>() {
    const bool is_high = StageMarch<Real, x, y, z>::template order<axis>() > 2;
    const double scale = is_high ? grid[axis].cells() / grid[axis].length() : 1;
    march.advection[axis] = static_cast<Real>(-0.5 * scale);
    march.diffusion[axis] = static_cast<Real>(scale * double{equation.terms.diffusion[axis]});
  });
  return march;
}

/// Marches where an order above 2 is that of all axes, or of all but y or z. Order 2 along all axes
/// is as fast point by point; other orders are rare.
template <class Backend>
void advance_stage(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const StageEquation<typename Backend::Real, AnyOrders<typename Backend::Real>>& equation) {
  using Real = typename Backend::Real;
  with_orders<Real>(grid, [&]<class Orders>(const Orders& orders) {
    if constexpr (std::is_same_v<Orders, AnyOrders<Real>>) {
      backend.for_each(layout.all_points(), equation);
    } else if constexpr (std::is_same_v<Orders, SecondOrder>) {
      with_axes_among(equation.implicit.is_implicit.chosen, [&](const auto& axes) {
        backend.for_each(layout.all_points(), of_fixed_orders(orders, axes, equation));
      });
    } else {
      backend.march_planes(layout.points, march_of(orders, grid, equation));
    }
  });
}

template <class Backend>
void advance_stage(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const StageOfScalar<typename Backend::Real, AnyOrders<typename Backend::Real>>& equation) {
  using Real = typename Backend::Real;
  with_orders<Real>(grid, [&]<class Orders>(const Orders& orders) {
    const auto advance = [&]<class Axes>(const Axes& axes) {
      backend.for_each(
          layout.all_points(),
          StageOfScalar<Real, Orders, Axes>{.terms = of_fixed_orders(orders, equation.terms),
                                            .implicit = of_axes(axes, equation.implicit),
                                            .weights = equation.weights,
                                            .q = equation.q,
                                            .force = equation.force,
                                            .result = equation.result});
    };
    const PerAxis<bool>& implicit = equation.implicit.is_implicit.chosen;
    if constexpr (std::is_same_v<Orders, SecondOrder>) {
      with_axes_among(implicit, advance);
    } else {
      advance(ImplicitAxes<Orders>{implicit});
    }
  });
}

template <class Backend>
template <Axis axis>
void FactorSweeps<Backend>::diffuse_along(const Box& box,
                                          int variable,
                                          const SweepCoefficients<Real>& step,
                                          const std::optional<SolidsInStep<Real>>& solids,
                                          const auto& sink) {
  constexpr int a = velocity_along(axis);
  const AxisCoefficients<Real>& unknowns = variable == a ? step.faces[a] : step.centres[a];
  const FieldView<Real> solution = fields_->next_of(variable);
  const auto of_fluid = [&](const Box& lines_without) {
    with_kinds<axis>([&]<bool is_cyclic, bool is_uniform>() {
      backend_->template sweep<axis>(
          lines_without,
          DiffusionRows<axis, Real, is_cyclic, is_uniform>{
              lines<axis, is_cyclic, is_uniform>(variable, step), unknowns, solution},
          sink);
    });
  };
  if (!solids) return of_fluid(box);
  const auto at_solids = [&](const Box& near) {
    const auto solve = [&]<bool is_cyclic>() {
      using Rows = DiffusionRows<axis, Real, is_cyclic, false>;
      backend_->template sweep<axis>(
          near,
          RowsAtSolids<axis, Rows, Real>{
              {lines<axis, is_cyclic, false>(variable, step), unknowns, solution},
              solids->view,
              has_uniform_cells<axis>()},
          sink);
    };
    fields_->part.is_periodic(axis) ? solve.template operator()<true>()
                                    : solve.template operator()<false>();
  };
  in_pieces<axis>(box, *solids, at_solids, of_fluid);
}

template <class Backend>
void FactorSweeps<Backend>::diffuse(int variable,
                                    const SweepCoefficients<Real>& step,
                                    const std::optional<SolidsInStep<Real>>& solids) {
  const Box box = unknowns(variable);
  if (box.extents().count() == 0) return;
  int last = 0;
  while (!is_implicit(last)) ++last;
  const FieldView<Real> next = fields_->next_of(variable);
  const auto solve = [&]<Axis axis>() {
    if (!is_implicit(velocity_along(axis))) return;
    backend_->enter(phase::of_sweep(axis));
    if (axis == static_cast<Axis>(last)) {
      diffuse_along<axis>(
          box, variable, step, solids, AddToFlow<Real>{fields_->now_of(variable), next});
    } else {
      diffuse_along<axis>(box, variable, step, solids, StoreSolution<Real>{next});
    }
  };
  solve.template operator()<Axis::z>();
  solve.template operator()<Axis::y>();
  solve.template operator()<Axis::x>();
}

}  // namespace dns
