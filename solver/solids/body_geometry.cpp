#include "solver/solids/body_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/grid/values_of_formula.hpp"
#include "solver/numerics/part_to_surface.hpp"
#include "solver/solids/surface_points.hpp"
#include "solver/solids/triangle_lines.hpp"

namespace dns {
namespace {

/// What a case says of the box that matters for bodies.
struct Period {
  PerAxis<double> origin{}, length{};
  PerAxis<bool> repeats{};

  explicit Period(const Case& resolved)
      : origin(resolved.grid.origin), length(resolved.grid.length) {
    for (int axis = 0; axis < 3; ++axis) repeats[axis] = resolved.is_periodic(axis);
  }
};

/// A function of space that is not above 0 in the body.
class BodyFunction {
 public:
  BodyFunction(const SolidCase& body, const Case& resolved) : body_(body), period_(resolved) {}

  /// Throws CaseError where a formula is undefined.
  void require_value(const Place& x, double value) const {
    if (!std::isnan(value)) return;
    refuse_value(
        "solids." + body_.name + ".surface", body_.surface, value, into_box(x), 0, "a number");
  }
  [[nodiscard]] double operator()(const Place& x) const {
    if (body_.shape == SolidCase::Shape::formula) {
      const Place image = into_box(x);
      return body_.surface(image[0], image[1], image[2], 0);
    }
    if (body_.shape == SolidCase::Shape::box) {
      Place middle{};
      for (int axis = 0; axis < 3; ++axis) middle[axis] = (body_.low[axis] + body_.high[axis]) / 2;
      const Place from_middle = nearest(x, middle);
      double farthest = -std::numeric_limits<double>::infinity();
      for (int axis = 0; axis < 3; ++axis) {
        const double half = (body_.high[axis] - body_.low[axis]) / 2;
        farthest = std::max(farthest, std::abs(from_middle[axis]) - half);
      }
      return farthest;
    }
    const Place from_centre = nearest(x, body_.center);
    if (body_.shape == SolidCase::Shape::sphere)
      return std::hypot(from_centre[0], from_centre[1], from_centre[2]) - body_.radius;
    const std::size_t axis = body_.axis;
    const double from_axis =
        std::hypot(from_centre[(axis + 1) % 3], from_centre[(axis + 2) % 3]) - body_.radius;
    if (!body_.length) return from_axis;
    return std::max(from_axis, std::abs(from_centre[axis]) - *body_.length / 2);
  }

 private:
  [[nodiscard]] Place into_box(Place x) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!period_.repeats[axis]) continue;
      const double from_origin = x[axis] - period_.origin[axis];
      const double periods = std::floor(from_origin / period_.length[axis]);
      if (periods != 0) x[axis] -= periods * period_.length[axis];
    }
    return x;
  }
  /// The shortest of the ways from a place and its images.
  [[nodiscard]] Place nearest(const Place& x, const Place& from) const {
    Place way{};
    for (int axis = 0; axis < 3; ++axis) {
      way[axis] = x[axis] - from[axis];
      if (period_.repeats[axis]) way[axis] = std::remainder(way[axis], period_.length[axis]);
    }
    return way;
  }

  SolidCase body_;
  Period period_;
};

class FunctionGeometry final : public BodyGeometry {
 public:
  FunctionGeometry(BodyFunction function, const PointPlaces& places)
      : function_(std::move(function)), places_(places) {}

  [[nodiscard]] bool is_inside(Index3 c) const override {
    const double value = function_(places_.at(c));
    function_.require_value(places_.at(c), value);
    return value <= 0;
  }

  [[nodiscard]] double theta(Index3 c, int axis, bool is_high) const override {
    Place x = places_.at(c);
    const double start = x[axis];
    const double step = places_.along(axis, c[axis] + (is_high ? 1 : -1)) - start;
    return part_to_surface([&](double part) {
      x[axis] = start + part * step;
      return function_(x);
    });
  }

