#include "solver/config/step_limit.hpp"

#include <algorithm>
#include <cstddef>

#include "solver/core/index.hpp"

namespace dns {
namespace {

/// Largest diffusivity of a scalar in bodies and beside them, over that in the fluid.
double largest_diffusion(const Case& resolved, int variable) {
  double largest = 1;
  for (const SolidCase& body : resolved.solids)
    largest = std::max(largest, body.scalar(variable).largest_diffusion());
  return largest;
}

}  // namespace

StepLimit step_limit(const Case& resolved) {
  PerAxis<double> inverse_squares{};
  for (int axis = 0; axis < 3; ++axis) {
    if (has_implicit_diffusion(resolved, axis) || resolved.grid.points[axis] == 1) continue;
    const double width = resolved.grid.length[axis] / resolved.grid.points[axis];
    inverse_squares[axis] = 1 / (width * width);
  }
  double diffusivity = resolved.viscosity();
  for (int n = 0; n < resolved.scalar_count(); ++n)
    diffusivity = std::max(
        diffusivity,
        resolved.diffusivity(first_scalar + n) * largest_diffusion(resolved, first_scalar + n));
  return {resolved.accuracy.order, diffusivity, inverse_squares};
}

}  // namespace dns
