/// The diagnostics of a staggered flow, with the further columns of its time series.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/projection/wall_diagnostics.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

template <class Backend>
class ProjectionDiagnostics {
 public:
  using Real = typename Backend::Real;

  ProjectionDiagnostics(const Case& resolved, const StaggeredGrid& grid, const Subdomain& part)
      : case_(resolved), grid_(grid), part_(part), layout_(part.points()), walls_(resolved, grid) {
    for (const StaggeredAxis& axis : grid) volume_ *= axis.length();
  }

  /// Names of FlowDiagnostics::others.
  [[nodiscard]] std::vector<std::string> names() const {
    constexpr auto& means = StaggeredDiagnostics<Real>::mean_names;
    std::vector<std::string> names(means.begin(), means.end());
    if (is_driven()) {
      for (const std::string& axis : axis_names) names.push_back("driving_" + axis);
    }
    if (case_.has_temperature()) names.emplace_back("temperature_mean");
    for (std::string& name : walls_.names()) names.push_back(std::move(name));
    for (std::string& name : SolidFields<Backend>::names(case_)) names.push_back(std::move(name));
    return names;
  }

  /// Requires the ghost points of the flow at `time`. dt: of the last step [L/U]. solids: null if
  /// there are none; the means of kinetic energy, dissipation and temperature are those of the
  /// fluid.
  FlowDiagnostics diagnostics(Backend& backend,
                              const VelocityView<const Real>& velocity,
                              const FieldView<const Real>& temperature,
                              const GridMetrics<Real>& metrics,
                              double time,
                              double dt,
                              const std::array<double, 3>& driving,
                              const SolidFields<Backend>* solids) const;

 private:
  [[nodiscard]] bool is_driven() const { return case_.forcing.is_uniform(); }
  // The same sums whatever the axis.
  using Plane = BoundaryPlaneDiagnostics<Axis::x, Real>;
  using PlaneSums = Reduction<double, Plane::sums, 0>;
  template <Axis axis>
  [[nodiscard]] PlaneSums own_sums_at_walls(Backend& backend,
                                            const VelocityView<const Real>& velocity,
                                            const FieldView<const Real>& temperature,
                                            const GridMetrics<Real>& metrics) const;
  [[nodiscard]] static WallSums at_walls(const std::array<PlaneSums, 3>& across);

  Case case_;
  StaggeredGrid grid_;
  Subdomain part_;
  StaggeredLayout layout_;
  WallDiagnostics walls_;
  double volume_ = 1;  // of the box [L^3]
};

/// Sums of this rank over both planes across an axis that is not periodic.
template <class Backend>
template <Axis axis>
auto ProjectionDiagnostics<Backend>::own_sums_at_walls(Backend& backend,
                                                       const VelocityView<const Real>& velocity,
                                                       const FieldView<const Real>& temperature,
                                                       const GridMetrics<Real>& metrics) const
    -> PlaneSums {
  constexpr int a = static_cast<int>(axis);
  if (case_.is_periodic(a)) return {};
  Box box = layout_.all_points();
  if (part_.is_boundary(0, true)) ++box.end.i;
  if (part_.is_boundary(1, true)) ++box.end.j;
  if (part_.is_boundary(2, true)) ++box.end.k;
  const int last = along<axis>(layout_.points);
  box.begin = placed<axis>(box.begin, last);
  box.end = placed<axis>(box.end, last + 1);
  return with_orders<Real>(grid_, [&]<class Orders>(const Orders& orders) {
    return backend.template reduce_own<Plane::sums, 0>(
        box,
        BoundaryPlaneDiagnostics<axis, Real, Orders>{
            velocity,
            metrics,
            temperature,
            layout_.points,
            {part_.is_boundary(a, false), part_.is_boundary(a, true)},
            orders});
  });
}

