/// Prescribed motion of rigid bodies: where they are, how they are turned, and how they move.
///
/// The place of the centre follows its velocity by Simpson's rule in each step. Its orientation is
/// a unit quaternion, which a step multiplies by exp(v/2) with the fourth-order Magnus vector
///
///   v = dt/2 (Omega_1 + Omega_2) - sqrt(3)/12 dt^2 Omega_1 x Omega_2
///
/// of the angular velocities at the two Gauss points of the step.
///
/// Source: Blanes, Casas, Oteo & Ros, Phys. Rep. 470 (2009) 151 (Magnus expansion).
#pragma once

#include <array>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"

namespace dns {

using Matrix3 = PerAxis<PerAxis<double>>;

/// A rigid body at one time.
struct BodyPose {
  PerAxis<double> place{};                        // of its centre [L]
  std::array<double, 4> orientation{1, 0, 0, 0};  // unit quaternion w, x, y, z
  PerAxis<double> velocity{};                     // of its centre [U]
  PerAxis<double> rotation{};                     // angular velocity [U/L]
  friend bool operator==(const BodyPose&, const BodyPose&) = default;
};

/// The pose of a body that has not moved yet, with the velocities of its motion at time t [L/U];
/// of a free body those at the start, of a body that rests 0.
[[nodiscard]] BodyPose pose_at_start(const SolidCase& body, double t);

/// The pose at t + dt of a body with this pose at time t [L/U].
[[nodiscard]] BodyPose moved_pose(const SolidCase& body, BodyPose pose, double t, double dt);

/// Sets the velocities to those of the motion at time t [L/U].
void set_velocities(const SolidCase& body, double t, BodyPose& pose);

/// R of an orientation: it turns vectors of the frame of the body into the frame of the grid.
[[nodiscard]] Matrix3 matrix_of(const std::array<double, 4>& orientation);

/// An orientation turned by |v| about v.
[[nodiscard]] std::array<double, 4> turned_by(const std::array<double, 4>& orientation,
                                              const PerAxis<double>& v);

[[nodiscard]] PerAxis<double> cross_product(const PerAxis<double>& a, const PerAxis<double>& b);
/// The product of a matrix and a vector.
[[nodiscard]] PerAxis<double> product(const Matrix3& matrix, const PerAxis<double>& vector);

/// What a body displaces, in its own frame, of density 1.
struct DisplacedFluid {
  double volume = 0;        // [L^3]
  PerAxis<double> first{};  // the first moment about the centre [L^4]
  Matrix3 inertia{};        // about the centre [L^5]
};
/// The fluid inside a sphere, a cylinder or a box, by closed forms; an endless cylinder is as long
/// as the box. Zero for a formula.
[[nodiscard]] DisplacedFluid displaced_fluid(const SolidCase& body, const Case& resolved);
/// Adds a volume whose middle lies at a way from the centre [L].
void add_volume(double volume, const PerAxis<double>& way, DisplacedFluid& fluid);

/// Linear and angular momentum about the centre [U L^3, U L^4] of what a body displaces, moving as
/// the body does.
struct BodyMomentum {
  PerAxis<double> linear{}, angular{};
};
[[nodiscard]] BodyMomentum momentum_of(const DisplacedFluid& fluid, const BodyPose& pose);

}  // namespace dns
