/// Planes with known values for tests of their files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "output_testing.hpp"
#include "solver/files/plane_grid.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/grid/plane_values.hpp"

namespace dns {

/// The value of a variable in a plane: distinct, exact in float.
inline double known_in_plane(int variable,
                             std::size_t first,
                             std::size_t second,
                             std::int64_t step) {
  return 0.25 * static_cast<double>(first + 8 * second + 64 * static_cast<std::size_t>(variable)) +
         512 * static_cast<double>(step);
}

/// Case of known_flow() with planes normal to each axis: called across_x, across_y, across_z.
inline Case known_case_with_planes(Case resolved, Precision precision) {
  resolved.output.planes = PlanesCase{.every = 5, .precision = precision, .planes = {}};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    resolved.output.planes->planes.push_back(
        {.name = "across_" + axis_name(axis),
         .axis = axis,
         .at = resolved.grid.origin[a] + resolved.grid.length[a] / 4});
  }
  return resolved;
}

/// Points of a variable in a plane, first and second axis.
inline std::array<std::size_t, 2> known_points(const Case& resolved,
                                               const PlaneCase& plane,
                                               int variable) {
  const AxesInPlane axes = axes_in_plane(static_cast<Axis>(plane.axis));
  const auto points_along = [&](Axis along) {
    const int axis = static_cast<int>(along);
    const int faces_more = is_at_faces(resolved, variable, axis) ? 1 : 0;
    return static_cast<std::size_t>(resolved.grid.points[axis] + faces_more);
  };
  return {points_along(axes.first), points_along(axes.second)};
}

/// All planes of a case at a step, at time step / 2.
inline PlaneRecord known_record(const Case& resolved, std::int64_t step) {
  PlaneRecord record{.step = step, .time = 0.5 * static_cast<double>(step), .planes = {}};
  for (const PlaneCase& plane : resolved.output.planes->planes) {
    PlaneValues& values = record.planes.emplace_back(solved_variables(resolved).size());
    for (int variable = 0; variable < std::ssize(values); ++variable) {
      const auto [firsts, seconds] = known_points(resolved, plane, variable);
      for (std::size_t second = 0; second < seconds; ++second) {
        for (std::size_t first = 0; first < firsts; ++first) {
          values.at(variable).push_back(known_in_plane(variable, first, second, step));
        }
      }
    }
  }
  return record;
}

}  // namespace dns
