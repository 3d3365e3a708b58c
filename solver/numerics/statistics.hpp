/// The quantities averaged on a staggered grid, as contributions of single points, in double.
///
/// Variables are taken about constant references, so that large means cost no digits of moments.
/// Where the variables are, u, v, w at their faces, p and T at cell centres:
///   u, uu, uuu, uuuu ...   powers of the values less their reference
/// At cell centres, of products:
///   uv, uw, vw       means over the four edges around the cell of the product there, each factor
///                    the mean of its two neighbours
///   uT, vT, wT       of every scalar: means over both faces of the velocity times the T that it
///                    advects
///   dissipation      Phi = 2 (u_x^2 + v_y^2 + w_z^2) + (v_x + u_y)^2 + (w_x + u_z)^2 +
///                    (w_y + v_z)^2, the shears as means over four edges [U^2/L^2]
///   formulas         of u, v, w as means over both faces of the cell, p and scalars
///
/// Moments of fluctuations are made of means at the same places (solver/statistics/mean_flow.hpp):
/// what is steady has none.
#pragma once

#include <array>
#include <cstddef>

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/edge_means.hpp"
#include "solver/numerics/formula.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"

namespace dns {

/// The share of a cell, or of the control volume of an unknown, in the lengths that are averaged
/// over.
template <class Real>
struct AveragingWeight {
  GridMetrics<Real> metrics;
  // One over the sum of the widths along the axes averaged over; 0: not averaged [1/L].
  PerAxis<double> inverse_length;       // of cells
  PerAxis<double> inverse_face_length;  // of control volumes of the component along the axis

  template <class Point>
  [[nodiscard]] DNS_HD auto at(Point c) const {
    return of<scalar_component>(c);
  }
  /// The weight of the unknown at c of a velocity component.
  template <int component, class Point>
  [[nodiscard]] DNS_HD auto of(Point c) const {
    return along_axis<Axis::x, component>(c) * along_axis<Axis::y, component>(c) *
           along_axis<Axis::z, component>(c);
  }
  [[nodiscard]] DNS_HD bool is_averaged(Axis axis) const { return inverse_length[axis] > 0; }
  /// The sum of the weights themselves.
  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    reduction.sum[0] += at(c);
  }

 private:
  template <Axis axis, int component, class Point>
  [[nodiscard]] DNS_HD auto along_axis(Point c) const {
    const AxisMetrics<Real>& own = metrics.template along<axis>();
    const Real* const lengths = component == velocity_along(axis) ? own.distance : own.width;
    using Number = decltype(entry_in_double<axis>(lengths, c));
    if (!is_averaged(axis)) return Number(1);
    return Number(component == velocity_along(axis) ? inverse_face_length[axis]
                                                    : inverse_length[axis]) *
           entry_in_double<axis>(lengths, c);
  }
};

/// What the place of an unknown counts in averages. Where there are bodies a face counts as far as
/// the cells at both its sides are in the fluid, so that means over faces are those over the fluid;
/// what is in bodies counts only where nothing else is averaged with it.
template <int component, class Real>
struct FluidWeight {
  AveragingWeight<Real> weight;
  FieldView<const Real> solid;  // 1 at the centres of cells in bodies, else 0; null: none

  template <class Point>
  [[nodiscard]] DNS_HD auto at(Point c) const {
    using Number = decltype(in_double(solid(c)));
    const Number of_body(1e-30);
    const Number all(weight.template of<component>(c));
    if (solid.origin == nullptr) return all;
    if constexpr (component == scalar_component) {
      return if_fluid(c, all) + of_body * all;
    } else {
      constexpr Axis axis = static_cast<Axis>(component);
      const Point below = placed<axis>(c, along<axis>(c) - 1);
      const Number half_of_cell = Number(0.5) * weight.at(c);
      return if_fluid(below, all - half_of_cell) + if_fluid(c, half_of_cell) + of_body * all;
    }
  }
  /// The sum of the weights themselves.
  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    reduction.sum[0] += at(c);
  }

 private:
  template <class Point, class Number>
  [[nodiscard]] DNS_HD Number if_fluid(Point cell, Number part) const {
    return (Number(1) - in_double(solid(cell))) * part;
  }
};

