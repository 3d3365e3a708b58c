/// How a step gets faster, or the box larger, with the number of ranks.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/index.hpp"

namespace dns::bench {

struct ScalingRequest {
  std::vector<int> points;  // of each axis of the whole box; empty: the usual ones
  std::vector<Precision> precisions{Precision::double_precision};
  Device device = Device::cpu;
  int threads = 1;         // of each rank
  int threads_of_one = 1;  // of the process that all ranks are compared with
};

/// Steps of a flow on one process and on all ranks.
struct ScalingMeasurement {
  std::string flow;
  Precision precision = Precision::double_precision;
  Extents points;                          // of all ranks
  bool is_weak = false;                    // one process has one rank's share of the box
  double seconds_of_one = 0, seconds = 0;  // of a step
  double efficiency = 0;
  double exchange = 0;  // share of the step
  Traffic traffic;      // of rank 0 in a step
};

/// Steps of both schemes on all ranks, beside the same steps of rank 0 alone: strong scaling, on
/// one box; weak scaling, where the whole box has as many planes times the ranks. Complete on
/// rank 0. Called by all ranks; progress(line) is told what begins. Throws DeviceError.
std::vector<ScalingMeasurement> measure_scaling(
    Communicator& communicator,
    const ScalingRequest& request,
    const std::function<void(const std::string&)>& progress);

/// For the terminal, and as CSV: seconds, shares as fractions.
std::string scaling_table(std::span<const ScalingMeasurement> measurements,
                          const ScalingRequest& request,
                          int ranks);
std::string scaling_csv(std::span<const ScalingMeasurement> measurements,
                        const ScalingRequest& request,
                        int ranks);

}  // namespace dns::bench
