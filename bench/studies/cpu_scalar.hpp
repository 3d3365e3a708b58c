/// What a compiler makes of plain loops when it may not use vector instructions: the first rung of
/// the studies on the CPU. One thread.
#pragma once

#include <cstddef>

#include "bench/studies/lines.hpp"
#include "bench/studies/velocity_field.hpp"

namespace dns::bench {

/// to(y, x, z) = from(x, y, z) on points^3, reading along x.
template <class Real>
void transpose_scalar(const Real* from, Real* to, int points);

/// In double, one value after the other.
template <class Real>
double sum_scalar(const Real* values, std::size_t count);
template <class Real>
double largest_magnitude_scalar(const Real* values, std::size_t count);

/// The dissipation function at the inner points of planes k_begin .. k_end - 1.
template <class Real>
void dissipation_scalar(const VelocityField<Real>& field, int k_begin, int k_end);

/// Solves the lines number line_begin .. line_end - 1 one by one, as LAPACK's gtsv would without
/// pivoting. `upper_of_line` has room for one line.
template <class Real>
void solve_lines_scalar(const TridiagonalArrays<Real>& arrays,
                        const LineSet& lines,
                        int line_begin,
                        int line_end,
                        Real* upper_of_line);

}  // namespace dns::bench