  /// By central differences over a small part of the spacing.
  [[nodiscard]] double normal(Index3 c, int axis, bool is_high, double theta) const override {
    constexpr double part = 1e-4;
    Place x = places_.at(c);
    const double spacing = places_.along(axis, c[axis] + (is_high ? 1 : -1)) - x[axis];
    x[axis] += theta * spacing;
    const double step = part * std::abs(spacing);
    PerAxis<double> slope{};
    for (int along = 0; along < 3; ++along) {
      Place below = x;
      Place above = x;
      below[along] -= step;
      above[along] += step;
      slope[along] = function_(above) - function_(below);
    }
    const double whole = std::hypot(slope[0], slope[1], slope[2]);
    return whole > 0 ? std::abs(slope[axis]) / whole : 1;
  }

  [[nodiscard]] std::unique_ptr<BodyGeometry> copy() const override {
    return std::make_unique<FunctionGeometry>(function_, places_);
  }

 private:
  BodyFunction function_;
  const PointPlaces& places_;
};

/// A closed surface: points beside it are inside by the parity of crossings along x.
class SurfaceGeometry final : public BodyGeometry {
 public:
  struct Seen {
    PerAxis<TriangleLines> lines;
    SurfacePoints on_surface;
  };
  SurfaceGeometry(std::shared_ptr<const Seen> seen, const PointPlaces& places)
      : seen_(std::move(seen)), places_(places) {}

  [[nodiscard]] bool is_inside(Index3 c) const override {
    if (seen_->on_surface.has(c)) return seen_->on_surface.is_in_body(c);
    return seen_->lines[0].crossings_up_to(c, places_.along(0, c.i)) % 2 != 0;
  }

  /// Where the crossings of this line and the neighbour disagree by round-off, the nearest one.
  [[nodiscard]] double theta(Index3 c, int axis, bool is_high) const override {
    Index3 neighbour = c;
    neighbour[axis] += is_high ? 1 : -1;
    const double start = places_.along(axis, c[axis]);
    const double step = places_.along(axis, neighbour[axis]) - start;
    double way = seen_->lines[axis].first_crossing(c, start, step) / step;
    if (seen_->on_surface.has(neighbour)) {    // the line may run along the surface
      constexpr double as_seen_beside = 1e-4;  // of step: the lines there are as exact as this
      if (way < 0) way = 1;
      const double reach = seen_->on_surface.reach(neighbour, axis, !is_high) / std::abs(step);
      if (1 - reach < way - as_seen_beside) way = 1 - reach;
    }
    return std::clamp(way, least_theta, greatest_theta);
  }

  [[nodiscard]] std::unique_ptr<BodyGeometry> copy() const override {
    return std::make_unique<SurfaceGeometry>(seen_, places_);
  }

 private:
  std::shared_ptr<const Seen> seen_;
  const PointPlaces& places_;
};

}  // namespace

std::unique_ptr<BodyGeometry> geometry_of(const SolidCase& body,
                                          const Case& resolved,
                                          const Triangles* surface,
                                          const PointPlaces& places,
                                          Extents points) {
  if (surface == nullptr)
    return std::make_unique<FunctionGeometry>(BodyFunction(body, resolved), places);
  Bounds bounds;  // of the points and the places one beyond them
  for (int axis = 0; axis < 3; ++axis) {
    bounds.low[axis] = places.along(axis, -1);
    bounds.high[axis] = places.along(axis, points[axis]);
  }
  const std::vector<Place> images = images_of(*surface, resolved, bounds);
  const auto lines = [&](int axis) {
    return TriangleLines(*surface, images, axis, places, points);
  };
  auto seen = std::make_shared<SurfaceGeometry::Seen>(SurfaceGeometry::Seen{
      .lines = {lines(0), lines(1), lines(2)}, .on_surface = {*surface, images, places, points}});
  return std::make_unique<SurfaceGeometry>(std::move(seen), places);
}

}  // namespace dns
