/// Systems stored as arrays, as rows and sink of the solver's own sweeps.
#pragma once

#include "bench/studies/lines.hpp"
#include "solver/core/tridiagonal.hpp"

namespace dns::bench {

/// Where point c lies in a field of points^3.
[[nodiscard]] DNS_HD std::ptrdiff_t place_of(Index3 c, int points) {
  return c.i +
         static_cast<std::ptrdiff_t>(points) * (c.j + static_cast<std::ptrdiff_t>(points) * c.k);
}

/// The matrix is what the arrays say: three numbers per point. Couplings beyond the ends of a line
/// are 0 already.
template <class Real>
struct ArrayRows {
  using System = OneUnknown;
  static constexpr bool is_cyclic = false;
  static constexpr int coefficients = 3;

  TridiagonalArrays<Real> arrays;
  int points;

  template <class Point>
  DNS_HD auto operator()(Point c) const {
    const std::ptrdiff_t n = place_of(c, points);
    using Value = decltype(load(arrays.rhs, c));
    RowData<System, coefficients, Value> data;
    data.coefficient[0] = load(arrays.lower + n, c);
    data.coefficient[1] = load(arrays.diagonal + n, c);
    data.coefficient[2] = load(arrays.upper + n, c);
    data.rhs[0] = load(arrays.rhs + n, c);
    return data;
  }
  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int /*matrix*/,
                                                const Value (&coefficient)[coefficients]) const {
    return {coefficient[0], coefficient[1], coefficient[2]};
  }
  template <class Point, class Data>
  DNS_HD void close_low(Point /*c*/, Data& /*data*/) const {}
  template <class Point, class Data>
  DNS_HD void close_high(Point /*c*/, Data& /*data*/) const {}
  template <class Value>
  DNS_HD void fold_low(int /*matrix*/, Coupling<Value>& row) const {
    row.lower = Value(0);
  }
  template <class Value>
  DNS_HD void fold_high(int /*matrix*/, Coupling<Value>& row) const {
    row.upper = Value(0);
  }
};

template <class Real>
struct StoreInArray {
  Real* solution;
  int points;

  struct Nothing {};
  template <class Point>
  [[nodiscard]] DNS_HD Nothing read(Point /*c*/) const {
    return {};
  }
  template <class Point, class Value>
  DNS_HD void operator()(Point c, const Value (&x)[1], Nothing /*read*/) const {
    store(solution + place_of(c, points), x[0], c);
  }
};

}  // namespace dns::bench
