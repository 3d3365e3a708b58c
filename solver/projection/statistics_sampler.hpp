/// Averages taken while a staggered flow runs.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/numerics/statistics.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/budget_sampler.hpp"
#include "solver/projection/quantity_sampler.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/spectra_sampler.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/statistics/average_names.hpp"
#include "solver/statistics/running_sums.hpp"
#include "solver/statistics/statistics_sums.hpp"

namespace dns {

/// Integrates samples of a flow over time, averaged over the axes of output.statistics.average with
/// the widths of the cells as weights. Cells in bodies are left out, and a further sum counts the
/// share of those in the fluid. The sums, behind them those of spectra, are kept on the host and go
/// into checkpoints as they are; those of the whole box are on every rank.
template <class Backend>
class StatisticsSampler {
 public:
  using Real = typename Backend::Real;
  using Products = ProductsSample<Real>;

  /// rows: those across walls, null where there are none. `backend` and the case must outlive the
  /// sampler.
  StatisticsSampler(Backend& backend,
                    const Case& resolved,
                    const StaggeredGrid& grid,
                    const RowsAcrossWalls<Real>& rows,
                    const Subdomain& part)
      : case_(resolved),
        grid_(grid),
        rows_(rows),
        layout_(part.points()),
        budgets_(resolved, part),
        quantities_(backend, resolved, part),
        spectra_(backend, resolved, grid, part) {
    if (!is_asked_for()) return;
    const StatisticsCase& asked = *case_.output.statistics;
    weight_ = averaging_weight<Real>(grid, asked.average);
    const std::size_t variables = first_named_scalar + resolved.scalars.size();
    power_points_.resize(variables);
    shares_.resize(variables);
    for (const int variable : variables_in_averages(resolved)) {
      power_points_.at(variable) = PowerPoints(part, asked.average, variable).of_part;
    }
    const auto [points, sums] = largest_profile(resolved, part.points());
    backend.reserve_profiles(points, sums);
    sums_ = RunningSums(asked.start, asked.window, asked.phase);
    if constexpr (!Backend::only_counts) {
      for (const NamedSum& sum : statistics_sums(resolved)) {
        using Phases = RunningSums::Phases;
        sums_.add_sum(sum.name, sum.extents, sum.has_phases ? Phases::summed : Phases::left_out);
      }
    }
  }

  [[nodiscard]] const RunningSums& sums() const { return sums_; }
  [[nodiscard]] RunningSums& sums() { return sums_; }

  /// Continues the sums of a checkpoint, see RunningSums::go_on_from.
  void go_on_from(const FlowState& copy) {
    if (is_asked_for()) sums_.go_on_from(copy.statistics, copy.window);
  }

  [[nodiscard]] bool is_due(const FlowMoment& at) const {
    const auto& asked = case_.output.statistics;
    return asked && asked->every.is_due(at, asked->start);
  }
  /// Takes a sample of the flow after a step. solids: null if there are none.
  void sample(Backend& backend,
              const FlowMoment& at,
              const VelocityView<const Real>& velocity,
              const FieldView<const Real>& p,
              const ScalarViews<const Real>& scalars,
              const GridMetrics<Real>& metrics,
              const SolidFields<Backend>* solids) {
    if (!sums_.has_samples()) choose_references(backend, velocity, p, scalars, metrics, solids);
    sums_.begin_sample(at.step, at.time);
    take_sample(backend, at.time, velocity, p, scalars, metrics, solids);
    sums_.end_sample();
  }

 private:
  template <int sums>
  using Profile = std::vector<Reduction<double, sums, 0>>;

