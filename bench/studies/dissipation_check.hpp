/// The reference of the stencil study, on the host in double.
#pragma once

#include <cmath>
#include <limits>

#include "bench/host.hpp"
#include "bench/studies/velocity_field.hpp"

namespace dns::bench {

/// Largest deviation of Phi at inner nodes from the formula in double, as a fraction of the largest
/// value that velocities in [-1, 1) can give. Requires host memory.
template <class Real>
[[nodiscard]] double dissipation_error(const VelocityField<Real>& field) {
  const std::size_t points = field.points;
  const double largest_gradient = static_cast<double>(field.points - 1);
  const double scale = 18 * largest_gradient * largest_gradient;
  return largest_error(points * points * points, [&](std::size_t n) {
    const auto is_inner = [&](std::size_t position) {
      return position > 0 && position < points - 1;
    };
    if (!is_inner(n % points) || !is_inner(n / points % points) || !is_inner(n / points / points)) {
      return 0.0;
    }
    const double expected = field.template dissipation_at<double>(static_cast<std::ptrdiff_t>(n));
    return std::abs(static_cast<double>(field.dissipation[n]) - expected) / scale;
  });
}

/// Rounding of some thirty operations.
template <class Real>
inline constexpr double dissipation_tolerance =
    8 * static_cast<double>(std::numeric_limits<Real>::epsilon());

}  // namespace dns::bench
