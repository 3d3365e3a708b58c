/// Interpolation of third degree among the points of a line.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace dns {

/// Round-off of the place of a point, in distances of points.
inline constexpr double round_off_of_place = 1e-9;

/// The value at a place of a line from those at some of its points:
///
///   f = (SUM_n weight[n] f(point[n])) / divisor,   n = 0 .. count-1
struct LineStencil {
  static constexpr int most_points = 4;
  int count = 0;
  std::array<int, most_points> point{};  // by their number on the line
  std::array<double, most_points> weight{};
  double divisor = 1;
};

/// Points of a line: ascending coordinates [L], one at least; period: the length of a line that is
/// periodic, on which they lie, else 0.
struct LinePoints {
  std::vector<double> coordinates;
  double period = 0;

  [[nodiscard]] int count() const { return static_cast<int>(coordinates.size()); }
  /// By how many periods point n lies beyond the one that it repeats, which has the number
  /// n - periods(n) count(); n may be any whole number along a periodic line.
  [[nodiscard]] int periods(int n) const {
    return period > 0 ? (n >= 0 ? n : n - count() + 1) / count() : 0;
  }
  [[nodiscard]] double coordinate(int n) const {
    const int beyond = periods(n);
    return coordinates[n - beyond * count()] + beyond * period;
  }
};

namespace line_stencils {

/// The Lagrange polynomial through `count` points from number `first` on:
///   weight_n = PRODUCT over the other points m of (s - s_m) / (s_n - s_m)
[[nodiscard]] inline LineStencil lagrange(const LinePoints& line,
                                          int first,
                                          int count,
                                          double position) {
  LineStencil stencil;
  for (int n = first; n < first + count; ++n) {
    double weight = 1;
    for (int m = first; m < first + count; ++m) {
      if (m == n) continue;
      weight *= (position - line.coordinate(m)) / (line.coordinate(n) - line.coordinate(m));
    }
    const int point = n - line.periods(n) * line.count();
    auto* const end = stencil.point.begin() + stencil.count;
    auto* const same = std::find(stencil.point.begin(), end, point);  // another image of it
    const std::size_t at = same - stencil.point.begin();
    stencil.point[at] = point;
    stencil.weight[at] += weight;
    if (same == end) ++stencil.count;
  }
  return stencil;
}

}  // namespace line_stencils

/// Through the two points on each side of a position; near an end of a line that is not periodic
/// through the four outermost, and beyond its outermost points through the last two. Lines of fewer
/// points are interpolated in a lower degree. On a point, up to round-off, its value alone.
/// The error is O(h^4) for smooth f, O(h^2) beyond the outermost points.
[[nodiscard]] inline LineStencil cubic_stencil(const LinePoints& line, double position) {
  const std::vector<double>& points = line.coordinates;
  const bool is_periodic = line.period > 0;
  if (is_periodic) position -= std::floor((position - points.front()) / line.period) * line.period;
  const auto above = std::ranges::upper_bound(points, position);
  const int below = static_cast<int>(above - points.begin()) - 1;  // -1: beyond the low end
  if (!is_periodic && line.count() == 1) return line_stencils::lagrange(line, 0, 1, position);
  const int low = is_periodic ? below : std::clamp(below, 0, line.count() - 2);
  const double distance = line.coordinate(low + 1) - line.coordinate(low);
  for (const int near : {low, low + 1}) {
    if (std::abs(position - line.coordinate(near)) <= round_off_of_place * distance)
      return line_stencils::lagrange(line, near, 1, position);
  }
  const bool is_beyond = position < points.front() || position > points.back();
  if (!is_periodic && is_beyond) return line_stencils::lagrange(line, low, 2, position);
  if (is_periodic) return line_stencils::lagrange(line, low - 1, 4, position);
  const int count = std::min(line.count(), LineStencil::most_points);
  const int first = std::clamp(low - 1, 0, line.count() - count);
  return line_stencils::lagrange(line, first, count, position);
}

}  // namespace dns
