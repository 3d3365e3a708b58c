/// Solid bodies on the device of a run of scheme `projection`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/moving_bodies.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/projection/variable_step.hpp"

namespace dns {

/// kappa and W of the unknowns (solver/numerics/solid_rows.hpp), and what the bodies feel.
template <class Backend>
class SolidFields {
 public:
  using Real = typename Backend::Real;

  /// `backend` and the case must outlive it. Throws CaseError, IoError as find_solid_points does.
  SolidFields(Backend& backend,
              const Case& resolved,
              const StaggeredGrid& grid,
              const Subdomain& part,
              const StaggeredLayout& layout);

  /// Bodies in the equation of a velocity component or a scalar, in a step of dt [L/U].
  [[nodiscard]] SolidsView<Real> view(int variable, double dt) const;

  [[nodiscard]] PerAxis<SolidsView<Real>> views_of_velocity(double dt) const {
    return {view(0, dt), view(1, dt), view(2, dt)};
  }
  /// Bodies in the sweeps of a variable in a step or stage of dt [L/U].
  [[nodiscard]] SolidsInStep<Real> in_step(int variable, double dt) const {
    return {view(variable, dt),
            {lines_near(variable, 0), lines_near(variable, 1), lines_near(variable, 2)}};
  }
  /// Whether theta may be below 1 in steps that follow (solver/numerics/solid_rows.hpp).
  void set_trapezoidal(bool is_trapezoidal) { is_trapezoidal_ = is_trapezoidal; }
  /// Bodies in a Runge-Kutta stage of dt, see PullStage.
  void pull(int variable,
            double dt,
            const FieldView<const Real>& now,
            const FieldView<Real>& result,
            bool has_sweeps) {
    backend_->for_each(box_of(variable),
                       PullStage<Real>{view(variable, dt), now, result, has_sweeps});
  }
  /// Gives the unknowns in bodies the values there.
  void impose(int variable, const FieldView<Real>& q);

  /// The largest distance of the velocity from that of bodies, in them [U].
  [[nodiscard]] double slip(const VelocityView<const Real>& velocity,
                            const GridMetrics<Real>& metrics) const {
    using AtBodies = VelocityAtSolids<Real>;
    return backend_
        ->template reduce<AtBodies::sums, AtBodies::maxima>(box_of_velocity(),
                                                            at_bodies(velocity, metrics))
        .maximum[AtBodies::slip];
  }

  /// Boxes that have all unknowns that are solid or cut, of all velocity components or of a
  /// variable.
  [[nodiscard]] Box box_of_velocity() const;
  [[nodiscard]] Box box_of(int variable) const { return at(variable).box; }
  /// A box that has all unknowns of velocity components that feel one body.
  [[nodiscard]] Box box_of_body(std::size_t body) const { return boxes_[body]; }
  /// The unknowns of each velocity component that feel one body.
  [[nodiscard]] PerAxis<FeelsBody<Real>> feels(std::size_t body) const {
    return {feels(0, body), feels(1, body), feels(2, body)};
  }
  /// Whether unknowns that are solid or cut have ghost points beside them, on any rank.
  [[nodiscard]] bool reach_ends() const { return moving_ ? moving_->reach_ends() : reach_ends_; }
  /// A box that has all cells in bodies.
  [[nodiscard]] Box cells() const { return cells_; }
  /// 1 at the cell centres in bodies, else 0.
  [[nodiscard]] FieldView<const Real> solid_cells() const { return solid_cells_.view_const(); }
  /// 1 at the cell centres in bodies, else 0, on the host: of the part, x fastest.
  [[nodiscard]] HostField at_centres() const { return at_centres_; }
  /// Null: no body moves.
  [[nodiscard]] MovingBodies<Backend>* moving() { return moving_ ? &*moving_ : nullptr; }
  [[nodiscard]] const MovingBodies<Backend>* moving() const {
    return moving_ ? &*moving_ : nullptr;
  }
  /// Puts moving bodies where a copy for restart has them, or without one where they start, at time
  /// t [L/U].
  void start(const FlowState* copy, double t) {
    if (!moving_) return;
    moving_->start(copy, t);
    follow_bodies(0);
  }
  /// Moves them from t to t + dt [L/U], for the solve that begins. Throws CaseError as
  /// require_fitting_step does.
  void move(double t, double dt) {
    if (!moving_) return;
    moving_->move(t, dt);
    follow_bodies(is_trapezoidal_ ? dt : 0);
  }
  /// The unknowns that feel each body.
  [[nodiscard]] std::vector<PerAxis<FeelsBody<Real>>> feels_of_all() const {
    std::vector<PerAxis<FeelsBody<Real>>> all;
    for (std::size_t body = 0; body < boxes_.size(); ++body) all.push_back(feels(body));
    return all;
  }

