/// Particles of a species in memory, and what a step does to them, one by one.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/particle_step.hpp"
#include "solver/numerics/particle_velocity.hpp"

namespace dns {

/// What only some species have of each particle, in arrays of their own.
struct ParticleColumn {
  static constexpr int acceleration = 0;  // of the last Runge-Kutta stage, x, y, z [U^2/L]
  static constexpr int turns = 3;         // times through a periodic box, x, y, z
  static constexpr int diameter = 6;      // [L]
  static constexpr int count = 7;
};

/// Particles of a rank, in any order. A place whose id is negative is empty.
template <class Real>
struct ParticleArrays {
  PerAxis<double*> place;   // [L]
  PerAxis<Real*> velocity;  // [U]; of tracers that of the fluid where they were evaluated last
  std::int64_t* id;
  int count;                                    // of places
  double* columns[ParticleColumn::count] = {};  // null: there is none

  /// Numbers of 8 bytes that a message has of each particle.
  [[nodiscard]] std::size_t words() const {
    std::size_t words = 7;
    for (const double* column : columns) words += column != nullptr ? 1 : 0;
    return words;
  }
};

/// Loops over particles go along the rows of a plane of so many points.
inline constexpr int particles_of_row = 1024;
[[nodiscard]] inline Box box_of_particles(int count) {
  return {{}, {particles_of_row, (count + particles_of_row - 1) / particles_of_row, 1}};
}
[[nodiscard]] DNS_HD int particle_at(Index3 c) {
  return particles_of_row * c.j + c.i;
}

/// Whole numbers that a rank keeps for each species.
struct ParticleCounter {
  static constexpr int out = 0;        // left through an inflow or outflow, by face
  static constexpr int deposited = 6;  // absorbed by a wall, by face
  static constexpr int empty = 12;    // places that have become empty since places were last sorted
  static constexpr int stray = 13;    // the largest id, plus 1, that moved further than allowed
  static constexpr int fast = 14;     // particles and steps with Re_p above 1000
  static constexpr int here = 15;     // particles, as they were counted last
  static constexpr int impulse = 16;  // of the last step on the fluid, in quanta: x, y, z
  static constexpr int strong = 19;   // the largest id, plus 1, whose impulse was too large
  static constexpr int rate = 20;     // see RaiseRate
  static constexpr int in_bodies = 21;  // absorbed by bodies
  static constexpr int count = 22;
};

/// What all kernels of a species share.
template <class Real>
struct ParticleSpace {
  static constexpr int most_cells = 2;  // along an axis, in a step

  PerAxis<ParticleAxis> axes;
  ParticleArrays<Real> particles;
  std::int64_t* counters;
  ParticleLaw law;
  double restitution;

  [[nodiscard]] DNS_HD bool is_empty(int n) const {
    return n >= particles.count || particles.id[n] < 0;
  }
  [[nodiscard]] DNS_HD ParticleState state(int n) const {
    ParticleState state;
    for (int axis = 0; axis < 3; ++axis) {
      state.x[axis] = particles.place[axis][n];
      state.v[axis] = static_cast<double>(particles.velocity[axis][n]);
    }
    return state;
  }
  DNS_HD void store(int n, const ParticleState& state) const {
    for (int axis = 0; axis < 3; ++axis) {
      particles.place[axis][n] = state.x[axis];
      particles.velocity[axis][n] = static_cast<Real>(state.v[axis]);
    }
  }
  DNS_HD void remove(int n) const {
    particles.id[n] = -1;
    add_whole(counters + ParticleCounter::empty, 1);
  }

