#include "solver/statistics/budget_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "solver/grid/case_grid.hpp"
#include "solver/statistics/budget_terms.hpp"

namespace dns {
namespace {

bool has_term(const Case& resolved, bool is_of_energy, std::size_t term) {
  if (term == buoyancy_term) return resolved.buoyancy.has_value();
  return term != pressure_strain_term || !is_of_energy;
}

/// The averages of one budget, from its terms at all cells.
void append(const std::string& stress,
            Extents extents,
            const std::vector<BudgetTerms>& terms,
            const Case& resolved,
            std::vector<Average>& averages) {
  for (std::size_t term = 0; term < budget_terms; ++term) {
    if (!has_term(resolved, stress == "k", term)) continue;
    Average& average = averages.emplace_back(
        Average{fmt::format("budget_{}_{}", stress, budget_term_names.at(term)), extents, {}});
    for (const BudgetTerms& at_cell : terms) average.values.push_back(at_cell.at(term));
  }
  Average& residual =
      averages.emplace_back(Average{fmt::format("budget_{}_residual", stress), extents, {}});
  for (const BudgetTerms& at_cell : terms)
    residual.values.push_back(std::accumulate(at_cell.begin(), at_cell.end(), 0.0));
}

template <class Budget>
std::vector<BudgetTerms> at_all_cells(const Budget& budget, Extents cells) {
  std::vector<BudgetTerms> terms;
  terms.reserve(cells.count());
  for_each_point({{}, {cells.nx, cells.ny, cells.nz}},
                 [&](Index3 c) { terms.push_back(budget.at_cell(c)); });
  return terms;
}

}  // namespace

std::vector<Average> budgets_of(const StatisticsSums& statistics, const Case& resolved) {
  std::vector<Average> averages;
  const auto of_cells =
      std::ranges::find(statistics.sums, std::string_view("budget_uu"), &HostField::name);
  if (of_cells == statistics.sums.end()) return averages;
  const Extents cells = of_cells->extents();
  const MeanFlow flow(statistics, resolved);
  const BudgetGrid grid{&resolved, staggered_grid(resolved), conditions_of(resolved)};
  std::vector<BudgetTerms> energy(cells.count());
  for (int a = 0; a < 3; ++a) {
    const auto terms = grid.along(1).across_walls
                           ? budget_across_walls(statistics, flow, grid, a)
                           : at_all_cells(NormalStressBudget(statistics, flow, grid, a), cells);
    append(std::string(2, "uvw"[a]), cells, terms, resolved, averages);
    for (std::size_t cell = 0; cell < terms.size(); ++cell) {
      for (std::size_t term = 0; term < budget_terms; ++term)
        energy[cell].at(term) += terms[cell].at(term) / 2;
    }
  }
  for (const auto& [first, second] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}}) {
    append({"uvw"[first], "uvw"[second]},
           cells,
           at_all_cells(ShearStressBudget(statistics, flow, grid, first, second), cells),
           resolved,
           averages);
  }
  append("k", cells, energy, resolved, averages);
  return averages;
}

}  // namespace dns
