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

/// Points of averages over the axes of output.statistics.average of a part of the box, with `more`
/// points than cells along the axes that are kept; 0 where no averages are asked for.
[[nodiscard]] inline std::size_t points_of_averages(const Case& resolved,
                                                    Extents points,
                                                    int more = 0) {
  if (!resolved.output.statistics) return 0;
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_averaged = resolved.output.statistics->average.at(static_cast<std::size_t>(axis));
    points[axis] = is_averaged ? 1 : points[axis] + more;
  }
  return points.count();
}

/// Values in double of all sums of averages of the whole box, without spectra: powers of variables,
/// with points beyond the cells, and products; for budgets those at cells, unknowns and ends of
/// control volumes. Where there are bodies also their shares.
[[nodiscard]] inline std::size_t values_in_sums(const Case& resolved) {
  const std::size_t variables = resolved.has_temperature() ? 5 : 4;
  const std::size_t powers = variables * (resolved.solids.empty() ? 4 : 5);
  constexpr std::size_t products = 8;
  constexpr std::size_t at_cells = 34;
  constexpr std::size_t at_unknowns = 9;
  constexpr std::size_t at_ends = 24;  // of each axis that is kept
  const Extents whole = resolved.grid.points;
  const std::size_t cells = points_of_averages(resolved, whole);
  const std::size_t usual = powers * points_of_averages(resolved, whole, 2) + products * cells;
  if (cells == 0 || !resolved.output.statistics->budgets) return usual;
  std::size_t at_faces = at_unknowns;
  for (const bool is_averaged : resolved.output.statistics->average)
    at_faces += is_averaged ? 0 : at_ends;
  return usual + at_cells * cells + at_faces * points_of_averages(resolved, whole, 1);
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
