/// Points in convex bodies, cuts and dead ends, written down plainly and slowly.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/solids/box_case.hpp"

namespace dns::testing {

using Place = PerAxis<double>;
using Interval = std::pair<double, double>;

/// Of x + t way, the t in a body; empty where the first is larger.
using LineInBody = std::function<Interval(const Place& x, const Place& way)>;

inline constexpr Interval nowhere{1, -1};
inline constexpr Interval everywhere{-std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::infinity()};

inline Interval in_both(const Interval& a, const Interval& b) {
  return {std::max(a.first, b.first), std::min(a.second, b.second)};
}

/// Where the squares of the distance from the centre along some axes are r^2 at most.
inline LineInBody round_body(const Place& center, double r, const std::vector<int>& axes) {
  return [=](const Place& x, const Place& way) -> Interval {
    double a = 0;
    double b = 0;
    double c = -r * r;
    for (const int axis : axes) {
      const double from = x[axis] - center[axis];
      a += way[axis] * way[axis];
      b += from * way[axis];
      c += from * from;
    }
    if (a == 0) return c <= 0 ? everywhere : nowhere;
    const double root = b * b - a * c;
    if (root < 0) return nowhere;
    return {(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a};
  };
}

inline LineInBody slab_body(int axis, double low, double high) {
  return [=](const Place& x, const Place& way) -> Interval {
    if (way[axis] == 0) return x[axis] >= low && x[axis] <= high ? everywhere : nowhere;
    const double first = (low - x[axis]) / way[axis];
    const double last = (high - x[axis]) / way[axis];
    return {std::min(first, last), std::max(first, last)};
  };
}

inline LineInBody common_of(const std::vector<LineInBody>& bodies) {
  return [=](const Place& x, const Place& way) {
    Interval common = everywhere;
    for (const LineInBody& body : bodies) common = in_both(common, body(x, way));
    return common;
  };
}

inline LineInBody sphere_body(const Place& center, double r) {
  return round_body(center, r, {0, 1, 2});
}

/// What find_solid_points is to find of one body; `images`: the body wherever it comes in.
class PlainModel {
 public:
  PlainModel(const Case& resolved, std::vector<LineInBody> images)
      : case_(resolved), images_(std::move(images)) {
    const int variables = resolved.scheme == Scheme::projection ? 4 : 1;
    for (int variable = 0; variable < variables; ++variable) {
      places_.emplace_back(resolved, resolved.scheme == Scheme::projection ? variable : 3);
      auto& flags = open_.emplace_back();
      for_each_point(resolved, [&](Index3 c) {
        flags[key(c)] = is_unknown(resolved, variable, c) && is_in(variable, c);
      });
    }
    closed_ = open_;
    if (variables == 4) close_dead_ends();
  }

  /// Throws no failure more than once: the first difference says enough.
  void expect_equal(const std::vector<SolidPoints>& found, double tolerance) const {
    ASSERT_EQ(found.size(), open_.size());
    for (std::size_t variable = 0; variable < found.size(); ++variable) {
      const SolidPoints& points = found[variable];
      bool is_equal = true;
      for_each_point(case_, [&](Index3 c) {
        if ((points.body_at(c) != no_body) == closed_[variable].at(key(c)) || !is_equal) return;
        is_equal = false;
        ADD_FAILURE() << "body of variable " << variable << " at " << c.i << " " << c.j << " "
                      << c.k;
      });
      ASSERT_TRUE(is_equal);
      expect_equal_cuts(static_cast<int>(variable), points.cuts, tolerance);
    }
  }

  [[nodiscard]] std::size_t count_of_dead_ends() const {
    std::size_t count = 0;
    for (std::size_t variable = 0; variable < open_.size(); ++variable) {
      for (const auto& [c, is_solid] : closed_[variable])
        count += is_solid && !open_[variable].at(c) ? 1 : 0;
    }
    return count;
  }

 private:
  using Key = std::tuple<int, int, int>;  // k, j, i
  static Key key(Index3 c) { return {c.k, c.j, c.i}; }

  [[nodiscard]] bool is_in(int variable, Index3 c) const {
    const Place x = places_[variable].at(c);
    return std::ranges::any_of(images_, [&](const LineInBody& body) {
      // Along the three axes, so that no part that decides is left out.
      for (int axis = 0; axis < 3; ++axis) {
        Place way{};
        way[axis] = 1;
        const Interval in = body(x, way);
        if (!(in.first <= 0 && in.second >= 0)) return false;
      }
      return true;
    });
  }

  /// The point itself, or that at the other end of a periodic axis; false: none.
  [[nodiscard]] bool wrap(Index3& c) const {
    for (int axis = 0; axis < 3; ++axis) {
      const int n = case_.grid.points[axis];
      const int index = c[axis];
      if (index >= 0 && index < n) continue;
      if (!case_.is_periodic(axis)) return false;
      c = moved(c, axis, index < 0 ? n : -n);
    }
    return true;
  }

  void close_dead_ends() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for_each_point(case_, [&](Index3 cell) {
        int open = 0;
        bool has_body = false;
        std::pair<std::size_t, Key> last{3, {}};
        for (int axis = 0; axis < 3; ++axis) {
          for (int end = 0; end < 2; ++end) {
            Index3 face = moved(cell, axis, end);
            const bool is_plane = !case_.is_periodic(axis) &&
                                  (face[axis] == 0 || face[axis] == case_.grid.points[axis]);
            if (is_plane) {
              const FaceKind kind = case_.faces[face_index(axis, end == 1)].kind;
              if (kind != FaceKind::inflow && kind != FaceKind::outflow) continue;
              ++open;
              last.first = 3;
              continue;
            }
            if (!wrap(face)) continue;
            if (closed_[axis].at(key(face))) {
              has_body = true;
              continue;
            }
            ++open;
            last = {static_cast<std::size_t>(axis), key(face)};
          }
        }
        if (open != 1 || !has_body || last.first == 3) return;
        closed_[last.first][last.second] = true;
        has_changed = true;
      });
    }
  }

