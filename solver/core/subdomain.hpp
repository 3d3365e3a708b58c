/// The part of the grid that a rank computes.
#pragma once

#include <array>
#include <cstddef>

#include "solver/core/index.hpp"

namespace dns {

/// What lies beyond an end of a part along an axis.
enum class End {
  boundary,  // of the box, where its conditions hold
  periodic,  // the other end of the same part
  neighbour  // the part of another rank
};

/// The first of `count` things of which `rank` has a share; shares differ by one at most.
[[nodiscard]] constexpr int first_of_share(int count, int rank, int ranks) {
  return static_cast<int>(static_cast<long>(count) * rank / ranks);
}

/// A block of the points of a box and what lies beyond it. A single rank has the whole box.
/// Formulas, fields and files of a rank count points from the first one of its part; coordinates
/// and random numbers are functions of the index in the box.
struct Subdomain {
  Extents whole;                     // points of the box
  Box part;                          // those of this rank, by their index in the box
  PerAxis<std::array<End, 2>> ends;  // axis; low, high

  [[nodiscard]] static Subdomain whole_box(Extents points, const PerAxis<bool>& is_periodic) {
    Subdomain box{points, {{}, {points.nx, points.ny, points.nz}}, {}};
    for (int axis = 0; axis < is_periodic.size(); ++axis)
      box.ends[axis].fill(is_periodic[axis] ? End::periodic : End::boundary);
    return box;
  }

  /// The slab along z of rank `rank`; sizes of slabs differ by a plane at most. Requires
  /// 0 <= rank < ranks <= points along z.
  [[nodiscard]] Subdomain slab(int rank, int ranks) const {
    Subdomain slab = *this;
    slab.part.begin.k = first_of_share(whole.nz, rank, ranks);
    slab.part.end.k = first_of_share(whole.nz, rank + 1, ranks);
    if (ranks == 1) return slab;
    const bool repeats = ends[2][0] == End::periodic;
    if (repeats || rank > 0) slab.ends[2][0] = End::neighbour;
    if (repeats || rank + 1 < ranks) slab.ends[2][1] = End::neighbour;
    return slab;
  }

  [[nodiscard]] Extents points() const { return part.extents(); }
  /// The index in the box of point 0.
  [[nodiscard]] int first(auto axis) const { return part.begin[axis]; }
  /// Whether the part is its own periodic neighbour along the axis.
  [[nodiscard]] bool is_periodic(auto axis) const { return ends[axis][0] == End::periodic; }
  [[nodiscard]] bool is_boundary(auto axis, bool is_high_end) const {
    return ends[axis][is_high_end ? 1 : 0] == End::boundary;
  }
  /// Whether a face of the part lies on the boundary of the box: x_min, x_max, y_min, ...
  [[nodiscard]] bool is_boundary(int face) const { return is_boundary(face / 2, face % 2 != 0); }
};

}  // namespace dns
