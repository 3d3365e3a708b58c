/// The means of scalars in boxes through whose faces nothing flows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/numerics/cell_sum.hpp"
#include "solver/numerics/sources.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/projection/terms/scalar_balance.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Whether the mean of a scalar follows from the start, gradients at boundaries, sources and the
/// bulk velocity: each axis of the box is periodic or ends at planes of symmetry or walls without
/// normal velocity, through which nothing or a constant gradient of the scalar passes, and there
/// are neither sponges for it nor bodies, but such as conduct it in a box that it does not leave.
/// Scheme projection. Runge-Kutta stages conserve what sources and an imposed gradient bring.
[[nodiscard]] inline bool mean_is_known(const Case& resolved, int variable) {
  const auto conducts = [&](const SolidCase& body) { return body.scalar(variable).conducts(); };
  if (!std::ranges::all_of(resolved.solids, conducts) || has_rate_field(resolved, variable))
    return false;
  if (resolved.time.scheme == TimeScheme::runge_kutta &&
      (resolved.has_mean_gradient(variable) || has_source(resolved, variable)))
    return false;
  int face = 0;
  return std::ranges::all_of(conditions_of(resolved), [&](const FaceConditions& at) {
    const int axis = face++ / 2;
    if (at.is_periodic()) return true;
    const Condition& scalar = at[variable];
    const bool passes_nothing =
        scalar.kind == Condition::Kind::value && scalar.weights.value_weight == 0;
    const bool is_constant =
        scalar.kind == Condition::Kind::gradient &&
        (resolved.solids.empty() ? scalar.given.is_constant() : scalar.given.is_zero());
    return !at.is_opening() && at[axis].is_zero() && (passes_nothing || is_constant);
  });
}

/// The means M(t) of scalars that follow from the start, the gradients at the walls, their sources
/// S and an imposed mean gradient G,
///
///   dM/dt = 1/(Re Pr) SUM over the faces of gradient/(length of the box across them) + <S> - G .
///   <V>
///
/// with S in the middle of a step.
/// The sum of the factors' advection conserves the scalar, their products in the factorisation do
/// not: a step leaves the mean wrong by O(dt^3). The deficit is added to it everywhere. It is that
/// of the whole run so far: what a value in Real cannot take up in one step is not lost. Where
/// bodies conduct, M is SUM c volume s/SUM c volume, c of solid_rows.hpp. Where walls have a value
/// or a transfer, what passes through them is part of it: ScalarBalance.
template <class Backend>
class ScalarMeans {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit ScalarMeans(const ProjectionFields<Backend>& fields)
      : backend_(fields.backend), fields_(&fields), volume_(rounded_volume<Real>(fields.grid)) {
    for (int n = 0; n < fields.resolved.scalar_count(); ++n)
      means_.push_back({mean_is_known(fields.resolved, first_scalar + n), rate_of(n)});
    for (int n = 0; n < count(); ++n) {
      if (!at(n).is_known && balance_is_known(fields.resolved, first_scalar + n))
        at(n).balance = std::make_unique<ScalarBalance<Backend>>(fields, first_scalar + n);
    }
  }

  /// From the scalars at t^n, or the means of a copy for restart, by the names in it.
  void start(const FlowState* copy) {
    for (int n = 0; n < count(); ++n) {
      if (at(n).balance) at(n).balance->start(copy);
      if (!at(n).is_known) continue;
      const std::optional<double> mean =
          copy != nullptr ? find_number(*copy, name_of(n)) : std::nullopt;
      at(n).now = at(n).next = mean ? *mean : mean_of(0, n);
    }
  }
  void add_to(FlowState& copy) const {
    for (int n = 0; n < count(); ++n) {
      const Mean& mean = means_[n];
      if (mean.is_known) copy.numbers.push_back({name_of(n), mean.now});
      if (mean.balance) mean.balance->add_to(copy);
    }
  }

  /// Bodies conduct scalar n, with 1/c.
  void connect(int n, const FieldView<const Real>& inverse_capacity) {
    if (!at(n).is_known) return;
    at(n).inverse_capacity = inverse_capacity;
    at(n).capacity = heat_of({}, inverse_capacity);
  }
  /// The sources are others now.
  void forget_sources() {
    for (Mean& mean : means_) mean.source.reset();
  }