  void expect_equal_cuts(int variable, const std::vector<Cut>& found, double tolerance) const {
    auto cut = found.begin();
    const auto v = static_cast<std::size_t>(variable);
    double largest = 0;
    bool is_good = true;
    for_each_point(case_, [&](Index3 c) {
      if (!is_good || closed_[v].at(key(c)) || !is_unknown(case_, variable, c)) return;
      const Place x = places_[v].at(c);
      for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {-1, 1}) {
          Index3 neighbour = moved(c, axis, side);
          const auto a = static_cast<std::size_t>(axis);
          Place way{};
          way[a] = places_[v].at(neighbour)[a] - x[a];
          if (!is_good || !wrap(neighbour) || !open_[v].at(key(neighbour))) continue;
          double theta = 1;
          for (const LineInBody& body : images_) {
            const Interval in = body(x, way);
            if (in.first <= in.second && in.first >= 0) theta = std::min(theta, in.first);
          }
          is_good = cut != found.end() && cut->point.i == c.i && cut->point.j == c.j &&
                    cut->point.k == c.k && cut->axis == axis && cut->is_high == (side == 1) &&
                    cut->body == 0;
          if (!is_good) {
            ADD_FAILURE() << "no cut of variable " << variable << " at " << c.i << " " << c.j << " "
                          << c.k << " along axis " << axis;
            continue;
          }
          largest = std::max(largest, std::abs(cut->theta - std::max(theta, 1e-6)));
          ++cut;
        }
      }
    });
    EXPECT_TRUE(cut == found.end() || !is_good) << "more cuts than expected";
    EXPECT_LT(largest, tolerance) << "variable " << variable;
  }

  const Case& case_;
  std::vector<LineInBody> images_;
  std::vector<Places> places_;
  std::vector<std::map<Key, bool>> open_, closed_;
};

}  // namespace dns::testing
