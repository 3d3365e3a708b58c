/// The grid and the fields of scheme `projection` on its device.
#pragma once

#include <array>
#include <optional>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "solver/projection/row_arrays.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// What the time schemes advance, and where: data, below everything that computes with it.
template <class Backend>
struct ProjectionFields {
  using Real = typename Backend::Real;

  /// `device` and the case outlive it.
  ProjectionFields(Backend& device, const Case& of, const Subdomain& of_rank)
      : backend(&device),
        resolved(of),
        grid(staggered_grid(of)),
        part(of_rank),
        layout(part.points(), orders_of_layout(grid)),
        metrics(device, grid, part),
        now(device, layout),
        before(device, layout),
        next(device, layout),
        pressure(device, layout),
        phi(device, layout),
        scalars{{{device, layout, of.scalar_count()}, {device, layout, of.scalar_count()}}} {
    if (grid[1].across_walls) rows.emplace(device, *grid[1].across_walls);
  }
  ProjectionFields(const ProjectionFields&) = delete;
  ProjectionFields& operator=(const ProjectionFields&) = delete;

  /// q^n and q^(n+1) of a velocity component or a scalar.
  [[nodiscard]] FieldView<const Real> now_of(int variable) const {
    return is_velocity(variable) ? now[variable].view_const()
                                 : scalars[0][variable - first_scalar].as_const();
  }
  [[nodiscard]] FieldView<Real> next_of(int variable) const {
    return is_velocity(variable) ? next[variable].view() : scalars[1][variable - first_scalar];
  }

  /// Null where there are none.
  [[nodiscard]] RowsAcrossWalls<Real> rows_or_none() const {
    return rows ? rows->rows() : RowsAcrossWalls<Real>{};
  }
  /// The orders of a grid with rows across walls.
  [[nodiscard]] OrdersAcrossWalls<Real> orders_across_walls() const {
    const AnyOrders<Real> sides = any_orders<Real>(grid);
    return {sides.x, rows->rows(), sides.z};
  }
  /// function(orders) as with_orders_across_walls has it, or dns::with_orders.
  template <class Function>
  void with_orders(const Function& function) const {
    if (rows) return with_orders_across_walls<Real>(grid, rows->rows(), function);
    dns::with_orders<Real>(grid, function);
  }

  Backend* backend;
  const Case& resolved;
  StaggeredGrid grid;  // of the whole box
  Subdomain part;
  StaggeredLayout layout;
  MetricArrays<Backend> metrics;
  StaggeredVelocity<Backend> now;     // V^n
  StaggeredVelocity<Backend> before;  // V^(n-1), or V~ of an implicit step; F of a stage
  StaggeredVelocity<Backend> next;    // solutions of sweeps, V*, V^(n+1)
  StaggeredField<Backend> pressure;   // p^(n-1/2)
  StaggeredField<Backend> phi;
  std::array<StaggeredScalars<Backend>, 2> scalars;  // at t^n, t^(n+1)
  std::optional<RowArrays<Backend>> rows;            // where y has those of order 4 across walls
};

}  // namespace dns
