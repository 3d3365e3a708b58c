/// The axes across a channel or a duct, and the waves that disturb a flow there at the start.
#pragma once

#include <algorithm>
#include <cstddef>

#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"

namespace dns {

[[nodiscard]] inline bool is_free(const Case& resolved, int axis, bool is_high) {
  return FaceConditions(resolved, face_index(axis, is_high)).is_free();
}

/// An axis between two walls, or between a wall and a free face: the middle of two.
struct WalledAxis {
  int axis = 0;
  double half = 1, middle = 0;  // of the distance of the walls, and of the place between them [L]
  bool ends_in_the_middle = false;  // at a free face

  /// From -1 at the lower wall to 1 at the upper one; 0 in the middle.
  [[nodiscard]] double place(double coordinate) const { return (coordinate - middle) / half; }
};

/// Requires an axis that has_walls.
[[nodiscard]] inline WalledAxis walled_axis(const Case& resolved, int axis) {
  const double length = resolved.grid.length[axis];
  const double origin = resolved.grid.origin[axis];
  if (is_free(resolved, axis, false)) return {axis, length, origin, true};
  if (is_free(resolved, axis, true)) return {axis, length, origin + length, true};
  return {axis, length / 2, origin + length / 2, false};
}

/// The given velocity along the wall at an end of an axis, at t = 0 and the corner of the box there
/// [U]; at a free face that of the other end. 0 across it, as blowing and suction have no mean.
[[nodiscard]] inline double velocity_of_wall(const Case& resolved,
                                             int axis,
                                             bool is_high,
                                             int component) {
  if (component == axis) return 0;
  if (is_free(resolved, axis, is_high)) is_high = !is_high;
  PerAxis<double> at = resolved.grid.origin;
  if (is_high) {
    at[axis] += resolved.grid.length[axis];
  }
  return resolved.faces[face_index(axis, is_high)].velocity[component](at[0], at[1], at[2], 0);
}

inline constexpr int most_waves_along = 4;   // along the flow
inline constexpr int most_waves_across = 8;  // along each other axis

/// Number of waves on `length` whose lengths are at least `shortest`, limited to 1 .. `most`.
[[nodiscard]] inline int waves_on(double length, double shortest, int most) {
  return std::clamp(static_cast<int>(length / shortest), 1, most);
}

}  // namespace dns
