/// Repulsion of free spheres and cylinders by others near them and by walls.
///
/// Where the gap s along the line of centres is below s_0 both are pushed apart by the force
///
///   K (1 - s/s_0)^2        with the energy K s_0/3 (1 - s/s_0)^3
///
/// K is given per mass, or such that bodies that come near at the speed v stop at s = 0 in spite of
/// the forces w that press them together: K s_0/3 = mu v^2/2 + w s_0, with mu their reduced mass,
/// added mass included, and w of their weights and springs; the largest such K of a contact.
///
/// Source: Glowinski, Pan, Hesla, Joseph & Periaux, J. Comput. Phys. 169 (2001) 363.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/solids/rigid_motion.hpp"

namespace dns {

class BodyContacts {
 public:
  /// The case must outlive it.
  BodyContacts(const Case& resolved, const StaggeredGrid& grid);

  /// What repels each body in the middle of a step of dt that ends at time t [L/U], per mass of the
  /// fluid that it displaces [U^2/L]. Throws CaseError where bodies overlap by more than
  /// most_overlap.
  [[nodiscard]] std::vector<PerAxis<double>> repulsion(const std::vector<BodyPose>& poses,
                                                       double dt,
                                                       double t);

  /// The first contact at a Stokes number, density 2 R speed/(9 viscosity) of the densities of a
  /// free body over that of the fluid, above which bodies bounce, in words; empty: none.
  /// Lubrication is not resolved, so that such bounces are wrong.
  [[nodiscard]] const std::string& hard_bounce() const { return hard_bounce_; }

  void add_to(FlowState& copy) const;
  /// Goes on from a copy for restart, or starts without one.
  void start(const FlowState* copy);

 private:
  /// Two numbers of bodies, or of one and -1 - a face of the box.
  using Pair = std::pair<int, int>;
  /// From the first of a pair to the second.
  struct Approach {
    double gap = 0;            // between the surfaces [L]
    PerAxis<double> normal{};  // along the line of centres
    double speed = 0;          // > 0: they come near [U]
  };

  [[nodiscard]] bool is_round(int body) const;
  [[nodiscard]] Approach approach_of(Pair pair,
                                     const std::vector<BodyPose>& poses,
                                     double dt) const;
  [[nodiscard]] double range(Pair pair) const;
  [[nodiscard]] double stiffness(Pair pair,
                                 const Approach& approach,
                                 const std::vector<BodyPose>& poses) const;

  void note_bounce(Pair pair, const Approach& approach, double t);

  const Case& case_;
  std::string hard_bounce_;
  PerAxis<double> width_{};      // the smallest of a cell along each axis [L]
  std::vector<double> volume_;   // of each body [L^3]
  std::vector<Pair> pairs_;      // that may meet
  std::map<Pair, double> held_;  // K of those in contact [U^2 L^2]
};

}  // namespace dns
