/// Products whose averages make the budgets of <u'u'>, <v'v'>, <w'w'>, where the scheme has them
/// (advection_diffusion.hpp): at the unknowns q of a component and at the low ends of their control
/// volumes along b, with the volume flux V~ there and q_- the unknown below:
///
///   q (N_b q)  = [ V~ q q_-/2 ] from the low to the high end / width
///   q (L_b q)  = [ (q + q_-)/2 (q - q_-)/h ] / width - (h_low g_low^2 + h_high g_high^2)/(2 width)
///   q dp/dx_a  = [ q p at faces ] / width - p dq/dx_a, moved to cells by halves of control volumes
///
/// so that advection, diffusion and pressure are sums of differences of fluxes, of dissipation and
/// of pressure strain, exactly. Along axes averaged over the fluxes cancel, and only dissipation is
/// left. Velocities and p are taken about their references. All in double, of order 2 whatever
/// accuracy.order is. What is made of them: solver/statistics/budget_averages.hpp.
#pragma once

#include "solver/numerics/statistics.hpp"

namespace dns {

/// At the low end along b of the control volume of a component at c; its weight is that of the
/// unknown at c.
template <Axis b, int component, class Real>
struct ProductsAtEnds {
  enum Sum {
    flux,                // V~
    flux_here,           // V~ q
    flux_below,          // V~ q_-
    here_below,          // q q_-
    flux_here_below,     // V~ q q_-
    below,               // q_-
    difference_squared,  // (q - q_-)^2
    half_square_change,  // (q^2 - q_-^2)/2
    sums
  };
  static constexpr std::array<const char*, sums> names{"flux",
                                                       "flux_here",
                                                       "flux_below",
                                                       "here_below",
                                                       "flux_here_below",
                                                       "below",
                                                       "difference_squared",
                                                       "half_square_change"};

  VelocityView<const Real> velocity;
  AveragingWeight<Real> weight;
  References references = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.template of<component>(c);
    const double reference = references.velocity[component];
    const Number q = in_double(velocity[component](c)) - reference;
    const Number q_below = in_double(velocity[component].template beside<b>(c, -1)) - reference;
    const Number v = flux_at(c, q, q_below);
    const auto add = [&](Sum which, Number value) { reduction.sum[which] += share * value; };
    add(flux, v);
    add(flux_here, v * q);
    add(flux_below, v * q_below);
    add(here_below, q * q_below);
    add(flux_here_below, v * q * q_below);
    add(below, q_below);
    add(difference_squared, (q - q_below) * (q - q_below));
    add(half_square_change, 0.5 * (q - q_below) * (q + q_below));
  }

 private:
  template <class Point, class Number>
  [[nodiscard]] DNS_HD Number flux_at(Point c, Number q, Number q_below) const {
    if constexpr (component == velocity_along(b)) {
      return 0.5 * (q + q_below);
    } else {
      constexpr Axis own = static_cast<Axis>(component);
      const FieldView<const Real>& normal = velocity[b];
      const AxisMetrics<Real>& shares = weight.metrics.template along<own>();
      const double reference = references.velocity[b];
      return entry_in_double<own>(shares.share_below, c) *
                 (in_double(normal.template beside<own>(c, -1)) - reference) +
             entry_in_double<own>(shares.share_above, c) * (in_double(normal(c)) - reference);
    }
  }
};

/// At the unknown of a component.
template <int component, class Real>
struct ProductsAtUnknowns {
  enum Sum {
    mean,                  // q
    averaged_dissipation,  // sum over the axes averaged over of g_low^2 h_low/width
    pressure_flux,         // q p, p interpolated linearly to the face
    sums
  };
  static constexpr std::array<const char*, sums> names{
      "mean", "averaged_dissipation", "pressure_flux"};
  static constexpr Axis own = static_cast<Axis>(component);

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  AveragingWeight<Real> weight;
  References references = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.template of<component>(c);
    const Number value = in_double(velocity[component](c));
    const Number q = value - references.velocity[component];
    reduction.sum[mean] += share * q;
    reduction.sum[averaged_dissipation] +=
        share * (dissipation_along<Axis::x>(c, value) + dissipation_along<Axis::y>(c, value) +
                 dissipation_along<Axis::z>(c, value));
    // The nearer of the two cells has the larger weight.
    const AxisMetrics<Real>& shares = weight.metrics.template along<own>();
    const Number p = entry_in_double<own>(shares.share_above, c) *
                         (in_double(pressure.template beside<own>(c, -1)) - references.pressure) +
                     entry_in_double<own>(shares.share_below, c) *
                         (in_double(pressure(c)) - references.pressure);
    reduction.sum[pressure_flux] += share * q * p;
  }

 private:
  template <Axis b, class Point, class Number>
  [[nodiscard]] DNS_HD Number dissipation_along(Point c, Number q) const {
    if (!weight.is_averaged(b)) return 0;
    const AxisMetrics<Real>& along_b = weight.metrics.template along<b>();
    const Number difference = q - in_double(velocity[component].template beside<b>(c, -1));
    const Number step = entry_in_double<b>(along_b.inverse_step, c);  // 1/L
    if constexpr (b == own) {
      // h = width of the cell below = 2 share_below/step, width of the control volume 1/step
      return difference * difference * step * step /
             (2 * entry_in_double<b>(along_b.share_below, c));
    } else {
      return difference * difference * step * entry_in_double<b>(along_b.inverse_width, c);
    }
  }
};

/// p du_a/dx_a of each component, at cells.
template <class Real>
struct PressureStrainSample {
  static constexpr int sums = 3;
  static constexpr std::array<const char*, sums> names{"strain_uu", "strain_vv", "strain_ww"};

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  AveragingWeight<Real> weight;
  References references = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number p = weight.at(c) * (in_double(pressure(c)) - references.pressure);
    add<Axis::x>(c, p, reduction);
    add<Axis::y>(c, p, reduction);
    add<Axis::z>(c, p, reduction);
  }

 private:
  template <Axis axis, class Point, class Number>
  DNS_HD void add(Point c, Number p, Reduction<Number, sums, 0>& reduction) const {
    const Number change = in_double(velocity[axis](above<axis>(c))) - in_double(velocity[axis](c));
    reduction.sum[velocity_along(axis)] +=
        p * change * entry_in_double<axis>(weight.metrics.template along<axis>().inverse_width, c);
  }
};

}  // namespace dns
