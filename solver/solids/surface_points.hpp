/// Points of a grid that lie on a surface of triangles.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/solids/point_places.hpp"
#include "solver/solids/triangle_lines.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {

/// The points of a variable that lie on a surface or one of its images, as far as its file tells.
/// Such a point is in the body where the body is next to it in some direction, as the points of
/// other shapes are: however the triangles are turned, and in whatever order they come.
class SurfacePoints {
 public:
  SurfacePoints(const Triangles& surface,
                const std::vector<Place>& images,
                const PointPlaces& places,
                Extents points);

  [[nodiscard]] bool has(Index3 c) const { return find(c) != on_.size(); }
  /// Whether a point that is on the surface is in the body.
  [[nodiscard]] bool is_in_body(Index3 c) const { return in_body_[find(c)]; }
  /// How far the body goes on from such a point along an axis [L].
  [[nodiscard]] double reach(Index3 c, int axis, bool is_high) const {
    return static_cast<double>(reach_[find(c)][face_index(axis, is_high)]);
  }

 private:
  [[nodiscard]] std::size_t find(Index3 c) const;
  [[nodiscard]] std::size_t number_of(Index3 c) const;
  void look_beside(const TriangleLines& lines, int axis, const PointPlaces& places);
  void find_on(const Triangles& surface,
               const Place& image,
               const PerAxis<std::vector<double>>& along);

  Extents points_;
  double tolerance_;
  std::vector<std::size_t> on_;  // numbers of points, ascending
  std::vector<bool> in_body_;    // of each
  std::vector<std::array<float, 6>> reach_;
};

}  // namespace dns
