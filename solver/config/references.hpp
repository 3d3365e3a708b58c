/// References of scalars: what is computed is the difference from them, so that a scalar far from 0
/// does not lose the digits of its fluctuations.
#pragma once

#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// The references R of the scalars of a case, in the order of their numbers: those that it gives,
/// or the middle of the given values of walls, inflows, bodies, sponges and the start, in float,
///
///   R = (low + high)/2   where |R| > 8 (high - low) and, with high = low, |R| > 8,
///
/// else 0. Formulas are looked at on a coarse grid at t = 0, files not at all. Temperature [T0].
[[nodiscard]] std::vector<double> references_of(const Case& resolved);

/// Whether one of them is not 0.
[[nodiscard]] bool has_references(const Case& resolved);

/// The case of the differences q - R of all scalars q, whose own references are 0. Their values at
/// faces, outside of them, at bodies and the targets of sponges are given less R, and buoyancy has
///
///   T_ref - R_T - SUM b_s R_s.
///
/// What starts the flow stays as it is.
[[nodiscard]] Case about_references(const Case& resolved, const std::vector<double>& references);

}  // namespace dns
