/// The quantities averaged on a staggered grid, as contributions of single cells, in double.
///
/// All at cell centres:
///   u, v, w          means of both faces               p, T, pp, TT   of the values as stored
///   uu, vv, ww       means of the squares at both faces: averages along the component contain no
///                    smoothing between neighbouring faces
///   uv, uw, vw       means over the four edges around the cell of the product there, each factor
///                    the mean of its two neighbours
///   uT, vT, wT       means over both faces of the velocity times the T that it advects
///   dissipation      Phi = 2 (u_x^2 + v_y^2 + w_z^2) + (v_x + u_y)^2 + (w_x + u_z)^2 +
///                    (w_y + v_z)^2, the shears as means over four edges [U^2/L^2]
#pragma once

#include "solver/core/reduction.hpp"
#include "solver/numerics/edge_means.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"

namespace dns {

/// The share of a cell, or of the control volume of an unknown, in the lengths that are averaged
/// over.
template <class Real>
struct AveragingWeight {
  GridMetrics<Real> metrics;
  double inverse_length[3];  // of the axes averaged over; 0: not averaged [1/L]

  [[nodiscard]] DNS_HD double at(Index3 c) const { return of<scalar_component>(c); }
  /// The same for the unknown at c of a velocity component.
  template <int component>
  [[nodiscard]] DNS_HD double of(Index3 c) const {
    return along_axis<Axis::x, component>(c) * along_axis<Axis::y, component>(c) *
           along_axis<Axis::z, component>(c);
  }
  [[nodiscard]] DNS_HD bool is_averaged(Axis axis) const {
    return inverse_length[static_cast<int>(axis)] > 0;
  }
  /// The sum of the weights themselves.
  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    reduction.sum[0] += at(c);
  }

 private:
  template <Axis axis, int component>
  [[nodiscard]] DNS_HD double along_axis(Index3 c) const {
    if (!is_averaged(axis)) return 1;
    const AxisMetrics<Real>& own = metrics.template along<axis>();
    return inverse_length[static_cast<int>(axis)] *
           entry_in_double<axis>(component == static_cast<int>(axis) ? own.distance : own.width, c);
  }
};

template <class Real>
struct StatisticsSample {
  enum Sum {
    mean_velocity,                // u, v, w
    squares = mean_velocity + 3,  // uu, vv, ww
    shears = squares + 3,         // uv, uw, vw
    mean_pressure = shears + 3,   // p
    square_pressure,              // pp
    dissipation,
    sums_of_flow,
    mean_temperature = sums_of_flow,  // T
    square_temperature,               // TT
    heat_fluxes,                      // uT, vT, wT
    sums = heat_fluxes + 3
  };

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  FieldView<const Real> temperature;  // null: none
  GridMetrics<Real> metrics;
  AveragingWeight<Real> weight;

  DNS_HD void operator()(Index3 c, Reduction<double, sums, 0>& reduction) const {
    const double share = weight.at(c);
    const auto add = [&](int which, double value) { reduction.sum[which] += share * value; };
    double phi = 0;
    add_component<Axis::x>(c, phi, add);
    add_component<Axis::y>(c, phi, add);
    add_component<Axis::z>(c, phi, add);
    add_shear<Axis::x, Axis::y>(c, shears, phi, add);
    add_shear<Axis::x, Axis::z>(c, shears + 1, phi, add);
    add_shear<Axis::y, Axis::z>(c, shears + 2, phi, add);
    add(dissipation, phi);
    const double p = in_double(pressure(c));
    add(mean_pressure, p);
    add(square_pressure, p * p);
    if (temperature.origin == nullptr) return;
    const double here = in_double(temperature(c));
    add(mean_temperature, here);
    add(square_temperature, here * here);
  }

 private:
  template <Axis axis, class Add>
  DNS_HD void add_component(Index3 c, double& phi, const Add& add) const {
    constexpr int a = static_cast<int>(axis);
    const double low = in_double(velocity[a](c));
    const double high = in_double(velocity[a](above<axis>(c)));
    add(mean_velocity + a, 0.5 * (low + high));
    add(squares + a, 0.5 * (low * low + high * high));
    const double slope =
        (high - low) * entry_in_double<axis>(metrics.template along<axis>().inverse_width, c);
    phi += normal_dissipation(slope);
    if (temperature.origin == nullptr) return;
    const double here = in_double(temperature(c));
    const double below = in_double(temperature.template beside<axis>(c, -1));
    const double behind = in_double(temperature.template beside<axis>(c, 1));
    add(heat_fluxes + a, 0.25 * (low * (below + here) + high * (here + behind)));
  }

  template <Axis first, Axis second, class Add>
  DNS_HD void add_shear(Index3 c, int which, double& phi, const Add& add) const {
    const FieldView<const Real>& q = velocity[static_cast<int>(first)];
    const FieldView<const Real>& r = velocity[static_cast<int>(second)];
    const auto product = [&](Index3 edge) {
      return 0.25 * (in_double(q.template beside<second>(edge, -1)) + in_double(q(edge))) *
             (in_double(r.template beside<first>(edge, -1)) + in_double(r(edge)));
    };
    const auto squared_shear = [&](Index3 edge) {
      return squared_shear_at_edge<first, second>(velocity, metrics, edge);
    };
    add(which, mean_over_edges<first, second>(product, c));
    phi += mean_over_edges<first, second>(squared_shear, c);
  }
};

}  // namespace dns
