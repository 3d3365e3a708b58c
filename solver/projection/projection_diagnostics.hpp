/// The diagnostics of a staggered flow, with the further columns of its time series.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/projection/sums_at_bodies.hpp"
#include "solver/projection/wall_diagnostics.hpp"
#include "solver/simulation/late_reductions.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

template <class Backend>
class ProjectionDiagnostics {
 public:
  using Real = typename Backend::Real;

  /// rows: those across walls, null where there are none. `late` and the case must outlive it.
  ProjectionDiagnostics(LateReductions<Backend>& late,
                        const Case& resolved,
                        const StaggeredGrid& grid,
                        const RowsAcrossWalls<Real>& rows,
                        const Subdomain& part)
      : late_(&late),
        case_(resolved),
        grid_(grid),
        rows_(rows),
        part_(part),
        layout_(part.points()),
        walls_(resolved, grid),
        flow_(late),
        volume_(rounded_volume<Real>(grid)) {
    for (int n = 0; n < resolved.scalar_count(); ++n) scalars_.emplace_back(late);
    for (auto& place : of_planes_) place = late.template place<Plane::sums, 0>();
    for (int n = first_further(); n < resolved.scalar_count(); ++n) {
      for (auto& place : slopes_.emplace_back())
        place = late.template place<ScalarSlopes<Axis::x, Real>::sums, 0>();
    }
  }

  /// Names of FlowDiagnostics::others.
  [[nodiscard]] std::vector<std::string> names() const {
    constexpr auto& means = StaggeredDiagnostics<Real>::mean_names;
    std::vector<std::string> names(means.begin(), means.end());
    if (is_driven()) {
      for (const std::string& axis : axis_names) names.push_back("driving_" + axis);
    }
    for (int n = 0; n < case_.scalar_count(); ++n)
      names.push_back(mean_number_of(case_.name_of_scalar(first_scalar + n)));
    for (std::string& name : walls_.names()) names.push_back(std::move(name));
    for (std::string& name : SumsAtBodies<Backend>::names(case_)) names.push_back(std::move(name));
    return names;
  }

  /// Begins the diagnostics of a flow, whose ghost points are there. at_bodies: none if there are
  /// no bodies.
  void begin(const VelocityView<const Real>& velocity,
             const ScalarViews<const Real>& scalars,
             const GridMetrics<Real>& metrics,
             std::optional<SumsAtBodies<Backend>>& at_bodies);

  /// What else there is to know of a flow: its time, the last time step [L/U], what drives it.
  struct Numbers {
    double time = 0, dt = 0;
    PerAxis<double> driving{};
  };
  /// Diagnostics of the flow that begin() was called for. The means of kinetic energy, dissipation
  /// and scalars are those of the fluid.
  FlowDiagnostics finish(const Numbers& of_flow,
                         const std::optional<SumsAtBodies<Backend>>& at_bodies);

 private:
  using Cells = StaggeredDiagnostics<Real>;
  // The same sums whatever the axis.
  using Plane = BoundaryPlaneDiagnostics<Axis::x, Real>;
  using Scalar = ScalarDiagnostics<Axis::x, Real>;

  /// Places of the sums of a kernel over all cells, and over those in bodies.
  template <class Kernel>
  struct Places {
    LatePlace<Kernel::sums, Kernel::maxima> all;
    LatePlace<DiagnosticsInSolids<Kernel, Real>::sums, 0> in_bodies;

    explicit Places(LateReductions<Backend>& late)
        : all(late.template place<Kernel::sums, Kernel::maxima>()),
          in_bodies(late.template place<DiagnosticsInSolids<Kernel, Real>::sums, 0>()) {}
  };

  [[nodiscard]] bool is_driven() const { return case_.forcing.is_uniform(); }
  /// The first scalar that is not temperature.
  [[nodiscard]] int first_further() const { return case_.has_temperature() ? 1 : 0; }
  template <Axis axis>
  void begin_at_walls(const VelocityView<const Real>& velocity,
                      const ScalarViews<const Real>& scalars,
                      const GridMetrics<Real>& metrics,
                      const SolidFields<Backend>* solids);
  /// Conductivity of the low faces along an axis, where bodies conduct scalar n; else null.
  [[nodiscard]] static FieldView<const Real> conductivity(const SolidFields<Backend>* solids,
                                                          int n,
                                                          Axis axis) {
    if (solids == nullptr) return {};
    return solids->view(first_scalar + n, 0).conductivity[axis];
  }
  template <class Place, class Kernel>
  void begin_in_bodies(const Place& place,
                       const Kernel& kernel,
                       const SolidFields<Backend>* solids) {
    if (solids == nullptr) return;
    late_->begin(
        place, solids->cells(), DiagnosticsInSolids<Kernel, Real>{kernel, solids->solid_cells()});
  }
  [[nodiscard]] WallSums at_walls() const;
  /// The area of a plane across an axis over the sum of the areas of a component on it.
  [[nodiscard]] double area_ratio(int across, int component) const {
    double ratio = 1;
    for (int axis = 0; axis < grid_.size(); ++axis) {
      if (axis != across)
        ratio *= grid_[axis].length() / rounded_length<Real>(grid_[axis], component == axis);
    }
    return ratio;
  }

