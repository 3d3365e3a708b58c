/// The bodies of advance_stage.
#pragma once

#include "solver/projection/stages.hpp"

namespace dns {

template <class Backend>
void advance_stage(
    Backend& backend,
    const StaggeredLayout& layout,
    const StageEquation<typename Backend::Real, AnyOrders<typename Backend::Real>>& equation) {
  backend.for_each(layout.all_points(), equation);
}

template <class Backend>
void advance_stage(
    Backend& backend,
    const StaggeredLayout& layout,
    const StageOfScalar<typename Backend::Real, AnyOrders<typename Backend::Real>>& equation) {
  backend.for_each(layout.all_points(), equation);
}

}  // namespace dns
