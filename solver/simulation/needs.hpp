/// What a simulation needs, before anything is allocated.
#pragma once

#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/backend_memory.hpp"
#include "solver/core/subdomain.hpp"

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

/// Values of what a rank keeps for sweeps across slabs (solver/ranks/): for each line along z the
/// relations of its piece's ends, 2 (2 matrices + unknowns), the unknowns beyond them, 2 unknowns,
/// and as much again for the lines that it solves. 0 for the whole box.
[[nodiscard]] inline std::size_t seam_values(const Subdomain& part,
                                             std::size_t matrices,
                                             std::size_t unknowns) {
  const bool is_whole = part.points() == part.whole;
  const std::size_t lines = Extents{part.whole.nx + 15, part.whole.ny, 1}.count();
  return is_whole ? 0 : lines * 4 * (2 * matrices + 2 * unknowns);
}

}  // namespace dns
