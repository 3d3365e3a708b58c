/// Forces of particles on the fluid.
///
/// A particle gives the fluid the impulse J = - V (rho (v' - v) - h (rho - 1) g) in a step h, with
/// V its volume times the number of particles that it represents: all that its momentum gains but
/// its weight in the fluid. Component q of J is shared among the points of q by the weights that
/// interpolate q to the particle, so that the work on the fluid is J u with the u that the particle
/// feels. What a value on a closed end of the box would get, the first point inside gets.
///
/// J and its shares are whole multiples of a quantum, and the point of the largest weight takes
/// what rounding the shares leaves over. So sums over particles do not depend on their order, and
/// the sum over points is that over particles.
///
/// A particle that settles steadily gives the fluid its whole weight, also with added mass.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/particle_motion.hpp"

namespace dns {

/// Sums of impulses [U L^3], or of forces [U^2 L^2], on the points of the velocity components.
struct ImpulseSums {
  /// J up to so many quanta.
  static constexpr double most_quanta = 1125899906842624.0;  // 2^50

  std::int64_t* sums;        // of each component, x fastest; first the planes below the part
  Extents extents;           // of the planes: those of the part, and those beyond its seams
  int beyond;                // planes beyond each seam
  int first, planes, whole;  // of the part along z, and of the box
  double quantum;

  [[nodiscard]] DNS_HD std::ptrdiff_t component_size() const {
    return static_cast<std::ptrdiff_t>(extents.nx) * extents.ny * extents.nz;
  }
  /// c: in the part.
  [[nodiscard]] DNS_HD std::int64_t* at(int component, Index3 c) const {
    return sums + component * component_size() +
           (static_cast<std::ptrdiff_t>(c.k + beyond) * extents.ny + c.j) * extents.nx + c.i;
  }
  /// Plane k of the box, in the part.
  [[nodiscard]] DNS_HD int local_plane(int k) const {
    const int local = k - first;
    return local >= planes + beyond ? local - whole : local < -beyond ? local + whole : local;
  }
};

/// Shares an impulse of one component out. Returns false where it is too large.
template <class Weights>
[[nodiscard]] DNS_HD bool give_component(const ImpulseSums& to,
                                         const Weights& weights,
                                         int component,
                                         double impulse) {
  const double quanta = weights.sign[component] * impulse / to.quantum;
  if (!(quanta < ImpulseSums::most_quanta && quanta > -ImpulseSums::most_quanta)) return false;
  const LineWeights x = weights.given_inside(component, 0);
  const LineWeights y = weights.given_inside(component, 1);
  const LineWeights z = weights.given_inside(component, 2);
  const double whole = std::rint(quanta);
  // A plane of symmetry takes the shares of the points on it.
  const auto add = [&](int i, int j, int k, std::int64_t share) {
    const Index3 c{x.index[i], y.index[j], z.index[k]};
    const bool is_inside = c.i >= 0 && c.i < to.extents.nx && c.j >= 0 && c.j < to.extents.ny &&
                           c.k >= 0 && c.k < to.whole;
    if (share != 0 && is_inside)
      add_whole(to.at(component, {c.i, c.j, to.local_plane(c.k)}), share);
  };
  // 1 but for round-off, except for what a plane of symmetry mirrors as odd.
  const double part = x.sum() * y.sum() * z.sum();
  const bool is_all = std::abs(part - 1) < 1e-9;
  auto left = static_cast<std::int64_t>(is_all ? whole : std::rint(part * whole));
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 4; ++j) {
      const double of_line = z.weight[k] * y.weight[j] * whole;
      for (int i = 0; i < 4; ++i) {
        const auto share = static_cast<std::int64_t>(std::rint(x.weight[i] * of_line));
        left -= share;
        add(i, j, k, share);
      }
    }
  }
  add(x.largest(), y.largest(), z.largest(), left);
  return true;
}

/// For particles that do not act on the fluid.
struct NoImpulse {
  template <class Weights, class Real>
  DNS_HD void in_step(const ParticleSpace<Real>& /*space*/,
                      int /*n*/,
                      const ParticleState& /*from*/,
                      const ParticleState& /*to*/,
                      double /*h*/) const {}
};

/// For particles that act on it.
struct GiveImpulse {
  ImpulseSums sums;
  ParticleCoupling coupling;

  /// In a step h of particle n, at the middle of its way.
  template <class Weights, class Real>
  DNS_HD void in_step(const ParticleSpace<Real>& space,
                      int n,
                      const ParticleState& from,
                      const ParticleState& to,
                      double h) const {
    PerAxis<double> middle;
    PerAxis<double> gained;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = from.x[axis] + (to.x[axis] - from.x[axis]) / 2;
      gained[axis] = static_cast<double>(static_cast<Real>(to.v[axis])) - from.v[axis];
    }
    give(space, n, Weights::at(space.axes, middle), gained, h);
  }
  /// Where a particle gains velocity in a time h; with h = 1 and an acceleration: a force.
  template <class Real, class Weights>
  DNS_HD void give(const ParticleSpace<Real>& space,
                   int n,
                   const Weights& weights,
                   const PerAxis<double>& gained,
                   double h) const {
    const double* const diameter = space.particles.columns[ParticleColumn::diameter];
    const double ratio = diameter == nullptr ? 1 : diameter[n] / space.law.diameter;
    for (int component = 0; component < 3; ++component) {
      const double impulse =
          -ratio * ratio * ratio * coupling.gain(component, gained[component], h);
      if (!give_component(sums, weights, component, impulse)) space.report_strong(n);
    }
  }
};

