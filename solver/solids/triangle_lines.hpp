/// Where grid lines cross a surface of triangles.
///
/// Bodies act through the places where grid lines are cut, so these are found, and no distance from
/// the surface: exact to round-off, without a library (CGAL's trees and libigl's distances would
/// have to be searched for them again), in a time of the number of triangles and lines they cover.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/solids/point_places.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {

/// Lines along one axis through the points of a variable, and where they enter and leave the body
/// that the shells of a surface and its images make. A line crosses a closed surface an even number
/// of times, whatever the round-off; where images or shells overlap, the crossings are those of the
/// surface of all.
class TriangleLines {
 public:
  /// beside: how far the lines pass beside the points [L].
  TriangleLines(const Triangles& surface,
                const std::vector<Place>& images,
                int axis,
                const PointPlaces& places,
                Extents points,
                const Place& beside = {});
  /// places: of the points -1, 0, 1, ... along each axis, ascending [L].
  TriangleLines(const Triangles& surface,
                const std::vector<Place>& images,
                int axis,
                const PerAxis<std::vector<double>>& places);

  /// How often the line through c crosses the surface up to `place`.
  [[nodiscard]] std::size_t crossings_up_to(Index3 c, double place) const;
  /// Where the line through c enters and leaves the body around `place`; nothing outside of it.
  [[nodiscard]] std::optional<std::array<double, 2>> inside_at(Index3 c, double place) const;
  /// The way from `start` along `step` to the first crossing; the nearest one where there is none
  /// on the way.
  [[nodiscard]] double first_crossing(Index3 c, double start, double step) const;

 private:
  struct Inside {
    std::size_t line;
    double enters, leaves;  // [L]
  };
  void add_image(const Triangles& surface,
                 const Place& image,
                 const std::vector<double>& first,
                 const std::vector<double>& second,
                 std::vector<Inside>& inside) const;
  [[nodiscard]] std::span<const double> crossings_of_line(Index3 c) const;

  int axis_;
  int first_axis_, second_axis_;    // across the lines
  int count_first_;                 // lines side by side along first_axis_
  std::vector<std::size_t> begin_;  // of each line in crossings_, and the end of all
  std::vector<double> crossings_;   // [L], of each line ascending
};

}  // namespace dns
