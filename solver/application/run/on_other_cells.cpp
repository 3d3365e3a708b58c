#include "solver/application/run/on_other_cells.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace dns {
namespace {

/// Faces of `cells` cells between those of an axis, from end to end.
std::vector<double> faces_of(int cells, const std::vector<double>& faces) {
  std::vector<double> other;
  const auto own = static_cast<double>(faces.size() - 1);
  for (int face = 0; face < cells; ++face) {
    const double place = face * own / cells;
    const auto below = static_cast<std::size_t>(place);
    other.push_back(std::lerp(faces[below], faces[below + 1], place - static_cast<double>(below)));
  }
  other.push_back(faces.back());
  return other;
}

}  // namespace

Case on_other_cells(Case resolved, const Extents& points) {
  for (int axis = 0; axis < 3; ++axis) {
    StretchingCase& along = resolved.grid.stretching.at(static_cast<std::size_t>(axis));
    const bool is_same = points[axis] == resolved.grid.points[axis];
    if (along.kind == StretchingCase::Kind::coordinates && !is_same)
      along.coordinates = faces_of(points[axis], along.coordinates);
    int& order = resolved.accuracy.order.at(static_cast<std::size_t>(axis));
    if (order > points[axis]) order = 2;
  }
  resolved.grid.points = points;
  return resolved;
}

}  // namespace dns
