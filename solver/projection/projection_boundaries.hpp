/// The boundaries of a run of scheme `projection` on its device.
#pragma once

#include <array>

#include "solver/projection/boundaries/ghost_points.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/boundaries/jumps.hpp"
#include "solver/projection/boundaries/outflow.hpp"

namespace dns {

/// The net volume flux through all boundary planes is zero at both ends of a step: the velocity
/// through outflow faces is corrected or, without any, the given normal velocities are.
template <class Backend>
struct ProjectionBoundaries {
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit ProjectionBoundaries(const ProjectionFields<Backend>& fields)
      : given(fields), outflow(fields, given), jumps(fields, given), ghosts(fields, given) {}

  /// Evaluates the planes at time t, for both ends of a step; on outflow faces from `velocity` and
  /// `scalars` next to them. Throws CaseError when what flows in cannot flow out.
  void start(double t, const VelocityView<Real>& velocity, const ScalarViews<Real>& scalars) {
    given.start(t);
    outflow.start(velocity, scalars);
  }
  /// Makes the values at the end of the last step those at the beginning of this one, and evaluates
  /// those at its end, t + dt. Requires the ghost points of the flow at t. Throws CaseError as
  /// above.
  void begin_step(double t,
                  double dt,
                  const VelocityView<Real>& velocity,
                  const ScalarViews<Real>& scalars) {
    const double speed = outflow.speed();
    given.advance(t + dt);
    given.fit_to_closures(velocity);
    outflow.advance(speed, dt, velocity, scalars);
  }

  /// Does the same in a stage of a Runge-Kutta step that ends at time `end` [L/U]. weights: of what
  /// moves the flow on outflow planes, now and in the stage before, see CarryOutInStages.
  void begin_stage(double end,
                   const std::array<double, 2>& weights,
                   const VelocityView<Real>& velocity,
                   const ScalarViews<Real>& scalars) {
    const double speed = outflow.speed();
    given.advance(end);
    given.fit_to_closures(velocity);
    outflow.advance_stage(speed, weights, velocity, scalars);
  }

  GivenPlanes<Backend> given;
  Outflow<Backend> outflow;
  Jumps<Backend> jumps;
  GhostPoints<Backend> ghosts;
};

}  // namespace dns
