/// Differences and means of order 2, 4, 6 or 8 along uniform axes of a staggered grid, and the flux
/// form of advection and diffusion that is made of them.
///
/// Half-way between the points of f, p the order, m = 1, 3, .. p - 1:
///
///   (d f)_i = sum_m c_m/m (f_(i+m/2) - f_(i-m/2)),   D = d/h
///   (I f)_i = sum_m c_m/2 (f_(i+m/2) + f_(i-m/2))
///
/// d and I of order 2 are those of walled and stretched axes too, with h the width of what the
/// difference is taken over. Advection of q along s by U and diffusion,
///
///   - 1/2 (D(U I q) + I(U D q)) + nu D D q  =  (d F + I G)/h,
///   F = nu/h d q - U/2 I q,   G = - U/2 d q,
///
/// make no energy for any U: d is the negative of its transpose, I its own transpose.
///
/// Source: Morinishi, Lund, Vasilyev & Moin, J. Comput. Phys. 143 (1998) 90 (skew-symmetric forms);
/// Fornberg & Ghrist, SIAM J. Numer. Anal. 37 (1999) 105 (weights on staggered grids).
#pragma once

#include <cmath>
#include <type_traits>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

inline constexpr int highest_order = 8;
inline constexpr int most_pairs = highest_order / 2;

/// c_m of an order, m = 2 pair + 1: sum_m c_m m^(2j) = 1 for j = 0, 0 for 0 < j < order/2.
[[nodiscard]] DNS_HD constexpr double weight_of_order(int order, int pair) {
  if (order == 4) return pair == 0 ? 9.0 / 8 : -1.0 / 8;
  if (order == 6) return pair == 0 ? 150.0 / 128 : pair == 1 ? -25.0 / 128 : 3.0 / 128;
  if (order == 8) {
    return pair == 0   ? 1225.0 / 1024
           : pair == 1 ? -245.0 / 1024
           : pair == 2 ? 49.0 / 1024
                       : -5.0 / 1024;
  }
  return 1;
}

/// s P(s^2), s = sin(t/2), of a wave of angle t from point to point, by `half_angle` = t/2: the
/// difference d of exp(i t n) is 2 i s P(s^2) times it. On the host.
[[nodiscard]] inline double difference_of_wave(int order, double half_angle) {
  double sum = std::sin(half_angle);
  if (order == 2) return sum;
  sum *= weight_of_order(order, 0);
  for (int pair = 1; pair < order / 2; ++pair) {
    const int m = 2 * pair + 1;
    sum += weight_of_order(order, pair) / m * std::sin(m * half_angle);
  }
  return sum;
}

/// An order that formulas know when they are compiled.
template <int order>
struct FixedOrder {
  static_assert(order == 2 || order == 4 || order == 6 || order == 8);

  [[nodiscard]] DNS_HD static constexpr int pairs() { return order / 2; }
  /// c_m/m.
  [[nodiscard]] DNS_HD static constexpr double difference(int pair) {
    return weight_of_order(order, pair) / (2 * pair + 1);
  }
  /// c_m/2.
  [[nodiscard]] DNS_HD static constexpr double mean(int pair) {
    return weight_of_order(order, pair) / 2;
  }
};

/// Whether an order is known to be 2, or above 2, when formulas are compiled.
template <class Order>
inline constexpr bool is_second_order = std::is_same_v<std::remove_cvref_t<Order>, FixedOrder<2>>;
template <class Order>
inline constexpr bool has_higher_order = false;
template <int order>
inline constexpr bool has_higher_order<FixedOrder<order>> = order > 2;

/// One that is known when the program runs.
template <class Real>
class AnyOrder {
 public:
  AnyOrder() : AnyOrder(2) {}
  /// order: 2, 4, 6 or 8.
  explicit AnyOrder(int order) : pairs_(order / 2) {
    for (int pair = 0; pair < most_pairs; ++pair) {
      const double weight = pair < pairs_ ? weight_of_order(order, pair) : 0;
      difference_[pair] = static_cast<Real>(weight / (2 * pair + 1));
      mean_[pair] = static_cast<Real>(weight / 2);
    }
  }

