/// Vorticity and Q of a velocity at the nodes of a uniform grid:
///
///   omega = curl V,     Q = -1/2 (u_x^2 + v_y^2 + w_z^2) - u_y v_x - u_z w_x - v_z w_y
///
/// with central differences, and on boundary planes the one-sided ones of three nodes,
/// dq/ds = (4 q_1 - 3 q_0 - q_2)/(2 h): second order. In solid bodies and beside them they are
/// those of the velocity as it is stored there.
#pragma once

#include <cstddef>

#include "solver/core/level_view.hpp"
#include "solver/numerics/central_differences.hpp"

namespace dns {

/// Derivatives of a level whose ghost nodes are up to date. Requires three nodes along each axis.
template <class Real, int interleave_width>
struct NodalGradients {
  LevelView<const Real, interleave_width> level;
  InverseTwoSpacings<Real> inverse_two_h;
  Extents nodes;
  bool is_boundary[3][2] = {};  // axis; low, high end: no nodes beyond it

  /// dq/ds at node c, s along `axis`, of variable q.
  template <Axis axis>
  [[nodiscard]] DNS_HD Real slope(int variable, Index3 c) const {
    const auto& ends = is_boundary[static_cast<int>(axis)];
    const std::ptrdiff_t step = level.template stride<axis>();
    const Real* here = level.address(variable, c);
    const Real factor = inverse_two_h.template along<axis>();
    if (ends[0] && along<axis>(c) == 0)
      return (4 * here[step] - 3 * here[0] - here[2 * step]) * factor;
    if (ends[1] && along<axis>(c) == along<axis>(nodes) - 1)
      return (3 * here[0] + here[-2 * step] - 4 * here[-step]) * factor;
    return central_difference<axis>(level, here, c, inverse_two_h);
  }
};

/// The component of omega along `axis` [U/L].
template <Axis axis, class Real, int interleave_width>
struct VorticityAtNodes {
  NodalGradients<Real, interleave_width> gradients;
  StridedField<Real> result;

  DNS_HD void operator()(Index3 c) const {
    constexpr Axis first = static_cast<Axis>((static_cast<int>(axis) + 1) % 3);
    constexpr Axis second = static_cast<Axis>((static_cast<int>(axis) + 2) % 3);
    *result.address(c) = gradients.template slope<first>(velocity_along(second), c) -
                         gradients.template slope<second>(velocity_along(first), c);
  }
};

/// Q [U^2/L^2].
template <class Real, int interleave_width>
struct QCriterionAtNodes {
  NodalGradients<Real, interleave_width> gradients;
  StridedField<Real> result;

  DNS_HD void operator()(Index3 c) const {
    const Real u_x = gradients.template slope<Axis::x>(0, c);
    const Real v_y = gradients.template slope<Axis::y>(1, c);
    const Real w_z = gradients.template slope<Axis::z>(2, c);
    *result.address(c) = Real(-0.5) * (u_x * u_x + v_y * v_y + w_z * w_z) -
                         product<Axis::x, Axis::y>(c) - product<Axis::x, Axis::z>(c) -
                         product<Axis::y, Axis::z>(c);
  }

 private:
  /// du_first/d second times du_second/d first.
  template <Axis first, Axis second>
  [[nodiscard]] DNS_HD Real product(Index3 c) const {
    return gradients.template slope<second>(velocity_along(first), c) *
           gradients.template slope<first>(velocity_along(second), c);
  }
};

}  // namespace dns
