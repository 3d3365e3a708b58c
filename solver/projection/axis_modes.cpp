#include "solver/projection/axis_modes.hpp"

#include <cblas.h>

#include <algorithm>
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
  if (!axis.is_uniform || axis.across_walls) return AxisModes::eigenbasis;
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

/// Symmetric form of L = D G across walls; conductance: 1/wf of each face, 0 where no gradient is.
Matrix symmetric_operator(const OperatorsAcrossWalls& axis,
                          const std::vector<double>& conductance,
                          const std::vector<double>& root_volume) {
  const int n = axis.cells();
  Matrix matrix(static_cast<std::size_t>(n) * n);
  for (int face = 0; face <= n; ++face) {
    const int first = OperatorsAcrossWalls::first_cell(face, n);
    const int end = first + OperatorsAcrossWalls::row_width;
    for (int row = first; row < end; ++row) {
      for (int column = first; column < end; ++column) {
        matrix[static_cast<std::size_t>(row) * n + column] +=
            axis.difference(row, face) * conductance[face] * axis.difference(column, face) /
            (root_volume[row] * root_volume[column]);
      }
    }
  }
  return matrix;
}

/// Eigenvectors, one after the other, as modes weighted with volumes.
void set_matrices(const Matrix& vectors, const std::vector<double>& root_volume, AxisBasis& basis) {
  const std::size_t n = root_volume.size();
  basis.forward.resize(n * n);
  basis.inverse.resize(n * n);
  for (std::size_t mode = 0; mode < n; ++mode) {
    for (std::size_t m = 0; m < n; ++m) {
      basis.forward[mode * n + m] = vectors[mode * n + m] * root_volume[m];
      basis.inverse[m * n + mode] = vectors[mode * n + m] / root_volume[m];
    }
  }
}

std::vector<double> root_cell_volumes(const OperatorsAcrossWalls& axis) {
  std::vector<double> roots;
  for (int cell = 0; cell < axis.cells(); ++cell)
    roots.push_back(std::sqrt(axis.cell_volume(cell)));
  return roots;
}

/// 1/wf of the faces inside; 0 on boundaries.
std::vector<double> inner_conductances(const OperatorsAcrossWalls& axis) {
  std::vector<double> conductance(axis.cells() + 1);
  for (int face = 1; face < axis.cells(); ++face) conductance[face] = 1 / axis.face_volume(face);
  return conductance;
}

}  // namespace

AxisBasis basis_at_cells(const OperatorsAcrossWalls& axis,
                         const std::array<EndAcrossWalls, 2>& ends) {
  const int n = axis.cells();
  std::vector<double> conductance = inner_conductances(axis);
  for (const int face : {0, n}) {
    const EndAcrossWalls& end = ends[face == 0 ? 0 : 1];
    if (!end.gives_gradient()) conductance[face] = 1 / (axis.face_volume(face) + end.length());
  }
  const std::vector<double> root_volume = root_cell_volumes(axis);
  AxisBasis basis;
  Matrix vectors = symmetric_operator(axis, conductance, root_volume);
  basis.eigenvalues = diagonalise(vectors, n);
  if (ends[0].gives_gradient() && ends[1].gives_gradient()) {  // the constant mode is known exactly
    basis.eigenvalues[0] = 0;
    double length = 0;
    for (const double root : root_volume) length += root * root;
    for (int m = 0; m < n; ++m) vectors[m] = root_volume[m] / std::sqrt(length);
  }
  set_matrices(vectors, root_volume, basis);
  return basis;
}

AxisBasis basis_at_faces(const OperatorsAcrossWalls& axis) {
  const int n = axis.cells();
  const std::size_t inner = n - 1;
  std::vector<double> root_volume;
  for (int face = 1; face < n; ++face) root_volume.push_back(std::sqrt(axis.face_volume(face)));
  Matrix vectors(inner * inner);
  for (int cell = 0; cell < n; ++cell) {
    const int first = OperatorsAcrossWalls::first_face(cell, n);
    const int end = first + OperatorsAcrossWalls::row_width;
    for (int row = std::max(first, 1); row < std::min(end, n); ++row) {
      for (int column = std::max(first, 1); column < std::min(end, n); ++column) {
        vectors[(row - 1) * inner + (column - 1)] +=
            axis.difference(cell, row) * axis.difference(cell, column) / axis.cell_volume(cell) /
            (root_volume[row - 1] * root_volume[column - 1]);
      }
    }
  }
  AxisBasis of_inner;
  of_inner.eigenvalues = diagonalise(vectors, n - 1);
  set_matrices(vectors, root_volume, of_inner);
  AxisBasis basis;
  const std::size_t size = n;
  basis.eigenvalues.assign(size, 0);
  basis.forward.assign(size * size, 0);
  basis.inverse.assign(size * size, 0);
  for (std::size_t row = 0; row < inner; ++row) {
    basis.eigenvalues[row + 1] = of_inner.eigenvalues[row];
    for (std::size_t column = 0; column < inner; ++column) {
      const std::size_t to = (row + 1) * size + column + 1;
      basis.forward[to] = of_inner.forward[row * inner + column];
      basis.inverse[to] = of_inner.inverse[row * inner + column];
    }
  }
  return basis;
}

std::vector<double> second_difference_of_given(const OperatorsAcrossWalls& axis,
                                               const EndAcrossWalls& end,
                                               bool is_high_end) {
  const int n = axis.cells();
  const int face = is_high_end ? n : 0;
  const double slope = end.slope_of_given(axis.face_volume(face)) * (is_high_end ? 1 : -1);
  std::vector<double> changes;
  for (int cell = 0; cell < n; ++cell)
    changes.push_back(axis.difference(cell, face) * slope / axis.cell_volume(cell));
  return changes;
}

std::vector<double> second_difference_of_end_face(const OperatorsAcrossWalls& axis,
                                                  bool is_high_end) {
  const int n = axis.cells();
  std::vector<double> changes(n);
  for (int cell = 0; cell < n; ++cell) {
    const double slope = axis.difference(cell, is_high_end ? n : 0) / axis.cell_volume(cell);
    if (slope == 0) continue;
    for (int face = 1; face < n; ++face)
      changes[face] -= axis.difference(cell, face) * slope / axis.face_volume(face);
  }
  return changes;
}

AxisBasis basis_of(const StaggeredAxis& axis) {
  if (axis.across_walls) {
    constexpr EndAcrossWalls free{0, 1, 1};
    return basis_at_cells(*axis.across_walls, {free, free});
  }
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
  set_matrices(vectors, root_width, basis);
  return basis;
}

}  // namespace dns
