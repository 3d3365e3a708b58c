#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// An edge as one of its triangles has it.
struct Side {
  std::uint32_t low, high;  // its ends
  std::uint32_t triangle;
  bool is_upwards;  // the triangle goes from low to high

  [[nodiscard]] bool is_beside(const Side& other) const {
    return low == other.low && high == other.high;
  }
};

std::vector<Side> sides_of(const Triangles& surface) {
  std::vector<Side> sides;
  sides.reserve(3 * surface.corners.size());
  for (std::size_t n = 0; n < surface.corners.size(); ++n) {
    const auto& corners = surface.corners[n];
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t from = corners[c];
      const std::uint32_t to = corners[(c + 1) % 3];
      sides.push_back(
          {std::min(from, to), std::max(from, to), static_cast<std::uint32_t>(n), from < to});
    }
  }
  std::ranges::sort(sides, [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

/// Calls visit(first side, end) for each edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, const Visit& visit) {
  for (auto from = sides.begin(); from != sides.end();) {
    const auto to = std::find_if_not(
        from, sides.end(), [&](const Side& side) { return side.is_beside(*from); });
    visit(from, to);
    from = to;
  }
}

/// Triangles in sets that edges connect. Each knows whether it has to be turned over to go round
/// like the root of its set.
class Sets {
 public:
  explicit Sets(std::size_t triangles)
      : parent_(triangles), is_over_(triangles, 0), is_twisted_(triangles, 0) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  struct Root {
    std::uint32_t root;
    bool is_over;
  };
  Root root_of(std::uint32_t node) {
    std::uint32_t root = node;
    bool is_over = false;
    for (; parent_[root] != root; root = parent_[root]) is_over = is_over != (is_over_[root] != 0);
    for (bool rest = is_over; parent_[node] != node;) {  // from now on the way is short
      const std::uint32_t next = std::exchange(parent_[node], root);
      rest = rest != (std::exchange(is_over_[node], rest ? 1 : 0) != 0);
      node = next;
    }
    return {root, is_over};
  }
  void join(std::uint32_t one, std::uint32_t other, bool is_over) {
    const Root a = root_of(one);
    const Root b = root_of(other);
    const bool turns = is_over != (a.is_over != b.is_over);
    if (a.root == b.root) {
      if (turns) is_twisted_[a.root] = 1;
      return;
    }
    parent_[b.root] = a.root;
    is_over_[b.root] = turns ? 1 : 0;
    is_twisted_[a.root] |= is_twisted_[b.root];
  }
  void note_twist(std::uint32_t node) { is_twisted_[root_of(node).root] = 1; }
  [[nodiscard]] bool is_twisted(std::uint32_t root) const { return is_twisted_[root] != 0; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> is_over_;     // against the parent
  std::vector<std::uint8_t> is_twisted_;  // a root: its triangles cannot be turned alike
};

/// Sets of triangles that are closed by themselves: at an edge as many of their sides run upwards
/// as downwards. Edges of two triangles connect; others only where the sets that meet there are
/// open without them: these keep the turn that the file gives.
Sets closed_sets(const std::vector<Side>& sides, std::size_t triangles) {
  Sets sets(triangles);
  std::map<std::uint32_t, std::ptrdiff_t> turns;  // of each root: sides upwards less downwards
  const auto find_turns = [&](auto from, auto to) {
    turns.clear();
    for (auto side = from; side != to; ++side) {
      const auto found = sets.root_of(side->triangle);
      turns[found.root] += side->is_upwards != found.is_over ? 1 : -1;
    }
  };
  for_each_edge(sides, [&](auto from, auto to) {
    if (to - from == 2)
      sets.join(from->triangle, from[1].triangle, from->is_upwards == from[1].is_upwards);
  });
  for_each_edge(sides, [&](auto from, auto to) {
    if (to - from == 2) return;
    find_turns(from, to);
    if (std::ranges::all_of(turns, [](const auto& of_set) { return of_set.second == 0; })) return;
    for (auto side = from; side != to; ++side) sets.join(from->triangle, side->triangle, false);
  });
  for_each_edge(sides, [&](auto from, auto to) {
    if (to - from == 2) return;
    find_turns(from, to);
    for (const auto& [root, sum] : turns)
      if (sum != 0) sets.note_twist(root);
  });
  return sets;
}

/// A shell and what tells cavities.
struct Found {
  Bounds bounds{};
  double volume = 0;
};

class Cavities {
 public:
  Cavities(Triangles& surface, const std::vector<Found>& found)
      : surface_(surface), found_(found) {}

  void mark() {
    std::vector<std::size_t> order(found_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return std::pair(-found_[a].volume, a) < std::pair(-found_[b].volume, b);
    });
    for (std::size_t n = 1; n < order.size(); ++n) {  // the smallest shell around it counts
      for (std::size_t outer = n; outer-- > 0;) {
        if (!is_within(order[n], order[outer])) continue;
        surface_.shells[order[n]].is_cavity = !surface_.shells[order[outer]].is_cavity;
        break;
      }
    }
  }

 private:
  [[nodiscard]] std::array<Place, 3> triangle(std::size_t n) const {
    const auto& [a, b, c] = surface_.corners[n];
    return {surface_.points[a], surface_.points[b], surface_.points[c]};
  }

  /// Corners and middles of the triangles of a shell.
  [[nodiscard]] std::vector<Place> places_on(const Shell& shell) const {
    std::vector<Place> places;
    for (std::size_t n = shell.begin; n < shell.end; ++n) {
      const auto corners = triangle(n);
      Place middle{};
      for (const Place& corner : corners) {
        places.push_back(corner);
        for (int axis = 0; axis < 3; ++axis) middle[axis] += corner[axis] / 3;
      }
      places.push_back(middle);
    }
    return places;
  }

  [[nodiscard]] bool is_within(std::size_t inner, std::size_t outer) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (found_[inner].bounds.low[axis] < found_[outer].bounds.low[axis] - surface_.tolerance ||
          found_[inner].bounds.high[axis] > found_[outer].bounds.high[axis] + surface_.tolerance)
        return false;
    }
    const auto [in, out] = inside_and_outside(places_on(surface_.shells[inner]), outer);
    if (in == 0 || out > 0) return false;
    return inside_and_outside(places_on(surface_.shells[outer]), inner).first == 0;
  }

  /// How many places are in a shell and how many outside; those on it are neither.
  [[nodiscard]] std::pair<std::size_t, std::size_t> inside_and_outside(
      const std::vector<Place>& places, std::size_t of) const {
    const Shell& shell = surface_.shells[of];
    // Rows of places by their z, so that a triangle looks at few of them.
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return std::pair(places[a][2], places[a][1]) < std::pair(places[b][2], places[b][1]);
    });
    std::vector<int> turns(places.size(), 0);
    std::vector<std::uint8_t> is_on(places.size(), 0);
    const double beside = surface_.tolerance;
    for (std::size_t n = shell.begin; n < shell.end; ++n) {
      const auto corners = triangle(n);
      const auto [low_y, high_y] = std::minmax({corners[0][1], corners[1][1], corners[2][1]});
      const auto [low_z, high_z] = std::minmax({corners[0][2], corners[1][2], corners[2][2]});
      const auto z = [&](std::size_t place) { return places[place][2]; };
      const auto y = [&](std::size_t place) { return places[place][1]; };
      auto row = std::ranges::lower_bound(order, low_z - beside, {}, z);
      while (row != order.end() && z(*row) <= high_z + beside) {
        const auto end = std::ranges::upper_bound(row, order.end(), z(*row), {}, z);
        auto at = std::ranges::lower_bound(row, end, low_y - beside, {}, y);
        for (; at != end && y(*at) <= high_y + beside; ++at) {
          const Place& x = places[*at];
          double crossing = 0;
          const int turn = crosses_line(corners, 0, x, crossing);
          if (turn != 0 && crossing > x[0]) turns[*at] += turn;
          if (is_on[*at] == 0 && distance_from(x, corners) <= beside) is_on[*at] = 1;
        }
        row = end;
      }
    }
    std::pair<std::size_t, std::size_t> counts{0, 0};
    for (std::size_t n = 0; n < places.size(); ++n) {
      if (is_on[n] != 0) continue;
      const bool is_in = shell.is_oriented ? turns[n] != 0 : turns[n] % 2 != 0;
      ++(is_in ? counts.first : counts.second);
    }
    return counts;
  }

  Triangles& surface_;
  const std::vector<Found>& found_;
};