  /// Whether a place is at most most_cells cells away from another one, which lies in `cell`, along
  /// all axes.
  [[nodiscard]] DNS_HD bool is_near(const PerAxis<double>& from,
                                    const PerAxis<int>& cell,
                                    const PerAxis<double>& place) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(place[axis])) return false;
      const double moved = place[axis] - from[axis];
      if (axes[axis].is_periodic() && (moved < 0 ? -moved : moved) > 0.5 * axes[axis].length())
        return false;
      double sign = 1;
      int way = axes[axis].cell(axes[axis].place_in_box(place[axis], sign)) - cell[axis];
      if (way < 0) way = -way;
      if (axes[axis].is_periodic() && axes[axis].cells - way < way) way = axes[axis].cells - way;
      if (way > most_cells) return false;
    }
    return true;
  }
  /// What a particle feels, and half its diameter [L].
  [[nodiscard]] DNS_HD ParticleLaw law_of(int n) const {
    const double* const diameter = particles.columns[ParticleColumn::diameter];
    return diameter == nullptr ? law : law.with_diameter(diameter[n]);
  }
  [[nodiscard]] DNS_HD double radius(int n) const {
    const double* const diameter = particles.columns[ParticleColumn::diameter];
    return 0.5 * (diameter == nullptr ? law.diameter : diameter[n]);
  }
  /// Brings a place back into the box along a periodic axis, and counts the turn.
  DNS_HD void wrap(int n, int axis, double& x) const {
    double sign = 1;
    const double outside = x;
    x = axes[axis].place_in_box(x, sign);
    double* const turns = particles.columns[ParticleColumn::turns + axis];
    if (turns != nullptr) turns[n] += std::rint((outside - x) / axes[axis].length());
  }
  DNS_HD void report_stray(int n) const {
    raise_whole(counters + ParticleCounter::stray, particles.id[n] + 1);
  }
  DNS_HD void report_strong(int n) const {
    raise_whole(counters + ParticleCounter::strong, particles.id[n] + 1);
  }
  DNS_HD void count_if_fast(const ParticleLaw& of, const PerAxis<double>& slip) const {
    constexpr double largest_reynolds = 1000;
    const double reynolds =
        of.reynolds_of_slip * std::sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
    if (reynolds > largest_reynolds) add_whole(counters + ParticleCounter::fast, 1);
  }

  /// Stores where a particle has come to, unless it left the box: beyond ends of the box it comes
  /// back in, is mirrored, bounces, or is removed and counted. acceleration(axis, v): what acts
  /// along an axis at a velocity along it [U^2/L]; h: the length of the step [L/U].
  template <class Acceleration>
  DNS_HD void finish(int n, ParticleState state, double h, const Acceleration& acceleration) const {
    for (int axis = 0; axis < 3; ++axis) {
      const ParticleAxis& along = axes[axis];
      double& x = state.x[axis];
      if (along.is_periodic()) {
        wrap(n, axis, x);
        continue;
      }
      for (int end = 0; end < 2; ++end) {
        const double inward = end == 0 ? 1 : -1;
        const double plane = end == 0 ? along.low() : along.high();
        const double way = inward * (x - plane);
        if (way >= radius(n)) continue;
        const ParticleEnd what = along.ends[end];
        if (what == ParticleEnd::mirror) {
          if (way >= 0) continue;
          x = 2 * plane - x;
          state.v[axis] = -state.v[axis];
        } else if (what == ParticleEnd::wall) {
          bounce(state, axis, inward, plane + inward * radius(n), h, acceleration);
        } else {
          if (what == ParticleEnd::opening && way >= 0) continue;
          const int first =
              what == ParticleEnd::opening ? ParticleCounter::out : ParticleCounter::deposited;
          add_whole(counters + first + 2 * axis + end, 1);
          return remove(n);
        }
      }
    }
    store(n, state);
  }

 private:
  template <class Acceleration>
  DNS_HD void bounce(ParticleState& state,
                     int axis,
                     double inward,
                     double surface,
                     double h,
                     const Acceleration& acceleration) const {
    const double beyond = inward * (state.x[axis] - surface);
    if (law.is_tracer()) {
      state.x[axis] = surface - inward * beyond;
      return;
    }
    const Bounce after = bounced(beyond, inward * state.v[axis], h, restitution, [&](double v) {
      return inward * acceleration(axis, inward * v);
    });
    state.x[axis] = surface + inward * after.y;
    state.v[axis] = inward * after.v;
  }
};

/// A step of tracers over h, from the velocity at its beginning to that at its end.
template <class Real>
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
          const PlaceWeights weights = weights_at(space.axes, x);
          cell = weights.cell;
          return velocity_by(begin, weights);
        },
        [&](const PerAxis<double>& x) {
          is_near = space.is_near(from, cell, x);
          return is_near ? velocity_by(end, weights_at(space.axes, x)) : PerAxis<double>{};
        },
        predicted);
    if (!is_near || !space.is_near(from, cell, state.x)) return space.report_stray(n);
    space.finish(n, state, h, [](int, double) { return 0.0; });
  }
};

