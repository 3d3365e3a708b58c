/// Diagnostics of a flow on a staggered grid, as contributions of single cells, in double.
///
/// Their sums over the cells, divided by the volume of the box, are:
///   divergence       |div V| (and its maximum)
///   kinetic energy   (u^2 + v^2 + w^2)/2 on the control volumes of the components, the sum that
///                    advection conserves
///   dissipation      Phi = 2 (u_x^2 + v_y^2 + w_z^2) + (v_x + u_y)^2 + (w_x + u_z)^2 +
///                    (w_y + v_z)^2, every derivative where it is a difference of neighbours: at
///                    cell centres and at edges. If no boundary does work, Phi/Re is exactly
///                    what diffusion takes from the kinetic energy; then and at any order its mean
///                    is that of SUM (D_s V_q)^2.
///   bulk velocity    u, v, w
/// and, in a pass of their own, a scalar T and its transport V_s T along one axis.
/// The CFL rate is |u|/width_x + |v|/width_y + |w|/width_z with the larger of the two face values.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/dissipation.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// The larger face velocity along `axis` over the width of the cell [U/L].
template <Axis axis, class Real, class Point>
[[nodiscard]] DNS_HD auto cfl_rate_along(const VelocityView<const Real>& velocity,
                                         const GridMetrics<Real>& metrics,
                                         Point c) {
  const FieldView<const Real>& q = velocity[axis];
  return larger_or_nan(magnitude(q(c)), magnitude(q.template beside<axis>(c, 1))) *
         entry<axis>(metrics.template along<axis>().inverse_width, c);
}

/// The sum over the axes.
template <class Real, class Point>
[[nodiscard]] DNS_HD auto cfl_rate_at(const VelocityView<const Real>& velocity,
                                      const GridMetrics<Real>& metrics,
                                      Point c) {
  return in_double(cfl_rate_along<Axis::x>(velocity, metrics, c) +
                   cfl_rate_along<Axis::y>(velocity, metrics, c) +
                   cfl_rate_along<Axis::z>(velocity, metrics, c));
}

/// The largest CFL rate, and the largest with a factor for each axis (see StepLimit).
template <class Real>
struct CflRate {
  enum Maximum { rate, wave_rate, maxima };

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  PerAxis<Real> wave_factors;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, 0, maxima>& reduction) const {
    const auto c = velocity[0].spot(point);
    const auto x = cfl_rate_along<Axis::x>(velocity, metrics, c);
    const auto y = cfl_rate_along<Axis::y>(velocity, metrics, c);
    const auto z = cfl_rate_along<Axis::z>(velocity, metrics, c);
    reduction.raise(rate, in_double(x + y + z));
    reduction.raise(wave_rate,
                    in_double(wave_factors[0] * x + wave_factors[1] * y + wave_factors[2] * z));
  }
};

/// The slope of a velocity along another axis at a face across that, boundaries included. at(n): at
/// index i + n.
template <class Number, Axis axis, class Real, class Point, class Orders, class At>
[[nodiscard]] DNS_HD auto slope_at_face(const GridMetrics<Real>& metrics,
                                        const Point& c,
                                        const Orders& orders,
                                        const At& at) {
  const auto& order = orders.template along<axis>();
  if constexpr (crosses_walls<axis, Orders>) {
    const int index = along<axis>(c);
    return order.template difference<true, Number>(index, at) *
           static_cast<Number>(order.template inverse_volume<true>(index));
  } else {
    return difference_of<Number, true>(order, at) *
           entry_in_double<axis>(metrics.template along<axis>().inverse_step, c);
  }
}

/// (dv_second/ds_first + dv_first/ds_second)^2 at the edge low along both axes of cell c.
template <Axis first, Axis second, class Real, class Point, class Orders = SecondOrder>
[[nodiscard]] DNS_HD auto squared_shear_at_edge(const VelocityView<const Real>& velocity,
                                                const GridMetrics<Real>& metrics,
                                                Point c,
                                                const Orders& orders = {}) {
  const auto slope = [&]<Axis of, Axis over>() {
    const FieldView<const Real>& q = velocity[of];
    return slope_at_face<double, over>(metrics, c, orders, [&](int steps) {
      return in_double(q.template beside<over>(c, steps));
    });
  };
  return shear_dissipation(slope.template operator()<second, first>(),
                           slope.template operator()<first, second>());
}

