/// Terms of the budgets of single Reynolds stresses, see budget_averages.hpp.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/statistics/mean_flow.hpp"

namespace dns {

/// Terms of a budget [U^3/L], in this order.
enum BudgetTerm : std::size_t {
  advection_term,
  production_term,
  turbulent_transport_term,
  pressure_transport_term,
  pressure_strain_term,
  viscous_diffusion_term,
  dissipation_term,
  buoyancy_term,
  budget_terms
};
inline constexpr std::array<std::string_view, budget_terms> budget_term_names{"advection",
                                                                              "production",
                                                                              "turbulent_transport",
                                                                              "pressure_transport",
                                                                              "pressure_strain",
                                                                              "viscous_diffusion",
                                                                              "dissipation",
                                                                              "buoyancy"};
using BudgetTerms = std::array<double, budget_terms>;

/// The grid of a case, with the axes that are kept.
struct BudgetGrid {
  const Case* resolved = nullptr;
  StaggeredGrid axes;
  Conditions conditions;

  [[nodiscard]] const StaggeredAxis& along(int axis) const { return axes[axis]; }
  [[nodiscard]] bool is_kept(int axis) const { return !resolved->output.statistics->average[axis]; }
  /// d/dn of a fluctuation of a velocity component on a wall over the fluctuation itself, n into
  /// the fluid: 1/l along walls with the slip length l, 0 along those that give the shear, else
  /// infinite [1/L].
  [[nodiscard]] double growth_at_wall(int face, int component) const {
    const BoundaryCondition& wall = conditions[face][component].weights;
    return wall.value_weight / std::abs(wall.gradient_weight);
  }
  /// The acceleration per temperature along an axis [U^2/(L T0)].
  [[nodiscard]] double buoyancy_along(int axis) const { return resolved->buoyancy_along()[axis]; }
};

/// Budget of <u'u'>, <v'v'> or <w'w'>: component 0, 1, 2.
class NormalStressBudget {
 public:
  /// `grid` and `flow`, that of the statistics, outlive it.
  NormalStressBudget(const StatisticsSums& statistics,
                     const MeanFlow& flow,
                     const BudgetGrid& grid,
                     int component);
  [[nodiscard]] BudgetTerms at_cell(Index3 c) const;

 private:
  /// Means at the low ends of control volumes along an axis, ProductsAtEnds::Sum.
  struct AtEnds {
    AtEnds(const StatisticsSums& statistics, const std::string& prefix);
    MeanOfSum flux, flux_here, flux_below, here_below, flux_here_below, below, difference_squared,
        half_square_change;
  };
  /// Mean values, about the references, and central moments there.
  struct Moments {
    double flux, here, below;                                   // <V>, <q>, <q_->
    double flux_here, flux_below, here_below, flux_here_below;  // <V'q'>, ...
    double step, gradient_squared, mean_gradient;               // h, <g'^2>, <(q + q_-)'/2 g'>
  };

  [[nodiscard]] Moments at_low_end(int axis, Index3 c) const;
  [[nodiscard]] BudgetTerms at_unknown(Index3 c) const;
  [[nodiscard]] BudgetTerms at_plane(Index3 c) const;
  void add_ends(int axis, Index3 c, BudgetTerms& terms) const;
  void add_pressure(Index3 c, BudgetTerms& terms) const;
  [[nodiscard]] double flux_of_pressure(Index3 face) const;
  [[nodiscard]] double buoyancy(Index3 c) const;
  [[nodiscard]] double mean_at_face(const MeanOfSum& of_cells, Index3 face, double below) const;

  const MeanFlow* flow_;
  const BudgetGrid* grid_;
  int own_;
  double viscosity_;
  MeanOfSum mean_, averaged_dissipation_, pressure_flux_, pressure_, strain_;
  PerAxis<std::optional<AtEnds>> ends_;  // of the axes that are kept
  std::optional<MeanOfSum> heat_flux_;   // with buoyancy along the component
};

/// Budget of a normal stress at all cells along y, where walls across it have order 4.
[[nodiscard]] std::vector<BudgetTerms> budget_across_walls(const StatisticsSums& statistics,
                                                           const MeanFlow& flow,
                                                           const BudgetGrid& grid,
                                                           int component);

/// Budget of <u'v'>, <u'w'> or <v'w'>: components first < second.
class ShearStressBudget {
 public:
  /// `grid` and `flow`, that of the statistics, outlive it.
  ShearStressBudget(const StatisticsSums& statistics,
                    const MeanFlow& flow,
                    const BudgetGrid& grid,
                    int first,
                    int second);
  [[nodiscard]] BudgetTerms at_cell(Index3 c) const;

 private:
  [[nodiscard]] double covariance(int one, int other, Index3 c) const;
  [[nodiscard]] double triple(int k, Index3 c) const;
  template <class Values>
  [[nodiscard]] std::array<double, 2> derivatives(int axis,
                                                  Index3 c,
                                                  std::initializer_list<int> components,
                                                  const Values& values) const;

  const MeanFlow* flow_;
  const BudgetGrid* grid_;
  int first_, second_;
  std::vector<MeanOfSum> pressure_velocity_, gradient_;  // 3, 9
  std::vector<MeanOfSum> squares_;                       // uu, uv, uw, uv, vv, ...: 9
  std::vector<MeanOfSum> triples_;                       // with u, v, w
  MeanOfSum pressure_, strain_, gradients_;
  std::array<std::optional<MeanOfSum>, 2> heat_flux_;  // of both components, with buoyancy
};

}  // namespace dns
