/// The mean temperature of boxes through whose faces nothing flows.
#pragma once

#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/cell_heat.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// Whether the heat of a box changes at a known, constant rate: each of its axes is periodic or
/// ends at planes of symmetry or at walls with a constant gradient of temperature and no normal
/// velocity, and there are neither bodies nor sources of heat. Scheme projection.
[[nodiscard]] inline bool mean_temperature_is_known(const Case& resolved) {
  if (!resolved.has_temperature() || !resolved.solids.empty()) return false;
  if (has_source(resolved, first_scalar)) return false;
  for (std::size_t face = 0; face < resolved.faces.size(); ++face) {
    const FaceCase& at = resolved.faces[face];
    if (at.kind == FaceKind::periodic || at.kind == FaceKind::symmetry) continue;
    const bool is_closed = at.kind == FaceKind::wall && at.velocity.at(face / 2).is_zero();
    if (!is_closed || !at.gives_gradient(first_scalar) || !at.temperature.is_constant())
      return false;
  }
  return true;
}

/// The mean temperature M(t) that follows from the start and the gradients at the walls,
///
///   dM/dt = 1/(Re Pr) SUM over the faces of gradient/(length of the box across them).
///
/// The sum of the factors' advection conserves heat, their products in the factorisation do not: a
/// step leaves the mean wrong by O(dt^3). The deficit is added to T as a uniform temperature. It is
/// that of the whole run so far: what a value in Real cannot take up in one step is not lost.
template <class Backend>
class MeanTemperature {
 public:
  using Real = typename Backend::Real;

  MeanTemperature(const Case& resolved, const StaggeredGrid& grid)
      : is_known_(mean_temperature_is_known(resolved)) {
    for (const StaggeredAxis& axis : grid) volume_ *= axis.length();
    for (std::size_t face = 0; is_known_ && face < resolved.faces.size(); ++face) {
      if (!resolved.faces[face].gives_gradient(first_scalar)) continue;
      rate_ += resolved.conductivity() * resolved.faces[face].temperature(0, 0, 0, 0) /
               grid[face / 2].length();
    }
  }

  /// Whether M is known; if not, the rest means nothing.
  [[nodiscard]] bool is_known() const { return is_known_; }
  /// M at the beginning of a step [T0], and dt [L/U] later.
  [[nodiscard]] double now() const { return mean_; }
  [[nodiscard]] double after(double dt) const { return mean_ + dt * rate_; }
  void set(double mean) { mean_ = mean; }

  /// The mean of a field of temperature [T0].
  [[nodiscard]] double of(Backend& backend,
                          const StaggeredLayout& layout,
                          const FieldView<const Real>& temperature,
                          const GridMetrics<Real>& metrics) const {
    const auto heat =
        backend.template reduce<1, 0>(layout.all_points(), CellHeat<Real>{temperature, metrics});
    return heat.sum[0] / volume_;
  }

 private:
  bool is_known_;
  double volume_ = 1;  // of the box [L^3]
  double rate_ = 0;    // dM/dt [T0 U/L]
  double mean_ = 0;
};

}  // namespace dns