/// The squared shear at the edge low along both axes of cell c, times the part of the volume around
/// the edge that is inside the box. The distances are those of both axes, or 0 for edges that are
/// left out.
template <Axis first, Axis second, class Real, class Point, class Orders>
[[nodiscard]] DNS_HD auto dissipation_at_edge(const VelocityView<const Real>& velocity,
                                              const GridMetrics<Real>& metrics,
                                              const Real* first_distance,
                                              const Real* second_distance,
                                              Point c,
                                              const Orders& orders) {
  constexpr Axis third = third_axis(first, second);
  return squared_shear_at_edge<first, second>(velocity, metrics, c, orders) *
         (entry_in_double<first>(first_distance, c) * entry_in_double<second>(second_distance, c) *
          entry_in_double<third>(metrics.template along<third>().width, c));
}

/// The volume of a cell [L^3].
template <class Real, class Point>
[[nodiscard]] DNS_HD auto cell_volume(const GridMetrics<Real>& metrics, Point c) {
  return entry_in_double<Axis::x>(metrics.axes[0].width, c) *
         entry_in_double<Axis::y>(metrics.axes[1].width, c) *
         entry_in_double<Axis::z>(metrics.axes[2].width, c);
}

/// Contributions of the cells, without the edges at the high ends of the box (see
/// BoundaryPlaneDiagnostics).
template <class Real, class Orders = SecondOrder>
struct StaggeredDiagnostics {
  enum Sum {
    divergence,
    kinetic_energy,
    dissipation,
    named  // from here on: volume means with columns of their own in the time series
  };
  /// Names of these columns. To add one, name it here and sum it up below as named + its number.
  static constexpr PerAxis<const char*> mean_names{
      "bulk_velocity_x", "bulk_velocity_y", "bulk_velocity_z"};
  static constexpr int sums = named + mean_names.size();
  enum Maximum { divergence_max, cfl_rate, maxima };

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, maxima>& reduction) const {
    const auto c = velocity[0].spot(point);
    const auto volume = cell_volume(metrics, c);
    const auto divergence_here = magnitude(in_double(divergence_at(velocity, metrics, c, orders)));
    reduction.sum[divergence] += volume * divergence_here;
    reduction.raise(divergence_max, divergence_here);
    reduction.raise(cfl_rate, cfl_rate_at(velocity, metrics, c));
    add_along<Axis::x>(c, volume, reduction);
    add_along<Axis::y>(c, volume, reduction);
    add_along<Axis::z>(c, volume, reduction);
    add_edge<Axis::x, Axis::y>(c, reduction);
    add_edge<Axis::x, Axis::z>(c, reduction);
    add_edge<Axis::y, Axis::z>(c, reduction);
  }

 private:
  template <Axis axis, class Point, class Value, class Reduced>
  DNS_HD void add_along(Point c, Value volume, Reduced& reduction) const {
    const auto low = in_double(velocity[axis](c));
    const auto high = in_double(velocity[axis].template beside<axis>(c, 1));
    if constexpr (crosses_walls<axis, Orders>) {
      const auto& rows = orders.template along<axis>();
      const int cell = along<axis>(c);
      const auto slope = rows.template difference<false, double>(cell, [&](int steps) {
        return in_double(velocity[axis].template beside<axis>(c, steps));
      }) * static_cast<double>(rows.template inverse_volume<false>(cell));
      reduction.sum[dissipation] += volume * normal_dissipation(slope);
      const auto add_face = [&](const auto& speed, int face) {
        const auto volume_of_face = volume * face_over_cell<axis>(face, cell);
        reduction.sum[kinetic_energy] += 0.5 * volume_of_face * (speed * speed);
        reduction.sum[named + velocity_along(axis)] += volume_of_face * speed;
      };
      add_face(low, cell);
      if (cell == rows.cells - 1) add_face(high, rows.cells);
    } else {
      const auto slope = difference_of<double, false>(
                             orders.template along<axis>(),
                             [&](int steps) {
                               return in_double(velocity[axis].template beside<axis>(c, steps));
                             }) *
                         entry_in_double<axis>(metrics.template along<axis>().inverse_width, c);
      reduction.sum[kinetic_energy] += 0.25 * volume * (low * low + high * high);
      reduction.sum[dissipation] += volume * normal_dissipation(slope);
      reduction.sum[named + velocity_along(axis)] += 0.5 * volume * (low + high);
    }
  }
  /// wf/wc.
  template <Axis axis>
  [[nodiscard]] DNS_HD double face_over_cell(int face, int cell) const {
    const AxisMetrics<Real>& own = metrics.template along<axis>();
    return static_cast<double>(read_only(own.distance + face)) /
           static_cast<double>(read_only(own.width + cell));
  }

  template <Axis first, Axis second, class Point, class Reduced>
  DNS_HD void add_edge(Point c, Reduced& reduction) const {
    reduction.sum[dissipation] +=
        dissipation_at_edge<first, second>(velocity,
                                           metrics,
                                           metrics.template along<first>().distance,
                                           metrics.template along<second>().distance,
                                           c,
                                           orders);
  }
};

