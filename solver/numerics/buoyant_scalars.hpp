/// What rises in a flow with scalars.
#pragma once

#include <cstddef>

#include "solver/core/field_view.hpp"

namespace dns {

/// B = T + SUM b_i s_i, read like a field [T0]. The scalars s_i lie behind T in memory, all at the
/// same distance. Without temperature the first scalar that rises stands for T.
template <class Real>
struct BuoyantScalars {
  FieldView<const Real> temperature;  // null: none
  const Real* weights = nullptr;      // b_i
  int count = 0;                      // of them; 0 where T alone rises
  std::ptrdiff_t between = 0;         // words from a scalar to the next

  template <class Point>
  [[nodiscard]] DNS_HD auto operator()(const Point& c) const {
    return sum_of([&](const FieldView<const Real>& q) { return q(c); });
  }
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto beside(const Point& c, int steps) const {
    return sum_of(
        [&](const FieldView<const Real>& q) { return q.template beside<axis>(c, steps); });
  }

 private:
  template <class ValueOf>
  [[nodiscard]] DNS_HD auto sum_of(const ValueOf& value_of) const {
    auto sum = value_of(temperature);
    for (int n = 0; n < count; ++n) {
      if (weights[n] == 0) continue;
      const FieldView<const Real> q{
          temperature.origin + (n + 1) * between, temperature.stride_y, temperature.stride_z};
      sum += weights[n] * value_of(q);
    }
    return sum;
  }
};

}  // namespace dns
