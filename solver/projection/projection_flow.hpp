/// The flow of scheme `projection`: its fields, what acts on them, its boundaries and their
/// projection. Implicit and Runge-Kutta steps (implicit_step.hpp, runge_kutta.hpp) advance it.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "solver/config/step_limit.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/forcing/source_fields.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/staggered_gradients.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/driving.hpp"
#include "solver/projection/factor_sweeps.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "solver/projection/pressure_projection.hpp"
#include "solver/projection/projection_boundaries.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/terms/buoyancy_term.hpp"
#include "solver/projection/terms/mean_scalar.hpp"
#include "solver/projection/terms/rotation.hpp"
#include "solver/projection/variable_step.hpp"

namespace dns {

/// How a step advances: by Crank-Nicolson, or, as half of a damped step, by implicit Euler.
enum class Stepping { crank_nicolson, implicit_euler };

/// Each part lies below those that it works with. Neither copied nor moved: they know each other.
template <class Backend>
struct ProjectionFlow {
  using Real = typename Backend::Real;
  using Velocity = StaggeredVelocity<Backend>;

  /// `backend` and `late` must outlive the flow.
  ProjectionFlow(Backend& backend,
                 LateReductions<Backend>& late,
                 const Case& resolved,
                 const Subdomain& part);
  ProjectionFlow(const ProjectionFlow&) = delete;
  ProjectionFlow& operator=(const ProjectionFlow&) = delete;

  /// The axes along which diffusion is implicit.
  [[nodiscard]] static PerAxis<bool> axes_of_sweeps(const Case& resolved) {
    PerAxis<bool> axes{true, true, true};
    for (int axis = 0; axis < 3 && resolved.time.scheme == TimeScheme::runge_kutta; ++axis)
      axes[axis] = has_implicit_diffusion(resolved, axis);
    return axes;
  }

  /// Starts from the flow of initial_state, at time t [L/U]. Returns the largest
  /// diffusivity/width^2 where the flow and a given value differ as by a jump; 0: nowhere [U/L].
  double start_from(const FlowState& initial, double t);
  /// Continues from a copy for restart, at time t [L/U].
  void go_on_from(const FlowState& copy, double t);
  /// Evaluates ahead what a step to time t [L/U] will need from the host.
  void prepare_step(double t) {
    backend->enter(phase::boundaries);
    boundaries.given.prepare(t);
    backend->enter(phase::other);
  }
  /// Makes the levels of t + dt those of the beginning of the next step.
  void accept_levels() {
    backend->enter(phase::other);
    std::swap(fields.before, fields.now);
    std::swap(fields.now, fields.next);
    std::swap(fields.scalars[0], fields.scalars[1]);
    means.accept();
  }
  /// V~ = V^n + weight (V - V^n), V = `other`; overwrites V^(n-1).
  void combine_advecting_velocity(const Velocity& other, double weight);

  /// The largest rate at which sources draw the flow to targets [U/L].
  [[nodiscard]] double largest_source_rate() const { return sources ? sources->largest_rate() : 0; }
  /// Null if there are none.
  [[nodiscard]] SolidFields<Backend>* bodies() { return solids ? &*solids : nullptr; }

  [[nodiscard]] VelocityView<const Real> velocity() const { return fields.now.view_const(); }
  [[nodiscard]] FieldView<const Real> pressure() const { return fields.pressure.view_const(); }
  [[nodiscard]] ScalarViews<const Real> scalars() const {
    return fields.scalars[0].views().as_const();
  }
  /// The field of a solved variable, by its number.
  [[nodiscard]] FieldView<const Real> variable(int number) const {
    if (is_velocity(number)) return fields.now[number].view_const();
    return number < transported_variables(fields.resolved) ? scalars()[number - first_scalar]
                                                           : pressure();
  }
  [[nodiscard]] AdvectingVelocity<Real> advecting_with(const Velocity& velocity) const {
    return {{velocity[0].view_const(), velocity[1].view_const(), velocity[2].view_const()},
            fields.metrics.view()};
  }
  /// The imposed gradient of a scalar, carried by a velocity.
  [[nodiscard]] CarriedGradient<Real> carried_gradient(int variable,
                                                       const Velocity& velocity) const;
  /// The part of F along an axis that is the same everywhere [U^2/L].
  [[nodiscard]] double uniform_acceleration(int axis) const {
    return driving.acceleration()[axis] + buoyancy.uniform(axis);
  }
  /// - dt grad p + dt F along an axis, without what depends on place or velocity in other ways.
  template <Axis axis>
  [[nodiscard]] MomentumSource<axis, Real> momentum_source(double dt) const {
    MomentumSource<axis, Real> source{
        fields.pressure.view_const(),
        fields.metrics.view().axes[axis].inverse_distance,
        static_cast<Real>(dt),
        static_cast<Real>(dt * uniform_acceleration(velocity_along(axis)))};
    buoyancy.add_to(source, dt);
    return source;
  }
  /// Adds what else acts on V^n to V^(n+1), see AddTerms.
  template <class Orders>
  void add_terms(const Orders& orders, const VelocityView<Real>& force, double dt) const {
    SumOfTerms<Real> sum;
    rotation.add_to(sum);
    for (int axis = 0; sources && axis < 3; ++axis) {
      sum.has_source[axis] = sources->has(axis);
      sum.sources[axis] = sources->view(axis);
    }
    if (!sum.acts()) return;
    backend->for_each(fields.layout.all_points(),
                      AddTerms<Real, Orders>{sum,
                                             velocity(),
                                             fields.metrics.view(),
                                             orders,
                                             force,
                                             fields.next.view(),
                                             static_cast<Real>(dt)});
  }

