#include "solver/inflow/profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dns {
namespace {

/// Between which points a place is, and how far.
struct Between {
  std::size_t low, high;
  double share;  // of the value at `high`
};
Between between(const std::vector<double>& points, double place) {
  const auto above = std::ranges::upper_bound(points, place);
  if (above == points.begin()) return {0, 0, 0};
  const auto high = static_cast<std::size_t>(above - points.begin());
  if (above == points.end()) return {high - 1, high - 1, 0};
  return {high - 1, high, (place - points[high - 1]) / (points[high] - points[high - 1])};
}

}  // namespace

Profile::Profile(std::vector<int> axes,
                 std::array<std::vector<double>, 3> points,
                 std::vector<std::string> names,
                 std::vector<std::vector<double>> values,
                 std::string content)
    : axes_(std::move(axes)),
      points_(std::move(points)),
      names_(std::move(names)),
      values_(std::move(values)),
      content_(std::move(content)) {}

const std::vector<double>& Profile::coordinates(int axis) const {
  return points_.at(static_cast<std::size_t>(axis));
}

std::optional<std::size_t> Profile::column(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

double Profile::value(std::size_t column, const std::array<double, 3>& place) const {
  const std::vector<double>& values = values_.at(column);
  const auto along = [&](int axis) {
    return between(coordinates(axis), place.at(static_cast<std::size_t>(axis)));
  };
  const Between first = along(axes_.front());
  const auto in_row = [&](std::size_t row) {
    const std::size_t start = row * coordinates(axes_.front()).size();
    return (1 - first.share) * values[start + first.low] + first.share * values[start + first.high];
  };
  if (axes_.size() == 1) return in_row(0);
  const Between second = along(axes_.back());
  return (1 - second.share) * in_row(second.low) + second.share * in_row(second.high);
}

bool Profile::covers(int axis, double low, double high) const {
  const std::vector<double>& points = coordinates(axis);
  if (points.empty()) return true;
  const double rounding = 1e-9 * (high - low);
  return points.front() <= low + rounding && points.back() >= high - rounding;
}

}  // namespace dns
