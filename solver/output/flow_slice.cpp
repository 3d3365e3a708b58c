#include "solver/output/flow_slice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/grid/case_grid.hpp"
#include "solver/output/snapshot.hpp"

namespace dns {
namespace {

/// A place between two points of an axis: the value there is (1 - weight) f[low] + weight f[high].
struct Place {
  std::size_t low = 0, high = 0;
  double weight = 0;

  [[nodiscard]] double between(double at_low, double at_high) const {
    return at_low + weight * (at_high - at_low);
  }
};

/// Finds places along one axis.
class AxisPlaces {
 public:
  AxisPlaces(const Case& resolved, int axis)
      : points_(point_coordinates(resolved, axis)),
        count_(points_.size()),
        is_periodic_(resolved.is_periodic(axis)) {
    if (!is_periodic_) return;
    const double length = resolved.grid.length.at(static_cast<std::size_t>(axis));
    const double first = points_.front();
    points_.insert(points_.begin(), points_.back() - length);
    points_.push_back(first + length);
  }

  [[nodiscard]] Place at(double position) const {
    const auto above =
        static_cast<std::size_t>(std::ranges::upper_bound(points_, position) - points_.begin());
    const std::size_t high = std::min(above, points_.size() - 1);
    const std::size_t low = above == 0 ? 0 : above - 1;
    const double distance = points_[high] - points_[low];
    const double weight = high > low ? (position - points_[low]) / distance : 0;
    return {.low = index(low), .high = index(high), .weight = weight};
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

std::size_t points_of(Extents extents, int axis) {
  return static_cast<std::size_t>(extents[axis]);
}

std::size_t stride_of(Extents extents, int axis) {
  std::size_t stride = 1;
  for (int before = 0; before < axis; ++before) stride *= points_of(extents, before);
  return stride;
}

/// A field on the plane at `place` of `axis`, at the points of the other two axes, the first of
/// them fastest.
std::vector<double> on_plane(const HostField& field, int axis, const Place& place) {
  const Extents extents = field.extents();
  const std::array<int, 2> right_and_up = axes_of_picture(axis);
  const int right = right_and_up[0];
  const int up = right_and_up[1];
  const std::size_t low = place.low * stride_of(extents, axis);
  const std::size_t high = place.high * stride_of(extents, axis);
  std::vector<double> values;
  values.reserve(points_of(extents, right) * points_of(extents, up));
  with_real(field.precision(), [&]<class Real>(Real) {
    const auto all = field.values<Real>();
    for (std::size_t j = 0; j < points_of(extents, up); ++j) {
      for (std::size_t i = 0; i < points_of(extents, right); ++i) {
        const std::size_t at = i * stride_of(extents, right) + j * stride_of(extents, up);
        values.push_back(
            place.between(static_cast<double>(all[at + low]), static_cast<double>(all[at + high])));
      }
    }
  });
  return values;
}

std::vector<double> variable_on_plane(const FlowState& state,
                                      const SliceCase& plane,
                                      const Place& place) {
  if (plane.variable != "velocity_magnitude")
    return on_plane(field_of(state, plane.variable), plane.axis, place);
  std::vector<double> u = on_plane(field_of(state, velocity_x_name), plane.axis, place);
  const std::vector<double> v = on_plane(field_of(state, velocity_y_name), plane.axis, place);
  const std::vector<double> w = on_plane(field_of(state, velocity_z_name), plane.axis, place);
  for (std::size_t n = 0; n < u.size(); ++n) u[n] = std::hypot(u[n], v[n], w[n]);
  return u;
}

/// The places of the centres of `pixels` equal parts of an axis.
std::vector<Place> places_of_pixels(const Case& resolved, int axis, int pixels) {
  const AxisPlaces along(resolved, axis);
  const auto a = static_cast<std::size_t>(axis);
  std::vector<Place> places;
  for (int pixel = 0; pixel < pixels; ++pixel) {
    const double part = (pixel + 0.5) / pixels;
    places.push_back(along.at(resolved.grid.origin[a] + part * resolved.grid.length[a]));
  }
  return places;
}

}  // namespace

FlowSlice sample_slice(const FlowState& state,
                       const Case& resolved,
                       const SliceCase& plane,
                       int pixels) {
  const auto [right, up] = axes_of_picture(plane.axis);
  const std::array<double, 3>& length = resolved.grid.length;
  const double width = length[static_cast<std::size_t>(right)];
  const double height = length[static_cast<std::size_t>(up)];
  const double pixels_per_length = pixels / std::max(width, height);
  FlowSlice slice;
  slice.width = std::max(1, static_cast<int>(std::lround(width * pixels_per_length)));
  slice.height = std::max(1, static_cast<int>(std::lround(height * pixels_per_length)));

  const Place normal = AxisPlaces(resolved, plane.axis).at(plane.at);
  const std::vector<double> values = variable_on_plane(state, plane, normal);
  const std::vector<Place> columns = places_of_pixels(resolved, right, slice.width);
  std::vector<Place> rows = places_of_pixels(resolved, up, slice.height);
  std::ranges::reverse(rows);  // from the top
  const auto points = static_cast<std::size_t>(resolved.grid.points[right]);
  slice.values.reserve(columns.size() * rows.size());
  for (const Place& row : rows) {
    const double* const low = values.data() + row.low * points;
    const double* const high = values.data() + row.high * points;
    for (const Place& column : columns) {
      slice.values.push_back(row.between(column.between(low[column.low], low[column.high]),
                                         column.between(high[column.low], high[column.high])));
    }
  }
  return slice;
}

}  // namespace dns
