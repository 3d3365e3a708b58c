/// The faces of the cells of scheme projection.
#pragma once

#include <cmath>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

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

}  // namespace dns
