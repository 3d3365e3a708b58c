/// Solid bodies on the device of a run of scheme `projection`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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
#include "solver/simulation/late_reductions.hpp"

namespace dns {

/// kappa and W of the unknowns (solver/numerics/solid_rows.hpp), and what the bodies feel.
template <class Backend>
class SolidFields {
 public:
  using Real = typename Backend::Real;

  /// `backend`, `late` and the case must outlive it. Throws CaseError, IoError as find_solid_points
  /// does.
  SolidFields(Backend& backend,
              LateReductions<Backend>& late,
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
    return backend_
        ->template reduce<AtBodies::sums, AtBodies::maxima>(box_of_velocity(),
                                                            at_bodies(velocity, metrics))
        .maximum[AtBodies::slip];
  }

  /// Begins the sums of diagnostics at bodies but for what they feel.
  void begin_diagnostics(const VelocityView<const Real>& velocity,
                         const GridMetrics<Real>& metrics) {
    if (moving_) {
      begun_steps_ = moving_->steps();
      begun_poses_ = moving_->motions().poses();
    }
    late_->begin(at_bodies_, box_of_velocity(), at_bodies(velocity, metrics));
  }
  /// After LateReductions::finish: what cut cells dissipate [U^3 L^2]: see VelocityAtSolids.
  [[nodiscard]] double cut_dissipation() const {
    return (*late_)[at_bodies_].sum[AtBodies::cut_dissipation];
  }

  /// Boxes that have all unknowns that are solid or cut, of all velocity components or of a
  /// variable.
  [[nodiscard]] Box box_of_velocity() const;
  [[nodiscard]] Box box_of(int variable) const { return at(variable).box; }
  /// A box that has all unknowns of velocity components that feel one body.
  [[nodiscard]] Box box_of_body(std::size_t body) const { return bodies_[body].box; }
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
    for (std::size_t body = 0; body < bodies_.size(); ++body) all.push_back(feels(body));
    return all;
  }

  /// A line for each body.
  [[nodiscard]] const std::vector<std::string>& in_words() const { return words_; }

  /// The lines of a box along an axis that may meet a body of this rank or, along z, of any.
  [[nodiscard]] Box lines_near(int variable, int axis) const {
    return axis == 2 ? at(variable).columns : at(variable).box;
  }

  /// Begins the sums of what the bodies feel in a flow, with the R of its velocity and of its
  /// scalars (GivenToBody). dt: of the last step [L/U].
  void begin_forces(const VelocityView<const Real>& velocity,
                    const VelocityView<const Real>& right,
                    const GridMetrics<Real>& metrics,
                    double dt);
  void begin_flux(int variable,
                  const FieldView<const Real>& q,
                  const VelocityView<const Real>& velocity,
                  const FieldView<const Real>& right,
                  const GridMetrics<Real>& metrics,
                  double dt);

  /// force_NAME_x ... torque_NAME_x ... heat_NAME, SCALAR_flux_NAME, nusselt_NAME, body_slip;
  /// position_NAME_x ... velocity_NAME_x ... rotation_NAME_x ... quaternion_NAME_w ... of bodies
  /// that move. Not of bodies that are some of several.
  [[nodiscard]] static std::vector<std::string> names(const Case& resolved);
  /// Their values, after LateReductions::finish; forces zero before any were summed up.
  [[nodiscard]] std::vector<double> values() const;
  /// FlowDiagnostics::bodies, likewise.
  [[nodiscard]] std::vector<NamedList> values_of_several() const;

 private:
  using AtBodies = VelocityAtSolids<Real>;
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
  /// What one body feels, as sums over its unknowns.
  struct Body {
    using Velocity = VelocitySumsAtSolid<Real>;

