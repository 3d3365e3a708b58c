/// Solid bodies in the equations of scheme `projection`.
///
/// An unknown is solid where its own point lies in a body. Where the neighbour of a fluid unknown
/// along an axis is solid, the surface lies theta of their distance away, and diffusion takes
/// (q_wall - q)/(theta distance) in place of (q_solid - q)/distance; control volumes stay whole,
/// and so does advection. That is one rate for each unknown and the value it pulls towards:
///
///   kappa = nu SUM (1/theta - 1)/(width distance)               infinite in a body
///   W     = nu/kappa SUM (q_wall/theta - q_solid)/(width distance)     q_solid in a body
///
/// with the sums over the cut ends of all axes. With b = 1/(1 + dt kappa) the row l | d | u of each
/// factor I + A_s becomes
///
///   b l | 1 + b (d - 1) | b u
///
/// and the right-hand side R of the first factor b R + (1 - b) (W - q^n). A body's rows are then
/// dq = W - q^n, and cut rows those of the surface's own stencil.
///
/// Sources: Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002) 205 (diffusion at cut lines);
/// Fadlun, Verzicco, Orlandi & Mohd-Yusof, J. Comput. Phys. 161 (2000) 35 (direct forcing).
#pragma once

#include <type_traits>

#include "solver/numerics/closed_face.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/projection_rows.hpp"

namespace dns {

/// kappa of the unknowns in a body is above this, that of all others below [U/L].
inline constexpr double solid_rate = 1e30;

/// The term of kappa of one cut end [U/L]; `diffusion` = nu/(width distance).
[[nodiscard]] constexpr double pull_of_cut(double diffusion, double theta) {
  return diffusion * (1 / theta - 1);
}
/// The term of kappa W of one cut end.
[[nodiscard]] constexpr double pull_times_target(double diffusion,
                                                 double theta,
                                                 double wall,
                                                 double solid) {
  return diffusion * (wall / theta - solid);
}

/// What bodies are to the unknowns of one variable.
template <class Real>
struct SolidsView {
  /// Outside of it no unknown is solid or has a neighbour that is. It begins some points early
  /// along x, because points are handled in packs.
  Box box;
  FieldView<const Real> kappa;      // [U/L]
  FieldView<const Real> target;     // W; null: uniform_target everywhere
  FieldView<const Real> insulated;  // 1 in adiabatic bodies, else 0; null: there are none
  Real uniform_target = 0;
  Real dt = 0;

  /// b = 1/(1 + dt kappa).
  template <class Point>
  [[nodiscard]] DNS_HD auto freedom(const Spot<Point>& c) const {
    const auto rate = kappa(c);
    return decltype(rate)(Real(1)) / (Real(1) + dt * rate);
  }
  /// W.
  template <class Point>
  [[nodiscard]] DNS_HD auto target_at(const Spot<Point>& c) const {
    using Value = decltype(kappa(c));
    return target.origin == nullptr ? Value(uniform_target) : Value(target(c));
  }
};

/// Rows of a factor along `axis` with bodies. Fluid: FactorRows. The diagonal differs from point to
/// point, along uniform axes too. Far from bodies kappa is 0 and b 1: to ask first whether a point
/// is near one would make each row wait for the loads of the one before.
template <Axis axis, class Fluid, class Real>
struct RowsAtSolids : Fluid {
  using System = typename Fluid::System;
  static constexpr int coefficients = 3;

  SolidsView<Real> solids;