/// Contributions of the cells to the sums of a scalar T and of V_s T, the mean of both faces of a
/// cell along `axis` with I T there.
template <Axis axis, class Real, class Orders = SecondOrder>
struct ScalarDiagnostics {
  enum Sum { mean, transport, sums };
  static constexpr int maxima = 0;

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  FieldView<const Real> scalar;
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, maxima>& reduction) const {
    const FieldView<const Real>& across = velocity[axis];
    const auto c = scalar.spot(point);
    const auto volume = cell_volume(metrics, c);
    const auto twice_at_face = [&](int face) {
      return 2 *
             mean_along<double, axis, true>(orders, c.template moved<axis>(face), [&](int steps) {
               return in_double(scalar.template beside<axis>(c, face + steps));
             });
    };
    const auto low = in_double(across(c)) * twice_at_face(0);
    const auto high = in_double(across.template beside<axis>(c, 1)) * twice_at_face(1);
    reduction.sum[mean] += volume * in_double(scalar(c));
    reduction.sum[transport] += volume * (0.25 * (low + high));
  }
};

template <class Value>
struct SlopesAtEnds {
  Value low, high;
};
/// The slopes of q towards the inside at both ends of the line along `axis` through c.
template <Axis axis, class Real, class Point, class Orders = SecondOrder>
[[nodiscard]] DNS_HD auto slopes_at_ends(const FieldView<const Real>& q,
                                         const GridMetrics<Real>& metrics,
                                         Extents cells,
                                         Point c,
                                         const Orders& orders = {}) {
  const Real* steps = metrics.template along<axis>().inverse_step;
  const int n = along<axis>(cells);
  const Point low = placed<axis>(c, 0);
  if constexpr (crosses_walls<axis, Orders>) {
    const auto slope_at = [&](const Point& end) {
      return slope_at_face<double, axis>(
          metrics, end, orders, [&](int m) { return in_double(q.template beside<axis>(end, m)); });
    };
    const auto at_low = slope_at(low);
    return SlopesAtEnds<decltype(at_low + at_low)>{at_low, -slope_at(placed<axis>(c, n))};
  } else {
    const Point last = placed<axis>(c, n - 1);
    const auto at_low =
        (in_double(q(low)) - in_double(q.template beside<axis>(low, -1))) * double(steps[0]);
    return SlopesAtEnds<decltype(at_low + at_low)>{
        at_low,
        (in_double(q(last)) - in_double(q.template beside<axis>(last, 1))) * double(steps[n])};
  }
}

/// Multiplies slopes of a scalar by the conductivity of what lies at the planes, over that of the
/// fluid: `conductivity` of the low faces of cells along `axis`; null: no body conducts.
template <Axis axis, class Slopes, class Real, class Point>
DNS_HD void times_conductivity(Slopes& slopes,
                               const FieldView<const Real>& conductivity,
                               Extents cells,
                               Point c) {
  if (conductivity.origin == nullptr) return;
  slopes.low = slopes.low * in_double(conductivity(placed<axis>(c, 0)));
  slopes.high = slopes.high * in_double(conductivity(placed<axis>(c, along<axis>(cells))));
}

