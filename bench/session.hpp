/// What the sections of one command share.
#pragma once

#include <map>
#include <tuple>

#include "bench/bench.hpp"
#include "bench/stepping.hpp"
#include "bench/studies/study.hpp"

namespace dns::bench {

/// Along each axis, where the user asks for no others: those of the paper.
inline constexpr int usual_points = 192;

struct Session {
  Request request;
  std::function<void(const std::string&)> progress;
  double cpu_copy = 0;                    // copy bandwidth [B/s]; 0: not used
  double cuda_copy = 0;                   // likewise
  std::vector<Measurement> measurements;  // all of them, in the order of the sections
  std::map<std::tuple<int, Precision, Device, int>, StepTimes> steps;  // timed already
  std::map<int, double> energies;  // after one step, by points: the same on every device

  [[nodiscard]] Study study(int points) const {
    Study study;
    study.points = points;
    study.threads = request.threads;
    study.memory = request.host_memory;
    return study;
  }
  [[nodiscard]] std::vector<int> points_or(std::vector<int> usual) const {
    return request.points.empty() ? usual : request.points;
  }
  [[nodiscard]] double copy_of(Device device) const {
    return device == Device::cpu ? cpu_copy : cuda_copy;
  }

  /// Keeps new measurements, with the copy bandwidth of their devices.
  std::vector<Measurement> keep(std::vector<Measurement> measured);

  /// Throws DeviceError when steps of the model problem do not fit into memory.
  void require_memory_of_steps(int points, Precision precision, Device device) const;

  /// Steps of the model problem, timed once and kept. What is checked is the kinetic energy after
  /// one step: every device and precision has to agree with the first one timed. Throws
  /// DeviceError.
  const StepTimes& time_steps(int points, Precision precision, Device device, int threads);
};

/// The sections. Each returns what to print.
std::string run_copy(Session& session);
std::string run_transpose(Session& session);
std::string run_reduce(Session& session);
std::string run_stencil(Session& session);
std::string run_sweep(Session& session);
std::string run_step(Session& session);
std::string run_accuracy(Session& session);
std::string run_table1(Session& session);
std::string run_table2(Session& session);
std::string run_table3(Session& session);
std::string run_table4(Session& session);

}  // namespace dns::bench
