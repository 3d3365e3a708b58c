#include "solver/config/smallest_cells.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/config/face_coordinates.hpp"

namespace dns {

double smallest_cell(const GridCase& grid, int axis) {
  double least = std::numeric_limits<double>::infinity();
  const std::vector<double> faces = face_coordinates(grid, axis);
  for (std::size_t n = 0; n + 1 < faces.size(); ++n)
    least = std::min(least, faces[n + 1] - faces[n]);
  return least;
}

double smallest_cell(const GridCase& grid) {
  return std::min({smallest_cell(grid, 0), smallest_cell(grid, 1), smallest_cell(grid, 2)});
}

std::optional<double> cells_across(const SolidCase& body, const GridCase& grid) {
  std::optional<double> fewest;
  const bool is_box = body.shape == SolidCase::Shape::box;
  const bool is_cylinder = body.shape == SolidCase::Shape::cylinder;
  if (!is_box && !is_cylinder && body.shape != SolidCase::Shape::sphere) return fewest;
  for (int axis = 0; axis < 3; ++axis) {
    double width = is_box ? body.high[axis] - body.low[axis] : 2 * body.radius;
    if (is_cylinder && axis == body.axis) {
      if (!body.length) continue;
      width = *body.length;
    }
    if (width >= grid.length[axis]) continue;
    const double cells = width / smallest_cell(grid, axis);
    fewest = std::min(fewest.value_or(cells), cells);
  }
  return fewest;
}

}  // namespace dns