  template <class Point>
  DNS_HD auto operator()(Point point) const {
    const auto open = Fluid::operator()(point);
    using Value = std::remove_cvref_t<decltype(open.rhs[0])>;
    const Coupling<Value> row = Fluid::coupling(0, open.coefficient);
    RowData<System, coefficients, Value> data;
    auto& [lower, upper, diagonal] = data.coefficient;
    lower = row.lower;
    upper = row.upper;
    diagonal = row.diagonal;
    data.rhs[0] = open.rhs[0];
    const auto c = solids.kappa.spot(point);
    if constexpr (Fluid::is_of_scalar) {
      if (solids.insulated.origin != nullptr) {
        // The neighbour beyond a closed face has the value of the point itself.
        const auto closed_low = lower * is_closed_face<axis>(solids.insulated, c, -1);
        const auto closed_high = upper * is_closed_face<axis>(solids.insulated, c, 1);
        lower -= closed_low;
        upper -= closed_high;
        diagonal += closed_low + closed_high;
      }
    }
    const auto b = solids.freedom(c);
    lower = b * lower;
    upper = b * upper;
    diagonal = Real(1) + b * (diagonal - Real(1));
    return data;
  }

  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int /*matrix*/,
                                                const Value (&coefficient)[coefficients]) const {
    return {coefficient[0], coefficient[2], coefficient[1]};
  }
};

/// The right-hand side of the first factor, with bodies.
template <int component, class Right, class Real>
struct PulledRightHandSide {
  Right right;
  FieldView<const Real> q;  // at t^n, ghosts included
  SolidsView<Real> solids;

  template <class Point>
  DNS_HD auto operator()(Point c,
                         const AdvectingVelocity<Real>& advecting,
                         const SweepCoefficients<Real>& step) const {
    const auto value = of_fluid(c, advecting, step);
    const auto b = solids.freedom(c);
    return b * value + (Real(1) - b) * (solids.target_at(c) - q(c));
  }

  /// R: without the pull of the bodies.
  template <class Point>
  [[nodiscard]] DNS_HD auto of_fluid(Point c,
                                     const AdvectingVelocity<Real>& advecting,
                                     const SweepCoefficients<Real>& step) const {
    auto value = right(c, advecting, step);
    if constexpr (component == scalar_component) {
      if (solids.insulated.origin != nullptr && solids.box.holds(c)) {
        value -= Real(2) * (through_closed<Axis::x>(c, advecting, step) +
                            through_closed<Axis::y>(c, advecting, step) +
                            through_closed<Axis::z>(c, advecting, step));
      }
    }
    return value;
  }

 private:
  /// What A_s q has less with q beyond closed faces replaced by that of the point.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto through_closed(Point c,
                                           const AdvectingVelocity<Real>& advecting,
                                           const SweepCoefficients<Real>& step) const {
    const auto row = advecting.template term<axis, component, AnyAxes>(c, step).row();
    const auto here = q(c);
    return row.lower * is_closed_face<axis>(solids.insulated, c, -1) *
               (here - q.template beside<axis>(c, -1)) +
           row.upper * is_closed_face<axis>(solids.insulated, c, 1) *
               (here - q.template beside<axis>(c, 1));
  }
};

/// Gives the unknowns in bodies the values there.
template <class Real>
struct ImposeSolids {
  SolidsView<Real> solids;
  FieldView<Real> q;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = q.spot(point);
    const auto here = q(c);
    q.set(c, here + where_above(solids.kappa(c), Real(solid_rate), solids.target_at(c) - here));
  }
};

/// Largest distance of the velocity from that of the bodies, in them [U].
template <class Real>
struct SolidSlip {
  SolidsView<Real> solids[3];
  VelocityView<const Real> velocity;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, 0, 1>& reduction) const {
    const auto c = velocity[0].spot(point);
    for (int component = 0; component < 3; ++component) {
      const auto slip = velocity[component](c) - solids[component].target_at(c);
      reduction.raise(
          0, magnitude(in_double(where_above(solids[component].kappa(c), Real(solid_rate), slip))));
    }
  }
};

/// The right-hand sides R of the fluid alone where they are stored, and the changes dV of a step.
template <class Real>
struct StoredRightHandSides {
  VelocityView<const Real> stored;

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(int component, const Spot<Point>& c) const {
    return in_double(stored[component](c));
  }
};
template <class Real>
struct ChangesOfVelocity {
  VelocityView<const Real> now, next;

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(int component, const Spot<Point>& c) const {
    return in_double(next[component](c)) - in_double(now[component](c));
  }
};

