/// The mean of a scalar in a box, and what changes it.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/grid_metrics.hpp"

namespace dns {

/// Contribution of one cell: the scalar times volume [L^3].
template <class Real>
struct CellSum {
  FieldView<const Real> scalar;
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    reduction.sum[0] += in_double(scalar(c)) * (entry_in_double<Axis::x>(metrics.axes[0].width, c) *
                                                entry_in_double<Axis::y>(metrics.axes[1].width, c) *
                                                entry_in_double<Axis::z>(metrics.axes[2].width, c));
  }
};

/// Adds one number to all values of a field.
template <class Real>
struct AddUniform {
  Real added;
  FieldView<Real> to;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    using Value = decltype(to(c));
    to.set(c, to(c) + Value(added));
  }
};

}  // namespace dns
