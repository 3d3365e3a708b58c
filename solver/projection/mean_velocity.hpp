/// The mean velocity of the box.
#pragma once

#include <array>
#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

[[nodiscard]] inline double volume_of(const StaggeredGrid& grid) {
  return grid[0].length() * grid[1].length() * grid[2].length();
}

/// The mean velocity of a box of this volume [L^3] along the axes that are wanted, which must be
/// periodic; 0 along the others [U].
template <class Backend, class Real = typename Backend::Real>
[[nodiscard]] std::array<double, 3> mean_velocity(Backend& backend,
                                                  const StaggeredLayout& layout,
                                                  const VelocityView<const Real>& velocity,
                                                  const GridMetrics<Real>& metrics,
                                                  double volume,
                                                  const std::array<bool, 3>& is_wanted) {
  std::array<double, 3> mean{};
  if (is_wanted == std::array<bool, 3>{}) return mean;
  const auto momentum = backend.template reduce<3, 0>(
      layout.all_points(),
      FaceMomentum<Real>{velocity, metrics, {is_wanted[0], is_wanted[1], is_wanted[2]}});
  for (std::size_t axis = 0; axis < mean.size(); ++axis) mean[axis] = momentum.sum[axis] / volume;
  return mean;
}

/// Whether implicit steps of scheme projection change the mean velocity along an axis by the given
/// uniform acceleration alone: the axis is periodic, the others are, or end at planes of symmetry;
/// there are neither bodies nor other forces along the axis. Runge-Kutta stages conserve momentum
/// anyway.
[[nodiscard]] inline bool mean_velocity_is_known(const Case& resolved, int axis) {
  const std::array<double, 3> rotation = resolved.coriolis_rate();
  for (int other = 0; other < 3; ++other) {
    for (const bool is_high : {false, true}) {
      const FaceKind kind = resolved.faces[face_index(other, is_high)].kind;
      if (kind != FaceKind::periodic && (other == axis || kind != FaceKind::symmetry)) return false;
    }
    if (other != axis && rotation[static_cast<std::size_t>(other)] != 0) return false;
  }
  return resolved.time.scheme == TimeScheme::implicit && resolved.solids.empty() &&
         !has_source(resolved, axis) &&
         resolved.buoyancy_along()[static_cast<std::size_t>(axis)] == 0;
}

}  // namespace dns
