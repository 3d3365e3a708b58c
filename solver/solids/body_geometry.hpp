/// One body and the points of one variable.
#pragma once

#include <array>
#include <memory>

#include "solver/config/case.hpp"
#include "solver/solids/point_places.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {

class BodyGeometry {
 public:
  BodyGeometry() = default;
  BodyGeometry(const BodyGeometry&) = delete;
  BodyGeometry& operator=(const BodyGeometry&) = delete;
  virtual ~BodyGeometry() = default;

  /// Throws CaseError, naming the key and the place, where the formula of a surface is undefined.
  [[nodiscard]] virtual bool is_inside(Index3 c) const = 0;
  /// The way from a point outside to the surface, over that to its neighbour inside: (0, 1].
  [[nodiscard]] virtual double theta(Index3 c, int axis, bool is_high) const = 0;
  /// The part along `axis` of the normal of the surface, theta of the way to that neighbour: [0,
  /// 1], 1 where it is not known.
  [[nodiscard]] virtual double normal(Index3 /*c*/,
                                      int /*axis*/,
                                      bool /*is_high*/,
                                      double /*theta*/) const {
    return 1;
  }
  /// For another thread.
  [[nodiscard]] virtual std::unique_ptr<BodyGeometry> copy() const = 0;
};

/// The greatest one, of a neighbour on the surface: the unknown beside it feels the body,
/// 1/theta - 1 > 0.
inline constexpr double greatest_theta = 1 - 0x1p-40;

/// `surface`: that of the body's STL file, where it has one; it and `places` outlive the geometry.
std::unique_ptr<BodyGeometry> geometry_of(const SolidCase& body,
                                          const Case& resolved,
                                          const Triangles* surface,
                                          const PointPlaces& places,
                                          Extents points);

}  // namespace dns