  /// A line for each body.
  [[nodiscard]] const std::vector<std::string>& in_words() const { return words_; }

  /// The lines of a box along an axis that may meet a body of this rank or, along z, of any.
  [[nodiscard]] Box lines_near(int variable, int axis) const {
    return axis == 2 ? at(variable).columns : at(variable).box;
  }

  /// The unknowns of a variable that feel one body.
  [[nodiscard]] FeelsBody<Real> feels(int variable, std::size_t body) const;
  /// The number of the body that conducts, from 1, at each cell. Requires that one does.
  [[nodiscard]] FieldView<const Real> conductors(int variable) const {
    return at(variable).conduction[conductor].view_const();
  }
  /// What the velocity is at the unknowns of bodies.
  [[nodiscard]] VelocityAtSolids<Real> at_bodies(const VelocityView<const Real>& velocity,
                                                 const GridMetrics<Real>& metrics) const {
    return {views_of_velocity(0), velocity, metrics};
  }

 private:
  /// Fields of Variable::conduction, after those of the axes.
  enum Conduction { inverse_capacity = 3, conductor, of_conduction };

  struct Variable {
    StaggeredField<Backend> kappa;
    std::optional<StaggeredField<Backend>> target, insulated, owner, gain;
    std::vector<StaggeredField<Backend>> conduction;  // k along each axis, 1/c, conductor; or none
    Box box;      // of points that are solid or have a cut, none: empty
    Box columns;  // the same along x and y of all ranks
    Real uniform_target = 0;
  };
  [[nodiscard]] const Variable& at(int variable) const { return variables_[variable]; }
  void initialise(const StaggeredGrid& grid, const Subdomain& part);
  void follow_bodies(double dt);
  void make_rows(const std::vector<Box>& boxes, double dt);
  void put_boxes_around_bodies();
  void find_displaced(const SolidPoints& centres, const StaggeredGrid& grid, const Subdomain& part);
  void extend_boxes_of_bodies(const SolidPoints& points, const SolidPulls& pulls);
  void upload(const std::vector<double>& values, const StaggeredField<Backend>& field);

