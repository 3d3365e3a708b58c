/// Third and fourth powers of the variables of a staggered flow, as contributions of single cells,
/// in double: of velocities the means of the powers at both faces of the cell, as for their squares
/// (StatisticsSample), of p and T the powers of the values as stored.
#pragma once

#include "solver/numerics/statistics.hpp"

namespace dns {

template <class Real>
struct MomentsSample {
  enum Sum {
    cubes,                // uuu, vvv, www, ppp
    fourths = cubes + 4,  // uuuu, vvvv, wwww, pppp
    sums_of_flow = fourths + 4,
    of_temperature = sums_of_flow,  // TTT, TTTT
    sums = of_temperature + 2
  };

  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  FieldView<const Real> temperature;  // null: none
  AveragingWeight<Real> weight;

  DNS_HD void operator()(Index3 c, Reduction<double, sums, 0>& reduction) const {
    const double share = weight.at(c);
    const auto add = [&](int cube, int fourth, double part, double value) {
      const double square = value * value;
      reduction.sum[cube] += part * value * square;
      reduction.sum[fourth] += part * square * square;
    };
    const auto add_component = [&]<Axis axis>() {
      constexpr int a = static_cast<int>(axis);
      add(cubes + a, fourths + a, 0.5 * share, in_double(velocity[a](c)));
      add(cubes + a, fourths + a, 0.5 * share, in_double(velocity[a](above<axis>(c))));
    };
    add_component.template operator()<Axis::x>();
    add_component.template operator()<Axis::y>();
    add_component.template operator()<Axis::z>();
    add(cubes + 3, fourths + 3, share, in_double(pressure(c)));
    if (temperature.origin == nullptr) return;
    add(of_temperature, of_temperature + 1, share, in_double(temperature(c)));
  }
};

}  // namespace dns
