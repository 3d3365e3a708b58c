#include "solver/config/step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace dns {
namespace {

constexpr double on_imaginary_axis = 1.732;  // of the region of stability: sqrt(3)
constexpr double on_real_axis = 2.51;
constexpr double margin = 0.95;

struct Symbols {
  double advection, diffusion;  // n, l
};
Symbols symbols_of(int order) {
  switch (order) {
    case 4:
      return {1.4032, 5.4445};
    case 6:
      return {1.6217, 6.1670};
    case 8:
      return {1.7657, 6.6182};
    default:
      return {1, 4};
  }
}

}  // namespace

StepLimit::StepLimit(const Case& resolved) {
  const Symbols symbols = symbols_of(std::ranges::max(resolved.accuracy.order));
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
  advection_ = symbols.advection;
  diffusion_ = symbols.diffusion * diffusivity * squares;
}

double StepLimit::step(double rate, double frequency, double source_rate) const {
  const double imaginary = (advection_ * rate + frequency) / on_imaginary_axis;
  const double real = (diffusion_ + source_rate) / on_real_axis;
  const double both = std::hypot(imaginary, real);
  return both > 0 ? margin / both : std::numeric_limits<double>::infinity();
}

double StepLimit::cfl() const {
  return margin * on_imaginary_axis / advection_;
}

double StepLimit::rate_limited_by_diffusion(double cfl_number) const {
  if (cfl_number >= cfl()) return std::numeric_limits<double>::infinity();
  // cfl/rate = margin/sqrt((n rate/1.732)^2 + (diffusion/2.51)^2)
  const double square = margin * margin / (cfl_number * cfl_number) - std::pow(margin / cfl(), 2);
  return diffusion_ / on_real_axis / std::sqrt(square);
}

}  // namespace dns
