/// Velocity fluctuations of given stresses on a plane, without net flux through it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/face_values/recent.hpp"
#include "solver/face_values/reynolds_stresses.hpp"
#include "solver/face_values/synthetic_eddies.hpp"

namespace dns {

/// Points (a, b) of a plane, along its two axes in order, and the stresses there.
struct PlanePoints {
  std::vector<double> a, b;           // ascending [L]
  std::vector<StressFactor> factors;  // (a, b), a fastest
};

/// A component of the velocity at the points of a part of the plane, with what other times need
/// too.
struct PassingVelocity {
  int component = 0;
  PlanePoints points;
  /// Velocity of the eddies born at each moment, when their tops pass [U].
  Cycle<std::vector<double>, SyntheticEddies::planes_of_eddies> born;
  /// At the moments before and after a time, and at the next one [U].
  Cycle<std::vector<double>, 3> at_moments;
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

  /// Adds u' [U] at time t [L/U] at the points of a part of the plane, a fastest. The normal
  /// component takes the eddies of the whole plane, the others those of the part. The same bits
  /// whatever was evaluated before.
  void add(PassingVelocity& part, double t, std::vector<double>& values) const;

  /// Evaluates ahead what u' at time t is made of.
  void prepare(PassingVelocity& part, double t) const;

  [[nodiscard]] const SyntheticEddies& eddies() const { return eddies_; }

 private:
  /// before + share (after - before)
  struct Line {
    const std::vector<double>&before, &after;
    double share = 0;
  };

  [[nodiscard]] std::vector<double> born_at(std::int64_t moment,
                                            int component,
                                            const PlanePoints& points) const;
  [[nodiscard]] std::vector<double> without_flux(std::int64_t birth,
                                                 int component,
                                                 const PlanePoints& points) const;
  [[nodiscard]] const std::vector<double>& at_moment(std::int64_t moment,
                                                     PassingVelocity& part) const;
  [[nodiscard]] Line line_through(double t, PassingVelocity& part) const;

  SyntheticEddies eddies_;
  PlanePoints whole_;
  std::array<std::vector<double>, 2> widths_;
  double flux_of_deviation_ = 0;  // INT sqrt(R_nn) [U L^2]
};

}  // namespace dns
