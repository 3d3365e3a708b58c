/// What acts on the flow of scheme `projection` beside advection, diffusion and pressure.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/terms/buoyancy_term.hpp"
#include "solver/projection/terms/driving.hpp"
#include "solver/projection/terms/lorentz.hpp"
#include "solver/projection/terms/mean_scalar.hpp"
#include "solver/projection/terms/rotation.hpp"
#include "solver/projection/terms/source_terms.hpp"

namespace dns {

/// Each term offers, of these, what it has:
///   add_to(whole)     its part of TermRates; of SumOfTerms; of a copy for restart, its numbers; of
///                     StaggeredGradients, what snapshots have of it
///   start(copy)       from the flow at t^n and its numbers in a copy for restart; null: none
///   in_words()        its line for `dns check` and the head of a run; empty: none
///   names(), values() its columns of the time series, and their values for the flow at t^n
template <class Backend>
struct Terms {
  using Real = typename Backend::Real;

  /// `of` outlive it.
  explicit Terms(const ProjectionFields<Backend>& of)
      : driving(of), buoyancy(of), rotation(of), lorentz(of), sources(of), means(of), fields(&of) {}

  template <class Whole>
  void add_to(Whole& whole) const {
    for_each(*this, [&](const auto& term) {
      if constexpr (requires { term.add_to(whole); }) term.add_to(whole);
    });
  }
  [[nodiscard]] std::vector<std::string> in_words() const {
    std::vector<std::string> lines;
    for_each(*this, [&](const auto& term) {
      if constexpr (requires { term.in_words(); }) {
        if (std::string line = term.in_words(); !line.empty()) lines.push_back(std::move(line));
      }
    });
    return lines;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for_each(*this, [&](const auto& term) {
      if constexpr (requires { term.names(); })
        for (std::string& name : term.names()) all.push_back(std::move(name));
    });
    return all;
  }
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> all;
    for_each(*this, [&](const auto& term) {
      if constexpr (requires { term.values(); })
        for (const double value : term.values()) all.push_back(value);
    });
    return all;
  }
  void start(const FlowState* copy) {
    for_each(*this, [&](auto& term) {
      if constexpr (requires { term.start(copy); }) term.start(copy);
    });
  }

  /// Goes on with the forcing that the case has now.
  void take_forcing(bool has_other_sources) {
    driving.take_forcing();
    if (!has_other_sources) return;
    sources.take_formulas();
    means.forget_sources();
  }
  /// Gives a source by its values, see Simulation::set_source.
  void set_source(int variable, const std::vector<double>& values) {
    sources.set_values(variable, values);
    if (is_velocity(variable)) driving.measure(variable);
    means.forget_sources();
  }

  /// The part of F along an axis that is the same everywhere [U^2/L].
  [[nodiscard]] double uniform(int axis) const {
    return driving.acceleration()[axis] + buoyancy.uniform(axis);
  }
  /// - dt grad p + dt F along an axis, without SumOfTerms and the buoyancy of several scalars.
  template <Axis axis>
  [[nodiscard]] MomentumSource<axis, Real> momentum_source(double dt) const {
    constexpr int a = velocity_along(axis);
    MomentumSource<axis, Real> source{fields->pressure.view_const(),
                                      fields->metrics.view().axes[a].inverse_distance,
                                      static_cast<Real>(dt),
                                      static_cast<Real>(dt * uniform(a))};
    if (!buoyancy.is_of_several()) source.buoyancy = buoyancy.template of_first_in_step<axis>(dt);
    return source;
  }
  /// Adds the buoyancy of several scalars along an axis to a right-hand side of a step of dt.
  /// levels: 2, or 1 where that of t^n alone counts.
  template <Axis axis>
  void add_buoyancy_of_several(const Box& box,
                               const FieldView<Real>& result,
                               double dt,
                               int levels = 2) const {
    if (!buoyancy.is_of_several() || buoyancy.along(velocity_along(axis)) == 0) return;
    AddStepBuoyancy<axis, Real> kernel{buoyancy.template of_all_in_step<axis>(dt), result};
    if (levels == 1) kernel.buoyancy.temperature[1] = kernel.buoyancy.temperature[0];
    fields->backend->for_each(box, kernel);
  }
  /// What SumOfTerms divides right-hand sides of an implicit step of dt by.
  [[nodiscard]] DecayInStep<Real> decay_in_step(double dt) const {
    SumOfTerms<Real> sum;
    add_to(sum);
    DecayInStep<Real> decay{.sources = sum.sources, .half_dt = static_cast<Real>(dt / 2)};
    if (sum.lorentz.acts()) {
      decay.rate = {sum.lorentz.template rate_along<Axis::x>(),
                    sum.lorentz.template rate_along<Axis::y>(),
                    sum.lorentz.template rate_along<Axis::z>()};
    }
    return decay;
  }
  /// Adds SumOfTerms of V^n to right-hand sides in a box, see AddTerms. Implicit steps have V~ in
  /// `before`.
  template <class Orders>
  void add_sum(const Box& box,
               const Orders& orders,
               const VelocityView<Real>& force,
               const VelocityView<Real>& result,
               double dt) const {
    SumOfTerms<Real> sum;
    add_to(sum);
    if (!sum.acts()) return;
    if (sum.lorentz.acts()) {
      const bool is_stage = force[0].origin != nullptr;
      sum.lorentz.inducing = (is_stage ? fields->now : fields->before).view_const();
      lorentz.find_current(sum.lorentz.inducing);
    }
    fields->backend->for_each(box,
                              AddTerms<Real, Orders>{.sum = sum,
                                                     .velocity = fields->now.view_const(),
                                                     .metrics = fields->metrics.view(),
                                                     .orders = orders,
                                                     .force = force,
                                                     .result = result,
                                                     .dt = static_cast<Real>(dt)});
  }
  /// Whether there are forces that a pressure may balance: buoyancy, formulas, or a uniform one
  /// across a boundary. A uniform force along a periodic axis has no divergence.
  [[nodiscard]] bool have_potential() const {
    if (buoyancy.acts()) return true;
    for (int axis = 0; axis < 3; ++axis) {
      if (!fields->resolved.source_formula(axis).is_zero()) return true;
      if (!fields->resolved.is_periodic(axis) && driving.acceleration()[axis] != 0) return true;
    }
    return false;
  }
  /// The factors of an implicit step that couple components, of V* - V^n. solids: null, or the
  /// bodies.
  void solve_factors(double dt,
                     const FactorSweeps<Backend>& sweeps,
                     const SolidFields<Backend>* solids,
                     GhostPoints<Backend>& ghosts) const {
    if (rotation.acts()) rotation.substitute(dt, sweeps, solids, ghosts);
  }

  Driving<Backend> driving;
  Buoyancy<Backend> buoyancy;
  Rotation<Backend> rotation;
  Lorentz<Backend> lorentz;
  Sources<Backend> sources;
  ScalarMeans<Backend> means;
  const ProjectionFields<Backend>* fields;

 private:
  template <class Self, class Visit>
  static void for_each(Self& self, const Visit& visit) {
    visit(self.driving);
    visit(self.buoyancy);
    visit(self.rotation);
    visit(self.lorentz);
    visit(self.sources);
    visit(self.means);
  }
};

}  // namespace dns
