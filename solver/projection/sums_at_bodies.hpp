/// What is summed up over the unknowns of bodies in a flow of scheme `projection`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/late_reductions.hpp"

namespace dns {

/// Columns of bodies: what they feel (BodyForces), how far the velocity in them is from theirs, and
/// where those are that move.
template <class Backend>
class SumsAtBodies {
 public:
  using Real = typename Backend::Real;

  /// All but grid and part must outlive it.
  SumsAtBodies(Backend& backend,
               LateReductions<Backend>& late,
               const Case& resolved,
               const SolidFields<Backend>& solids,
               const StaggeredGrid& grid,
               const Subdomain& part);

  [[nodiscard]] const SolidFields<Backend>& solids() const { return *solids_; }

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
  /// Begins the others.
  void begin_others(const VelocityView<const Real>& velocity, const GridMetrics<Real>& metrics) {
    if (const MovingBodies<Backend>* const moving = solids_->moving()) {
      begun_steps_ = moving->steps();
      begun_poses_ = moving->motions().poses();
    }
    late_->begin(at_bodies_, solids_->box_of_velocity(), solids_->at_bodies(velocity, metrics));
  }

  /// After LateReductions::finish: what cut cells dissipate [U^3 L^2]: see VelocityAtSolids.
  [[nodiscard]] double cut_dissipation() const {
    return (*late_)[at_bodies_].sum[AtBodies::cut_dissipation];
  }
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
  using Velocity = VelocitySumsAtSolid<Real>;
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  /// What one body feels.
  struct Body {
    LatePlace<Velocity::sums, 0> velocity;
    std::vector<LatePlace<1, 0>> scalars;
    PerAxis<DoubleMemory> arms;  // of cell centres from its centre
  };

  [[nodiscard]] double flux(const LatePlace<1, 0>& of_scalar) const {
    return 0 - (*late_)[of_scalar].sum[0];
  }
  [[nodiscard]] BodyLoads loads_at_rest(const Body& body) const;

  LateReductions<Backend>* late_;
  const Case& case_;
  const SolidFields<Backend>* solids_;
  std::vector<Body> bodies_;
  LatePlace<AtBodies::sums, AtBodies::maxima> at_bodies_;
  std::int64_t begun_steps_ = 0;  // MovingBodies::steps of the flow of the sums
  std::vector<BodyPose> begun_poses_;
};

template <class Backend>
SumsAtBodies<Backend>::SumsAtBodies(Backend& backend,
                                    LateReductions<Backend>& late,
                                    const Case& resolved,
                                    const SolidFields<Backend>& solids,
                                    const StaggeredGrid& grid,
                                    const Subdomain& part)
    : late_(&late),
      case_(resolved),
      solids_(&solids),
      at_bodies_(late.template place<AtBodies::sums, AtBodies::maxima>()) {
  for (const SolidCase& solid : resolved.solids) {
    Body& body = bodies_.emplace_back();
    body.velocity = late.template place<Velocity::sums, 0>();
    for (int n = 0; n < resolved.scalar_count(); ++n)
      body.scalars.push_back(late.template place<1, 0>());
    for (int axis = 0; axis < 3; ++axis) {
      body.arms[axis] = backend.template allocate<double>(part.points()[axis]);
      if constexpr (!Backend::only_counts) {
        const std::vector<double> values = arms_of(solid, grid, part, axis);
        backend.upload_values(values.data(), body.arms[axis].data(), values.size());
      }
    }
  }
}

template <class Backend>
void SumsAtBodies<Backend>::begin_forces(const VelocityView<const Real>& velocity,
                                         const VelocityView<const Real>& right,
                                         const GridMetrics<Real>& metrics,
                                         double dt) {
  const auto given = [&](int component) {
    return GivenToBody<Real>{
        solids_->view(component, 0), velocity[component], right[component], dt};
  };
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    if (case_.solids[n].is_mobile()) continue;  // MovingBodies sums up what it takes
    const auto& arms = bodies_[n].arms;
    late_->begin(bodies_[n].velocity,
                 solids_->box_of_velocity(),
                 Velocity{{given(0), given(1), given(2)},
                          solids_->feels(n),
                          metrics,
                          {arms[0].data(), arms[1].data(), arms[2].data()}});
  }
}

template <class Backend>
void SumsAtBodies<Backend>::begin_flux(int variable,
                                       const FieldView<const Real>& q,
                                       const VelocityView<const Real>& velocity,
                                       const FieldView<const Real>& right,
                                       const GridMetrics<Real>& metrics,
                                       double dt) {
  const SolidsView<Real> solids = solids_->view(variable, 0);
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const auto place = bodies_[n].scalars[variable - first_scalar];
    const Box box = solids_->box_of(variable);
    if (case_.solids[n].scalar(variable).conducts()) {
      late_->begin(place,
                   box,
                   ScalarFromConductor<Real>{solids,
                                             solids_->conductors(variable),
                                             static_cast<double>(n) + 1,
                                             q,
                                             velocity,
                                             metrics,
                                             case_.diffusivity(variable)});
      continue;
    }
    late_->begin(
        place,
        case_.solids[n].free ? solids_->moving()->box_with_points(n) : box,
        ScalarSumAtSolid<Real>{{solids, q, right, dt}, solids_->feels(variable, n), metrics});
  }
}

template <class Backend>
std::vector<std::string> SumsAtBodies<Backend>::names(const Case& resolved) {
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

/// Force and torque.
template <class Backend>
BodyLoads SumsAtBodies<Backend>::loads_at_rest(const Body& body) const {
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
  return {total[0],
          total[1],
          total[2],
          moment[2][1] - moment[1][2],
          moment[0][2] - moment[2][0],
          moment[1][0] - moment[0][1]};
}

template <class Backend>
std::vector<double> SumsAtBodies<Backend>::values() const {
  std::vector<double> values;
  std::vector<BodyLoads> of_moving;
  if (solids_->moving() != nullptr) of_moving = solids_->moving()->forces_after(begun_steps_);
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (body.is_one_of_several()) continue;
    const BodyLoads loads = body.is_mobile() ? of_moving[n] : loads_at_rest(bodies_[n]);
    values.insert(values.end(), loads.begin(), loads.end());
    for (const auto& scalar : bodies_[n].scalars) values.push_back(flux(scalar));
    if (const std::optional<double> per_heat = nusselt_per_heat(case_, body))
      values.push_back(*per_heat * flux(bodies_[n].scalars.front()));
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
std::vector<NamedList> SumsAtBodies<Backend>::values_of_several() const {
  std::vector<NamedList> lists;
  if (solids_->moving() == nullptr) return lists;
  const std::vector<BodyLoads> loads = solids_->moving()->forces_after(begun_steps_);
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (!body.is_one_of_several()) continue;
    if (body.number == 0) lists.push_back({body.entry});
    std::vector<double>& values = lists.back().values;
    values.insert(values.end(), loads[n].begin(), loads[n].end());
    for (const auto& scalar : bodies_[n].scalars) values.push_back(flux(scalar));
    add_values_of_pose(body, begun_poses_[n], values);
  }
  return lists;
}

}  // namespace dns
