/// Staggered (MAC) grids: the cells of scheme `projection`.
///
/// Along each axis n cells lie between n + 1 faces. p and T live at cell centres, the velocity
/// component along an axis at the faces across it, the other two at its cell centres.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/config/operators_across_walls.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// One axis. Face i is the low face of cell i; along a periodic axis face n is face 0 again.
struct StaggeredAxis {
  bool is_periodic = false;
  bool is_uniform = true;     // all widths equal but for round-off
  std::vector<double> faces;  // [L] n + 1 coordinates, ascending
  int order = 2;  // of differences; above 2: uniform, periodic or with symmetry at both ends
  // Differences of order 4 between boundaries; `order` is then 2, that of all else than equations.
  std::optional<OperatorsAcrossWalls> across_walls{};

  [[nodiscard]] int cells() const { return static_cast<int>(faces.size()) - 1; }
  [[nodiscard]] double length() const { return faces.back() - faces.front(); }
  [[nodiscard]] double face(int i) const { return faces[i]; }
  /// Width of cell i [L]; along a periodic axis of the cell it repeats. All are exactly equal along
  /// a uniform axis, as its transforms require.
  [[nodiscard]] double width(int i) const {
    if (is_uniform) return length() / cells();
    if (is_periodic) i = (i + cells()) % cells();
    return face(i + 1) - face(i);
  }
  [[nodiscard]] double centre(int i) const {
    return across_walls ? across_walls->centre(i) : (face(i) + face(i + 1)) / 2;
  }
  /// The weight of cell i in sums over cells [L]: its width, or wc across walls.
  [[nodiscard]] double cell_volume(int i) const {
    return across_walls ? across_walls->cell_volume(i) : width(i);
  }
  /// The weight of face i in sums over faces [L], 0 <= i <= n: centre_distance, or wf across walls.
  [[nodiscard]] double face_volume(int i) const {
    return across_walls ? across_walls->face_volume(i) : centre_distance(i);
  }
  [[nodiscard]] bool is_wall(int face_index) const {
    return !is_periodic && (face_index == 0 || face_index == cells());
  }
  /// Width of cell i [L], -1 <= i <= n; beyond a wall that of the mirror image of the cell inside.
  [[nodiscard]] double mirrored_width(int i) const {
    return width(is_periodic ? i : std::clamp(i, 0, cells() - 1));
  }
  /// Distance of the centres on both sides of face i [L], 0 <= i <= n: of cells i - 1 and i; at a
  /// wall between a centre and its mirror image.
  [[nodiscard]] double mirrored_distance(int i) const {
    if (across_walls && is_wall(i)) return 2 * std::abs(face(i) - centre(i == 0 ? 0 : i - 1));
    if (across_walls) return centre(i) - centre(i - 1);
    return (mirrored_width(i - 1) + mirrored_width(i)) / 2;
  }
  /// Distance of the centres on both sides of face i [L], 0 <= i <= n; at a wall from the centre to
  /// the wall itself, half a cell.
  [[nodiscard]] double centre_distance(int i) const {
    return is_wall(i) ? mirrored_distance(i) / 2 : mirrored_distance(i);
  }
};

using StaggeredGrid = PerAxis<StaggeredAxis>;

}  // namespace dns
