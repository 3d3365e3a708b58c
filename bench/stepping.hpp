/// Steps of both schemes, timed through the interface of the solver.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "solver/config/case.hpp"
#include "solver/config/load_case.hpp"

namespace dns::bench {

/// Iterations of scheme splitting: global ones, and local ones along each axis.
inline constexpr int global_iterations = 2;
inline constexpr int local_iterations = 4;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// What is to be timed, on points^3 cells or nodes.
struct StepsAsked {
  Scheme scheme = Scheme::splitting;
  int points = 0;
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  int threads = 0;  // 0 on a GPU

  friend auto operator<=>(const StepsAsked&, const StepsAsked&) = default;
};

/// Scheme splitting: its model problem, configs/channel192.yaml. Scheme projection: a channel with
/// stretched cells between its walls, periodic along x and z. With other values of some keys.
Case case_of(const StepsAsked& asked, const std::vector<Override>& others = {});

/// The phases of one step, and the step as a whole.
struct StepTimes {
  StepsAsked asked;
  double seconds = 0;                            // of one step, the median
  double mean_seconds = 0;                       // of one step, as the phases are means
  double sweep_x = 0, sweep_y = 0, sweep_z = 0;  // all sweeps of one step along an axis [s]
  double nonlinear_update = 0;  // what updates boundaries and the non-linear level besides [s]
  double poisson = 0;           // the Poisson equation [s]
  double joules = std::numeric_limits<double>::quiet_NaN();  // of the GPU for one step
  double bytes = 0;                                          // compulsory traffic of a step
  std::size_t memory_bytes = 0;
  double energy = 0;  // mean kinetic energy after the first step [U^2]

  /// Tridiagonal systems that the sweeps of one step along one axis solve: one per grid line
  /// between boundary nodes and variable.
  [[nodiscard]] double systems_per_axis() const {
    constexpr double variables = 4;
    const double lines = static_cast<double>(asked.points - 2) * (asked.points - 2);
    return global_iterations * local_iterations * variables * lines;
  }
};

/// Bytes that time_steps takes: on its device, and on the host besides.
struct StepMemory {
  std::size_t device = 0;
  std::size_t host = 0;
};
StepMemory memory_of_steps(const StepsAsked& asked);

/// A step that warms up, then as many as fit into a second, at least three. Throws DeviceError,
/// DivergenceError.
StepTimes time_steps(const Case& resolved);
StepTimes time_steps(const StepsAsked& asked);

/// The whole step and its phases.
std::vector<Measurement> measurements_of(const StepTimes& times);

}  // namespace dns::bench