/// What is subtracted from variables before they are summed up.
struct References {
  PerAxis<double> velocity{};  // [U]
  double pressure = 0;         // [U^2]
  double scalar = 0;           // the one at hand, in its unit
};

/// I q at a face across `axis`.
template <Axis axis, class Real, class Orders, class Point>
[[nodiscard]] DNS_HD auto mean_at_face(const FieldView<const Real>& q,
                                       const Orders& orders,
                                       Point c) {
  return mean_along<double, axis, true>(
      orders, c, [&](int steps) { return in_double(q.template beside<axis>(c, steps)); });
}

/// The flux of a scalar along an axis at a cell, V_s I_s q, about the references: the mean of both
/// faces; along y across walls by J.
template <Axis axis, class Real, class Orders, class Point>
[[nodiscard]] DNS_HD auto flux_at_cell(const VelocityView<const Real>& velocity,
                                       const FieldView<const Real>& scalar,
                                       const References& references,
                                       const Orders& orders,
                                       Point c) {
  const FieldView<const Real>& normal = velocity[axis];
  const auto at_face = [&](Point face) {
    return (in_double(normal(face)) - references.velocity[axis]) *
           (mean_at_face<axis>(scalar, orders, face) - references.scalar);
  };
  if constexpr (crosses_walls<axis, Orders>) {
    const int cell = along<axis>(c);
    return orders.template along<axis>().template mean<false, double>(
        cell, [&](int steps) { return at_face(placed<axis>(c, cell + steps)); });
  } else {
    return 0.5 * (at_face(c) + at_face(above<axis>(c)));
  }
}

/// The mean at cell c of f at the edges at the faces across two axes: over four edges; along y
/// across walls by J.
template <Axis first, Axis second, class Orders, class Formula, class Point>
[[nodiscard]] DNS_HD auto mean_of_edges(const Orders& orders, const Formula& f, Point c) {
  if constexpr (crosses_walls<first, Orders> || crosses_walls<second, Orders>) {
    constexpr Axis other = crosses_walls<first, Orders> ? second : first;
    constexpr Axis across = crosses_walls<first, Orders> ? first : second;
    const int cell = along<across>(c);
    return orders.template along<across>().template mean<false, double>(cell, [&](int steps) {
      const Point low = placed<across>(c, cell + steps);
      return 0.5 * (f(low) + f(above<other>(low)));
    });
  } else {
    return mean_over_edges<first, second>(f, c);
  }
}

/// Powers of a velocity component at its face, or of a scalar at the centre of a cell, about the
/// reference.
template <int component, class Real>
struct PowersSample {
  enum Sum { first, second, third, fourth, sums };

  FieldView<const Real> q;
  FluidWeight<component, Real> weight;
  Box cells;  // beyond them in two directions across the component nothing is known
  double reference = 0;

  /// Points of a pack are all within the cells along x.
  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    if (is_corner(c)) return;
    const Number value = in_double(q(c)) - reference;
    const Number square = value * value;
    const Number part = weight.at(c);
    const Number squared_part = part * square;
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

/// Products of different variables about their references, as the scheme transports them: at edges
/// (I_y u)(I_x v), at faces V_s I_s T. And Phi, in differences of order 2 whatever the orders are.
template <class Real, class Orders = SecondOrder>
struct ProductsSample {
  enum Sum {
    shears,                    // uv, uw, vw
    dissipation = shears + 3,  // Phi
    heat_fluxes,               // uT, vT, wT
    sums = heat_fluxes + 3
  };
  static constexpr std::array<const char*, sums> names{
      "uv", "uw", "vw", "dissipation", "uT", "vT", "wT"};

