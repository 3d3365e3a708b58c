/// Faces of adiabatic bodies.
#pragma once

#include "solver/core/field_view.hpp"

namespace dns {

/// 1 where one of a point and its neighbour along `axis` lies in an adiabatic body, so that no heat
/// passes between them, else 0. insulated: 1 in such bodies, else 0. side: -1 or 1.
template <Axis axis, class Real, class Point>
[[nodiscard]] DNS_HD auto is_closed_face(const FieldView<const Real>& insulated,
                                         const Spot<Point>& c,
                                         int side) {
  const auto difference = insulated(c) - insulated.template beside<axis>(c, side);
  return difference * difference;
}

}  // namespace dns
