#include "solver/solids/triangle_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace dns {
namespace {

/// A point and the corners of a triangle as seen along an axis.
struct Seen {
  double p, q, s;  // across the axis, along it
};

/// Whether the ray from (p, q) towards larger p crosses an edge. The ends are taken in one order,
/// so that both triangles at the edge get the same answer.
bool crosses(const Seen& a, const Seen& b, double p, double q) {
  if ((a.q > q) == (b.q > q)) return false;
  const auto [low, high] = std::pair(std::tie(a.q, a.p) < std::tie(b.q, b.p) ? a : b,
                                     std::tie(a.q, a.p) < std::tie(b.q, b.p) ? b : a);
  const double place = low.p + (q - low.q) / (high.q - low.q) * (high.p - low.p);
  return p < std::clamp(place, std::min(low.p, high.p), std::max(low.p, high.p));
}

struct Crossing {
  std::size_t line, image;
  double place;
};

}  // namespace

TriangleLines::TriangleLines(const Triangles& surface,
                             int axis,
                             const PointPlaces& places,
                             Extents points)
    : axis_(axis),
      first_axis_(static_cast<int>(axes_in_plane(static_cast<Axis>(axis)).first)),
      second_axis_(static_cast<int>(axes_in_plane(static_cast<Axis>(axis)).second)),
      count_first_(points[first_axis_] + 2) {
  const auto places_along = [&](int of) {
    std::vector<double> all;
    for (int n = -1; n <= points[of]; ++n) all.push_back(places.along(of, n));
    return all;
  };
  const std::vector<double> first = places_along(first_axis_);
  const std::vector<double> second = places_along(second_axis_);
  const auto range = [](const std::vector<double>& lines, double low, double high) {
    return std::pair(std::ranges::lower_bound(lines, low) - lines.begin(),
                     std::ranges::upper_bound(lines, high) - lines.begin());
  };

  std::vector<Crossing> found;
  const std::size_t of_image = surface.corners.size() / std::max<std::size_t>(surface.images, 1);
  for (std::size_t triangle = 0; triangle < surface.corners.size(); ++triangle) {
    const auto& corners = surface.corners[triangle];
    std::array<Seen, 3> seen{};
    for (std::size_t n = 0; n < 3; ++n) {
      const std::array<double, 3>& x = surface.points[corners[n]];
      seen[n] = {x[static_cast<std::size_t>(first_axis_)],
                 x[static_cast<std::size_t>(second_axis_)],
                 x[static_cast<std::size_t>(axis_)]};
    }
    const auto [a, b, c] = seen;
    const auto [low_p, high_p] = std::minmax({a.p, b.p, c.p});
    const auto [low_q, high_q] = std::minmax({a.q, b.q, c.q});
    const auto [low_s, high_s] = std::minmax({a.s, b.s, c.s});
    const auto [begin_q, end_q] = range(second, low_q, high_q);
    const auto [begin_p, end_p] = range(first, low_p, high_p);
    const double area = (b.p - a.p) * (c.q - a.q) - (c.p - a.p) * (b.q - a.q);
    for (auto j = begin_q; j < end_q; ++j) {
      const double q = second[static_cast<std::size_t>(j)];
      for (auto i = begin_p; i < end_p; ++i) {
        const double p = first[static_cast<std::size_t>(i)];
        const bool is_in = crosses(a, b, p, q) != (crosses(b, c, p, q) != crosses(c, a, p, q));
        if (!is_in) continue;
        double place = (low_s + high_s) / 2;  // of a triangle seen edge on
        if (area != 0) {
          const double of_b = ((p - a.p) * (c.q - a.q) - (c.p - a.p) * (q - a.q)) / area;
          const double of_c = ((b.p - a.p) * (q - a.q) - (p - a.p) * (b.q - a.q)) / area;
          place = std::clamp(a.s + of_b * (b.s - a.s) + of_c * (c.s - a.s), low_s, high_s);
        }
        found.push_back({static_cast<std::size_t>(j) * static_cast<std::size_t>(count_first_) +
                             static_cast<std::size_t>(i),
                         triangle / of_image,
                         place});
      }
    }
  }

  std::ranges::sort(found, [](const Crossing& one, const Crossing& other) {
    return std::tie(one.line, one.image, one.place) <
           std::tie(other.line, other.image, other.place);
  });
  const std::size_t lines = static_cast<std::size_t>(count_first_) * second.size();
  begin_.assign(1, 0);
  auto next = found.begin();
  for (std::size_t line = 0; line < lines; ++line) {
    std::vector<std::pair<double, double>> inside;
    for (; next != found.end() && next->line == line; next += 2)
      inside.emplace_back(next->place, std::next(next)->place);
    std::ranges::sort(inside);
    for (const auto& [enters, leaves] : inside) {
      if (crossings_.size() > begin_.back() && enters <= crossings_.back()) {
        crossings_.back() = std::max(crossings_.back(), leaves);
      } else {
        crossings_.insert(crossings_.end(), {enters, leaves});
      }
    }
    begin_.push_back(crossings_.size());
  }
}

std::size_t TriangleLines::line_of(Index3 c) const {
  return static_cast<std::size_t>(c[second_axis_] + 1) * static_cast<std::size_t>(count_first_) +
         static_cast<std::size_t>(c[first_axis_] + 1);
}

std::size_t TriangleLines::crossings_up_to(Index3 c, double place) const {
  const std::size_t line = line_of(c);
  const std::span of_line(crossings_.data() + begin_[line], crossings_.data() + begin_[line + 1]);
  return static_cast<std::size_t>(std::ranges::upper_bound(of_line, place) - of_line.begin());
}

double TriangleLines::first_crossing(Index3 c, double start, double step) const {
  const std::size_t line = line_of(c);
  const std::span of_line(crossings_.data() + begin_[line], crossings_.data() + begin_[line + 1]);
  double way = step;   // none anywhere: as far as the neighbour
  double beside = -1;  // how far the nearest crossing lies off the way
  for (const double crossing : of_line) {
    const double here = crossing - start;
    const bool is_on_the_way = here * step >= 0 && std::abs(here) <= std::abs(step);
    const double off = is_on_the_way ? 0 : std::min(std::abs(here), std::abs(here - step));
    const bool is_nearer =
        beside < 0 || off < beside || (off == 0 && beside == 0 && std::abs(here) < std::abs(way));
    if (!is_nearer) continue;
    beside = off;
    way = here;
  }
  return way;
}

}  // namespace dns
