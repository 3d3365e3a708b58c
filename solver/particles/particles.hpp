/// Particles that a flow carries, as the flow sees them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// The weights of a Runge-Kutta stage, dt al and dt be [L/U].
struct ParticleStage {
  double now = 0, before = 0;
  int quarters = 0;  // of dt, that F of the stage has in the whole step
};

/// All particles of a flow; each rank has those of its part. Its formulas:
/// solver/numerics/particle_step.hpp. All ranks call the same members in the same order. Velocities
/// have valid ghost points.
template <class Backend>
class Particles {
 public:
  using Real = typename Backend::Real;
  using Velocity = VelocityView<const Real>;

  Particles() = default;
  Particles(const Particles&) = delete;
  Particles& operator=(const Particles&) = delete;
  virtual ~Particles() = default;

  /// Continues from a copy for restart; null: from the case. Throws CaseError, IoError of particles
  /// that cannot be where the case puts them.
  virtual void start(const FlowState* copy, const FlowMoment& at, const Velocity& velocity) = 0;
  /// Whether some species act on the flow (solver/numerics/particle_impulse.hpp). The members
  /// give_in_step and give_in_stage move these, the others those that do not.
  [[nodiscard]] virtual bool act_on_flow() const = 0;
  /// Before the flow: a step of length dt [L/U] from V^n to an estimate of V^(n+1).
  virtual void give_in_step(const Velocity& now, const Velocity& estimate, double dt) = 0;
  /// Before the flow: a Runge-Kutta stage with the velocity at its beginning.
  virtual void give_in_stage(const Velocity& begin, const ParticleStage& stage) = 0;
  /// Adds what was given to right-hand sides of the velocity: in a step impulses, weight 1; in a
  /// stage forces, with their weight, and to its F (`force`).
  virtual void add_to(const VelocityView<Real>& force,
                      const VelocityView<Real>& result,
                      const GridMetrics<Real>& metrics,
                      double weight) = 0;
  /// The fastest rate at which particles that act on the flow take its velocity [U/L].
  [[nodiscard]] virtual double decay_rate(const Velocity& velocity) = 0;

  /// A step of length dt [L/U] from V^n to V^(n+1).
  virtual void advance(const Velocity& now, const Velocity& next, double dt) = 0;
  /// A Runge-Kutta stage, from the velocity at its beginning to that at its end.
  virtual void advance_stage(const Velocity& begin,
                             const Velocity& end,
                             const ParticleStage& stage) = 0;
  /// A step has ended: releases particles and samples statistics where they are due.
  virtual void end_step(const FlowMoment& now, const Velocity& velocity) = 0;

  /// Columns of the time series: NAME_count, NAME_out_FACE, NAME_deposited_FACE, NAME_force_AXIS.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  /// Begins the values of these columns, for which the host need not wait.
  virtual void begin_counts() = 0;
  /// The values begun last. Throws DivergenceError where a particle has gone astray.
  [[nodiscard]] virtual std::vector<double> finish_counts() = 0;

  /// See Simulation::particles.
  [[nodiscard]] virtual ParticleCopy copy(const ParticlesAsked& asked,
                                          const Velocity& velocity) = 0;
  /// Adds what a copy for restart keeps.
  virtual void add_to(FlowState& copy, const Velocity& velocity) = 0;
  /// See Simulation::particle_sums.
  [[nodiscard]] virtual std::vector<ParticleSums> sums() = 0;
};

/// The particles of a case that has some, on fields of this layout; all arguments outlive them.
/// Declared only: compiled by itself (solver/instances). Its body is in particles_body.hpp.
template <class Backend>
std::unique_ptr<Particles<Backend>> make_particles(Backend& backend,
                                                   const Case& resolved,
                                                   const StaggeredGrid& grid,
                                                   const Subdomain& part,
                                                   const FieldLayout& layout);

}  // namespace dns
