/// Samples for the budgets of kinetic energy and Reynolds stresses: output.statistics.budgets.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/budgets.hpp"
#include "solver/numerics/shear_budgets.hpp"
#include "solver/simulation/running_sums.hpp"

namespace dns {

/// Adds the products of solver/numerics/budgets.hpp and shear_budgets.hpp to sums of their names:
///   budget_v_y_Vu ...  of component v at the low ends along y, one for each axis that is kept, and
///   budget_v_u ...     at the unknowns: one more point than cells along the axes that are kept
///   budget_uuv ...     at cells
template <class Backend>
class BudgetSampler {
 public:
  using Real = typename Backend::Real;
  template <int component>
  using AtUnknowns = ProductsAtUnknowns<component, Real>;
  using Strain = PressureStrainSample<Real>;
  using Products = CentredProducts<Real>;
  using Gradients = CentredGradients<Real>;

  BudgetSampler() = default;
  /// Adds the sums to be taken to `sums` if the case asks for budgets.
  BudgetSampler(const Case& resolved, const Subdomain& part, RunningSums& sums) {
    if (!resolved.output.statistics || !resolved.output.statistics->budgets) return;
    is_asked_for_ = true;
    average_ = resolved.output.statistics->average;
    const Extents own = part.points();
    cells_.end = {own.nx, own.ny, own.nz};
    faces_ = cells_;
    Extents of_cells = part.whole;
    Extents of_faces = part.whole;
    for (int axis = 0; axis < 3; ++axis) {
      if (average_[static_cast<std::size_t>(axis)]) {
        of_cells[axis] = of_faces[axis] = 1;
        continue;
      }
      ++of_faces[axis];
      if (part.part.end[axis] == part.whole[axis]) ++faces_.end[axis];
    }
    for (int component = 0; component < 3; ++component) {
      for (const std::string& name : names_at_unknowns(component)) sums.add_sum(name, of_faces);
      for (int axis = 0; axis < 3; ++axis) {
        if (average_[static_cast<std::size_t>(axis)]) continue;
        for (const std::string& name : names_at_ends(component, axis)) sums.add_sum(name, of_faces);
      }
    }
    for (const std::string_view name : names_at_cells) sums.add_sum(name, of_cells);
  }

  /// Adds a sample if budgets are asked for.
  void sample(Backend& backend,
              const VelocityView<const Real>& velocity,
              const FieldView<const Real>& p,
              const AveragingWeight<Real>& weight,
              RunningSums& sums) const {
    if (!is_asked_for_) return;
    for_each_axis([&]<Axis own>() {
      constexpr int component = static_cast<int>(own);
      add<AtUnknowns<component>::sums>(backend,
                                       faces_,
                                       AtUnknowns<component>{velocity, p, weight},
                                       names_at_unknowns(component),
                                       sums);
      for_each_axis([&]<Axis axis>() {
        using AtEnds = ProductsAtEnds<axis, component, Real>;
        if (average_[static_cast<std::size_t>(axis)]) return;
        add<AtEnds::sums>(backend,
                          faces_,
                          AtEnds{velocity, weight},
                          names_at_ends(component, static_cast<int>(axis)),
                          sums);
      });
    });
    const std::vector<std::string> names(names_at_cells.begin(), names_at_cells.end());
    const auto first = names.begin();
    const auto second = first + Strain::sums;
    const auto third = second + Products::sums;
    add<Strain::sums>(backend, cells_, Strain{velocity, p, weight}, {first, second}, sums);
    add<Products::sums>(backend, cells_, Products{velocity, p, weight}, {second, third}, sums);
    add<Gradients::sums>(
        backend, cells_, Gradients{velocity, p, weight}, {third, names.end()}, sums);
  }

 private:
  /// In the order of the kernels' Sum.
  static constexpr std::array<std::string_view, 34> names_at_cells{
      "budget_strain_uu",    "budget_strain_vv",   "budget_strain_ww", "budget_uu",
      "budget_vv",           "budget_ww",          "budget_uv",        "budget_uw",
      "budget_vw",           "budget_uuv",         "budget_uuw",       "budget_uvv",
      "budget_uvw",          "budget_uww",         "budget_vvw",       "budget_vww",
      "budget_pu",           "budget_pv",          "budget_pw",        "budget_u_x",
      "budget_u_y",          "budget_u_z",         "budget_v_x",       "budget_v_y",
      "budget_v_z",          "budget_w_x",         "budget_w_y",       "budget_w_z",
      "budget_strain_uv",    "budget_strain_uw",   "budget_strain_vw", "budget_gradients_uv",
      "budget_gradients_uw", "budget_gradients_vw"};
  static_assert(names_at_cells.size() == Strain::sums + Products::sums + Gradients::sums);

  [[nodiscard]] static std::vector<std::string> names_at_unknowns(int component) {
    const std::string prefix = std::string("budget_") + "uvw"[component];
    return {prefix + "_mean", prefix + "_averaged_dissipation", prefix + "_pressure_flux"};
  }
  [[nodiscard]] static std::vector<std::string> names_at_ends(int component, int axis) {
    const std::string prefix = std::string("budget_") + "uvw"[component] + "_" + "xyz"[axis] + "_";
    std::vector<std::string> names;
    for (const char* const what : {"flux",
                                   "flux_here",
                                   "flux_below",
                                   "here_below",
                                   "flux_here_below",
                                   "below",
                                   "difference_squared",
                                   "half_square_change"})
      names.push_back(prefix + what);
    return names;
  }

  template <int count, class Kernel>
  void add(Backend& backend,
           const Box& box,
           const Kernel& kernel,
           const std::vector<std::string>& names,
           RunningSums& sums) const {
    const auto profile = backend.template reduce_profiles<count>(box, average_, kernel);
    sums.add(names,
             [&](std::size_t which, std::size_t point) { return profile[point].sum[which]; });
  }

  bool is_asked_for_ = false;
  std::array<bool, 3> average_{};
  Box cells_, faces_;  // faces_: one more point at the high end of the box along axes that are kept
};

}  // namespace dns
