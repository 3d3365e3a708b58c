#include "solver/application/run/stability.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/inflow/face_values.hpp"

namespace dns {
namespace {

constexpr int most_samples = 64;  // along an axis

using Vector = std::array<double, 3>;

/// Coordinates of the nodes of one axis to look at: all of them, or 64 from the first to the last.
std::vector<double> sampled_coordinates(const Case& resolved, int axis) {
  const bool has_cells = resolved.scheme == Scheme::projection;
  const std::vector<double> faces =
      has_cells ? face_coordinates(resolved.grid, axis) : std::vector<double>{};
  const int points = resolved.grid.points[axis] + (has_cells ? 1 : 0);
  const int count = std::min(points, most_samples);
  std::vector<double> coordinates;
  for (int sample = 0; sample < count; ++sample) {
    const double node = std::round(static_cast<double>(sample) * (points - 1) / (count - 1));
    coordinates.push_back(has_cells ? faces[static_cast<std::size_t>(node)]
                                    : coordinate(resolved, axis, static_cast<int>(node)));
  }
  return coordinates;
}

using Samples = std::array<std::vector<double>, 3>;

/// max |f| over the sampled nodes; NaN when f is NaN at one.
double largest(const Expression& f, const Samples& samples) {
  if (f.is_constant()) return std::abs(f(0, 0, 0, 0));
  double result = 0;
  for (const double z : samples[2]) {
    for (const double y : samples[1]) {
      for (const double x : samples[0]) result = larger_or_nan(result, std::abs(f(x, y, z, 0)));
    }
  }
  return result;
}

/// About the largest speed of a disturbed channel: that on its axis and three deviations.
double speed_of(const TurbulentChannelCase& channel, std::size_t component) {
  const double laminar = static_cast<int>(component) == channel.axis ? 1.5 : 0;
  return (laminar + 3 * channel.amplitude) * channel.bulk_velocity;
}

struct Spacings {
  double least = 0, most = 0;
};

Spacings spacings_along(const Case& resolved, int axis) {
  if (resolved.scheme == Scheme::splitting) {
    const double h = spacing(resolved, axis);
    return {h, h};
  }
  const std::vector<double> faces = face_coordinates(resolved.grid, axis);
  Spacings found{faces[1] - faces[0], faces[1] - faces[0]};
  for (std::size_t cell = 1; cell + 1 < faces.size(); ++cell) {
    found.least = std::min(found.least, faces[cell + 1] - faces[cell]);
    found.most = std::max(found.most, faces[cell + 1] - faces[cell]);
  }
  return found;
}

Vector largest_speeds(const Case& resolved, const Samples& samples) {
  FaceValues values(resolved);
  Vector speed{};
  for (std::size_t component = 0; component < 3; ++component) {
    double& largest_value = speed.at(component);
    if (resolved.initial.turbulent_channel) {
      largest_value = speed_of(*resolved.initial.turbulent_channel, component);
    } else if (!resolved.initial.file) {
      largest_value = largest(resolved.initial.velocity.at(component), samples) +
                      resolved.initial.noise.amplitude;
    }
    for (std::size_t face = 0; face < resolved.faces.size(); ++face) {
      const auto [first, second] = axes_in_plane(static_cast<Axis>(face / 2));
      for (const double given : values.at(face,
                                          static_cast<int>(component),
                                          samples.at(static_cast<std::size_t>(first)),
                                          samples.at(static_cast<std::size_t>(second)),
                                          0))
        largest_value = larger_or_nan(largest_value, std::abs(given));
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
    const auto [h, most] = spacings_along(resolved, static_cast<int>(axis));
    const double speed = limits.speed.at(axis);
    limits.spacing.at(axis) = h;
    crossings += speed / h;
    curvature += 1 / (h * h);
    limits.cell_reynolds =
        larger_or_nan(limits.cell_reynolds, speed * most * resolved.fluid.reynolds);
  }
  limits.cfl = resolved.time.cfl.value_or(resolved.time.step * crossings);
  limits.advective_step = crossings == 0 ? std::numeric_limits<double>::infinity() : 1 / crossings;
  const double of_heat = resolved.has_temperature() ? 1 / resolved.fluid.prandtl : 0;
  const double diffusivity = std::max(1.0, of_heat) / resolved.fluid.reynolds;
  limits.viscous_step = 1 / (2 * diffusivity * curvature);
  return limits;
}

}  // namespace dns