/// Six times the volume between a triangle and a place.
double volume_before(const std::array<Place, 3>& triangle, const Place& from) {
  std::array<Place, 3> v{};
  for (std::size_t n = 0; n < 3; ++n) {
    for (int axis = 0; axis < 3; ++axis) v[n][axis] = triangle[n][axis] - from[axis];
  }
  return v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
         v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
         v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
}

/// Turns the triangles of a shell outwards.
Found oriented(Triangles& surface, const Shell& shell) {
  Found found;
  const Place& origin = surface.points[surface.corners[shell.begin][0]];
  found.bounds = {origin, origin};
  for (std::size_t n = shell.begin; n < shell.end; ++n) {
    const auto& [a, b, c] = surface.corners[n];
    const std::array<Place, 3> triangle{surface.points[a], surface.points[b], surface.points[c]};
    found.volume += volume_before(triangle, origin);
    for (const Place& corner : triangle) {
      for (int axis = 0; axis < 3; ++axis) {
        found.bounds.low[axis] = std::min(found.bounds.low[axis], corner[axis]);
        found.bounds.high[axis] = std::max(found.bounds.high[axis], corner[axis]);
      }
    }
  }
  for (std::size_t n = shell.begin; n < shell.end && found.volume < 0; ++n)
    std::swap(surface.corners[n][1], surface.corners[n][2]);
  found.volume = std::abs(found.volume);
  return found;
}

}  // namespace

void find_shells(Triangles& surface) {
  const std::vector<Side> sides = sides_of(surface);
  Sets sets = closed_sets(sides, surface.corners.size());
  std::vector<std::uint32_t> shell_of_root(surface.corners.size(), nobody);
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint8_t> is_over(surface.corners.size());
  for (std::uint32_t n = 0; n < surface.corners.size(); ++n) {
    const auto found = sets.root_of(n);
    is_over[n] = found.is_over ? 1 : 0;
    std::uint32_t& shell = shell_of_root[found.root];
    if (shell == nobody) {
      shell = static_cast<std::uint32_t>(members.size());
      members.emplace_back();
      surface.shells.push_back({.is_oriented = !sets.is_twisted(found.root)});
    }
    members[shell].push_back(n);
  }
  std::vector<std::array<std::uint32_t, 3>> corners;
  corners.reserve(surface.corners.size());
  std::vector<Found> found;
  for (std::size_t shell = 0; shell < members.size(); ++shell) {
    surface.shells[shell].begin = corners.size();
    for (const std::uint32_t n : members[shell]) {
      corners.push_back(surface.corners[n]);
      if (is_over[n] != 0) std::swap(corners.back()[1], corners.back()[2]);
    }
    surface.shells[shell].end = corners.size();
  }
  surface.corners = std::move(corners);
  for (const Shell& shell : surface.shells) found.push_back(oriented(surface, shell));
  Cavities(surface, found).mark();
}

}  // namespace dns
