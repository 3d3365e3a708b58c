/// Synthetic turbulence at an inflow.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/face_values/face_source.hpp"
#include "solver/face_values/plane_turbulence.hpp"
#include "solver/face_values/profile.hpp"
#include "solver/face_values/recent.hpp"

namespace dns {

/// PlaneTurbulence with the Reynolds stresses of a table, carried in by the mean velocity through
/// the face at t = 0.
class InflowTurbulence {
 public:
  /// key: such as boundaries.x_min.turbulence, for messages; mean: the velocity that fluctuates.
  /// Throws IoError where the table cannot be read; CaseError where it does not cover the face,
  /// where no velocities have such stresses, where a period is shorter than eddies need, or where
  /// nothing flows in.
  InflowTurbulence(const InflowTurbulenceCase& given,
                   const std::string& key,
                   const FacePoints& face,
                   FaceSource& mean);

  /// Adds the fluctuations of a velocity component (u, v, w) [U] to its values at the points
  /// first x second of the face at time t, the first fastest.
  void add(int component,
           const std::vector<double>& first,
           const std::vector<double>& second,
           double t,
           std::vector<double>& values);

  /// Evaluates ahead what they will be made of at time t, at the points asked for last.
  void prepare(double t);

 private:
  [[nodiscard]] PlanePoints with_stresses(const std::vector<double>& first,
                                          const std::vector<double>& second) const;
  [[nodiscard]] PlaneTurbulence turbulence_of(const InflowTurbulenceCase& given,
                                              FaceSource& mean) const;

  std::string key_;
  FacePoints face_;
  Profile profile_;
  PlaneTurbulence turbulence_;
  Recent<PassingVelocity> recent_{3};  // u, v, w are asked for in every step
};

}  // namespace dns
