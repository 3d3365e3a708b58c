/// The quantities averaged on a staggered grid, as contributions of single points, in double.
///
/// Where the variables are, u, v, w at their faces, p and T at cell centres:
///   u, uu, uuu, uuuu ...   powers of the values as stored
/// At cell centres, of products:
///   uv, uw, vw       means over the four edges around the cell of the product there, each factor
///                    the mean of its two neighbours
///   uT, vT, wT       means over both faces of the velocity times the T that it advects
///   dissipation      Phi = 2 (u_x^2 + v_y^2 + w_z^2) + (v_x + u_y)^2 + (w_x + u_z)^2 +
///                    (w_y + v_z)^2, the shears as means over four edges [U^2/L^2]
///
/// Moments of fluctuations are made of means at the same places (solver/output/mean_flow.hpp): what
/// is steady has none.
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

/// What the place of an unknown counts in averages. Where there are bodies a face counts as far as
/// the cells at both its sides are in the fluid, so that means over faces are those over the fluid;
/// what is in bodies counts only where nothing else is averaged with it.
template <int component, class Real>
struct FluidWeight {
  AveragingWeight<Real> weight;
  FieldView<const Real> solid;  // 1 at the centres of cells in bodies, else 0; null: none

  [[nodiscard]] DNS_HD double at(Index3 c) const {
    constexpr double of_body = 1e-30;
    const double all = weight.template of<component>(c);
    if (solid.origin == nullptr) return all;
    if constexpr (component == scalar_component) {
      return if_fluid(c, all) + of_body * all;
    } else {
      constexpr Axis axis = static_cast<Axis>(component);
      const Index3 below = placed<axis>(c, along<axis>(c) - 1);
      const double half_of_cell = 0.5 * weight.at(c);
      return if_fluid(below, all - half_of_cell) + if_fluid(c, half_of_cell) + of_body * all;
    }
  }
  /// The sum of the weights themselves.
  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    reduction.sum[0] += at(c);
  }

 private:
  [[nodiscard]] DNS_HD double if_fluid(Index3 cell, double part) const {
    return solid(cell) == Real(0) ? part : 0;
  }
};

/// Powers of a velocity component at its face, or of a scalar at the centre of a cell.
template <int component, class Real>
struct PowersSample {
  enum Sum { first, second, third, fourth, sums };

  FieldView<const Real> q;
  FluidWeight<component, Real> weight;
  Box cells;  // beyond them in two directions across the component nothing is known

  DNS_HD void operator()(Index3 c, Reduction<double, sums, 0>& reduction) const {
    if (is_corner(c)) return;
    const double value = in_double(q(c));
    const double square = value * value;
    const double part = weight.at(c);
    const double squared_part = part * square;
    reduction.sum[first] += part * value;
    reduction.sum[second] += squared_part;
    reduction.sum[third] += squared_part * value;
    reduction.sum[fourth] += squared_part * square;
  }

 private:
  [[nodiscard]] DNS_HD bool is_corner(Index3 c) const {
    const bool out_x = component != 0 && (c.i < cells.begin.i || c.i >= cells.end.i);
    const bool out_y = component != 1 && (c.j < cells.begin.j || c.j >= cells.end.j);
    const bool out_z = component != 2 && (c.k < cells.begin.k || c.k >= cells.end.k);
    return (out_x && out_y) || (out_x && out_z) || (out_y && out_z);
  }
};

/// Products of different variables, as the scheme transports them: at edges (I_y u)(I_x v), at
/// faces V_s I_s T. And Phi, in differences of order 2 whatever the orders are.
template <class Real, class Orders = SecondOrder>
struct ProductsSample {
  enum Sum {
    shears,                    // uv, uw, vw
    dissipation = shears + 3,  // Phi
    heat_fluxes,               // uT, vT, wT
    sums = heat_fluxes + 3
  };

  VelocityView<const Real> velocity;
  FieldView<const Real> temperature;  // null: none
  GridMetrics<Real> metrics;
  AveragingWeight<Real> weight;
  Orders orders = {};

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
  }

 private:
  template <Axis axis, class Add>
  DNS_HD void add_component(Index3 c, double& phi, const Add& add) const {
    constexpr int a = static_cast<int>(axis);
    const double low = in_double(velocity[a](c));
    const double high = in_double(velocity[a](above<axis>(c)));
    const double slope =
        (high - low) * entry_in_double<axis>(metrics.template along<axis>().inverse_width, c);
    phi += normal_dissipation(slope);
    if (temperature.origin == nullptr) return;
    const double at_low = 2 * mean_at<axis>(temperature, c);
    const double at_high = 2 * mean_at<axis>(temperature, above<axis>(c));
    add(heat_fluxes + a, 0.25 * (low * at_low + high * at_high));
  }

  template <Axis first, Axis second, class Add>
  DNS_HD void add_shear(Index3 c, int which, double& phi, const Add& add) const {
    const FieldView<const Real>& q = velocity[static_cast<int>(first)];
    const FieldView<const Real>& r = velocity[static_cast<int>(second)];
    const auto product = [&](Index3 edge) {
      return mean_at<second>(q, edge) * mean_at<first>(r, edge);
    };
    const auto squared_shear = [&](Index3 edge) {
      return squared_shear_at_edge<first, second>(velocity, metrics, edge);
    };
    add(which, mean_over_edges<first, second>(product, c));
    phi += mean_over_edges<first, second>(squared_shear, c);
  }

  /// I q at a face across `axis`.
  template <Axis axis>
  [[nodiscard]] DNS_HD double mean_at(const FieldView<const Real>& q, Index3 c) const {
    return mean_of<double, true>(orders.template along<axis>(), [&](int steps) {
      return in_double(q.template beside<axis>(c, steps));
    });
  }
};

}  // namespace dns