  Backend* backend_;
  const Case& case_;
  StaggeredLayout layout_;
  std::vector<Variable> variables_;
  StaggeredField<Backend> solid_cells_;
  Box cells_;  // holds all that are in bodies
  HostField at_centres_;
  std::vector<std::string> words_;
  std::vector<Box> boxes_;  // of the velocity components of each body
  bool is_trapezoidal_ = true;
  bool reach_ends_ = false;
  std::optional<MovingBodies<Backend>> moving_;
  std::vector<BodyPose> made_poses_;         // those that kappa and W are made for
  std::vector<BodyPose> made_poses_before_;  // see BodyMotions::poses_before
};

template <class Backend>
SolidFields<Backend>::SolidFields(Backend& backend,
                                  const Case& resolved,
                                  const StaggeredGrid& grid,
                                  const Subdomain& part,
                                  const StaggeredLayout& layout)
    : backend_(&backend),
      case_(resolved),
      layout_(layout),
      solid_cells_(backend, layout),
      boxes_(resolved.solids.size()) {
  const int variables = transported_variables(resolved);
  variables_.reserve(variables);
  for (int variable = 0; variable < variables; ++variable) {
    Variable& made = variables_.emplace_back(Variable{.kappa = {backend, layout},
                                                      .target = {},
                                                      .insulated = {},
                                                      .owner = {},
                                                      .gain = {},
                                                      .conduction = {},
                                                      .box = {},
                                                      .columns = {}});
    if (!uniform_solid_value(resolved, variable)) made.target.emplace(backend, layout);
    if (has_closed_body(resolved, variable)) made.insulated.emplace(backend, layout);
    if (names_owners(resolved, variable)) made.owner.emplace(backend, layout);
    if (has_given_flux(resolved, variable)) made.gain.emplace(backend, layout);
    for (int n = 0; has_conductor(resolved, variable) && n < of_conduction; ++n)
      made.conduction.emplace_back(backend, layout);
  }
  if (resolved.has_moving_bodies()) moving_.emplace(backend, resolved, grid, part);
  if constexpr (!Backend::only_counts) initialise(grid, part);
}

template <class Backend>
void SolidFields<Backend>::initialise(const StaggeredGrid& grid, const Subdomain& part) {
  Communicator& ranks = backend_->communicator();
  const std::vector<SolidPoints> points = find_solid_points(case_, part, ranks);
  const SolidPoints& centres = points[first_scalar];
  std::vector<double> is_solid;
  for_each_point(centres.box, [&](Index3 c) {
    const bool is_in_body = centres.body_at(c) != no_body;
    is_solid.push_back(is_in_body ? 1 : 0);
    if (is_in_body) cells_ = joint_box(cells_, {c, {c.i + 1, c.j + 1, c.k + 1}});
  });
  cells_ = common_box(cells_, layout_.all_points());
  upload(is_solid, solid_cells_);
  at_centres_ = solid_field(centres, precision_of<Real>());
  words_ = solids_in_words(case_, part, centres, ranks);
  for (int n = 0; n < std::ssize(variables_); ++n) {
    SolidPulls pulls = solid_pulls(case_, grid, part, points[std::min(n, first_scalar)], n);
    exchange_rates(pulls, part, ranks);
    Variable& of = variables_[n];
    of.box = pulls.box;
    of.columns = box_of_all(pulls.box, ranks);
    of.uniform_target = static_cast<Real>(pulls.uniform_target);
    if (is_velocity(n)) extend_boxes_of_bodies(points[n], pulls);
    upload(pulls.kappa, of.kappa);
    if (of.target) upload(pulls.target, *of.target);
    if (of.insulated) upload(pulls.insulated, *of.insulated);
    if (of.owner) upload(pulls.owner, *of.owner);
    if (of.gain) upload(pulls.gain, *of.gain);
    if (of.conduction.empty()) continue;
    for (int axis = 0; axis < 3; ++axis) upload(pulls.conductivity[axis], of.conduction[axis]);
    upload(pulls.inverse_capacity, of.conduction[inverse_capacity]);
    upload(pulls.conductor, of.conduction[conductor]);
  }
  if (moving_) {
    made_poses_ = made_poses_before_ = moving_->motions().poses();
    find_displaced(centres, grid, part);
  }
  const Box all = layout_.all_points();
  const Box near = widened(box_of_velocity());
  const bool is_inside =
      box_of_velocity().extents().count() == 0 || joint_box(near, all).extents() == all.extents();
  for (const int is_inside_of_rank : ranks.gathered(is_inside ? 1 : 0))
    reach_ends_ = reach_ends_ || is_inside_of_rank == 0;
}

/// Gives what moving bodies of formulas, and those that faces of the box cut, displace: by the
/// cells that they hold at the start.
template <class Backend>
void SolidFields<Backend>::find_displaced(const SolidPoints& centres,
                                          const StaggeredGrid& grid,
                                          const Subdomain& part) {
  for (int body = 0; body < std::ssize(case_.solids); ++body) {
    const SolidCase& of = case_.solids[body];
    const bool has_closed_form = of.shape != SolidCase::Shape::formula &&
                                 !is_cut_by_faces(reach_of(of, pose_at_start(of, 0)), grid);
    if (!of.is_mobile() || has_closed_form) continue;
    const PerAxis<std::vector<double>> arms{
        arms_of(of, grid, part, 0), arms_of(of, grid, part, 1), arms_of(of, grid, part, 2)};
    DisplacedFluid own;
    for_each_point(layout_.all_points(), [&](Index3 c) {
      if (centres.body_at(c) != body) return;
      PerAxis<double> way{};
      double volume = 1;
      for (int axis = 0; axis < 3; ++axis) {
        way[axis] = arms[axis][c[axis]];
        volume *= grid[axis].width(c[axis] + part.first(axis));
      }
      add_volume(volume, way, own);
    });
    DisplacedFluid all;
    for (const DisplacedFluid& of_rank : backend_->communicator().gathered(own)) {
      all.volume += of_rank.volume;
      for (int row = 0; row < 3; ++row) {
        all.first[row] += of_rank.first[row];
        for (int column = 0; column < 3; ++column)
          all.inertia[row][column] += of_rank.inertia[row][column];
      }
    }
    moving_->motions().set_displaced(body, all);
  }
}

/// Makes kappa, W, owners and solid cells anew where bodies were and are; nothing where neither a
/// pose nor the one before it has changed. dt: see MakeSolidRows.
template <class Backend>
void SolidFields<Backend>::follow_bodies(double dt) {
  const std::vector<BodyPose>& poses = moving_->motions().poses();
  const std::vector<BodyPose>& before = moving_->motions().poses_before();
  if (poses == made_poses_ && before == made_poses_before_) return;
  moving_->note_places();
  std::vector<Box> boxes;
  for (std::size_t body = 0; body < poses.size(); ++body) {
    if (poses[body] == made_poses_[body] && before[body] == made_poses_before_[body]) continue;
    std::ranges::copy(moving_->boxes_between(body, made_poses_[body], poses[body]),
                      std::back_inserter(boxes));
  }
  make_rows(boxes, dt);
  made_poses_ = poses;
  made_poses_before_ = before;
  put_boxes_around_bodies();
}

template <class Backend>
void SolidFields<Backend>::make_rows(const std::vector<Box>& boxes, double dt) {
  std::vector<typename MovingBodies<Backend>::BoxWithOwners> parts;
  for (const Box& box : boxes)
    std::ranges::move(moving_->boxes_with_owners(box), std::back_inserter(parts));
  for (int variable = 0; variable < std::ssize(variables_); ++variable) {
    const Variable& of = variables_[variable];
    const double diffusivity = solved_variables(case_).at(variable).diffusivity;
    std::vector<WorkInBox<MakeSolidRows<Real>>> works;
    works.reserve(parts.size());
    for (const auto& part : parts)
      works.push_back({part.box,
                       {.owners = moving_->owners(part, variable),
                        .variable = variable,
                        .diffusivity = diffusivity,
                        .kappa = of.kappa.view(),
                        .target = of.target ? of.target->view() : FieldView<Real>{},
                        .owner = of.owner ? of.owner->view() : FieldView<Real>{},
                        .dt = dt}});
    backend_->for_each(works);
  }
  std::vector<WorkInBox<MarkSolidCells<Real>>> works;
  works.reserve(parts.size());
  for (const auto& part : parts)
    works.push_back({part.box, {moving_->owners(part, 0), solid_cells_.view()}});
  backend_->for_each(works);
}

/// Boxes that sweeps, sums and diagnostics look at.
template <class Backend>
void SolidFields<Backend>::put_boxes_around_bodies() {
  Box all{};
  Box columns{};
  for (std::size_t body = 0; body < boxes_.size(); ++body) {
    boxes_[body] = moving_->box_of(body);
    all = joint_box(all, boxes_[body]);
    columns = joint_box(columns, moving_->columns_of(body));
  }
  if (all.extents().count() == 0) all = {{}, {1, 1, 1}};  // reductions are of points always
  for (Variable& of : variables_) {
    of.box = all;
    of.columns = columns;
  }
  cells_ = all;
}

/// By the unknowns of a velocity component.
template <class Backend>
void SolidFields<Backend>::extend_boxes_of_bodies(const SolidPoints& points,
                                                  const SolidPulls& pulls) {
  if (pulls.owner.empty()) {
    boxes_[0] = joint_box(boxes_[0], pulls.box);
    return;
  }
  for_each_point(pulls.box, [&](Index3 c) {
    const auto number = static_cast<std::size_t>(pulls.owner[points.place(c)]);
    if (number == 0) return;
    Box& box = boxes_[number - 1];
    box = joint_box(box, {c, {c.i + 1, c.j + 1, c.k + 1}});
  });
}

/// Values of all stored points, x fastest.
template <class Backend>
void SolidFields<Backend>::upload(const std::vector<double>& values,
                                  const StaggeredField<Backend>& field) {
  const std::vector<Real> rounded(values.begin(), values.end());
  backend_->upload(rounded.data(), field_from(field.view(), {-1, -1, -1}), stored_points(layout_));
  backend_->synchronize();
}

template <class Backend>
SolidsView<typename Backend::Real> SolidFields<Backend>::view(int variable, double dt) const {
  const Variable& of = at(variable);
  SolidsView<Real> view;
  view.box = with_packs(of.box);
  view.kappa = of.kappa.view_const();
  if (of.target) view.target = of.target->view_const();
  if (of.insulated) view.insulated = of.insulated->view_const();
  if (of.gain) view.gain = of.gain->view_const();
  if (!of.conduction.empty()) {
    for (int axis = 0; axis < 3; ++axis) view.conductivity[axis] = of.conduction[axis].view_const();
    view.inverse_capacity = of.conduction[inverse_capacity].view_const();
  }
  view.uniform_target = of.uniform_target;
  view.half_dt = static_cast<Real>(dt / 2);
  view.is_trapezoidal = is_trapezoidal_;
  return view;
}

template <class Backend>
void SolidFields<Backend>::impose(int variable, const FieldView<Real>& q) {
  backend_->for_each(at(variable).box, ImposeSolids<Real>{view(variable, 0), q});
}

template <class Backend>
Box SolidFields<Backend>::box_of_velocity() const {
  return joint_box(joint_box(at(0).box, at(1).box), at(2).box);
}

/// Where there are several bodies the number of the owner tells whose an unknown is.
template <class Backend>
FeelsBody<typename Backend::Real> SolidFields<Backend>::feels(int variable,
                                                              std::size_t body) const {
  const Variable& of = at(variable);
  if (!of.owner) return {of.kappa.view_const(), 0, std::numeric_limits<double>::infinity()};
  const auto number = static_cast<double>(body) + 1;  // owners count from 1
  return {of.owner->view_const(), number - 0.5, number + 0.5};
}

}  // namespace dns