    Box box;  // of velocity components
    LatePlace<Velocity::sums, 0> velocity;
    std::vector<LatePlace<1, 0>> scalars;
  };
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  [[nodiscard]] const Variable& at(int variable) const { return variables_[variable]; }
  void initialise(const StaggeredGrid& grid, const Subdomain& part);
  void follow_bodies(double dt);
  void make_rows(const Box& box, double dt);
  void put_boxes_around_bodies();
  void find_displaced(const SolidPoints& centres, const StaggeredGrid& grid, const Subdomain& part);
  void extend_boxes_of_bodies(const SolidPoints& points, const SolidPulls& pulls);
  void upload(const std::vector<double>& values, const StaggeredField<Backend>& field);
  [[nodiscard]] FeelsBody<Real> feels(int variable, std::size_t body) const;
  [[nodiscard]] AtBodies at_bodies(const VelocityView<const Real>& velocity,
                                   const GridMetrics<Real>& metrics) const {
    return {{view(0, 0), view(1, 0), view(2, 0)}, velocity, metrics};
  }

  Backend* backend_;
  LateReductions<Backend>* late_;
  const Case& case_;
  StaggeredLayout layout_;
  std::vector<Variable> variables_;
  std::vector<PerAxis<DoubleMemory>> arms_;  // of each body: of cell centres from its centre
  StaggeredField<Backend> solid_cells_;
  Box cells_;  // holds all that are in bodies
  HostField at_centres_;
  std::vector<std::string> words_;
  std::vector<Body> bodies_;
  LatePlace<AtBodies::sums, AtBodies::maxima> at_bodies_;
  bool is_trapezoidal_ = true;
  bool reach_ends_ = false;
  std::optional<MovingBodies<Backend>> moving_;
  std::vector<BodyPose> made_poses_;         // those that kappa and W are made for
  std::vector<BodyPose> made_poses_before_;  // see BodyMotions::poses_before
  std::int64_t begun_steps_ = 0;             // MovingBodies::steps of the flow of diagnostics
  std::vector<BodyPose> begun_poses_;
};

