#include "solver/config/step_limit.hpp"

#include <algorithm>
#include <cstddef>

namespace dns {

StepLimit step_limit(const Case& resolved) {
  double squares = 0;  // SUM 1/h^2
  for (int axis = 0; axis < 3; ++axis) {
    if (has_implicit_diffusion(resolved, axis) || resolved.grid.points[axis] == 1) continue;
    const double width =
        resolved.grid.length[static_cast<std::size_t>(axis)] / resolved.grid.points[axis];
    squares += 1 / (width * width);
  }
  double diffusivity = resolved.viscosity();
  for (int n = 0; n < resolved.scalar_count(); ++n)
    diffusivity = std::max(diffusivity, resolved.diffusivity(first_scalar + n));
  return {std::ranges::max(resolved.accuracy.order), diffusivity, squares};
}

}  // namespace dns
