/// Time scheme `runge_kutta` of scheme `projection`: one time step on one page.
///
/// From V, p and scalars at t to those at t + dt, in three stages of the low-storage scheme of
/// Wray, each with a Poisson equation of its own:
///
///   al = 8/15, 5/12, 3/4    be = 0, -17/60, -5/12    g = al + be = 8/15, 2/15, 1/3
///
///   F   = - N(V) V + nu L_explicit V + C V + buoyancy + sources + force of particles, all at the
///         beginning of the stage
///   r   = dt (al F + be F_before) - g dt grad p + g dt f + g dt nu L_implicit V
///   V*  = V + (I - g dt/2 nu L_s)^-1 .. r          along each axis s of implicit diffusion
///   lap phi = div V*/(g dt),   V := V* - g dt grad phi,   p := p + phi
///
/// Without implicit diffusion and bodies any p in r gives the same V: it is left out, and p = phi.
/// Across walls of order 4 the factor along y is a product: stage_across_walls.hpp. Scalars
/// likewise, from V and themselves at the beginning of the stage. N, L and their orders:
/// solver/numerics/stage_equation.hpp; C V: coriolis.hpp. Diffusion is implicit along axes that
/// have walls or stretched cells. f is the acceleration that drives the flow; where it holds the
/// bulk velocity, each stage adds the deficit, and the mean of the stages is recorded. Values at
/// walls are those of the end of a stage, t + 8/15, 2/3 and 1 dt; what flows out:
/// CarryOutInStages. Bodies: solid_rows.hpp with g dt, in the sweeps, and without sweeps point by
/// point. After a jump of a given value the sweeps of two steps are implicit Euler: (I - g dt nu
/// L_s)^-1.
///
/// The pressures p_k of the stages belong to t, t + 5/3 dt and t + 5/6 dt, since p_k = (al P_(k-1)
/// + be P_(k-2))/g with the P of the beginnings of stages; that of V is extrapolated from the last
/// two. Bodies let g_k dt grad phi_k pass. What that changes by from stage to stage is in the next
/// pressure, p_k = P_k + e_k, with errors e_k of first order around bodies. In a step their sum
/// g_1 e_1 + g_2 e_2 + g_3 e_3 is of second order: with bodies the mean of the stages, g_1 p_1 +
/// g_2 p_2 + g_3 p_3, which belongs to t + dt/2, is extrapolated.
///
/// Order 3 in time without walls; beside walls it tends to 2, with a small constant. V lies in
/// `now`, F in `before`, V* in `next` of ProjectionFields.
///
/// Sources: Spalart, Moser & Rogers, J. Comput. Phys. 96 (1991) 297 (these stages, of A. Wray);
/// Le & Moin, J. Comput. Phys. 92 (1991) 369 (stages with a pressure).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "solver/config/step_limit.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/stage_equation.hpp"
#include "solver/projection/body_impulses.hpp"
#include "solver/projection/projection_flow.hpp"
#include "solver/projection/stages.hpp"
#include "solver/projection/stages_across_walls.hpp"
#include "solver/projection/tendency.hpp"

namespace dns {

/// Weights of F and F_before.
struct RungeKuttaStage {
  double now, before;

  [[nodiscard]] constexpr double whole() const { return now + before; }
};
inline constexpr std::array<RungeKuttaStage, 3> runge_kutta_stages{
    {{8.0 / 15, 0}, {5.0 / 12, -17.0 / 60}, {3.0 / 4, -5.0 / 12}}};

template <class Backend>
class RungeKutta {
 public:
  using Real = typename Backend::Real;

  /// `flow`, whose fields are advanced, must outlive this.
  RungeKutta(Backend& backend, ProjectionFlow<Backend>& flow)
      : backend_(&backend),
        flow_(&flow),
        tendency_(flow,
                  {has_implicit_diffusion(flow.fields.resolved, 0),
                   has_implicit_diffusion(flow.fields.resolved, 1),
                   has_implicit_diffusion(flow.fields.resolved, 2)}),
        forces_(backend, flow.fields.layout, flow.fields.resolved.scalar_count()) {
    if (!flow.solids) return;
    changes_.emplace(backend, flow.fields.layout);
    impulses_.emplace(backend, *flow.solids, flow.fields.resolved);
  }

