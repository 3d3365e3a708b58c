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

#include "solver/numerics/solid_rows.hpp"
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

  /// Of a velocity component, or temperature_variable, in a step of dt [L/U].
  [[nodiscard]] SolidsView<Real> view(int variable, double dt) const;

  /// Gives the unknowns in bodies the values there.
  void impose(int variable, const FieldView<Real>& q);

  /// Largest distance of the velocity from that of the bodies, in them [U].
  [[nodiscard]] double slip(const VelocityView<const Real>& velocity);

  /// 1 at the cell centres in bodies, else 0: of the part, x fastest.
  [[nodiscard]] HostField at_centres() const { return at_centres_; }

  /// Begins the sums of a step over the unknowns that feel a body: R, as value(c) gives it.
  template <int component, class Value>
  void begin_sums(const Value& right, Box unknowns, const GridMetrics<Real>& metrics) {
    add_sums<component>(right, unknowns, metrics, -1, true);
  }
  /// Ends them: dq.
  template <int component>
  void end_sums(const FieldView<const Real>& now,
                const FieldView<const Real>& next,
                Box unknowns,
                const GridMetrics<Real>& metrics) {
    add_sums<component>(ChangeOfStep<Real>{now, next}, unknowns, metrics, 1, false);
  }

  /// force_NAME_x ... torque_NAME_x ... heat_NAME, body_slip.
  [[nodiscard]] static std::vector<std::string> names(const Case& resolved);
  /// Their values, from the sums of a step of dt [L/U] and the present velocity. Zero before any.
  [[nodiscard]] std::vector<double> values(double dt, const VelocityView<const Real>& velocity);

 private:
  struct Variable {
    Box box;  // of points that are solid or have a cut, none: empty
    StaggeredField<Backend> kappa;
    std::optional<StaggeredField<Backend>> target, insulated, owner;
    Real uniform_target = 0;
  };
  struct Sums {
    std::array<double, 3> total{};                  // of a velocity component each
    std::array<std::array<double, 2>, 3> moment{};  // along the two other axes
    double heat = 0;
  };
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  [[nodiscard]] const Variable& at(int variable) const {
    return variables_[static_cast<std::size_t>(variable)];
  }
  void upload(const std::vector<double>& values, const StaggeredField<Backend>& field);
  template <int component, class Value>
  void add_sums(
      const Value& value, Box unknowns, const GridMetrics<Real>& metrics, double sign, bool begins);

  Backend* backend_;
  Case case_;
  StaggeredLayout layout_;
  std::vector<Variable> variables_;
  std::vector<std::array<DoubleMemory, 3>> arms_;  // of each body: of cell centres from its centre
  HostField at_centres_;
  std::vector<Sums> sums_;
  bool has_sums_ = false;
};

template <class Backend>
SolidFields<Backend>::SolidFields(Backend& backend,
                                  const Case& resolved,
                                  const StaggeredGrid& grid,
                                  const Subdomain& part,
                                  const StaggeredLayout& layout)
    : backend_(&backend), case_(resolved), layout_(layout), sums_(resolved.solids.size()) {
  const std::vector<SolidPoints> points = find_solid_points(resolved, part, backend.communicator());
  at_centres_ = solid_field(points[temperature_variable], precision_of<Real>());
  const int variables = resolved.has_temperature() ? 4 : 3;
  variables_.reserve(static_cast<std::size_t>(variables));
  for (int variable = 0; variable < variables; ++variable) {
    const SolidPulls pulls =
        solid_pulls(resolved, grid, part, points[static_cast<std::size_t>(variable)], variable);
    Variable& made = variables_.emplace_back(Variable{
        pulls.box, {backend, layout}, {}, {}, {}, static_cast<Real>(pulls.uniform_target)});
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
  constexpr int points_of_pack = 16;  // at most
  const Variable& of = at(variable);
  SolidsView<Real> view;
  view.box = of.box;
  view.box.begin.i -= points_of_pack - 1;
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
double SolidFields<Backend>::slip(const VelocityView<const Real>& velocity) {
  double largest = 0;
  for (int component = 0; component < 3; ++component) {
    const auto reduction = backend_->template reduce<0, 1>(
        at(component).box, SolidSlip<Real>{view(component, 0), velocity[component]});
    largest = larger_or_nan(largest, reduction.maximum[0]);
  }
  return largest;
}

template <class Backend>
template <int component, class Value>
void SolidFields<Backend>::add_sums(
    const Value& value, Box unknowns, const GridMetrics<Real>& metrics, double sign, bool begins) {
  using Kernel = SumsAtSolid<component, Real, Value>;
  const Variable& of = at(component);
  const Box box = common_box(of.box, unknowns);
  has_sums_ = true;
  for (std::size_t body = 0; body < sums_.size(); ++body) {
    Kernel kernel{value, of.kappa.view_const(), 0, std::numeric_limits<Real>::infinity(), metrics};
    if (of.owner) {
      kernel.marker = of.owner->view_const();
      kernel.low = static_cast<Real>(static_cast<double>(body) + 0.5);  // owners count from 1
      kernel.high = static_cast<Real>(static_cast<double>(body) + 1.5);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) kernel.arm[axis] = arms_[body][axis].data();
    const auto reduction = backend_->template reduce<Kernel::sums, 0>(box, kernel);
    const auto add = [&](double& sum, int which) {
      sum = (begins ? 0 : sum) + sign * reduction.sum[which];
    };
    Sums& sums = sums_[body];
    if constexpr (component < 3) {
      add(sums.total[component], Kernel::total);
      add(sums.moment[component][0], Kernel::first_moment);
      add(sums.moment[component][1], Kernel::second_moment);
    } else {
      add(sums.heat, Kernel::total);
    }
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
std::vector<double> SolidFields<Backend>::values(double dt,
                                                 const VelocityView<const Real>& velocity) {
  std::vector<double> values;
  for (const Sums& sums : sums_) {
    const double scale = has_sums_ ? -1 / dt : 0;
    for (const double total : sums.total) values.push_back(scale * total);
    // The moment of force component a with the arm along b is kept as moment[a][b before c].
    const auto moment = [&](std::size_t component, std::size_t arm) {
      const std::size_t lower_other = component == 0 ? 1 : 0;
      return sums.moment[component][arm == lower_other ? 0 : 1];
    };
    values.push_back(scale * (moment(2, 1) - moment(1, 2)));
    values.push_back(scale * (moment(0, 2) - moment(2, 0)));
    values.push_back(scale * (moment(1, 0) - moment(0, 1)));
    if (case_.has_temperature()) values.push_back(has_sums_ ? sums.heat / dt : 0);
  }
  if (!values.empty()) values.push_back(slip(velocity));
  return values;
}

}  // namespace dns
