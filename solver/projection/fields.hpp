/// The fields of scheme `projection` on its device.
#pragma once

#include <array>

#include "solver/projection/staggered_field.hpp"

namespace dns {

/// What the time schemes advance: data, below everything that computes with it.
template <class Backend>
struct ProjectionFields {
  using Real = typename Backend::Real;
  using Velocity = StaggeredVelocity<Backend>;

  ProjectionFields(Backend& backend, const StaggeredLayout& layout, int scalar_count)
      : now(backend, layout),
        before(backend, layout),
        next(backend, layout),
        pressure(backend, layout),
        phi(backend, layout),
        scalars{{{backend, layout, scalar_count}, {backend, layout, scalar_count}}} {}

  Velocity now;                      // V^n
  Velocity before;                   // V^(n-1), or V~ of an implicit step; F of a stage
  Velocity next;                     // solutions of sweeps, V*, V^(n+1)
  StaggeredField<Backend> pressure;  // p^(n-1/2)
  StaggeredField<Backend> phi;
  std::array<StaggeredScalars<Backend>, 2> scalars;  // at t^n, t^(n+1)
};

}  // namespace dns
