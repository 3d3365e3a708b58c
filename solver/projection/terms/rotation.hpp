/// The Coriolis acceleration in scheme `projection`; its formulas: solver/numerics/coriolis.hpp.
#pragma once

#include <algorithm>
#include <string>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/coriolis.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/boundaries/ghost_points.hpp"
#include "solver/projection/factor_sweeps.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/terms/terms_in_words.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

template <class Backend>
class Rotation {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit Rotation(const ProjectionFields<Backend>& fields)
      : backend_(fields.backend),
        fields_(&fields),
        acts_(fields.resolved.rotates()),
        rate_(fields.resolved.coriolis_rate()) {}

  [[nodiscard]] bool acts() const { return acts_; }

  [[nodiscard]] std::string in_words() const { return rotation_in_words(fields_->resolved); }
  void add_to(TermRates& rates) const { rates.frequency += fields_->resolved.coriolis_frequency(); }
  void add_to(SumOfTerms<Real>& sum) const {
    sum.rotates = acts_;
    std::ranges::transform(
        rate_, sum.rate.begin(), [](double of) { return static_cast<Real>(of); });
  }

  /// The factors (I + dt/2 L)(I + dt/2 U) of V* - V^n. A component that nothing depends on needs no
  /// ghost points. solids: null, or the bodies.
  void substitute(double dt,
                  const FactorSweeps<Backend>& sweeps,
                  const SolidFields<Backend>* solids,
                  GhostPoints<Backend>& ghosts) const;

 private:
  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  bool acts_;
  PerAxis<double> rate_;  // 2 Omega [U/L]
};

template <class Backend>
void Rotation<Backend>::substitute(double dt,
                                   const FactorSweeps<Backend>& sweeps,
                                   const SolidFields<Backend>* solids,
                                   GhostPoints<Backend>& ghosts) const {
  const StaggeredVelocity<Backend>& next = fields_->next;
  const auto of = [&](int axis) { return static_cast<Real>(dt / 2 * rate_[axis]); };
  const auto fill = [&](int component) {
    VelocityView<Real> alone{};
    alone.component[component] = next[component].view();
    backend_->enter(phase::boundaries);
    ghosts.fill_ghosts(alone, {}, {});
  };
  const auto substitute = [&]<Axis to>(Real of_next_axis, Real of_last_axis) {
    if (of_next_axis == 0 && of_last_axis == 0) return;
    constexpr int component = velocity_along(to);
    backend_->enter(phase::correction);
    backend_->for_each(
        sweeps.unknowns(component),
        SubstituteCoriolis<to, Real>{
            .now = fields_->now.view_const(),
            .next = next.view_const(),
            .metrics = fields_->metrics.view(),
            .solids = solids != nullptr ? solids->view(component, dt) : SolidsView<Real>{},
            .of_next_axis = of_next_axis,
            .of_last_axis = of_last_axis,
            .result = next[component].view()});
  };
  backend_->enter(phase::boundaries);
  ghosts.set_normal_velocity(next.view());
  if (of(1) != 0 || of(2) != 0) fill(0);
  substitute.template operator()<Axis::y>(0, -of(2));
  if (of(0) != 0) fill(1);
  substitute.template operator()<Axis::z>(of(1), -of(0));
  if (of(0) != 0 || of(1) != 0) fill(2);
  substitute.template operator()<Axis::y>(of(0), 0);
  if (of(2) != 0) fill(1);
  substitute.template operator()<Axis::x>(of(2), -of(1));
}

}  // namespace dns
