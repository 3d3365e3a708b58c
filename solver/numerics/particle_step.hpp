/// How a particle that is smaller than the cells moves with a flow.
///
///   dx/dt = v                                       tracers: v = u(x, t)
///   dv/dt = f (u - v)/tau + (B + C)/(rho + C) Du/Dt + (rho - 1)/(rho + C) g
///   tau = (rho + C) d^2/(18 nu),   Re_p = |u - v| d/nu
///   f = 1 (Stokes), or 1 + 0.15 Re_p^0.687 (Schiller and Naumann, Re_p < 1000)
///
/// with d its diameter [L], rho its density over that of the fluid, g gravity [U^2/L], B = 1 with
/// the pressure gradient of the fluid and C = 1/2 with added mass, else 0.
///
/// Sources: Maxey & Riley, Phys. Fluids 26 (1983) 883, without Faxen terms, history force and lift;
/// Schiller & Naumann, Z. VDI 77 (1933) 318.
#pragma once

#include <cmath>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// What a species of particles feels.
struct ParticleLaw {
  double response_time = 0;           // tau [L/U]; 0: a tracer
  double diameter = 0;                // d [L]
  double reynolds_of_slip = 0;        // d/nu [1/U]
  bool has_finite_reynolds = false;   // Schiller and Naumann
  PerAxis<double> gravity{};          // (rho - 1)/(rho + C) g [U^2/L]
  double of_material_derivative = 0;  // (B + C)/(rho + C)

  [[nodiscard]] DNS_HD bool is_tracer() const { return response_time == 0; }
  /// The law of a particle of another diameter [L].
  [[nodiscard]] DNS_HD ParticleLaw with_diameter(double other) const {
    const double ratio = other / diameter;
    ParticleLaw law = *this;
    law.response_time *= ratio * ratio;
    law.reynolds_of_slip *= ratio;
    law.diameter = other;
    return law;
  }
  /// f/tau at a slip velocity u - v [U/L].
  [[nodiscard]] DNS_HD double rate(const PerAxis<double>& slip) const {
    if (!has_finite_reynolds) return 1 / response_time;
    const double reynolds =
        reynolds_of_slip * std::sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
    return (1 + 0.15 * std::pow(reynolds, 0.687)) / response_time;
  }
  /// Acceleration by drag along an axis in a fluid of velocity u, where a particle has the velocity
  /// v, but v_along along this axis [U^2/L].
  [[nodiscard]] DNS_HD double acceleration(const PerAxis<double>& u,
                                           const PerAxis<double>& v,
                                           int axis,
                                           double v_along) const {
    PerAxis<double> slip;
    for (int other = 0; other < 3; ++other)
      slip[other] = u[other] - (other == axis ? v_along : v[other]);
    return rate(slip) * slip[axis];
  }
};

/// What a particle that acts on the fluid takes from it, see
/// solver/numerics/particle_impulse.hpp. The density of the fluid is 1.
struct ParticleCoupling {
  double mass = 0;           // of all that it represents [L^3]
  PerAxis<double> weight{};  // in the fluid, of all that it represents [U^2 L^2]

  /// Momentum that it takes along an axis, where its velocity gains so much in a time h [U L^3].
  [[nodiscard]] DNS_HD double gain(int axis, double velocity, double h) const {
    return mass * velocity - h * weight[axis];
  }
};

/// phi_1(z) = (e^z - 1)/z, phi_2 = (phi_1 - 1)/z, phi_3 = (phi_2 - 1/2)/z, z <= 0: by their series
/// near 0.
struct ExponentialWeights {
  double first, second, third;
};
[[nodiscard]] DNS_HD ExponentialWeights exponential_weights(double z) {
  constexpr double near = 0.5;
  if (z < -near) {
    const double first = std::expm1(z) / z;
    const double second = (first - 1) / z;
    return {first, second, (second - 0.5) / z};
  }
  constexpr int terms = 20;
  ExponentialWeights sum{0, 0, 0};
  double first = 1;
  double second = 0.5;
  double third = 1.0 / 6;
  for (int m = 1; m <= terms; ++m) {
    sum.first += first;
    sum.second += second;
    sum.third += third;
    first *= z / (m + 1);
    second *= z / (m + 2);
    third *= z / (m + 3);
  }
  return sum;
}

/// Place [L] and velocity [U].
struct ParticleState {
  PerAxis<double> x, v;
};

