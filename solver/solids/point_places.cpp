#include "solver/solids/point_places.hpp"

#include <cstddef>

#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

/// Beyond an end that is not periodic the distance of the last two points is repeated.
double place_of(const std::vector<double>& points, int index, bool is_periodic, double length) {
  const int n = static_cast<int>(points.size());
  const auto at = [&](int i) { return points[i]; };
  if (index >= 0 && index < n) return at(index);
  if (is_periodic) return index < 0 ? at(index + n) - length : at(index - n) + length;
  return index < 0 ? 2 * at(0) - at(1) : 2 * at(n - 1) - at(n - 2);
}

}  // namespace

PointPlaces::PointPlaces(const Case& resolved, const Subdomain& part, int variable) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> points = point_coordinates(resolved, axis, variable);
    const bool is_periodic = resolved.is_periodic(axis);
    const int n = static_cast<int>(points.size());
    const bool is_staggered = resolved.scheme == Scheme::projection;
    const int first = is_staggered ? (variable == axis ? 1 : 0) : 1;
    const int end = is_staggered ? n : n - 1;
    for (int local = -1; local <= part.points()[axis]; ++local) {
      const int index = local + part.first(axis);
      double place = place_of(points, index, is_periodic, resolved.grid.length[axis]);
      if (is_staggered && variable == axis && !is_periodic && index == n)
        place = resolved.grid.origin[axis] +
                resolved.grid.length[axis];  // the face at the end of the box
      places_[axis].push_back(place);
      is_unknown_[axis].push_back(is_periodic || (index >= first && index < end));
    }
  }
}

}  // namespace dns
