/// What a simulation needs, before anything is allocated.
#pragma once

#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/backend_memory.hpp"

namespace dns {

struct CaseNeeds {
  std::size_t device_bytes = 0;          // fields and work space
  std::size_t workspace_values = 0;      // of the work space alone, which the backend allocates
  double compulsory_bytes_per_step = 0;  // lower bound: each value read, each result written once
};

/// Values of the work space for sweeps over all lines of a box of `points`, with `values_per_row`
/// per eliminated row; 0 if the lines of `grid` are short enough to do without.
[[nodiscard]] inline std::size_t workspace_of_sweeps(const BackendMemory& memory,
                                                     Extents grid,
                                                     std::size_t values_per_row,
                                                     Extents points) {
  const bool fits = grid.nx <= memory.longest_line && grid.ny <= memory.longest_line &&
                    grid.nz <= memory.longest_line;
  return fits ? 0 : values_per_row * points.count();
}

}  // namespace dns
