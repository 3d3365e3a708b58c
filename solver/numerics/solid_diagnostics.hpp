/// What solid bodies feel in a flow of scheme `projection`, and how well they hold it: sums and
/// maxima over the unknowns near them, in double.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"

namespace dns {

/// What an unknown gives to a body per volume at one time: where it is solid all that acts on it,
/// R; where it is cut what the surface takes, kappa (q - W). That and R are the same but for dq/dt.
/// Where a step passes the time 1/kappa, q follows W, and R, which is not multiplied by kappa, has
/// the smaller error:
///
///   (kappa (q - W) + x^2 R)/(1 + x^2),   x = dt kappa
///
/// Both are of second order in time where q and R are. What a surface gives itself, g, is in R and
/// goes off; where bodies conduct, an unknown holds c times as much.
template <class Real>
struct GivenToBody {
  SolidsView<Real> solids;
  FieldView<const Real> q, right;  // q and R
  double dt;                       // of the last step [L/U]

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(const Spot<Point>& c) const {
    const auto rate = in_double(solids.kappa(c));
    const auto all = in_double(right(c));
    const auto square = dt * rate * (dt * rate);
    const auto taken = rate * (in_double(q(c)) - in_double(solids.target_at(c)));
    auto given = where_above(rate, solid_rate, all) +
                 where_above(-rate, -solid_rate, (taken + square * all) / (1.0 + square));
    if (solids.gain.origin != nullptr) given -= in_double(solids.gain(c));
    if (solids.conduct()) given = given / in_double(solids.inverse_capacity(c));
    return given;
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
  if constexpr (component == velocity_along(axis)) {
    return entry_in_double<axis>(along_axis.distance, c);
  } else {
    return entry_in_double<axis>(along_axis.width, c);
  }
}

/// The control volume of an unknown [L^3].
template <int component, class Real, class Point>
[[nodiscard]] DNS_HD auto control_volume(const GridMetrics<Real>& metrics, Point c) {
  return control_width<Axis::x, component>(metrics, c) *
         control_width<Axis::y, component>(metrics, c) *
         control_width<Axis::z, component>(metrics, c);
}

/// What an unknown gives to a body, if it feels that one, else 0.
template <int component, class Real, class Point>
[[nodiscard]] DNS_HD auto share_at_solid(const FeelsBody<Real>& feels,
                                         const GivenToBody<Real>& given,
                                         const GridMetrics<Real>& metrics,
                                         const Spot<Point>& c) {
  return feels.chosen(c, given(c) * control_volume<component>(metrics, c));
}

/// Sums of such shares of the three velocity components, and of their moments with the distances
/// from the body's centre along the two other axes: the force on the body and its torque, by
/// pressure, friction and momentum carried through its surface.
template <class Real>
struct VelocitySumsAtSolid {
  enum Sum { total, first_moment, second_moment, of_component };
  static constexpr int sums = 3 * of_component;

  PerAxis<GivenToBody<Real>> given;
  PerAxis<FeelsBody<Real>> feels;
  GridMetrics<Real> metrics;
  PerAxis<const double*> arm{};  // of cell centres from the body's centre [L]

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
    constexpr int component = velocity_along(own);
    constexpr Axis first = axes_in_plane(own).first;
    constexpr Axis second = axes_in_plane(own).second;
    const auto share = share_at_solid<component>(feels[component], given[component], metrics, c);
    reduction.sum[of_component * component + total] += share;
    reduction.sum[of_component * component + first_moment] += share * entry<first>(arm[first], c);
    reduction.sum[of_component * component + second_moment] +=
        share * entry<second>(arm[second], c);
  }
};

/// The sum of such shares of a scalar.
template <class Real>
struct ScalarSumAtSolid {
  static constexpr int sums = 1;
  GivenToBody<Real> given;
  FeelsBody<Real> feels;
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = feels.mark.spot(point);
    reduction.sum[0] += share_at_solid<scalar_component>(feels, given, metrics, c);
  }
};