/// A Runge-Kutta stage of tracers: x := x + dt (al u + be u_before), with the velocity at its
/// beginning; see solver/projection/runge_kutta.hpp. u_before is what `velocity` holds.
template <class Real>
struct MoveTracersInStage {
  ParticleSpace<Real> space;
  VelocityAround<Real> begin;
  double now, before;  // dt al, dt be [L/U]

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    ParticleState state = space.state(n);
    const PerAxis<double> from = state.x;
    const PlaceWeights weights = weights_at(space.axes, from);
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
template <class Real, class Gives>
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
          const PlaceWeights weights = weights_at(space.axes, x);
          cell = weights.cell;
          return forcing(law, x, weights, begin);
        },
        [&](const PerAxis<double>& x) {
          is_near = space.is_near(from, cell, x);
          if (is_near) at_end = forcing(law, x, weights_at(space.axes, x), end);
          return at_end;
        },
        predicted);
    if (!is_near || !space.is_near(from, cell, state.x)) return space.report_stray(n);
    if (law.has_finite_reynolds) {
      PerAxis<double> slip;
      for (int axis = 0; axis < 3; ++axis) slip[axis] = at_end.u[axis] - state.v[axis];
      space.count_if_fast(law, slip);
    }
    gives(space, n, before, state, h);
    space.finish(n, state, h, [&](int axis, double v) {
      return law.acceleration(at_end.u, state.v, axis, v) + at_end.other[axis];
    });
  }

 private:
  [[nodiscard]] DNS_HD ParticleForcing forcing(const ParticleLaw& law,
                                               const PerAxis<double>& x,
                                               const PlaceWeights& weights,
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
template <class Real>
struct TakeFluidVelocity {
  ParticleSpace<Real> space;
  VelocityAround<Real> velocity;
  int first;

  DNS_HD void operator()(Index3 c) const {
    const int n = first + particle_at(c);
    if (space.is_empty(n)) return;
    ParticleState state = space.state(n);
    state.v = velocity_by(velocity, weights_at(space.axes, state.x));
    space.store(n, state);
  }
};

/// The velocity of the fluid at chosen particles, x, y and z of each.
template <class Real>
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
        velocity_by(velocity, weights_at(space.axes, space.state(chosen[n]).x));
    for (int axis = 0; axis < 3; ++axis) to[3 * n + axis] = u[axis];
  }
};

/// Keys by which particles are sorted: the cell of the part, x fastest; empty places come last.
template <class Real>
struct KeysOfCells {
  ParticleSpace<Real> space;
  int first_plane, planes;  // of the part along z
  unsigned* keys;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= space.particles.count) return;
    unsigned key = ~0U;
    if (!space.is_empty(n)) {
      const ParticleState state = space.state(n);
      int k = space.axes[2].cell(state.x[2]) - first_plane;
      k = k < 0 ? 0 : k < planes ? k : planes - 1;
      key = (static_cast<unsigned>(k) * static_cast<unsigned>(space.axes[1].cells) +
             static_cast<unsigned>(space.axes[1].cell(state.x[1]))) *
                static_cast<unsigned>(space.axes[0].cells) +
            static_cast<unsigned>(space.axes[0].cell(state.x[0]));
    }
    keys[n] = key;
  }
};

/// Flags particles that have left the part of a rank, at its low or its high end along z.
template <class Real>
struct FlagLeavers {
  ParticleSpace<Real> space;
  int first_plane, planes, whole;  // of the part, and of the box
  bool is_high;
  unsigned* flags;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= space.particles.count) return;
    flags[n] = !space.is_empty(n) && leaves(space.particles.place[2][n]) ? 1 : 0;
  }

 private:
  /// The shorter way out, also around a periodic box.
  [[nodiscard]] DNS_HD bool leaves(double z) const {
    const int k = space.axes[2].cell(z) - first_plane;
    if (k >= 0 && k < planes) return false;
    const int way_up = k < 0 ? k + whole - planes + 1 : k - planes + 1;
    const int way_down = k < 0 ? -k : whole - k;
    return is_high == (way_up <= way_down);
  }
};

