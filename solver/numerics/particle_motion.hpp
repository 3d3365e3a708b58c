/// What a step does to particles, one by one. Weights: PlaceWeights or DivergenceFreeWeights, which
/// interpolate the velocity of the fluid.
#pragma once

#include "solver/core/index.hpp"
#include "solver/numerics/particle_divergence_free.hpp"
#include "solver/numerics/particle_space.hpp"
#include "solver/numerics/particle_step.hpp"
#include "solver/numerics/particle_velocity.hpp"

namespace dns {

/// A step of tracers over h, from the velocity at its beginning to that at its end.
template <class Real, class Weights>
struct MoveTracers {
  ParticleSpace<Real> space;
  VelocityAround<Real> begin, end;
  double h;  // [L/U]

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    const PerAxis<double> from = space.state(n).x;
    PerAxis<int> cell{};
    bool is_near = true;
    ParticleState predicted;
    const ParticleState state = tracer_step(
        from,
        h,
        [&](const PerAxis<double>& x) {
          const Weights weights = Weights::at(space.axes, x);
          cell = weights.cell;
          return velocity_by(begin, weights);
        },
        [&](const PerAxis<double>& x) {
          const Weights weights = Weights::at(space.axes, x);
          is_near = space.is_near(from, cell, x, weights.cell);
          return is_near ? velocity_by(end, weights) : PerAxis<double>{};
        },
        predicted);
    if (!is_near || !space.is_near(from, cell, state.x)) return space.report_stray(n);
    space.finish(n, state, h, [](int, double) { return 0.0; });
  }
};

/// A Runge-Kutta stage of tracers: x := x + dt (al u + be u_before), with the velocity at its
/// beginning; see solver/projection/runge_kutta.hpp. u_before is what `velocity` holds.
template <class Real, class Weights>
struct MoveTracersInStage {
  ParticleSpace<Real> space;
  VelocityAround<Real> begin;
  double now, before;  // dt al, dt be [L/U]

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    ParticleState state = space.state(n);
    const PerAxis<double> from = state.x;
    const Weights weights = Weights::at(space.axes, from);
    const PerAxis<double> u = velocity_by(begin, weights);
    for (int axis = 0; axis < 3; ++axis) {
      state.x[axis] += now * u[axis] + (before != 0 ? before * state.v[axis] : 0.0);
      state.v[axis] = u[axis];
    }
    if (!space.is_near(from, weights.cell, state.x)) return space.report_stray(n);
    space.finish(n, state, now + before, [](int, double) { return 0.0; });
  }
};

/// A step of inertial particles over h. Gives: what they do to the fluid, NoImpulse or GiveImpulse.
template <class Real, class Weights, class Gives>
struct MoveInertial {
  ParticleSpace<Real> space;
  VelocityAround<Real> begin, end;
  double h;  // [L/U]
  Gives gives = {};

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    const ParticleLaw law = space.law_of(n);
    const ParticleState before = space.state(n);
    const PerAxis<double>& from = before.x;
    PerAxis<int> cell{};
    bool is_near = true;
    ParticleForcing at_end;
    ParticleState predicted;
    const ParticleState state = inertial_step(
        before,
        law,
        h,
        [&](const PerAxis<double>& x) {
          const Weights weights = Weights::at(space.axes, x);
          cell = weights.cell;
          return forcing(law, x, weights, begin);
        },
        [&](const PerAxis<double>& x) {
          const Weights weights = Weights::at(space.axes, x);
          is_near = space.is_near(from, cell, x, weights.cell);
          if (is_near) at_end = forcing(law, x, weights, end);
          return at_end;
        },
        predicted);
    if (!is_near || !space.is_near(from, cell, state.x)) return space.report_stray(n);
    if (law.has_finite_reynolds) {
      PerAxis<double> slip;
      for (int axis = 0; axis < 3; ++axis) slip[axis] = at_end.u[axis] - state.v[axis];
      space.count_if_fast(law, slip);
    }
    gives.template in_step<Weights>(space, n, before, state, h);
    space.finish(n, state, h, [&](int axis, double v) {
      return law.acceleration(at_end.u, state.v, axis, v) + at_end.other[axis];
    });
  }

 private:
  [[nodiscard]] DNS_HD ParticleForcing forcing(const ParticleLaw& law,
                                               const PerAxis<double>& x,
                                               const Weights& weights,
                                               const VelocityAround<Real>& velocity) const {
    ParticleForcing forcing{velocity_by(velocity, weights), law.gravity};
    if (law.of_material_derivative == 0) return forcing;
    const PerAxis<double> rate =
        material_derivative(space.axes, x, weights, forcing.u, velocity, begin, end, h);
    for (int axis = 0; axis < 3; ++axis)
      forcing.other[axis] += law.of_material_derivative * rate[axis];
    return forcing;
  }
};

/// Sets the velocity of particles from number `first` on to that of the fluid.
template <class Real, class Weights>
struct TakeFluidVelocity {
  ParticleSpace<Real> space;
  VelocityAround<Real> velocity;
  int first;

  DNS_HD void operator()(Index3 c) const {
    const int n = first + particle_at(c);
    if (space.is_empty(n)) return;
    ParticleState state = space.state(n);
    state.v = velocity_by(velocity, Weights::at(space.axes, state.x));
    space.store(n, state);
  }
};

/// The velocity of the fluid at chosen particles, x, y and z of each.
template <class Real, class Weights>
struct FluidVelocityAt {
  ParticleSpace<Real> space;
  VelocityAround<Real> velocity;
  const int* chosen;
  int count;
  double* to;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= count) return;
    const PerAxis<double> u =
        velocity_by(velocity, Weights::at(space.axes, space.state(chosen[n]).x));
    for (int axis = 0; axis < 3; ++axis) to[3 * n + axis] = u[axis];
  }
};

}  // namespace dns
