/// Limits on the time step of a case, for information: all but stable_step leave implicit steps
/// alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"

namespace dns {

struct StabilityLimits {
  PerAxis<double> spacing{};  // the smallest along each axis [L]
  PerAxis<double> largest_spacing{};
  /// Largest |u|, |v|, |w| of the initial field and the boundaries at t = 0, over at most
  /// 64 x 64 x 64 of the cells or nodes (all of a flow from a file), noise included [U].
  PerAxis<double> speed{};
  /// step * max (|u|/hx + |v|/hy + |w|/hz) over the same points, noise included; where the case
  /// holds a CFL number, that number.
  double cfl = 0;
  double advective_step = 0;  // step at which cfl = 1; infinite in a fluid at rest [L/U]
  double smooth_step = 0;     // the same without noise, which friction damps in a few steps [L/U]
  double viscous_step = 0;    // 1 / (2 nu (1/hx^2 + 1/hy^2 + 1/hz^2)), nu the largest
                              // diffusivity: the limit of an explicit scheme [L/U]
  /// The longest stable step of time.scheme runge_kutta at the start, see StepLimit; of implicit
  /// steps Case::longest_wave [L/U].
  double stable_step = 0;
  double diffusive_step = 0;  // the same of diffusion alone [L/U]
  double wave_frequency = 0;  // N of the stable stratification of the start, or of what the given
                              // temperatures make of it, the largest [U/L]
  PerAxis<double> stream{};   // mean velocity of the initial field over the same points [U]
  double cell_reynolds = 0;   // max over the axes of speed * largest spacing * Reynolds
};

/// The friction velocity of a channel between two walls [U], and where it comes from.
struct Friction {
  double velocity = 0;
  std::string_view source;
};

/// A given pressure gradient f has sqrt(f h), h half the distance of the walls. A held bulk
/// velocity U_b has U_b sqrt(c_f/2), the larger one of laminar and turbulent flow:
///
///   c_f = 12/Re_b  and  c_f = 0.073 Re_b^(-1/4),   Re_b = 2 h U_b/nu
///
/// (Dean, J. Fluids Eng. 100 (1978) 215). Nothing for other flows.
std::optional<Friction> friction_of(const Case& resolved);

/// Warns where round-off of the velocity over the step is more than 1 % of the pressure, of scheme
/// projection; else empty. Its root mean square is c eps |u|^2/cfl, c = 0.05 (implicit) or 0.2
/// (runge_kutta): 0.3 to 18 eps/cfl of that of the pressure in boxes of vortices and channels. A
/// speed below 0.01 U is not judged: the flow may still be starting. cfl, speed [U]: of the flow.
std::string warning_of_round_off(const Case& resolved, double cfl, double speed);

/// Warns where implicit steps of scheme projection let waves grow that a stream [U] carries across
/// the grid: three factors amplify what moves along three axes by |G|^2 = 1 + 4 S T/|P|^2 a step,
/// S and T the sum and the product of half the CFL numbers (1.004 at 1 along each axis for waves of
/// eight cells). From CFL numbers of 0.2 along all of them on; else empty. dt: the step [L/U].
std::string warning_of_oblique_stream(const Case& resolved,
                                      const PerAxis<double>& stream,
                                      double dt);

/// Warns where the CFL number of a flow in constant steps is far above what resolves it in time;
/// else empty.
std::string warning_of_long_steps(const Case& resolved, double cfl);

/// The widths of the cells along an axis, or the distance of the nodes for each [L].
std::vector<double> widths_along(const Case& resolved, int axis);

/// Holds no arrays of the size of the grid. A file to start from is read as a run reads it,
/// compared with its checksums; throws as flow_from_file does.
StabilityLimits stability_limits(const Case& resolved);

}  // namespace dns
