/// Staggered (MAC) grids: where the cells of scheme `projection` lie.
///
/// Along each axis n cells lie between n + 1 faces. p and T live at cell centres, the velocity
/// component along an axis at the faces across it, the other two at its cell centres.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace dns {

/// One axis. Face i is the low face of cell i; along a periodic axis face n is face 0 again.
struct StaggeredAxis {
  bool is_periodic = false;
  bool is_uniform = true;     // all widths equal but for round-off
  std::vector<double> faces;  // [L] n + 1 coordinates, ascending

  [[nodiscard]] int cells() const { return static_cast<int>(faces.size()) - 1; }
  [[nodiscard]] double length() const { return faces.back() - faces.front(); }
  [[nodiscard]] double face(int i) const { return faces[static_cast<std::size_t>(i)]; }
  /// Width of cell i; along a periodic axis of the cell it repeats. All are exactly equal along a
  /// uniform axis, as its transforms take them to be.
  [[nodiscard]] double width(int i) const {
    if (is_uniform) return length() / cells();
    if (is_periodic) i = (i + cells()) % cells();
    return face(i + 1) - face(i);
  }
  [[nodiscard]] double centre(int i) const { return (face(i) + face(i + 1)) / 2; }
  /// Distance between the unknowns at both sides of face i, 0 <= i <= n: of the centres of cells
  /// i - 1 and i; half a cell at a wall.
  [[nodiscard]] double centre_distance(int i) const {
    if (!is_periodic && i == 0) return width(0) / 2;
    if (!is_periodic && i == cells()) return width(i - 1) / 2;
    return (width(i - 1) + width(i)) / 2;
  }
};

using StaggeredGrid = std::array<StaggeredAxis, 3>;

}  // namespace dns
