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

/// The sweep coefficients of a step, for one diffusivity.
template <class Backend>
class SweepCoefficientArrays {
 public:
  using Real = typename Backend::Real;

  /// diffusivity [U L].
  SweepCoefficientArrays(Backend& backend,
                         const StaggeredGrid& grid,
                         const Subdomain& part,
                         double diffusivity)
      : diffusivity_(diffusivity) {
    PerAxis<AxisMetricValues> axes;
    for (int a = 0; a < grid.size(); ++a) {
      axes[a] = metric_values_of(grid, part, a);
      const double inverse_width = axes[a].centre_inverse_width[metric_place(0)];
      inverse_square_[a] = inverse_width * inverse_width;
    }
    std::vector<double> exact;
    SweepCoefficients<Real> view{};
    std::vector<std::pair<const Real**, std::size_t>> places;
    const auto append = [&](const std::vector<double>& array, const Real*& entries) {
      places.emplace_back(&entries, exact.size() + metric_ghosts);
      exact.insert(exact.end(), array.begin(), array.end());
    };
    for (int a = 0; a < grid.size(); ++a) {
      append(axes[a].centre_inverse_width, view.centres[a].advection);
      append(axes[a].face_inverse_width, view.faces[a].advection);
    }
    advection_count_ = exact.size();
    for (int a = 0; a < grid.size(); ++a) {
      append(axes[a].centre_diffusion_low, view.centres[a].diffusion_low);
      append(axes[a].centre_diffusion_high, view.centres[a].diffusion_high);
      append(axes[a].face_diffusion_low, view.faces[a].diffusion_low);
      append(axes[a].face_diffusion_high, view.faces[a].diffusion_high);
    }
    exact_ = backend.template allocate<double>(exact.size());
    backend.upload_values(exact.data(), exact_.data(), exact.size());
    count_ = exact.size();
    for (OfOneStep& step : kept_) {
      step.values = backend.template allocate<Real>(count_);
      for (const auto& [entries, place] : places) *entries = step.values.data() + place;
      step.view = view;
    }
  }

  /// Evaluates the coefficients for a step of dt [L/U].
  void set_time_step(Backend& backend, double dt) {
    if (is_kept(dt)) return;
    set_diffusion(backend, dt);
    scale(backend, 0, advection_count_, dt / 4);
  }
  /// Coefficients of diffusion alone: without the others in all steps.
  void set_diffusion(Backend& backend, double dt) {
    if (is_kept(dt)) return;
    now_ = (now_ + 1) % kept_.size();
    kept_[now_].dt = dt;
    scale(backend, advection_count_, count_, dt / 2 * diffusivity_);
    for (int a = 0; a < inverse_square_.size(); ++a) {
      kept_[now_].view.uniform_diagonal[a] =
          static_cast<Real>(1 + dt * diffusivity_ * inverse_square_[a]);
    }
  }

  /// The coefficients of the last step that was set.
  [[nodiscard]] const SweepCoefficients<Real>& view() const { return kept_[now_].view; }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  struct OfOneStep {
    double dt = 0;  // 0: none yet
    Memory values;
    SweepCoefficients<Real> view;
  };

  /// Goes back to the coefficients for dt if they are there.
  [[nodiscard]] bool is_kept(double dt) {
    const auto same = std::ranges::find(kept_, dt, &OfOneStep::dt);
    if (same != kept_.end()) now_ = same - kept_.begin();
    return same != kept_.end();
  }
  void scale(Backend& backend, std::size_t begin, std::size_t end, double factor) {
    backend.for_each(Box{{static_cast<int>(begin), 0, 0}, {static_cast<int>(end), 1, 1}},
                     ScaleMetric<Real>{exact_.data(), kept_[now_].values.data(), factor});
  }

  double diffusivity_;
  PerAxis<double> inverse_square_;   // 1/width^2 of the first cell along each axis [1/L^2]
  std::size_t advection_count_ = 0;  // advection's arrays come first
  std::size_t count_ = 0;
  DoubleMemory exact_;               // without dt
  std::array<OfOneStep, 3> kept_{};  // of the stages of a step
  std::size_t now_ = 0;
};

}  // namespace dns
