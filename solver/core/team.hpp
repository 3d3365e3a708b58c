/// Threads that work on one line together.
#pragma once

#include "solver/core/host_device.hpp"
#include "solver/core/row_range.hpp"

namespace dns {

/// The sum of what the threads before one bring, and of what all bring.
struct RunningSum {
  double before = 0, total = 0;
};

/// The team of a CPU.
struct OneThread {
  /// The numbers from 0 to count - 1 that are this thread's: all.
  [[nodiscard]] static DNS_HD RowRange share(int count) { return {0, count}; }
  [[nodiscard]] static DNS_HD RunningSum running_sum(double mine) { return {0, mine}; }
};

}  // namespace dns
