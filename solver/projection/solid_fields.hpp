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

#include "solver/flow/variables.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// kappa and W of the unknowns (solver/numerics/solid_rows.hpp), and what the bodies feel.
template <class Backend>
class SolidFields {
 public:
  using Real = typename Backend::Real;

  /// `backend` must outlive it. Throws CaseError, IoError as find_solid_points does.
  SolidFields(Backend& backend,
              const Case& resolved,
              const StaggeredGrid& grid,
              const Subdomain& part,
              const StaggeredLayout& layout);

  /// Of a velocity component, or first_scalar, in a step of dt [L/U].
  [[nodiscard]] SolidsView<Real> view(int variable, double dt) const;

  /// Gives the unknowns in bodies the values there.
  void impose(int variable, const FieldView<Real>& q);

  /// Of this rank: the largest distance of the velocity from that of bodies, in them [U], and what
  /// cut cells dissipate [U^3 L^2]: see VelocityAtSolids.
  [[nodiscard]] auto own_at_bodies(const VelocityView<const Real>& velocity,
                                   const GridMetrics<Real>& metrics) const {
    using Kernel = VelocityAtSolids<Real>;
    return backend_->template reduce_own<Kernel::sums, Kernel::maxima>(
        box_of_velocity(), Kernel{{view(0, 0), view(1, 0), view(2, 0)}, velocity, metrics});
  }
  /// Of this rank: integrals over the cells in bodies, and their volume: see DiagnosticsInSolids.
  [[nodiscard]] auto own_in_bodies(const StaggeredDiagnostics<Real>& of_cell) const {
    using Kernel = DiagnosticsInSolids<Real>;
    return backend_->template reduce_own<Kernel::sums, 0>(cells_, Kernel{of_cell, solid_cells()});
  }

