/// Motion of rigid bodies by their weight, springs and the forces of a flow: one step of their
/// equations of motion, partitioned and explicit, with virtual mass.
///
/// Per mass of the displaced fluid, with F the force of the flow and C_v the virtual mass,
///
///  (rho + C_v + theta c dt) a = F* + C_v a* + (rho - 1) g - k (X + dt/2 V - X_s) - c V + repulsion
///  V' = V + dt a      X' = X + dt V + dt^2/2 a      theta = max(1/2, 1 - (rho + C_a/4)/(c dt))
///
/// F* and a* are those of the middle of the step, from the middles of the two steps before it;
/// 2 F^n - F^(n-1) where steps are equal. The second step has F^n alone, the first `at_start` and
/// the added mass C_v/2. Where F = -C_a a, errors grow by |q| a step with q^2 = 2 r q - r,
/// r = (C_v - C_a)/(rho + C_v), below 1 where C_v > 3/4 C_a - rho/4. A step moves a layer of fluid:
/// C_v is twice the C_a of potential flow and C_l = 8 l + 16 l^2 more, l = sqrt(nu dt)/R. The force
/// of the layer lasts, so that 2 F^n - F^(n-1) is unstable where rho + C_a < C_l: there F* and a*
/// are F^n and a^n, of first order. Errors then decrease for any rho while l < 0.2 (models with the
/// force of unsteady Stokes flow). Cells of width h move fluid, too, however short the step is: as
/// if C_a were 0.73 h/R at most (measured), and -0.8 (h/R)^(3/2) at least. C_v is 3/4 h/R - rho/4
/// at least; without C_a in potential flow rho is 0.8 (h/R)^(3/2) at least, but for the weight.
/// Torques likewise, with C_a = 0.
///
/// Source: Schwarz, Kempe & Froehlich, J. Comput. Phys. 281 (2015) 591 (virtual mass).
#pragma once

#include <array>
#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/solids/rigid_motion.hpp"

namespace dns {

/// Force and torque, or their impulses: x, y, z of the one, then of the other.
using BodyLoads = std::array<double, 6>;

/// A step of a free body, per mass and moment of inertia of the displaced fluid.
struct FreeStep {
  double length = 0;                                 // 0: there was none [L/U]
  PerAxis<double> acceleration{}, force{};           // [U^2/L]
  PerAxis<double> angular_acceleration{}, torque{};  // [U^2/L^2]
};

/// What a free body keeps besides its pose.
struct FreeHistory {
  FreeStep last, before;    // steps
  PerAxis<double> angle{};  // turned about each axis since the start

  static constexpr std::size_t count = 29;
  /// All its numbers, for copies for restart.
  [[nodiscard]] std::array<double, count> numbers() const;
  void set_numbers(const std::array<double, count>& numbers);
};

/// Flow and grid around a free body.
struct FluidAround {
  double viscosity = 0;        // [U L]
  double cell_width = 0;       // the largest of the cells in which the body lies [L]
  PerAxis<double> at_start{};  // acceleration of the fluid in the first step, where known [U^2/L]
};

/// The pose after a step of dt [L/U], from the steps in `history`, to which this step is added;
/// `repulsion`: of collisions, and what else is no part of F*, per mass of the displaced fluid
/// [U^2/L].
[[nodiscard]] BodyPose freely_moved(const SolidCase& body,
                                    const BodyPose& pose,
                                    const PerAxis<double>& repulsion,
                                    double dt,
                                    const FluidAround& fluid,
                                    FreeHistory& history);

/// Tells what impulses the flow gave a body in its last step.
void take_impulses(const BodyLoads& impulses,
                   const DisplacedFluid& displaced,
                   FreeHistory& history);

}  // namespace dns
