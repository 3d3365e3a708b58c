#include "solver/solids/triangle_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace dns {
namespace {

struct Crossing {
  std::size_t line;
  double place;
  std::uint32_t shell;
  std::int8_t turn;
};

/// How often places along a line are in each of some shells.
class Depth {
 public:
  explicit Depth(const std::vector<Shell>& shells) : shells_(shells) {}

  /// Whether the body is behind a crossing.
  bool is_inside_after(const Crossing& crossing) {
    const Shell& shell = shells_[crossing.shell];
    auto found = std::ranges::find(turns_, crossing.shell, &Turns::shell);
    if (found == turns_.end()) found = turns_.insert(found, {crossing.shell, 0});
    const bool was_in = found->turns != 0;
    found->turns = shell.is_oriented ? found->turns + crossing.turn : 1 - found->turns;
    const bool is_in = found->turns != 0;
    if (is_in != was_in) depth_ += is_in == shell.is_cavity ? -1 : 1;
    if (!is_in) turns_.erase(found);
    return depth_ > 0;
  }

 private:
  struct Turns {
    std::uint32_t shell;
    int turns;
  };
  const std::vector<Shell>& shells_;
  std::vector<Turns> turns_;  // of the shells that the line is in
  int depth_ = 0;
};

/// Joins what overlaps on a line.
template <class Inside>
void join(std::vector<Inside>& inside) {
  std::ranges::sort(inside, [](const Inside& one, const Inside& other) {
    return std::tie(one.line, one.enters, one.leaves) <
           std::tie(other.line, other.enters, other.leaves);
  });
  std::size_t kept = 0;
  for (const Inside& next : inside) {
    if (kept > 0 && inside[kept - 1].line == next.line && next.enters <= inside[kept - 1].leaves) {
      inside[kept - 1].leaves = std::max(inside[kept - 1].leaves, next.leaves);
    } else {
      inside[kept++] = next;
    }
  }
  inside.resize(kept);
}

PerAxis<std::vector<double>> all_places(const PointPlaces& places,
                                        Extents points,
                                        const Place& beside) {
  PerAxis<std::vector<double>> all;
  for (int axis = 0; axis < 3; ++axis) {
    for (int n = -1; n <= points[axis]; ++n)
      all[axis].push_back(places.along(axis, n) + beside[axis]);
  }
  return all;
}

}  // namespace

TriangleLines::TriangleLines(const Triangles& surface,
                             const std::vector<Place>& images,
                             int axis,
                             const PointPlaces& places,
                             Extents points,
                             const Place& beside)
    : TriangleLines(surface, images, axis, all_places(places, points, beside)) {}

TriangleLines::TriangleLines(const Triangles& surface,
                             const std::vector<Place>& images,
                             int axis,
                             const PerAxis<std::vector<double>>& places)
    : axis_(axis),
      first_axis_(static_cast<int>(axes_in_plane(axis).first)),
      second_axis_(static_cast<int>(axes_in_plane(axis).second)),
      count_first_(static_cast<int>(places[first_axis_].size())) {
  const std::vector<double>& first = places[first_axis_];
  const std::vector<double>& second = places[second_axis_];
  std::vector<Inside> inside;
  std::size_t joined = 0;
  for (const Place& image : images) {
    add_image(surface, image, first, second, inside);
    constexpr std::size_t few = 1U << 20U;
    if (inside.size() < 2 * joined + few) continue;  // memory is that of the union
    join(inside);
    joined = inside.size();
  }
  join(inside);
  const std::size_t lines = first.size() * second.size();
  begin_.assign(1, 0);
  auto next = inside.begin();
  for (std::size_t line = 0; line < lines; ++line) {
    for (; next != inside.end() && next->line == line; ++next)
      crossings_.insert(crossings_.end(), {next->enters, next->leaves});
    begin_.push_back(crossings_.size());
  }
}

void TriangleLines::add_image(const Triangles& surface,
                              const Place& image,
                              const std::vector<double>& first,
                              const std::vector<double>& second,
                              std::vector<Inside>& inside) const {
  const std::size_t p = first_axis_;
  const std::size_t q = second_axis_;
  const auto range = [](const std::vector<double>& lines, double low, double high) {
    return std::pair(std::ranges::lower_bound(lines, low) - lines.begin(),
                     std::ranges::upper_bound(lines, high) - lines.begin());
  };
  std::vector<Crossing> found;
  for (std::uint32_t shell = 0; shell < surface.shells.size(); ++shell) {
    for (std::size_t n = surface.shells[shell].begin; n < surface.shells[shell].end; ++n) {
      const std::array<Place, 3> triangle = triangle_of(surface, n, image);
      const auto& [a, b, c] = triangle;
      const auto [begin_q, end_q] =
          range(second, std::min({a[q], b[q], c[q]}), std::max({a[q], b[q], c[q]}));
      if (begin_q == end_q) continue;
      const auto [begin_p, end_p] =
          range(first, std::min({a[p], b[p], c[p]}), std::max({a[p], b[p], c[p]}));
      for (auto j = begin_q; j < end_q; ++j) {
        for (auto i = begin_p; i < end_p; ++i) {
          Place line{};
          line[p] = first[i];
          line[q] = second[j];
          double place = 0;
          const int turn = crosses_line(triangle, axis_, line, place);
          if (turn == 0) continue;
          found.push_back({j * first.size() + i, place, shell, static_cast<std::int8_t>(turn)});
        }
      }
    }
  }
  std::ranges::sort(found, [](const Crossing& one, const Crossing& other) {
    return std::tie(one.line, one.place, one.shell, one.turn) <
           std::tie(other.line, other.place, other.shell, other.turn);
  });
  for (auto next = found.begin(); next != found.end();) {
    const std::size_t line = next->line;
    Depth depth(surface.shells);
    bool was_inside = false;
    for (; next != found.end() && next->line == line; ++next) {
      const bool is_inside = depth.is_inside_after(*next);
      if (is_inside && !was_inside) inside.push_back({line, next->place, next->place});
      if (!is_inside && was_inside) inside.back().leaves = next->place;
      was_inside = is_inside;
    }
  }
}

std::span<const double> TriangleLines::crossings_of_line(Index3 c) const {
  const std::size_t line =
      static_cast<std::size_t>(c[second_axis_] + 1) * count_first_ + c[first_axis_] + 1;
  return std::span(crossings_).subspan(begin_[line], begin_[line + 1] - begin_[line]);
}

std::size_t TriangleLines::crossings_up_to(Index3 c, double place) const {
  const std::span<const double> of_line = crossings_of_line(c);
  return std::ranges::upper_bound(of_line, place) - of_line.begin();
}

std::optional<std::array<double, 2>> TriangleLines::inside_at(Index3 c, double place) const {
  const std::size_t before = crossings_up_to(c, place);
  if (before % 2 == 0) return std::nullopt;
  const std::span<const double> of_line = crossings_of_line(c);
  return std::array{of_line[before - 1], of_line[before]};
}

double TriangleLines::first_crossing(Index3 c, double start, double step) const {
  double way = step;   // none anywhere: as far as the neighbour
  double beside = -1;  // how far the nearest crossing lies off the way
  for (const double crossing : crossings_of_line(c)) {
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
