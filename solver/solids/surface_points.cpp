#include "solver/solids/surface_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/core/index.hpp"

namespace dns {

/// The tolerance is small beside cells, also of a surface far from the origin of its file.
SurfacePoints::SurfacePoints(const Triangles& surface,
                             const std::vector<Place>& images,
                             const PointPlaces& places,
                             Extents points)
    : points_(points), tolerance_(surface.tolerance) {
  constexpr double most_of_cell = 1e-5;
  PerAxis<std::vector<double>> along;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& of_axis = along[axis];
    for (int n = -1; n <= points[axis]; ++n) {
      of_axis.push_back(places.along(axis, n));
      if (n >= 0)
        tolerance_ = std::min(tolerance_, most_of_cell * (of_axis.back() - of_axis.end()[-2]));
    }
  }
  for (const Place& image : images) find_on(surface, image, along);
  std::ranges::sort(on_);
  on_.erase(std::unique(on_.begin(), on_.end()), on_.end());
  in_body_.assign(on_.size(), false);
  reach_.assign(on_.size(), {});
  if (on_.empty()) return;
  // Lines just beside the points: the same for every turn of the axes.
  const double beside = 4 * tolerance_;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double first : {-beside, beside}) {
      for (const double second : {-beside, beside}) {
        Place off{};
        off[(axis + 1) % 3] = first;
        off[(axis + 2) % 3] = second;
        look_beside(TriangleLines(surface, images, axis, places, points, off), axis, places);
      }
    }
  }
}

/// Takes up what lines beside the points show.
void SurfacePoints::look_beside(const TriangleLines& lines, int axis, const PointPlaces& places) {
  const std::size_t nx = points_.nx + 2;
  const std::size_t ny = points_.ny + 2;
  for (std::size_t n = 0; n < on_.size(); ++n) {
    const Index3 c{static_cast<int>(on_[n] % nx) - 1,
                   static_cast<int>(on_[n] / nx % ny) - 1,
                   static_cast<int>(on_[n] / nx / ny) - 1};
    const double here = places.along(axis, c[axis]);
    for (const double off : {-4.0, -1.0, 1.0, 4.0}) {
      const auto inside = lines.inside_at(c, here + off * tolerance_);
      if (!inside) continue;
      in_body_[n] = true;
      float& low = reach_[n][face_index(axis, false)];
      float& high = reach_[n][face_index(axis, true)];
      low = std::max(low, static_cast<float>(here - (*inside)[0]));
      high = std::max(high, static_cast<float>((*inside)[1] - here));
    }
  }
}

std::size_t SurfacePoints::number_of(Index3 c) const {
  const auto at = [](int index) { return std::ptrdiff_t{index} + 1; };
  return (at(c.k) * at(points_.ny + 1) + at(c.j)) * at(points_.nx + 1) + at(c.i);
}

std::size_t SurfacePoints::find(Index3 c) const {
  const std::size_t number = number_of(c);
  const auto found = std::ranges::lower_bound(on_, number);
  return (found != on_.end() && *found == number ? found : on_.end()) - on_.begin();
}

/// Looks along the axis that a triangle faces most.
void SurfacePoints::find_on(const Triangles& surface,
                            const Place& image,
                            const PerAxis<std::vector<double>>& along) {
  const double beside = 4 * tolerance_;  // more than places near a triangle are off its plane
  for (const auto& corners : surface.corners) {
    std::array<Place, 3> triangle{};
    Place low{};
    Place high{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      triangle[corner] = surface.points[corners[corner]];
      for (int axis = 0; axis < 3; ++axis) {
        const double x = triangle[corner][axis] += image[axis];
        low[axis] = corner == 0 ? x : std::min(low[axis], x);
        high[axis] = corner == 0 ? x : std::max(high[axis], x);
      }
    }
    const auto& [a, b, c] = triangle;
    Place normal{};
    for (int axis = 0; axis < 3; ++axis) {
      const int p = (axis + 1) % 3;
      const int q = (axis + 2) % 3;
      normal[axis] = (b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p]);
    }
    int facing = 0;
    for (const int axis : {1, 2}) {
      if (std::abs(normal[axis]) > std::abs(normal[facing])) facing = axis;
    }
    if (normal[facing] == 0) continue;  // its edges are those of others
    const int p = (facing + 1) % 3;
    const int q = (facing + 2) % 3;
    const auto first_near = [&](int axis, double place) {
      return std::ranges::lower_bound(along[axis], place - beside) - along[axis].begin();
    };
    const auto is_near = [&](int axis, std::ptrdiff_t n, double place) {
      return n < std::ssize(along[axis]) && along[axis][n] <= place + beside;
    };
    for (auto j = first_near(q, low[q]); is_near(q, j, high[q]); ++j) {
      for (auto i = first_near(p, low[p]); is_near(p, i, high[p]); ++i) {
        Place x{};
        x[p] = along[p][i];
        x[q] = along[q][j];
        const double plane = std::clamp(
            a[facing] - ((x[p] - a[p]) * normal[p] + (x[q] - a[q]) * normal[q]) / normal[facing],
            low[facing],
            high[facing]);
        for (auto k = first_near(facing, plane); is_near(facing, k, plane); ++k) {
          x[facing] = along[facing][k];
          if (distance_from(x, triangle) > tolerance_) continue;
          Index3 point{};
          point[p] = static_cast<int>(i) - 1;
          point[q] = static_cast<int>(j) - 1;
          point[facing] = static_cast<int>(k) - 1;
          on_.push_back(number_of(point));
        }
      }
    }
  }
}

}  // namespace dns
