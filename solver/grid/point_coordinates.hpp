/// Where the values of a flow for viewing stand.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "solver/grid/uniform_grid.hpp"

namespace dns {

/// Coordinates of the nodes, or of the centres of the cells, along one axis [L].
[[nodiscard]] inline std::vector<double> point_coordinates(const Case& resolved, int axis) {
  std::vector<double> coordinates(static_cast<std::size_t>(resolved.grid.points[axis]));
  if (resolved.scheme == Scheme::projection) {
    const std::vector<double> faces = face_coordinates(resolved.grid, axis);
    for (std::size_t cell = 0; cell < coordinates.size(); ++cell)
      coordinates[cell] = (faces[cell] + faces[cell + 1]) / 2;
    return coordinates;
  }
  int node = 0;
  for (double& here : coordinates) here = coordinate(resolved, axis, node++);
  return coordinates;
}

}  // namespace dns
