/// Buoyancy in scheme `projection`; its formulas: solver/numerics/buoyancy.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/buoyancy.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/fields.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// The acceleration along e by what rises: the scalars with a weight, over that of the first of
/// them. Without buoyancy all is 0.
template <class Backend>
class Buoyancy {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit Buoyancy(const ProjectionFields<Backend>& fields);

  [[nodiscard]] bool acts() const { return fields_->resolved.buoyancy.has_value(); }
  /// Looks at the stratification.
  void watch();
  /// N of the most stable stratification when it was last looked at [U/L].
  [[nodiscard]] double frequency() const { return std::sqrt(std::max(stratification_, 0.0)); }

  /// What rises at t^n (0) or t^(n+1) (1); null without buoyancy.
  [[nodiscard]] BuoyantScalars<Real> scalars(std::size_t level) const;
  /// The acceleration along an axis per value of the first scalar that rises [U^2/(L T0)].
  [[nodiscard]] double along(int axis) const;
  /// The part of it that is the same everywhere [U^2/L].
  [[nodiscard]] double uniform(int axis) const {
    return acts() ? -along(axis) * fields_->resolved.buoyancy->reference_temperature : 0;
  }
  /// Whether several scalars rise, whose buoyancy is added in passes of its own.
  [[nodiscard]] bool is_of_several() const { return further_ > 0; }
  /// Its part of a step of dt, of the first scalar that rises.
  template <Axis axis>
  [[nodiscard]] StepBuoyancy<axis, Real, FieldView<const Real>> of_first_in_step(double dt) const {
    return {quarter_dt(axis, dt), {scalars(0).temperature, scalars(1).temperature}};
  }
  /// Its part of a step of dt, of all of them.
  template <Axis axis>
  [[nodiscard]] StepBuoyancy<axis, Real, BuoyantScalars<Real>> of_all_in_step(double dt) const {
    return {quarter_dt(axis, dt), {scalars(0), scalars(1)}};
  }

  void add_to(TermRates& rates) const { rates.frequency += frequency(); }

 private:
  [[nodiscard]] Real quarter_dt(Axis axis, double dt) const {
    return static_cast<Real>(dt * along(velocity_along(axis)) / 4);
  }
  /// The imposed gradient of what rises along an axis, over the weight of that scalar [T0/L].
  [[nodiscard]] double mean_gradient(int axis) const;

  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  double stratification_ = 0;  // the largest N^2 [U^2/L^2]
  int first_ = 0;              // of the scalars, the first that rises
  Memory weights_;             // of those after it, see BuoyantScalars
  int further_ = 0;            // of these, up to the last that rises
};

template <class Backend>
Buoyancy<Backend>::Buoyancy(const ProjectionFields<Backend>& fields)
    : backend_(fields.backend), fields_(&fields) {
  if (!acts()) return;
  const auto weight = [&](int n) { return fields.resolved.buoyancy_weight(first_scalar + n); };
  while (weight(first_) == 0) ++first_;
  std::vector<Real> weights;
  for (int n = first_ + 1; n < fields.resolved.scalar_count(); ++n) {
    weights.push_back(static_cast<Real>(weight(n) / weight(first_)));
    if (weight(n) != 0) further_ = static_cast<int>(weights.size());
  }
  if (further_ > 0) {
    weights_ = backend_->template allocate<Real>(weights.size());
    if constexpr (!Backend::only_counts)
      backend_->upload_values(weights.data(), weights_.data(), weights.size());
  }
}

template <class Backend>
void Buoyancy<Backend>::watch() {
  if (!acts()) return;
  backend_->enter(phase::diagnostics);
  Stratification<Real> kernel{scalars(0), fields_->metrics.view(), 0, {}};
  for (int axis = 0; axis < 3; ++axis) {
    kernel.factor[axis] = along(axis);
    kernel.of_mean_gradient += kernel.factor[axis] * mean_gradient(axis);
  }
  stratification_ =
      backend_->template reduce<0, 1>(fields_->layout.all_points(), kernel).maximum[0];
}

template <class Backend>
auto Buoyancy<Backend>::scalars(std::size_t level) const -> BuoyantScalars<Real> {
  if (!acts()) return {};
  const ScalarViews<const Real> all = fields_->scalars[level].views().as_const();
  return {all[first_], weights_.data(), further_, all.between};
}

template <class Backend>
double Buoyancy<Backend>::along(int axis) const {
  if (!acts()) return 0;
  return fields_->resolved.buoyancy_along()[axis] *
         fields_->resolved.buoyancy_weight(first_scalar + first_);
}

template <class Backend>
double Buoyancy<Backend>::mean_gradient(int axis) const {
  double sum = 0;
  for (int variable = first_scalar; variable < transported_variables(fields_->resolved); ++variable)
    sum += fields_->resolved.buoyancy_weight(variable) *
           fields_->resolved.mean_gradient(variable)[axis];
  return sum / fields_->resolved.buoyancy_weight(first_scalar + first_);
}

}  // namespace dns
