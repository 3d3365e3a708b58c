/// Derivatives of a velocity at the nodes of a uniform grid, for fields derived from it
/// (derived_fields.hpp): central differences, and on boundary planes the one-sided ones of three
/// nodes, dq/ds = (4 q_1 - 3 q_0 - q_2)/(2 h), of second order. In solid bodies and beside them
/// they are those of the velocity as it is stored there.
#pragma once

#include <cstddef>

#include "solver/core/level_view.hpp"
#include "solver/numerics/central_differences.hpp"

namespace dns {

/// Derivatives of a level whose ghost nodes are up to date. Requires three nodes along each axis.
template <class Real, int interleave_width>
struct NodalGradients {
  using Number = Real;

  LevelView<const Real, interleave_width> level;
  InverseTwoSpacings<Real> inverse_two_h;
  Extents nodes;
  PerAxis<bool[2]> is_boundary{};  // axis; low, high end: no nodes beyond it

  /// dq/ds at node c, s along `axis`, of variable q.
  template <Axis axis>
  [[nodiscard]] DNS_HD Real slope(int variable, Index3 c) const {
    const auto& ends = is_boundary[axis];
    const std::ptrdiff_t step = level.template stride<axis>();
    const Real* here = level.address(variable, c);
    const Real factor = inverse_two_h.template along<axis>();
    if (ends[0] && along<axis>(c) == 0)
      return (4 * here[step] - 3 * here[0] - here[2 * step]) * factor;
    if (ends[1] && along<axis>(c) == along<axis>(nodes) - 1)
      return (3 * here[0] + here[-2 * step] - 4 * here[-step]) * factor;
    return central_difference<axis>(level, here, c, inverse_two_h);
  }

  /// dV_s/ds.
  template <Axis axis>
  [[nodiscard]] DNS_HD Real normal(Index3 c) const {
    return slope<axis>(velocity_along(axis), c);
  }
  /// f(dV_first/d second, dV_second/d first).
  template <Axis first, Axis second, class Formula>
  [[nodiscard]] DNS_HD Real cross(const Formula& formula, Index3 c) const {
    return formula(slope<second>(velocity_along(first), c),
                   slope<first>(velocity_along(second), c));
  }
};

}  // namespace dns
