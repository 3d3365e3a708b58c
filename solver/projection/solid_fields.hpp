/// Solid bodies on the device of a run of scheme `projection`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/staggered_field.hpp"
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

  /// Begins the sums of diagnostics at bodies, and of what they felt in the step if that was summed
  /// up.
  void begin_diagnostics(const VelocityView<const Real>& velocity,
                         const GridMetrics<Real>& metrics) {
    late_->begin(at_bodies_, box_of_velocity(), at_bodies(velocity, metrics));
    dt_of_closed_sums_ = std::exchange(dt_of_sums_, 0);
  }
  /// Reads them, after LateReductions::finish.
  void finish_diagnostics();
  /// Then: what cut cells dissipate [U^3 L^2]: see VelocityAtSolids.
  [[nodiscard]] double cut_dissipation() const {
    return (*late_)[at_bodies_].sum[AtBodies::cut_dissipation];
  }

  /// A box that has all cells in bodies.
  [[nodiscard]] Box cells() const { return cells_; }
  /// 1 at the cell centres in bodies, else 0.
  [[nodiscard]] FieldView<const Real> solid_cells() const { return solid_cells_.view_const(); }
  /// 1 at the cell centres in bodies, else 0, on the host: of the part, x fastest.
  [[nodiscard]] HostField at_centres() const { return at_centres_; }
  /// A line for each body.
  [[nodiscard]] const std::vector<std::string>& in_words() const { return words_; }

  /// The lines of a box along an axis that may meet a body of this rank or, along z, of any.
  [[nodiscard]] Box lines_near(int variable, int axis) const {
    return axis == 2 ? at(variable).columns : at(variable).box;
  }

  /// Begins the sums of a step of dt [L/U] over the unknowns that feel a body: R, which is stored.
  void begin_velocity_sums(const VelocityView<const Real>& right,
                           const GridMetrics<Real>& metrics,
                           double dt) {
    dt_of_sums_ = dt;
    sum_velocity(&Body::right, StoredRightHandSides<Real>{right}, metrics);
  }
  /// Ends them: dV.
  void end_velocity_sums(const VelocityView<const Real>& now,
                         const VelocityView<const Real>& next,
                         const GridMetrics<Real>& metrics) {
    sum_velocity(&Body::change, ChangesOfVelocity<Real>{now, next}, metrics);
  }
  /// Begins the sums of a step over the unknowns of a scalar that feel a body, with R as
  /// `right`(component, c) gives it; end_scalar_sums() ends them.
  template <class Right>
  void begin_scalar_sums(int variable, const Right& right, const GridMetrics<Real>& metrics) {
    sum_scalar(variable, &OfScalar::right, right, metrics);
  }
  void end_scalar_sums(int variable,
                       const FieldView<const Real>& now,
                       const FieldView<const Real>& next,
                       const GridMetrics<Real>& metrics) {
    sum_scalar(variable, &OfScalar::change, ChangeOfScalar<Real>{now, next}, metrics);
  }

  /// force_NAME_x ... torque_NAME_x ... heat_NAME, SCALAR_flux_NAME, body_slip.
  [[nodiscard]] static std::vector<std::string> names(const Case& resolved);
  /// Their values, of the diagnostics finished last; forces of the step last summed up, zero before
  /// any.
  [[nodiscard]] std::vector<double> values() const;

 private:
  using AtBodies = VelocityAtSolids<Real>;

  struct Variable {
    StaggeredField<Backend> kappa;
    std::optional<StaggeredField<Backend>> target, insulated, owner;
    Box box;      // of points that are solid or have a cut, none: empty
    Box columns;  // the same along x and y of all ranks
    Real uniform_target = 0;
  };
  /// What one body feels, as sums over its unknowns: of R and of dV or dT.
  struct OfScalar {
    LatePlace<1, 0> right, change;
    double flux = 0;  // the difference of these sums, of a step
  };
  struct Body {
    using Velocity = VelocitySumsAtSolid<Real, StoredRightHandSides<Real>>;
    using VelocityPlace = LatePlace<Velocity::sums, 0>;

    VelocityPlace right, change;
    std::vector<OfScalar> scalars;
    std::array<double, Velocity::sums> velocity{};  // the difference of these sums, of a step
  };
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  [[nodiscard]] const Variable& at(int variable) const { return variables_[variable]; }
  void initialise(const StaggeredGrid& grid, const Subdomain& part);
  void upload(const std::vector<double>& values, const StaggeredField<Backend>& field);
  [[nodiscard]] FeelsBody<Real> feels(int variable, std::size_t body) const;
  [[nodiscard]] Box box_of_velocity() const;
  [[nodiscard]] AtBodies at_bodies(const VelocityView<const Real>& velocity,
                                   const GridMetrics<Real>& metrics) const {
    return {{view(0, 0), view(1, 0), view(2, 0)}, velocity, metrics};
  }
  template <class Value>
  void sum_velocity(typename Body::VelocityPlace Body::*place,
                    const Value& value,
                    const GridMetrics<Real>& metrics);
  template <class Value>
  void sum_scalar(int variable,
                  LatePlace<1, 0> OfScalar::*place,
                  const Value& value,
                  const GridMetrics<Real>& metrics);

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
  double dt_of_sums_ = 0;         // that were begun, 0: there are none [L/U]
  double dt_of_closed_sums_ = 0;  // likewise, for the diagnostics begun last
  double per_step_ = 0;           // 1/dt of those in bodies_; 0: there are none
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
    body.right = late.template place<Body::Velocity::sums, 0>();
    body.change = late.template place<Body::Velocity::sums, 0>();
    body.scalars.resize(resolved.scalar_count());
    for (OfScalar& scalar : body.scalars) {
      scalar.right = late.template place<1, 0>();
      scalar.change = late.template place<1, 0>();
    }
  }
  const int variables = transported_variables(resolved);
  variables_.reserve(variables);
  for (int variable = 0; variable < variables; ++variable) {
    Variable& made = variables_.emplace_back(Variable{{backend, layout}, {}, {}, {}, {}, {}});
    if (!uniform_solid_value(resolved, variable)) made.target.emplace(backend, layout);
    if (has_insulated_body(resolved, variable)) made.insulated.emplace(backend, layout);
    if (bodies_.size() > 1) made.owner.emplace(backend, layout);
  }
  for (std::size_t body = 0; body < resolved.solids.size(); ++body) {
    auto& arms = arms_.emplace_back();
    for (int axis = 0; axis < 3; ++axis)
      arms[axis] = backend.template allocate<double>(part.points()[axis]);
  }
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
    const SolidPulls pulls = solid_pulls(
        case_, grid, part, points[std::min<std::size_t>(n, first_scalar)], static_cast<int>(n));
    Variable& of = variables_[n];
    of.box = pulls.box;
    of.columns = box_of_all(pulls.box, ranks);
    of.uniform_target = static_cast<Real>(pulls.uniform_target);
    upload(pulls.kappa, of.kappa);
    if (of.target) upload(pulls.target, *of.target);
    if (of.insulated) upload(pulls.insulated, *of.insulated);
    if (of.owner) upload(pulls.owner, *of.owner);
  }
  for (std::size_t body = 0; body < arms_.size(); ++body) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> values = arms_of(case_.solids[body], grid, part, axis);
      const DoubleMemory& memory = arms_[body][axis];
      backend_->upload_values(values.data(), memory.data(), values.size());
    }
  }
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
  view.uniform_target = of.uniform_target;
  view.dt = static_cast<Real>(dt);
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
template <class Value>
void SolidFields<Backend>::sum_velocity(typename Body::VelocityPlace Body::*place,
                                        const Value& value,
                                        const GridMetrics<Real>& metrics) {
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const auto& arms = arms_[n];
    late_->begin(
        bodies_[n].*place,
        box_of_velocity(),
        VelocitySumsAtSolid<Real, Value>{value,
                                         {feels(0, n), feels(1, n), feels(2, n)},
                                         metrics,
                                         {arms[0].data(), arms[1].data(), arms[2].data()}});
  }
}

