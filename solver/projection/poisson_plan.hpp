/// Which axes the Poisson solver transforms, which one it sweeps along, and the numbers that
/// follow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/core/transforms.hpp"
#include "solver/projection/axis_modes.hpp"

namespace dns {

/// The sweep goes along one axis, the other two are diagonalised. Where Fourier transforms do that
/// for both and one is x, they are transformed together, plane by plane; else one after the other,
/// in real bases. Where no axis has differences of order 2, which a sweep needs, the axis of the
/// sweep is transformed too: after the planes if all axes have Fourier transforms, else by itself
/// like the others. Across walls of order 4 along y products with eigenvectors follow the planes of
/// x and z. Ranks that divide the box along z sweep along it across their slabs where its order is
/// 2; else they transpose modes before they transform them along z.
struct PoissonPlan {
  PerAxis<AxisModes> modes{};  // that of the sweep's axis is used only if there is no sweep
  Axis sweep = Axis::y;
  bool has_sweep = true;
  bool has_products = false;  // with eigenvectors along that axis in its place: across walls
  bool is_cyclic = false;     // the lines of the sweep are
  bool has_planes = false;    // x and `second` are transformed together
  Axis second = Axis::z;
  bool is_transposed = false;  // modes are, between ranks
  bool has_waves = false;      // the modes along x that are transposed are complex

  [[nodiscard]] AxisModes of(Axis axis) const { return modes[axis]; }
  /// The axes that are transformed one after the other.
  [[nodiscard]] std::vector<Axis> single_axes() const;
  /// "FFT along x and z, sweep along y", "..., modes transposed between ranks"
  [[nodiscard]] std::string description() const;
};

/// The plan that takes least time, by counting passes over the field: it sweeps along the axis that
/// would be most expensive to transform, along x only when that saves more than it costs; along z
/// where all are alike, because planes of x and y are contiguous in memory. Only axes of order 2
/// have sweeps.
[[nodiscard]] PoissonPlan plan_poisson(const StaggeredGrid& grid);
/// The plan with the sweep along an axis.
[[nodiscard]] PoissonPlan plan_poisson(const StaggeredGrid& grid, Axis sweep);
/// The plan where ranks divide the box along z. A sweep goes along z if its order allows. Else
/// modes are transposed: those of planes along x and y where these have Fourier transforms; if not,
/// those along x or y alone, and the sweep goes along the other axis.
[[nodiscard]] PoissonPlan plan_poisson_on_ranks(const StaggeredGrid& grid);

[[nodiscard]] inline Extents cells_of(const StaggeredGrid& grid) {
  return {grid[0].cells(), grid[1].cells(), grid[2].cells()};
}

/// Constants of the lines of the sweep, for PoissonLine and ConstantModeConstants.
struct PoissonLineConstants {
  std::vector<double> inverse_distance, width, source, distance, centre, parabola;
  double length = 0;
};

/// gain: what forward and inverse transforms together multiply by.
[[nodiscard]] PoissonLineConstants line_constants(const StaggeredAxis& axis, double gain);

/// A positive number in place of the zero eigenvalue of the constant mode: 1/width^2 of the
/// smallest cell along `axis` [1/L^2], so that it outweighs what rows take from the neighbours.
[[nodiscard]] double eigenvalue_in_place_of_zero(const StaggeredAxis& axis);

}  // namespace dns
