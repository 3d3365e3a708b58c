/// A stage of the explicit Runge-Kutta scheme (stage_equation.hpp) where y ends at boundaries and
/// has the differences of order 4 of order_across_walls.hpp, point by point. Along y
///
///   N_y q = 1/2 [ D (U I q) + I* (U G q) ]   q at cells, U at faces: I_x v, I_z v; v of a scalar
///   N_y v = 1/2 [ G (U J v) + J* (U D v) ]   U = J v at cells
///
/// with I* = I^T wf/wc, and L_y = D G or G D. Along x and z are the terms of stage_equation.hpp,
/// but for the velocity that advects v, J* u and J* w. No term makes energy where nothing flows
/// through the boundaries. Diffusion along y is implicit, by products with (I - g dt/2 nu L_y)^-1:
///
///   r  = dt (al F + be F_before) - g dt grad p + g dt f + g dt nu L_y q
///   q* = q + (I - g dt/2 nu L_y)^-1 r
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/numerics/order_across_walls.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/rows_across_walls.hpp"
#include "solver/numerics/stage_equation.hpp"

namespace dns {

/// Advection by V and diffusion. X, Z: the orders along x and z.
template <class Real, class X, class Z = X>
struct TermsAcrossWalls {
  SkewTerms<Real, AxisOrders<X, FixedOrder<2>, Z>> sides;  // without diffusion along y
  RowsAcrossWalls<Real> rows;

  /// Parts of the equation of a variable at a point.
  template <class Value>
  struct Result {
    Value explicit_part;  // - N q + nu (L_x + L_z) q
    Value second;         // L_y q
  };

  /// At a point of q, of `component`: u, w or a scalar.
  template <int component, class Point>
  [[nodiscard]] DNS_HD auto at_cell(const FieldView<const Real>& q, const Spot<Point>& c) const {
    static_assert(component != velocity_along(Axis::y));
    auto result = summed<false>(c, [&](const Spot<Point>& face) {
      return fluxes<true>(face, sides.template advecting<Axis::y, component>(face), q);
    });
    result.explicit_part += sides.template along<Axis::x, component>(q, c) +
                            sides.template along<Axis::z, component>(q, c);
    return result;
  }
  /// At a point of v. On boundaries, which have no equation, meaningless.
  template <class Point>
  [[nodiscard]] DNS_HD auto at_face(const Spot<Point>& c) const {
    const FieldView<const Real>& v = sides.velocity[Axis::y];
    auto result = summed<true>(c, [&](const Spot<Point>& cell) {
      const auto advecting = rows.template mean<false>(
          cell.j, [&](int steps) { return v.template beside<Axis::y>(cell, steps); });
      return fluxes<false>(cell, advecting, v);
    });
    result.explicit_part += along_side<Axis::x>(c) + along_side<Axis::z>(c);
    return result;
  }

 private:
  using Kind = RowAcrossWalls;

  /// F and G of stage_equation.hpp without diffusion, and what L_y takes differences of.
  template <class Value>
  struct Fluxes {
    Value differenced, averaged, slope;
  };
  /// At a face or cell between the points of q.
  template <bool is_face, class Point, class Value>
  [[nodiscard]] DNS_HD Fluxes<Value> fluxes(const Spot<Point>& between,
                                            Value advecting,
                                            const FieldView<const Real>& q) const {
    const auto at = [&](int steps) { return Value(q.template beside<Axis::y>(between, steps)); };
    const Value difference = rows.template difference<is_face>(between.j, at);
    const Value mean = rows.template mean<is_face>(between.j, at);
    const Value half = Real(-0.5) * advecting;
    return {half * mean,
            half * difference,
            rows.template inverse_volume<is_face>(between.j) * difference};
  }

