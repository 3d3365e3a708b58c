/// Signed distances from a surface of triangles at the nodes of a lattice beside it.
#pragma once

#include <vector>

#include "solver/config/case.hpp"
#include "solver/numerics/distance_lattice.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {

/// A lattice and its values on the host.
struct SurfaceLattice {
  DistanceLattice lattice;  // without pointers
  std::vector<int> numbers;
  std::vector<float> distances;
};

/// Signed distances from a surface and its images beyond periodic ends, below 0 in the body.
///
/// Along each axis the spacing is half of the smallest cell, of those near the body where the axis
/// is not periodic. On uniform axes nodes are at faces and centres of cells: a part of the body
/// that the flow has a point in is also in the lattice. Distances of nodes are exact outside as far
/// as the surface of a particle and differences there need them, inside for two of the largest
/// cells, the way of a particle along an axis in a step. The side is that of the crossings of lines
/// along x (TriangleLines), as of points of the flow. Where shells or images overlap, what lies
/// inside of the body is no surface.
///
/// Takes 1 to 2 us for each node near the surface; `threads` share it. Throws CaseError where the
/// size of the surface does not fit the box.
[[nodiscard]] SurfaceLattice find_distances(const Triangles& surface,
                                            const SolidCase& body,
                                            const Case& resolved,
                                            int threads);

/// A lattice as find_distances gives it, with zeros instead of distances, in a small part of the
/// time.
[[nodiscard]] SurfaceLattice lattice_of_zeros(const Triangles& surface,
                                              const SolidCase& body,
                                              const Case& resolved);

}  // namespace dns
