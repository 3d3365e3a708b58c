/// Time scheme `runge_kutta` of scheme `projection`: one time step on one page.
///
/// From V, p and scalars at t to those at t + dt, in three stages of the low-storage scheme of
/// Wray, each with a Poisson equation of its own:
///
///   al = 8/15, 5/12, 3/4    be = 0, -17/60, -5/12    g = al + be = 8/15, 2/15, 1/3
///
///   F   = - N(V) V + nu L_explicit V + C V + buoyancy + sources at the beginning of the stage
///   r   = dt (al F + be F_before) - g dt grad p + g dt f + g dt nu L_implicit V
///   V*  = V + (I - g dt/2 nu L_s)^-1 .. r          along each axis s of implicit diffusion
///   lap phi = div V*/(g dt),   V := V* - g dt grad phi,   p := p + phi
///
/// Without implicit diffusion any p in r gives the same V: it is left out, and p = phi.
/// Scalars likewise, from V and themselves at the beginning of the stage. N, L and their orders:
/// solver/numerics/stage_equation.hpp; C V: coriolis.hpp. Diffusion is implicit along axes that
/// have walls or stretched cells. f is the acceleration that drives the flow; where it holds the
/// bulk velocity, each stage adds the deficit, and the mean of the stages is recorded. Values at
/// walls are those of the end of a stage, t + 8/15, 2/3 and 1 dt. The pressure is that of the last
/// stage, t + 5/6 dt. After a jump of a given value the sweeps of two steps are implicit Euler:
/// (I - g dt nu L_s)^-1.
///
/// Order 3 in time without walls; beside walls it tends to 2, with a small constant. V lies in
/// `now`, F in `before`, V* in `next` of ProjectionFields.
///
/// Sources: Spalart, Moser & Rogers, J. Comput. Phys. 96 (1991) 297 (these stages, of A. Wray);
/// Le & Moin, J. Comput. Phys. 92 (1991) 369 (stages with a pressure).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "solver/config/step_limit.hpp"
#include "solver/core/index.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/projection_flow.hpp"
#include "solver/projection/stages.hpp"

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
        orders_(any_orders<Real>(flow.fields.grid)),
        forces_(backend, flow.fields.layout, flow.fields.resolved.scalar_count()) {
    for (int axis = 0; axis < 3; ++axis)
      is_implicit_[axis] = has_implicit_diffusion(flow.fields.resolved, axis);
  }

  /// A step from t to t + dt [L/U].
  void advance(double t, double dt, Stepping stepping) {
    PerAxis<double> mean_acceleration{};
    double passed = 0;  // part of the step
    for (const RungeKuttaStage& stage : runge_kutta_stages) {
      const bool is_last = &stage == &runge_kutta_stages.back();
      const double end = is_last ? 1 : passed + stage.whole();
      begin_stage(t + passed * dt, stage, dt, t + end * dt, stepping);
      for (int n = 0; n < forces_.count(); ++n) {
        advance_scalar(n);
        if (is_last) flow_->terms.means.correct(n, dt, flow_->fields.now);
      }
      advance_velocity();
      flow_->projection.project(dt_,
                                has_implicit_axis() ? NewPressure::advanced : NewPressure::replaced,
                                flow_->fields.scalars[1].views());
      std::swap(flow_->fields.now, flow_->fields.next);
      std::swap(flow_->fields.scalars[0], flow_->fields.scalars[1]);
      for (int axis = 0; axis < 3; ++axis)
        mean_acceleration[axis] += stage.whole() * flow_->terms.driving.acceleration()[axis];
      passed = end;
    }
    flow_->terms.driving.set_acceleration(mean_acceleration);
    flow_->terms.means.accept();
  }

 private:
  [[nodiscard]] bool has_implicit_axis() const {
    return is_implicit_[0] || is_implicit_[1] || is_implicit_[2];
  }
  /// From `begin` to `end` [L/U].
  void begin_stage(
      double begin, const RungeKuttaStage& stage, double dt, double end, Stepping stepping);
  void advance_scalar(int n);
  void advance_velocity();
  [[nodiscard]] SkewTerms<Real, AnyOrders<Real>> terms(double diffusivity) const {
    SkewTerms<Real, AnyOrders<Real>> terms{
        flow_->velocity(), flow_->fields.metrics.view(), orders_, {}};
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = flow_->fields.grid[axis];
      if (!is_implicit_[axis])
        terms.diffusion[axis] = static_cast<Real>(diffusivity * along.cells() / along.length());
    }
    return terms;
  }
  [[nodiscard]] ImplicitDiffusion<Real> implicit(int variable) const {
    return {flow_->coefficients_of(variable),
            {is_implicit_[0], is_implicit_[1], is_implicit_[2]},
            implicit_weight_};
  }
  void diffuse(int variable) { flow_->sweeps.diffuse(variable, flow_->coefficients_of(variable)); }

  Backend* backend_;
  ProjectionFlow<Backend>* flow_;
  double dt_ = 0;  // of the stage [L/U]
  AnyOrders<Real> orders_;
  PerAxis<bool> is_implicit_{};
  StaggeredScalars<Backend> forces_;  // F of the scalars
  StageWeights<Real> weights_{};
  Real implicit_weight_ = 2;  // see ImplicitDiffusion
};

