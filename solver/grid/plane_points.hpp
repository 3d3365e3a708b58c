/// Where the variables of a flow have their points in a plane normal to an axis, and between which
/// planes of their points it lies.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/line_stencils.hpp"

namespace dns {

/// Whether the variable lives on the faces of cells across an axis, 0 .. n of them.
[[nodiscard]] inline bool is_at_faces(const Case& resolved, int variable, int axis) {
  return resolved.scheme == Scheme::projection && variable == axis;
}

/// Coordinates along an axis, ascending, from that of the point with the index `first` on [L].
struct PointPlanes {
  int first = 0;
  std::vector<double> coordinates;
};

/// Coordinates of all planes of points of a variable, so that each plane of the box is between two
/// of them: beside the faces 0 .. n, the cell centres with their ghosts or the nodes, of which a
/// periodic axis has node n as well.
[[nodiscard]] inline PointPlanes point_planes(const Case& resolved, int axis, int variable) {
  PointPlanes planes;
  if (resolved.scheme == Scheme::splitting) {
    const int nodes = resolved.grid.points[axis] + (resolved.is_periodic(axis) ? 1 : 0);
    for (int node = 0; node < nodes; ++node)
      planes.coordinates.push_back(coordinate(resolved, axis, node));
    return planes;
  }
  const StaggeredAxis along = staggered_grid(resolved)[axis];
  if (is_at_faces(resolved, variable, axis)) {
    planes.coordinates = along.faces;
    return planes;
  }
  planes.first = -1;
  // Beyond a boundary the ghost is the mirror image of the first point inside.
  const auto from_ghost = [&](int face, int cell) {
    return (along.across_walls ? along.mirrored_distance(face) : along.mirrored_width(cell)) / 2;
  };
  const int n = along.cells();
  planes.coordinates.push_back(along.faces.front() - from_ghost(0, -1));
  for (int cell = 0; cell < n; ++cell) planes.coordinates.push_back(along.centre(cell));
  planes.coordinates.push_back(along.faces.back() + from_ghost(n, n));
  return planes;
}

/// A plane between two planes of points of a variable q:
///   q = (1 - weight) q(below) + weight q(below + 1)
struct PlaneBetween {
  int below = 0;      // index in the box; -1: of ghost points
  double weight = 0;  // 0: on the points
};

/// Requires that the coordinate `at` is in the box [L].
[[nodiscard]] inline PlaneBetween plane_between(const PointPlanes& planes, double at) {
  const auto above = std::ranges::upper_bound(planes.coordinates, at);
  const auto last = std::ssize(planes.coordinates) - 2;
  const auto below =
      std::clamp<std::ptrdiff_t>(above - planes.coordinates.begin() - 1, 0, std::max(last, 0L));
  const std::size_t from = below;
  const int index = planes.first + static_cast<int>(below);
  if (last < 0) return {index, 0};  // a single plane
  const double weight =
      (at - planes.coordinates[from]) / (planes.coordinates[from + 1] - planes.coordinates[from]);
  if (weight < round_off_of_place) return {index, 0};
  if (weight > 1 - round_off_of_place) return {index + 1, 0};
  return {index, weight};
}
/// The plane continued from the planes of points `below` and the next.
[[nodiscard]] inline PlaneBetween continued_plane(const PointPlanes& planes, double at, int below) {
  const std::size_t from = below - planes.first;
  return {
      below,
      (at - planes.coordinates[from]) / (planes.coordinates[from + 1] - planes.coordinates[from])};
}
/// The pressure has no value on a closed face: beyond the outermost cell centres it is continued
/// from the two inside.
[[nodiscard]] inline PlaneBetween plane_between(const Case& resolved,
                                                const PlaneCase& plane,
                                                int variable) {
  const PointPlanes planes = point_planes(resolved, plane.axis, variable);
  const PlaneBetween between = plane_between(planes, plane.at);
  const int cells = resolved.grid.points[plane.axis];
  const bool is_pressure =
      solved_variables(resolved)[variable].transport == Variable::Transport::none;
  const bool is_beyond = between.weight > 0 && (between.below < 0 || between.below == cells - 1);
  if (!is_pressure || !is_beyond || cells < 2 || resolved.is_periodic(plane.axis)) return between;
  return continued_plane(planes, plane.at, between.below < 0 ? 0 : cells - 2);
}

/// Planes of points around a plane for the velocity through the high face of the box across an axis
/// in the plane, where the plane is between the outermost cells and their ghosts: beyond an edge of
/// the box the ghosts of that velocity are not those of the flow, so it is continued from the two
/// planes inside. None where nothing is to be continued.
[[nodiscard]] inline std::optional<PlaneBetween> plane_inside_of_edge(const Case& resolved,
                                                                      const PlaneCase& plane,
                                                                      int variable,
                                                                      const PlaneBetween& between) {
  const int cells = resolved.grid.points[plane.axis];
  const bool is_at_ghosts = between.weight > 0 && (between.below < 0 || between.below == cells - 1);
  const bool lies_in_plane = is_velocity(variable) && variable != plane.axis;
  if (resolved.scheme != Scheme::projection || !lies_in_plane || !is_at_ghosts || cells < 2 ||
      resolved.is_periodic(variable) || resolved.is_periodic(plane.axis))
    return std::nullopt;
  return continued_plane(
      point_planes(resolved, plane.axis, variable), plane.at, between.below < 0 ? 0 : cells - 2);
}

/// The points that a part of the box has of the plane of points `between.below`, by their index in
/// the part: those of all parts, one after the other, make the plane. Empty where it has none.
[[nodiscard]] inline Box points_of_part(const Case& resolved,
                                        const PlaneCase& plane,
                                        int variable,
                                        const PlaneBetween& between,
                                        const Subdomain& part) {
  Box box{{}, {part.points().nx, part.points().ny, part.points().nz}};
  for (const int axis : {0, 1, 2}) {
    if (axis == plane.axis) continue;
    const bool is_last = part.part.end[axis] == part.whole[axis];
    if (is_last && is_at_faces(resolved, variable, axis)) ++box.end[axis];
  }
  const int owned = std::clamp(between.below, 0, part.whole[plane.axis] - 1);
  const bool is_here = owned >= part.first(plane.axis) && owned < part.part.end[plane.axis];
  box.begin[plane.axis] = between.below - part.first(plane.axis);
  box.end[plane.axis] = box.begin[plane.axis] + (is_here ? 1 : 0);
  return box;
}

/// The values that a part of the box has in all planes of a case, at most.
[[nodiscard]] inline std::size_t values_in_planes(const Case& resolved, const Subdomain& part) {
  std::size_t values = 0;
  if (!resolved.output.planes) return values;
  for (const PlaneCase& plane : resolved.output.planes->planes) {
    Extents points = part.points();
    for (const int axis : {0, 1, 2}) points[axis] = axis == plane.axis ? 1 : points[axis] + 1;
    values += points.count() * solved_variables(resolved).size();
  }
  return values;
}

}  // namespace dns
