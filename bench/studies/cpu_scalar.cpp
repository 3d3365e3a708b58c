// Compiled without automatic vectorisation (bench/CMakeLists.txt).
#include "bench/studies/cpu_scalar.hpp"

#include <cmath>

namespace dns::bench {

template <class Real>
void transpose_scalar(const Real* from, Real* to, int points) {
  const std::ptrdiff_t n = points;
  for (std::ptrdiff_t z = 0; z < n; ++z) {
    for (std::ptrdiff_t y = 0; y < n; ++y) {
      for (std::ptrdiff_t x = 0; x < n; ++x) to[y + n * (x + n * z)] = from[x + n * (y + n * z)];
    }
  }
}

template <class Real>
double sum_scalar(const Real* values, std::size_t count) {
  double sum = 0;
  for (std::size_t n = 0; n < count; ++n) sum += static_cast<double>(values[n]);
  return sum;
}

template <class Real>
double largest_magnitude_scalar(const Real* values, std::size_t count) {
  Real largest = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const Real magnitude = std::abs(values[n]);
    largest = magnitude > largest ? magnitude : largest;
  }
  return static_cast<double>(largest);
}

template <class Real>
void dissipation_scalar(const VelocityField<Real>& field, int k_begin, int k_end) {
  const std::ptrdiff_t n = field.points;
  for (std::ptrdiff_t k = k_begin; k < k_end; ++k) {
    for (std::ptrdiff_t j = 1; j < n - 1; ++j) {
      for (std::ptrdiff_t c = 1 + n * (j + n * k); c < n * (j + 1 + n * k) - 1; ++c) {
        field.dissipation[c] = field.template dissipation_at<Real>(c);
      }
    }
  }
}

template <class Real>
void solve_lines_scalar(const TridiagonalArrays<Real>& arrays,
                        const LineSet& lines,
                        int line_begin,
                        int line_end,
                        Real* upper_of_line) {
  const std::ptrdiff_t stride = lines.row_stride;
  for (int line = line_begin; line < line_end; ++line) {
    std::ptrdiff_t c = lines.first(line);
    Real upper = 0;
    Real rhs = 0;
    for (int m = 0; m < lines.points; ++m, c += stride) {
      const Real inverse_pivot = 1 / (arrays.diagonal[c] - arrays.lower[c] * upper);
      rhs = (arrays.rhs[c] - arrays.lower[c] * rhs) * inverse_pivot;
      upper = arrays.upper[c] * inverse_pivot;
      upper_of_line[m] = upper;
      arrays.solution[c] = rhs;
    }
    Real x = 0;
    for (int m = lines.points - 1; m >= 0; --m) {
      c -= stride;
      x = arrays.solution[c] - upper_of_line[m] * x;
      arrays.solution[c] = x;
    }
  }
}

template void transpose_scalar(const float*, float*, int);
template void transpose_scalar(const double*, double*, int);
template double sum_scalar(const float*, std::size_t);
template double sum_scalar(const double*, std::size_t);
template double largest_magnitude_scalar(const float*, std::size_t);
template double largest_magnitude_scalar(const double*, std::size_t);
template void dissipation_scalar(const VelocityField<float>&, int, int);
template void dissipation_scalar(const VelocityField<double>&, int, int);
template void solve_lines_scalar(const TridiagonalArrays<float>&, const LineSet&, int, int, float*);
template void solve_lines_scalar(
    const TridiagonalArrays<double>&, const LineSet&, int, int, double*);

}  // namespace dns::bench
