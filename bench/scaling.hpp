/// How a step gets faster, or the box larger, with the number of ranks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "solver/core/communicator.hpp"

namespace dns::bench {

struct ScalingRequest {
  std::vector<int> points;  // of each axis of the whole box; empty: the usual ones
  std::vector<Precision> precisions{Precision::double_precision};
  Device device = Device::cpu;
  int threads = 1;         // of each rank
  int threads_of_one = 1;  // of the process that all ranks are compared with
};

/// Steps of both schemes on all ranks, beside the same steps of rank 0 alone: strong scaling, on
/// one box; weak scaling, where the whole box has as many planes times the ranks. The table, on
/// rank 0. Called by all ranks; progress(line) is told what begins. Throws DeviceError.
std::string scaling_table(Communicator& communicator,
                          const ScalingRequest& request,
                          const std::function<void(const std::string&)>& progress);

}  // namespace dns::bench