  void take_sample(Backend& backend,
                   double time,
                   const VelocityView<const Real>& velocity,
                   const FieldView<const Real>& p,
                   const ScalarViews<const Real>& scalars,
                   const GridMetrics<Real>& metrics,
                   const SolidFields<Backend>* solids) {
    const bool has_temperature = case_.has_temperature();
    const FieldView<const Real> temperature =
        has_temperature ? scalars.first : FieldView<const Real>{};
    std::vector<FieldView<const Real>> further;
    for (int n = has_temperature ? 1 : 0; n < scalars.count; ++n) further.push_back(scalars[n]);
    AveragingWeight<Real> weight = weight_;
    weight.metrics = metrics;
    const FieldView<const Real> solid = solid_cells_of(solids);
    for_each_variable(
        velocity, p, scalars, [&]<int component>(int variable, const FieldView<const Real>& q) {
          add_powers<component>(backend, variable, q, solid, weight);
        });
    const auto references = [&](int scalar) {
      return References{{reference_of(0), reference_of(1), reference_of(2)},
                        reference_of(pressure_in_spectra),
                        reference_of(scalar)};
    };
    const auto mean = [&]<int sums>(const auto& kernel) {
      return backend.template reduce_profiles<sums>(
          layout_.all_points(), case_.output.statistics->average, kernel);
    };
    const auto add_fluxes = [&]<class Orders, class Wrap>(const Orders& orders, const Wrap& wrap) {
      using Fluxes = ScalarFluxesSample<Real, Orders>;
      for (int n = 0; n < std::ssize(further); ++n)
        add(mean.template operator()<Fluxes::sums>(wrap(
                Fluxes{velocity, further[n], weight, references(first_named_scalar + n), orders})),
            flux_names(case_.scalars[n].name));
    };
    const auto sample_quantities = [&](const auto& wrap) {
      const auto mean_of_one = [&](const auto& kernel) {
        return mean.template operator()<1>(wrap(kernel));
      };
      quantities_.sample(time, velocity, p, scalars, weight, mean_of_one, sums_);
    };
    if (solids == nullptr) {
      const auto products = [&]<class Orders>(const Orders& orders) {
        return mean.template operator()<Products::sums>(
            ProductsSample<Real, Orders>{.velocity = velocity,
                                         .temperature = temperature,
                                         .metrics = metrics,
                                         .weight = weight,
                                         .references = references(first_scalar),
                                         .orders = orders});
      };
      add(with_second_or_any_orders<Real>(grid_, rows_, products), Products::names);
      with_second_or_any_orders<Real>(grid_, rows_, [&]<class Orders>(const Orders& orders) {
        add_fluxes(orders, []<class Kernel>(const Kernel& kernel) { return kernel; });
        if constexpr (crosses_walls<Axis::y, Orders>) {
          using Momentum = MomentumAcrossWalls<Real, Orders>;
          if (balances_momentum(case_))
            add(mean.template operator()<Momentum::sums>(
                    Momentum{velocity, weight, references(first_scalar), orders}),
                Momentum::names);
        }
        budgets_.sample(
            backend, velocity, p, temperature, weight, references(first_scalar), orders, sums_);
      });
      sample_quantities([]<class Kernel>(const Kernel& kernel) { return kernel; });
    } else {
      const auto outside = [&]<class Kernel>(const Kernel& kernel) {
        return OutsideSolids<Kernel, Real>{kernel, solid};
      };
      add(mean.template operator()<Products::sums>(
              outside(Products{velocity, temperature, metrics, weight, references(first_scalar)})),
          Products::names);
      add_fluxes(SecondOrder{}, outside);
      sample_quantities(outside);
      if (fluid_share_.empty() || case_.has_moving_bodies())
        fluid_share_ = mean.template operator()<1>(outside(weight));
      add(fluid_share_, std::array{fluid_share_name});
    }
    spectra_.sample({velocity, p, temperature, metrics, std::move(further)},
                    [&](const SpectrumSum& sum, std::span<const double> sampled) {
                      sums_.add(std::array{sum.name},
                                [&](std::size_t, std::size_t point) { return sampled[point]; });
                    });
  }

  /// Calls visit.operator()<component>(variable, field) for all of which powers are summed.
  template <class Visit>
  void for_each_variable(const VelocityView<const Real>& velocity,
                         const FieldView<const Real>& p,
                         const ScalarViews<const Real>& scalars,
                         const Visit& visit) const {
    for_each_axis([&]<Axis axis>() {
      constexpr int component = velocity_along(axis);
      visit.template operator()<component>(component, velocity[component]);
    });
    visit.template operator()<scalar_component>(pressure_in_spectra, p);
    const int named = case_.has_temperature() ? 1 : 0;
    for (int n = 0; n < scalars.count; ++n)
      visit.template operator()<scalar_component>(
          n < named ? first_scalar : first_named_scalar + n - named, scalars[n]);
  }

