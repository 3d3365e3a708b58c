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

  [[nodiscard]] DNS_HD bool has_near(Index3 c) const {
    return c.i >= box.begin.i && c.i < box.end.i && c.j >= box.begin.j && c.j < box.end.j &&
           c.k >= box.begin.k && c.k < box.end.k;
  }
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
  /// 1 where the face between a point and its neighbour along `axis` is that of an adiabatic body,
  /// else 0. Requires that there are such bodies.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto is_closed(const Spot<Point>& c, int side) const {
    const auto difference = insulated(c) - insulated.template beside<axis>(c, side);
    return difference * difference;
  }
};

/// Rows of a factor along `axis`, FactorRows with all three coefficients, with bodies.
template <Axis axis, class Rows, class Real>
struct RowsAtSolids : Rows {
  static_assert(Rows::coefficients == 3);
  SolidsView<Real> solids;

  template <class Point>
  DNS_HD auto operator()(Point point) const {
    auto data = Rows::operator()(point);
    if (!solids.has_near(point)) return data;
    const auto c = solids.kappa.spot(point);
    auto& [lower, upper, diagonal] = data.coefficient;
    if (solids.insulated.origin != nullptr) {
      // The neighbour beyond a closed face has the value of the point itself.
      const auto closed_low = lower * solids.template is_closed<axis>(c, -1);
      const auto closed_high = upper * solids.template is_closed<axis>(c, 1);
      lower -= closed_low;
      upper -= closed_high;
      diagonal += closed_low + closed_high;
    }
    const auto b = solids.freedom(c);
    lower = b * lower;
    upper = b * upper;
    diagonal = Real(1) + b * (diagonal - Real(1));
    return data;
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
    if (!solids.has_near(c)) return value;
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
      if (solids.insulated.origin != nullptr && solids.has_near(c)) {
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
    return row.lower * solids.template is_closed<axis>(c, -1) *
               (here - q.template beside<axis>(c, -1)) +
           row.upper * solids.template is_closed<axis>(c, 1) *
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

/// Largest distance of a velocity component from that of the bodies, in them [U].
template <class Real>
struct SolidSlip {
  SolidsView<Real> solids;
  FieldView<const Real> q;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, 0, 1>& reduction) const {
    const auto c = q.spot(point);
    reduction.raise(0,
                    magnitude(in_double(where_above(
                        solids.kappa(c), Real(solid_rate), q(c) - solids.target_at(c)))));
  }
};

/// The change dq of an unknown in a step.
template <class Real>
struct ChangeOfStep {
  FieldView<const Real> now, next;

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(const Spot<Point>& c) const {
    return in_double(next(c)) - in_double(now(c));
  }
};

/// R: the right-hand side of the fluid alone. Right: a PulledRightHandSide.
template <class Right, class Real>
struct RightHandSideOfStep {
  Right right;
  AdvectingVelocity<Real> advecting;
  SweepCoefficients<Real> step;

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(const Spot<Point>& c) const {
    return in_double(right.of_fluid(c, advecting, step));
  }
};

/// Sums of volume times `Value` over the unknowns of a variable that feel one body, and of their
/// moments: with the distances from the body's centre along the two other axes. Of dq less that of
/// R, over -dt, they are the force on the body: what the unknowns' own equations lack is what the
/// body does to the fluid, pressure, friction and momentum carried through its surface.
template <int component, class Real, class Value>
struct SumsAtSolid {
  enum Sum { total, first_moment, second_moment, sums };
  static constexpr Axis own = component < 3 ? static_cast<Axis>(component) : Axis::x;
  static constexpr Axis first = axes_in_plane(own).first;
  static constexpr Axis second = axes_in_plane(own).second;

  Value value;
  FieldView<const Real> marker;  // of an unknown that feels the body: above `low`, not above `high`
  Real low = 0, high = 0;
  GridMetrics<Real> metrics;
  const double* arm[3] = {};  // of cell centres from the body's centre [L]

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = marker.spot(point);
    const auto mark = marker(c);
    const auto here = in_double(where_above(mark, low, decltype(mark)(Real(1))) -
                                where_above(mark, high, decltype(mark)(Real(1))));
    const auto part =
        here * (value(c) * (width<Axis::x>(c) * width<Axis::y>(c) * width<Axis::z>(c)));
    reduction.sum[total] += part;
    if constexpr (component < 3) {
      reduction.sum[first_moment] += part * entry<first>(arm[static_cast<int>(first)], c);
      reduction.sum[second_moment] += part * entry<second>(arm[static_cast<int>(second)], c);
    }
  }

 private:
  /// Of the control volume.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto width(Point c) const {
    const AxisMetrics<Real>& along_axis = metrics.template along<axis>();
    if constexpr (component == static_cast<int>(axis)) {
      return entry_in_double<axis>(along_axis.distance, c);
    } else {
      return entry_in_double<axis>(along_axis.width, c);
    }
  }
};

}  // namespace dns
