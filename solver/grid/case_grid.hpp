/// The grid of a case: nodes of scheme splitting, cells of scheme projection.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/face_coordinates.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

/// Distance of neighbouring nodes [L]: length/(points - 1); length/points along a periodic axis.
[[nodiscard]] inline double spacing(const Case& resolved, int axis) {
  const int points = resolved.grid.points[axis];
  const int intervals = resolved.is_periodic(axis) ? points : points - 1;
  return resolved.grid.length[axis] / intervals;
}

/// Coordinate of node number `index` along an axis [L].
[[nodiscard]] inline double coordinate(const Case& resolved, int axis, int index) {
  return resolved.grid.origin[axis] + spacing(resolved, axis) * index;
}

/// Whether the faces are those of a uniform axis, up to the round-off of coordinates.
[[nodiscard]] inline bool is_uniform(const std::vector<double>& faces) {
  const double first = faces.front();
  const double length = faces.back() - first;
  const double round_off = 4 * std::numeric_limits<double>::epsilon() *
                           std::max(std::abs(first), std::abs(faces.back()));
  const auto cells = static_cast<double>(faces.size() - 1);
  for (std::size_t j = 0; j < faces.size(); ++j) {
    const double expected = first + length * (static_cast<double>(j) / cells);
    if (std::abs(faces[j] - expected) > round_off) return false;
  }
  return true;
}

/// The cells of a case of scheme projection.
[[nodiscard]] inline StaggeredGrid staggered_grid(const Case& resolved) {
  StaggeredGrid grid;
  for (int axis = 0; axis < 3; ++axis) {
    StaggeredAxis& along = grid[axis];
    along.is_periodic = resolved.is_periodic(axis);
    along.faces = face_coordinates(resolved.grid, axis);
    along.is_uniform = is_uniform(along.faces);
    if (has_rows_across_walls(resolved, axis)) {
      along.across_walls.emplace(along.faces);
      along.is_uniform = false;
    } else {
      along.order = resolved.accuracy.order[axis];
    }
  }
  return grid;
}

/// The whole box of a case.
[[nodiscard]] inline Subdomain whole_box(const Case& resolved) {
  return Subdomain::whole_box(
      resolved.grid.points,
      {resolved.is_periodic(0), resolved.is_periodic(1), resolved.is_periodic(2)});
}

/// Coordinates along an axis of the points where a variable lives [L]: the nodes; the low faces of
/// the cells for the velocity across them, else their centres.
[[nodiscard]] inline std::vector<double> point_coordinates(const Case& resolved,
                                                           int axis,
                                                           int variable) {
  std::vector<double> coordinates(resolved.grid.points[axis]);
  if (resolved.scheme == Scheme::splitting) {
    int node = 0;
    for (double& here : coordinates) here = coordinate(resolved, axis, node++);
    return coordinates;
  }
  const std::vector<double> faces = face_coordinates(resolved.grid, axis);
  if (variable != axis && has_rows_across_walls(resolved, axis)) {
    const OperatorsAcrossWalls operators(faces);
    int cell = 0;
    for (double& here : coordinates) here = operators.centre(cell++);
    return coordinates;
  }
  for (std::size_t cell = 0; cell < coordinates.size(); ++cell) {
    coordinates[cell] = variable == axis ? faces[cell] : (faces[cell] + faces[cell + 1]) / 2;
  }
  return coordinates;
}

/// Coordinates along each axis of the points of a part where a variable lives [L].
[[nodiscard]] inline PerAxis<std::vector<double>> point_coordinates(const Case& resolved,
                                                                    const Subdomain& part,
                                                                    int variable) {
  PerAxis<std::vector<double>> coordinates;
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> all = point_coordinates(resolved, axis, variable);
    const auto begin = all.begin() + part.first(axis);
    coordinates[axis].assign(begin, begin + part.points()[axis]);
  }
  return coordinates;
}

/// Coordinates along an axis of the points of a flow for viewing: all its variables are at the
/// nodes or the cell centres [L].
[[nodiscard]] inline std::vector<double> point_coordinates(const Case& resolved, int axis) {
  return point_coordinates(resolved, axis, first_scalar);
}

}  // namespace dns
