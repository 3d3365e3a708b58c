/// Time scheme `implicit` of scheme `projection`: what a step is made of. Their order is in
/// solver/projection/projection_solver.hpp.
#pragma once

#include "solver/numerics/buoyancy.hpp"
#include "solver/projection/projection_flow.hpp"

namespace dns {

template <class Backend>
class ImplicitStep {
 public:
  using Real = typename Backend::Real;
  using Velocity = StaggeredVelocity<Backend>;

  /// `flow`, whose fields are advanced, must outlive this.
  ImplicitStep(Backend& backend, ProjectionFlow<Backend>& flow)
      : backend_(&backend), flow_(&flow), fields_(&flow.fields) {}

  /// Prepares a step from t to t + dt [L/U].
  void begin(double t, double dt, Stepping stepping);
  /// V~ = V^n + dt/(2 dt_before) (V^n - V^(n-1)); V^n where dt_before is 0. Buoyancy wants V^n for
  /// scalars.
  void extrapolate_advecting_velocity(double dt_before) {
    flow_->combine_advecting_velocity(fields_->before, dt_before > 0 ? -dt_ / (2 * dt_before) : 0);
    transporting_ = flow_->terms.buoyancy.acts() ? &fields_->now : &fields_->before;
  }
  /// V~ = (V^n + V^(k-1))/2.
  void average_advecting_velocity() {
    flow_->combine_advecting_velocity(fields_->next, 0.5);
    transporting_ = &fields_->before;
  }
  /// The scalars.
  void advance_scalars();
  /// V*.
  void advance_velocity();
  /// V^(k) and phi; p^(n+1/2) too if it is to be advanced.
  void project(bool advances_pressure);
  /// Largest change of V^(k) from one iteration to the next [U].
  [[nodiscard]] double change_since_last_iteration() {
    backend_->enter(phase::diagnostics);
    const auto reduction = backend_->template reduce<0, 1>(
        fields_->layout.all_points(),
        IterationChange<Real>{
            fields_->now.view_const(), fields_->before.view_const(), fields_->next.view_const()});
    return reduction.maximum[0];
  }

 private:
  /// The right-hand side of the component along `axis`.
  template <Axis axis, class Uniform>
  [[nodiscard]] RightHandSide<velocity_along(axis), Real, MomentumSource<axis, Real>, Uniform>
  momentum() const {
    return {fields_->now_of(velocity_along(axis)),
            flow_->terms.template momentum_source<axis>(dt_),
            static_cast<Real>(weight_)};
  }
  [[nodiscard]] VariableStep<Real> step_of(int variable) const;
  void advance_scalar(int n);
  void correct_scalar(int n);
  void write_right_hand_sides();
  [[nodiscard]] MovingBodies<Backend>* moving_bodies() const {
    return flow_->solids ? flow_->solids->moving() : nullptr;
  }
  void begin_impulses_of_pulls();
  void begin_impulses_of_factors();
  void take_back_projection(int number);

