#include "solver/projection/axis_modes.hpp"

#include <cblas.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "solver/core/error.hpp"
#include "solver/numerics/poisson_rows.hpp"
#include "solver/numerics/staggered_orders.hpp"

// LAPACK, as every OpenBLAS contains it: all eigenvalues and eigenvectors of a symmetric matrix.
// The last two arguments are the lengths of the first two.
// NOLINTNEXTLINE(readability-identifier-naming): the name LAPACK gives
extern "C" void dsyevd_(const char* job,
                        const char* triangle,
                        const int* n,
                        double* matrix,
                        const int* leading,
                        double* eigenvalues,
                        double* work,
                        const int* work_size,
                        int* integer_work,
                        const int* integer_work_size,
                        int* info,
                        std::size_t job_length,
                        std::size_t triangle_length);

namespace dns {
namespace {

/// Replaces a symmetric matrix by its eigenvectors, one after the other, in ascending order of the
/// eigenvalues returned.
std::vector<double> diagonalise(std::vector<double>& matrix, int n) {
  std::vector<double> eigenvalues(n);
  int info = 0;
  const auto call =
      [&](std::vector<double>& work, int size, std::vector<int>& integers, int count) {
        dsyevd_("V",
                "U",
                &n,
                matrix.data(),
                &n,
                eigenvalues.data(),
                work.data(),
                &size,
                integers.data(),
                &count,
                &info,
                1,
                1);
        if (info != 0) {
          throw DeviceError("LAPACK finds no eigenvectors of " + std::to_string(n) +
                            " cells along an axis (dsyevd: " + std::to_string(info) + ")");
        }
      };
  openblas_set_num_threads(1);  // so that the vectors do not depend on the number of threads
  std::vector<double> work(1);
  std::vector<int> integers(1);
  call(work, -1, integers, -1);  // asks for the sizes of the work space
  work.resize(static_cast<std::size_t>(work[0]));
  integers.resize(integers[0]);
  call(work, static_cast<int>(work.size()), integers, static_cast<int>(integers.size()));
  return eigenvalues;
}

}  // namespace

AxisModes modes_of(const StaggeredAxis& axis) {
  if (axis.cells() == 1) return AxisModes::none;
  if (!axis.is_uniform) return AxisModes::eigenbasis;
  return axis.is_periodic ? AxisModes::fourier : AxisModes::cosine;
}

bool is_cyclic(const StaggeredAxis& axis) {
  return axis.is_periodic && axis.cells() > 2;
}

std::vector<double> inverse_distances(const StaggeredAxis& axis) {
  const int n = axis.cells();
  std::vector<double> inverse(n + 1);
  for (int face = 0; face <= n; ++face) {
    const bool is_end = face == 0 || face == n;
    if (is_end && !is_cyclic(axis)) continue;
    inverse[face] = 1 / axis.centre_distance(face);
  }
  if (axis.is_periodic && n == 2) inverse[1] += 1 / axis.centre_distance(0);
  return inverse;
}

std::vector<double> uniform_eigenvalues(const StaggeredAxis& axis) {
  const int n = axis.cells();
  const double width = axis.length() / n;
  std::vector<double> eigenvalues;
  for (int m = 0; m < n; ++m) {
    const double argument = std::numbers::pi * m / (axis.is_periodic ? n : 2 * n);
    eigenvalues.push_back(
        n == 1 ? 0 : uniform_eigenvalue(difference_of_wave(axis.order, argument), width));
  }
  return eigenvalues;
}

namespace {

using Matrix = std::vector<double>;  // row-major, or one eigenvector after the other

/// The orthonormal waves of a uniform axis, in the order of uniform_eigenvalues. Arguments are
/// reduced to one period as whole numbers, exactly.
Matrix waves(const StaggeredAxis& axis) {
  const int n = axis.cells();
  const auto wave = [&](int mode, int m) {
    if (mode == 0) return std::sqrt(1.0 / n);
    if (!axis.is_periodic) {
      return std::sqrt(2.0 / n) *
             std::cos(std::numbers::pi * (mode * (2 * m + 1) % (4 * n)) / (2 * n));
    }
    const double argument = 2 * std::numbers::pi * (mode * m % n) / n;
    if (2 * mode == n) return std::sqrt(1.0 / n) * std::cos(argument);
    // sin of n - mode is -sin of mode.
    return std::sqrt(2.0 / n) * (2 * mode < n ? std::cos(argument) : -std::sin(argument));
  };
  Matrix vectors;
  for (int mode = 0; mode < n; ++mode) {
    for (int m = 0; m < n; ++m) vectors.push_back(wave(mode, m));
  }
  return vectors;
}

/// -W^(-1/2) S W^(-1/2), see basis_of.
Matrix symmetric_operator(const StaggeredAxis& axis, const std::vector<double>& root_width) {
  const std::size_t n = root_width.size();
  const std::vector<double> inverse_distance = inverse_distances(axis);
  Matrix matrix(n * n);
  const auto couple = [&](std::size_t low, std::size_t high, double conductance) {
    matrix[low * n + low] += conductance / (root_width[low] * root_width[low]);
    matrix[high * n + high] += conductance / (root_width[high] * root_width[high]);
    matrix[low * n + high] -= conductance / (root_width[low] * root_width[high]);
    matrix[high * n + low] -= conductance / (root_width[high] * root_width[low]);
  };
  for (std::size_t face = 1; face < n; ++face) couple(face - 1, face, inverse_distance[face]);
  if (is_cyclic(axis)) couple(n - 1, 0, inverse_distance[0]);
  return matrix;
}

}  // namespace

AxisBasis basis_of(const StaggeredAxis& axis) {
  const std::size_t n = axis.cells();
  std::vector<double> root_width;
  root_width.reserve(n);
  for (int m = 0; m < axis.cells(); ++m) root_width.push_back(std::sqrt(axis.width(m)));
  AxisBasis basis;
  Matrix vectors;
  if (modes_of(axis) == AxisModes::eigenbasis) {
    vectors = symmetric_operator(axis, root_width);
    basis.eigenvalues = diagonalise(vectors, axis.cells());
    // The constant mode is known exactly.
    basis.eigenvalues[0] = 0;
    for (std::size_t m = 0; m < n; ++m) vectors[m] = root_width[m] / std::sqrt(axis.length());
  } else {
    vectors = waves(axis);
    basis.eigenvalues = uniform_eigenvalues(axis);
  }
  basis.forward.resize(n * n);
  basis.inverse.resize(n * n);
  for (std::size_t mode = 0; mode < n; ++mode) {
    for (std::size_t m = 0; m < n; ++m) {
      basis.forward[mode * n + m] = vectors[mode * n + m] * root_width[m];
      basis.inverse[m * n + mode] = vectors[mode * n + m] / root_width[m];
    }
  }
  return basis;
}

}  // namespace dns
