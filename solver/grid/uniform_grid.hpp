/// The uniform grid of scheme splitting.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// Distance of neighbouring nodes [L]: length/(points - 1); length/points along a periodic axis.
[[nodiscard]] inline double spacing(const Case& resolved, int axis) {
  const int points = resolved.grid.points[axis];
  const int intervals = resolved.is_periodic(axis) ? points : points - 1;
  return resolved.grid.length[static_cast<std::size_t>(axis)] / intervals;
}

/// Coordinate of node number `index` along an axis [L].
[[nodiscard]] inline double coordinate(const Case& resolved, int axis, int index) {
  return resolved.grid.origin[static_cast<std::size_t>(axis)] + spacing(resolved, axis) * index;
}

}  // namespace dns
