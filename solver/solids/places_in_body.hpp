/// Whether single places are in the body that a surface of triangles makes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/solids/triangles.hpp"

namespace dns {

/// The union of a surface's images. TriangleLines tells the same of whole grids.
class PlacesInBody {
 public:
  /// `surface` must outlive it.
  PlacesInBody(const Triangles& surface, const std::vector<Place>& images);

  [[nodiscard]] bool holds(const Place& x) const;
  /// Whether the places right beside x, on both sides of a surface of this normal, are in the body.
  [[nodiscard]] bool hold_both_sides(const Place& x, const Place& normal) const;

 private:
  /// A triangle of an image.
  struct Placed {
    std::size_t image, shell;
    std::array<Place, 3> corners;
  };
  [[nodiscard]] int bin_along(int axis, double x) const;

  const Triangles& surface_;
  double beside_;  // how far from a surface its sides are [L]
  int bins_;       // along y, and along z
  Bounds bounds_;
  std::vector<Placed> placed_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // of triangles that a bin of y and z meets
};

}  // namespace dns