  [[nodiscard]] static FieldView<const Real> solid_cells_of(const SolidFields<Backend>* solids) {
    return solids == nullptr ? FieldView<const Real>{} : solids->solid_cells();
  }
  [[nodiscard]] double reference_of(int variable) const {
    return sums_.reference(symbol_in_averages(case_, variable));
  }

  /// The reference of a variable whose mean in the box is large beside its fluctuations there is
  /// that mean, in float so that all values near it differ from it by few digits. Others have none.
  void choose_references(Backend& backend,
                         const VelocityView<const Real>& velocity,
                         const FieldView<const Real>& p,
                         const ScalarViews<const Real>& scalars,
                         const GridMetrics<Real>& metrics,
                         const SolidFields<Backend>* solids) {
    constexpr double large = 16;  // whose fourth power costs five of the digits of a double
    constexpr double largest = std::numeric_limits<float>::max();
    const PerAxis<bool> all{true, true, true};
    AveragingWeight<Real> weight = averaging_weight<Real>(grid_, all);
    weight.metrics = metrics;
    std::vector<NamedNumber> references;
    for_each_variable(
        velocity, p, scalars, [&]<int component>(int variable, const FieldView<const Real>& q) {
          using Powers = PowersSample<component, Real>;
          const Box points = layout_.all_points();
          const FluidWeight<component, Real> of_fluid{weight, solid_cells_of(solids)};
          const auto sums = backend.template reduce_profiles<Powers::sums>(
              points, all, Powers{q, of_fluid, points});
          const auto share = backend.template reduce_profiles<1>(points, all, of_fluid);
          const double mean = sums.front().sum[Powers::first] / share.front().sum[0];
          const double square = sums.front().sum[Powers::second] / share.front().sum[0];
          const bool is_large = mean * mean > large * large * (square - mean * mean);
          if (is_large && std::abs(mean) < largest && mean != 0)
            references.push_back({symbol_in_averages(case_, variable), static_cast<float>(mean)});
        });
    sums_.set_references(references);
  }

  template <int component>
  void add_powers(Backend& backend,
                  int variable,
                  const FieldView<const Real>& q,
                  const FieldView<const Real>& solid,
                  const AveragingWeight<Real>& weight) {
    const std::size_t place = variable;
    const auto mean = [&]<int sums>(const auto& kernel) {
      return backend.template reduce_profiles<sums>(
          power_points_.at(place), case_.output.statistics->average, kernel);
    };
    using Powers = PowersSample<component, Real>;
    const FluidWeight<component, Real> of_fluid{weight, solid};
    const std::string symbol = symbol_in_averages(case_, variable);
    add(mean.template operator()<Powers::sums>(
            Powers{q, of_fluid, layout_.all_points(), sums_.reference(symbol)}),
        power_names(symbol));
    if (solid.origin == nullptr) return;
    Profile<1>& shares = shares_.at(place);
    if (shares.empty() || case_.has_moving_bodies()) shares = mean.template operator()<1>(of_fluid);
    add(shares, std::array{share_name_of(symbol)});
  }

  /// Adds the values of a profile to the sums of these names; nothing where there are none.
  template <int sums, class Names>
  void add(const Profile<sums>& profile, const Names& names) {
    sums_.add(names,
              [&](std::size_t which, std::size_t point) { return profile[point].sum[which]; });
  }
  [[nodiscard]] bool is_asked_for() const { return case_.output.statistics.has_value(); }

  const Case& case_;
  StaggeredGrid grid_;
  RowsAcrossWalls<Real> rows_;
  StaggeredLayout layout_;
  AveragingWeight<Real> weight_{};  // without metrics
  std::vector<Box> power_points_;   // of each variable, on this rank
  std::vector<Profile<1>> shares_;  // of the fluid there, likewise
  Profile<1> fluid_share_;  // the same of every sample where no body moves; empty before the first
  RunningSums sums_;
  BudgetSampler<Backend> budgets_;
  QuantitySampler<Backend> quantities_;
  SpectraSampler<Backend> spectra_;
};

}  // namespace dns
