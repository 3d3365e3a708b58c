/// The Lorentz force in scheme `projection`; its formulas: solver/numerics/lorentz_force.hpp.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/cell_sum.hpp"
#include "solver/numerics/lorentz_force.hpp"
#include "solver/numerics/staggered_gradients.hpp"
#include "solver/numerics/terms.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/pressure_projection.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/terms/terms_in_words.hpp"

namespace dns {

/// One Poisson equation more for each evaluation, and four fields.
template <class Backend>
class Lorentz {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit Lorentz(const ProjectionFields<Backend>& fields) : fields_(&fields) {
    if (!acts()) return;
    current_.emplace(*fields.backend, fields.layout);
    potential_.emplace(*fields.backend, fields.layout);
    for (int axis = 0; axis < 3; ++axis) {
      direction_[axis] = static_cast<Real>(of_case().direction()[axis]);
      inverse_volume_[axis] = 1 / rounded_volume<Real>(fields.grid, axis);
    }
  }
  /// Both outlive it.
  void connect(PressureProjection<Backend>& projection, GhostPoints<Backend>& ghosts) {
    projection_ = &projection;
    ghosts_ = &ghosts;
  }

  [[nodiscard]] bool acts() const { return fields_->resolved.magnetic.has_value(); }
  /// N [U/L].
  [[nodiscard]] double rate() const { return acts() ? fields_->resolved.lorentz_rate() : 0; }

  void add_to(TermRates& rates) const { rates.decay += rate(); }
  /// But for the velocity, for which find_current() is to be called.
  void add_to(SumOfTerms<Real>& sum) const {
    if (acts()) sum.lorentz = {current_->view_const(), {}, direction_, static_cast<Real>(rate())};
  }
  /// Finds the current that a velocity induces, whose ghost points are there.
  void find_current(const VelocityView<const Real>& velocity) const;

  /// Columns of the time series.
  [[nodiscard]] std::vector<std::string> names() const {
    if (!acts()) return {};
    return {
        "joule_dissipation", "potential_rms", "charge_max", "current_x", "current_y", "current_z"};
  }
  /// Their values for the flow.
  [[nodiscard]] std::vector<double> values() const;
  /// Gives the current and the potential of the flow to the fields of snapshots that are asked for.
  void add_to(StaggeredGradients<Real>& gradients) const {
    const FieldOutputCase& asked = fields_->resolved.output.fields;
    if (!acts() || !(asked.has(current_name) || asked.has(potential_name))) return;
    find_current(fields_->now.view_const());
    gradients.current = current_->view_const();
    gradients.potential = potential_->view_const();
  }
  [[nodiscard]] std::string in_words() const { return lorentz_in_words(fields_->resolved); }

 private:
  [[nodiscard]] const MagneticCase& of_case() const { return *fields_->resolved.magnetic; }
  void remove_net_current() const;

  const ProjectionFields<Backend>* fields_;
  PressureProjection<Backend>* projection_ = nullptr;
  GhostPoints<Backend>* ghosts_ = nullptr;
  std::optional<StaggeredVelocity<Backend>> current_;
  std::optional<StaggeredField<Backend>> potential_;
  PerAxis<Real> direction_{};
  PerAxis<double> inverse_volume_{};
};

template <class Backend>
void Lorentz<Backend>::find_current(const VelocityView<const Real>& velocity) const {
  Backend& backend = *fields_->backend;
  backend.enter(phase::poisson);
  fields_->with_orders([&]<class Orders>(const Orders& orders) {
    backend.for_each(fields_->layout.all_points(),
                     InduceField<Real, Orders>{
                         velocity, fields_->metrics.view(), orders, direction_, current_->view()});
  });
  if (of_case().net_current == MagneticCase::NetCurrent::zero) remove_net_current();
  projection_->balance(*current_, *potential_);
  fields_->with_orders([&]<class Orders>(const Orders& orders) {
    backend.for_each(fields_->layout.all_points(),
                     CorrectVelocity<Real, Orders>{.velocity = current_->view(),
                                                   .phi = potential_->view_const(),
                                                   .pressure = {},
                                                   .metrics = fields_->metrics.view(),
                                                   .dt = 1,
                                                   .shift = nullptr,
                                                   .part = 0,
                                                   .orders = orders});
  });
  ghosts_->fill_ghosts(current_->view(), {}, {});
}

template <class Backend>
std::vector<double> Lorentz<Backend>::values() const {
  std::vector<double> values;
  if (!acts()) return values;
  find_current(fields_->now.view_const());
  fields_->with_orders([&]<class Orders>(const Orders& orders) {
    using Sums = SumCurrents<Real, Orders>;
    const auto found = fields_->backend->template reduce<Sums::sums, Sums::maxima>(
        fields_->layout.all_points(),
        Sums{current_->view_const(), potential_->view_const(), fields_->metrics.view(), orders});
    const double cells = rounded_volume<Real>(fields_->grid);
    values = {rate() * found.sum[Sums::squared] / cells,
              std::sqrt(found.sum[Sums::potential] / cells),
              found.maximum[Sums::charge]};
    for (int axis = 0; axis < 3; ++axis)
      values.push_back(found.sum[Sums::mean + axis] * inverse_volume_[axis]);
  });
  return values;
}

/// Takes its mean along periodic axes from V x b: grad Phi has none.
template <class Backend>
void Lorentz<Backend>::remove_net_current() const {
  MomentaBetweenWalls<Real> kernel{current_->view_const(), fields_->metrics.view(), {}};
  for (int axis = 0; axis < 3; ++axis)
    kernel.is_summed[axis] =
        fields_->grid[axis].is_periodic && direction_[axis] * direction_[axis] < 1;
  if (kernel.is_summed == PerAxis<bool>{}) return;
  const auto sums = fields_->backend->template reduce<MomentumSum::count, 0>(
      fields_->layout.all_points(), kernel);
  for (int axis = 0; axis < 3; ++axis) {
    const double mean = sums.sum[MomentumSum::momentum + axis] * inverse_volume_[axis];
    if (!kernel.is_summed[axis] || mean == 0) continue;
    fields_->backend->for_each(
        fields_->layout.all_words(sizeof(Real)),
        AddUniform<Real>{static_cast<Real>(-mean), (*current_)[axis].view()});
  }
}

}  // namespace dns
