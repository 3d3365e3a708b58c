/// Places between the points of an axis, for linear interpolation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dns {

/// A place between two points of an axis: the value there is (1 - weight) f[low] + weight f[high].
struct Place {
  std::size_t low = 0, high = 0;
  double weight = 0;

  [[nodiscard]] double between(double at_low, double at_high) const {
    return at_low + weight * (at_high - at_low);
  }
};

/// The place of a position among ascending points, two at least; beyond the outermost ones the line
/// through the last two goes on.
[[nodiscard]] inline Place place_among(const std::vector<double>& points, double position) {
  const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, position);
  const std::size_t high = above - points.begin();
  return {.low = high - 1,
          .high = high,
          .weight = (position - points[high - 1]) / (points[high] - points[high - 1])};
}

/// Finds places along one axis.
class AxisPlaces {
 public:
  /// points: ascending [L], at least one; period: the length of a periodic axis, on which they lie,
  /// else 0.
  AxisPlaces(std::vector<double> points, double period)
      : points_(std::move(points)), count_(points_.size()), is_periodic_(period > 0) {
    if (!is_periodic_) return;
    const double first = points_.front();
    points_.insert(points_.begin(), points_.back() - period);
    points_.push_back(first + period);
  }

  /// Beyond the outermost points of an axis that is not periodic the line through the last two goes
  /// on.
  [[nodiscard]] Place at(double position) const {
    if (points_.size() == 1) return {};
    const Place found = place_among(points_, position);
    return {.low = index(found.low), .high = index(found.high), .weight = found.weight};
  }
  /// There the value of the last point.
  [[nodiscard]] Place held_at(double position) const {
    return at(std::clamp(position, points_.front(), points_.back()));
  }

  [[nodiscard]] std::size_t points() const { return count_; }

  [[nodiscard]] std::vector<Place> at(const std::vector<double>& positions) const {
    std::vector<Place> places;
    places.reserve(positions.size());
    for (const double position : positions) places.push_back(at(position));
    return places;
  }

 private:
  /// Along a periodic axis points_ begins with the last point and ends with the first.
  [[nodiscard]] std::size_t index(std::size_t n) const {
    return is_periodic_ ? (n + count_ - 1) % count_ : n;
  }

  std::vector<double> points_;
  std::size_t count_;
  bool is_periodic_;
};

}  // namespace dns
