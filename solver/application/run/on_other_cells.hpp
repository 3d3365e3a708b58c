/// The same flow on other cells.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// The case with so many points along each axis. Cells that the case lists are joined or divided
/// where the new ones end, by linear interpolation of the coordinates of faces; tables and formulas
/// stand as they are.
[[nodiscard]] Case on_other_cells(Case resolved, const Extents& points);

}  // namespace dns