  /// Prepares an implicit step, see ScalarBalance.
  void begin(double theta, const GivenPlanes<Backend>& given) {
    for (Mean& mean : means_) {
      if (mean.balance) mean.balance->begin(theta, given);
    }
  }
  /// Adds to a scalar at t^(n+1), dt after t^n, what its mean lacks, where that is known. A flow
  /// that has diverged stays as it is, so that the place where it did can be named.
  void correct(int n,
               double dt,
               const StaggeredVelocity<Backend>& transporting,
               const SourceView<Real>& source) {
    if (!at(n).is_known && !at(n).balance) return;
    backend_->enter(phase::correction);
    find_mean_of_source(n, source);
    if (at(n).balance) {
      if (!fields_->resolved.buoyancy)
        at(n).balance->correct(dt, at(n).source.value_or(0) - carried(n, transporting));
      return;
    }
    at(n).advance(dt, carried(n, transporting));
    const double deficit = at(n).next - mean_of(1, n);
    if (deficit == 0 || !std::isfinite(deficit)) return;
    backend_->for_each(fields_->layout.all_words(sizeof(Real)),
                       AddUniform<Real>{static_cast<Real>(deficit), fields_->scalars[1][n]});
  }
  /// Adds to a scalar at t^(n+1) of a flow with buoyancy what its mean lacks where it passes
  /// through walls: what the velocity changes it by changes that.
  void correct_with_buoyancy(int n, double dt) {
    if (!at(n).balance) return;
    const double of_both = (carried(n, fields_->now) + carried(n, fields_->next)) / 2;
    at(n).balance->correct(dt, at(n).source.value_or(0) - of_both);
  }
  /// Finds the mean at t^(n+1) again where an imposed gradient acts, with the mean of V^n and
  /// V^(n+1).
  void advance_with_both(int n, double dt) {
    if (at(n).is_known && fields_->resolved.has_mean_gradient(first_scalar + n))
      at(n).advance(dt, (carried(n, fields_->now) + carried(n, fields_->next)) / 2);
  }
  void accept() {
    for (Mean& mean : means_) {
      mean.now = mean.next;
      if (mean.balance) mean.balance->accept();
    }
  }

 private:
  struct Mean {
    bool is_known;                   // if not, the rest means nothing
    double rate;                     // dM/dt without S and G [U/L]
    std::optional<double> source{};  // <S>, once it is known
    double now = 0;                  // at the beginning of a step
    double next = 0;                 // at its end, once that is known
    std::unique_ptr<ScalarBalance<Backend>> balance{};
    FieldView<const Real> inverse_capacity{};  // null: no body conducts
    double capacity = 0;                       // likewise, SUM c volume [L^3]

    /// A step of dt [L/U] with G . <V> of `carried`.
    void advance(double dt, double carried) {
      next = now + dt * (rate + source.value_or(0) - carried);
    }
  };

  [[nodiscard]] int count() const { return static_cast<int>(means_.size()); }
  [[nodiscard]] Mean& at(int n) { return means_[n]; }
  [[nodiscard]] std::string name_of(int n) const {
    return mean_number_of(fields_->resolved.name_of_scalar(first_scalar + n));
  }
  [[nodiscard]] double rate_of(int n) const {
    double rate = 0;
    for (int face = 0; face < fields_->resolved.faces.size(); ++face) {
      const Condition scalar = FaceConditions(fields_->resolved, face)[first_scalar + n];
      if (scalar.kind == Condition::Kind::gradient && scalar.given.is_constant())
        rate += fields_->resolved.diffusivity(first_scalar + n) * scalar.given(0, 0, 0, 0) /
                fields_->grid[face / 2].length();
    }
    return rate;
  }
  void find_mean_of_source(int n, const SourceView<Real>& source) {
    if (at(n).source && !source_changes_with_time(fields_->resolved, first_scalar + n)) return;
    at(n).source =
        source.source.origin != nullptr ? mean_of(source.source) : double{source.uniform_source};
    if (at(n).inverse_capacity.origin != nullptr) *at(n).source *= volume_ / at(n).capacity;
  }
  /// At t^n (0) or t^(n+1) (1).
  [[nodiscard]] double mean_of(std::size_t level, int n) {
    const FieldView<const Real> cells = fields_->scalars[level][n].as_const();
    if (at(n).inverse_capacity.origin == nullptr) return mean_of(cells);
    return heat_of(cells, at(n).inverse_capacity) / at(n).capacity;
  }
  /// SUM c volume s; of a null field SUM c volume.
  [[nodiscard]] double heat_of(const FieldView<const Real>& cells,
                               const FieldView<const Real>& inverse_capacity) {
    const auto all = backend_->template reduce<1, 0>(
        fields_->layout.all_points(),
        HeatSum<Real>{cells, inverse_capacity, fields_->metrics.view()});
    return all.sum[0];
  }
  [[nodiscard]] double mean_of(const FieldView<const Real>& cells) {
    const auto all = backend_->template reduce<1, 0>(fields_->layout.all_points(),
                                                     CellSum<Real>{cells, fields_->metrics.view()});
    return all.sum[0] / volume_;
  }
  /// G . <V> of a velocity [U/L].
  [[nodiscard]] double carried(int n, const StaggeredVelocity<Backend>& velocity) {
    double sum = 0;
    for_each_axis([&]<Axis axis>() {
      const double gradient = fields_->resolved.mean_gradient(first_scalar + n)[axis];
      if (gradient == 0) return;
      const auto momentum = backend_->template reduce<1, 0>(
          fields_->layout.all_points(),
          FaceMomentum<axis, Real>{velocity[axis].view_const(), fields_->metrics.view()});
      sum += gradient * (momentum.sum[0] / volume_);
    });
    return sum;
  }

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  double volume_;  // of the box [L^3]
  std::vector<Mean> means_;
};

}  // namespace dns