template <class Backend>
template <class Value>
void SolidFields<Backend>::sum_scalar(int variable,
                                      LatePlace<1, 0> OfScalar::*place,
                                      const Value& value,
                                      const GridMetrics<Real>& metrics) {
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    late_->begin(bodies_[n].scalars[variable - first_scalar].*place,
                 at(variable).box,
                 ScalarSumAtSolid<Real, Value>{value, feels(variable, n), metrics});
  }
}

template <class Backend>
void SolidFields<Backend>::finish_diagnostics() {
  if (dt_of_closed_sums_ == 0) return;
  per_step_ = 1 / dt_of_closed_sums_;
  for (Body& body : bodies_) {
    const auto right = (*late_)[body.right];
    const auto change = (*late_)[body.change];
    for (std::size_t which = 0; which < body.velocity.size(); ++which)
      body.velocity[which] = 0 - right.sum[which] + change.sum[which];
    for (OfScalar& scalar : body.scalars)
      scalar.flux = 0 - (*late_)[scalar.right].sum[0] + (*late_)[scalar.change].sum[0];
  }
}

template <class Backend>
std::vector<std::string> SolidFields<Backend>::names(const Case& resolved) {
  std::vector<std::string> names;
  for (const SolidCase& body : resolved.solids) {
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
  }
  if (!names.empty()) names.emplace_back("body_slip");
  return names;
}

/// Force on a body: - SUM volume (dq - R)/dt; heat from it: + SUM volume (dT - R)/dt; other scalars
/// likewise.
template <class Backend>
std::vector<double> SolidFields<Backend>::values() const {
  using Velocity = typename Body::Velocity;
  std::vector<double> values;
  for (const Body& body : bodies_) {
    PerAxis<double> total{};
    PerAxis<PerAxis<double>> moment{};  // of a component with the arm along an axis
    for_each_axis([&]<Axis axis>() {
      constexpr int component = velocity_along(axis);
      constexpr AxesInPlane other = axes_in_plane(axis);
      const double* const of_axis = body.velocity.data() + Velocity::of_component * component;
      total[component] = of_axis[Velocity::total];
      moment[component][other.first] = of_axis[Velocity::first_moment];
      moment[component][other.second] = of_axis[Velocity::second_moment];
    });
    for (const double sum : total) values.push_back(-per_step_ * sum);
    values.push_back(-per_step_ * (moment[2][1] - moment[1][2]));
    values.push_back(-per_step_ * (moment[0][2] - moment[2][0]));
    values.push_back(-per_step_ * (moment[1][0] - moment[0][1]));
    for (std::size_t n = 0; n < static_cast<std::size_t>(case_.scalar_count()); ++n)
      values.push_back(per_step_ * body.scalars[n].flux);
  }
  if (!values.empty()) values.push_back((*late_)[at_bodies_].maximum[AtBodies::slip]);
  return values;
}

}  // namespace dns
