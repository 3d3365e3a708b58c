/// The conditions at the faces of the box: one table [face][variable], made from the case.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/boundary_closure.hpp"

namespace dns {

/// What holds for a velocity component or a scalar q at a face, s the outward normal:
///
///   value_weight q + gradient_weight dq/ds = given_weight given
///
///   value at the face                {1, 0}, 1          shear du/dn, n = -s         {0, -1}, 1
///   at a wall with a slip length l   {1, l}, 1          derivative dq/ds            {0, 1}, 1
///   transfer h from outside          {h, 1}, h          plane of symmetry           {0, 1}, 0
///
/// A slip length that is a formula of place and time is apart from the weights, which are those of
/// no slip: rates of diffusion through the face are at most those.
/// Where a face is open the flow carries q out: scheme splitting extrapolates it, scheme projection
/// finds its value on the plane.
struct Condition {
  enum class Kind { periodic, value, gradient, open };

  Kind kind = Kind::periodic;  // value: given at the face or beyond it
  BoundaryCondition weights{};
  double given_weight = 1;
  bool is_given = false;                 // by the case; else the kind of the face says what holds
  Expression given{};                    // of x, y, z, t; 0 where nothing else gives it
  Expression slip_length{};              // of x, y, z, t, where it varies: gradient_weight [L]
  std::optional<InflowFileCase> file{};  // instead of the formula
  bool is_turbulent = false;             // synthetic turbulence is added
  bool moves = false;                    // what is given, or the slip length, changes with time

  /// Whether a formula gives the value.
  [[nodiscard]] bool has_formula() const { return is_given && !file && !is_turbulent; }
  /// Whether nothing but 0 is given, or nothing.
  [[nodiscard]] bool is_zero() const { return !file && !is_turbulent && given.is_zero(); }
  /// Whether the weights differ from place to place.
  [[nodiscard]] bool varies() const { return !slip_length.is_constant(); }
  /// How far beyond the face q has the given value, if it goes on with its slope there: 0, the slip
  /// length, or 1/h, infinite where nothing passes [L]; the least where it varies. Of kind value.
  [[nodiscard]] double distance_of_given() const {
    return weights.gradient_weight / weights.value_weight;
  }
  /// Whether q itself has the given value on the face.
  [[nodiscard]] bool is_value_on_face() const {
    return kind == Kind::value && weights.gradient_weight == 0 && !varies();
  }
};

/// What holds at a face of the box.
class FaceConditions {
 public:
  FaceConditions(const Case& resolved, int face);

  [[nodiscard]] const Condition& operator[](int variable) const { return of_.at(variable); }
  [[nodiscard]] bool is_periodic() const { return kind_ == FaceKind::periodic; }
  [[nodiscard]] bool is_wall() const { return kind_ == FaceKind::wall; }
  [[nodiscard]] bool is_inflow() const { return kind_ == FaceKind::inflow; }
  [[nodiscard]] bool is_outflow() const { return kind_ == FaceKind::outflow; }
  /// Fluid flows through it, in or out.
  [[nodiscard]] bool is_opening() const { return is_inflow() || is_outflow(); }
  /// Nothing holds the flow along it: a plane of symmetry, or a wall that gives the shear.
  [[nodiscard]] bool is_free() const;
  /// Whether it is a wall whose mean shear follows from the mean velocity beside it.
  [[nodiscard]] bool has_friction_of_means() const;

 private:
  FaceKind kind_;
  std::vector<Condition> of_;  // u, v, w, scalars
};

using Conditions = PerFace<FaceConditions>;

/// In the order of Case::faces.
[[nodiscard]] Conditions conditions_of(const Case& resolved);

}  // namespace dns
