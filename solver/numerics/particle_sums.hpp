/// Sums over particles in bins along an axis, in whole numbers: they do not depend on the order of
/// particles, ranks or threads.
#pragma once

#include <cmath>
#include <cstdint>

#include "solver/numerics/particle_motion.hpp"

namespace dns {

/// What is summed up in each bin: 1, v_i, v_i v_j and the velocity of the fluid u_i, in multiples
/// of a quantum. A sum is high 2^32 + low.
struct ParticleSum {
  static constexpr int number = 0;
  static constexpr int velocity = 1;         // x, y, z
  static constexpr int products = 4;         // xx, yy, zz, xy, xz, yz
  static constexpr int fluid_velocity = 10;  // x, y, z
  static constexpr int count = 13;
  static constexpr double quantum = 1.0 / (1 << 30);  // of 1, U and U^2
  static constexpr int low_bits = 32;
};

/// Adds all particles to the sums of their bins.
template <class Real, class Weights>
struct SampleParticles {
  ParticleSpace<Real> space;
  VelocityAround<Real> velocity;
  int axis;
  int bins;  // of equal width; 0: the cells
  std::int64_t* high;
  std::int64_t* low;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    const ParticleState state = space.state(n);
    const Weights weights = Weights::at(space.axes, state.x);
    const PerAxis<double> u = velocity_by(velocity, weights);
    const PerAxis<double> v = space.law.is_tracer() ? u : state.v;
    const std::ptrdiff_t first =
        static_cast<std::ptrdiff_t>(bin(weights, state)) * ParticleSum::count;
    add(first + ParticleSum::number, 1);
    for (int a = 0; a < 3; ++a) {
      add(first + ParticleSum::velocity + a, v[a]);
      add(first + ParticleSum::products + a, v[a] * v[a]);
      add(first + ParticleSum::fluid_velocity + a, u[a]);
    }
    add(first + ParticleSum::products + 3, v[0] * v[1]);
    add(first + ParticleSum::products + 4, v[0] * v[2]);
    add(first + ParticleSum::products + 5, v[1] * v[2]);
  }

 private:
  [[nodiscard]] DNS_HD int bin(const Weights& weights, const ParticleState& state) const {
    if (bins == 0) return weights.cell[axis];
    const ParticleAxis& along = space.axes[axis];
    const int at = static_cast<int>((state.x[axis] - along.low()) / along.length() * bins);
    return at < 0 ? 0 : at < bins ? at : bins - 1;
  }
  DNS_HD void add(std::ptrdiff_t to, double value) const {
    const auto whole = static_cast<std::int64_t>(std::llrint(value / ParticleSum::quantum));
    const std::int64_t above = whole >> ParticleSum::low_bits;
    add_whole(high + to, above);
    add_whole(low + to, whole - (above << ParticleSum::low_bits));
  }
};

/// Makes the low part of each sum less than 2^32 again.
struct CarrySums {
  std::int64_t* high;
  std::int64_t* low;
  int count;

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (n >= count) return;
    const std::int64_t carried = low[n] >> ParticleSum::low_bits;
    high[n] += carried;
    low[n] -= carried << ParticleSum::low_bits;
  }
};

}  // namespace dns