template <class Backend>
WallSums ProjectionDiagnostics<Backend>::at_walls(const std::array<PlaneSums, 3>& across) {
  WallSums sums;
  for (std::size_t axis = 0; axis < across.size(); ++axis) {
    const auto& sum = across[axis].sum;
    sums.dissipation += sum[Plane::dissipation];
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t which = 0; which < Plane::of_end; ++which)
        sums.planes[2 * axis + end][which] = sum[Plane::low_end + end * Plane::of_end + which];
    }
  }
  return sums;
}

/// All sums go from rank to rank in one message.
template <class Backend>
FlowDiagnostics ProjectionDiagnostics<Backend>::diagnostics(
    Backend& backend,
    const VelocityView<const Real>& velocity,
    const FieldView<const Real>& temperature,
    const GridMetrics<Real>& metrics,
    double time,
    double dt,
    const std::array<double, 3>& driving,
    const SolidFields<Backend>* solids) const {
  using Diagnostics = StaggeredDiagnostics<Real>;
  using AtBodies = VelocityAtSolids<Real>;
  auto reduction = with_orders<Real>(grid_, [&]<class Orders>(const Orders& orders) {
    return backend.template reduce_own<Diagnostics::sums, Diagnostics::maxima>(
        layout_.all_points(),
        StaggeredDiagnostics<Real, Orders>{
            velocity, metrics, temperature, walls_.transport_axis(), orders});
  });
  std::array<PlaneSums, 3> across;
  for_each_axis([&]<Axis axis>() {
    across[static_cast<std::size_t>(axis)] =
        own_sums_at_walls<axis>(backend, velocity, temperature, metrics);
  });
  Reduction<double, DiagnosticsInSolids<Real>::sums, 0> in_bodies;
  Reduction<double, AtBodies::sums, AtBodies::maxima> at_bodies;
  if (solids != nullptr) {
    in_bodies =
        solids->own_in_bodies(Diagnostics{velocity, metrics, temperature, walls_.transport_axis()});
    at_bodies = solids->own_at_bodies(velocity, metrics);
  }
  backend.merge_over_ranks(reduction, across[0], across[1], across[2], in_bodies, at_bodies);
  const WallSums sums = at_walls(across);
  const double fluid_volume = volume_ - in_bodies.sum[DiagnosticsInSolids<Real>::volume];

  const auto mean = [&](int which) { return reduction.sum[which] / volume_; };
  const auto mean_of_fluid = [&](int which) {
    return (reduction.sum[which] - in_bodies.sum[which]) / fluid_volume;
  };
  FlowDiagnostics diagnostics;
  diagnostics.divergence_mean = mean(Diagnostics::divergence);
  diagnostics.divergence_max = reduction.maximum[Diagnostics::divergence_max];
  diagnostics.cfl = dt * reduction.maximum[Diagnostics::cfl_rate];
  diagnostics.kinetic_energy = mean_of_fluid(Diagnostics::kinetic_energy);
  const double phi = reduction.sum[Diagnostics::dissipation] + sums.dissipation;
  diagnostics.dissipation =
      (phi * case_.viscosity() + at_bodies.sum[AtBodies::cut_dissipation]) / fluid_volume;
  for (int which = Diagnostics::named; which < Diagnostics::sums; ++which) {
    diagnostics.others.push_back(mean(which));
  }
  if (is_driven())
    diagnostics.others.insert(diagnostics.others.end(), driving.begin(), driving.end());
  if (case_.has_temperature())
    diagnostics.others.push_back(mean_of_fluid(Diagnostics::temperature_mean));
  const auto append = [&](const std::vector<double>& values) {
    diagnostics.others.insert(diagnostics.others.end(), values.begin(), values.end());
  };
  const WallDiagnostics::Values of_walls =
      walls_.values(sums, mean_of_fluid(Diagnostics::transport), time);
  append(of_walls.all);
  diagnostics.undefined = of_walls.undefined;
  if (solids != nullptr) append(solids->values(at_bodies.maximum[AtBodies::slip]));
  return diagnostics;
}

}  // namespace dns
