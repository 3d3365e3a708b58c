/// What changes the flow of scheme `projection` at one time, as the equations of a Runge-Kutta
/// stage: with weights of their own what acts on bodies.
#pragma once

#include <optional>

#include "solver/core/index.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/numerics/stage_across_walls.hpp"
#include "solver/numerics/stage_equation.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/projection_flow.hpp"

namespace dns {

/// Diffusion is in F or, along some axes, apart from it.
template <class Backend>
class Tendency {
 public:
  using Real = typename Backend::Real;
  using Orders = AnyOrders<Real>;

  /// `flow` outlives it. is_implicit: the axes whose diffusion is apart, all of order 2.
  Tendency(ProjectionFlow<Backend>& flow, const PerAxis<bool>& is_implicit)
      : flow_(&flow), orders_(any_orders<Real>(flow.fields.grid)), is_implicit_(is_implicit) {}

  [[nodiscard]] bool has_implicit_axis() const {
    return is_implicit_[0] || is_implicit_[1] || is_implicit_[2];
  }
  [[nodiscard]] const PerAxis<bool>& implicit_axes() const { return is_implicit_; }
  /// Evaluates the coefficients of implicit diffusion for all stages of a step. lengths: dt of each
  /// stage [L/U], solved by Crank-Nicolson or by implicit Euler.
  void set_diffusion(Numbered<double, 3> lengths, Stepping stepping) {
    if (!has_implicit_axis()) return;
    const bool is_trapezoidal = stepping == Stepping::crank_nicolson;
    implicit_weight_ = is_trapezoidal ? Real(2) : Real(1);
    for (int stage = 0; stage < lengths.size() && !is_trapezoidal; ++stage) lengths[stage] *= 2;
    flow_->coefficients.set_time_steps(*flow_->backend, lengths);
  }
  /// Takes the coefficients of a stage from now on.
  void begin_stage(std::size_t stage) { flow_->coefficients.take(stage); }

  /// The stage of the velocity but for what add_sum adds; see StageEquation.
  [[nodiscard]] StageEquation<Real, Orders> of_velocity(const StageWeights<Real>& weights,
                                                        const VelocityView<Real>& force,
                                                        const VelocityView<Real>& result,
                                                        const FieldView<const Real>& p) const {
    const ProjectionFields<Backend>& fields = flow_->fields;
    const BuoyantScalars<Real> rising = flow_->terms.buoyancy.scalars(0);
    StageEquation<Real, Orders> equation{
        .terms = terms(fields.resolved.viscosity()),
        .implicit = implicit(0),
        .weights = weights,
        .force = force,
        .result = result,
        .pressure = p,
        .temperature = rising.count > 0 ? FieldView<const Real>{} : rising.temperature,
        .buoyancy = buoyancy(),
        .uniform = {}};
    for (int axis = 0; axis < 3; ++axis) {
      equation.uniform[axis] =
          static_cast<Real>(double{weights.whole} * flow_->terms.uniform(axis));
    }
    return equation;
  }
  /// Stage of the velocity across walls of order 4, but for the changes of given values.
  [[nodiscard]] StageAcrossWalls<Real, AnyOrder<Real>> of_velocity_across_walls(
      const StageWeights<Real>& weights,
      const VelocityView<Real>& force,
      const VelocityView<Real>& result,
      const FieldView<const Real>& p) const {
    const StageEquation<Real, Orders> same = of_velocity(weights, force, result, p);
    StageAcrossWalls<Real, AnyOrder<Real>> equation{
        .terms = terms_across_walls(same.terms),
        .weights = weights,
        .implicit = static_cast<Real>(double{weights.whole} * flow_->fields.resolved.viscosity()),
        .force = force,
        .result = result,
        .pressure = p,
        .temperature = same.temperature,
        .buoyancy = same.buoyancy,
        .uniform = same.uniform};
    return equation;
  }
  /// Adds the sum of terms, and buoyancy where several scalars rise: to F of a stage, and dt times
  /// that to its right-hand sides, null: not wanted.
  void add_sum(const Box& box,
               const VelocityView<Real>& force,
               const VelocityView<Real>& result,
               double dt) const {
    if (flow_->fields.rows) {
      add_sum_with(flow_->fields.orders_across_walls(), box, force, result, dt);
    } else {
      add_sum_with(orders_, box, force, result, dt);
    }
  }
  /// The stage of a scalar but for what add_source adds; see StageOfScalar.
  [[nodiscard]] StageOfScalar<Real, Orders> of_scalar(int variable,
                                                      const StageWeights<Real>& weights,
                                                      const FieldView<Real>& force,
                                                      const FieldView<Real>& result) const {
    return {.terms = terms(flow_->fields.resolved.diffusivity(variable)),
            .implicit = implicit(variable),
            .weights = weights,
            .q = flow_->fields.now_of(variable),
            .force = force,
            .result = result};
  }
  /// Stage of a scalar across walls of order 4.
  [[nodiscard]] ScalarStageAcrossWalls<Real, AnyOrder<Real>> of_scalar_across_walls(
      int variable,
      const StageWeights<Real>& weights,
      const FieldView<Real>& force,
      const FieldView<Real>& result) const {
    const double diffusivity = flow_->fields.resolved.diffusivity(variable);
    return {.terms = terms_across_walls(terms(diffusivity)),
            .weights = weights,
            .implicit = static_cast<Real>(double{weights.whole} * diffusivity),
            .q = flow_->fields.now_of(variable),
            .force = force,
            .result = result};
  }
  /// Adds the source of a scalar, and what bodies make of it whose surface is closed or that
  /// conduct. force: null where it is not wanted.
  void add_source(int variable,
                  const Box& box,
                  Real weight,
                  const FieldView<Real>& force,
                  const FieldView<Real>& result) const {
    const ProjectionFlow<Backend>& flow = *flow_;
    if (const auto source = flow.terms.sources.of_scalar(variable, flow.fields.now, weight))
      flow.backend->for_each(box, AddSourceToStage<Real>{*source, force, result});
    if (!flow.solids) return;
    const SolidsView<Real> view = flow.solids->view(variable, 0);
    if (view.conduct()) {
      add_bodies<ConductInStage>(view, variable, weight, force, result);
    } else if (view.insulated.origin != nullptr) {
      add_bodies<CloseFacesInStage>(view, variable, weight, force, result);
    }
  }