  Backend* backend_;
  ProjectionFlow<Backend>* flow_;
  ProjectionFields<Backend>* fields_;
  double dt_ = 0;                           // of the step [L/U]
  double weight_ = -2;                      // see RightHandSide
  const Velocity* transporting_ = nullptr;  // the velocity that scalars are advected with
};

template <class Backend>
void ImplicitStep<Backend>::begin(double t, double dt, Stepping stepping) {
  const bool is_trapezoidal = stepping == Stepping::crank_nicolson;
  dt_ = dt;
  weight_ = is_trapezoidal ? -2 : -1;
  const double dt_of_factors = is_trapezoidal ? dt : 2 * dt;
  backend_->enter(phase::boundaries);
  flow_->terms.sources.set_time(t + dt / 2);
  flow_->coefficients.set_time_steps(*backend_, {{dt_of_factors, 0, 0}});
  flow_->boundaries.begin_step(t, dt, fields_->now.view(), fields_->scalars[0].views());
  const double theta = is_trapezoidal ? 0.5 : 1;
  flow_->terms.driving.begin(theta, flow_->boundaries.given);
  flow_->terms.means.begin(theta, flow_->boundaries.given);
  if (!flow_->solids) return;
  flow_->solids->set_trapezoidal(is_trapezoidal);
  flow_->solids->move(t, dt);
}

/// A step of a velocity component or a scalar.
template <class Backend>
auto ImplicitStep<Backend>::step_of(int variable) const -> VariableStep<Real> {
  const bool is_scalar = !is_velocity(variable);
  VariableStep<Real> step{
      .variable = variable,
      .advecting = flow_->advecting_with(is_scalar ? *transporting_ : fields_->before),
      .coefficients = flow_->coefficients_of(variable),
      .now = fields_->now_of(variable),
      .next = fields_->next_of(variable),
      .solids = {},
      .source = {},
      .weight = static_cast<Real>(weight_)};
  if (flow_->solids) step.solids = flow_->solids->in_step(variable, dt_);
  if (is_scalar) step.source = flow_->terms.sources.of_scalar(variable, *transporting_, dt_);
  return step;
}

template <class Backend>
void ImplicitStep<Backend>::advance_scalars() {
  for (int n = 0; n < fields_->scalars[0].count(); ++n) advance_scalar(n);
  if (!fields_->resolved.buoyancy) return;
  backend_->enter(phase::boundaries);
  flow_->boundaries.ghosts.fill_ghosts(
      fields_->next.view(), fields_->pressure.view(), fields_->scalars[1].views());
}

template <class Backend>
void ImplicitStep<Backend>::advance_scalar(int n) {
  const VariableStep<Real> step = step_of(first_scalar + n);
  backend_->plane_by_plane([&] { advance_variable<scalar_component>(flow_->sweeps, step); });
  flow_->terms.means.correct(n, dt_, *transporting_, flow_->terms.sources.of(first_scalar + n));
}

template <class Backend>
void ImplicitStep<Backend>::advance_velocity() {
  write_right_hand_sides();
  if (moving_bodies() != nullptr) begin_impulses_of_pulls();
  backend_->enter(phase::sweep_z);
  // So that all components of a plane find the velocity that carries them in the caches.
  backend_->plane_by_plane([&] {
    backend_->concurrently(3, fields_->layout.points, [&](int component) {
      if (component == 0) advance_variable<0>(flow_->sweeps, step_of(0));
      if (component == 1) advance_variable<1>(flow_->sweeps, step_of(1));
      if (component == 2) advance_variable<2>(flow_->sweeps, step_of(2));
    });
  });
  if (moving_bodies() != nullptr) begin_impulses_of_factors();
  flow_->terms.solve_factors(dt_, flow_->sweeps, flow_->bodies(), flow_->boundaries.ghosts);
}

template <class Backend>
void ImplicitStep<Backend>::begin_impulses_of_pulls() {
  backend_->enter(phase::boundaries);
  moving_bodies()->begin_pulls({.about = {},
                                .solids = flow_->solids->views_of_velocity(dt_),
                                .decay = flow_->terms.decay_in_step(dt_),
                                .velocity = fields_->now.view_const(),
                                .right = fields_->next.view_const()},
                               flow_->solids->feels_of_all(),
                               fields_->metrics.view());
}

/// The ghost points of V* are those at the end of the step, which no one else needs.
template <class Backend>
void ImplicitStep<Backend>::begin_impulses_of_factors() {
  backend_->enter(phase::boundaries);
  if (flow_->solids->reach_ends()) {
    flow_->boundaries.ghosts.set_normal_velocity(fields_->next.view());
    flow_->boundaries.ghosts.fill_ghosts(fields_->next.view(), {}, {});
  }
  moving_bodies()->begin_factors({.about = {},
                                  .solids = flow_->solids->views_of_velocity(dt_),
                                  .decay = flow_->terms.decay_in_step(dt_),
                                  .velocity = fields_->now.view_const(),
                                  .star = fields_->next.view_const(),
                                  .advecting = flow_->advecting_with(fields_->before),
                                  .coefficients = flow_->coefficients_of(0)},
                                 flow_->solids->feels_of_all(),
                                 fields_->metrics.view());
}

/// Gives bodies their velocity again, behind projection `number`, from 0.
template <class Backend>
void ImplicitStep<Backend>::take_back_projection(int number) {
  backend_->enter(phase::boundaries);
  const PerAxis<SolidsView<Real>> solids = flow_->solids->views_of_velocity(dt_);
  const auto dt = static_cast<Real>(dt_);
  const FieldView<const Real> phi = fields_->phi.view_const();
  moving_bodies()->begin_projection(number,
                                    {.about = {}, .solids = solids, .phi = phi, .dt = dt},
                                    flow_->solids->feels_of_all(),
                                    fields_->metrics.view());
  backend_->for_each(flow_->solids->box_of_velocity(),
                     TakeBackProjection<Real>{.solids = solids,
                                              .phi = phi,
                                              .metrics = fields_->metrics.view(),
                                              .dt = dt,
                                              .velocity = fields_->next.view()});
}

/// Stores them where the solutions go, all in one pass: the components share most of what they
/// read.
template <class Backend>
void ImplicitStep<Backend>::write_right_hand_sides() {
  backend_->enter(phase::sweep_z);
  with_uniform_axes(fields_->grid, [&]<class Uniform>() {
    backend_->for_each(
        fields_->layout.all_points(),
        WriteRightHandSides<Real, Uniform>{
            .x = momentum<Axis::x, Uniform>(),
            .y = momentum<Axis::y, Uniform>(),
            .z = momentum<Axis::z, Uniform>(),
            .advecting = flow_->advecting_with(fields_->before),
            .step = flow_->coefficients_of(0),
            .result = {fields_->next[0].view(), fields_->next[1].view(), fields_->next[2].view()}});
  });
  const Box all = fields_->layout.all_points();
  for_each_axis([&]<Axis axis>() {
    flow_->terms.template add_buoyancy_of_several<axis>(all, fields_->next[axis].view(), dt_);
  });
  flow_->add_forces_of_particles({}, fields_->next.view(), 1);
  flow_->terms.add_sum(all, SecondOrder{}, {}, fields_->next.view(), dt_);
  flow_->terms.driving.take_rows(fields_->next.view_const());
}

template <class Backend>
void ImplicitStep<Backend>::project(bool advances_pressure) {
  flow_->projection.project_around_bodies(
      dt_,
      advances_pressure ? NewPressure::advanced : NewPressure::unchanged,
      fields_->resolved.buoyancy ? ScalarViews<Real>{} : fields_->scalars[1].views(),
      [&](int number) { take_back_projection(number); });
  if (!fields_->resolved.buoyancy) return;
  for (int n = 0; n < fields_->scalars[0].count(); ++n) correct_scalar(n);
  backend_->enter(phase::boundaries);
  flow_->boundaries.ghosts.fill_ghosts({}, {}, fields_->scalars[1].views());
}

/// By what the velocity of the middle of the step differs from that which it was advected with.
template <class Backend>
void ImplicitStep<Backend>::correct_scalar(int n) {
  const int variable = first_scalar + n;
  flow_->terms.means.advance_with_both(n, dt_);
  backend_->enter(phase::correction);
  backend_->for_each(
      fields_->layout.all_points(),
      CorrectScalar<Real>{
          .before = fields_->scalars[0][n].as_const(),
          .now = flow_->velocity(),
          .next = fields_->next.view_const(),
          .advecting = transporting_->view_const(),
          .metrics = fields_->metrics.view(),
          .solids = flow_->solids ? flow_->solids->view(variable, dt_) : SolidsView<Real>{},
          .dt = static_cast<Real>(dt_),
          .result = fields_->scalars[1][n],
          .mean_gradient = {static_cast<Real>(fields_->resolved.mean_gradient(variable)[0]),
                            static_cast<Real>(fields_->resolved.mean_gradient(variable)[1]),
                            static_cast<Real>(fields_->resolved.mean_gradient(variable)[2])}});
  flow_->terms.means.correct_with_buoyancy(n, dt_);
}

}  // namespace dns
