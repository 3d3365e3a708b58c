/// The input of sums and maxima, and the results expected.
#pragma once

#include <cstddef>

#include "bench/studies/random_values.hpp"

namespace dns::bench {

/// Values in [0, 1), so that one left out shows in a sum; the last is -2, so that one left out at
/// the end, or a forgotten sign, shows in the largest magnitude.
inline constexpr double last_value = -2;
inline constexpr double largest_magnitude_expected = 2;
[[nodiscard]] inline double reduction_value(std::size_t n, std::size_t count) {
  return n + 1 == count ? last_value : scattered(n, 0);
}

/// Sum of the values as stored, in extended precision.
template <class Real>
[[nodiscard]] double sum_expected(const Real* values, std::size_t count) {
  long double sum = 0;
  for (std::size_t n = 0; n < count; ++n) sum += static_cast<long double>(values[n]);
  return static_cast<double>(sum);
}

}  // namespace dns::bench
