/// The flow of scheme `projection`: its fields, what acts on them, its boundaries and their
/// projection. Implicit and Runge-Kutta steps (implicit_step.hpp, runge_kutta.hpp) advance it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/staggered_gradients.hpp"
#include "solver/particles/particles.hpp"
#include "solver/projection/diffusion_across_walls.hpp"
#include "solver/projection/factor_sweeps.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "solver/projection/pressure_projection.hpp"
#include "solver/projection/projection_boundaries.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/sums_at_bodies.hpp"
#include "solver/projection/terms/terms_of_flow.hpp"
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

  /// Starts from the flow of initial_state, at time t [L/U]. Returns the largest
  /// diffusivity/width^2 where the flow and a given value differ as by a jump; 0: nowhere [U/L].
  double start_from(const FlowState& initial, double t);
  /// Starts likewise from what the fields hold.
  double start_from_present(double t) {
    std::swap(fields.now, fields.next);
    std::swap(fields.scalars[0], fields.scalars[1]);
    return start_from_next(t);
  }
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
    terms.means.accept();
    terms.driving.accept();
  }
  /// Moves the particles that act on the flow, in a step of dt [L/U] that begins, and finds what
  /// they give: with 2 V~ - V^n as an estimate of V^(n+1), where V~ lies in `before`. Overwrites
  /// `next`.
  void move_acting_particles(double dt) {
    if (!particles || !particles->act_on_flow()) return;
    backend->enter(phase::particles);
    backend->for_each(
        fields.layout.all_words(sizeof(Real)),
        CombineVelocities<Real>{
            fields.now.view_const(), fields.before.view(), fields.next.view(), Real(2)});
    particles->give_in_step(velocity(), fields.next.view_const(), dt);
  }
  /// Adds what these particles give to right-hand sides of the velocity, see Particles::add_to.
  void add_forces_of_particles(const VelocityView<Real>& force,
                               const VelocityView<Real>& result,
                               double weight) {
    if (particles) particles->add_to(force, result, fields.metrics.view(), weight);
  }
  /// Particles follow the step of length dt [L/U] that has been accepted.
  void advance_particles(double dt) {
    if (particles) particles->advance(fields.before.view_const(), velocity(), dt);
  }
  /// V~ = V^n + weight (V - V^n), V = `other`; overwrites V^(n-1).
  void combine_advecting_velocity(const Velocity& other, double weight) {
    backend->enter(phase::advecting_velocity);
    backend->for_each(fields.layout.all_words(sizeof(Real)),
                      CombineVelocities<Real>{fields.now.view_const(),
                                              other.view(),
                                              fields.before.view(),
                                              static_cast<Real>(weight)});
  }

  /// Null if there are none.
  [[nodiscard]] const SolidFields<Backend>* bodies() const { return solids ? &*solids : nullptr; }

  [[nodiscard]] VelocityView<const Real> velocity() const { return fields.now.view_const(); }
  /// p at the time of V.
  [[nodiscard]] FieldView<const Real> pressure() const {
    return projection.pressure_of_flow().view_const();
  }
  [[nodiscard]] ScalarViews<const Real> scalars() const {
    return fields.scalars[0].views().as_const();
  }
  /// A variable that is solved for, by its number.
  [[nodiscard]] FieldView<const Real> variable(int number) const {
    return number < transported_variables(fields.resolved) ? fields.now_of(number) : pressure();
  }
  [[nodiscard]] const SweepCoefficients<Real>& coefficients_of(int variable) const {
    const int place = is_velocity(variable) ? 0 : variable - first_scalar + 1;
    return coefficients.view(place);
  }
  [[nodiscard]] AdvectingVelocity<Real> advecting_with(const Velocity& velocity) const {
    return {{velocity[0].view_const(), velocity[1].view_const(), velocity[2].view_const()},
            fields.metrics.view()};
  }
  /// The fields of a copy for restart; their pressure of the flow is to be asked for.
  [[nodiscard]] StaggeredLevels<Backend> levels() const {
    return levels(fields.now, 0, fields.pressure, &fields.phi);
  }
  /// The levels with velocities at cell centres, a copy for viewing; the next step overwrites it.
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
  SweepCoefficientArrays<Backend> coefficients;  // of the velocity, of each scalar
  ProjectionBoundaries<Backend> boundaries;
  FactorSweeps<Backend> sweeps;
  std::optional<DiffusionAcrossWalls<Backend>> diffusion_across_walls;  // where fields have rows
  std::optional<SolidFields<Backend>> solids;
  std::optional<SumsAtBodies<Backend>> sums_at_bodies;  // where there are solids
  Terms<Backend> terms;
  PressureProjection<Backend> projection;
  std::unique_ptr<Particles<Backend>> particles;  // null: there are none

 private:
  [[nodiscard]] StaggeredLevels<Backend> levels_at_centres(const Velocity& velocity,
                                                           int which) const;
  [[nodiscard]] bool has_level_before() const {
    return fields.resolved.time.scheme == TimeScheme::implicit;
  }
  [[nodiscard]] StaggeredLevels<Backend> levels(
      const Velocity& now,
      int which,
      const StaggeredField<Backend>& pressure,
      const StaggeredField<Backend>* pressure_of_flow) const {
    StaggeredLevels<Backend> levels{
        now, has_level_before() ? &fields.before : nullptr, pressure, pressure_of_flow, {}};
    for (int n = 0; n < fields.resolved.scalar_count(); ++n)
      levels.scalars.push_back(
          {fields.resolved.name_of_scalar(first_scalar + n), fields.scalars[which][n]});
    return levels;
  }
  /// The viscosity, then the diffusivity of each scalar [U L].
  [[nodiscard]] static std::vector<double> diffusivities_of(const Case& resolved) {
    std::vector<double> all{resolved.viscosity()};
    for (int n = 0; n < resolved.scalar_count(); ++n)
      all.push_back(resolved.diffusivity(first_scalar + n));
    return all;
  }
  /// Whether div V = 0 in a copy is that of this flow's orders.
  [[nodiscard]] bool has_orders_of(const FlowState& copy) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (find_number(copy, order_numbers[axis]).value_or(2) !=
          fields.resolved.accuracy.order[axis])
        return false;
    }
    return true;
  }
  double start_from_next(double t);
  void find_first_pressure(double t);
};