  /// The fields of a copy for restart.
  [[nodiscard]] StaggeredLevels<Backend> levels() const { return levels(fields.now, 0); }
  /// The fields of a copy for viewing: velocities at cell centres; these are overwritten in the
  /// next step.
  [[nodiscard]] StaggeredLevels<Backend> levels_at_centres() const {
    return levels_at_centres(fields.now, 0);
  }
  /// The velocity and the scalars before the last step, in the same way.
  [[nodiscard]] StaggeredLevels<Backend> levels_before_at_centres() const {
    return levels_at_centres(fields.before, 1);
  }
  /// The derivatives of the velocity.
  [[nodiscard]] StaggeredGradients<Real> gradients() const;

  Backend* backend;
  ProjectionFields<Backend> fields;
  SweepCoefficientArrays<Backend> velocity_coefficients;
  std::vector<SweepCoefficientArrays<Backend>> scalar_coefficients;
  ProjectionBoundaries<Backend> boundaries;
  FactorSweeps<Backend> sweeps;
  std::optional<SolidFields<Backend>> solids;
  Driving<Backend> driving;
  Buoyancy<Backend> buoyancy;
  Rotation<Backend> rotation;
  std::optional<SourceFields<Backend>> sources;
  ScalarMeans<Backend> means;
  PressureProjection<Backend> projection;

 private:
  [[nodiscard]] StaggeredLevels<Backend> levels_at_centres(const Velocity& velocity,
                                                           int which) const;
  [[nodiscard]] bool has_level_before() const {
    return fields.resolved.time.scheme == TimeScheme::implicit;
  }
  [[nodiscard]] StaggeredLevels<Backend> levels(const Velocity& now, int which) const {
    StaggeredLevels<Backend> levels{
        now, has_level_before() ? &fields.before : nullptr, fields.pressure, {}};
    for (int n = 0; n < fields.resolved.scalar_count(); ++n)
      levels.scalars.push_back(
          {fields.resolved.name_of_scalar(first_scalar + n), fields.scalars[which][n]});
    return levels;
  }
  [[nodiscard]] bool has_orders_of(const FlowState& copy) const;
  void project_anew();
  [[nodiscard]] bool has_first_pressure() const;
  void find_first_pressure(double t);
};

template <class Backend>
ProjectionFlow<Backend>::ProjectionFlow(Backend& device,
                                        LateReductions<Backend>& late,
                                        const Case& resolved,
                                        const Subdomain& part)
    : backend(&device),
      fields(device, resolved, part),
      velocity_coefficients(device, fields.grid, part, resolved.viscosity()),
      boundaries(fields),
      sweeps(fields, boundaries.given),
      driving(resolved, fields.grid),
      buoyancy(fields),
      rotation(fields),
      means(fields),
      projection(fields, boundaries, driving, solids) {
  sweeps.reserve(axes_of_sweeps(resolved));
  if (!resolved.solids.empty())
    solids.emplace(device, late, resolved, fields.grid, part, fields.layout);
  if (SourceFields<Backend>::are_in(resolved))
    sources.emplace(device, resolved, part, fields.layout);
  for (int n = 0; n < resolved.scalar_count(); ++n)
    scalar_coefficients.emplace_back(
        device, fields.grid, part, resolved.diffusivity(first_scalar + n));
}

template <class Backend>
StaggeredLevels<Backend> ProjectionFlow<Backend>::levels_at_centres(const Velocity& velocity,
                                                                    int which) const {
  backend->for_each(fields.layout.all_points(),
                    VelocityAtCentres<Real>{velocity.view_const(), fields.next.view()});
  return levels(fields.next, which);
}

template <class Backend>
StaggeredGradients<typename Backend::Real> ProjectionFlow<Backend>::gradients() const {
  StaggeredGradients<Real> gradients{velocity(), fields.metrics.view(), fields.layout.points};
  for (int face = 0; face < fields.resolved.faces.size(); ++face) {
    const int axis = face / 2;
    const int end = face % 2;
    for (int component = 0; component < 3 && fields.part.is_boundary(face); ++component) {
      const LineEnd<Real> at_end =
          boundaries.given.line_end(static_cast<Axis>(axis), component, end == 1);
      gradients.place[component][axis][end] =
          component == axis ? Real(1) : place_of_difference(at_end.closure);
    }
  }
  return gradients;
}

template <class Backend>
void ProjectionFlow<Backend>::go_on_from(const FlowState& copy, double t) {
  StaggeredLevels<Backend> known = levels();
  if (!dns::has_level_before(copy)) known.before = nullptr;
  upload_restart(*backend, known, fields.layout, copy);
  driving.set_acceleration({number_in(copy, restart_numbers[1]),
                            number_in(copy, restart_numbers[2]),
                            number_in(copy, restart_numbers[3])});
  buoyancy.set_stratification(find_number(copy, stratification_number).value_or(-1));
  boundaries.start(t, fields.now.view(), fields.scalars[0].views());
  boundaries.ghosts.fill_further_ghosts(
      fields.now.view(), fields.pressure.view(), fields.scalars[0].views());
  if (!has_orders_of(copy)) project_anew();
  if (known.before == nullptr && has_level_before()) combine_advecting_velocity(fields.now, 0);
  means.go_on_from(copy);
}

template <class Backend>
void ProjectionFlow<Backend>::combine_advecting_velocity(const Velocity& other, double weight) {
  backend->enter(phase::advecting_velocity);
  backend->for_each(
      fields.layout.all_words(sizeof(Real)),
      CombineVelocities<Real>{
          fields.now.view_const(), other.view(), fields.before.view(), static_cast<Real>(weight)});
}

template <class Backend>
auto ProjectionFlow<Backend>::carried_gradient(int variable, const Velocity& velocity) const
    -> CarriedGradient<Real> {
  const PerAxis<double>& gradient = fields.resolved.mean_gradient(variable);
  return {velocity.view_const(),
          {static_cast<Real>(gradient[0]),
           static_cast<Real>(gradient[1]),
           static_cast<Real>(gradient[2])},
          fields.resolved.has_mean_gradient(variable),
          any_orders<Real>(fields.grid)};
}

/// Whether div V = 0 in a copy is that of this flow's orders.
template <class Backend>
bool ProjectionFlow<Backend>::has_orders_of(const FlowState& copy) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (find_number(copy, order_numbers[axis]).value_or(2) != fields.grid[axis].order) return false;
  }
  return true;
}