  VelocityView<const Real> velocity;
  FieldView<const Real> temperature;  // null: none
  GridMetrics<Real> metrics;
  AveragingWeight<Real> weight;
  References references = {};
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.at(c);
    const auto add = [&](int which, Number value) { reduction.sum[which] += share * value; };
    Number phi = 0;
    add_component<Axis::x>(c, phi, add);
    add_component<Axis::y>(c, phi, add);
    add_component<Axis::z>(c, phi, add);
    add_shear<Axis::x, Axis::y>(c, shears, phi, add);
    add_shear<Axis::x, Axis::z>(c, shears + 1, phi, add);
    add_shear<Axis::y, Axis::z>(c, shears + 2, phi, add);
    add(dissipation, phi);
  }

 private:
  template <Axis axis, class Point, class Number, class Add>
  DNS_HD void add_component(Point c, Number& phi, const Add& add) const {
    const Number low = in_double(velocity[axis](c));
    const Number high = in_double(velocity[axis](above<axis>(c)));
    const Number slope =
        (high - low) * entry_in_double<axis>(metrics.template along<axis>().inverse_width, c);
    phi += normal_dissipation(slope);
    if (temperature.origin != nullptr)
      add(heat_fluxes + velocity_along(axis),
          flux_at_cell<axis>(velocity, temperature, references, orders, c));
  }

  template <Axis first, Axis second, class Point, class Number, class Add>
  DNS_HD void add_shear(Point c, int which, Number& phi, const Add& add) const {
    const FieldView<const Real>& q = velocity[first];
    const FieldView<const Real>& r = velocity[second];
    const auto product = [&](Point edge) {
      return (mean_at_face<second>(q, orders, edge) - references.velocity[first]) *
             (mean_at_face<first>(r, orders, edge) - references.velocity[second]);
    };
    const auto squared_shear = [&](Point edge) {
      return squared_shear_at_edge<first, second>(velocity, metrics, edge);
    };
    add(which, mean_of_edges<first, second>(orders, product, c));
    phi += mean_over_edges<first, second>(squared_shear, c);
  }
};

/// Products of the velocity and a further scalar about their references, V_s I_s q at faces, as the
/// scheme transports them.
template <class Real, class Orders = SecondOrder>
struct ScalarFluxesSample {
  static constexpr int sums = 3;  // along x, y, z

  VelocityView<const Real> velocity;
  FieldView<const Real> scalar;
  AveragingWeight<Real> weight;
  References references = {};
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.at(c);
    reduction.sum[0] += share * flux_at_cell<Axis::x>(velocity, scalar, references, orders, c);
    reduction.sum[1] += share * flux_at_cell<Axis::y>(velocity, scalar, references, orders, c);
    reduction.sum[2] += share * flux_at_cell<Axis::z>(velocity, scalar, references, orders, c);
  }
};

/// A formula of the flow at the centres of cells, of whole values. Its fields are u, v, w, means
/// over both faces of a cell, with an error of second order in its width, p and the scalars.
template <class Real>
struct FormulaSample {
  const Instruction* program;
  int instructions;
  const double* coordinates[3];  // of the centres of cells [L]
  double t;                      // [L/U]
  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  FieldView<const Real> first_scalar;
  std::ptrdiff_t between_scalars;  // words
  const double* references;        // added to the scalars
  AveragingWeight<Real> weight;

  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    reduction.sum[0] += weight.at(c) * value_of(program,
                                                instructions,
                                                coordinates[0][c.i],
                                                coordinates[1][c.j],
                                                coordinates[2][c.k],
                                                t,
                                                [&](int field) { return field_at(field, c); });
  }

 private:
  [[nodiscard]] DNS_HD double field_at(int field, Index3 c) const {
    constexpr int pressure_field = 3;
    if (field == 0) return at_centre<Axis::x>(c);
    if (field == 1) return at_centre<Axis::y>(c);
    if (field == 2) return at_centre<Axis::z>(c);
    if (field == pressure_field) return in_double(pressure(c));
    const int scalar = field - pressure_field - 1;
    return references[scalar] + in_double(first_scalar.address(c)[scalar * between_scalars]);
  }
  template <Axis axis>
  [[nodiscard]] DNS_HD double at_centre(Index3 c) const {
    return 0.5 * (in_double(velocity[axis](c)) + in_double(velocity[axis](above<axis>(c))));
  }
};

}  // namespace dns