  /// Whether p is phi of the last stage.
  [[nodiscard]] bool replaces_pressure() const {
    return !tendency_.has_implicit_axis() && !flow_->solids;
  }
  /// Null if there are no bodies.
  [[nodiscard]] const BodyImpulses<Backend>* impulses() const {
    return impulses_ ? &*impulses_ : nullptr;
  }
  /// Continues from a copy for restart; null: from a start.
  void start(const FlowState* copy) {
    if (impulses_) impulses_->start(copy);
  }
  /// A step from t to t + dt; dt_before: the step before it, 0: none [L/U].
  void advance(double t, double dt, double dt_before, Stepping stepping) {
    PerAxis<double> mean_acceleration{};
    set_lengths(dt, stepping);
    if (changes_) part_of_changes_ = dt_before > 0 ? 3 * dt / (5 * dt + dt_before) : 0;
    double passed = 0;  // part of the step
    for (std::size_t k = 0; k < runge_kutta_stages.size(); ++k) {
      const RungeKuttaStage& stage = runge_kutta_stages[k];
      const bool is_last = k + 1 == runge_kutta_stages.size();
      const double end = is_last ? 1 : passed + stage.whole();
      begin_stage(t + passed * dt, k, dt, t + end * dt, stepping);
      if (flow_->particles) flow_->particles->give_in_stage(flow_->velocity(), of_particles(k, dt));
      for (int n = 0; n < forces_.count(); ++n) advance_scalar(n);
      advance_velocity();
      pull_and_diffuse_all(k);
      for (int n = 0; is_last && n < forces_.count(); ++n)
        flow_->terms.means.correct(n, dt, flow_->fields.now, {});
      flow_->projection.project(dt_,
                                replaces_pressure() ? NewPressure::replaced : NewPressure::advanced,
                                flow_->fields.scalars[1].views());
      std::swap(flow_->fields.now, flow_->fields.next);
      std::swap(flow_->fields.scalars[0], flow_->fields.scalars[1]);
      if (flow_->particles)
        flow_->particles->advance_stage(
            flow_->fields.next.view_const(), flow_->velocity(), of_particles(k, dt));
      for (int axis = 0; axis < 3; ++axis)
        mean_acceleration[axis] += stage.whole() * flow_->terms.driving.acceleration()[axis];
      if (is_last) extrapolate_pressure(passed);
      if (!is_last) keep_change(passed);
      passed = end;
    }
    if (impulses_) impulses_->end_step();
    flow_->terms.driving.set_acceleration(mean_acceleration);
    flow_->terms.means.accept();
  }

 private:
  /// Prepares the stages of a step of dt [L/U].
  void set_lengths(double dt, Stepping stepping);
  /// From `begin` to `end` [L/U].
  void begin_stage(double begin, std::size_t number, double dt, double end, Stepping stepping);
  [[nodiscard]] static ParticleStage of_particles(std::size_t stage, double dt) {
    const RungeKuttaStage& of = runge_kutta_stages.at(stage);
    const bool is_last = stage + 1 == runge_kutta_stages.size();
    const double later = is_last ? 0 : runge_kutta_stages.at(stage + 1).before;
    return {of.now * dt, of.before * dt, static_cast<int>(std::lround(4 * (of.now + later)))};
  }
  void advance_scalar(int n);
  void advance_velocity();
  void advance_velocity_across_walls(const VelocityView<Real>& force,
                                     const VelocityView<Real>& next);
  void begin_impulses_of_pulls(std::size_t stage);
  void begin_impulses_of_factors(std::size_t stage);
  void keep_change(double passed);
  void extrapolate_pressure(double passed);
  /// Bodies in the stage of all variables or of one, and the sweeps of implicit diffusion.
  void pull_and_diffuse_all(std::size_t stage);
  void pull_and_diffuse(int variable);

