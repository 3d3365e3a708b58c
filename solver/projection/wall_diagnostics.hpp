/// Friction and heat transfer at the walls of a staggered flow.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

/// Integrals over the boundary planes; see BoundaryPlaneDiagnostics.
struct WallSums {
  double dissipation = 0;
  std::array<std::array<double, 3>, 6> planes{};  // slopes towards the inside: two velocities, T
};

/// Per wall: the mean shear stress that the fluid exerts on it, nu du/dn [U^2], named
/// wall_shear_FACE_COMPONENT; friction_velocity = sqrt(mean over all walls, by area, of the
/// magnitude of these mean stresses) [U].
///
/// With temperature, per wall: nusselt_FACE, the mean heat flux along +axis, -dT/ds, over that of
/// conduction alone, (T_low - T_high)/length, where both walls across the axis have given
/// temperatures that differ; else in T0/L. For the first such axis nusselt_volume, the same for the
/// total heat flux, advected and conducted, averaged over the box.
class WallDiagnostics {
 public:
  WallDiagnostics(const Case& resolved, const StaggeredGrid& grid);

  [[nodiscard]] std::vector<std::string> names() const;
  /// transport: mean of V_s T over the box, s = transport_axis() [U T0].
  [[nodiscard]] std::vector<double> values(const WallSums& sums, double transport) const;
  /// The axis of nusselt_volume, or 0.
  [[nodiscard]] int transport_axis() const { return heated_axis_ < 0 ? 0 : heated_axis_; }

 private:
  struct Wall {
    std::size_t face;
    double area;  // [L^2]
  };
  std::vector<Wall> walls_;
  bool has_temperature_;
  double viscosity_, conductivity_;
  int heated_axis_ = -1;                      // first axis between walls of different temperature
  std::array<double, 3> conducted_{1, 1, 1};  // -dT/ds by conduction alone [T0/L]; else 1
};

}  // namespace dns
