/// Sources in scheme `projection`, and what imposed mean gradients bring to scalars; their
/// formulas: solver/numerics/sources.hpp.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "solver/flow/variables.hpp"
#include "solver/forcing/source_fields.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/fields.hpp"

namespace dns {

template <class Backend>
class Sources {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it. Throws CaseError as SourceFields does.
  explicit Sources(const ProjectionFields<Backend>& fields) : fields_(&fields) {
    if (SourceFields<Backend>::are_in(fields.resolved)) emplace();
  }

  /// The formulas of the case are others now.
  void take_formulas() {
    given_.reset();
    if (SourceFields<Backend>::are_in(fields_->resolved)) emplace();
  }
  /// Gives S of a variable by its values at the points, see Simulation::set_source.
  void set_values(int variable, const std::vector<double>& values) {
    if (!given_) emplace();
    given_->set_values(variable, values);
  }

  void add_to(TermRates& rates) const {
    if (given_) rates.decay += given_->largest_rate();
  }
  void add_to(SumOfTerms<Real>& sum) const {
    for (int axis = 0; given_ && axis < 3; ++axis) {
      sum.has_source[axis] = given_->has(axis);
      sum.sources[axis] = given_->view(axis);
    }
  }
  [[nodiscard]] SourceView<Real> of(int variable) const {
    return given_ ? given_->view(variable) : SourceView<Real>{};
  }
  /// The source of a scalar that a velocity advects, in a step of dt [L/U]; null without one.
  [[nodiscard]] std::optional<ScalarSource<Real>> of_scalar(
      int variable, const StaggeredVelocity<Backend>& velocity, double dt) const {
    const Case& resolved = fields_->resolved;
    const bool has_gradient = resolved.has_mean_gradient(variable);
    if (!has_gradient && !(given_ && given_->has(variable))) return {};
    const PerAxis<double>& gradient = resolved.mean_gradient(variable);
    return ScalarSource<Real>{of(variable),
                              {velocity.view_const(),
                               {static_cast<Real>(gradient[0]),
                                static_cast<Real>(gradient[1]),
                                static_cast<Real>(gradient[2])},
                               has_gradient,
                               any_orders<Real>(fields_->grid)},
                              fields_->scalars[0][variable - first_scalar].as_const(),
                              static_cast<Real>(dt)};
  }

  /// Evaluates them at time t [L/U].
  void set_time(double t) {
    if (given_) given_->set_time(t);
  }
  /// Calls act() while they are those at time t [L/U] without sponges, which depend on the
  /// velocity.
  template <class Act>
  void without_sponges(double t, const Act& act) {
    const bool has_sponges = !fields_->resolved.forcing.sponges.empty();
    if (has_sponges) {
      Case without = fields_->resolved;
      without.forcing.sponges.clear();
      given_->evaluate_as_in(without, t);
    } else {
      set_time(t);
    }
    act();
    if (has_sponges) given_->evaluate_as_in(fields_->resolved, t);
  }

 private:
  void emplace() {
    given_.emplace(*fields_->backend, fields_->resolved, fields_->part, fields_->layout);
  }

  const ProjectionFields<Backend>* fields_;
  std::optional<SourceFields<Backend>> given_;
};

}  // namespace dns
