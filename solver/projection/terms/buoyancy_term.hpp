/// Buoyancy in scheme `projection`; its formulas: solver/numerics/buoyancy.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/buoyancy.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/fields.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// In copies for restart, which may lack it: Buoyancy::stratification [U^2/L^2].
inline constexpr std::string_view stratification_number = "stratification";

/// The acceleration along e by what rises: the scalars with a weight, over that of the first of
/// them. Without buoyancy all is 0.
template <class Backend>
class Buoyancy {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit Buoyancy(const ProjectionFields<Backend>& fields);

  [[nodiscard]] bool acts() const { return fields_->resolved.buoyancy.has_value(); }
  /// Looks at the stratification if that is due, or if it may soon limit buoyancy in steps of dt.
  void watch(bool is_due, double dt);
  /// Prepares a step of dt [L/U]: finds the mean temperatures of planes where buoyancy along an
  /// axis needs a limit.
  void begin(double dt);
  /// No limit in what follows, until the next step.
  void end_limit() { is_limited_ = false; }

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
  /// Its part of a step of dt. Scalars: BuoyantScalars, or FieldView for the first one alone.
  template <Axis axis, class Scalars>
  [[nodiscard]] StepBuoyancy<axis, Real, Scalars> in_step(double dt) const {
    const double buoyancy = along(velocity_along(axis));
    const auto of_level = [&](std::size_t level) -> Scalars {
      if constexpr (std::is_same_v<Scalars, BuoyantScalars<Real>>) return scalars(level);
      if constexpr (!std::is_same_v<Scalars, BuoyantScalars<Real>>)
        return scalars(level).temperature;
    };
    return {fields_->metrics.view().axes[velocity_along(axis)].inverse_distance,
            static_cast<Real>(dt * buoyancy / 4),
            {of_level(0), of_level(1)},
            is_limited_ ? of_planes_.data() + metric_ghosts : nullptr,
            static_cast<Real>(dt * dt * buoyancy / 4),
            static_cast<Real>(buoyancy != 0 ? mean_gradient(velocity_along(axis)) : 0)};
  }

  void add_to(TermRates& rates) const {
    rates.frequency += std::sqrt(std::max(stratification_, 0.0));
  }
  void add_to(FlowState& copy) const {
    if (acts()) copy.numbers.push_back({std::string(stratification_number), stratification_});
  }
  void start(const FlowState* copy) {
    stratification_ = copy != nullptr ? find_number(*copy, stratification_number).value_or(-1) : -1;
  }

  /// The largest N^2 when it was last looked at [U^2/L^2]; below 0: never.
  [[nodiscard]] double stratification() const { return stratification_; }
  [[nodiscard]] bool is_limited() const { return is_limited_; }

 private:
  /// The imposed gradient of what rises along an axis, over the weight of that scalar [T0/L].
  [[nodiscard]] double mean_gradient(int axis) const;

  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  double stratification_ = -1;
  int first_ = 0;     // of the scalars, the first that rises
  Memory weights_;    // of those after it, see BuoyantScalars
  int further_ = 0;   // of these, up to the last that rises
  Memory of_planes_;  // see StepBuoyancy
  bool is_limited_ = false;
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
  const std::optional<int> axis = fields.resolved.axis_of_buoyancy();
  if (!axis) return;
  of_planes_ = backend_->template allocate<Real>(metric_count(fields.layout.points[*axis]));
  backend_->reserve_profiles(static_cast<std::size_t>(fields.layout.points[*axis]), 1);
}

template <class Backend>
void Buoyancy<Backend>::watch(bool is_due, double dt) {
  if (!acts()) return;
  constexpr double far_from_limit = 0.25;
  const bool may_be_limited =
      dt * dt / 4 * stratification_ > far_from_limit * unlimited_stratification;
  if (!is_due && stratification_ >= 0 && !may_be_limited) return;
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
void Buoyancy<Backend>::begin(double dt) {
  const std::optional<int> axis_along = fields_->resolved.axis_of_buoyancy();
  is_limited_ = axis_along && dt * dt / 4 * stratification_ > unlimited_stratification;
  if (!is_limited_) return;
  backend_->enter(phase::diagnostics);
  with_axis(*axis_along, [&]<Axis axis>() {
    PerAxis<bool> summed{true, true, true};
    summed[axis] = false;
    const auto profile = backend_->template reduce_profiles<1>(
        fields_->layout.all_points(), summed, BuoyancyAtFaces<axis, Real>{scalars(0)});
    const double count =
        static_cast<double>(fields_->part.whole.count()) / fields_->part.whole[axis];
    std::vector<Real> means(metric_count(fields_->layout.points[axis]));
    for (int n = 0; n < fields_->layout.points[axis]; ++n) {
      const std::size_t place = fields_->part.first(axis) + n;
      means[metric_place(n)] = static_cast<Real>(profile[place].sum[0] / count);
    }
    backend_->upload_values(means.data(), of_planes_.data(), means.size());
  });
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
