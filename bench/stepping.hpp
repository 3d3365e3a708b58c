/// Steps of the model problem, timed through the interface of the solver.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "solver/config/case.hpp"

namespace dns::bench {

/// Iterations of the model problem: global ones, and local ones along each axis.
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

/// The model problem of the splitting method, configs/channel192.yaml, on points^3 nodes.
Case channel_case(int points, Precision precision, Device device, int threads);

/// The phases of one step, and the step as a whole.
struct StepTimes {
  int points = 0;
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  int threads = 0;                               // 0 on a GPU
  double seconds = 0;                            // of one step, the median
  double mean_seconds = 0;                       // of one step, as the phases are means
  double sweep_x = 0, sweep_y = 0, sweep_z = 0;  // all sweeps of one step along an axis [s]
  double nonlinear_update = 0;  // what updates the non-linear level besides the sweeps [s]
  double bytes = 0;             // compulsory traffic of a step
  std::size_t memory_bytes = 0;
  double energy = 0;  // mean kinetic energy after the first step [U^2]

  /// Tridiagonal systems that the sweeps of one step along one axis solve: one per grid line
  /// between boundary nodes and variable.
  [[nodiscard]] double systems_per_axis() const {
    constexpr double variables = 4;
    const double lines = static_cast<double>(points - 2) * (points - 2);
    return global_iterations * local_iterations * variables * lines;
  }
};

/// Bytes that time_channel takes: on its device, and on the host besides.
struct StepMemory {
  std::size_t device = 0;
  std::size_t host = 0;
};
StepMemory memory_of_steps(int points, Precision precision, Device device);

/// The model problem: a step that warms up, then as many as fit into a second, at least three.
/// Throws DeviceError, DivergenceError.
StepTimes time_channel(int points, Precision precision, Device device, int threads);

/// The whole step and its phases.
std::vector<Measurement> measurements_of(const StepTimes& times);

}  // namespace dns::bench
