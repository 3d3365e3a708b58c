/// Which differences the axes of a case have.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// Why an axis has no differences of an order with the same weights everywhere; empty where it has.
/// Buoyancy across planes of symmetry is not symmetric, nor is rotation about another axis: the
/// slope of the pressure would jump there. Scalars with a condition of their own on such a plane
/// are no mirror images.
[[nodiscard]] std::string obstacle_to(int order, const Case& read, int axis);

/// Why an axis with boundaries has no differences of order 4 with rows of their own beside these
/// (solver/numerics/order_across_walls.hpp); empty where it has.
[[nodiscard]] std::string obstacle_across_walls(const Case& read, int axis);

/// Whether a complete case has these along an axis.
[[nodiscard]] bool has_rows_across_walls(const Case& resolved, int axis);

/// Fewest cells along an axis that its order needs.
[[nodiscard]] int fewest_cells(const Case& resolved, int axis);

/// The largest |w_(i+1) - 2 w_i + w_(i-1)|/w_i of the widths w of cells along an axis: where it is
/// large, order 4 is lost.
[[nodiscard]] double roughness_of_widths(const std::vector<double>& faces);
/// Above it `dns check` warns.
inline constexpr double most_roughness_of_widths = 0.3;

}  // namespace dns
