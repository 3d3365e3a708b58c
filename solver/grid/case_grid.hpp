/// The grid of a case: nodes of scheme splitting, cells of scheme projection.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/config/case.hpp"
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

/// Coordinates of the n + 1 faces along one axis, ascending, from origin to origin + length [L]:
///
///   uniform:      face_j = origin + length j/n
///   tanh:         face_j = origin + length (1 + tanh(b (2j/n - 1))/tanh(b))/2,  b = factor
///     fine_at low:   face_j = origin + length (1 - tanh(b (1 - j/n))/tanh(b))
///     fine_at high:  face_j = origin + length tanh(b j/n)/tanh(b)
///   coordinates:  as given
///
/// An axis that is fine at its low end has the cells of the lower half of one that is fine at both,
/// of twice the length and twice the number of cells.
[[nodiscard]] inline std::vector<double> face_coordinates(const GridCase& grid, int axis) {
  const StretchingCase& stretching = grid.stretching[axis];
  if (stretching.kind == StretchingCase::Kind::coordinates) return stretching.coordinates;
  const int cells = grid.points[axis];
  const double b = stretching.factor;
  std::vector<double> faces(cells + 1);
  for (int j = 0; j <= cells; ++j) {
    double fraction = static_cast<double>(j) / cells;
    if (stretching.kind == StretchingCase::Kind::tanh) {
      switch (stretching.fine_at) {
        case StretchingCase::FineAt::low:
          fraction = 1 - std::tanh(b * (1 - fraction)) / std::tanh(b);
          break;
        case StretchingCase::FineAt::high:
          fraction = std::tanh(b * fraction) / std::tanh(b);
          break;
        case StretchingCase::FineAt::both:
          fraction = (1 + std::tanh(b * (2 * fraction - 1)) / std::tanh(b)) / 2;
          break;
      }
    }
    faces[j] = grid.origin[axis] + grid.length[axis] * fraction;
  }
  return faces;
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
    along.order = resolved.accuracy.order[axis];
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
