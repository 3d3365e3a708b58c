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

template <class Real, int x, int z>
struct StageMarchAcrossWalls {
  using Number = Real;
  using Weights = StageMarch<Real, x, 4, z>;

  StageAcrossWalls<Real, FixedOrder<x>, FixedOrder<z>> equation;
  PerAxis<Real> advection;  // - 1/(2h) along x and z [1/L], - 1/2 along y
  PerAxis<Real> diffusion;  // nu/h^2 [U/L]; 0 along y

  static constexpr bool has_second = true;
  enum RowArray { inverse_cell_volume, inverse_face_volume, width, row_arrays };
  using Rows = RowFactors<Real, row_arrays>;
  [[nodiscard]] DNS_HD Rows rows() const {
    const RowsAcrossWalls<Real>& of_walls = equation.terms.rows;
    return {{of_walls.inverse_cell_volume,
             of_walls.inverse_face_volume,
             equation.terms.sides.metrics.template along<Axis::y>().width}};
  }

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
  [[nodiscard]] DNS_HD auto advecting_velocity(const Rows& rows,
                                               const At& at,
                                               [[maybe_unused]] Index face) const {
    if constexpr (axis == Axis::y) return carried(rows, at, face);
    if constexpr (axis != Axis::y) return mean<axis>(at);
  }
  template <Axis axis, class Value, class At>
  [[nodiscard]] DNS_HD Value advecting_from_mean(const Rows& rows,
                                                 Value mean,
                                                 [[maybe_unused]] const At& at,
                                                 [[maybe_unused]] int face) const {
    if constexpr (axis == Axis::y) return carried(rows, at, face);
    if constexpr (axis != Axis::y) return mean;
  }

  template <Axis axis, class Value>
  [[nodiscard]] DNS_HD SkewFlux<Value> flux(Value advecting, Value mean, Value difference) const {
    return skew_flux(advection[axis] * advecting, diffusion[axis], mean, difference);
  }
  template <Axis axis, class Value, class Index>
  [[nodiscard]] DNS_HD Value scaled([[maybe_unused]] const Rows& rows,
                                    [[maybe_unused]] bool is_face,
                                    Value sum,
                                    [[maybe_unused]] Index index) const {
    if constexpr (axis != Axis::y) return sum;
    if constexpr (axis == Axis::y)
      return sum * (is_face ? rows(inverse_face_volume, index) : rows(inverse_cell_volume, index));
  }
  /// Along z alone.
  template <Axis axis, class Value>
  [[nodiscard]] DNS_HD Value unscaled(bool /*is_face*/, Value sum, int /*index*/) const {
    return sum;
  }

  /// Stores F and r of a component. second: L_y q.
  template <int component, class Point, class Value>
  DNS_HD void finish(const Spot<Point>& c, Value second, Value sum, Value before) const {
    if (!equation.terms.rows.template is_inside<false>(c.j)) return;
    equation.template finish_inside<static_cast<Axis>(component)>(
        c, Parts<Value>{sum, second}, before);
  }

 private:
  template <class Value>
  struct Parts {
    Value explicit_part, second;
  };

  template <class At>
  [[nodiscard]] DNS_HD auto carried(const Rows& rows, const At& at, int face) const {
    auto sum = (mean_weight<Axis::y>(0) * rows(width, face - 2)) * at(0);
    DNS_UNROLLED
    for (int t = 1; t < 4; ++t)
      sum += (mean_weight<Axis::y>(t) * rows(width, face - 2 + t)) * at(t);
    return sum * rows(inverse_face_volume, face);
  }
};

}  // namespace dns
