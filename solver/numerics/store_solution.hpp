/// The simplest sink of a sweep of one unknown.
#pragma once

#include "solver/core/field_view.hpp"

namespace dns {

/// Stores the solution in a field, which may be the one that held the right-hand side.
template <class Real>
struct StoreSolution {
  FieldView<Real> solution;

  struct Nothing {};
  template <class Point>
  [[nodiscard]] DNS_HD Nothing read(Point /*c*/) const {
    return {};
  }
  template <class Point, class Value>
  DNS_HD void operator()(Point c, const Value (&x)[1], Nothing /*known*/) const {
    solution.set(c, x[0]);
  }
};

}  // namespace dns
