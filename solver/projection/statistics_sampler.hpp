/// Averages taken while a staggered flow runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/statistics.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/spectra_sampler.hpp"
#include "solver/projection/staggered_field.hpp"

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
                                                            "vw",
                                                            "p",
                                                            "pp",
                                                            "dissipation",
                                                            "T",
                                                            "TT",
                                                            "uT",
                                                            "vT",
                                                            "wT"};

/// Sums up samples of a flow, averaged over the axes of output.statistics.average with the widths
/// of the cells as weights. Cells in bodies are left out, and a further sum counts the share of
/// those in the fluid. The sums, behind them those of spectra, are kept on the host and go into
/// checkpoints as they are; those of the whole box are on every rank.
template <class Backend>
class StatisticsSampler {
 public:
  using Real = typename Backend::Real;
  using Sample = StatisticsSample<Real>;
  static_assert(Sample::sums == sum_names.size());

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
    const auto add = [&](std::string_view name, Extents extents) {
      HostField& sum =
          sums_.sums.emplace_back(std::string(name), extents, Precision::double_precision);
      for (double& value : sum.template values<double>()) value = 0;
    };
    const int sums = resolved.has_temperature() ? Sample::sums : Sample::sums_of_flow;
    for (int which = 0; which < sums; ++which)
      add(sum_names[static_cast<std::size_t>(which)], kept);
    if (!resolved.solids.empty()) add(fluid_share_name, kept);
    first_spectrum_ = sums_.sums.size();
    for (const SpectrumSum& sum : spectra_sums(resolved)) add(sum.name, sum.extents);
  }

  /// A copy of the sums so far.
  [[nodiscard]] StatisticsSums sums() const { return duplicate(sums_); }

  /// Continues the sums of a checkpoint; starts anew if it has none. Throws CaseError when they do
  /// not fit.
  void go_on_from(const StatisticsSums& before) {
    if (!is_asked_for() || before.sums.empty()) return;
    bool fits = before.sums.size() == sums_.sums.size();
    for (std::size_t n = 0; fits && n < before.sums.size(); ++n) {
      fits = before.sums[n].name() == sums_.sums[n].name() &&
             before.sums[n].extents() == sums_.sums[n].extents();
    }
    if (!fits) {
      throw CaseError(
          "the statistics of the checkpoint were averaged over other axes than "
          "output.statistics.average now asks for, or with other output.statistics.spectra");
    }
    sums_ = duplicate(before);
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
    const AveragingWeight<Real> weight{
        metrics, {inverse_length_[0], inverse_length_[1], inverse_length_[2]}};
    const Sample sample{velocity, p, temperature, metrics, weight};
    const auto mean = [&]<int sums>(const auto& kernel) {
      return backend.template reduce_profiles<sums>(
          layout_.all_points(), case_.output.statistics->average, kernel);
    };
    if (solids == nullptr) {
      add(mean.template operator()<Sample::sums>(sample));
    } else {
      const auto outside = [&]<class Kernel>(const Kernel& kernel) {
        return OutsideSolids<Kernel, Real>{kernel, solids->solid_cells()};
      };
      add(mean.template operator()<Sample::sums>(outside(sample)));
      if (fluid_share_.empty()) fluid_share_ = mean.template operator()<1>(outside(weight));
      add_to(sums_.sums[first_spectrum_ - 1], fluid_share_, 0);
    }
    std::size_t spectrum = first_spectrum_;
    spectra_.sample({velocity, p, temperature, metrics},
                    [&](const SpectrumSum& /*sum*/, std::span<const double> sampled) {
                      const auto values = sums_.sums[spectrum++].template values<double>();
                      for (std::size_t n = 0; n < values.size(); ++n) values[n] += sampled[n];
                    });
    if (sums_.samples == 0) sums_.first_time = time;
    sums_.last_time = time;
    ++sums_.samples;
  }

 private:
  template <int sums>
  using Profile = std::vector<Reduction<double, sums, 0>>;

  template <class Values>
  static void add_to(HostField& sum, const Values& profile, std::size_t which) {
    const auto values = sum.template values<double>();
    for (std::size_t point = 0; point < values.size(); ++point)
      values[point] += profile[point].sum[which];
  }
  void add(const Profile<Sample::sums>& profile) {
    for (std::size_t which = 0; which < first_spectrum_; ++which) {
      if (sums_.sums[which].name() != fluid_share_name) add_to(sums_.sums[which], profile, which);
    }
  }
  [[nodiscard]] static StatisticsSums duplicate(StatisticsSums sums) {
    for (HostField& sum : sums.sums) sum = sum.duplicate();
    return sums;
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
  StatisticsSums sums_;
  std::size_t first_spectrum_ = 0;  // of the sums
  SpectraSampler<Backend> spectra_;
};

}  // namespace dns