/// Contributions of the two boundary planes across `axis`: shear of the tangential velocity and
/// slope of temperature towards the inside, integrated over each plane, and the dissipation at the
/// edges on the high one. For the points of the plane c_axis = n, one point beyond the last cell
/// along the other two axes included where these have boundaries.
template <Axis axis, class Real, class Orders = SecondOrder>
struct BoundaryPlaneDiagnostics {
  static constexpr Axis first = axes_in_plane(axis).first;
  static constexpr Axis second = axes_in_plane(axis).second;
  enum Sum { dissipation, low_end, of_end = 3, sums = low_end + 2 * of_end };
  enum OfEnd { first_shear, second_shear, temperature_slope };  // at low_end, then of the high end

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  FieldView<const Real> temperature;  // null: none
  Extents cells;
  bool has_plane[2] = {true, true};  // low, high: not at the seams of a part of the box
  Orders orders = {};
  FieldView<const Real> conductivity = {};  // of bodies, see times_conductivity; null: none

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    add_edges<first>(c, reduction);
    add_edges<second>(c, reduction);
    add_shear<first, second>(c, first_shear, reduction);
    add_shear<second, first>(c, second_shear, reduction);
    if (temperature.origin != nullptr) {
      const auto area = entry_in_double<first>(metrics.template along<first>().width, c) *
                        entry_in_double<second>(metrics.template along<second>().width, c);
      auto slopes = slopes_at_ends<axis>(temperature, metrics, cells, c, orders);
      times_conductivity<axis>(slopes, conductivity, cells, c);
      add_slopes(slopes, temperature_slope, area, reduction);
    }
  }

 private:
  /// Edges between this plane and the faces across `other`; those at the high end of that axis
  /// belong to the plane whose axis comes first.
  template <Axis other, class Point, class Reduced>
  DNS_HD void add_edges(Point c, Reduced& reduction) const {
    if (!has_plane[1]) return;
    const AxisMetrics<Real>& others = metrics.template along<other>();
    reduction.sum[dissipation] +=
        dissipation_at_edge<axis, other>(velocity,
                                         metrics,
                                         metrics.template along<axis>().distance,
                                         axis < other ? others.distance : others.low_distance,
                                         c,
                                         orders);
  }
  template <Axis of, Axis other, class Point, class Reduced>
  DNS_HD void add_shear(Point c, int which, Reduced& reduction) const {
    add_slope(c,
              velocity[of],
              which,
              entry_in_double<of>(metrics.template along<of>().distance, c) *
                  entry_in_double<other>(metrics.template along<other>().width, c),
              reduction);
  }
  template <class Point, class Area, class Reduced>
  DNS_HD void add_slope(
      Point c, const FieldView<const Real>& q, int which, Area area, Reduced& reduction) const {
    add_slopes(slopes_at_ends<axis>(q, metrics, cells, c, orders), which, area, reduction);
  }
  template <class Slopes, class Area, class Reduced>
  DNS_HD void add_slopes(const Slopes& slopes, int which, Area area, Reduced& reduction) const {
    if (has_plane[0]) reduction.sum[low_end + which] += area * slopes.low;
    if (has_plane[1]) reduction.sum[low_end + of_end + which] += area * slopes.high;
  }
};

/// The slopes of a scalar towards the inside, integrated over the two boundary planes across
/// `axis`. For the points of one plane of cells.
template <Axis axis, class Real, class Orders = SecondOrder>
struct ScalarSlopes {
  static constexpr Axis first = axes_in_plane(axis).first;
  static constexpr Axis second = axes_in_plane(axis).second;
  static constexpr int sums = 2;  // at the low and the high end

  FieldView<const Real> scalar;
  GridMetrics<Real> metrics;
  Extents cells;
  bool has_plane[2];  // not at the seams of a part of the box
  Orders orders = {};
  FieldView<const Real> conductivity = {};  // of bodies, see times_conductivity; null: none

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const auto area = entry_in_double<first>(metrics.template along<first>().width, c) *
                      entry_in_double<second>(metrics.template along<second>().width, c);
    auto slopes = slopes_at_ends<axis>(scalar, metrics, cells, c, orders);
    times_conductivity<axis>(slopes, conductivity, cells, c);
    if (has_plane[0]) reduction.sum[0] += area * slopes.low;
    if (has_plane[1]) reduction.sum[1] += area * slopes.high;
  }
};

}  // namespace dns
