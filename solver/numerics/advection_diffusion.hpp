/// Advection and diffusion along one axis on a staggered grid.
///
///   A_s = dt/2 (N_s(V~) - nu L_s)
///   (N_s q)_i = (V~_(i+1/2) q_(i+1) - V~_(i-1/2) q_(i-1)) / (2 width_i)
///   (L_s q)_i = ((q_(i+1) - q_i)/distance_(i+1/2) - (q_i - q_(i-1))/distance_(i-1/2)) / width_i
///
/// with the width of the control volume around unknown i and the distance of neighbouring unknowns.
/// V~, averaged as a volume flux, is free of divergence on every control volume, so the sum of N_s
/// over the axes is the divergence form; each N_s is skew-symmetric, so that none of them creates
/// or destroys kinetic energy.
///
/// Source: Verstappen & Veldman, J. Comput. Phys. 187 (2003) 343-368.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/core/tridiagonal.hpp"
#include "solver/numerics/grid_metrics.hpp"

namespace dns {

/// A_s at one point.
template <class Value>
struct AxisTerm {
  Value advection_low, advection_high;  // dt/4 V~/width at both ends of the control volume
  Value diffusion_low, diffusion_high;  // dt/2 nu/(width distance)

  /// A_s q from the unknown at the point and those on its low (`before`) and high (`behind`) side.
  [[nodiscard]] DNS_HD Value applied(Value before, Value q, Value behind) const {
    return (advection_high * behind - advection_low * before) + diffusion_low * (q - before) +
           diffusion_high * (q - behind);
  }
  /// The row of I + A_s.
  [[nodiscard]] DNS_HD Coupling<Value> row() const {
    return {-(advection_low + diffusion_low),
            Value(1) + (diffusion_low + diffusion_high),
            advection_high - diffusion_high};
  }
};

/// The velocity V~ that advects all quantities of a step, and the metrics of its grid.
template <class Real>
struct AdvectingVelocity {
  PerAxis<FieldView<const Real>> velocity;
  GridMetrics<Real> metrics;

  /// A_s along `axis` for a velocity component, or a scalar. Uniform: UniformAxes.
  template <Axis axis, int component, class Uniform, class Point>
  [[nodiscard]] DNS_HD auto term(Point c, const SweepCoefficients<Real>& step) const {
    using Value = decltype(velocity[0](c));
    const AxisCoefficients<Real>& factors = step.template unknowns<axis, component>();
    const auto advection = entry_of<axis, Uniform>(factors.advection, c);
    AxisTerm<Value> term;
    term.advection_low = advection * across<axis, component, Uniform, 0>(c);
    term.advection_high = advection * across<axis, component, Uniform, 1>(c);
    term.diffusion_low = Value(entry_of<axis, Uniform>(factors.diffusion_low, c));
    term.diffusion_high = Value(entry_of<axis, Uniform>(factors.diffusion_high, c));
    return term;
  }

 private:
  /// V~ along `axis` through the low (end = 0) or high (1) end of the control volume at c.
  template <Axis axis, int component, class Uniform, int end, class Point>
  [[nodiscard]] DNS_HD auto across(Point c) const {
    const FieldView<const Real>& normal = velocity[axis];
    if constexpr (component == velocity_along(axis)) {
      return Real(0.5) * (normal(c) + normal.template beside<axis>(c, end == 0 ? -1 : 1));
    } else if constexpr (component == scalar_component) {
      return at_end<axis, end>(normal, c);
    } else {
      constexpr Axis own = static_cast<Axis>(component);
      const AxisMetrics<Real>& shares = metrics.template along<own>();
      return entry_of<own, Uniform>(shares.share_below, c) * below_end<axis, own, end>(normal, c) +
             entry_of<own, Uniform>(shares.share_above, c) * at_end<axis, end>(normal, c);
    }
  }
  template <Axis axis, int end, class Point>
  [[nodiscard]] DNS_HD static auto at_end(const FieldView<const Real>& normal, Point c) {
    if constexpr (end == 0) return normal(c);
    if constexpr (end == 1) return normal.template beside<axis>(c, 1);
  }
  template <Axis axis, Axis own, int end, class Point>
  [[nodiscard]] DNS_HD static auto below_end(const FieldView<const Real>& normal, Point c) {
    if constexpr (end == 0) return normal.template beside<own>(c, -1);
    if constexpr (end == 1) return normal.template beside<axis, own>(c, 1, -1);
  }
};

}  // namespace dns