/// Moves chosen particles to a message: all x, then y, z, the velocity, the ids and the columns
/// that there are.
template <class Real>
struct PackParticles {
  ParticleSpace<Real> space;
  const int* chosen;
  int count;
  double* to;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= count) return;
    const ParticleState state = space.state(chosen[n]);
    for (int axis = 0; axis < 3; ++axis) {
      to[static_cast<std::ptrdiff_t>(axis) * count + n] = state.x[axis];
      to[static_cast<std::ptrdiff_t>(axis + 3) * count + n] = state.v[axis];
    }
    auto* const ids = reinterpret_cast<std::int64_t*>(to + static_cast<std::ptrdiff_t>(6) * count);
    ids[n] = space.particles.id[chosen[n]];
    std::ptrdiff_t word = 7;
    for (const double* column : space.particles.columns)
      if (column != nullptr) to[word++ * count + n] = column[chosen[n]];
    space.remove(chosen[n]);
  }
};
/// Puts the particles of a message to the places from number `first` on.
template <class Real>
struct UnpackParticles {
  const double* from;
  int count;
  int first;
  ParticleSpace<Real> space;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= count) return;
    ParticleState state;
    for (int axis = 0; axis < 3; ++axis) {
      state.x[axis] = from[static_cast<std::ptrdiff_t>(axis) * count + n];
      state.v[axis] = from[static_cast<std::ptrdiff_t>(axis + 3) * count + n];
    }
    space.store(first + n, state);
    space.particles.id[first + n] =
        reinterpret_cast<const std::int64_t*>(from + static_cast<std::ptrdiff_t>(6) * count)[n];
    std::ptrdiff_t word = 7;
    for (double* column : space.particles.columns)
      if (column != nullptr) column[first + n] = from[word++ * count + n];
  }
};

/// Flags particles whose id is a multiple of `stride`, beginning with `first`.
template <class Real>
struct FlagChosen {
  ParticleArrays<Real> particles;
  std::int64_t first, stride;
  unsigned* flags;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= particles.count) return;
    const std::int64_t id = particles.id[n];
    flags[n] = id >= first && (id - first) % stride == 0 ? 1 : 0;
  }
};

/// to[n] = from[order[n]]; without an order from[n].
template <class From, class To>
struct GatherValues {
  const From* from;
  const int* order;
  int count;
  To* to;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n < count) to[n] = static_cast<To>(from[order != nullptr ? order[n] : n]);
  }
};

/// Counts the particles of a row of places, see box_of_particles.
template <class Real>
struct CountParticles {
  ParticleArrays<Real> particles;
  std::int64_t* counters;

  DNS_HD void operator()(Index3 row) const {
    const int begin = particle_at(row);
    int here = 0;
    for (int n = begin; n < begin + particles_of_row && n < particles.count; ++n)
      here += particles.id[n] >= 0 ? 1 : 0;
    add_whole(counters + ParticleCounter::here, here);
  }
};

/// The counters of a rank, at a single point: in two parts, since a device keeps no more numbers of
/// one reduction.
struct ReadCounters {
  static constexpr int here = 0, left = 1, sums = left + 12;
  static constexpr int stray = 0, strong = 1, maxima = 2;
  const std::int64_t* counters;

  template <class Point, class Number>
  DNS_HD void operator()(Point /*c*/, Reduction<Number, sums, maxima>& reduction) const {
    const auto number = [&](int which) { return static_cast<double>(counters[which]); };
    reduction.sum[here] += number(ParticleCounter::here);
    for (int face = 0; face < 12; ++face) reduction.sum[left + face] += number(face);
    reduction.raise(stray, number(ParticleCounter::stray));
    reduction.raise(strong, number(ParticleCounter::strong));
  }
};
struct ReadFurtherCounters {
  static constexpr int in_bodies = 0, fast = 1, impulse = 2, sums = impulse + 3;
  const std::int64_t* counters;

  template <class Point, class Number>
  DNS_HD void operator()(Point /*c*/, Reduction<Number, sums, 0>& reduction) const {
    const auto number = [&](int which) { return static_cast<double>(counters[which]); };
    reduction.sum[in_bodies] += number(ParticleCounter::in_bodies);
    reduction.sum[fast] += number(ParticleCounter::fast);
    for (int axis = 0; axis < 3; ++axis)
      reduction.sum[impulse + axis] += number(ParticleCounter::impulse + axis);
  }
};

/// Sets a counter to 0, at a single point.
struct ResetCounter {
  std::int64_t* counter;

  DNS_HD void operator()(Index3 /*c*/) const { *counter = 0; }
};

}  // namespace dns
