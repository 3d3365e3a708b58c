/// The metrics of a staggered grid on a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/grid_metrics.hpp"

namespace dns {

/// Metrics of one axis, computed in double [1/L; diffusion 1/L^2; width, distances L; shares 1].
/// Index n is stored at n + metric_ghosts.
struct AxisMetricValues {
  std::vector<double> centre_inverse_width, centre_diffusion_low, centre_diffusion_high;
  std::vector<double> face_inverse_width, face_diffusion_low, face_diffusion_high;
  std::vector<double> share_below, share_above, width, distance, low_distance, inverse_step;
};

/// Entries before index 0, which is aligned for vectors, and after index n: packs of points reach
/// beyond the last point.
inline constexpr int metric_ghosts = 16;
inline constexpr int metric_padding = 64;

/// The place of index `index` in an array.
[[nodiscard]] inline std::size_t metric_place(int index) {
  return index + metric_ghosts;
}

/// Entries of an array of n cells.
[[nodiscard]] inline std::size_t metric_count(int n) {
  return (metric_place(n) / metric_ghosts + 1) * metric_ghosts + metric_padding;
}

/// Metrics of n cells from cell `first` of the axis on. Requires n >= 1.
[[nodiscard]] inline AxisMetricValues metric_values(const StaggeredAxis& axis, int first, int n) {
  const std::size_t size = metric_count(n);
  AxisMetricValues values;
  for (auto* array : {&values.centre_inverse_width,
                      &values.centre_diffusion_low,
                      &values.centre_diffusion_high,
                      &values.face_inverse_width,
                      &values.face_diffusion_low,
                      &values.face_diffusion_high,
                      &values.share_below,
                      &values.share_above,
                      &values.width,
                      &values.distance,
                      &values.low_distance,
                      &values.inverse_step}) {
    array->assign(size, 0.0);
  }
  for (int i = 0; i <= n; ++i) {
    const std::size_t at = metric_place(i);
    const int face = first + i;
    const bool is_boundary = axis.is_wall(face);
    const double below = axis.mirrored_width(face - 1);
    const double here = axis.mirrored_width(face);
    const double distance = axis.mirrored_distance(face);
    values.share_below[at] = below / (below + here);
    values.share_above[at] = here / (below + here);
    values.inverse_step[at] = 1 / distance;
    values.distance[at] = axis.face_volume(face);
    if (i < n) values.low_distance[at] = values.distance[at];
    if (!is_boundary) {
      values.face_inverse_width[at] = 1 / distance;
      values.face_diffusion_low[at] = 1 / (distance * below);
      values.face_diffusion_high[at] = 1 / (distance * here);
    }
    if (i == n && is_boundary) continue;
    values.centre_inverse_width[at] = 1 / here;
    values.centre_diffusion_low[at] = 1 / (here * distance);
    values.centre_diffusion_high[at] = 1 / (here * axis.mirrored_distance(face + 1));
    if (i < n) values.width[at] = axis.across_walls ? axis.cell_volume(face) : here;
  }
  return values;
}

/// Metrics of the cells of the part along an axis.
[[nodiscard]] inline AxisMetricValues metric_values_of(const StaggeredGrid& grid,
                                                       const Subdomain& part,
                                                       int axis) {
  return metric_values(grid[axis], part.first(axis), part.points()[axis]);
}

/// Calls function.operator()<UniformAxes>(): all axes uniform, all but y as in channels, or any.
/// The other five would be as fast from memory, and 8 % faster at most from the cache of a CPU.
template <class Function>
void with_uniform_axes(const StaggeredGrid& grid, const Function& function) {
  if (!grid[0].is_uniform || !grid[2].is_uniform) return function.template operator()<AnyAxes>();
  grid[1].is_uniform ? function.template operator()<UniformAxes<true, true, true>>()
                     : function.template operator()<UniformAxes<true, false, true>>();
}

template <class Backend>
class MetricArrays {
 public:
  using Real = typename Backend::Real;

  MetricArrays(Backend& backend, const StaggeredGrid& grid, const Subdomain& part) {
    for (int a = 0; a < grid.size(); ++a) {
      const AxisMetricValues values = metric_values_of(grid, part, a);
      const auto on_device = [&](const std::vector<double>& exact) {
        const std::vector<Real> rounded(exact.begin(), exact.end());
        arrays_.push_back(backend.template allocate<Real>(rounded.size()));
        backend.upload_values(rounded.data(), arrays_.back().data(), rounded.size());
        return static_cast<const Real*>(arrays_.back().data()) + metric_ghosts;
      };
      view_.axes[a] = {.inverse_width = on_device(values.centre_inverse_width),
                       .inverse_distance = on_device(values.face_inverse_width),
                       .share_below = on_device(values.share_below),
                       .share_above = on_device(values.share_above),
                       .width = on_device(values.width),
                       .distance = on_device(values.distance),
                       .low_distance = on_device(values.low_distance),
                       .inverse_step = on_device(values.inverse_step)};
    }
  }

