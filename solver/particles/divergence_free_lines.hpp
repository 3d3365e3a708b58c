/// The polynomials in the cells of an axis, for the divergence-free velocity of particles.
#pragma once

#include <array>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

/// What lies at an end of an axis, for the divergence-free velocity.
enum class DivergenceFreeEnd { periodic, mirror, resting_wall, moving_wall, open };

/// Both ends of an axis of a case. A wall counts as open unless its velocity along it is the same
/// everywhere, also where it meets other faces.
[[nodiscard]] std::array<DivergenceFreeEnd, 2> divergence_free_ends(const Case& resolved, int axis);

/// The tables of an axis on the host, see DivergenceFreeCell.
struct DivergenceFreeLines {
  /// Requires three cells at least.
  DivergenceFreeLines(const StaggeredAxis& axis, std::array<DivergenceFreeEnd, 2> ends);

  std::vector<double> numbers;
  std::vector<int> indices;
};

}  // namespace dns
