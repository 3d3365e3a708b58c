/// The diagnostics of a flow of scheme `splitting`.
#pragma once

#include <optional>

#include "solver/core/reduction.hpp"
#include "solver/numerics/nodal_diagnostics.hpp"
#include "solver/numerics/splitting_solid_rows.hpp"
#include "solver/simulation/late_reductions.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/splitting/solid_nodes.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns {

template <class Backend>
class SplittingDiagnostics {
 public:
  using Real = typename Backend::Real;

  /// `backend` and the case must outlive it.
  SplittingDiagnostics(Backend& backend, const Case& resolved, const Subdomain& part)
      : case_(resolved),
        layout_(LevelLayout::of(part)),
        late_(backend),
        of_cells_(late_.template place<OfCell::sums, OfCell::maxima>()),
        in_bodies_(late_.template place<InBodies::sums, 0>()) {}

  /// Begins those of a flow behind a step of dt [L/U].
  void begin(const TimeLevel<Backend>& flow,
             const InverseTwoSpacings<Real>& inverse_two_h,
             const std::optional<SolidNodes<Backend>>& solids,
             double dt) {
    const OfCell of_cell{flow.view_const(), inverse_two_h};
    late_.begin(of_cells_, layout_.cells(), of_cell);
    if (solids) late_.begin(in_bodies_, solids->cells(), InBodies{of_cell, solids->view()});
    late_.close();
    begun_dt_ = dt;
  }

  /// Waits for them. The means are those of the fluid.
  FlowDiagnostics finish() {
    late_.finish();
    const auto reduction = late_[of_cells_];
    const auto in_bodies = late_[in_bodies_];
    const auto cells =
        static_cast<double>(LevelLayout::of(whole_box(case_)).cells().extents().count());
    const auto mean_of_fluid = [&](int which) {
      return (reduction.sum[which] - in_bodies.sum[which]) /
             (cells - in_bodies.sum[InBodies::cells]);
    };
    FlowDiagnostics diagnostics;
    diagnostics.divergence_mean = mean_of_fluid(OfCell::divergence);
    diagnostics.divergence_max = reduction.maximum[OfCell::divergence_max];
    diagnostics.cfl = begun_dt_ * reduction.maximum[OfCell::cfl_rate];
    diagnostics.kinetic_energy = mean_of_fluid(OfCell::kinetic_energy);
    diagnostics.dissipation = mean_of_fluid(OfCell::dissipation) * case_.viscosity();
    diagnostics.others = {mean_of_fluid(OfCell::temperature_mean)};
    return diagnostics;
  }

 private:
  static constexpr int interleave_width = Backend::interleave_width;

  using OfCell = CellDiagnostics<Real, interleave_width>;
  using InBodies = CellDiagnosticsInSolids<Real, interleave_width>;

  const Case& case_;
  LevelLayout layout_;
  LateReductions<Backend> late_;
  LatePlace<OfCell::sums, OfCell::maxima> of_cells_;
  LatePlace<InBodies::sums, 0> in_bodies_;  // zero without bodies
  double begun_dt_ = 0;
};

}  // namespace dns
