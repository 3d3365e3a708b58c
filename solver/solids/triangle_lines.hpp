/// Where grid lines cross a surface of triangles.
///
/// Bodies act through the places where grid lines are cut, so these are found, and no distance from
/// the surface: exact to round-off, without a library (CGAL's trees and libigl's distances would
/// have to be searched for them again), in a time of the number of triangles and lines they cover.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/solids/point_places.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {

/// All lines along one axis through the points of a variable. A line crosses a closed surface an
/// even number of times, whatever the round-off: whether it passes on one side or the other of an
/// edge is the same for both triangles there. Where images overlap, the crossings are those of the
/// surface of all.
class TriangleLines {
 public:
  TriangleLines(const Triangles& surface, int axis, const PointPlaces& places, Extents points);

  /// How often the line through c crosses the surface up to `place`.
  [[nodiscard]] std::size_t crossings_up_to(Index3 c, double place) const;
  /// The way from `start` along `step` to the first crossing; the nearest one where there is none
  /// on the way.
  [[nodiscard]] double first_crossing(Index3 c, double start, double step) const;

 private:
  [[nodiscard]] std::size_t line_of(Index3 c) const;

  int axis_;
  int first_axis_, second_axis_;    // across the lines
  int count_first_;                 // lines side by side along first_axis_
  std::vector<std::size_t> begin_;  // of each line in crossings_, and the end of all
  std::vector<double> crossings_;   // [L], of each line ascending
};

}  // namespace dns
