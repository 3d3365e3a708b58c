/// What bodies feel in a flow of scheme `projection`, at its own time.
#pragma once

#include "solver/projection/projection_flow.hpp"
#include "solver/projection/tendency.hpp"

namespace dns {

/// Sums up what acts on the unknowns of bodies (GivenToBody), from V, its pressure and scalars at
/// one time. All diffusion is that of the factors, along axes of order 2.
template <class Backend>
class BodyForces {
 public:
  using Real = typename Backend::Real;

  /// `flow` outlives it.
  explicit BodyForces(ProjectionFlow<Backend>& flow)
      : flow_(&flow), all_(flow, second_order(flow)) {}

  /// Begins the sums for the flow at time t [L/U], after a step of dt. Overwrites V^(n+1) and the
  /// scalars of that time.
  void begin(double t, double dt) {
    ProjectionFlow<Backend>& flow = *flow_;
    ProjectionFields<Backend>& fields = flow.fields;
    constexpr StageWeights<Real> once{1, 0, 1};
    const GridMetrics<Real> metrics = fields.metrics.view();
    flow.terms.sources.set_time(t);
    all_.set_diffusion({{1, 0, 0}}, Stepping::crank_nicolson);
    all_.begin_stage(0);
    const Box box = flow.solids->box_of_velocity();
    const VelocityView<Real> right = fields.next.view();
    flow.backend->for_each(box, all_.of_velocity(once, right, right, flow.pressure()));
    all_.add_sum(box, right, {}, 1);
    flow.sums_at_bodies->begin_forces(fields.now.view_const(), right.as_const(), metrics, dt);
    for (int n = 0; n < fields.scalars[0].count(); ++n) {
      const int variable = first_scalar + n;
      const Box near = flow.solids->box_of(variable);
      const FieldView<Real> change = fields.next_of(variable);
      flow.backend->for_each(near, all_.of_scalar(variable, once, change, change));
      all_.add_source(variable, near, Real(1), {}, change);
      flow.sums_at_bodies->begin_flux(variable,
                                      fields.now_of(variable),
                                      fields.now.view_const(),
                                      change.as_const(),
                                      metrics,
                                      dt);
    }
  }

 private:
  [[nodiscard]] static PerAxis<bool> second_order(const ProjectionFlow<Backend>& flow) {
    PerAxis<bool> has_order_2{};
    for (int axis = 0; axis < 3; ++axis) has_order_2[axis] = flow.fields.grid[axis].order == 2;
    return has_order_2;
  }

  ProjectionFlow<Backend>* flow_;
  Tendency<Backend> all_;
};

}  // namespace dns
