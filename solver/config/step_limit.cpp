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
  const double diffusivity = resolved.fluid.prandtl > 0
                                 ? std::max(resolved.viscosity(), resolved.conductivity())
                                 : resolved.viscosity();
  return {std::ranges::max(resolved.accuracy.order), diffusivity, squares};
}

}  // namespace dns
