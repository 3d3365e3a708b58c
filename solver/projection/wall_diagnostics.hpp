/// Friction and heat transfer at the walls of a staggered flow.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

/// Integrals over the boundary planes; see BoundaryPlaneDiagnostics.
struct WallSums {
  double dissipation = 0;
  PerFace<PerAxis<double>> planes{};       // slopes towards the inside: two velocities, T
  std::vector<PerFace<double>> scalars{};  // the same of further scalars
};

/// Per wall: the mean shear stress that the fluid exerts on it, nu du/dn [U^2], named
/// wall_shear_FACE_COMPONENT; friction_velocity = sqrt(mean over all walls, by area, of the
/// magnitude of these mean stresses) [U]. Walls that give the shear are left out of it.
///
/// With temperature, per wall the mean conductive heat flux along +axis, -kappa dT/ds. Between two
/// walls whose given temperatures differ it is nusselt_FACE, that flux over conduction alone at
/// the same time, kappa (T_low - T_high)/(length + 1/h_low + 1/h_high), T at a wall with a transfer
/// h that outside, and 1/h = 0 at others; at other walls heat_flux_FACE [U T0]. For the first axis
/// between such walls nusselt_volume is the same of the total flux, advected and conducted,
/// averaged over the box. At a time when both mean temperatures are equal, Nusselt numbers are NaN.
///
/// Of further scalars, per wall: SCALAR_flux_FACE, the mean diffusive flux along +axis. Of
/// temperature and scalars, planes of symmetry that give a condition count as walls.
class WallDiagnostics {
 public:
  WallDiagnostics(const Case& resolved, const StaggeredGrid& grid);

  [[nodiscard]] std::vector<std::string> names() const;

  struct Values {
    std::vector<double> all;    // in the order of the names
    std::size_t undefined = 0;  // how many are NaN because there is no difference to divide by
  };
  /// transport: mean of V_s T over the box, s = transport_axis() [U T0]; both as at `time` [L/U].
  [[nodiscard]] Values values(const WallSums& sums, double transport, double time) const;
  /// The axis of nusselt_volume, or 0.
  [[nodiscard]] int transport_axis() const { return heated_axis_ < 0 ? 0 : heated_axis_; }

 private:
  struct Wall {
    int face;
    double area;  // [L^2]
    bool is_free = false;
  };
  /// The walls at both ends of an axis, whose given temperatures differ.
  struct HeatedAxis {
    std::array<FacePoints, 2> points;
    std::array<Expression, 2> temperature;  // [T0]
    std::array<double, 2> resistance;       // 1/h [L]
    double length;                          // [L]
    std::optional<double> constant;         // the gradient, unless it depends on time [T0/L]

    /// -dT/ds by conduction alone; 0 where the means are equal up to round-off [T0/L].
    [[nodiscard]] double gradient(double time) const;
    [[nodiscard]] double whole_length() const { return length + resistance[0] + resistance[1]; }
  };
  struct Scalar {
    std::string name;
    double diffusivity;       // [U L]
    std::vector<Wall> walls;  // that it may pass
  };
  std::vector<Wall> walls_;
  bool has_friction_ = false;
  double viscosity_;
  std::optional<Scalar> temperature_;
  std::vector<Scalar> scalars_;  // further ones
  PerAxis<std::optional<HeatedAxis>> heated_;
  int heated_axis_ = -1;  // the first of them
};

}  // namespace dns