/// Makes V^n free of divergence in differences of this flow's orders.
template <class Backend>
void ProjectionFlow<Backend>::project_anew() {
  std::swap(fields.now, fields.next);
  const PerAxis<double> acceleration = driving.acceleration();
  projection.project_start();
  driving.set_acceleration(acceleration);
  std::swap(fields.now, fields.next);
}

/// Whether the case has forces that a pressure may balance: buoyancy, formulas, or a uniform one
/// across a boundary. A uniform force along a periodic axis has no divergence.
template <class Backend>
bool ProjectionFlow<Backend>::has_first_pressure() const {
  if (fields.resolved.buoyancy) return true;
  for (int axis = 0; axis < 3; ++axis) {
    if (!fields.resolved.source_formula(axis).is_zero()) return true;
    if (!fields.resolved.is_periodic(axis) && driving.acceleration()[axis] != 0) return true;
  }
  return false;
}

/// Solves lap p = div F with F the forces at time t [L/U] that do not depend on the velocity, and
/// nothing through boundaries. Requires p = 0 and the ghost points of T; overwrites V^(n+1).
template <class Backend>
void ProjectionFlow<Backend>::find_first_pressure(double t) {
  const bool has_sponges = !fields.resolved.forcing.sponges.empty();
  if (has_sponges) {
    Case without = fields.resolved;
    without.forcing.sponges.clear();
    sources->evaluate_as_in(without, t);
  } else if (sources) {
    sources->set_time(t);
  }
  buoyancy.end_limit();
  for_each_axis([&]<Axis axis>() {
    auto force = momentum_source<axis>(1);  // F is an acceleration
    force.temperature[1] = force.temperature[0];
    backend->for_each(sweeps.unknowns(velocity_along(axis)),
                      WriteForces<MomentumSource<axis, Real>, Real>{
                          force,
                          sources ? sources->view(velocity_along(axis)) : SourceView<Real>{},
                          fields.next[axis].view()});
  });
  if (has_sponges) sources->evaluate_as_in(fields.resolved, t);
  projection.find_pressure_of_forces();
}

/// From a flow that has no previous step.
template <class Backend>
double ProjectionFlow<Backend>::start_from(const FlowState& initial, double t) {
  upload_initial(*backend, levels(fields.next, 1), fields.layout, initial);
  boundaries.start(t, fields.next.view(), fields.scalars[1].views());
  for (int n = 0; solids && n < fields.scalars[1].count(); ++n)
    solids->impose(first_scalar + n, fields.scalars[1][n]);
  projection.project_start();
  accept_levels();
  driving.set_acceleration({});
  backend->for_each(fields.layout.all_words(sizeof(Real)),
                    ClearField<Real>{fields.pressure.view()});
  if (has_first_pressure()) find_first_pressure(t);
  combine_advecting_velocity(fields.now, 0);
  means.start();
  buoyancy.set_stratification(-1);
  return boundaries.jumps.rate_of_jumps(velocity(), scalars());
}

}  // namespace dns