  LateReductions<Backend>* late_;
  const Case& case_;
  StaggeredGrid grid_;
  RowsAcrossWalls<Real> rows_;
  Subdomain part_;
  StaggeredLayout layout_;
  WallDiagnostics walls_;
  Places<Cells> flow_;
  std::vector<Places<Scalar>> scalars_;
  PerAxis<LatePlace<Plane::sums, 0>> of_planes_;  // across each axis
  std::vector<PerAxis<LatePlace<2, 0>>> slopes_;  // likewise, of scalars besides temperature
  double volume_;                                 // of the box, of all cells [L^3]
};

/// Over both planes across an axis that is not periodic.
template <class Backend>
template <Axis axis>
void ProjectionDiagnostics<Backend>::begin_at_walls(const VelocityView<const Real>& velocity,
                                                    const ScalarViews<const Real>& scalars,
                                                    const GridMetrics<Real>& metrics,
                                                    const SolidFields<Backend>* solids) {
  if (case_.is_periodic(axis)) return;
  for (int n = 0; n < std::ssize(slopes_); ++n) {
    Box cells = layout_.all_points();
    cells.end = placed<axis>(cells.end, 1);
    const auto begin_with = [&]<class Orders>(const Orders& orders) {
      late_->begin(slopes_[n][axis],
                   cells,
                   ScalarSlopes<axis, Real, Orders>{
                       scalars[first_further() + n],
                       metrics,
                       layout_.points,
                       {part_.is_boundary(axis, false), part_.is_boundary(axis, true)},
                       orders,
                       conductivity(solids, first_further() + n, axis)});
    };
    if (rows_.weights != nullptr) {
      begin_with(OrdersAcrossWalls<Real>{{}, rows_, {}});
    } else {
      begin_with(SecondOrder{});
    }
  }
  Box box = layout_.all_points();
  if (part_.is_boundary(0, true)) ++box.end.i;
  if (part_.is_boundary(1, true)) ++box.end.j;
  if (part_.is_boundary(2, true)) ++box.end.k;
  const int last = along<axis>(layout_.points);
  box.begin = placed<axis>(box.begin, last);
  box.end = placed<axis>(box.end, last + 1);
  with_second_or_any_orders<Real>(grid_, rows_, [&]<class Orders>(const Orders& orders) {
    late_->begin(
        of_planes_[axis],
        box,
        BoundaryPlaneDiagnostics<axis, Real, Orders>{
            .velocity = velocity,
            .metrics = metrics,
            .temperature = case_.has_temperature() ? scalars.first : FieldView<const Real>{},
            .cells = layout_.points,
            .has_plane = {part_.is_boundary(axis, false), part_.is_boundary(axis, true)},
            .orders = orders,
            .conductivity =
                case_.has_temperature() ? conductivity(solids, 0, axis) : FieldView<const Real>{}});
  });
}

template <class Backend>
WallSums ProjectionDiagnostics<Backend>::at_walls() const {
  WallSums sums;
  sums.scalars.resize(slopes_.size());
  for (int axis = 0; axis < of_planes_.size(); ++axis) {
    const auto across = (*late_)[of_planes_[axis]];
    sums.dissipation += across.sum[Plane::dissipation];
    const auto [first, second] = axes_in_plane(axis);
    const std::array<double, Plane::of_end> ratios{area_ratio(axis, static_cast<int>(first)),
                                                   area_ratio(axis, static_cast<int>(second)),
                                                   area_ratio(axis, scalar_component)};
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t n = 0; n < slopes_.size(); ++n)
        sums.scalars[n][2 * axis + end] = ratios.back() * (*late_)[slopes_[n][axis]].sum[end];
      for (std::size_t which = 0; which < Plane::of_end; ++which)
        sums.planes[2 * axis + end][which] =
            ratios[which] * across.sum[Plane::low_end + end * Plane::of_end + which];
    }
  }
  return sums;
}

