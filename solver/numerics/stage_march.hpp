/// The stage of stage_equation.hpp for backends that march through planes and make each
/// interpolation once: orders, means, differences, fluxes, and what becomes of their sums.
///
/// Along an axis of order above 2, which is uniform, 1/h is part of the fluxes; along one of order
/// 2 the sums are multiplied by the inverse widths of their control volumes.
#pragma once

#include "solver/core/index.hpp"
#include "solver/numerics/stage_equation.hpp"

namespace dns {

/// The entry of an array along an axis; with a point, at its index along x.
template <class Real>
[[nodiscard]] DNS_HD Real entry_at(const Real* values, int index) {
  return read_only(values + index);
}
template <class Real, class Point>
[[nodiscard]] DNS_HD auto entry_at(const Real* values, Point c) {
  return load_nearby(values + c.i, c);
}

/// Arrays along y that functions of a scheme read: its own, or copies of them in faster memory.
template <class Real, int count>
struct RowFactors {
  const Real* values[count == 0 ? 1 : count];

  [[nodiscard]] DNS_HD Real operator()(int array, int index) const { return values[array][index]; }
};

template <class Real, int x, int y, int z>
struct StageMarch {
  using Number = Real;
  using Equation = StageEquation<Real, FixedOrders<x, y, z>>;

  Equation equation;
  PerAxis<Real> advection;  // - 1/(2h) along axes of order above 2 [1/L], - 1/2 along others
  PerAxis<Real> diffusion;  // nu/h^2 [U/L], nu/h [U]

  /// Whether `finish` takes L_y q in place of q.
  static constexpr bool has_second = false;
  enum RowArray { inverse_width, inverse_distance, share_below, share_above };
  static constexpr int row_arrays = y == 2 ? 4 : 0;
  using Rows = RowFactors<Real, row_arrays>;
  [[nodiscard]] DNS_HD Rows rows() const {
    if constexpr (row_arrays == 0) {
      return {};
    } else {
      const AxisMetrics<Real>& metrics = equation.terms.metrics.template along<Axis::y>();
      return {{metrics.inverse_width,
               metrics.inverse_distance,
               metrics.share_below,
               metrics.share_above}};
    }
  }

  template <Axis axis>
  [[nodiscard]] DNS_HD static constexpr int order() {
    return axis == Axis::x ? x : axis == Axis::y ? y : z;
  }

  [[nodiscard]] DNS_HD const FieldView<const Real>& field(int component) const {
    return equation.terms.velocity[component];
  }
  [[nodiscard]] DNS_HD bool reads_before() const { return equation.weights.before != 0; }
  /// What the results were in the stage before.
  [[nodiscard]] DNS_HD const FieldView<Real>& before(int component) const {
    return equation.force[component];
  }

  /// Weight of value t = 0 .. order - 1 around a point.
  template <Axis axis>
  [[nodiscard]] DNS_HD static constexpr Real difference_weight(int t) {
    constexpr int half = order<axis>() / 2;
    return static_cast<Real>(t >= half ? FixedOrder<2 * half>::difference(t - half)
                                       : -FixedOrder<2 * half>::difference(half - 1 - t));
  }
  template <Axis axis>
  [[nodiscard]] DNS_HD static constexpr Real mean_weight(int t) {
    constexpr int half = order<axis>() / 2;
    return static_cast<Real>(FixedOrder<2 * half>::mean(t >= half ? t - half : half - 1 - t));
  }

  /// Mean and difference of at(t), t = 0 .. order - 1, around a point.
  template <Axis axis, class At>
  [[nodiscard]] DNS_HD static auto mean(const At& at) {
    constexpr int half = order<axis>() / 2;
    return mean_of<Real, true>(FixedOrder<2 * half>{}, [&](int n) { return at(n + half); });
  }
  template <Axis axis, class At>
  [[nodiscard]] DNS_HD static auto difference(const At& at) {
    constexpr int half = order<axis>() / 2;
    return difference_of<Real, true>(FixedOrder<2 * half>{}, [&](int n) { return at(n + half); });
  }
  /// Velocity at a face across the axis: its mean, as a volume flux where cells are stretched.
  template <Axis axis, class At, class Index>
  [[nodiscard]] DNS_HD auto advecting_velocity([[maybe_unused]] const Rows& rows,
                                               const At& at,
                                               Index face) const {
    if constexpr (order<axis>() > 2) return mean<axis>(at);
    if constexpr (order<axis>() == 2) return by_shares<axis>(rows, at, face);
  }
  /// Velocity at a face across the axis, as advecting_velocity(), where the mean is known.
  template <Axis axis, class Value, class At>
  [[nodiscard]] DNS_HD Value
  advecting_from_mean([[maybe_unused]] const Rows& rows, Value mean, const At& at, int face) const {
    if constexpr (order<axis>() > 2) return mean;
    if constexpr (order<axis>() == 2) return by_shares<axis>(rows, at, face);
  }

  /// What a half point gives to both sides.
  template <Axis axis, class Value>
  [[nodiscard]] DNS_HD SkewFlux<Value> flux(Value advecting, Value mean, Value difference) const {
    return skew_flux(advection[axis] * advecting, diffusion[axis], mean, difference);
  }

  /// What the sum of fluxes at point `index` along the axis amounts to; is_face: of the component
  /// along the axis.
  template <Axis axis, class Value, class Index>
  [[nodiscard]] DNS_HD Value
  scaled([[maybe_unused]] const Rows& rows, bool is_face, Value sum, Index index) const {
    if constexpr (order<axis>() > 2) return sum;
    if constexpr (order<axis>() == 2 && axis == Axis::y)
      return sum * (is_face ? rows(inverse_distance, index) : rows(inverse_width, index));
    const AxisMetrics<Real>& metrics = equation.terms.metrics.template along<axis>();
    return sum * entry_at(is_face ? metrics.inverse_distance : metrics.inverse_width, index);
  }
  template <Axis axis, class Value>
  [[nodiscard]] DNS_HD Value unscaled(bool is_face, Value sum, int index) const {
    if constexpr (order<axis>() > 2) return sum;
    const AxisMetrics<Real>& metrics = equation.terms.metrics.template along<axis>();
    return sum * entry_at(is_face ? metrics.distance : metrics.width, index);
  }

  /// Stores F and V* or r of a component. here: of V.
  template <int component, class Point, class Value>
  DNS_HD void finish(const Spot<Point>& c, Value here, Value sum, Value before) const {
    equation.template finish<static_cast<Axis>(component)>(c, here, sum, before);
  }

 private:
  template <Axis axis, class At, class Index>
  [[nodiscard]] DNS_HD auto by_shares([[maybe_unused]] const Rows& rows,
                                      const At& at,
                                      Index face) const {
    if constexpr (axis == Axis::y)
      return rows(share_below, face) * at(0) + rows(share_above, face) * at(1);
    const AxisMetrics<Real>& metrics = equation.terms.metrics.template along<axis>();
    return entry_at(metrics.share_below, face) * at(0) +
           entry_at(metrics.share_above, face) * at(1);
  }
};

}  // namespace dns
