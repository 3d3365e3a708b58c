/// A plane of a flow, sampled for a picture.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// Values at the pixels of a picture, row by row from the top.
struct FlowSlice {
  int width = 0;
  int height = 0;
  std::vector<double> values;  // NaN in solid bodies

  [[nodiscard]] double at(int column, int row) const {
    return values[static_cast<std::size_t>(row) * width + column];
  }
};

/// The axes of a picture normal to `axis`: to the right and upwards. Upwards points the axis
/// nearest to that of buoyancy, without it y, and z where that is the axis looked along.
[[nodiscard]] std::array<int, 2> axes_of_picture(const Case& resolved, int axis);

/// Samples `plane` of a flow for viewing, linearly between nodes or centres of cells; between the
/// outermost centres and a wall values are constant. All pixels are squares of the same physical
/// size, whatever the grid, and `pixels` of them make the longer side.
/// Of the flow it takes the planes of points on both sides of the plane. Throws IoError when the
/// flow lacks the variable.
FlowSlice sample_slice(const WholeFlow& flow,
                       const Case& resolved,
                       const SliceCase& plane,
                       int pixels);

}  // namespace dns
