/// What the sections of one command share.
#pragma once

#include <map>
#include <utility>

#include "bench/bench.hpp"
#include "bench/stepping.hpp"
#include "bench/studies/study.hpp"

namespace dns::bench {

/// Along each axis, where the user asks for no others: those of the paper.
inline constexpr int usual_points = 192;

struct Session {
  Request request;
  std::function<void(const std::string&)> progress;
  double cpu_copy = 0;                                // copy bandwidth [B/s]; 0: not used
  double cuda_copy = 0;                               // likewise
  std::vector<Measurement> measurements;              // all of them, in the order of the sections
  std::map<StepsAsked, StepTimes> steps;              // timed already
  std::map<std::pair<Scheme, int>, double> energies;  // after one step: the same on every device
  int slower = 0;                                     // cases of the guard

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

  /// Throws DeviceError when steps do not fit into memory.
  void require_memory_of_steps(const StepsAsked& asked) const;

  /// Steps, timed once and kept. What is checked is the kinetic energy after one step: every device
  /// and precision has to agree with the first one timed. Throws DeviceError.
  const StepTimes& time_steps(const StepsAsked& asked);
};

/// The sections. Each returns what to print.
std::string run_copy(Session& session);
std::string run_transpose(Session& session);
std::string run_reduce(Session& session);
std::string run_stencil(Session& session);
std::string run_sweep(Session& session);
std::string run_step(Session& session);
std::string run_accuracy(Session& session);
std::string run_guard(Session& session);
std::string run_table1(Session& session);
std::string run_table2(Session& session);
std::string run_table3(Session& session);
std::string run_table4(Session& session);

}  // namespace dns::bench
