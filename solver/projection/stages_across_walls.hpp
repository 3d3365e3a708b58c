/// The loops of a Runge-Kutta stage where y has rows of order 4 across walls.
#pragma once

#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/stage_across_walls.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// Evaluate a stage at all points of a layout, as advance_stage of stages.hpp. Declared only:
/// compiled by themselves (solver/instances). Their bodies are in stages_across_walls_body.hpp.
template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const StageAcrossWalls<typename Backend::Real, AnyOrder<typename Backend::Real>>& equation);
template <class Backend>
void advance_stage_across_walls(
    Backend& backend,
    const StaggeredGrid& grid,
    const StaggeredLayout& layout,
    const ScalarStageAcrossWalls<typename Backend::Real, AnyOrder<typename Backend::Real>>&
        equation);

}  // namespace dns
