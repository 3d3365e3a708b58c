/// What one study of a device is asked for.
#pragma once

#include <cstddef>
#include <string>

#include "solver/core/flow_state.hpp"

namespace dns::bench {

/// Sizes of a study on a grid of points^3.
struct Study {
  int points = 0;
  int threads = 1;         // of the CPU
  std::size_t memory = 0;  // free for buffers on the host [B]
  double seconds = 0.4;    // spent on timing each variant on the CPU, about

  [[nodiscard]] std::size_t count() const {
    const std::size_t n = points;
    return n * n * n;
  }
};

template <class Real>
inline constexpr Precision precision_of_type = sizeof(Real) == sizeof(float)
                                                   ? Precision::single_precision
                                                   : Precision::double_precision;

/// Throws DeviceError, saying what does not fit where, when `needed` bytes exceed `available`.
void require_memory(std::size_t needed, std::size_t available, const std::string& of_what);

}  // namespace dns::bench