  /// The sums over the row at c, over the volume there; flux_at(spot): Fluxes.
  template <bool at_face, class Point, class FluxAt>
  [[nodiscard]] DNS_HD auto summed(const Spot<Point>& c, const FluxAt& flux_at) const {
    constexpr Kind differences = at_face ? Kind::difference_at_face : Kind::difference_at_cell;
    constexpr Kind adjoints = at_face ? Kind::adjoint_at_face : Kind::adjoint_at_cell;
    using Value = decltype(flux_at(c).differenced);
    const int first = rows.template first<differences>(c.j);
    const Real* const difference = rows.template row<differences>(c.j);
    const Real* const adjoint = rows.template row<adjoints>(c.j);
    Value advected(Real(0));
    Value diffused(Real(0));
    for (int m = 0; m < RowsAcrossWalls<Real>::row_width; ++m) {
      const Real of_difference = read_only(difference + m);
      const Real of_adjoint = read_only(adjoint + m);
      if (of_difference == 0 && of_adjoint == 0) continue;
      const Fluxes<Value> flux = flux_at(c.template moved<Axis::y>(first + m));
      advected += of_difference * flux.differenced + of_adjoint * flux.averaged;
      diffused += of_difference * flux.slope;
    }
    const Real inverse_volume = rows.template inverse_volume<at_face>(c.j);
    return Result<Value>{inverse_volume * advected, inverse_volume * diffused};
  }

  /// The part of v's equation along x or z.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto along_side(const Spot<Point>& c) const {
    const FieldView<const Real>& v = sides.velocity[Axis::y];
    const FieldView<const Real>& normal = sides.velocity[axis];
    const auto& order = sides.orders.template along<axis>();
    using Value = decltype(v(c));
    return Value(entry<axis>(sides.metrics.template along<axis>().inverse_width, c) *
                 divergence_of_skew_flux<Real, false>(order, [&](int steps) {
                   const Spot<Point> edge = c.template moved<axis>(steps);
                   const Value carry = rows.template applied<Kind::carry_at_face>(c.j, [&](int n) {
                     return normal.template beside<axis, Axis::y>(c, steps, n);
                   });
                   const auto at = [&](int n) { return v.template beside<axis>(edge, n); };
                   return skew_flux(Value(Real(-0.5) * carry),
                                    sides.diffusion[axis],
                                    Value(mean_of<Real, true>(order, at)),
                                    Value(difference_of<Real, true>(order, at)));
                 }));
  }
};

/// The stage of a scalar.
template <class Real, class X, class Z = X>
struct ScalarStageAcrossWalls {
  TermsAcrossWalls<Real, X, Z> terms;
  StageWeights<Real> weights;
  Real implicit;  // g dt nu [L^2]
  FieldView<const Real> q;
  FieldView<Real> force;   // F_before, not read in the first stage; becomes F
  FieldView<Real> result;  // becomes r

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = q.spot(point);
    const auto now = terms.template at_cell<scalar_component>(q, c);
    auto r = weights.now * now.explicit_part + implicit * now.second;
    if (weights.before != 0) r += weights.before * force(c);
    force.set(c, now.explicit_part);
    result.set(c, r);
  }
};

