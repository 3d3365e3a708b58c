/// Sums of cell widths as the metrics of a device hold them, rounded to its precision. Means that
/// are weighted with these widths are divided by these sums, so that the weights add up to one.
#pragma once

#include <cstddef>

#include "solver/core/index.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/statistics.hpp"

namespace dns {

/// The sum along an axis of the widths, each in Real, of the cells or, of_faces, of the control
/// volumes around faces [L]; in double it is the length of the axis.
template <class Real>
[[nodiscard]] double rounded_length(const StaggeredAxis& along, bool of_faces) {
  double sum = along.length();
  for (int i = 0; i < along.cells(); ++i) {
    const double exact = of_faces ? along.face_volume(i) : along.cell_volume(i);
    sum += static_cast<double>(static_cast<Real>(exact)) - exact;
  }
  return sum;
}

/// The sum of the volumes in the whole box of a velocity component or of cells [L^3].
template <class Real>
[[nodiscard]] double rounded_volume(const StaggeredGrid& grid, int component = scalar_component) {
  double volume = 1;
  for (int axis = 0; axis < grid.size(); ++axis)
    volume *= rounded_length<Real>(grid[axis], component == axis);
  return volume;
}

/// The weights of means over these axes, without metrics.
template <class Real>
[[nodiscard]] AveragingWeight<Real> averaging_weight(const StaggeredGrid& grid,
                                                     const PerAxis<bool>& average) {
  AveragingWeight<Real> weight{};
  for (int axis = 0; axis < grid.size(); ++axis) {
    if (!average[axis]) continue;
    weight.inverse_length[axis] = 1 / rounded_length<Real>(grid[axis], false);
    weight.inverse_face_length[axis] = 1 / rounded_length<Real>(grid[axis], true);
  }
  return weight;
}

}  // namespace dns
