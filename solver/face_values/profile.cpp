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
                 std::vector<std::vector<double>> values,
                 std::vector<double> times)
    : axes_(std::move(axes)),
      points_(std::move(points)),
      names_(std::move(names)),
      values_(std::move(values)),
      times_(std::move(times)) {}

const std::vector<double>& Profile::coordinates(int axis) const {
  return points_[axis];
}

std::optional<std::size_t> Profile::column(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return found - names_.begin();
}

double Profile::value(std::size_t column, const PerAxis<double>& place, double t) const {
  if (times_.empty()) return value_at(column, place, 0);
  const Place moment = place_among(times_, std::clamp(t, times_.front(), times_.back()));
  return moment.between(value_at(column, place, moment.low), value_at(column, place, moment.high));
}

double Profile::value_at(std::size_t column,
                         const PerAxis<double>& place,
                         std::size_t moment) const {
  const std::size_t moments = std::max<std::size_t>(1, times_.size());
  const std::size_t begin = moment * (values_.at(column).size() / moments);
  const std::vector<double>& values = values_.at(column);
  if (axes_.empty()) return values[begin];
  const auto along = [&](int axis) {
    const std::vector<double>& points = coordinates(axis);
    const double here = place[axis];
    return place_among(points, std::clamp(here, points.front(), points.back()));
  };
  const Place first = along(axes_.front());
  const auto in_row = [&](std::size_t row) {
    const std::size_t start = begin + row * coordinates(axes_.front()).size();
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
