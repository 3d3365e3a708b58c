/// Products whose averages over planes make the budgets of <u'u'>, <v'v'>, <w'w'> between walls of
/// order 4 (order_across_walls.hpp), along y, where the scheme has them: of q = u, w at cells, of v
/// at faces. With a the axis of q, U = I_a v, and s along x and z, in the operators of the stages:
///
///   q N q       its mean is that along y, since terms along x and z make no energy in their rows
///   q L_y q     of which (G q)^2, (D v)^2 is dissipation, with the weights wf and wc
///   (G_s q)^2   the same along x and z
///   p D_a q     pressure strain; of v, v G p less that moved to cells is pressure transport
///   U I q, I q, G q   at faces, for production
///
/// Velocities and p are taken about their references. All in double. What is made of them:
/// solver/statistics/budget_averages.hpp.
#pragma once

#include "solver/numerics/rows_across_walls.hpp"
#include "solver/numerics/statistics.hpp"

namespace dns {

/// Operators along y and slopes along other axes, of a velocity component about its reference.
template <int component, class Real, class Orders>
struct ComponentAcrossWalls {
  using Kind = RowAcrossWalls;
  static constexpr bool is_normal = component == velocity_along(Axis::y);

  const VelocityView<const Real>& velocity;
  const AveragingWeight<Real>& weight;
  const References& references;
  const Orders& orders;

  [[nodiscard]] DNS_HD const auto& rows() const { return orders.template along<Axis::y>(); }

  template <class Point>
  [[nodiscard]] DNS_HD auto value(Point c) const {
    return in_double(velocity[component](c)) - references.velocity[component];
  }
  /// I q at a face, J v at a cell.
  template <class Point>
  [[nodiscard]] DNS_HD auto mean(Point c) const {
    return rows().template mean<!is_normal, double>(along<Axis::y>(c), at(c)) -
           references.velocity[component];
  }
  /// wf G q at a face, B v at a cell.
  template <class Point>
  [[nodiscard]] DNS_HD auto difference(Point c) const {
    return rows().template difference<!is_normal, double>(along<Axis::y>(c), at(c));
  }
  template <class Point>
  [[nodiscard]] DNS_HD auto slope(Point c) const {
    return difference(c) * inverse_volume<!is_normal>(c);
  }
  /// U at a face, J v at a cell: what advects q along y, about no reference.
  template <class Point>
  [[nodiscard]] DNS_HD auto advecting(Point c) const {
    if constexpr (is_normal) return mean(c) + references.velocity[component];
    if constexpr (!is_normal)
      return mean_at_face<static_cast<Axis>(component)>(velocity[Axis::y], orders, c);
  }
  /// N_y q at a point of q.
  template <class Point>
  [[nodiscard]] DNS_HD auto advection(Point c) const {
    return 0.5 * inverse_volume<is_normal>(c) *
           (row<differences>(c, [&](auto p) { return advecting(p) * mean(p); }) +
            row<adjoint>(c, [&](auto p) { return advecting(p) * difference(p); }));
  }
  /// What terms along x and z leave of N q on average: 1/2 q D U, or 1/2 v J* D v.
  template <class Point>
  [[nodiscard]] DNS_HD auto advection_of_sides(Point c) const {
    const auto half = 0.5 * inverse_volume<is_normal>(c) * value(c);
    if constexpr (is_normal) return half * row<adjoint>(c, [&](auto p) { return difference(p); });
    if constexpr (!is_normal)
      return half * row<differences>(c, [&](auto p) { return advecting(p); });
  }
  /// L_y q at a point of q.
  template <class Point>
  [[nodiscard]] DNS_HD auto diffusion(Point c) const {
    return inverse_volume<is_normal>(c) * row<differences>(c, [&](auto p) { return slope(p); });
  }
  /// (G_x q)^2 + (G_z q)^2
  template <class Point>
  [[nodiscard]] DNS_HD auto squared_slopes_of_sides(Point c) const {
    const auto along_x = slope_along<Axis::x>(c);
    const auto along_z = slope_along<Axis::z>(c);
    return along_x * along_x + along_z * along_z;
  }
  /// The slope along x or z: at the cell for the component along that axis, else at the face.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto slope_along(Point c) const {
    constexpr bool on_face = component != velocity_along(axis);
    return difference_of<double, on_face>(
               orders.template along<axis>(),
               [&](int steps) {
                 return in_double(velocity[component].template beside<axis>(c, steps));
               }) *
           entry_in_double<axis>(weight.metrics.template along<axis>().inverse_width, c);
  }

