/// Order of particles in memory, messages, choices and counts. Nothing moves here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/particle_space.hpp"

namespace dns {

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

/// The counters of a rank, at a single point: in two parts, since a device keeps no more numbers of
/// one reduction.
struct ReadCounters {
  static constexpr int here = 0, left = 1, sums = left + 12;
  static constexpr int stray = 0, strong = 1, maxima = 2;
  const std::int64_t* counters;
  int places;  // in use, some of which may be empty

  template <class Point, class Number>
  DNS_HD void operator()(Point /*c*/, Reduction<Number, sums, maxima>& reduction) const {
    const auto number = [&](int which) { return static_cast<double>(counters[which]); };
    reduction.sum[here] += places - number(ParticleCounter::empty);
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