/// What a body that conducts a scalar takes from the flow and other bodies, by the stored values:
/// through the faces of its points to all that are not its own, SUM area (D k (q_beside -
/// q)/distance + u (q_beside + q)/2), u into it, less what other bodies take from its points, SUM
/// volume c (kappa (q - W) - g).
template <class Real>
struct ScalarFromConductor {
  static constexpr int sums = 1;
  SolidsView<Real> solids;
  FieldView<const Real> number;  // 1 + that of the body that a point conducts in, else 0
  double body;                   // likewise
  FieldView<const Real> q;
  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  double diffusivity;  // D of the fluid [U L]

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = number.spot(point);
    auto flux = along<Axis::x>(c) + along<Axis::y>(c) + along<Axis::z>(c);
    auto taken = in_double(solids.kappa(c)) * (in_double(q(c)) - in_double(solids.target_at(c)));
    if (solids.gain.origin != nullptr) taken -= in_double(solids.gain(c));
    flux -= where_above(
        -in_double(solids.kappa(c)), -solid_rate, taken / in_double(solids.inverse_capacity(c)));
    reduction.sum[0] +=
        is_own(in_double(number(c))) * flux * control_volume<scalar_component>(metrics, c);
  }

 private:
  template <class Value>
  [[nodiscard]] DNS_HD Value is_own(Value of_point) const {
    const Value one = Value(1.0);
    return where_above(of_point, body - 0.5, one) - where_above(of_point, body + 0.5, one);
  }
  /// Per volume, through both faces across an axis; nothing through those at the ends of the box.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto along(const Spot<Point>& c) const {
    const AxisMetrics<Real>& of_axis = metrics.template along<axis>();
    const auto through = [&](int end) {
      const int steps = end < 0 ? 0 : 1;  // to the face
      const auto here = in_double(q(c));
      const auto there = in_double(q.template beside<axis>(c, end));
      const auto slope =
          in_double(entry<axis>(of_axis.inverse_distance, c.template moved<axis>(steps))) *
          (there - here);
      const auto conducted =
          diffusivity *
          (in_double(solids.conductivity[axis].template beside<axis>(c, steps)) * slope);
      const auto carried =
          -0.5 * end * (in_double(velocity[axis].template beside<axis>(c, steps)) * (here + there));
      auto passes = 1.0 - is_own(in_double(number.template beside<axis>(c, end)));
      if (solids.insulated.origin != nullptr)
        passes = passes * (1.0 - in_double(is_closed_face<axis>(solids.insulated, c, end)));
      return passes * (conducted + carried);
    };
    return in_double(entry<axis>(of_axis.inverse_width, c)) * (through(-1) + through(1));
  }
};

/// What the velocity is at bodies, next to them and in them:
///   cut dissipation  SUM volume kappa (q - W)^2 over the components of fluid unknowns: with nu Phi
///                    of the stored values, bodies included, all that diffusion takes from the
///                    kinetic energy of a flow around bodies at rest [U^3 L^2]
///   slip             the largest distance of the velocity from that of the bodies, in them [U]
template <class Real>
struct VelocityAtSolids {
  static constexpr bool is_uneven = true;
  enum Sum { cut_dissipation, sums };
  enum Maximum { slip, maxima };

  PerAxis<SolidsView<Real>> solids;
  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, maxima>& reduction) const {
    const auto c = velocity[0].spot(point);
    add<0>(c, reduction);
    add<1>(c, reduction);
    add<2>(c, reduction);
  }

 private:
  template <int component, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    if (solids[component].are_beyond(c)) return;
    const auto rate = in_double(solids[component].kappa(c));
    const auto distance =
        in_double(velocity[component](c)) - in_double(solids[component].target_at(c));
    reduction.raise(slip, magnitude(where_above(rate, solid_rate, distance)));
    reduction.sum[cut_dissipation] += where_above(
        -rate, -solid_rate, control_volume<component>(metrics, c) * rate * distance * distance);
  }
};

/// The part of sums over cells that those in bodies contribute, and their volume [L^3].
template <class OfCell, class Real>
struct DiagnosticsInSolids {
  static constexpr bool is_uneven = true;
  enum Sum { volume = OfCell::sums, sums };

  OfCell of_cell;
  FieldView<const Real> solid;  // 1 at the cell centres in bodies, else 0

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = solid.spot(point);
    if (is_zero(solid(c))) return;
    Reduction<Number, OfCell::sums, OfCell::maxima> cell;
    of_cell(point, cell);
    const auto share = in_double(solid(c));
    for (int which = 0; which < OfCell::sums; ++which)
      reduction.sum[which] += share * cell.sum[which];
    reduction.sum[volume] += share * cell_volume(of_cell.metrics, c);
  }
};

/// A kernel of single cells that leaves out those in bodies.
template <class Kernel, class Real>
struct OutsideSolids {
  Kernel kernel;
  FieldView<const Real> solid;  // as above

  template <int sums>
  DNS_HD void operator()(Index3 c, Reduction<double, sums, 0>& reduction) const {
    if (solid(c) == Real(0)) kernel(c, reduction);
  }
};

}  // namespace dns