 private:
  static constexpr Kind differences =
      is_normal ? Kind::difference_at_face : Kind::difference_at_cell;
  static constexpr Kind adjoint = is_normal ? Kind::adjoint_at_face : Kind::adjoint_at_cell;

  template <class Point>
  [[nodiscard]] DNS_HD auto at(Point c) const {
    return [c, q = velocity[component]](int steps) {
      return in_double(q.template beside<Axis::y>(c, steps));
    };
  }
  template <bool at_face, class Point>
  [[nodiscard]] DNS_HD double inverse_volume(Point c) const {
    return double(rows().template inverse_volume<at_face>(along<Axis::y>(c)));
  }
  template <Kind kind, class Point, class At>
  [[nodiscard]] DNS_HD auto row(Point c, const At& at_point) const {
    const int index = along<Axis::y>(c);
    return rows().template applied<kind, double>(
        index, [&](int steps) { return at_point(placed<Axis::y>(c, index + steps)); });
  }
};

/// What changes the mean momentum along walls, the means over planes of which are those of the
/// stages:
///
///   advection   1/2 [ D (U I q) + I* (U G q) + q D U ]   of sum 0 between walls without blowing
///   diffusion   D G q                                    of the sum of the slopes at both walls
///
/// since the terms along x and z leave of N q, on average, -1/2 q (D_x U_x + D_z U_z) = 1/2 q D U.
template <class Real, class Orders>
struct MomentumAcrossWalls {
  enum Sum { advection_u, diffusion_u, advection_w, diffusion_w, sums };
  static constexpr std::array<const char*, sums> names{
      "advection_u", "diffusion_u", "advection_w", "diffusion_w"};

  VelocityView<const Real> velocity;
  AveragingWeight<Real> weight;
  References references = {};
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    add<Axis::x>(c, advection_u, reduction);
    add<Axis::z>(c, advection_w, reduction);
  }

 private:
  template <Axis own, class Point, class Number>
  DNS_HD void add(Point c, int first, Reduction<Number, sums, 0>& reduction) const {
    const ComponentAcrossWalls<velocity_along(own), Real, Orders> q{
        velocity, weight, references, orders};
    const Number share = weight.at(c);
    reduction.sum[first] += share * (q.advection(c) + q.advection_of_sides(c));
    reduction.sum[first + 1] += share * q.diffusion(c);
  }
};

/// At cells, of u and w; of v what lives there.
template <class Real, class Orders>
struct BudgetsAtCells {
  enum Sum {
    advection_u,  // u N u
    diffusion_u,  // u L_y u
    sides_u,      // (G_x u)^2 + (G_z u)^2
    strain_u,     // p D_x u
    advection_w,
    diffusion_w,
    sides_w,
    strain_w,
    slope_v,          // D v
    squared_slope_v,  // (D v)^2
    strain_v,         // p D v
    sums
  };
  static constexpr std::array<const char*, sums> names{"u_advection",
                                                       "u_diffusion",
                                                       "u_sides",
                                                       "u_strain",
                                                       "w_advection",
                                                       "w_diffusion",
                                                       "w_sides",
                                                       "w_strain",
                                                       "v_slope",
                                                       "v_squared_slope",
                                                       "v_strain"};

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  AveragingWeight<Real> weight;
  References references = {};
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.at(c);
    const Number p = in_double(pressure(c)) - references.pressure;
    add<Axis::x>(c, share, p, advection_u, reduction);
    add<Axis::z>(c, share, p, advection_w, reduction);
    const ComponentAcrossWalls<velocity_along(Axis::y), Real, Orders> v{
        velocity, weight, references, orders};
    const Number slope = v.slope(c);
    reduction.sum[slope_v] += share * slope;
    reduction.sum[squared_slope_v] += share * slope * slope;
    reduction.sum[strain_v] += share * p * slope;
  }

 private:
  template <Axis own, class Point, class Number>
  DNS_HD void add(
      Point c, Number share, Number p, int first, Reduction<Number, sums, 0>& reduction) const {
    const ComponentAcrossWalls<velocity_along(own), Real, Orders> q{
        velocity, weight, references, orders};
    const Number here = share * q.value(c);
    reduction.sum[first] += here * q.advection(c);
    reduction.sum[first + 1] += here * q.diffusion(c);
    reduction.sum[first + 2] += share * q.squared_slopes_of_sides(c);
    reduction.sum[first + 3] += share * p * q.template slope_along<own>(c);
  }
};