template <class Backend>
ProjectionFlow<Backend>::ProjectionFlow(Backend& device,
                                        LateReductions<Backend>& late,
                                        const Case& resolved,
                                        const Subdomain& part)
    : backend(&device),
      fields(device, resolved, part),
      coefficients(device, fields.grid, part, diffusivities_of(resolved)),
      boundaries(fields),
      sweeps(fields, boundaries.given),
      terms(fields),
      projection(fields, boundaries, terms.driving, solids) {
  if (fields.rows) {
    diffusion_across_walls.emplace(fields, boundaries.given);
  } else {
    sweeps.reserve();
  }
  terms.lorentz.connect(projection, boundaries.ghosts);
  if (!resolved.solids.empty()) {
    solids.emplace(device, resolved, fields.grid, part, fields.layout);
    sums_at_bodies.emplace(device, late, resolved, *solids, fields.grid, part);
  }
  if constexpr (!Backend::only_counts) {
    for (int n = 0; n < resolved.scalar_count() && solids; ++n) {
      const SolidsView<Real> view = solids->view(first_scalar + n, 0);
      if (view.conduct()) terms.means.connect(n, view.inverse_capacity);
    }
  }
  if (!resolved.particles.empty())
    particles = make_particles(device, fields.resolved, fields.grid, fields.part, fields.layout);
}

template <class Backend>
StaggeredLevels<Backend> ProjectionFlow<Backend>::levels_at_centres(const Velocity& velocity,
                                                                    int which) const {
  backend->for_each(fields.layout.all_points(),
                    VelocityAtCentres<Real>{velocity.view_const(), fields.next.view()});
  return levels(fields.next, which, projection.pressure_of_flow(), nullptr);
}