  /// 1 at the cell centres in bodies, else 0.
  [[nodiscard]] FieldView<const Real> solid_cells() const { return solid_cells_.view_const(); }
  /// The same on the host: of the part, x fastest.
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
    add_velocity_sums(StoredRightHandSides<Real>{right}, metrics, -1);
  }
  /// Ends them: dV.
  void end_velocity_sums(const VelocityView<const Real>& now,
                         const VelocityView<const Real>& next,
                         const GridMetrics<Real>& metrics) {
    add_velocity_sums(ChangesOfVelocity<Real>{now, next}, metrics, 1);
  }
  /// The same of the temperature, with R as `right`(component, c) gives it.
  template <class Right>
  void begin_heat_sums(const Right& right, const GridMetrics<Real>& metrics) {
    add_heat_sums(right, metrics, -1);
  }
  void end_heat_sums(const FieldView<const Real>& now,
                     const FieldView<const Real>& next,
                     const GridMetrics<Real>& metrics) {
    add_heat_sums(ChangeOfScalar<Real>{now, next}, metrics, 1);
  }

  /// force_NAME_x ... torque_NAME_x ... heat_NAME, body_slip.
  [[nodiscard]] static std::vector<std::string> names(const Case& resolved);
  /// Their values, from the sums of a step. Zero before any.
  [[nodiscard]] std::vector<double> values(double slip) const;

 private:
  struct Variable {
    Box box;      // of points that are solid or have a cut, none: empty
    Box columns;  // the same along x and y of all ranks
    StaggeredField<Backend> kappa;
    std::optional<StaggeredField<Backend>> target, insulated, owner;
    Real uniform_target = 0;
  };
  struct Sums {
    std::array<double, 3> total{};                  // of a velocity component each
    std::array<std::array<double, 3>, 3> moment{};  // of a component with the arm along an axis
    double heat = 0;
  };
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  [[nodiscard]] const Variable& at(int variable) const {
    return variables_[static_cast<std::size_t>(variable)];
  }
  void upload(const std::vector<double>& values, const StaggeredField<Backend>& field);
  [[nodiscard]] FeelsBody<Real> feels(int variable, std::size_t body) const;
  [[nodiscard]] Box box_of_velocity() const;
  template <class Value>
  void add_velocity_sums(const Value& value, const GridMetrics<Real>& metrics, double sign);
  template <class Value>
  void add_heat_sums(const Value& value, const GridMetrics<Real>& metrics, double sign);

  Backend* backend_;
  Case case_;
  StaggeredLayout layout_;
  std::vector<Variable> variables_;
  std::vector<std::array<DoubleMemory, 3>> arms_;  // of each body: of cell centres from its centre
  StaggeredField<Backend> solid_cells_;
  Box cells_;  // holds all that are in bodies
  HostField at_centres_;
  std::vector<std::string> words_;
  std::vector<Sums> sums_;
  double dt_of_sums_ = 0;  // 0: there are none [L/U]
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
      sums_(resolved.solids.size()) {
  const std::vector<SolidPoints> points = find_solid_points(resolved, part, backend.communicator());
  const SolidPoints& centres = points[first_scalar];
  std::vector<double> is_solid;
  for_each_point(centres.box, [&](Index3 c) {
    const bool is_in_body = centres.body_at(c) != no_body;
    is_solid.push_back(is_in_body ? 1 : 0);
    if (is_in_body) cells_ = joint_box(cells_, {c, {c.i + 1, c.j + 1, c.k + 1}});
  });
  cells_ = common_box(cells_, layout.all_points());
  upload(is_solid, solid_cells_);
  at_centres_ = solid_field(centres, precision_of<Real>());
  words_ = solids_in_words(resolved, part, centres, backend.communicator());
  const int variables = transported_variables(resolved);
  variables_.reserve(static_cast<std::size_t>(variables));
  for (int variable = 0; variable < variables; ++variable) {
    const SolidPulls pulls =
        solid_pulls(resolved, grid, part, points[static_cast<std::size_t>(variable)], variable);
    Variable& made = variables_.emplace_back(Variable{pulls.box,
                                                      box_of_all(pulls.box, backend.communicator()),
                                                      {backend, layout},
                                                      {},
                                                      {},
                                                      {},
                                                      static_cast<Real>(pulls.uniform_target)});
    upload(pulls.kappa, made.kappa);
    const auto upload_if_any = [&](const std::vector<double>& values,
                                   std::optional<StaggeredField<Backend>>& field) {
      if (values.empty()) return;
      field.emplace(backend, layout);
      upload(values, *field);
    };
    upload_if_any(pulls.target, made.target);
    upload_if_any(pulls.insulated, made.insulated);
    upload_if_any(pulls.owner, made.owner);
  }
  for (const SolidCase& body : resolved.solids) {
    auto& arms = arms_.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> values = arms_of(body, grid, part, axis);
      DoubleMemory& memory = arms[static_cast<std::size_t>(axis)];
      memory = backend.template allocate<double>(values.size());
      backend.upload_values(values.data(), memory.data(), values.size());
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
void SolidFields<Backend>::add_velocity_sums(const Value& value,
                                             const GridMetrics<Real>& metrics,
                                             double sign) {
  using Kernel = VelocitySumsAtSolid<Real, Value>;
  for (std::size_t body = 0; body < sums_.size(); ++body) {
    const auto& arms = arms_[body];
    const auto reduction = backend_->template reduce<Kernel::sums, 0>(
        box_of_velocity(),
        Kernel{value,
               {feels(0, body), feels(1, body), feels(2, body)},
               metrics,
               {arms[0].data(), arms[1].data(), arms[2].data()}});
    const auto add = [&](double& sum, int which) {
      sum = (sign < 0 ? 0 : sum) + sign * reduction.sum[which];
    };
    Sums& sums = sums_[body];
    for_each_axis([&]<Axis axis>() {
      constexpr auto component = static_cast<std::size_t>(axis);
      constexpr auto first = static_cast<std::size_t>(axes_in_plane(axis).first);
      constexpr auto second = static_cast<std::size_t>(axes_in_plane(axis).second);
      constexpr int of_axis = static_cast<int>(axis) * Kernel::of_component;
      add(sums.total[component], of_axis + Kernel::total);
      add(sums.moment[component][first], of_axis + Kernel::first_moment);
      add(sums.moment[component][second], of_axis + Kernel::second_moment);
    });
  }
}

template <class Backend>
template <class Value>
void SolidFields<Backend>::add_heat_sums(const Value& value,
                                         const GridMetrics<Real>& metrics,
                                         double sign) {
  using Kernel = ScalarSumAtSolid<Real, Value>;
  const Box box = at(first_scalar).box;
  for (std::size_t body = 0; body < sums_.size(); ++body) {
    const auto reduction = backend_->template reduce<Kernel::sums, 0>(
        box, Kernel{value, feels(first_scalar, body), metrics});
    double& heat = sums_[body].heat;
    heat = (sign < 0 ? 0 : heat) + sign * reduction.sum[0];
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
    if (resolved.has_temperature()) names.push_back("heat_" + body.name);
  }
  if (!names.empty()) names.emplace_back("body_slip");
  return names;
}

/// Force on a body: - SUM volume (dq - R)/dt; heat from it: + SUM volume (dT - R)/dt.
template <class Backend>
std::vector<double> SolidFields<Backend>::values(double slip) const {
  const double per_step = dt_of_sums_ > 0 ? 1 / dt_of_sums_ : 0;
  std::vector<double> values;
  for (const Sums& sums : sums_) {
    for (const double total : sums.total) values.push_back(-per_step * total);
    const auto& moment = sums.moment;
    values.push_back(-per_step * (moment[2][1] - moment[1][2]));
    values.push_back(-per_step * (moment[0][2] - moment[2][0]));
    values.push_back(-per_step * (moment[1][0] - moment[0][1]));
    if (case_.has_temperature()) values.push_back(per_step * sums.heat);
  }
  if (!values.empty()) values.push_back(slip);
  return values;
}

}  // namespace dns