template <class Backend>
void RungeKutta<Backend>::begin_stage(
    double begin, const RungeKuttaStage& stage, double dt, double end, Stepping stepping) {
  ProjectionFlow<Backend>& flow = *flow_;
  dt_ = stage.whole() * dt;
  weights_ = {static_cast<Real>(stage.now * dt),
              static_cast<Real>(stage.before * dt),
              static_cast<Real>(dt_)};
  backend_->enter(phase::boundaries);
  flow.terms.sources.set_time(begin);
  if (has_implicit_axis()) {
    const bool is_trapezoidal = stepping == Stepping::crank_nicolson;
    implicit_weight_ = is_trapezoidal ? Real(2) : Real(1);
    const double dt_of_factors = is_trapezoidal ? dt_ : 2 * dt_;
    for (auto& coefficients : flow.coefficients)
      coefficients.set_diffusion(*backend_, dt_of_factors);
  }
  flow.boundaries.begin_step(
      begin, end - begin, flow.fields.now.view(), flow.fields.scalars[0].views());
}

template <class Backend>
void RungeKutta<Backend>::advance_scalar(int n) {
  ProjectionFlow<Backend>& flow = *flow_;
  const int variable = first_scalar + n;
  const FieldView<Real> next = flow.fields.next_of(variable);
  backend_->enter(phase::stage);
  advance_stage(
      *backend_,
      flow.fields.grid,
      flow.fields.layout,
      StageOfScalar<Real, AnyOrders<Real>>{terms(flow.fields.resolved.diffusivity(variable)),
                                           implicit(variable),
                                           weights_,
                                           flow.fields.now_of(variable),
                                           forces_[n],
                                           next});
  // The source at the beginning of the stage, to F and to the right-hand side.
  if (const auto source = flow.terms.sources.of_scalar(variable, flow.fields.now, weights_.now))
    backend_->for_each(flow.fields.layout.all_points(),
                       AddSourceToStage<Real>{*source, forces_[n], next});
  if (has_implicit_axis()) diffuse(variable);
}

template <class Backend>
void RungeKutta<Backend>::advance_velocity() {
  ProjectionFlow<Backend>& flow = *flow_;
  StageEquation<Real, AnyOrders<Real>> equation{
      terms(flow.fields.resolved.viscosity()),
      implicit(0),
      weights_,
      flow.fields.before.view(),
      flow.fields.next.view(),
      has_implicit_axis() ? flow.fields.pressure.view_const() : FieldView<const Real>{},
      flow.terms.buoyancy.scalars(0),
      {},
      {}};
  for (int axis = 0; axis < 3; ++axis) {
    equation.buoyancy[axis] = static_cast<Real>(flow.terms.buoyancy.along(axis));
    equation.uniform[axis] = static_cast<Real>(dt_ * flow.terms.uniform(axis));
  }
  backend_->enter(phase::stage);
  advance_stage(*backend_, flow.fields.grid, flow.fields.layout, equation);
  flow.terms.add_sum(orders_, flow.fields.before.view(), flow.fields.next.view(), weights_.now);
  if (!has_implicit_axis()) return;
  backend_->enter(phase::sweep_z);
  backend_->concurrently(3, flow.fields.layout.points, [&](int component) { diffuse(component); });
}

}  // namespace dns