 private:
  template <template <class, class, class> class Kernel>
  void add_bodies(const SolidsView<Real>& view,
                  int variable,
                  Real weight,
                  const FieldView<Real>& force,
                  const FieldView<Real>& result) const {
    const ProjectionFlow<Backend>& flow = *flow_;
    flow.backend->for_each(flow.solids->box_of(variable),
                           Kernel<Real, SkewTerms<Real, Orders>, ImplicitDiffusion<Real>>{
                               .terms = terms(flow.fields.resolved.diffusivity(variable)),
                               .implicit = implicit(variable),
                               .solids = view,
                               .q = flow.fields.now_of(variable),
                               .weight = weight,
                               .force = force,
                               .result = result});
  }
  template <class AllOrders>
  void add_sum_with(const AllOrders& orders,
                    const Box& box,
                    const VelocityView<Real>& force,
                    const VelocityView<Real>& result,
                    double dt) const {
    flow_->terms.add_sum(box, orders, force, result, dt);
    const BuoyantScalars<Real> rising = flow_->terms.buoyancy.scalars(0);
    if (rising.count == 0) return;
    flow_->backend->for_each(box,
                             AddBuoyancy<Real, AllOrders>{.scalars = rising,
                                                          .buoyancy = buoyancy(),
                                                          .orders = orders,
                                                          .force = force,
                                                          .result = result,
                                                          .weight = static_cast<Real>(dt)});
  }
  [[nodiscard]] TermsAcrossWalls<Real, AnyOrder<Real>> terms_across_walls(
      const SkewTerms<Real, Orders>& any) const {
    return {{any.velocity, any.metrics, {any.orders.x, {}, any.orders.z}, any.diffusion},
            flow_->fields.rows->rows()};
  }
  [[nodiscard]] PerAxis<Real> buoyancy() const {
    PerAxis<Real> along{};
    for (int axis = 0; axis < 3; ++axis)
      along[axis] = static_cast<Real>(flow_->terms.buoyancy.along(axis));
    return along;
  }
  [[nodiscard]] SkewTerms<Real, Orders> terms(double diffusivity) const {
    SkewTerms<Real, Orders> terms{flow_->velocity(), flow_->fields.metrics.view(), orders_, {}};
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = flow_->fields.grid[axis];
      if (!is_implicit_[axis])
        terms.diffusion[axis] = static_cast<Real>(diffusivity * along.cells() / along.length());
    }
    return terms;
  }
  [[nodiscard]] ImplicitDiffusion<Real> implicit(int variable) const {
    return {flow_->coefficients_of(variable), {is_implicit_}, implicit_weight_};
  }

  ProjectionFlow<Backend>* flow_;
  Orders orders_;
  PerAxis<bool> is_implicit_;
  Real implicit_weight_ = 2;  // see ImplicitDiffusion
};

}  // namespace dns