/// What acts on a particle besides drag at the beginning, and the velocity of the fluid there.
struct ParticleForcing {
  PerAxis<double> u;      // velocity of the fluid [U]
  PerAxis<double> other;  // accelerations besides drag [U^2/L]
};

/// An exponential step of Heun's kind over h [L/U], of an inertial particle:
///
///   r = f/tau, z = -h r,   N_0 = r u_0(x) + other
///   v* = v + h phi_1 (N_0 - r v)            x* = x + h v + h^2 phi_2 (N_0 - r v)
///   N_1 = f(|u_1(x*) - v*|)/tau (u_1(x*) - v*) + r v* + other(x*)
///   v' = v* + h phi_2 (N_1 - N_0)           x' = x* + h^2 phi_3 (N_1 - N_0)
///
/// Exact for uniform u and f = 1, stable for all h, of order 2; tau -> 0 is Heun's step of a
/// tracer. begin(x), end(x*): ParticleForcing at both ends of the step.
/// Source: Cox & Matthews, J. Comput. Phys. 176 (2002) 430.
template <class Begin, class End>
DNS_HD ParticleState inertial_step(const ParticleState& from,
                                   const ParticleLaw& law,
                                   double h,
                                   const Begin& begin,
                                   const End& end,
                                   ParticleState& predicted) {
  const ParticleForcing at_begin = begin(from.x);
  PerAxis<double> slip;
  for (int axis = 0; axis < 3; ++axis) slip[axis] = at_begin.u[axis] - from.v[axis];
  const double rate = law.rate(slip);
  const ExponentialWeights phi = exponential_weights(-h * rate);
  PerAxis<double> n_0;
  for (int axis = 0; axis < 3; ++axis) {
    n_0[axis] = rate * at_begin.u[axis] + at_begin.other[axis];
    const double acceleration = n_0[axis] - rate * from.v[axis];
    predicted.v[axis] = from.v[axis] + h * phi.first * acceleration;
    predicted.x[axis] = from.x[axis] + h * from.v[axis] + h * h * phi.second * acceleration;
  }
  const ParticleForcing at_end = end(predicted.x);
  for (int axis = 0; axis < 3; ++axis) slip[axis] = at_end.u[axis] - predicted.v[axis];
  const double rate_at_end = law.rate(slip);
  ParticleState to;
  for (int axis = 0; axis < 3; ++axis) {
    const double n_1 = rate_at_end * slip[axis] + rate * predicted.v[axis] + at_end.other[axis];
    to.v[axis] = predicted.v[axis] + h * phi.second * (n_1 - n_0[axis]);
    to.x[axis] = predicted.x[axis] + h * h * phi.third * (n_1 - n_0[axis]);
  }
  return to;
}

/// Heun's step of a tracer over h, of order 2: x' = x + h/2 (u_0(x) + u_1(x + h u_0(x))).
/// begin(x), end(x): velocity at both ends of the step; v' = u_1.
template <class Begin, class End>
DNS_HD ParticleState tracer_step(const PerAxis<double>& from,
                                 double h,
                                 const Begin& begin,
                                 const End& end,
                                 ParticleState& predicted) {
  predicted.v = begin(from);
  for (int axis = 0; axis < 3; ++axis) predicted.x[axis] = from[axis] + h * predicted.v[axis];
  ParticleState to;
  to.v = end(predicted.x);
  for (int axis = 0; axis < 3; ++axis)
    to.x[axis] = from[axis] + h / 2 * (predicted.v[axis] + to.v[axis]);
  return to;
}

/// Where a particle that has passed a closed plane in a step of length h comes to, along the axis
/// across it: the plane is y = 0 and the particle is at y < 0, with velocity v and acceleration
/// after_bounce(v_n), the latter of order 1 accurate. It passed the plane a time s = -y/|v| before;
///
///   v_hit = v - a s,   y' = -e y,   v' = -e v_hit + a' s
///
/// with a and a' the accelerations before and after the bounce, e the restitution: of order 2,
/// which v' = -e v is not where something accelerates the particle across the plane.
struct Bounce {
  double y, v;
};
template <class Acceleration>
DNS_HD Bounce
bounced(double y, double v, double h, double restitution, const Acceleration& acceleration) {
  const double since = v < 0 && -y < -v * h ? y / v : h;
  const double hit = v - acceleration(v) * since;
  const double left = -restitution * hit;
  return {-restitution * y, left + acceleration(left) * since};
}

}  // namespace dns
