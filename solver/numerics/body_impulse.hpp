/// Momentum that bodies take from the flow in a Runge-Kutta stage of scheme `projection`, exactly
/// what the equations of the stage have less with the bodies: sums over the unknowns near them, in
/// double.
///
/// Without bodies the change x = V* - V of a stage meets
///
///   (I + A_z)(I + A_y)(I + A_x) x = r,     A_s = - g dt/2 nu L_s along axes of implicit diffusion
///
/// or x = r where there are none, and the sum of volume A_s x over all unknowns is what passes
/// through walls. With bodies each factor is I + b A_s, and the first right-hand side b r + pull (W
/// - V), see solid_rows.hpp. What an unknown has less is therefore
///
///   (1 - b) r - pull (W - V)       of the pull
///   - (1 - b) A_s x_s              of each factor, x_s its solution
///
/// The rest of the step, the projection, changes the momentum of the box through its ends alone.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/solid_diagnostics.hpp"

namespace dns {

/// Sums over the unknowns that feel one body of what its pull takes [U L^3]; before PullStage.
template <class Real>
struct TakenByPulls {
  static constexpr int sums = 3;
  static constexpr bool is_uneven = true;  // nothing but in bodies and beside them

  PerAxis<SolidsView<Real>> solids;
  PerAxis<FeelsBody<Real>> feels;
  GridMetrics<Real> metrics;
  VelocityView<const Real> velocity;  // V
  VelocityView<const Real> result;    // r, or V + r where no sweep follows
  bool has_sweeps;

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
    if (solids[component].are_beyond(c)) return;
    const auto here = velocity[component](c);
    const auto b = solids[component].freedom(c);
    const auto right = has_sweeps ? result[component](c) : result[component](c) - here;
    const auto taken =
        (Real(1) - b) * right - solids[component].pull(b) * (solids[component].target_at(c) - here);
    reduction.sum[component] +=
        feels[component].chosen(c, in_double(taken) * control_volume<component>(metrics, c));
  }
};

/// Sums over the unknowns that feel one body of what its weights take in the factors [U L^3]; after
/// the sweeps z, y, x, before the projection. Requires the ghost points of V and V*.
template <class Real>
struct TakenInFactors {
  static constexpr int sums = 3;
  static constexpr bool is_uneven = true;  // nothing but in bodies and beside them

  PerAxis<SolidsView<Real>> solids;
  PerAxis<FeelsBody<Real>> feels;
  GridMetrics<Real> metrics;
  VelocityView<const Real> velocity, star;  // V, V*
  SweepCoefficients<Real> coefficients;
  PerAxis<bool> is_implicit;

  template <class Point, class Number>
  DNS_HD void operator()(Point point, Reduction<Number, sums, 0>& reduction) const {
    const auto c = feels[0].mark.spot(point);
    add<Axis::x>(c, reduction);
    add<Axis::y>(c, reduction);
    add<Axis::z>(c, reduction);
  }

 private:
  /// x_s: of the last sweep V* - V, of the others (I + b A) times that of the next one.
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto solution(const Spot<Point>& c) const {
    if constexpr (axis == Axis::x) {
      return star[component](c) - velocity[component](c);
    } else {
      constexpr Axis next = axis == Axis::z ? Axis::y : Axis::x;
      auto x = solution<next, component>(c);
      if (is_implicit[next]) x += solids[component].freedom(c) * factor<next, component>(c, x);
      return x;
    }
  }
  /// A_s x_s; here: x_s at c.
  template <Axis axis, int component, class Point, class Value>
  [[nodiscard]] DNS_HD Value factor(const Spot<Point>& c, Value here) const {
    const AxisCoefficients<Real>& rows = coefficients.template unknowns<axis, component>();
    const auto beside = [&](int end) {
      return solution<axis, component>(c.template moved<axis>(end));
    };
    return entry<axis>(rows.diffusion_low, c) * (here - beside(-1)) +
           entry<axis>(rows.diffusion_high, c) * (here - beside(1));
  }
  template <Axis own, class Point, class Reduced>
  DNS_HD void add(const Spot<Point>& c, Reduced& reduction) const {
    constexpr int component = velocity_along(own);
    if (solids[component].are_beyond(c)) return;
    using Value = decltype(star[component](c));
    auto all = Value(Real(0));
    if (is_implicit[0]) all += of_factor<Axis::x, component>(c);
    if (is_implicit[1]) all += of_factor<Axis::y, component>(c);
    if (is_implicit[2]) all += of_factor<Axis::z, component>(c);
    const auto taken = (solids[component].freedom(c) - Real(1)) * all;
    reduction.sum[component] +=
        feels[component].chosen(c, in_double(taken) * control_volume<component>(metrics, c));
  }
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto of_factor(const Spot<Point>& c) const {
    return factor<axis, component>(c, solution<axis, component>(c));
  }
};

}  // namespace dns
