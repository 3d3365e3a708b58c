#include "solver/output/flow_slice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "solver/core/index.hpp"
#include "solver/grid/axis_places.hpp"
#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

AxisPlaces places_along(const Case& resolved, int axis) {
  const double length = resolved.grid.length[axis];
  return {point_coordinates(resolved, axis), resolved.is_periodic(axis) ? length : 0};
}

/// The fields that make a variable.
std::vector<std::string> fields_of(const std::string& variable) {
  if (variable != "velocity_magnitude") return {variable};
  return {velocity_names.begin(), velocity_names.end()};
}

/// A variable on the plane at `place` of an axis, at the points of the other two axes, the first of
/// them fastest.
std::vector<double> variable_on_plane(const WholeFlow& flow,
                                      const SliceCase& plane,
                                      const Place& place) {
  std::vector<PlaneOfField> wanted;
  for (const std::string& field : fields_of(plane.variable)) {
    for (const std::size_t index : {place.low, place.high})
      wanted.push_back({.field = field, .axis = plane.axis, .index = static_cast<int>(index)});
  }
  const std::vector<std::vector<double>> planes = flow.planes(wanted);
  std::vector<double> values(planes.front().size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto component = [&](std::size_t field) {
      return place.between(planes[2 * field][n], planes[2 * field + 1][n]);
    };
    values[n] =
        planes.size() == 2 ? component(0) : std::hypot(component(0), component(1), component(2));
  }
  return values;
}

/// The places of the centres of `pixels` equal parts of an axis.
std::vector<Place> places_of_pixels(const Case& resolved, int axis, int pixels) {
  const AxisPlaces along = places_along(resolved, axis);
  std::vector<Place> places;
  for (int pixel = 0; pixel < pixels; ++pixel) {
    const double part = (pixel + 0.5) / pixels;
    places.push_back(along.held_at(resolved.grid.origin[axis] + part * resolved.grid.length[axis]));
  }
  return places;
}

}  // namespace

std::array<int, 2> axes_of_picture(const Case& resolved, int axis) {
  const AxesInPlane axes = axes_in_plane(axis);
  const auto first = static_cast<int>(axes.first);
  const auto second = static_cast<int>(axes.second);
  int upright = 1;
  if (resolved.buoyancy) {
    const auto magnitude = [](double component) { return std::abs(component); };
    const auto& e = resolved.buoyancy->direction;
    upright = static_cast<int>(std::ranges::max_element(e, {}, magnitude) - e.begin());
  }
  return upright == first ? std::array{second, first} : std::array{first, second};
}

FlowSlice sample_slice(const WholeFlow& flow,
                       const Case& resolved,
                       const SliceCase& plane,
                       int pixels) {
  const auto [right, up] = axes_of_picture(resolved, plane.axis);
  const PerAxis<double>& length = resolved.grid.length;
  const double width = length[right];
  const double height = length[up];
  const double pixels_per_length = pixels / std::max(width, height);
  FlowSlice slice;
  slice.width = std::max(1, static_cast<int>(std::lround(width * pixels_per_length)));
  slice.height = std::max(1, static_cast<int>(std::lround(height * pixels_per_length)));

  const Place normal = places_along(resolved, plane.axis).held_at(plane.at);
  const std::vector<double> values = variable_on_plane(flow, plane, normal);
  std::vector<double> solid;  // 1 in bodies, else 0; empty where there are none
  if (!resolved.solids.empty()) {
    SliceCase of_solid = plane;
    of_solid.variable = solid_name;
    solid = variable_on_plane(flow, of_solid, normal);
  }
  const std::vector<Place> columns = places_of_pixels(resolved, right, slice.width);
  std::vector<Place> rows = places_of_pixels(resolved, up, slice.height);
  std::ranges::reverse(rows);         // from the top
  const bool is_turned = right > up;  // planes have their first axis fastest
  const std::size_t points = resolved.grid.points[std::min(right, up)];
  const std::size_t next_right = is_turned ? points : 1;
  const std::size_t next_up = is_turned ? 1 : points;
  slice.values.reserve(columns.size() * rows.size());
  for (const Place& row : rows) {
    const auto at = [&](const std::vector<double>& of_points, const Place& column) {
      const double* const low = of_points.data() + row.low * next_up;
      const double* const high = of_points.data() + row.high * next_up;
      const std::size_t left = column.low * next_right;
      const std::size_t beyond = column.high * next_right;
      return row.between(column.between(low[left], low[beyond]),
                         column.between(high[left], high[beyond]));
    };
    for (const Place& column : columns) {
      constexpr double half = 0.5;
      const bool is_solid = !solid.empty() && at(solid, column) >= half;
      slice.values.push_back(is_solid ? std::numeric_limits<double>::quiet_NaN()
                                      : at(values, column));
    }
  }
  return slice;
}

}  // namespace dns
