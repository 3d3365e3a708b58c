/// The eigenvectors of the second difference along one axis of a staggered grid.
#pragma once

#include <array>
#include <vector>

#include "solver/config/operators_across_walls.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

/// How an axis can be diagonalised.
enum class AxisModes {
  none,        // one cell: the operator is zero
  fourier,     // uniform and periodic
  cosine,      // uniform between walls
  eigenbasis,  // stretched: a matrix of eigenvectors
};

[[nodiscard]] AxisModes modes_of(const StaggeredAxis& axis);

/// -(second difference) = inverse diag(eigenvalues) forward, inverse forward = 1. Row-major
/// matrices of n x n. Mode 0 is constant, its eigenvalue 0.
struct AxisBasis {
  std::vector<double> eigenvalues;  // [1/L^2]
  std::vector<double> forward, inverse;
};

/// The eigenvalues of a uniform axis, with differences of its order [1/L^2], in the order of the
/// modes of a Fourier transform (also of its real and imaginary parts in halfcomplex order) or of a
/// cosine transform. Requires modes_of(axis) to be none, fourier or cosine.
[[nodiscard]] std::vector<double> uniform_eigenvalues(const StaggeredAxis& axis);

/// The real basis of any axis, orthonormal when weighted with the widths: for uniform ones waves in
/// the order of uniform_eigenvalues, else by ascending eigenvalue, in O(n^3) operations. With W the
/// diagonal matrix of the widths and the symmetric matrix S = W (second difference),
///   W^(-1/2) S W^(-1/2) = -Q diag(eigenvalues) Q^T
///   forward = Q^T W^(1/2),   inverse = W^(-1/2) Q
/// Throws DeviceError if LAPACK finds no eigenvectors.
[[nodiscard]] AxisBasis basis_of(const StaggeredAxis& axis);

/// The basis of L = D G of a variable at cells across walls of order 4, with conditions at both
/// ends, by ascending eigenvalue: -L = inverse diag(eigenvalues) forward. Throws as basis_of.
[[nodiscard]] AxisBasis basis_at_cells(const OperatorsAcrossWalls& axis,
                                       const std::array<EndAcrossWalls, 2>& ends);
/// The basis of L = G D of the velocity along the axis, n x n: face 0 has an eigenvalue, the first
/// one, of 0, and takes no part.
[[nodiscard]] AxisBasis basis_at_faces(const OperatorsAcrossWalls& axis);

/// L q at the cells where a value of 1 is given at an end and q = 0, and L v at faces 0 .. n - 1
/// where v is 1 on the face at an end alone; 0 on boundaries [1/L^2].
[[nodiscard]] std::vector<double> second_difference_of_given(const OperatorsAcrossWalls& axis,
                                                             const EndAcrossWalls& end,
                                                             bool is_high_end);
[[nodiscard]] std::vector<double> second_difference_of_end_face(const OperatorsAcrossWalls& axis,
                                                                bool is_high_end);

/// 1/distance of the centres on both sides of every face [1/L], n + 1 of them; 0 at walls. Along a
/// periodic axis of one or two cells, where both faces of a cell have the same neighbour, the first
/// and the last are 0 and the face between has the sum: such an axis is like one between walls.
[[nodiscard]] std::vector<double> inverse_distances(const StaggeredAxis& axis);
/// Whether the first and the last cell are neighbours by these distances.
[[nodiscard]] bool is_cyclic(const StaggeredAxis& axis);

}  // namespace dns
