/// The step of one particle, against reference trajectories.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>

#include "solver/numerics/particle_step.hpp"

namespace dns::testing::test_particle_step {
namespace {

using Fluid = std::function<PerAxis<double>(const PerAxis<double>&)>;

ParticleState advanced(
    ParticleState state,
    const ParticleLaw& law,
    double h,
    int steps,
    const Fluid& fluid,
    const Fluid& other = [](const PerAxis<double>&) { return PerAxis<double>{}; }) {
  const auto forcing = [&](const PerAxis<double>& x) {
    ParticleForcing at{fluid(x), other(x)};
    for (int axis = 0; axis < 3; ++axis) at.other[axis] += law.gravity[axis];
    return at;
  };
  ParticleState predicted;
  for (int n = 0; n < steps; ++n) state = inertial_step(state, law, h, forcing, forcing, predicted);
  return state;
}

const Fluid at_rest = [](const PerAxis<double>&) { return PerAxis<double>{0, 0, 0}; };

/// nu 0.01, d 0.03, rho 1000, g (0, -1, 0): the step is exact, however long it is.
TEST(ParticleStep, of_a_particle_that_settles_by_stokes_drag_is_exact) {
  const double tau = 1000 * 0.03 * 0.03 / (18 * 0.01);
  const ParticleLaw law{.response_time = tau, .gravity = {0, -(1 - 1.0 / 1000), 0}};
  for (const int steps : {1, 3, 1000}) {
    const ParticleState end = advanced({{0, 0, 0}, {1, 0, 0}}, law, 10.0 / steps, steps, at_rest);
    EXPECT_NEAR(end.x[0], tau * (1 - std::exp(-10 / tau)), 1e-12);
    EXPECT_NEAR(end.x[1], -28.3549986988, 1e-10);
    EXPECT_NEAR(end.v[0], std::exp(-2.0), 1e-12);
    EXPECT_NEAR(end.v[1], -4.31900026023, 1e-11);
  }
}

double settled(double added_mass, int steps) {
  const double inertia = 2.5 + added_mass;
  const ParticleLaw law{.response_time = inertia * 0.1 * 0.1 / (18 * 0.01),
                        .reynolds_of_slip = 0.1 / 0.01,
                        .has_finite_reynolds = true,
                        .gravity = {0, -1.5 / inertia, 0}};
  return -advanced({{0, 0, 0}, {0, 0, 0}}, law, 0.5 / steps, steps, at_rest).v[1];
}

TEST(ParticleStep, of_a_particle_that_settles_by_schiller_and_naumann_is_of_order_two) {
  const double v = 0.0732252450966;
  const double order = std::log2(std::abs((settled(0, 50) - v) / (settled(0, 100) - v)));
  EXPECT_GT(order, 1.9);
  EXPECT_NEAR(settled(0, 10000), v, 1e-9);
  EXPECT_NEAR(settled(0.5, 10000), 0.072133316971, 1e-9);
}

/// In the solid-body vortex r'' = (i r - r')/tau, so that r grows as exp(l t).
double error_in_vortex(double tau, int steps) {
  const std::complex<double> root = std::sqrt(std::complex<double>(1 / tau / tau, 4 / tau));
  std::complex<double> fast = (-1 / tau - root) / 2.0;
  std::complex<double> slow = (-1 / tau + root) / 2.0;
  const std::complex<double> i(0, 1);
  const std::complex<double> of_fast = (i - slow) / (fast - slow);
  const std::complex<double> r =
      (1.0 - of_fast) * std::exp(slow * 5.0) + of_fast * std::exp(fast * 5.0);
  const ParticleLaw law{.response_time = tau};
  const ParticleState end =
      advanced({{1, 0, 0}, {0, 1, 0}}, law, 5.0 / steps, steps, [](const PerAxis<double>& x) {
        return PerAxis<double>{-x[1], x[0], 0};
      });
  return std::abs(std::complex<double>(end.x[0], end.x[1]) - r);
}

TEST(ParticleStep, in_a_vortex_is_of_order_two_where_it_resolves_the_response_time) {
  for (const double tau : {1.0, 0.5})
    EXPECT_GT(std::log2(error_in_vortex(tau, 100) / error_in_vortex(tau, 200)), 1.9) << tau;
}

/// Response times far below the step: the error is that of Heun's step of a tracer.
TEST(ParticleStep, of_a_particle_without_inertia_is_that_of_a_tracer) {
  const auto vortex = [](const PerAxis<double>& x) { return PerAxis<double>{-x[1], x[0], 0}; };
  PerAxis<double> tracer{1, 0, 0};
  ParticleState predicted;
  for (int n = 0; n < 100; ++n) tracer = tracer_step(tracer, 0.05, vortex, vortex, predicted).x;
  const ParticleLaw law{.response_time = 1e-9};
  const ParticleState end = advanced({{1, 0, 0}, {0, 1, 0}}, law, 0.05, 100, vortex);
  EXPECT_NEAR(end.x[0], tracer[0], 1e-8);
  EXPECT_NEAR(end.x[1], tracer[1], 1e-8);
}

TEST(ParticleStep, has_weights_without_round_off_at_any_length) {
  for (const double z : {-1e-9, -1e-3, -0.1, -0.4999}) {
    // phi_1 to the digits of expm1; phi_2 and phi_3 by their recurrences backwards.
    const ExponentialWeights phi = exponential_weights(z);
    EXPECT_NEAR(phi.first, std::expm1(z) / z, 2e-16 * 4);
    EXPECT_NEAR(1 + z * phi.second, phi.first, 4e-16);
    EXPECT_NEAR(0.5 + z * phi.third, phi.second, 4e-16);
  }
  const ExponentialWeights near = exponential_weights(-0.5);
  const ExponentialWeights far = exponential_weights(-0.5 - 1e-12);
  EXPECT_NEAR(near.third, far.third, 1e-11);
  const ExponentialWeights longest = exponential_weights(-1e12);
  EXPECT_NEAR(longest.first, 1e-12, 1e-24);
  EXPECT_NEAR(longest.second, 1e-12, 1e-23);
}

/// Across u = 1 - y^2 with (1 - 1/rho) g = 1 along -y and an elastic wall at y = -0.99.
double error_of_bounces(int steps) {
  const ParticleLaw law{.response_time = 0.5, .gravity = {0, -1, 0}};
  const auto forcing = [&](const PerAxis<double>& x) {
    return ParticleForcing{{1 - x[1] * x[1], 0, 0}, law.gravity};
  };
  ParticleState state{{0, 0.5, 0}, {0, 0, 0}};
  ParticleState predicted;
  const double h = 5.0 / steps;
  for (int n = 0; n < steps; ++n) {
    state = inertial_step(state, law, h, forcing, forcing, predicted);
    const double y = state.x[1] + 0.99;
    if (y >= 0) continue;
    const Bounce after = bounced(
        y, state.v[1], h, 1, [&](double v) { return -v / law.response_time + law.gravity[1]; });
    state.x[1] = -0.99 + after.y;
    state.v[1] = after.v;
  }
  return std::hypot(state.x[0] - 2.75568754594, state.x[1] + 0.973127873282);
}

TEST(ParticleStep, with_bounces_is_of_order_two) {
  // Between bounces errors depend on where in a step a bounce falls: the mean of several lengths.
  const auto mean = [](int steps) {
    double sum = 0;
    for (int n = 0; n < 16; ++n) sum += error_of_bounces(steps + 7 * n);
    return sum / 16;
  };
  EXPECT_LT(mean(4000), 1e-5);
  EXPECT_GT(std::log2(mean(1000) / mean(4000)) / 2, 1.8);
}

}  // namespace
}  // namespace dns::testing::test_particle_step
