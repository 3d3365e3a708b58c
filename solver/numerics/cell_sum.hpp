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

/// Contribution of one cell: the scalar times volume and heat capacity c, over that of the fluid
/// [L^3].
template <class Real>
struct HeatSum {
  FieldView<const Real> scalar;            // null: 1
  FieldView<const Real> inverse_capacity;  // 1/c
  GridMetrics<Real> metrics;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    auto capacity = 1.0 / in_double(inverse_capacity(c));
    if (scalar.origin != nullptr) capacity = capacity * in_double(scalar(c));
    reduction.sum[0] += capacity * (entry_in_double<Axis::x>(metrics.axes[0].width, c) *
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
