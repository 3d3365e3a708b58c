/// Samples for the budgets of kinetic energy and Reynolds stresses: output.statistics.budgets.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/budgets.hpp"
#include "solver/numerics/budgets_across_walls.hpp"
#include "solver/numerics/shear_budgets.hpp"
#include "solver/statistics/running_sums.hpp"
#include "solver/statistics/statistics_sums.hpp"

namespace dns {

/// Adds the products of solver/numerics/budgets.hpp (between walls of order 4
/// budgets_across_walls.hpp) and shear_budgets.hpp to sums of their names:
///   budget_v_y_Vu ...  of component v at the low ends along y, one for each axis that is kept, and
///   budget_v_u ...     at the unknowns: one more point than cells along the axes that are kept
///   budget_uuv ...     at cells
template <class Backend>
class BudgetSampler {
 public:
  using Real = typename Backend::Real;

  BudgetSampler(const Case& resolved, const Subdomain& part) {
    if (!resolved.output.statistics || !resolved.output.statistics->budgets) return;
    is_asked_for_ = true;
    average_ = resolved.output.statistics->average;
    const Extents own = part.points();
    cells_.end = {own.nx, own.ny, own.nz};
    faces_ = cells_;
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_kept = !average_[axis];
      if (is_kept && part.part.end[axis] == part.whole[axis]) ++faces_.end[axis];
    }
  }

  /// Adds a sample if budgets are asked for. temperature: null if there is none.
  template <class Orders>
  void sample(Backend& backend,
              const VelocityView<const Real>& velocity,
              const FieldView<const Real>& p,
              const FieldView<const Real>& temperature,
              const AveragingWeight<Real>& weight,
              const References& references,
              const Orders& orders,
              RunningSums& sums) const {
    if (!is_asked_for_) return;
    const auto add = [&](const Box& box, const auto& kernel, const std::string& prefix) {
      add_profile(backend, box, kernel, prefix, sums);
    };
    if constexpr (crosses_walls<Axis::y, Orders>) {
      add(cells_,
          BudgetsAtCells<Real, Orders>{velocity, p, weight, references, orders},
          budget_prefix);
      add(faces_,
          BudgetsAtFaces<Real, Orders>{velocity, p, temperature, weight, references, orders},
          budget_prefix);
    } else {
      add_ends(add, velocity, p, weight, references);
    }
    add(cells_, PressureStrainSample<Real>{velocity, p, weight, references}, budget_prefix);
    add(cells_, CentredProducts<Real>{velocity, p, weight, references}, budget_prefix);
    add(cells_, CentredGradients<Real>{velocity, p, weight, references}, budget_prefix);
  }

 private:
  template <class Add>
  void add_ends(const Add& add,
                const VelocityView<const Real>& velocity,
                const FieldView<const Real>& p,
                const AveragingWeight<Real>& weight,
                const References& references) const {
    for_each_axis([&]<Axis own>() {
      constexpr int component = velocity_along(own);
      add(faces_,
          ProductsAtUnknowns<component, Real>{velocity, p, weight, references},
          budget_prefix_of(component));
      for_each_axis([&]<Axis axis>() {
        constexpr int along = static_cast<int>(axis);
        if (average_[along]) return;
        add(faces_,
            ProductsAtEnds<axis, component, Real>{velocity, weight, references},
            budget_prefix_of(component, along));
      });
    });
  }

  template <class Kernel>
  void add_profile(Backend& backend,
                   const Box& box,
                   const Kernel& kernel,
                   const std::string& prefix,
                   RunningSums& sums) const {
    const auto profile = backend.template reduce_profiles<Kernel::sums>(box, average_, kernel);
    std::vector<std::string> names;
    for (const char* const name : Kernel::names) names.push_back(prefix + name);
    sums.add(names,
             [&](std::size_t which, std::size_t point) { return profile[point].sum[which]; });
  }

  bool is_asked_for_ = false;
  PerAxis<bool> average_{};
  Box cells_, faces_;  // faces_: one more point at the high end of the box along axes that are kept
};

}  // namespace dns
