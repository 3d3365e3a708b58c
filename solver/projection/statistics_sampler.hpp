/// Averages taken while a staggered flow runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/moments.hpp"
#include "solver/numerics/solid_diagnostics.hpp"
#include "solver/projection/budget_sampler.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/spectra_sampler.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/simulation/running_sums.hpp"

namespace dns {

/// Names of the sums, in the order of StatisticsSample::Sum.
inline constexpr std::array<std::string_view, 17> sum_names{"u",
                                                            "v",
                                                            "w",
                                                            "uu",
                                                            "vv",
                                                            "ww",
                                                            "uv",
                                                            "uw",
                                                            "vw",  //
                                                            "p",
                                                            "pp",
                                                            "dissipation",
                                                            "T",
                                                            "TT",
                                                            "uT",
                                                            "vT",
                                                            "wT"};
/// The same of MomentsSample::Sum.
inline constexpr std::array<std::string_view, 10> moment_names{
    "uuu", "vvv", "www", "ppp", "uuuu", "vvvv", "wwww", "pppp", "TTT", "TTTT"};

/// Integrates samples of a flow over time, averaged over the axes of output.statistics.average with
/// the widths of the cells as weights. Cells in bodies are left out, and a further sum counts the
/// share of those in the fluid. The sums, behind them those of spectra, are kept on the host and go
/// into checkpoints as they are; those of the whole box are on every rank.
template <class Backend>
class StatisticsSampler {
 public:
  using Real = typename Backend::Real;
  using Sample = StatisticsSample<Real>;
  using Moments = MomentsSample<Real>;
  static_assert(Sample::sums == sum_names.size() && Moments::sums == moment_names.size());

  /// `backend` must outlive the sampler.
  StatisticsSampler(Backend& backend,
                    const Case& resolved,
                    const StaggeredGrid& grid,
                    const Subdomain& part)
      : case_(resolved), layout_(part.points()), spectra_(backend, resolved, grid, part) {
    if (!is_asked_for()) return;
    Extents kept = part.whole;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      if (!case_.output.statistics->average[axis]) continue;
      kept[static_cast<int>(axis)] = 1;
      inverse_length_[axis] = 1 / grid[axis].length();
    }
    const StatisticsCase& asked = *case_.output.statistics;
    sums_ = RunningSums(asked.start, asked.window);
    const int sums = resolved.has_temperature() ? Sample::sums : Sample::sums_of_flow;
    for (int which = 0; which < sums; ++which)
      sums_.add_sum(sum_names[static_cast<std::size_t>(which)], kept);
    const int moments = resolved.has_temperature() ? Moments::sums : Moments::sums_of_flow;
    for (int which = 0; which < moments; ++which)
      sums_.add_sum(moment_names[static_cast<std::size_t>(which)], kept);
    if (!resolved.solids.empty()) sums_.add_sum(fluid_share_name, kept);
    budgets_ = BudgetSampler<Backend>(resolved, part, sums_);
    for (const SpectrumSum& sum : spectra_sums(resolved)) sums_.add_sum(sum.name, sum.extents);
  }

  [[nodiscard]] const RunningSums& sums() const { return sums_; }
  [[nodiscard]] RunningSums& sums() { return sums_; }

  /// Continues the sums of a checkpoint, see RunningSums::go_on_from.
  void go_on_from(const FlowState& copy) {
    if (is_asked_for()) sums_.go_on_from(copy.statistics, copy.window);
  }

  /// Takes a sample of the flow after step `step` if one is due. solids: null if there are none.
  void sample_if_due(Backend& backend,
                     std::int64_t step,
                     double time,
                     const VelocityView<const Real>& velocity,
                     const FieldView<const Real>& p,
                     const FieldView<const Real>& temperature,
                     const GridMetrics<Real>& metrics,
                     const SolidFields<Backend>* solids) {
    if (!is_due(step, time)) return;
    sums_.begin_sample(step, time);
    take_sample(backend, velocity, p, temperature, metrics, solids);
    sums_.end_sample();
  }

 private:
  template <int sums>
  using Profile = std::vector<Reduction<double, sums, 0>>;

  void take_sample(Backend& backend,
                   const VelocityView<const Real>& velocity,
                   const FieldView<const Real>& p,
                   const FieldView<const Real>& temperature,
                   const GridMetrics<Real>& metrics,
                   const SolidFields<Backend>* solids) {
    const AveragingWeight<Real> weight{
        metrics, {inverse_length_[0], inverse_length_[1], inverse_length_[2]}};
    const Sample sample{velocity, p, temperature, metrics, weight};
    const Moments moments{velocity, p, temperature, weight};
    const auto mean = [&]<int sums>(const auto& kernel) {
      return backend.template reduce_profiles<sums>(
          layout_.all_points(), case_.output.statistics->average, kernel);
    };
    if (solids == nullptr) {
      add(mean.template operator()<Sample::sums>(sample), sum_names);
      add(mean.template operator()<Moments::sums>(moments), moment_names);
      budgets_.sample(backend, velocity, p, weight, sums_);
    } else {
      const auto outside = [&]<class Kernel>(const Kernel& kernel) {
        return OutsideSolids<Kernel, Real>{kernel, solids->solid_cells()};
      };
      add(mean.template operator()<Sample::sums>(outside(sample)), sum_names);
      add(mean.template operator()<Moments::sums>(outside(moments)), moment_names);
      if (fluid_share_.empty()) fluid_share_ = mean.template operator()<1>(outside(weight));
      add(fluid_share_, std::array{fluid_share_name});
    }
    spectra_.sample({velocity, p, temperature, metrics},
                    [&](const SpectrumSum& sum, std::span<const double> sampled) {
                      sums_.add(std::array{sum.name},
                                [&](std::size_t, std::size_t point) { return sampled[point]; });
                    });
  }

  /// Adds the values of a profile to the sums of these names; nothing where there are none.
  template <std::size_t sums>
  void add(const Profile<static_cast<int>(sums)>& profile,
           const std::array<std::string_view, sums>& names) {
    sums_.add(names,
              [&](std::size_t which, std::size_t point) { return profile[point].sum[which]; });
  }
  [[nodiscard]] bool is_asked_for() const { return case_.output.statistics.has_value(); }
  [[nodiscard]] bool is_due(std::int64_t step, double time) const {
    constexpr double round_off = 1e-9;  // of a time that is a sum of steps
    return is_asked_for() && step % case_.output.statistics->every == 0 &&
           time >= case_.output.statistics->start * (1 - round_off);
  }

  Case case_;
  StaggeredLayout layout_;
  std::array<double, 3> inverse_length_{};  // of the axes averaged over, else 0
  Profile<1> fluid_share_;                  // the same of every sample; empty before the first
  RunningSums sums_;
  BudgetSampler<Backend> budgets_;
  SpectraSampler<Backend> spectra_;
};

}  // namespace dns