/// A Runge-Kutta stage of particles that act on the fluid:
///
///   v' = v + dt (al a + be a_before),   x' = x + g dt (v + v')/2,   g = al + be
///
/// with a at the beginning of the stage, as the fluid has the force; see
/// solver/projection/runge_kutta.hpp. Requires that Du/Dt does not act.
template <class Real, class Weights>
struct MoveCoupledInStage {
  ParticleSpace<Real> space;
  VelocityAround<Real> begin;
  double now, before;  // dt al, dt be [L/U]
  GiveImpulse gives;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    const ParticleLaw law = space.law_of(n);
    ParticleState state = space.state(n);
    const PerAxis<double> from = state.x;
    const Weights weights = Weights::at(space.axes, from);
    const PerAxis<double> u = velocity_by(begin, weights);
    PerAxis<double> slip;
    for (int axis = 0; axis < 3; ++axis) slip[axis] = u[axis] - state.v[axis];
    if (law.has_finite_reynolds) space.count_if_fast(law, slip);
    const double rate = law.rate(slip);
    PerAxis<double> acceleration;
    const double h = now + before;
    for (int axis = 0; axis < 3; ++axis) {
      acceleration[axis] = rate * slip[axis] + law.gravity[axis];
      double gained = now * acceleration[axis];
      double& kept = space.particles.columns[ParticleColumn::acceleration + axis][n];
      if (before != 0) gained += before * kept;
      kept = acceleration[axis];
      state.x[axis] += h * (state.v[axis] + gained / 2);
      state.v[axis] += gained;
    }
    if (!space.is_near(from, weights.cell, state.x)) return space.report_stray(n);
    gives.give(space, n, weights, acceleration, 1);
    space.finish(n, state, h, [&](int axis, double v) {
      return law.acceleration(u, state.v, axis, v) + law.gravity[axis];
    });
  }
};

/// Quantum of RaiseRate [U/L].
inline constexpr double quantum_of_rate = 1.0 / (1 << 20);

/// The largest rate f/tau of the drag of particles, in multiples of quantum_of_rate.
template <class Real, class Weights>
struct RaiseRate {
  ParticleSpace<Real> space;
  VelocityAround<Real> velocity;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    const ParticleState state = space.state(n);
    const PerAxis<double> u = velocity_by(velocity, Weights::at(space.axes, state.x));
    PerAxis<double> slip;
    for (int axis = 0; axis < 3; ++axis) slip[axis] = u[axis] - state.v[axis];
    const double quanta = space.law_of(n).rate(slip) / quantum_of_rate;
    constexpr double most = 4503599627370496.0;  // 2^52
    raise_whole(space.counters + ParticleCounter::rate,
                static_cast<std::int64_t>(quanta < most ? quanta : most) + 1);
  }
};

/// Sets whole numbers to 0, at the points of extents x fastest.
struct ClearSums {
  std::int64_t* sums;
  Extents extents;

  DNS_HD void operator()(Index3 c) const {
    sums[(static_cast<std::ptrdiff_t>(c.k) * extents.ny + c.j) * extents.nx + c.i] = 0;
  }
};

/// Adds to the outermost planes of a part, at one end, what the neighbour there sent: `planes`
/// planes of each component.
struct AddArrivedSums {
  ImpulseSums to;
  const std::int64_t* arrived;
  int first;  // plane of the part

  DNS_HD void operator()(Index3 c) const {
    const Extents& n = to.extents;
    const std::ptrdiff_t of_plane = static_cast<std::ptrdiff_t>(n.nx) * n.ny;
    for (int component = 0; component < 3; ++component) {
      *to.at(component, {c.i, c.j, first + c.k}) +=
          arrived[(component * to.beyond + c.k) * of_plane +
                  static_cast<std::ptrdiff_t>(c.j) * n.nx + c.i];
    }
  }
};

/// Adds `times` the sums of the lines of a part along x to counters of the species.
struct CountImpulses {
  ImpulseSums from;
  std::int64_t times;
  std::int64_t* counters;

  DNS_HD void operator()(Index3 line) const {
    for (int component = 0; component < 3; ++component) {
      const std::int64_t* const sums = from.at(component, line);
      std::int64_t sum = 0;
      for (int i = 0; i < from.extents.nx; ++i) sum += sums[i];
      if (sum != 0) add_whole(counters + ParticleCounter::impulse + component, times * sum);
    }
  }
};

/// Adds impulses or forces over the control volumes to right-hand sides, and to the F of a stage.
template <class Real>
struct AddImpulses {
  ImpulseSums from;
  GridMetrics<Real> metrics;
  VelocityView<Real> force;  // F; null: there is none
  VelocityView<Real> result;
  Real weight;  // of them in the result

  DNS_HD void operator()(Index3 c) const {
    add<Axis::x>(c);
    add<Axis::y>(c);
    add<Axis::z>(c);
  }

 private:
  template <Axis axis, Axis along>
  [[nodiscard]] DNS_HD Real inverse_width(Index3 c) const {
    const AxisMetrics<Real>& of = metrics.template along<along>();
    return entry<along>(axis == along ? of.inverse_distance : of.inverse_width, c);
  }
  template <Axis axis>
  DNS_HD void add(Index3 c) const {
    const Real added =
        static_cast<Real>(from.quantum * static_cast<double>(*from.at(velocity_along(axis), c))) *
        (inverse_width<axis, Axis::x>(c) * inverse_width<axis, Axis::y>(c) *
         inverse_width<axis, Axis::z>(c));
    if (force[axis].origin != nullptr) force[axis].set(c, force[axis](c) + added);
    result[axis].set(c, result[axis](c) + weight * added);
  }
};

}  // namespace dns
