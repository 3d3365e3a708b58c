/// Particles of a species in memory, what all kernels of a species share, and ends of the box.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "solver/core/index.hpp"
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
  static constexpr int impulse = 15;  // of the last step on the fluid, in quanta: x, y, z
  static constexpr int strong = 18;   // the largest id, plus 1, whose impulse was too large
  static constexpr int rate = 19;     // see RaiseRate
  static constexpr int in_bodies = 20;  // absorbed by bodies
  static constexpr int count = 21;
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

  /// Whether a place in the cell `to` is at most most_cells cells away from another one, which lies
  /// in `cell`, along all axes.
  [[nodiscard]] DNS_HD bool is_near(const PerAxis<double>& from,
                                    const PerAxis<int>& cell,
                                    const PerAxis<double>& place,
                                    const PerAxis<int>& to) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(place[axis])) return false;
      const double moved = place[axis] - from[axis];
      if (axes[axis].is_periodic() && (moved < 0 ? -moved : moved) > 0.5 * axes[axis].length())
        return false;
      int way = to[axis] - cell[axis];
      if (way < 0) way = -way;
      if (axes[axis].is_periodic() && axes[axis].cells - way < way) way = axes[axis].cells - way;
      if (way > most_cells) return false;
    }
    return true;
  }
  [[nodiscard]] DNS_HD bool is_near(const PerAxis<double>& from,
                                    const PerAxis<int>& cell,
                                    const PerAxis<double>& place) const {
    PerAxis<int> to;
    for (int axis = 0; axis < 3; ++axis) {
      double sign = 1;
      to[axis] = axes[axis].cell(axes[axis].place_in_box(place[axis], sign));
    }
    return is_near(from, cell, place, to);
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
          add_whole(counters + (first + 2 * axis + end), 1);
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

}  // namespace dns
