/// Differences and means of order 4 along an axis that ends at walls or planes of symmetry, on
/// stretched or uniform cells, with closures that sum by parts.
///
/// n cells lie between faces 0 .. n, those of the ends on the boundaries. All operators follow from
/// two constant matrices and the coordinates y_f of the faces: B (cells x faces), differences, and
/// M (faces x cells), means, both times quadrature weights Pc of cells and Pf of faces. Inside
///
///   (B f)_i = (f_(i-1) - 27 f_i + 27 f_(i+1) - f_(i+2))/24
///   (M p)_j = (- p_(j-2) + 9 p_(j-1) + 9 p_j - p_(j+1))/16
///
/// and beside an end three rows of cells and four of faces have one-sided weights, with
///
///   B 1 = 0,  B f = Pc f' for f = x, x^2;   - B^T p + (p on the ends) = Pf p' for p = 1, x, x^2
///   M p = Pf p,  M^T f = Pc f for 1, x;     1^T B f = f_n - f_0
///
/// in the space of indices. y_c, the centres of cells, are means of four y_f; the volumes are
///
///   wc = B y_f,   wf = - B^T y_c  less y_f,0 at face 0, plus y_f,n at face n
///
/// and the operators
///
///   D = B/wc      faces to cells        divergence, differences of fluxes
///   G = - B^T/wf  cells to faces        gradient; on an end with the value there, q_w:
///                                       (s - q_w)/wf_0, s = (79 q_0 - 6 q_1 - q_2)/72
///   I = M/Pf      cells to faces        mean; on an end the value there
///   J = M^T/Pc    faces to cells        mean
///   J* = J^T wc/wf   cells to faces     what carries v along the other axes
///
/// By definition sum wc p D v = - sum wf v G p for v = 0 on the ends: G, I and J are the adjoints
/// that keep energy and momentum. Each operator is of order 4 inside and 2 in its closure;
/// solutions have order 4 in energies, flow rates and the shear of walls.
///
/// Sources: Verstappen & Veldman, J. Comput. Phys. 187 (2003) 343 (inside); O'Reilly, Lundquist,
/// Dunham & Nordstrom, J. Comput. Phys. 346 (2017) 572 (closures that sum by parts on staggered
/// grids).
#pragma once

#include <algorithm>

#include "solver/core/host_device.hpp"

namespace dns {

/// B, M and their weights for n cells, on the host.
class MatricesAcrossWalls {
 public:
  static constexpr int fewest_cells = 8;

  /// cells: fewest_cells at least.
  explicit MatricesAcrossWalls(int cells) : cells_(cells) {}

  [[nodiscard]] int cells() const { return cells_; }
  /// An entry of B.
  [[nodiscard]] double difference(int cell, int face) const {
    constexpr double rows[3][row_width] = {
        {-79, 81, -3, 1, 0}, {6, -81, 81, -6, 0}, {1, 0, -81, 83, -3}};
    constexpr double inside[4] = {1, -27, 27, -1};
    const int n = cells();
    if (cell < 3) return face < row_width ? rows[cell][face] / 72 : 0;
    if (cell >= n - 3) return -difference(n - 1 - cell, n - face);
    const int place = face - (cell - 1);
    return place >= 0 && place < 4 ? inside[place] / 24 : 0;
  }
  /// An entry of M.
  [[nodiscard]] double mean(int face, int cell) const {
    constexpr double rows[4][row_width] = {
        {78, -16, -6, 0, 0}, {78, 87, -3, 0, 0}, {0, 63, 90, -9, 0}, {0, -8, 78, 81, -9}};
    constexpr double inside[4] = {-1, 9, 9, -1};
    const int n = cells();
    if (face < 4) return cell < row_width ? rows[face][cell] / 144 : 0;
    if (face > n - 4) return mean(n - face, n - 1 - cell);
    const int place = cell - (face - 2);
    return place >= 0 && place < 4 ? inside[place] / 16 : 0;
  }
  /// Pc and Pf.
  [[nodiscard]] double weight_of_cell(int cell) const {
    constexpr double beside_end[3] = {13.0 / 12, 7.0 / 8, 25.0 / 24};
    const int from_end = std::min(cell, cells() - 1 - cell);
    return from_end < 3 ? beside_end[from_end] : 1;
  }
  [[nodiscard]] double weight_of_face(int face) const {
    constexpr double beside_end[4] = {7.0 / 18, 9.0 / 8, 1, 71.0 / 72};
    const int from_end = std::min(face, cells() - face);
    return from_end < 4 ? beside_end[from_end] : 1;
  }

  /// No row of an operator has more values.
  static constexpr int row_width = 5;
  /// The first face of rows at cells, the first cell of rows at faces, of n cells.
  [[nodiscard]] static DNS_HD constexpr int first_face(int cell, int n) {
    return cell < 3 ? 0 : cell - 1 < n - 4 ? cell - 1 : n - 4;
  }
  [[nodiscard]] static DNS_HD constexpr int first_cell(int face, int n) {
    return face < 4 ? 0 : face - 2 < n - 5 ? face - 2 : n - 5;
  }

 private:
  int cells_;
};

/// The condition of a variable at an end of the axis, s the outward normal:
///
///   value_weight q + gradient_weight dq/ds = given_weight given      (as Condition has it)
///
/// A wall that slips, or a transfer, is further away by l = gradient_weight/value_weight, where q
/// is q_wall = given_weight/value_weight given.
struct EndAcrossWalls {
  double value_weight = 1, gradient_weight = 0, given_weight = 1;

  /// Whether dq/ds is given; then l means nothing.
  [[nodiscard]] bool gives_gradient() const { return value_weight == 0; }
  [[nodiscard]] double length() const { return gradient_weight / value_weight; }
  /// The value on the wall is of_inside s + of_given given, `volume` the wf there.
  [[nodiscard]] double of_inside(double volume) const {
    return gives_gradient() ? 1 : length() / (volume + length());
  }
  [[nodiscard]] double of_given(double volume) const { return volume * slope_of_given(volume); }
  /// What a given value of 1 is of dq/ds [1/L].
  [[nodiscard]] double slope_of_given(double volume) const {
    return gives_gradient() ? given_weight / gradient_weight
                            : given_weight / value_weight / (volume + length());
  }

  friend bool operator==(const EndAcrossWalls&, const EndAcrossWalls&) = default;
};

/// s = (79 q_0 - 6 q_1 - q_2)/72 of the cells beside an end, counted from it.
template <class Real, class Value>
[[nodiscard]] DNS_HD Value value_beside_end(Value q_0, Value q_1, Value q_2) {
  return static_cast<Real>(79.0 / 72) * q_0 - static_cast<Real>(6.0 / 72) * q_1 -
         static_cast<Real>(1.0 / 72) * q_2;
}

}  // namespace dns
