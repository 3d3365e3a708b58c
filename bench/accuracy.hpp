/// Errors of flows that are known, and the time that they take.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measurement.hpp"
#include "solver/config/case.hpp"

namespace dns::bench {

/// taylor_green: at Reynolds number 400 to t = 8; the largest error of the dissipation over its
/// peak, against spectral data (bench/vortex_decay.hpp).
/// moving_flow: a Beltrami flow (Antuono, J. Fluid Mech. 890 (2020) A23) that a uniform velocity
/// carries along, nu = 0.05, to t = 1; the root mean square of the error of the velocity [U].
/// wave_between_walls: a small wave that a uniform stream carries along walls that move with it and
/// that viscosity damps, nu = 0.01, to t = 2; the root mean square of the error of the velocity
/// over that of the wave. With h = 1 between the middle and a wall, k = (1, 0, 1), k^2 = 2,
///   v = g(y) cos(x + z - (U + W) t) exp(-nu (k^2 + m^2) t)
///   g = cos(m y)/cos(m) - cosh(k y)/cosh(k)
/// and m tan(m) = -k tanh(k) (a mode of Stokes' equations; the second one).
enum class KnownFlow { taylor_green, moving_flow, wave_between_walls };
inline constexpr std::array<KnownFlow, 3> known_flows{
    KnownFlow::taylor_green, KnownFlow::moving_flow, KnownFlow::wave_between_walls};

/// accuracy.order, as the case has it.
[[nodiscard]] inline std::vector<std::string> known_orders(KnownFlow flow) {
  if (flow == KnownFlow::wave_between_walls) return {"2", "[6, 2, 6]", "[6, 4, 6]"};
  return {"2", "4", "6", "8"};
}
[[nodiscard]] constexpr std::string_view name_of(KnownFlow flow) {
  constexpr std::array<std::string_view, 3> names{"Taylor-Green", "moving flow", "wave by walls"};
  return names.at(static_cast<std::size_t>(flow));
}

/// A run of a flow on points^3 cells, of order 2 (time scheme implicit, but for the wave) or more
/// (runge_kutta).
struct AccuracyRun {
  KnownFlow flow = KnownFlow::taylor_green;
  std::string order = "2";
  int points = 0;
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  int threads = 1;  // of the CPU
};
struct AccuracyResult {
  double error = 0;
  double seconds = 0;  // of all steps, without diagnostics
  int steps = 0;
  double joules = std::numeric_limits<double>::quiet_NaN();  // of the GPU in all steps
};

/// The case of a run. It holds a CFL number of 1, at order 8 one of 0.9.
Case case_of(const AccuracyRun& run);

/// Runs a flow for its error; for its time once more where that takes less than ten seconds, so
/// that nothing is waited for between steps, and on from there for the energy of a step of
/// Taylor-Green on a GPU. Throws DeviceError, DivergenceError.
AccuracyResult measure_accuracy(const AccuracyRun& run);

/// Seconds or joules to an error, on the straight line between the logarithms of two neighbouring
/// results around it; NaN where there are none.
double cost_of_error(double error,
                     std::span<const AccuracyResult> finer_and_finer,
                     double AccuracyResult::*cost);

}  // namespace dns::bench
