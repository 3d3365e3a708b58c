/// The simplest end of a sweep of one unknown.
#pragma once

#include "solver/core/field_view.hpp"

namespace dns {

/// Puts the solution into a field, which may be the one that the right-hand side came from.
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
