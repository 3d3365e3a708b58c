/// Sums and maxima gathered over many points in one pass.
#pragma once

#include <algorithm>

#include "solver/core/host_device.hpp"

namespace dns {

/// Helpers of diagnostics for single values; a backend adds the same for its packs.
DNS_HD double in_double(float value) {
  return double(value);
}
DNS_HD double in_double(double value) {
  return value;
}
template <class Real>
DNS_HD Real magnitude(Real value) {
  return value < 0 ? -value : value;
}

/// `value` where `x` is above the bound, else 0.
template <class Real>
DNS_HD Real where_above(Real x, Real bound, Real value) {
  return x > bound ? value : Real(0);
}

/// Whether a value, or each of a pack, is 0.
template <class Real>
DNS_HD bool is_zero(Real value) {
  return value == 0;
}

/// The larger of two values that are not negative; NaN when either is NaN. (For a GPU:
/// cuda/intrinsics.cuh.)
template <class Real>
DNS_HD Real larger_or_nan(Real best, Real value) {
  if (value != value) return value;  // NOLINT(misc-redundant-expression): NaN alone
  return value > best ? value : best;
}

/// `sums` sums and `maxima` maxima, in double. Number: double, or a pack of doubles. A maximum of
/// values that include NaN is NaN; values must be >= 0 (an empty maximum is 0).
template <class Number, int sums, int maxima>
struct Reduction {
  Number sum[std::max(sums, 1)] = {};
  Number maximum[std::max(maxima, 1)] = {};

  DNS_HD void raise(int which, Number value) {
    maximum[which] = larger_or_nan(maximum[which], value);
  }

  DNS_HD void merge(const Reduction& other) {
    for (int which = 0; which < sums; ++which) sum[which] += other.sum[which];
    for (int which = 0; which < maxima; ++which) raise(which, other.maximum[which]);
  }
};

}  // namespace dns
