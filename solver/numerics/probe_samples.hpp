/// The flow at places between its points.
#pragma once

#include "solver/core/level_view.hpp"

namespace dns {

/// The most variables that a flow may be solved for.
inline constexpr int most_sampled_variables = 16;

/// Sample number c.i is a weighted sum of values of one variable q at some points:
///
///   sample = sum over n of weight[n] q(point[n]),   n from first[c.i] to first[c.i + 1] - 1
///
/// in this order, so that it has the same bits wherever it is taken.
template <class Real>
struct SampleAtPoints {
  StridedField<const Real> variables[most_sampled_variables];
  const int* variable;  // of each sample
  const int* first;     // of each sample, and one more
  const Index3* point;
  const Real* weight;
  Real* samples;

  DNS_HD void operator()(Index3 c) const {
    const StridedField<const Real> q = variables[variable[c.i]];
    Real sum = 0;
    for (int n = first[c.i]; n < first[c.i + 1]; ++n) sum += weight[n] * *q.address(point[n]);
    samples[c.i] = sum;
  }
};

}  // namespace dns
