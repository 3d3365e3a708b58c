#include "solver/application/stability.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/grid/uniform_grid.hpp"

namespace dns {
namespace {

constexpr int most_samples = 64;  // along an axis

using Vector = std::array<double, 3>;

/// Coordinates of the nodes of one axis to look at: all of them, or 64 from the first to the last.
std::vector<double> sampled_coordinates(const Case& resolved, int axis) {
  const int points = points_along(resolved.grid, axis);
  const int count = std::min(points, most_samples);
  std::vector<double> coordinates;
  for (int sample = 0; sample < count; ++sample) {
    const double node = std::round(static_cast<double>(sample) * (points - 1) / (count - 1));
    coordinates.push_back(coordinate(resolved, axis, static_cast<int>(node)));
  }
  return coordinates;
}

using Samples = std::array<std::vector<double>, 3>;

/// max |f| over the sampled nodes from `begin` to `end` (excluded).
double largest(const Expression& f,
               const Samples& samples,
               const std::array<int, 3>& begin,
               const std::array<int, 3>& end) {
  if (f.is_constant()) return std::abs(f(0, 0, 0, 0));
  const auto at = [&](std::size_t axis, int sample) {
    return samples.at(axis).at(static_cast<std::size_t>(sample));
  };
  double result = 0;
  for (int k = begin[2]; k < end[2]; ++k) {
    for (int j = begin[1]; j < end[1]; ++j) {
      for (int i = begin[0]; i < end[0]; ++i) {
        const double value = std::abs(f(at(0, i), at(1, j), at(2, k), 0));
        if (!(value <= result)) result = value;  // NaN stays
      }
    }
  }
  return result;
}

Vector largest_speeds(const Case& resolved, const Samples& samples) {
  const std::array<int, 3> all{static_cast<int>(samples[0].size()),
                               static_cast<int>(samples[1].size()),
                               static_cast<int>(samples[2].size())};
  Vector speed{};
  for (std::size_t component = 0; component < 3; ++component) {
    double& largest_value = speed.at(component);
    if (!resolved.initial.file) {
      largest_value = largest(resolved.initial.velocity.at(component), samples, {0, 0, 0}, all) +
                      resolved.initial.noise.amplitude;
    }
    for (std::size_t face = 0; face < resolved.faces.size(); ++face) {
      const FaceCase& conditions = resolved.faces.at(face);
      if (conditions.kind != FaceKind::wall && conditions.kind != FaceKind::inflow) continue;
      const std::size_t axis = face / 2;
      std::array<int, 3> begin{0, 0, 0};
      std::array<int, 3> end = all;
      if (face % 2 == 0) end.at(axis) = 1;
      if (face % 2 == 1) begin.at(axis) = all.at(axis) - 1;
      const double value = largest(conditions.velocity.at(component), samples, begin, end);
      if (!(value <= largest_value)) largest_value = value;
    }
  }
  return speed;
}

}  // namespace

StabilityLimits stability_limits(const Case& resolved) {
  const Samples samples{sampled_coordinates(resolved, 0),
                        sampled_coordinates(resolved, 1),
                        sampled_coordinates(resolved, 2)};
  StabilityLimits limits;
  limits.speed = largest_speeds(resolved, samples);
  double crossings = 0;  // of a spacing per time
  double curvature = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double h = spacing(resolved, static_cast<int>(axis));
    const double speed = limits.speed.at(axis);
    limits.spacing.at(axis) = h;
    crossings += speed / h;
    curvature += 1 / (h * h);
    limits.cell_reynolds = std::max(limits.cell_reynolds, speed * h * resolved.fluid.reynolds);
  }
  limits.cfl = resolved.time.step * crossings;
  limits.advective_step = crossings > 0 ? 1 / crossings : std::numeric_limits<double>::infinity();
  const double diffusivity = std::max(1.0, 1 / resolved.fluid.prandtl) / resolved.fluid.reynolds;
  limits.viscous_step = 1 / (2 * diffusivity * curvature);
  return limits;
}

}  // namespace dns
