/// Coordinates of the points of one variable in a part of the grid.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// Places of the points of a part and one more at every end [L]; beyond a periodic end they go on.
class PointPlaces {
 public:
  /// variable: a velocity component, or any other for cell centres (scheme projection); all are at
  /// the nodes in scheme splitting.
  PointPlaces(const Case& resolved, const Subdomain& part, int variable);

  /// index: from the part's first point, -1 .. n.
  [[nodiscard]] double along(int axis, int index) const { return places_[axis][entry_of(index)]; }
  [[nodiscard]] PerAxis<double> at(Index3 c) const {
    return {along(0, c.i), along(1, c.j), along(2, c.k)};
  }
  /// Whether the sweeps solve for the variable there: neither on a boundary plane nor beyond one.
  [[nodiscard]] bool is_unknown(Index3 c) const {
    return is_unknown_[0][entry_of(c.i)] && is_unknown_[1][entry_of(c.j)] &&
           is_unknown_[2][entry_of(c.k)];
  }

 private:
  static std::size_t entry_of(int index) { return std::ptrdiff_t{index} + 1; }

  PerAxis<std::vector<double>> places_;  // [L]
  PerAxis<std::vector<bool>> is_unknown_;
};

}  // namespace dns