  [[nodiscard]] const GridMetrics<Real>& view() const { return view_; }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  std::vector<Memory> arrays_;
  GridMetrics<Real> view_;
};

/// The sweep coefficients of a step, for some diffusivities.
template <class Backend>
class SweepCoefficientArrays {
 public:
  using Real = typename Backend::Real;

  /// diffusivities [U L].
  SweepCoefficientArrays(Backend& backend,
                         const StaggeredGrid& grid,
                         const Subdomain& part,
                         std::vector<double> diffusivities)
      : diffusivities_(std::move(diffusivities)) {
    PerAxis<AxisMetricValues> axes;
    for (int a = 0; a < grid.size(); ++a) {
      axes[a] = metric_values_of(grid, part, a);
      const double inverse_width = axes[a].centre_inverse_width[metric_place(0)];
      inverse_square_[a] = inverse_width * inverse_width;
    }
    std::vector<double> exact;
    std::vector<SweepCoefficients<Real>> views(diffusivities_.size());
    std::vector<std::pair<const Real**, std::size_t>> places;
    const auto append = [&](const std::vector<double>& array, double factor, const Real*& entries) {
      places.emplace_back(&entries, exact.size() + metric_ghosts);
      for (const double entry : array) exact.push_back(factor * entry);
    };
    for (std::size_t n = 0; n < views.size(); ++n) {
      for (int a = 0; a < grid.size(); ++a) {
        auto& centres = views[n].centres[a];
        auto& faces = views[n].faces[a];
        append(axes[a].centre_inverse_width, 0.5, centres.advection);
        append(axes[a].face_inverse_width, 0.5, faces.advection);
        append(axes[a].centre_diffusion_low, diffusivities_[n], centres.diffusion_low);
        append(axes[a].centre_diffusion_high, diffusivities_[n], centres.diffusion_high);
        append(axes[a].face_diffusion_low, diffusivities_[n], faces.diffusion_low);
        append(axes[a].face_diffusion_high, diffusivities_[n], faces.diffusion_high);
      }
    }
    exact_ = backend.template allocate<double>(exact.size());
    backend.upload_values(exact.data(), exact_.data(), exact.size());
    count_ = exact.size();
    values_ = backend.template allocate<Real>(kept_.size() * count_);
    for (std::size_t which = 0; which < kept_.size(); ++which) {
      for (const auto& [entries, place] : places)
        *entries = values_.data() + which * count_ + place;
      kept_[which].views = views;
    }
  }

  /// Evaluates the coefficients of a step, or of the stages of one, of these lengths [L/U], unless
  /// all are there; 0: there is no such stage.
  void set_time_steps(Backend& backend, const Numbered<double, 3>& lengths) {
    ScaleMetric<Real> kernel{exact_.data(), values_.data(), static_cast<int>(count_), {}};
    int stages = 0;
    bool are_kept = true;
    for (std::size_t which = 0; which < kept_.size(); ++which) {
      const double dt = lengths[which];
      kernel.factor[which] = dt / 2;
      if (dt == 0) continue;
      stages = static_cast<int>(which) + 1;
      are_kept = are_kept && kept_[which].dt == dt;
    }
    if (are_kept) return;
    for (int which = 0; which < stages; ++which) set_length(kept_.at(which), lengths[which]);
    backend.for_each(Box{{0, 0, 0}, {static_cast<int>(count_), 1, stages}}, kernel);
  }
  /// Takes the coefficients of a step, or of stage `which` of one, from now on.
  void take(std::size_t which) { now_ = which; }
  /// The coefficients that were taken last, for a diffusivity.
  [[nodiscard]] const SweepCoefficients<Real>& view(std::size_t n) const {
    return kept_[now_].views[n];
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  struct OfOneStep {
    double dt = 0;  // 0: none yet
    std::vector<SweepCoefficients<Real>> views;
  };

  void set_length(OfOneStep& step, double dt) const {
    step.dt = dt;
    for (std::size_t n = 0; n < diffusivities_.size(); ++n) {
      for (int a = 0; a < inverse_square_.size(); ++a) {
        step.views[n].uniform_diagonal[a] =
            static_cast<Real>(1 + dt * diffusivities_[n] * inverse_square_[a]);
      }
    }
  }

  std::vector<double> diffusivities_;
  PerAxis<double> inverse_square_;  // 1/width^2 of the first cell along each axis [1/L^2]
  std::size_t count_ = 0;           // of the coefficients of a step
  DoubleMemory exact_;              // over dt/2
  Memory values_;
  std::array<OfOneStep, 3> kept_{};  // of the stages of a step
  std::size_t now_ = 0;
};

}  // namespace dns