template <class Backend>
void ProjectionDiagnostics<Backend>::begin(const VelocityView<const Real>& velocity,
                                           const ScalarViews<const Real>& scalars,
                                           const GridMetrics<Real>& metrics,
                                           std::optional<SumsAtBodies<Backend>>& at_bodies) {
  const SolidFields<Backend>* const solids = at_bodies ? &at_bodies->solids() : nullptr;
  with_second_or_any_orders<Real>(grid_, rows_, [&]<class Orders>(const Orders& orders) {
    late_->begin(flow_.all,
                 layout_.all_points(),
                 StaggeredDiagnostics<Real, Orders>{velocity, metrics, orders});
  });
  begin_in_bodies(flow_.in_bodies, Cells{velocity, metrics}, solids);
  for (int n = 0; n < scalars.count; ++n) {
    const Places<Scalar>& places = scalars_[n];
    with_axis(walls_.transport_axis(), [&]<Axis axis>() {
      with_second_or_any_orders<Real>(grid_, rows_, [&]<class Orders>(const Orders& orders) {
        late_->begin(places.all,
                     layout_.all_points(),
                     ScalarDiagnostics<axis, Real, Orders>{velocity, metrics, scalars[n], orders});
      });
      begin_in_bodies(
          places.in_bodies, ScalarDiagnostics<axis, Real>{velocity, metrics, scalars[n]}, solids);
    });
  }
  for_each_axis([&]<Axis axis>() { begin_at_walls<axis>(velocity, scalars, metrics, solids); });
  if (at_bodies) at_bodies->begin_others(velocity, metrics);
  late_->close();
}

template <class Backend>
FlowDiagnostics ProjectionDiagnostics<Backend>::finish(
    const Numbers& of_flow, const std::optional<SumsAtBodies<Backend>>& at_bodies) {
  late_->finish();
  const auto reduction = (*late_)[flow_.all];
  const auto in_bodies = (*late_)[flow_.in_bodies];
  const WallSums sums = at_walls();
  const double cut_dissipation = at_bodies ? at_bodies->cut_dissipation() : 0;
  const double fluid_volume = volume_ - in_bodies.sum[DiagnosticsInSolids<Cells, Real>::volume];

  const auto mean = [&](int which) { return reduction.sum[which] / volume_; };
  const auto of_fluid = [&](const auto& all, const auto& solid, int which) {
    return (all.sum[which] - solid.sum[which]) / fluid_volume;
  };
  FlowDiagnostics diagnostics;
  diagnostics.divergence_mean = mean(Cells::divergence);
  diagnostics.divergence_max = reduction.maximum[Cells::divergence_max];
  diagnostics.cfl = of_flow.dt * reduction.maximum[Cells::cfl_rate];
  diagnostics.kinetic_energy = of_fluid(reduction, in_bodies, Cells::kinetic_energy);
  const double phi = reduction.sum[Cells::dissipation] + sums.dissipation;
  diagnostics.dissipation = (phi * case_.viscosity() + cut_dissipation) / fluid_volume;
  for (int which = Cells::named; which < Cells::sums; ++which) {
    diagnostics.others.push_back(mean(which));
  }
  if (is_driven())
    diagnostics.others.insert(
        diagnostics.others.end(), of_flow.driving.begin(), of_flow.driving.end());
  double transport = 0;  // of temperature
  for (const Places<Scalar>& places : scalars_) {
    const auto scalar = (*late_)[places.all];
    const auto in_solids = (*late_)[places.in_bodies];
    diagnostics.others.push_back(of_fluid(scalar, in_solids, Scalar::mean));
    if (&places == scalars_.data()) transport = of_fluid(scalar, in_solids, Scalar::transport);
  }
  const auto append = [&](const std::vector<double>& values) {
    diagnostics.others.insert(diagnostics.others.end(), values.begin(), values.end());
  };
  const WallDiagnostics::Values of_walls = walls_.values(sums, transport, of_flow.time);
  append(of_walls.all);
  diagnostics.undefined = of_walls.undefined;
  if (at_bodies) {
    append(at_bodies->values());
    diagnostics.bodies = at_bodies->values_of_several();
    if (const MovingBodies<Backend>* const moving = at_bodies->solids().moving())
      diagnostics.hard_bounce = moving->hard_bounce();
  }
  return diagnostics;
}

}  // namespace dns
