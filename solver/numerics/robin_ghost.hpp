/// The ghost point of a variable at cell centres beyond a boundary plane, from a Robin condition.
#pragma once

#include "solver/numerics/boundary_closure.hpp"

namespace dns {

/// Closure of a ghost point q_0 half a cell outside of a plane, with q_1 half a cell inside: on the
/// plane q = (q_0 + q_1)/2 and, s the outward normal, dq/ds = (q_0 - q_1)/width, so that
///   value_weight q + gradient_weight dq/ds = given
/// is  q_0 = first q_1 + weight given  with
///   first = (gradient_weight - value_weight width/2)/divisor,   weight = width/divisor,
///   divisor = gradient_weight + value_weight width/2
/// `width` [L]: that of the cells inside of the plane. Examples, with n = -s into the fluid:
///   value q:                          {1, 0}, given = q          q_0 = 2 q - q_1
///   gradient dq/ds:                   {0, 1}, given = dq/ds      q_0 = q_1 + width dq/ds
///   shear du/dn:                      {0, -1}, given = du/dn
///   Navier slip u - u_wall = l du/dn: {1, l}, given = u_wall
///   transfer dT/ds = h (outside - T): {h, 1}, given = h outside
/// Requires width > 0 and weights of one sign that are not both 0: then |first| <= 1, and the rows
/// of diffusion stay diagonally dominant.
template <class Real>
[[nodiscard]] BoundaryClosure<Real> ghost_closure(BoundaryCondition condition, double width) {
  const double half_value = condition.value_weight * width / 2;
  const double divisor = condition.gradient_weight + half_value;
  return {Real((condition.gradient_weight - half_value) / divisor), Real(0), Real(width / divisor)};
}

}  // namespace dns
