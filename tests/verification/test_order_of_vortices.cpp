/// Taylor and Green's vortex with orders 4, 6 and 8 against spectral solutions: the largest
/// deviation of energy and dissipation until t = 8, beside those that an independent program of the
/// same scheme has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "bench/vortex_decay.hpp"
#include "solver/core/reduction.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing::test_order_of_vortices {
namespace {

struct Moment {
  double time, energy, dissipation;
};

std::vector<Moment> spectral_solution(int reynolds) {
  std::vector<Moment> moments;
  if (reynolds == 400) {
    for (const bench::VortexDecay& decay : bench::vortex_decay)
      moments.push_back({decay.t, decay.kinetic_energy, decay.dissipation});
    return moments;
  }
  std::ifstream file(fmt::format("{}/taylor_green_re{}.dat", DNS_TEST_DATA, reynolds));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Moment moment{};
    if (words >> moment.time >> moment.energy >> moment.dissipation) moments.push_back(moment);
  }
  EXPECT_GT(moments.size(), 30U);
  return moments;
}

/// Cubic interpolation between the four moments around a time.
Moment at_time(const std::vector<Moment>& moments, double time) {
  const auto above = std::ranges::lower_bound(moments, time, {}, &Moment::time);
  const auto last_first = static_cast<std::ptrdiff_t>(moments.size()) - 4;
  const auto first = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(above - moments.begin() - 2, 0, last_first));
  Moment found{time, 0, 0};
  for (std::size_t m = first; m < first + 4; ++m) {
    double weight = 1;
    for (std::size_t n = first; n < first + 4; ++n) {
      if (n != m) weight *= (time - moments[n].time) / (moments[m].time - moments[n].time);
    }
    found.energy += weight * moments[m].energy;
    found.dissipation += weight * moments[m].dissipation;
  }
  return found;
}

struct Deviation {
  double energy, dissipation;  // of the energy at the start, of the peak of dissipation
};

Deviation deviation_from_spectral(const Case& resolved, int reynolds) {
  auto simulation = started(resolved);
  const auto moment = [&] {
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    return Moment{simulation->time(), diagnostics.kinetic_energy, diagnostics.dissipation};
  };
  std::vector<Moment> moments{moment()};
  while (simulation->time() < 8.3) {
    simulation->advance();
    moments.push_back(moment());
  }
  Deviation largest{0, 0};
  double peak = 0;
  const std::vector<Moment> exact = spectral_solution(reynolds);
  for (const Moment& there : exact) {
    const Moment here = at_time(moments, there.time);
    largest.energy =
        larger_or_nan(largest.energy, std::abs(here.energy - there.energy) / exact[0].energy);
    largest.dissipation =
        larger_or_nan(largest.dissipation, std::abs(here.dissipation - there.dissipation));
    peak = std::max(peak, there.dissipation);
  }
  largest.dissipation /= peak;
  return largest;
}

class VorticesOfOrder : public OnEveryTarget {
 protected:
  static void expect(
      int reynolds, int n, int order, double cfl, double energy, double dissipation) {
    const Case resolved = case_of(fmt::format(R"yaml(
case: taylor_green
scheme: projection
grid: {{points: [{0}, {0}, {0}], length: [{1:.17g}, {1:.17g}, {1:.17g}]}}
accuracy: {{order: {2}}}
fluid: {{reynolds: {3}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"]}}
time: {{cfl: {4}, steps: 100000}}
)yaml",
                                              n,
                                              2 * std::numbers::pi,
                                              order,
                                              reynolds,
                                              cfl));
    const Deviation found = deviation_from_spectral(resolved, reynolds);
    const std::string name = fmt::format("Re {}, {}^3, order {}", reynolds, n, order);
    fmt::print("    {}: {:.3g}, {:.3g}\n", name, found.energy, found.dissipation);
    EXPECT_NEAR(found.energy, energy, 0.1 * energy) << name;
    EXPECT_NEAR(found.dissipation, dissipation, 0.1 * dissipation) << name;
  }
};

TEST_P(VorticesOfOrder, at_re_100_on_32_cells_deviates_as_the_model_does) {
  expect(100, 32, 4, 0.9, 1.04e-3, 3.5e-3);
  expect(100, 32, 6, 0.9, 1.87e-4, 1.01e-3);
  if (is_double()) expect(100, 32, 8, 0.9, 7.9e-5, 5.4e-4);
}

/// Minutes on a CPU: label validation.
TEST_P(VorticesOfOrder, long_at_re_100_on_48_cells_deviates_as_the_model_does) {
  if (!is_double()) GTEST_SKIP() << "the deviations come near the round-off of floats";
  expect(100, 48, 4, 0.9, 2.25e-4, 8.0e-4);
  expect(100, 48, 6, 0.9, 2.2e-5, 2.0e-4);
  expect(100, 48, 8, 0.9, 9.6e-6, 9.9e-5);
}

TEST_P(VorticesOfOrder, long_at_re_200_on_64_cells_deviates_as_the_model_does) {
  if (!is_double()) GTEST_SKIP() << "the deviations come near the round-off of floats";
  expect(200, 64, 4, 0.9, 1.33e-4, 9.9e-4);
  expect(200, 64, 6, 0.9, 3.6e-5, 4.8e-4);
  expect(200, 64, 8, 0.9, 3.2e-5, 2.9e-4);
}

TEST_P(VorticesOfOrder, long_at_re_400_on_64_cells_deviates_as_the_model_does) {
  expect(400, 64, 4, 1, 6.5e-4, 1.63e-2);
  expect(400, 64, 6, 1, 6.1e-4, 7.0e-3);
  if (is_double()) expect(400, 64, 8, 0.9, 5.8e-4, 4.0e-3);
}

TEST_P(VorticesOfOrder, long_at_re_400_on_96_cells_deviates_as_the_model_does) {
  expect(400, 96, 4, 1, 3.1e-4, 4.9e-3);
  expect(400, 96, 6, 1, 8.5e-5, 1.53e-3);
  if (is_double()) expect(400, 96, 8, 0.9, 4.0e-5, 7.9e-4);
}

INSTANTIATE_TEST_SUITE_P(Devices, VorticesOfOrder, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_order_of_vortices
