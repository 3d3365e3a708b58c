/// Products whose averages make the budgets of <u'v'>, <u'w'>, <v'w'>: at the centres of cells, in
/// double, with the velocity there the mean of both faces and derivatives across it the means over
/// the four edges around the cell. Second order; unlike those of <u'u'> the terms close to the
/// square of the cell widths only.
#pragma once

#include "solver/numerics/statistics.hpp"

namespace dns {

/// Velocity about its references at the centre of a cell, or at those of a pack.
template <class Number>
struct CentredVelocity {
  Number u, v, w;

  template <class Real, class Point>
  DNS_HD CentredVelocity(const VelocityView<const Real>& velocity,
                         Point c,
                         const References& references)
      : u(at<Axis::x>(velocity, c) - references.velocity[0]),
        v(at<Axis::y>(velocity, c) - references.velocity[1]),
        w(at<Axis::z>(velocity, c) - references.velocity[2]) {}

 private:
  template <Axis axis, class Real, class Point>
  [[nodiscard]] DNS_HD static Number at(const VelocityView<const Real>& velocity, Point c) {
    return 0.5 * (in_double(velocity[axis](c)) + in_double(velocity[axis](above<axis>(c))));
  }
};

/// Second and third order products of the velocity, and those with p.
template <class Real>
struct CentredProducts {
  enum Sum { uu, vv, ww, uv, uw, vw, uuv, uuw, uvv, uvw, uww, vvw, vww, pu, pv, pw, sums };
  static constexpr std::array<const char*, sums> names{"uu",
                                                       "vv",
                                                       "ww",
                                                       "uv",
                                                       "uw",
                                                       "vw",
                                                       "uuv",
                                                       "uuw",
                                                       "uvv",
                                                       "uvw",
                                                       "uww",
                                                       "vvw",
                                                       "vww",
                                                       "pu",
                                                       "pv",
                                                       "pw"};

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  AveragingWeight<Real> weight;
  References references = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.at(c);
    const auto [u, v, w] = CentredVelocity<Number>(velocity, c, references);
    const Number p = in_double(pressure(c)) - references.pressure;
    const auto add = [&](Sum which, Number value) { reduction.sum[which] += share * value; };
    add(uu, u * u);
    add(vv, v * v);
    add(ww, w * w);
    add(uv, u * v);
    add(uw, u * w);
    add(vw, v * w);
    add(uuv, u * u * v);
    add(uuw, u * u * w);
    add(uvv, u * v * v);
    add(uvw, u * v * w);
    add(uww, u * w * w);
    add(vvw, v * v * w);
    add(vww, v * w * w);
    add(pu, p * u);
    add(pv, p * v);
    add(pw, p * w);
  }
};

/// Derivatives of the velocity, their products with p and with each other.
template <class Real>
struct CentredGradients {
  enum Sum {
    gradient,               // du_a/dx_b at gradient + 3 a + b
    strain = gradient + 9,  // p (du/dy + dv/dx), p (du/dz + dw/dx), p (dv/dz + dw/dy)
    product = strain + 3,   // sum over k of du/dx_k dv/dx_k, du/dx_k dw/dx_k, dv/dx_k dw/dx_k
    sums = product + 3
  };
  static constexpr std::array<const char*, sums> names{"u_x",
                                                       "u_y",
                                                       "u_z",
                                                       "v_x",
                                                       "v_y",
                                                       "v_z",
                                                       "w_x",
                                                       "w_y",
                                                       "w_z",
                                                       "strain_uv",
                                                       "strain_uw",
                                                       "strain_vw",
                                                       "gradients_uv",
                                                       "gradients_uw",
                                                       "gradients_vw"};

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  AveragingWeight<Real> weight;
  References references = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    const Number share = weight.at(c);
    const Number g[3][3] = {
        {own<Axis::x>(c), cross<Axis::x, Axis::y>(c), cross<Axis::x, Axis::z>(c)},
        {cross<Axis::y, Axis::x>(c), own<Axis::y>(c), cross<Axis::y, Axis::z>(c)},
        {cross<Axis::z, Axis::x>(c), cross<Axis::z, Axis::y>(c), own<Axis::z>(c)}};
    const Number p = in_double(pressure(c)) - references.pressure;
    int pair = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) reduction.sum[gradient + 3 * a + b] += share * g[a][b];
      for (int b = a + 1; b < 3; ++b) {
        reduction.sum[strain + pair] += share * p * (g[a][b] + g[b][a]);
        for (int k = 0; k < 3; ++k) reduction.sum[product + pair] += share * g[a][k] * g[b][k];
        ++pair;
      }
    }
  }

 private:
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto own(Point c) const {
    const FieldView<const Real>& q = velocity[axis];
    return (in_double(q(above<axis>(c))) - in_double(q(c))) *
           entry_in_double<axis>(weight.metrics.template along<axis>().inverse_width, c);
  }
  template <Axis of, Axis over, class Point>
  [[nodiscard]] DNS_HD auto cross(Point c) const {
    const FieldView<const Real>& q = velocity[of];
    const auto slope = [&](Point edge) {
      return (in_double(q(edge)) - in_double(q.template beside<over>(edge, -1))) *
             entry_in_double<over>(weight.metrics.template along<over>().inverse_step, edge);
    };
    return mean_over_edges<of, over>(slope, c);
  }
};

}  // namespace dns
