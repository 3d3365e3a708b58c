/// The stage of stage_across_walls.hpp for backends that march through planes, at the points so far
/// from both ends of y that all rows there have the weights of the inside; others are left out.
///
/// Along x and z, which are uniform, 1/h is part of the fluxes; along y the sums are divided by the
/// volumes of order_across_walls.hpp.
#pragma once

#include "solver/core/index.hpp"
#include "solver/numerics/stage_across_walls.hpp"
#include "solver/numerics/stage_march.hpp"

namespace dns {

/// Rows of L_y inside: the weights of the values at index - 3 .. index + 3.
inline constexpr int second_row_width = 7;

template <class Real, int x, int z>
struct StageMarchAcrossWalls {
  using Number = Real;
  using Weights = StageMarch<Real, x, 4, z>;

  StageAcrossWalls<Real, FixedOrder<x>, FixedOrder<z>> equation;
  PerAxis<Real> advection;  // - 1/(2h) along x and z [1/L], - 1/2 along y
  PerAxis<Real> diffusion;  // nu/h^2 [U/L]; 0 along y
  const Real* second;       // rows of L_y at cells, then at faces [1/L^2]; (cells + 1) rows each

  template <Axis axis>
  [[nodiscard]] DNS_HD static constexpr int order() {
    return Weights::template order<axis>();
  }
  [[nodiscard]] DNS_HD const FieldView<const Real>& field(int component) const {
    return equation.terms.sides.velocity[component];
  }
  [[nodiscard]] DNS_HD bool reads_before() const { return equation.weights.before != 0; }
  [[nodiscard]] DNS_HD const FieldView<Real>& before(int component) const {
    return equation.force[component];
  }
  template <Axis axis>
  [[nodiscard]] DNS_HD static constexpr Real difference_weight(int t) {
    return Weights::template difference_weight<axis>(t);
  }
  template <Axis axis>
  [[nodiscard]] DNS_HD static constexpr Real mean_weight(int t) {
    return Weights::template mean_weight<axis>(t);
  }
  template <Axis axis, class At>
  [[nodiscard]] DNS_HD static auto mean(const At& at) {
    return Weights::template mean<axis>(at);
  }
  template <Axis axis, class At>
  [[nodiscard]] DNS_HD static auto difference(const At& at) {
    return Weights::template difference<axis>(at);
  }

  /// Velocity at a face across the axis: its mean; across y J* of it, which carries v.
  template <Axis axis, class At, class Index>
  [[nodiscard]] DNS_HD auto advecting_velocity(const At& at, [[maybe_unused]] Index face) const {
    if constexpr (axis == Axis::y) return carried(at, face);
    if constexpr (axis != Axis::y) return mean<axis>(at);
  }
  template <Axis axis, class Value, class At>
  [[nodiscard]] DNS_HD Value advecting_from_mean(Value mean,
                                                 [[maybe_unused]] const At& at,
                                                 [[maybe_unused]] int face) const {
    if constexpr (axis == Axis::y) return carried(at, face);
    if constexpr (axis != Axis::y) return mean;
  }

  template <Axis axis, class Value>
  [[nodiscard]] DNS_HD SkewFlux<Value> flux(Value advecting, Value mean, Value difference) const {
    return skew_flux(advection[axis] * advecting, diffusion[axis], mean, difference);
  }
  template <Axis axis, class Value, class Index>
  [[nodiscard]] DNS_HD Value scaled([[maybe_unused]] bool is_face,
                                    Value sum,
                                    [[maybe_unused]] Index index) const {
    if constexpr (axis != Axis::y) return sum;
    if constexpr (axis == Axis::y) {
      const RowsAcrossWalls<Real>& rows = equation.terms.rows;
      return sum * entry_at(is_face ? rows.inverse_face_volume : rows.inverse_cell_volume, index);
    }
  }
  /// Along z alone.
  template <Axis axis, class Value>
  [[nodiscard]] DNS_HD Value unscaled(bool /*is_face*/, Value sum, int /*index*/) const {
    return sum;
  }

  /// Stores F and r of a component.
  template <int component, class Point, class Value>
  DNS_HD void finish(const Spot<Point>& c, Value /*here*/, Value sum, Value before) const {
    const RowsAcrossWalls<Real>& rows = equation.terms.rows;
    if (!rows.template is_inside<false>(c.j)) return;
    constexpr bool is_face = component == velocity_along(Axis::y);
    const Real* const row = second + (c.j + (is_face ? rows.cells + 1 : 0)) * second_row_width;
    const FieldView<const Real>& q = field(component);
    constexpr int reach = second_row_width / 2;
    Value second_difference(Real(0));
    DNS_UNROLLED
    for (int m = -reach; m <= reach; ++m)
      second_difference += read_only(row + m + reach) * Value(q.template beside<Axis::y>(c, m));
    equation.template finish<static_cast<Axis>(component)>(
        c, Parts<Value>{sum, second_difference}, before);
  }

 private:
  template <class Value>
  struct Parts {
    Value explicit_part, second;
  };

  template <class At>
  [[nodiscard]] DNS_HD auto carried(const At& at, int face) const {
    const Real* const volumes = equation.terms.sides.metrics.template along<Axis::y>().width;
    auto sum = (mean_weight<Axis::y>(0) * read_only(volumes + face - 2)) * at(0);
    DNS_UNROLLED
    for (int t = 1; t < 4; ++t)
      sum += (mean_weight<Axis::y>(t) * read_only(volumes + face - 2 + t)) * at(t);
    return sum * read_only(equation.terms.rows.inverse_face_volume + face);
  }
};

}  // namespace dns
