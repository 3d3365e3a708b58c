/// The result of timing one variant of one piece of work.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "solver/core/flow_state.hpp"

namespace dns::bench {

enum class Device { cpu, cuda };

[[nodiscard]] constexpr std::string_view name_of(Device device) {
  return device == Device::cpu ? "cpu" : "cuda";
}

/// One variant, checked and then timed. A variant that is wrong, or that has nothing to be timed,
/// has no seconds (NaN).
struct Measurement {
  std::string section;    // "transpose"
  std::string variant;    // "padded tile"
  std::string direction;  // "x", "y", "z"; empty where there is none
  Device device = Device::cpu;
  int threads = 0;  // of the CPU; 0 on a GPU
  Precision precision = Precision::double_precision;
  int points = 0;                                             // along each axis of the grid
  double seconds = std::numeric_limits<double>::quiet_NaN();  // of one execution, the median
  double bytes = 0;           // compulsory traffic: each value read once, each result written once
  double copy_bandwidth = 0;  // of the device in the same run [B/s]; 0: unknown
  double error = 0;           // largest deviation from the reference
  double tolerance = 0;       // largest deviation allowed
  std::size_t memory_bytes = 0;  // allocated on the device; 0: not asked
  double joules = std::numeric_limits<double>::quiet_NaN();  // of one execution; NaN: not known

  /// False for an error that is NaN.
  [[nodiscard]] bool is_right() const { return error <= tolerance; }
  /// [B/s]
  [[nodiscard]] double bandwidth() const { return bytes / seconds; }
  /// Share of the copy bandwidth; NaN where that is unknown.
  [[nodiscard]] double copy_fraction() const {
    return copy_bandwidth > 0 ? bandwidth() / copy_bandwidth
                              : std::numeric_limits<double>::quiet_NaN();
  }
  /// [ns] per grid point and execution
  [[nodiscard]] double nanoseconds_per_point() const {
    return 1e9 * seconds / (static_cast<double>(points) * points * points);
  }
};

}  // namespace dns::bench
