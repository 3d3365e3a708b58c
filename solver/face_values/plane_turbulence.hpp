/// Velocity fluctuations of given stresses on a plane, without net flux through it.
#pragma once

#include <array>
#include <vector>

#include "solver/face_values/reynolds_stresses.hpp"
#include "solver/face_values/synthetic_eddies.hpp"

namespace dns {

/// Points (a, b) of a plane, along its two axes in order, and the stresses there.
struct PlanePoints {
  std::vector<double> a, b;           // ascending [L]
  std::vector<StressFactor> factors;  // (a, b), a fastest
};

/// u'_i = sum over j of a_ij e_j; of the normal component, m sqrt(R_nn) is taken off, m being the
/// same at all points and such that no flux is left. Where R_nn is 0 nothing changes.
class PlaneTurbulence {
 public:
  /// whole: all points of the plane where the normal component is given, on every rank alike;
  /// width_a, width_b: of the cells about them [L]. Throws CaseError as SyntheticEddies does.
  PlaneTurbulence(const EddySettings& settings,
                  PlanePoints whole,
                  std::vector<double> width_a,
                  std::vector<double> width_b);

  /// u'_component [U] at time t [L/U] at the points of a part of the plane, a fastest. The normal
  /// component takes the eddies of the whole plane, the others those of the part.
  [[nodiscard]] std::vector<double> velocity(int component,
                                             const PlanePoints& part,
                                             double t) const;

  [[nodiscard]] const SyntheticEddies& eddies() const { return eddies_; }

 private:
  [[nodiscard]] double excess(double t) const;  // m

  SyntheticEddies eddies_;
  PlanePoints whole_;
  std::array<std::vector<double>, 2> widths_;
  double flux_of_deviation_ = 0;  // INT sqrt(R_nn) [U L^2]
};

}  // namespace dns