template <class Backend>
StaggeredGradients<typename Backend::Real> ProjectionFlow<Backend>::gradients() const {
  StaggeredGradients<Real> gradients{velocity(), fields.metrics.view(), fields.layout.points};
  for (int face = 0; face < fields.resolved.faces.size(); ++face) {
    const auto axis = face / 2;
    const auto end = (face % 2);
    for (int component = 0; component < 3 && fields.part.is_boundary(face); ++component) {
      const LineEnd<Real> at_end =
          boundaries.given.line_end(static_cast<Axis>(axis), component, end == 1);
      gradients.place[component][axis][end] = {component == axis ? Real(1)
                                               : boundaries.given.gives_ghosts(face, component)
                                                   ? Real(0)
                                                   : place_of_difference(at_end.next.first),
                                               at_end.next.varying};
    }
  }
  terms.add_to(gradients);
  return gradients;
}

template <class Backend>
void ProjectionFlow<Backend>::go_on_from(const FlowState& copy, double t) {
  StaggeredLevels<Backend> known = levels();
  if (!dns::has_level_before(copy)) known.before = nullptr;
  const bool has_pressure_of_flow = has_field(copy, pressure_of_flow_name);
  if (!has_pressure_of_flow) known.pressure_of_flow = nullptr;
  upload_restart(*backend, known, fields.layout, copy);
  terms.start(&copy);
  boundaries.start(t, fields.now.view(), fields.scalars[0].views());
  boundaries.ghosts.fill_further_ghosts(
      fields.now.view(), fields.pressure.view(), fields.scalars[0].views());
  if (!has_orders_of(copy)) {  // makes V^n free of divergence in those of this flow
    std::swap(fields.now, fields.next);
    const PerAxis<double> acceleration = terms.driving.acceleration();
    projection.project_start();
    terms.driving.set_acceleration(acceleration);
    std::swap(fields.now, fields.next);
  }
  projection.set_extrapolation(1, 0);
  if (has_pressure_of_flow && has_orders_of(copy)) projection.accept_pressure_of_flow();
  if (known.before == nullptr && has_level_before()) combine_advecting_velocity(fields.now, 0);
}

/// Solves lap p = div F with F the forces at time t [L/U] that do not depend on the velocity, and
/// nothing through boundaries. Requires p = 0 and the ghost points of T; overwrites V^(n+1).
template <class Backend>
void ProjectionFlow<Backend>::find_first_pressure(double t) {
  terms.sources.without_sponges(t, [&] {
    for_each_axis([&]<Axis axis>() {
      auto force = terms.template momentum_source<axis>(1);  // F is an acceleration
      force.buoyancy.temperature[1] = force.buoyancy.temperature[0];
      const Box box = sweeps.unknowns(velocity_along(axis));
      const FieldView<Real> result = fields.next[axis].view();
      backend->for_each(box,
                        WriteForces<MomentumSource<axis, Real>, Real>{
                            force, terms.sources.of(velocity_along(axis)), result});
      terms.template add_buoyancy_of_several<axis>(box, result, 1, 1);
    });
  });
  projection.find_pressure_of_forces();
}

template <class Backend>
double ProjectionFlow<Backend>::start_from(const FlowState& initial, double t) {
  upload_initial(
      *backend, levels(fields.next, 1, fields.pressure, nullptr), fields.layout, initial);
  return start_from_next(t);
}

/// From a flow that has no previous step, at t^(n+1).
template <class Backend>
double ProjectionFlow<Backend>::start_from_next(double t) {
  boundaries.start(t, fields.next.view(), fields.scalars[1].views());
  for (int n = 0; solids && n < fields.scalars[1].count(); ++n)
    solids->impose(first_scalar + n, fields.scalars[1][n]);
  projection.project_start();
  accept_levels();
  terms.start(nullptr);
  backend->for_each(fields.layout.all_words(sizeof(Real)),
                    ClearField<Real>{fields.pressure.view()});
  if (terms.have_potential()) find_first_pressure(t);
  projection.set_extrapolation(1, 0);
  combine_advecting_velocity(fields.now, 0);
  return boundaries.jumps.rate_of_jumps(velocity(), scalars());
}

}  // namespace dns