template <class Backend>
SolidFields<Backend>::SolidFields(Backend& backend,
                                  LateReductions<Backend>& late,
                                  const Case& resolved,
                                  const StaggeredGrid& grid,
                                  const Subdomain& part,
                                  const StaggeredLayout& layout)
    : backend_(&backend),
      late_(&late),
      case_(resolved),
      layout_(layout),
      solid_cells_(backend, layout),
      bodies_(resolved.solids.size()),
      at_bodies_(late.template place<AtBodies::sums, AtBodies::maxima>()) {
  for (Body& body : bodies_) {
    body.velocity = late.template place<Body::Velocity::sums, 0>();
    for (int n = 0; n < resolved.scalar_count(); ++n)
      body.scalars.push_back(late.template place<1, 0>());
  }
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
  for (std::size_t body = 0; body < resolved.solids.size(); ++body) {
    auto& arms = arms_.emplace_back();
    for (int axis = 0; axis < 3; ++axis)
      arms[axis] = backend.template allocate<double>(part.points()[axis]);
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
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    SolidPulls pulls = solid_pulls(
        case_, grid, part, points[std::min<std::size_t>(n, first_scalar)], static_cast<int>(n));
    exchange_rates(pulls, part, ranks);
    Variable& of = variables_[n];
    of.box = pulls.box;
    of.columns = box_of_all(pulls.box, ranks);
    of.uniform_target = static_cast<Real>(pulls.uniform_target);
    if (is_velocity(static_cast<int>(n))) extend_boxes_of_bodies(points[n], pulls);
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
  for (std::size_t body = 0; body < arms_.size(); ++body) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> values = arms_of(case_.solids[body], grid, part, axis);
      const DoubleMemory& memory = arms_[body][axis];
      backend_->upload_values(values.data(), memory.data(), values.size());
    }
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

/// Gives what moving bodies of formulas displace, by the cells that they hold at the start.
template <class Backend>
void SolidFields<Backend>::find_displaced(const SolidPoints& centres,
                                          const StaggeredGrid& grid,
                                          const Subdomain& part) {
  for (std::size_t body = 0; body < case_.solids.size(); ++body) {
    const SolidCase& of = case_.solids[body];
    if (!of.is_mobile() || of.shape != SolidCase::Shape::formula) continue;
    const PerAxis<std::vector<double>> arms{
        arms_of(of, grid, part, 0), arms_of(of, grid, part, 1), arms_of(of, grid, part, 2)};
    DisplacedFluid own;
    for_each_point(layout_.all_points(), [&](Index3 c) {
      if (centres.body_at(c) != static_cast<int>(body)) return;
      PerAxis<double> way{};
      double volume = 1;
      for (int axis = 0; axis < 3; ++axis) {
        way[axis] = arms[axis][static_cast<std::size_t>(c[axis])];
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
  for (std::size_t body = 0; body < poses.size(); ++body) {
    if (poses[body] == made_poses_[body] && before[body] == made_poses_before_[body]) continue;
    for (const Box& box : moving_->boxes_between(body, made_poses_[body], poses[body]))
      make_rows(box, dt);
  }
  made_poses_ = poses;
  made_poses_before_ = before;
  put_boxes_around_bodies();
}

template <class Backend>
void SolidFields<Backend>::make_rows(const Box& box, double dt) {
  for (const auto& part : moving_->boxes_with_owners(box)) {
    for (std::size_t n = 0; n < variables_.size(); ++n) {
      const Variable& of = variables_[n];
      const int variable = static_cast<int>(n);
      backend_->for_each(
          part.box,
          MakeSolidRows<Real>{.owners = moving_->owners(part, variable),
                              .variable = variable,
                              .diffusivity = solved_variables(case_).at(n).diffusivity,
                              .kappa = of.kappa.view(),
                              .target = of.target ? of.target->view() : FieldView<Real>{},
                              .owner = of.owner ? of.owner->view() : FieldView<Real>{},
                              .dt = dt});
    }
    backend_->for_each(part.box,
                       MarkSolidCells<Real>{moving_->owners(part, 0), solid_cells_.view()});
  }
}

/// Boxes that sweeps, sums and diagnostics look at.
template <class Backend>
void SolidFields<Backend>::put_boxes_around_bodies() {
  Box all{};
  Box columns{};
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    bodies_[body].box = moving_->box_of(body);
    all = joint_box(all, bodies_[body].box);
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
    bodies_[0].box = joint_box(bodies_[0].box, pulls.box);
    return;
  }
  for_each_point(pulls.box, [&](Index3 c) {
    const auto number = static_cast<std::size_t>(pulls.owner[points.place(c)]);
    if (number == 0) return;
    Box& box = bodies_[number - 1].box;
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

template <class Backend>
void SolidFields<Backend>::begin_forces(const VelocityView<const Real>& velocity,
                                        const VelocityView<const Real>& right,
                                        const GridMetrics<Real>& metrics,
                                        double dt) {
  const auto given = [&](int component) {
    return GivenToBody<Real>{view(component, 0), velocity[component], right[component], dt};
  };
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    if (case_.solids[n].is_mobile()) continue;  // MovingBodies sums up what it takes
    const auto& arms = arms_[n];
    late_->begin(bodies_[n].velocity,
                 box_of_velocity(),
                 VelocitySumsAtSolid<Real>{{given(0), given(1), given(2)},
                                           feels(n),
                                           metrics,
                                           {arms[0].data(), arms[1].data(), arms[2].data()}});
  }
}

template <class Backend>
void SolidFields<Backend>::begin_flux(int variable,
                                      const FieldView<const Real>& q,
                                      const VelocityView<const Real>& velocity,
                                      const FieldView<const Real>& right,
                                      const GridMetrics<Real>& metrics,
                                      double dt) {
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    if (case_.solids[n].scalar(variable).conducts()) {
      late_->begin(bodies_[n].scalars[variable - first_scalar],
                   box_of(variable),
                   ScalarFromConductor<Real>{view(variable, 0),
                                             at(variable).conduction[conductor].view_const(),
                                             static_cast<double>(n) + 1,
                                             q,
                                             velocity,
                                             metrics,
                                             case_.diffusivity(variable)});
      continue;
    }
    late_->begin(
        bodies_[n].scalars[variable - first_scalar],
        case_.solids[n].free ? moving_->box_with_points(n) : box_of(variable),
        ScalarSumAtSolid<Real>{{view(variable, 0), q, right, dt}, feels(variable, n), metrics});
  }
}

template <class Backend>
std::vector<std::string> SolidFields<Backend>::names(const Case& resolved) {
  std::vector<std::string> names;
  for (const SolidCase& body : resolved.solids) {
    if (body.is_one_of_several()) continue;
    for (const std::string_view what : {"force_", "torque_"}) {
      for (const std::string& axis : axis_names)
        names.push_back(std::string(what) + body.name + "_" + axis);
    }
    for (int n = 0; n < resolved.scalar_count(); ++n) {
      const int variable = first_scalar + n;
      names.push_back(resolved.is_temperature(variable)
                          ? "heat_" + body.name
                          : resolved.name_of_scalar(variable) + "_flux_" + body.name);
    }
    if (nusselt_per_heat(resolved, body)) names.push_back("nusselt_" + body.name);
  }
  if (!resolved.solids.empty()) names.emplace_back("body_slip");
  for (std::string& name : names_of_poses(resolved)) names.push_back(std::move(name));
  return names;
}

template <class Backend>
std::vector<double> SolidFields<Backend>::values() const {
  using Velocity = typename Body::Velocity;
  std::vector<double> values;
  std::vector<BodyLoads> loads;
  if (moving_) loads = moving_->forces_after(begun_steps_);
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const Body& body = bodies_[n];
    if (case_.solids[n].is_one_of_several()) continue;
    const auto add_scalars = [&] {
      for (const auto& scalar : body.scalars) values.push_back(0 - (*late_)[scalar].sum[0]);
      if (const std::optional<double> per_heat = nusselt_per_heat(case_, case_.solids[n]))
        values.push_back(*per_heat * (0 - (*late_)[body.scalars.front()].sum[0]));
    };
    if (case_.solids[n].is_mobile()) {
      values.insert(values.end(), loads[n].begin(), loads[n].end());
      add_scalars();
      continue;
    }
    const auto sums = (*late_)[body.velocity];
    PerAxis<double> total{};
    PerAxis<PerAxis<double>> moment{};  // of a component with the arm along an axis
    for_each_axis([&]<Axis axis>() {
      constexpr int component = velocity_along(axis);
      constexpr AxesInPlane other = axes_in_plane(axis);
      const double* const of_axis = sums.sum + Velocity::of_component * component;
      total[component] = of_axis[Velocity::total];
      moment[component][other.first] = of_axis[Velocity::first_moment];
      moment[component][other.second] = of_axis[Velocity::second_moment];
    });
    for (const double sum : total) values.push_back(sum);
    values.push_back(moment[2][1] - moment[1][2]);
    values.push_back(moment[0][2] - moment[2][0]);
    values.push_back(moment[1][0] - moment[0][1]);
    add_scalars();
  }
  if (!bodies_.empty()) values.push_back((*late_)[at_bodies_].maximum[AtBodies::slip]);
  for (std::size_t n = 0; n < begun_poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (body.is_mobile() && !body.is_one_of_several())
      add_values_of_pose(body, begun_poses_[n], values);
  }
  return values;
}

template <class Backend>
std::vector<NamedList> SolidFields<Backend>::values_of_several() const {
  std::vector<NamedList> lists;
  if (!moving_) return lists;
  const std::vector<BodyLoads> loads = moving_->forces_after(begun_steps_);
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (!body.is_one_of_several()) continue;
    if (body.number == 0) lists.push_back({body.entry});
    std::vector<double>& values = lists.back().values;
    values.insert(values.end(), loads[n].begin(), loads[n].end());
    for (const auto& scalar : bodies_[n].scalars) values.push_back(0 - (*late_)[scalar].sum[0]);
    add_values_of_pose(body, begun_poses_[n], values);
  }
  return lists;
}

}  // namespace dns
