#include "solver/statistics/statistics_sums.hpp"

#include <span>
#include <utility>

#include "solver/config/order_of_axes.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/budgets.hpp"
#include "solver/numerics/budgets_across_walls.hpp"
#include "solver/numerics/shear_budgets.hpp"
#include "solver/statistics/average_names.hpp"
#include "solver/statistics/spectra_plan.hpp"

namespace dns {
namespace {

/// The points along the axes that are kept, and `more` beyond the cells.
Extents points_of(const Case& resolved, Extents points, int more) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_averaged = resolved.output.statistics->average[axis];
    points[axis] = is_averaged ? 1 : points[axis] + more;
  }
  return points;
}

class SumList {
 public:
  void append(const std::string& prefix, const auto& names, Extents extents) {
    for (const auto& name : names) sums_.push_back({prefix + name, extents});
  }
  /// All so far.
  void have_phases() {
    for (NamedSum& sum : sums_) sum.has_phases = true;
  }
  [[nodiscard]] std::vector<NamedSum> take() { return std::move(sums_); }

 private:
  std::vector<NamedSum> sums_;
};

void append_budgets(const Case& resolved, SumList& sums) {
  const Extents at_cells = points_of(resolved, resolved.grid.points, 0);
  const Extents at_faces = points_of(resolved, resolved.grid.points, 1);
  if (balances_momentum(resolved)) {
    sums.append(budget_prefix, BudgetsAtCells<double, SecondOrder>::names, at_cells);
    sums.append(budget_prefix, BudgetsAtFaces<double, SecondOrder>::names, at_faces);
    sums.append(budget_prefix, PressureStrainSample<double>::names, at_cells);
    sums.append(budget_prefix, CentredProducts<double>::names, at_cells);
    sums.append(budget_prefix, CentredGradients<double>::names, at_cells);
    return;
  }
  for (int component = 0; component < 3; ++component) {
    sums.append(budget_prefix_of(component), ProductsAtUnknowns<0, double>::names, at_faces);
    for (int axis = 0; axis < 3; ++axis) {
      if (!resolved.output.statistics->average[axis])
        sums.append(
            budget_prefix_of(component, axis), ProductsAtEnds<Axis::x, 0, double>::names, at_faces);
    }
  }
  sums.append(budget_prefix, PressureStrainSample<double>::names, at_cells);
  sums.append(budget_prefix, CentredProducts<double>::names, at_cells);
  sums.append(budget_prefix, CentredGradients<double>::names, at_cells);
}

}  // namespace

PowerPoints::PowerPoints(const Subdomain& part, const PerAxis<bool>& average, int variable)
    : whole(part.whole) {
  const Extents points = part.points();
  const bool is_interpolated = variable != pressure_in_spectra;
  of_part.end = {points.nx, points.ny, points.nz};
  for (int axis = 0; axis < 3; ++axis) {
    if (average[axis]) {
      whole[axis] = 1;
      continue;
    }
    const int below = axis != variable && is_interpolated ? 1 : 0;
    const int above = is_interpolated ? 1 : 0;
    whole[axis] += below + above;
    if (part.part.begin[axis] == 0) of_part.begin[axis] -= below;
    if (part.part.end[axis] == part.whole[axis]) of_part.end[axis] += above;
  }
}

std::vector<int> variables_in_averages(const Case& resolved) {
  std::vector<int> variables{0, 1, 2, pressure_in_spectra};
  if (resolved.has_temperature()) variables.push_back(first_scalar);
  for (int n = 0; n < std::ssize(resolved.scalars); ++n)
    variables.push_back(first_named_scalar + n);
  return variables;
}

bool balances_momentum(const Case& resolved) {
  const PerAxis<bool>& average = resolved.output.statistics->average;
  return has_rows_across_walls(resolved, 1) && average[0] && !average[1] && average[2];
}

std::string budget_prefix_of(int component) {
  return std::string(budget_prefix) + "uvw"[component] + "_";
}
std::string budget_prefix_of(int component, int axis) {
  return budget_prefix_of(component) + "xyz"[axis] + "_";
}

std::vector<NamedSum> statistics_sums(const Case& resolved) {
  if (!resolved.output.statistics) return {};
  const StatisticsCase& asked = *resolved.output.statistics;
  const bool has_bodies = !resolved.solids.empty();
  SumList sums;
  for (const int variable : variables_in_averages(resolved)) {
    const std::string symbol = symbol_in_averages(resolved, variable);
    const Extents points = PowerPoints(whole_box(resolved), asked.average, variable).whole;
    sums.append("", power_names(symbol), points);
    if (has_bodies) sums.append("", std::array{share_name_of(symbol)}, points);
  }
  using Products = ProductsSample<double>;
  const Extents at_cells = points_of(resolved, resolved.grid.points, 0);
  const std::size_t products = resolved.has_temperature() ? Products::sums : Products::heat_fluxes;
  sums.append("", std::span(Products::names).first(products), at_cells);
  for (const ScalarCase& scalar : resolved.scalars)
    sums.append("", flux_names(scalar.name), at_cells);
  if (balances_momentum(resolved))
    sums.append("", MomentumAcrossWalls<double, SecondOrder>::names, at_cells);
  for (const QuantityCase& quantity : asked.quantities)
    sums.append("", std::array{quantity.name}, at_cells);
  if (has_bodies) sums.append("", std::array{std::string(fluid_share_name)}, at_cells);
  sums.have_phases();
  if (asked.budgets) append_budgets(resolved, sums);
  for (const SpectrumSum& sum : spectra_sums(resolved))
    sums.append("", std::array{sum.name}, sum.extents);
  return sums.take();
}

std::size_t values_in_sums(const Case& resolved) {
  std::size_t values = 0;
  for (const NamedSum& sum : statistics_sums(resolved)) values += sum.extents.count();
  return values;
}

std::size_t values_in_phases(const Case& resolved) {
  if (!resolved.output.statistics || !resolved.output.statistics->phase) return 0;
  std::size_t values = 0;
  for (const NamedSum& sum : statistics_sums(resolved))
    if (sum.has_phases) values += sum.extents.count();
  return values * resolved.output.statistics->phase->bins;
}

std::pair<std::size_t, int> largest_profile(const Case& resolved, Extents cells) {
  const bool has_budgets = resolved.output.statistics->budgets;
  const std::size_t sums = !has_budgets ? ProductsSample<double>::names.size()
                           : balances_momentum(resolved)
                               ? BudgetsAtFaces<double, SecondOrder>::names.size()
                               : CentredProducts<double>::names.size();
  return {points_of(resolved, cells, 2).count(), static_cast<int>(sums)};
}

}  // namespace dns