/// The stage of all velocity components. On boundary faces r is 0.
template <class Real, class X, class Z = X>
struct StageAcrossWalls {
  TermsAcrossWalls<Real, X, Z> terms;  // with V at the beginning of the stage
  StageWeights<Real> weights;
  Real implicit;              // g dt nu [L^2]
  VelocityView<Real> force;   // F_before, not read in the first stage; becomes F
  VelocityView<Real> result;  // becomes r
  FieldView<const Real> pressure;
  FieldView<const Real> temperature;  // at the beginning of the stage; null: AddBuoyancy or none
  PerAxis<Real> buoyancy;             // acceleration per temperature [U^2/(L T0)]
  PerAxis<Real> uniform;              // g dt f [U]

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = pressure.spot(point);
    using Value = decltype(pressure(c));
    const auto before = [&](Axis axis) {
      return weights.before != 0 ? Value(force[axis](c)) : Value(Real(0));
    };
    // All loads before the first store: a compiler must assume that fields overlap.
    const auto u = completed<Axis::x>(
        c,
        orders(),
        terms.template at_cell<velocity_along(Axis::x)>(terms.sides.velocity[0], c),
        before(Axis::x));
    auto v = completed<Axis::y>(c, orders(), terms.at_face(c), before(Axis::y));
    const auto w = completed<Axis::z>(
        c,
        orders(),
        terms.template at_cell<velocity_along(Axis::z)>(terms.sides.velocity[2], c),
        before(Axis::z));
    if (c.j == 0) v = {Value(Real(0)), Value(Real(0))};
    store<Axis::x>(c, u);
    store<Axis::y>(c, v);
    store<Axis::z>(c, w);
  }

  /// Stores the stage of the component along `axis` at c, a point so far from both walls that its
  /// rows along y have constant weights. of_flow: as TermsAcrossWalls::Result; before: F_before.
  template <Axis axis, class Point, class Terms, class Value>
  DNS_HD void finish_inside(const Spot<Point>& c, const Terms& of_flow, Value before) const {
    const AxisOrders<X, FixedOrder<4>, Z> inside{terms.sides.orders.x, {}, terms.sides.orders.z};
    store<axis>(c, completed<axis>(c, inside, of_flow, before));
  }

 private:
  template <class Value>
  struct Stage {
    Value force, result;
  };

  template <Axis axis, class Point, class Orders, class Terms, class Value>
  [[nodiscard]] DNS_HD Stage<Value> completed(const Spot<Point>& c,
                                              const Orders& around,
                                              const Terms& of_flow,
                                              Value before) const {
    Value now = of_flow.explicit_part;
    if (temperature.origin != nullptr && buoyancy[axis] != 0) {
      now += buoyancy[axis] * Value(mean_along<Real, axis, true>(around, c, [&](int steps) {
               return temperature.template beside<axis>(c, steps);
             }));
    }
    Value r = weights.now * now + Value(uniform[axis]) + implicit * of_flow.second;
    if (weights.before != 0) r += weights.before * before;
    const auto slope = weights.whole * inverse_distance_at<axis>(terms.sides.metrics, c, orders());
    r -= slope * Value(pressure_difference<axis, Real>(c, around, [&](int steps) {
           return pressure.template beside<axis>(c, steps);
         }));
    return {now, r};
  }
  [[nodiscard]] DNS_HD OrdersAcrossWalls<Real, X, Z> orders() const {
    return {terms.sides.orders.x, terms.rows, terms.sides.orders.z};
  }
  template <Axis axis, class Point, class Value>
  DNS_HD void store(const Spot<Point>& c, const Stage<Value>& stage) const {
    force[axis].set(c, stage.force);
    result[axis].set(c, stage.result);
  }
};

/// Adds to r what the change of a value given at an end is of g dt/2 nu L q: of a variable at
/// cells, or of the velocity across the boundary. For the points of r that see the end.
template <class Real>
struct AddGivenChange {
  FaceView<const Real> now, next;  // at the beginning and the end of the stage
  FieldView<Real> result;
  const Real* of_unit;  // L q of a change by 1, from index `first` on [1/L^2]
  int first;
  Real weight;  // g dt/2 nu; g dt nu of implicit Euler [L^2]

  template <class Point>
  DNS_HD void operator()(Point c) const {
    const Real of_change = weight * read_only(of_unit + (c.j - first));
    result.set(c, result(c) + of_change * (next(c) - now(c)));
  }
};

/// A condition at an end of y, as FillAcrossWalls needs it.
template <class Real>
struct WallValue {
  Real of_inside, of_given;  // of the value on the end: of_inside s + of_given given
  FaceView<const Real> given;
};

/// Fills the ghost points of a variable at cells beyond both ends of y: the value on an end is the
/// mean of the ghost point and the first one inside. For the points of a plane across y, the first
/// ghost points along x and z included.
template <class Real>
struct FillAcrossWalls {
  FieldView<Real> q;
  WallValue<Real> low, high;
  int cells;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    fill(placed<Axis::y>(point, -1), 1, low);
    fill(placed<Axis::y>(point, cells), -1, high);
  }

 private:
  template <class Point>
  DNS_HD void fill(const Point& ghost, int inward, const WallValue<Real>& end) const {
    const auto c = q.spot(ghost);
    const auto q_0 = q.template beside<Axis::y>(c, inward);
    auto on_wall = end.of_given * end.given(ghost);
    if (end.of_inside != 0) {
      on_wall += end.of_inside * value_beside_end<Real>(q_0,
                                                        q.template beside<Axis::y>(c, 2 * inward),
                                                        q.template beside<Axis::y>(c, 3 * inward));
    }
    q.set(c, Real(2) * on_wall - q_0);
  }
};

}  // namespace dns
