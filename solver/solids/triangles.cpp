#include "solver/solids/triangles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"

namespace dns {
namespace {

/// A point as seen along an axis.
struct Seen {
  double p, q, s;  // across the axis, along it
};

/// +1 or -1 where the ray from (p, q) towards larger p crosses an edge, upwards or downwards; else
/// 0. The ends are taken in one order, so that both triangles at the edge get the same place.
int crosses_ray(const Seen& a, const Seen& b, double p, double q) {
  if ((a.q > q) == (b.q > q)) return 0;
  const auto [low, high] = std::pair(std::tie(a.q, a.p) < std::tie(b.q, b.p) ? a : b,
                                     std::tie(a.q, a.p) < std::tie(b.q, b.p) ? b : a);
  const double place = low.p + (q - low.q) / (high.q - low.q) * (high.p - low.p);
  if (p >= std::clamp(place, std::min(low.p, high.p), std::max(low.p, high.p))) return 0;
  return b.q > q ? 1 : -1;
}

double dot(const Place& a, const Place& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Place minus(const Place& a, const Place& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double square(const Place& way) {
  return dot(way, way);
}
/// Square of the distance from an edge.
double square_from_edge(const Place& from_a, const Place& ab) {
  const double length = square(ab);
  const double part = length > 0 ? std::clamp(dot(from_a, ab) / length, 0.0, 1.0) : 0;
  return square({from_a[0] - part * ab[0], from_a[1] - part * ab[1], from_a[2] - part * ab[2]});
}

double length(const Bounds& bounds, int axis) {
  return bounds.high[axis] - bounds.low[axis];
}

std::string in_words(const Place& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

}  // namespace

std::array<Place, 3> triangle_of(const Triangles& surface, std::size_t n, const Place& image) {
  std::array<Place, 3> triangle{};
  for (std::size_t corner = 0; corner < 3; ++corner) {
    triangle[corner] = surface.points[surface.corners[n][corner]];
    for (int axis = 0; axis < 3; ++axis) triangle[corner][axis] += image[axis];
  }
  return triangle;
}

double distance_from(const Place& x, const std::array<Place, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const Place ab = minus(b, a);
  const Place ac = minus(c, a);
  const Place ax = minus(x, a);
  const double bb = dot(ab, ab);
  const double cc = dot(ac, ac);
  const double bc = dot(ab, ac);
  const double bx = dot(ab, ax);
  const double cx = dot(ac, ax);
  const double area = bb * cc - bc * bc;
  const double of_b = cc * bx - bc * cx;  // times area
  const double of_c = bb * cx - bc * bx;
  if (area > 0 && of_b >= 0 && of_c >= 0 && of_b + of_c <= area) {
    const double part_b = of_b / area;
    const double part_c = of_c / area;
    return std::sqrt(square({ax[0] - part_b * ab[0] - part_c * ac[0],
                             ax[1] - part_b * ab[1] - part_c * ac[1],
                             ax[2] - part_b * ab[2] - part_c * ac[2]}));
  }
  return std::sqrt(std::min({square_from_edge(ax, ab),
                             square_from_edge(ax, ac),
                             square_from_edge(minus(x, b), minus(c, b))}));
}

int crosses_line(const std::array<Place, 3>& triangle,
                 int axis,
                 const Place& line,
                 double& crossing) {
  const auto plane = axes_in_plane(axis);
  const auto seen = [&](const Place& x) { return Seen{x[plane.first], x[plane.second], x[axis]}; };
  const Seen a = seen(triangle[0]);
  const Seen b = seen(triangle[1]);
  const Seen c = seen(triangle[2]);
  const auto [p, q, s] = seen(line);
  const int turns = crosses_ray(a, b, p, q) + crosses_ray(b, c, p, q) + crosses_ray(c, a, p, q);
  if (turns == 0) return 0;
  const auto [low, high] = std::minmax({a.s, b.s, c.s});
  const double area = (b.p - a.p) * (c.q - a.q) - (c.p - a.p) * (b.q - a.q);
  crossing = (low + high) / 2;  // of a triangle seen edge on
  if (area != 0) {
    const double of_b = ((p - a.p) * (c.q - a.q) - (c.p - a.p) * (q - a.q)) / area;
    const double of_c = ((b.p - a.p) * (q - a.q) - (p - a.p) * (b.q - a.q)) / area;
    crossing = std::clamp(a.s + of_b * (b.s - a.s) + of_c * (c.s - a.s), low, high);
  }
  return turns;
}

Bounds bounds_of(const Triangles& surface) {
  Bounds bounds{surface.points.front(), surface.points.front()};
  for (const Place& point : surface.points) {
    for (int axis = 0; axis < 3; ++axis) {
      bounds.low[axis] = std::min(bounds.low[axis], point[axis]);
      bounds.high[axis] = std::max(bounds.high[axis], point[axis]);
    }
  }
  return bounds;
}

std::string likely_unit(const Triangles& surface, const SolidCase& body, const Case& resolved) {
  constexpr double most = 10;  // times the box, or below its inverse: not meant
  const Bounds extent = bounds_of(surface);
  double share = 0;
  for (int axis = 0; axis < 3; ++axis)
    share = std::max(share, length(extent, axis) / resolved.grid.length[axis]);
  const double factor = share > most ? 1e-3 : share < 1 / most ? 1e3 : 1;
  if (factor == 1 || share * factor > most || share * factor < 1 / most) return {};
  return fmt::format("; {}: scale: {:g} makes it {:.4g} x {:.4g} x {:.4g}",
                     factor < 1 ? "a file in millimetres in a box in metres"
                                : "a file in metres in a box in millimetres",
                     body.scale * factor,
                     length(extent, 0) * factor,
                     length(extent, 1) * factor,
                     length(extent, 2) * factor);
}

void require_fitting_size(const Triangles& surface, const SolidCase& body, const Case& resolved) {
  constexpr double most_periods = 32;   // along one axis
  constexpr double most_images = 1000;  // of a surface in the box
  constexpr double farthest = 1e6;      // periods away: round-off
  const Bounds extent = bounds_of(surface);
  const Bounds box{resolved.grid.origin,
                   {resolved.grid.origin[0] + resolved.grid.length[0],
                    resolved.grid.origin[1] + resolved.grid.length[1],
                    resolved.grid.origin[2] + resolved.grid.length[2]}};
  const auto refuse = [&](const std::string& what) {
    throw CaseError(fmt::format("solids.{}: {} reaches from {} to {}, the box from {} to {}: {}{}",
                                body.name,
                                body.file.path,
                                in_words(extent.low),
                                in_words(extent.high),
                                in_words(box.low),
                                in_words(box.high),
                                what,
                                likely_unit(surface, body, resolved)));
  };
  double images = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(extent.low[axis]) || !std::isfinite(extent.high[axis]))
      refuse("its size is no number");
    const double period = resolved.grid.length[axis];
    if (!resolved.is_periodic(axis)) {
      if (extent.low[axis] > box.high[axis] || extent.high[axis] < box.low[axis])
        refuse(fmt::format("it lies beside the box along {}", axis_names[axis]));
      continue;
    }
    const double periods = length(extent, axis) / period;
    images *= periods + 1;
    if (periods > most_periods || images > most_images) {
      refuse(fmt::format("over {:.0f} periods along {} it fills the box with its images",
                         periods,
                         axis_names[axis]));
    }
    if (std::max(std::abs(extent.low[axis] - box.low[axis]),
                 std::abs(extent.high[axis] - box.low[axis])) > farthest * period) {
      refuse(
          fmt::format("it lies more than {:g} periods away along {}", farthest, axis_names[axis]));
    }
  }
}

std::vector<Place> images_of(const Triangles& surface, const Case& resolved, const Bounds& bounds) {
  const Bounds extent = bounds_of(surface);
  std::vector<Place> images{{}};
  for (int axis = 0; axis < 3; ++axis) {
    if (!resolved.is_periodic(axis)) continue;
    const double period = resolved.grid.length[axis];
    const double beside = surface.tolerance;
    const auto first =
        static_cast<int>(std::ceil((bounds.low[axis] - extent.high[axis] - beside) / period));
    const auto last =
        static_cast<int>(std::floor((bounds.high[axis] - extent.low[axis] + beside) / period));
    const std::vector<Place> before = std::exchange(images, {});
    for (int shift = first; shift <= last; ++shift) {
      for (Place image : before) {
        image[axis] = shift * period;
        images.push_back(image);
      }
    }
  }
  return images;
}

}  // namespace dns
