/// The means of scalars in boxes through whose faces nothing flows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/numerics/cell_sum.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Whether the mean of a scalar follows from the start, gradients at boundaries and the bulk
/// velocity: each axis of the box is periodic or ends at planes of symmetry or walls without normal
/// velocity, through which nothing or a constant gradient of the scalar passes, and there are
/// neither bodies nor sources of it. Scheme projection. Runge-Kutta stages conserve what an imposed
/// gradient brings.
[[nodiscard]] inline bool mean_is_known(const Case& resolved, int variable) {
  if (!resolved.solids.empty() || has_source(resolved, variable)) return false;
  if (resolved.has_mean_gradient(variable) && resolved.time.scheme == TimeScheme::runge_kutta)
    return false;
  int face = 0;
  return std::ranges::all_of(conditions_of(resolved), [&](const FaceConditions& at) {
    const int axis = face++ / 2;
    if (at.is_periodic()) return true;
    const Condition& scalar = at[variable];
    const bool passes_nothing =
        scalar.kind == Condition::Kind::value && scalar.weights.value_weight == 0;
    const bool is_constant = scalar.kind == Condition::Kind::gradient && scalar.given.is_constant();
    return !at.is_opening() && at[axis].given.is_zero() && (passes_nothing || is_constant);
  });
}

/// The mean M(t) of a scalar that follows from the start, the gradients at the walls and an imposed
/// mean gradient G,
///
///   dM/dt = 1/(Re Pr) SUM over the faces of gradient/(length of the box across them) - G . <V>.
///
/// The sum of the factors' advection conserves the scalar, their products in the factorisation do
/// not: a step leaves the mean wrong by O(dt^3). The deficit is added to it everywhere. It is that
/// of the whole run so far: what a value in Real cannot take up in one step is not lost.
template <class Backend>
class MeanScalar {
 public:
  using Real = typename Backend::Real;

  MeanScalar(const Case& resolved, const StaggeredGrid& grid, int variable)
      : is_known_(mean_is_known(resolved, variable)),
        mean_gradient_(resolved.mean_gradient(variable)),
        volume_(rounded_volume<Real>(grid)) {
    for (int face = 0; is_known_ && face < resolved.faces.size(); ++face) {
      const FaceConditions at(resolved, face);
      if (at[variable].kind != Condition::Kind::gradient) continue;
      rate_ +=
          resolved.diffusivity(variable) * at[variable].given(0, 0, 0, 0) / grid[face / 2].length();
    }
  }

  /// Whether M is known; if not, the rest means nothing.
  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] bool has_mean_gradient() const { return mean_gradient_ != PerAxis<double>{}; }
  /// M at the beginning of a step, and at its end once that is known.
  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] double next() const { return next_; }
  void set(double mean) { now_ = next_ = mean; }
  /// Finds M at the end of a step of dt [L/U] with G . <V> of `carried`.
  void advance(double dt, double carried) { next_ = now_ + dt * (rate_ - carried); }
  void accept() { now_ = next_; }

  /// The mean of a field.
  [[nodiscard]] double of(Backend& backend,
                          const StaggeredLayout& layout,
                          const FieldView<const Real>& scalar,
                          const GridMetrics<Real>& metrics) const {
    const auto all =
        backend.template reduce<1, 0>(layout.all_points(), CellSum<Real>{scalar, metrics});
    return all.sum[0] / volume_;
  }
  /// G . <V> of a velocity [U/L].
  [[nodiscard]] double carried(Backend& backend,
                               const StaggeredLayout& layout,
                               const VelocityView<const Real>& velocity,
                               const GridMetrics<Real>& metrics) const {
    double sum = 0;
    for_each_axis([&]<Axis axis>() {
      if (mean_gradient_[axis] == 0) return;
      const auto momentum = backend.template reduce<1, 0>(
          layout.all_points(), FaceMomentum<axis, Real>{velocity[axis], metrics});
      sum += mean_gradient_[axis] * (momentum.sum[0] / volume_);
    });
    return sum;
  }

 private:
  bool is_known_;
  PerAxis<double> mean_gradient_;  // G [1/L]
  double volume_;                  // of the box [L^3]
  double rate_ = 0;                // dM/dt without G [U/L]
  double now_ = 0;
  double next_ = 0;
};

/// The means of all scalars of a flow.
template <class Backend>
class ScalarMeans {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit ScalarMeans(const ProjectionFields<Backend>& fields)
      : backend_(fields.backend), fields_(&fields) {
    for (int n = 0; n < fields.resolved.scalar_count(); ++n)
      means_.emplace_back(fields.resolved, fields.grid, first_scalar + n);
  }

  /// Starts from the scalars at t^n, or from the means of a copy for restart, by the names in it.
  void start() {
    for (int n = 0; n < count(); ++n) {
      if (at(n).is_known()) at(n).set(mean_of(0, n));
    }
  }
  void go_on_from(const FlowState& copy) {
    for (int n = 0; n < count(); ++n) {
      if (!at(n).is_known()) continue;
      const auto mean =
          find_number(copy, mean_number_of(fields_->resolved.name_of_scalar(first_scalar + n)));
      at(n).set(mean ? *mean : mean_of(0, n));
    }
  }
  void append_numbers(FlowState& state) const {
    for (int n = 0; n < count(); ++n) {
      const MeanScalar<Backend>& mean = means_[n];
      if (mean.is_known())
        state.numbers.push_back(
            {mean_number_of(fields_->resolved.name_of_scalar(first_scalar + n)), mean.now()});
    }
  }

  /// Adds to a scalar at t^(n+1), dt after t^n, what its mean lacks, where that is known. A flow
  /// that has diverged stays as it is, so that the place where it did can be named.
  void correct(int n, double dt, const StaggeredVelocity<Backend>& transporting) {
    if (!at(n).is_known()) return;
    backend_->enter(phase::correction);
    at(n).advance(dt, carried(n, transporting));
    const double deficit = at(n).next() - mean_of(1, n);
    if (deficit == 0 || !std::isfinite(deficit)) return;
    backend_->for_each(fields_->layout.all_words(sizeof(Real)),
                       AddUniform<Real>{static_cast<Real>(deficit), fields_->scalars[1][n]});
  }
  /// Finds the mean at t^(n+1) again where an imposed gradient acts, with the mean of V^n and
  /// V^(n+1).
  void advance_with_both(int n, double dt) {
    if (at(n).is_known() && at(n).has_mean_gradient())
      at(n).advance(dt, (carried(n, fields_->now) + carried(n, fields_->next)) / 2);
  }
  void accept() {
    for (MeanScalar<Backend>& mean : means_) mean.accept();
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(means_.size()); }
  [[nodiscard]] MeanScalar<Backend>& at(int n) { return means_[n]; }
  /// At t^n (0) or t^(n+1) (1).
  [[nodiscard]] double mean_of(std::size_t level, int n) {
    return at(n).of(
        *backend_, fields_->layout, fields_->scalars[level][n].as_const(), fields_->metrics.view());
  }
  [[nodiscard]] double carried(int n, const StaggeredVelocity<Backend>& velocity) {
    return at(n).carried(
        *backend_, fields_->layout, velocity.view_const(), fields_->metrics.view());
  }

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  std::vector<MeanScalar<Backend>> means_;
};

}  // namespace dns