  Backend* backend_;
  ProjectionFlow<Backend>* flow_;
  double dt_ = 0;  // of the stage [L/U]
  Tendency<Backend> tendency_;
  StaggeredScalars<Backend> forces_;  // F of the scalars
  StageWeights<Real> weights_{};
  std::optional<StaggeredField<Backend>> changes_;  // with bodies: parts of phi_1 and phi_2
  double part_of_changes_ = 0;                      // w, see keep_change()
  std::optional<BodyImpulses<Backend>> impulses_;   // likewise
};

/// With bodies the pressure of V is p + w (p_3 - that of the step before), p the mean of the
/// stages: p_3 and, of each phi_k, w less the part of the step that has passed before stage k. w
/// is 1/2 in equal steps; 0: there is no step before.
template <class Backend>
void RungeKutta<Backend>::keep_change(double passed) {
  if (!changes_) return;
  ProjectionFields<Backend>& fields = flow_->fields;
  if (passed == 0) return std::swap(fields.phi, *changes_);
  backend_->enter(phase::correction);
  backend_->for_each(fields.layout.all_words(sizeof(Real)),
                     MixFields<Real>{fields.phi.view_const(),
                                     changes_->view(),
                                     static_cast<Real>(part_of_changes_),
                                     static_cast<Real>(part_of_changes_ - passed)});
}

/// Without a step before it from those at t + 5/3 dt and t + 5/6 dt.
template <class Backend>
void RungeKutta<Backend>::extrapolate_pressure(double passed) {
  PressureProjection<Backend>& projection = flow_->projection;
  if (replaces_pressure()) {
    projection.set_extrapolation(0.8, 0.2);
  } else if (part_of_changes_ > 0) {
    projection.extrapolate_by_change(part_of_changes_ - passed, &*changes_);
  } else {
    projection.extrapolate_by_change(-0.2);
  }
}

template <class Backend>
void RungeKutta<Backend>::set_lengths(double dt, Stepping stepping) {
  Numbered<double, 3> lengths{};
  for (std::size_t k = 0; k < runge_kutta_stages.size(); ++k)
    lengths[k] = runge_kutta_stages.at(k).whole() * dt;
  backend_->enter(phase::boundaries);
  if (!flow_->diffusion_across_walls) tendency_.set_diffusion(lengths, stepping);
}

template <class Backend>
void RungeKutta<Backend>::begin_stage(
    double begin, std::size_t number, double dt, double end, Stepping stepping) {
  const RungeKuttaStage& stage = runge_kutta_stages.at(number);
  ProjectionFlow<Backend>& flow = *flow_;
  dt_ = stage.whole() * dt;
  weights_ = {static_cast<Real>(stage.now * dt),
              static_cast<Real>(stage.before * dt),
              static_cast<Real>(dt_)};
  backend_->enter(phase::boundaries);
  flow.terms.sources.set_time(begin);
  if (flow.diffusion_across_walls) {
    flow.diffusion_across_walls->set_step(dt_, stepping == Stepping::crank_nicolson);
  } else {
    tendency_.begin_stage(number);
  }
  if (flow.solids) flow.solids->set_trapezoidal(stepping == Stepping::crank_nicolson);
  flow.boundaries.begin_stage(end,
                              {stage.now * dt, stage.before * dt},
                              flow.fields.now.view(),
                              flow.fields.scalars[0].views());
}

template <class Backend>
void RungeKutta<Backend>::advance_scalar(int n) {
  ProjectionFlow<Backend>& flow = *flow_;
  const int variable = first_scalar + n;
  const FieldView<Real> next = flow.fields.next_of(variable);
  backend_->enter(phase::stage);
  if (flow.fields.rows) {
    advance_stage_across_walls(
        *backend_,
        flow.fields.grid,
        flow.fields.layout,
        tendency_.of_scalar_across_walls(variable, weights_, forces_[n], next));
  } else {
    advance_stage(*backend_,
                  flow.fields.grid,
                  flow.fields.layout,
                  tendency_.of_scalar(variable, weights_, forces_[n], next));
  }
  tendency_.add_source(variable, flow.fields.layout.all_points(), weights_.now, forces_[n], next);
}

template <class Backend>
void RungeKutta<Backend>::advance_velocity() {
  ProjectionFlow<Backend>& flow = *flow_;
  const VelocityView<Real> force = flow.fields.before.view();
  const VelocityView<Real> next = flow.fields.next.view();
  backend_->enter(phase::stage);
  if (flow.fields.rows) return advance_velocity_across_walls(force, next);
  advance_stage(*backend_,
                flow.fields.grid,
                flow.fields.layout,
                tendency_.of_velocity(weights_,
                                      force,
                                      next,
                                      replaces_pressure() ? FieldView<const Real>{}
                                                          : flow.fields.pressure.view_const()));
  tendency_.add_sum(flow.fields.layout.all_points(), force, next, weights_.now);
  flow.add_forces_of_particles(force, next, double{weights_.now});
}

template <class Backend>
void RungeKutta<Backend>::begin_impulses_of_pulls(std::size_t stage) {
  const ProjectionFields<Backend>& fields = flow_->fields;
  impulses_->begin_pulls(stage,
                         {.solids = flow_->solids->views_of_velocity(dt_),
                          .feels = {},
                          .metrics = fields.metrics.view(),
                          .velocity = fields.now.view_const(),
                          .result = fields.next.view_const(),
                          .has_sweeps = tendency_.has_implicit_axis()});
}

/// The ghost points of V* are those at the end of the stage, which no one else needs.
template <class Backend>
void RungeKutta<Backend>::begin_impulses_of_factors(std::size_t stage) {
  ProjectionFields<Backend>& fields = flow_->fields;
  backend_->enter(phase::boundaries);
  if (flow_->solids->reach_ends()) {
    flow_->boundaries.ghosts.set_own_normal_velocity(fields.next.view());
    flow_->boundaries.ghosts.fill_ghosts(fields.next.view(), {}, {});
  }
  backend_->enter(phase::sweep_x);
  impulses_->begin_factors(stage,
                           {.solids = flow_->solids->views_of_velocity(dt_),
                            .feels = {},
                            .metrics = fields.metrics.view(),
                            .velocity = fields.now.view_const(),
                            .star = fields.next.view_const(),
                            .coefficients = flow_->coefficients_of(0),
                            .is_implicit = tendency_.implicit_axes()});
}

template <class Backend>
void RungeKutta<Backend>::advance_velocity_across_walls(const VelocityView<Real>& force,
                                                        const VelocityView<Real>& next) {
  ProjectionFlow<Backend>& flow = *flow_;
  advance_stage_across_walls(
      *backend_,
      flow.fields.grid,
      flow.fields.layout,
      tendency_.of_velocity_across_walls(weights_, force, next, flow.fields.pressure.view_const()));
  tendency_.add_sum(flow.fields.layout.all_points(), force, next, weights_.now);
}

/// The velocity comes first: it is what the stage has just stored.
template <class Backend>
void RungeKutta<Backend>::pull_and_diffuse_all(std::size_t stage) {
  const int variables = 3 + forces_.count();
  if (flow_->fields.rows) {
    backend_->enter(phase::of_sweep(Axis::y));
    for (int variable = 0; variable < variables; ++variable) pull_and_diffuse(variable);
    return;
  }
  if (replaces_pressure()) return;
  if (impulses_) begin_impulses_of_pulls(stage);
  backend_->enter(phase::sweep_z);
  backend_->concurrently(
      variables, flow_->fields.layout.points, [&](int variable) { pull_and_diffuse(variable); });
  if (impulses_ && tendency_.has_implicit_axis()) begin_impulses_of_factors(stage);
}

template <class Backend>
void RungeKutta<Backend>::pull_and_diffuse(int variable) {
  ProjectionFlow<Backend>& flow = *flow_;
  if (flow.diffusion_across_walls) return flow.diffusion_across_walls->diffuse(variable);
  std::optional<SolidsInStep<Real>> solids;
  if (flow.solids) {
    flow.solids->pull(variable,
                      dt_,
                      flow.fields.now_of(variable),
                      flow.fields.next_of(variable),
                      tendency_.has_implicit_axis());
    solids = flow.solids->in_step(variable, dt_);
  }
  if (tendency_.has_implicit_axis())
    flow.sweeps.diffuse(variable, flow.coefficients_of(variable), solids);
}

}  // namespace dns
