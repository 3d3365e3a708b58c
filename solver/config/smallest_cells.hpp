/// Width of the smallest cells of a grid, and how many of them are across a body. Scheme
/// projection.
#pragma once

#include <optional>

#include "solver/config/case.hpp"

namespace dns {

/// Width of the smallest cell along an axis, and along any [L].
[[nodiscard]] double smallest_cell(const GridCase& grid, int axis);
[[nodiscard]] double smallest_cell(const GridCase& grid);

/// Cells across a sphere, cylinder or box, along the axis that has the fewest, where they are
/// smallest; none of other shapes.
[[nodiscard]] std::optional<double> cells_across(const SolidCase& body, const GridCase& grid);

/// How many bodies that move need, and should have.
inline constexpr double least_cells_across = 4;
inline constexpr double fair_cells_across = 8;

}  // namespace dns
