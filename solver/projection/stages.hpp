/// The loops of a Runge-Kutta stage.
#pragma once

#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/stage_equation.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// Evaluate a stage at all points of a layout: of the velocity on a grid, and of a scalar. Require
/// the ghost points of V, p and the scalar. Declared only: compiled by themselves
/// (solver/instances), as is FactorSweeps::diffuse. Their bodies are in stages_body.hpp.
template <class Backend>
void advance_stage(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const StageEquation<typename Backend::Real, AnyOrders<typename Backend::Real>>& equation);
template <class Backend>
void advance_stage(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const StageOfScalar<typename Backend::Real, AnyOrders<typename Backend::Real>>& equation);

}  // namespace dns