/// At the faces across y.
template <class Real, class Orders>
struct BudgetsAtFaces {
  enum Sum {
    flux_u,           // U I u
    mean_u,           // I u
    slope_u,          // G u
    squared_slope_u,  // (G u)^2
    flux_w,
    mean_w,
    slope_w,
    squared_slope_w,
    value_v,      // v; what follows is 0 on boundaries
    advection_v,  // v N v
    mean_advection_v,
    diffusion_v,  // v L_y v
    sides_v,      // (G_x v)^2 + (G_z v)^2
    pressure_v,   // v G p
    pressure_slope,
    heat_v,  // v I T
    heat,
    sums
  };
  static constexpr std::array<const char*, sums> names{"u_flux",
                                                       "u_mean",
                                                       "u_slope",
                                                       "u_squared_slope",
                                                       "w_flux",
                                                       "w_mean",
                                                       "w_slope",
                                                       "w_squared_slope",
                                                       "v_value",
                                                       "v_advection",
                                                       "v_mean_advection",
                                                       "v_diffusion",
                                                       "v_sides",
                                                       "v_pressure",
                                                       "pressure_slope",
                                                       "v_heat",
                                                       "heat"};

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  FieldView<const Real> temperature;  // null: none
  AveragingWeight<Real> weight;
  References references = {};
  Orders orders = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.at(c);
    add<Axis::x>(c, share, flux_u, reduction);
    add<Axis::z>(c, share, flux_w, reduction);
    const ComponentAcrossWalls<velocity_along(Axis::y), Real, Orders> v{
        velocity, weight, references, orders};
    const Number value = share * v.value(c);
    reduction.sum[value_v] += value;
    const auto& rows = v.rows();
    const int face = along<Axis::y>(c);
    if (face == 0 || face == rows.cells) return;
    const Number advection = v.advection(c);
    reduction.sum[advection_v] += value * advection;
    reduction.sum[mean_advection_v] += share * (advection + v.advection_of_sides(c));
    reduction.sum[diffusion_v] += value * v.diffusion(c);
    reduction.sum[sides_v] += share * v.squared_slopes_of_sides(c);
    const Number slope =
        double(rows.template inverse_volume<true>(face)) *
        rows.template difference<true, double>(face, [&](int steps) {
          return in_double(pressure.template beside<Axis::y>(c, steps)) - references.pressure;
        });
    reduction.sum[pressure_v] += value * slope;
    reduction.sum[pressure_slope] += share * slope;
    if (temperature.origin == nullptr) return;
    const Number warm = mean_at_face<Axis::y>(temperature, orders, c) - references.scalar;
    reduction.sum[heat_v] += value * warm;
    reduction.sum[heat] += share * warm;
  }

 private:
  template <Axis own, class Point, class Number>
  DNS_HD void add(Point c, Number share, int first, Reduction<Number, sums, 0>& reduction) const {
    const ComponentAcrossWalls<velocity_along(own), Real, Orders> q{
        velocity, weight, references, orders};
    const Number mean = q.mean(c);
    const Number slope = q.slope(c);
    reduction.sum[first] += share * q.advecting(c) * mean;
    reduction.sum[first + 1] += share * mean;
    reduction.sum[first + 2] += share * slope;
    reduction.sum[first + 3] += share * slope * slope;
  }
};

}  // namespace dns
