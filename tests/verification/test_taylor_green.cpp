#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_taylor_green {
namespace {

/// Taylor and Green's vortex at Re 100. Unlike the exact periodic solutions, whose advection is a
/// gradient that the pressure takes up, it stretches vortices and hands energy to smaller scales.
class TaylorGreen : public OnEveryTarget {
 protected:
  /// Diagnostics at t = 5 on n^3 cells.
  static FlowDiagnostics diagnostics_at_the_end(int n) {
    auto simulation = started(case_of(fmt::format(R"yaml(
case: taylor_green
scheme: projection
grid: {{points: [{0}, {0}, {0}], length: [{1}, {1}, {1}]}}
fluid: {{reynolds: 100}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"]}}
time: {{step: {2}, end: 5}}
)yaml",
                                                  n,
                                                  6.283185307179586,
                                                  0.4 / n)));
    while (simulation->time() < 5 - 1e-9) simulation->advance();
    return simulation->diagnostics();
  }
};

TEST_P(TaylorGreen, energy_and_dissipation_tend_to_those_of_a_spectral_solution) {
  // A pseudo-spectral solution (Fourier, vorticity form, 2/3 rule, fourth-order Runge-Kutta) with
  // 48 and 64 modes along each axis, which agree to 2e-6.
  const double energy = 0.073963;
  const double dissipation = 0.012968;
  const FlowDiagnostics coarse = diagnostics_at_the_end(20);
  const FlowDiagnostics fine = diagnostics_at_the_end(40);
  const auto order = [](double coarse_value, double fine_value, double exact) {
    return std::log2(std::abs((coarse_value - exact) / (fine_value - exact)));
  };
  EXPECT_NEAR(order(coarse.kinetic_energy, fine.kinetic_energy, energy), 2, 0.15);
  EXPECT_NEAR(order(coarse.dissipation, fine.dissipation, dissipation), 2, 0.1);
  EXPECT_NEAR(fine.kinetic_energy, energy, 0.014 * energy);
  EXPECT_NEAR(fine.dissipation, dissipation, 0.025 * dissipation);
}

INSTANTIATE_TEST_SUITE_P(Devices, TaylorGreen, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_taylor_green