  [[nodiscard]] DNS_HD int pairs() const { return pairs_; }
  [[nodiscard]] DNS_HD Real difference(int pair) const { return difference_[pair]; }
  [[nodiscard]] DNS_HD Real mean(int pair) const { return mean_[pair]; }

 private:
  int pairs_;
  Real difference_[most_pairs], mean_[most_pairs];
};

/// The orders along x, y and z: FixedOrder or AnyOrder.
template <class X, class Y = X, class Z = X>
struct AxisOrders {
  X x;
  Y y;
  Z z;

  template <Axis axis>
  [[nodiscard]] DNS_HD const auto& along() const {
    if constexpr (axis == Axis::x) return x;
    if constexpr (axis == Axis::y) return y;
    if constexpr (axis == Axis::z) return z;
  }
};
template <class Real>
using AnyOrders = AxisOrders<AnyOrder<Real>>;
template <int x, int y, int z>
using FixedOrders = AxisOrders<FixedOrder<x>, FixedOrder<y>, FixedOrder<z>>;
using SecondOrder = FixedOrders<2, 2, 2>;

/// Index of the value at +m/2 or -m/2 from a point, m = 2 pair + 1. on_face: the point is face i,
/// the values are at centres i - 1, i; else it is centre i, and they are on faces i, i + 1.
template <bool on_face>
[[nodiscard]] DNS_HD constexpr int steps_above(int pair) {
  return on_face ? pair : pair + 1;
}
template <bool on_face>
[[nodiscard]] DNS_HD constexpr int steps_below(int pair) {
  return on_face ? -pair - 1 : -pair;
}

/// d f at a point; at(n) is the value of f at index i + n.
template <class Real, bool on_face, class Order, class At>
[[nodiscard]] DNS_HD auto difference_of(const Order& order, const At& at) {
  auto sum = static_cast<Real>(order.difference(0)) *
             (at(steps_above<on_face>(0)) - at(steps_below<on_face>(0)));
  for (int pair = 1; pair < order.pairs(); ++pair) {
    sum += static_cast<Real>(order.difference(pair)) *
           (at(steps_above<on_face>(pair)) - at(steps_below<on_face>(pair)));
  }
  return sum;
}
/// I f at a point.
template <class Real, bool on_face, class Order, class At>
[[nodiscard]] DNS_HD auto mean_of(const Order& order, const At& at) {
  auto sum = static_cast<Real>(order.mean(0)) *
             (at(steps_above<on_face>(0)) + at(steps_below<on_face>(0)));
  for (int pair = 1; pair < order.pairs(); ++pair) {
    sum += static_cast<Real>(order.mean(pair)) *
           (at(steps_above<on_face>(pair)) + at(steps_below<on_face>(pair)));
  }
  return sum;
}

/// F and G half-way between the points of q.
template <class Value>
struct SkewFlux {
  Value differenced, averaged;
};
/// advecting: -U/2; diffusion: nu/h; of q the mean and the difference there. With both first
/// factors over h, d F + I G is the whole term.
template <class Value, class Coefficient>
[[nodiscard]] DNS_HD SkewFlux<Value> skew_flux(Value advecting,
                                               Coefficient diffusion,
                                               Value mean,
                                               Value difference) {
  return {diffusion * difference + advecting * mean, advecting * difference};
}

/// d F + I G at a point of q; flux_at(n) is the SkewFlux at index i + n.
template <class Real, bool on_face, class Order, class FluxAt>
[[nodiscard]] DNS_HD auto divergence_of_skew_flux(const Order& order, const FluxAt& flux_at) {
  const auto of_pair = [&](int pair) {
    const auto above = flux_at(steps_above<on_face>(pair));
    const auto below = flux_at(steps_below<on_face>(pair));
    auto sum = static_cast<Real>(order.difference(pair)) * (above.differenced - below.differenced);
    sum += static_cast<Real>(order.mean(pair)) * (above.averaged + below.averaged);
    return sum;
  };
  auto sum = of_pair(0);
  for (int pair = 1; pair < order.pairs(); ++pair) sum += of_pair(pair);
  return sum;
}

}  // namespace dns
