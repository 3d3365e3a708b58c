/// The host's part of moving bodies: poses, and momentum since the start.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/moving_rows.hpp"
#include "solver/solids/body_contacts.hpp"
#include "solver/solids/free_motion.hpp"
#include "solver/solids/rigid_motion.hpp"

namespace dns {

/// The poses of all bodies of a case, also of those at rest.
class BodyMotions {
 public:
  /// The case and the grid must outlive it.
  BodyMotions(const Case& resolved, const StaggeredGrid& grid);

  /// Gives what a body of a formula displaces.
  void set_displaced(std::size_t body, const DisplacedFluid& fluid) { displaced_[body] = fluid; }
  void start(const FlowState* copy, double t);
  /// Moves all from t to t + dt [L/U], free bodies by what take_impulses() was told of the move
  /// before.
  void move(double t, double dt);
  /// Tells what impulses the flow gave the bodies in the last move.
  void take_impulses(const std::vector<BodyLoads>& impulses);

  [[nodiscard]] std::size_t count() const { return poses_.size(); }
  [[nodiscard]] const BodyPose& pose(std::size_t body) const { return poses_[body]; }
  [[nodiscard]] const std::vector<BodyPose>& poses() const { return poses_; }
  /// The poses before the last move.
  [[nodiscard]] const std::vector<BodyPose>& poses_before() const { return poses_before_; }
  /// Where the centre was in the middle of the last move [L].
  [[nodiscard]] const PerAxis<double>& middle(std::size_t body) const { return middles_[body]; }
  /// What linear and angular momentum the fluid inside each body gained since this was called
  /// before, moving as the body does [U L^3, U L^4].
  std::vector<BodyLoads> take_gain();

  void add_to(FlowState& copy) const;
  /// See BodyContacts.
  [[nodiscard]] const std::string& hard_bounce() const { return contacts_.hard_bounce(); }

 private:
  [[nodiscard]] std::vector<BodyPose> poses_after(double t, double dt);

  const Case& case_;
  const StaggeredGrid& grid_;
  std::vector<DisplacedFluid> displaced_;
  std::vector<BodyPose> poses_, poses_before_;
  std::vector<FreeHistory> histories_;  // of free bodies
  BodyContacts contacts_;
  std::vector<PerAxis<double>> middles_;
  std::vector<BodyLoads> gain_;
};

/// What bodies have taken since the start, and had when the time series last had rows.
class BodyImpulseRecord {
 public:
  BodyImpulseRecord() = default;
  /// From a copy for restart, or at time t without one [L/U].
  BodyImpulseRecord(const Case& resolved, const FlowState* copy, double t);

  /// Adds the impulses of a step that ended at time t [L/U].
  void add(const std::vector<BodyLoads>& impulses, double t, bool is_row);
  /// Mean forces and torques since the row before, after a row since that before it; 0 at the
  /// start.
  [[nodiscard]] std::vector<BodyLoads> means() const;
  void add_to(const Case& resolved, FlowState& copy) const;

 private:
  std::vector<BodyLoads> total_, at_row_, at_row_before_;
  double time_ = 0, row_ = 0, row_before_ = 0;  // [L/U]
};

/// Names of the columns of the time series of bodies that move, but for those of several.
[[nodiscard]] std::vector<std::string> names_of_poses(const Case& resolved);
/// Adds the values of a body.
void add_values_of_pose(const SolidCase& body, const BodyPose& pose, std::vector<double>& values);

/// A body for kernels, but for its program.
[[nodiscard]] BodyAtTime body_at_time(const Case& resolved,
                                      std::size_t body,
                                      const BodyPose& pose,
                                      int variable);

/// What a body that went from one pose to another has gained, at the place of the latter.
[[nodiscard]] RigidVelocity velocity_gain(const BodyPose& from, const BodyPose& to);

/// Throws CaseError: more bodies than so many are near one another.
[[noreturn]] void refuse_crowd(const Case& resolved, int most);

/// Coordinates, widths and distances along an axis: of the points of a part and of `before` ones
/// at each end of it. Beyond a boundary of the box those of its last points are repeated.
struct LineCoordinates {
  LineCoordinates(const StaggeredAxis& along, const Subdomain& part, int axis, int before);

  std::vector<double> faces, centres, widths, distances;  // [L]
};

}  // namespace dns
