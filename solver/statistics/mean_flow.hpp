/// Means of a flow at the places where its variables are, made of sums, and moments of fluctuations
/// at cell centres.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/statistics/average_names.hpp"

namespace dns {

/// The average over time of a sum, about the references of its variables, at points whose indices
/// along averaged axes do not matter; where there are bodies over the fluid.
class MeanOfSum {
 public:
  /// Throws IoError when there is no sum of that name.
  MeanOfSum(const StatisticsSums& statistics, std::string_view name);
  double operator()(Index3 c) const;

  [[nodiscard]] bool is_averaged(int axis) const { return extents_[axis] == 1; }

 private:
  Extents extents_;
  Index3 first_;  // the cell or face of the first point
  std::vector<double> values_;
};

/// Moments of fluctuations at cells: means over the faces or edges around the cell of
///   <ab> - <a><b>,
/// with both factors at the same place. Interpolation commutes with averaging, so that a flow that
/// is steady and does not vary along the axes averaged over has none: products are interpolated
/// with the orders of the axes that are kept, as in ProductsSample.
class MeanFlow {
 public:
  /// Throws IoError when a sum is missing.
  MeanFlow(const StatisticsSums& statistics, const Case& resolved);

  /// One point along axes averaged over.
  [[nodiscard]] Extents cells() const { return cells_; }
  /// The number of variables, and the symbol of each: u, v, w, T, p, the names of further scalars.
  [[nodiscard]] int variables() const { return static_cast<int>(powers_.size()); }
  [[nodiscard]] const std::string& symbol(int variable) const { return symbols_[variable]; }
  [[nodiscard]] bool has(int variable) const { return of(variable).has_value(); }

  /// What was subtracted from a variable before it was summed up, StatisticsSums::references.
  [[nodiscard]] double reference(int variable) const { return references_[variable]; }
  /// <q> of a variable at the centre of a cell.
  [[nodiscard]] double mean(int variable, Index3 c) const {
    return offsets_[variable] + computed_mean(variable, c);
  }
  /// The mean of a variable as computed, at the centre of a cell: <q> less StatisticsSums::offsets.
  [[nodiscard]] double computed_mean(int variable, Index3 c) const {
    return reference(variable) + shifted_mean(variable, c);
  }
  /// <q> less offset and reference.
  [[nodiscard]] double shifted_mean(int variable, Index3 c) const;
  /// <q'^2> there.
  [[nodiscard]] double variance(int variable, Index3 c) const;
  /// <q'^order>/<q'^2>^(order/2), order 3 or 4; NaN where the variance is so small beside the mean
  /// square about the reference that its digits are lost, and where it is that of round-off:
  /// sqrt(<q'^2>) below `epsilon` times |computed_mean|.
  [[nodiscard]] double normalised(int variable, int order, double epsilon, Index3 c) const;
  /// What the means of two velocity components contribute to <uv>, all about their references.
  [[nodiscard]] double product_of_means(int one, int other, Index3 c) const;
  /// What those of a component and a scalar contribute to their flux.
  [[nodiscard]] double flux_of_means(int component, int scalar, Index3 c) const;

 private:
  using Powers = std::array<MeanOfSum, 4>;

  [[nodiscard]] const std::optional<Powers>& of(int variable) const { return powers_[variable]; }
  [[nodiscard]] double central_moment(int variable, int order, Index3 at) const;
  [[nodiscard]] double beside(int variable, int axis, Index3 at) const;
  template <class Formula>
  [[nodiscard]] double mean_over_places(int variable, Index3 c, const Formula& f) const;
  template <class Formula>
  [[nodiscard]] double mean_of_products(int axis, Index3 c, const Formula& f) const;

  Extents cells_;
  std::vector<std::string> symbols_;
  std::vector<double> references_, offsets_;
  std::vector<std::optional<Powers>> powers_;
  StaggeredGrid grid_;
};

}  // namespace dns
