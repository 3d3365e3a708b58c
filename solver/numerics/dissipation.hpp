/// The dissipation function,
///
///   Phi = 2 (u_x^2 + v_y^2 + w_z^2) + (v_x + u_y)^2 + (w_x + u_z)^2 + (w_y + v_z)^2,
///
/// and its parts: those of single velocity gradients, for grids where these live at different
/// points, and that of one sweep. Phi/Re is the rate at which viscosity dissipates kinetic energy.
#pragma once

#include "solver/core/host_device.hpp"

namespace dns {

/// The part of the derivative of a velocity component along its own axis: 2 u_x^2.
template <class Value>
[[nodiscard]] DNS_HD Value normal_dissipation(Value slope) {
  return Value(2) * slope * slope;
}

/// The part of a pair of cross derivatives: (v_x + u_y)^2.
template <class Value>
[[nodiscard]] DNS_HD Value shear_dissipation(Value v_x, Value u_y) {
  const Value shear = v_x + u_y;
  return shear * shear;
}

/// Phi_s, the part of Phi that the sweep along s evaluates. With a the velocity component along s,
/// b and c the other two and subscripts for derivatives along their axes:
///   Phi_s = 2 a_s^2 + b_s^2 + c_s^2 + b_s a_b + c_s a_c;      Phi_x + Phi_y + Phi_z = Phi.
template <class Value>
[[nodiscard]] DNS_HD Value
dissipation_along(Value a_s, Value b_s, Value c_s, Value a_b, Value a_c) {
  return normal_dissipation(a_s) + b_s * (b_s + a_b) + c_s * (c_s + a_c);
}

}  // namespace dns
