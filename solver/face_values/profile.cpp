#include "solver/face_values/profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/index.hpp"
#include "solver/grid/axis_places.hpp"

namespace dns {

Profile::Profile(std::vector<int> axes,
                 PerAxis<std::vector<double>> points,
                 std::vector<std::string> names,
                 std::vector<std::vector<double>> values)
    : axes_(std::move(axes)),
      points_(std::move(points)),
      names_(std::move(names)),
      values_(std::move(values)) {}

const std::vector<double>& Profile::coordinates(int axis) const {
  return points_[axis];
}

std::optional<std::size_t> Profile::column(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return found - names_.begin();
}

double Profile::value(std::size_t column, const PerAxis<double>& place) const {
  const std::vector<double>& values = values_.at(column);
  const auto along = [&](int axis) {
    const std::vector<double>& points = coordinates(axis);
    const double here = place[axis];
    return place_among(points, std::clamp(here, points.front(), points.back()));
  };
  const Place first = along(axes_.front());
  const auto in_row = [&](std::size_t row) {
    const std::size_t start = row * coordinates(axes_.front()).size();
    return (1 - first.weight) * values[start + first.low] +
           first.weight * values[start + first.high];
  };
  if (axes_.size() == 1) return in_row(0);
  const Place second = along(axes_.back());
  return (1 - second.weight) * in_row(second.low) + second.weight * in_row(second.high);
}

bool Profile::covers(int axis, double low, double high) const {
  const std::vector<double>& points = coordinates(axis);
  if (points.empty()) return true;
  const double rounding = 1e-9 * (high - low);
  return points.front() <= low + rounding && points.back() >= high - rounding;
}

}  // namespace dns