/// The same of a scalar. Right: a PulledRightHandSide.
template <class Right, class Real>
struct RightHandSideOfScalar {
  Right right;
  AdvectingVelocity<Real> advecting;
  SweepCoefficients<Real> step;

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(int /*component*/, const Spot<Point>& c) const {
    return in_double(right.of_fluid(c, advecting, step));
  }
};
template <class Real>
struct ChangeOfScalar {
  FieldView<const Real> now, next;

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(int /*component*/, const Spot<Point>& c) const {
    return in_double(next(c)) - in_double(now(c));
  }
};

/// The unknowns of a variable that feel one body: those whose mark is above `low` and not above
/// `high`.
template <class Real>
struct FeelsBody {
  FieldView<const Real> mark;
  double low = 0, high = 0;

  /// `value` at such unknowns, else 0.
  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value chosen(const Spot<Point>& c, Value value) const {
    const auto here = in_double(mark(c));
    return where_above(here, low, value) - where_above(here, high, value);
  }
};

/// The width along `axis` of the control volume of an unknown [L].
template <Axis axis, int component, class Real, class Point>
[[nodiscard]] DNS_HD auto control_width(const GridMetrics<Real>& metrics, Point c) {
  const AxisMetrics<Real>& along_axis = metrics.template along<axis>();
  if constexpr (component == static_cast<int>(axis)) {
    return entry_in_double<axis>(along_axis.distance, c);
  } else {
    return entry_in_double<axis>(along_axis.width, c);
  }
}

/// `value` times the control volume of an unknown that feels the body, else 0.
template <int component, class Real, class Value, class Point>
[[nodiscard]] DNS_HD auto share_at_solid(const FeelsBody<Real>& feels,
                                         const Value& value,
                                         const GridMetrics<Real>& metrics,
                                         const Spot<Point>& c) {
  return feels.chosen(c,
                      value(component, c) * (control_width<Axis::x, component>(metrics, c) *
                                             control_width<Axis::y, component>(metrics, c) *
                                             control_width<Axis::z, component>(metrics, c)));
}

/// Sums of such shares of the three velocity components, and of their moments with the distances
/// from the body's centre along the two other axes. Of dV less that of R, over -dt, they are the
/// force on the body and its torque: what the equations of these unknowns lack is what the body
/// does to the fluid, by pressure, friction and momentum carried through its surface.
template <class Real, class Value>
struct VelocitySumsAtSolid {
  enum Sum { total, first_moment, second_moment, of_component };
  static constexpr int sums = 3 * of_component;

  Value value;
  FeelsBody<Real> feels[3];
  GridMetrics<Real> metrics;
  const double* arm[3] = {};  // of cell centres from the body's centre [L]

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = feels[0].mark.spot(point);
    add<Axis::x>(c, reduction);
    add<Axis::y>(c, reduction);
    add<Axis::z>(c, reduction);
  }

 private:
  template <Axis own, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    constexpr int component = static_cast<int>(own);
    constexpr Axis first = axes_in_plane(own).first;
    constexpr Axis second = axes_in_plane(own).second;
    const auto share = share_at_solid<component>(feels[component], value, metrics, c);
    reduction.sum[of_component * component + total] += share;
    reduction.sum[of_component * component + first_moment] +=
        share * entry<first>(arm[static_cast<int>(first)], c);
    reduction.sum[of_component * component + second_moment] +=
        share * entry<second>(arm[static_cast<int>(second)], c);
  }
};

/// The sum of such shares of a scalar.
template <class Real, class Value>
struct ScalarSumAtSolid {
  static constexpr int sums = 1;
  Value value;
  FeelsBody<Real> feels;
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = feels.mark.spot(point);
    reduction.sum[0] += share_at_solid<scalar_component>(feels, value, metrics, c);
  }
};

}  // namespace dns
