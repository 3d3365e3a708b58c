/// An interpolated velocity without divergence, for flows whose fluxes into each cell are balanced.
///
/// Along its own axis a component is the cubic polynomial through its values V at the four faces
/// around a cell, SUM V_m L_m. Across, V are means over cells of widths h, and the component is the
/// derivative of the same cubic of its primitive: a parabola with the means of three cells. So
///
///   u = SUM V_ijk L_i(x) H_j(y) H_k(z),   H_j = - h_j SUM_{m <= j} L_m',
///
/// likewise v, w. With L_i' = H_(i-1)/h_(i-1) - H_i/h_i, div u = SUM D_ijk H_i(x) H_j(y) H_k(z) at
/// any place, D the divergence of the fluxes of a cell: 0 on any cells. The component through a
/// face is continuous there; those along it jump by a third difference, of order h^3.
///
/// Walls that are at rest, or move evenly, are cells of no width with the velocity of the wall: u =
/// u_wall there, and the component across has no slope. Before other planes the last cell has the
/// polynomial of its neighbour. Planes of symmetry mirror, periodic ends repeat.
#pragma once

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/particle_velocity.hpp"

namespace dns {

/// What the tables of an axis have of each cell, as numbers of all cells in turn: L_0, L_2, L_3 are
/// a d + b d^2 + c d^3 with d = x - place.
struct DivergenceFreeCell {
  static constexpr int place = 0;       // [L]
  static constexpr int widths = 1;      // of H_low = -h L_0', H_here = h L_2' + h L_3', H_high
  static constexpr int polynomial = 5;  // a, b, c of L_0, L_2, L_3
  static constexpr int numbers = 14;
  static constexpr int faces = 0;  // indices of the values along the axis
  static constexpr int cells = 4;  // of those across it
  static constexpr int ends = 7;   // some of those below
  static constexpr int indices = 8;

  static constexpr int low_wall = 1, high_wall = 2;    // the outermost value is that of a wall
  static constexpr int low_moves = 4, high_moves = 8;  // where it is (q_0 + q_1)/2 of the ghost
  static constexpr int low_odd = 16, high_odd = 32;    // mirrored at a plane of symmetry
  static constexpr int on_plane = 64;  // times 2^m: value m of the faces is on a closed end
};

/// Values of a line and their weights.
template <int count>
struct LinePoints {
  static constexpr int points = count;
  int index[count];
  double weight[count];
};

/// Weights at a place, see PlaceWeights.
struct DivergenceFreeWeights {
  LinePoints<4> along[3];
  LinePoints<3> across[3];
  int ends[3];
  double sign[3];
  PerAxis<int> cell;

  [[nodiscard]] DNS_HD static DivergenceFreeWeights at(const PerAxis<ParticleAxis>& axes,
                                                       const PerAxis<double>& place) {
    DivergenceFreeWeights weights;
    for (int axis = 0; axis < 3; ++axis) {
      weights.sign[axis] = 1;
      const double x = axes[axis].place_in_box(place[axis], weights.sign[axis]);
      weights.cell[axis] = axes[axis].cell(x);
      weights.weigh<false>(axes[axis], axis, x);
    }
    return weights;
  }
  /// Weights of the derivative along an axis.
  [[nodiscard]] DNS_HD DivergenceFreeWeights slopes(const PerAxis<ParticleAxis>& axes,
                                                    const PerAxis<double>& place,
                                                    int axis) const {
    DivergenceFreeWeights of = *this;
    double turned = 1;
    const double x = axes[axis].place_in_box(place[axis], turned);
    of.weigh<true>(axes[axis], axis, x);
    for (double& component : of.sign) component *= turned;
    return of;
  }
  /// Weights by which the points of a component share a force: that of a value on a closed end is
  /// added to that of the first point inside.
  [[nodiscard]] DNS_HD LineWeights given_inside(int component, int axis) const {
    LineWeights part{};
    if (component == axis) {
      for (int m = 0; m < 4; ++m) {
        part.index[m] = along[axis].index[m];
        part.weight[m] = along[axis].weight[m];
      }
      for (int m = 0; m < 4; ++m) {
        if ((ends[axis] & (DivergenceFreeCell::on_plane << m)) == 0) continue;
        part.weight[m < 2 ? m + 1 : m - 1] += part.weight[m];
        part.weight[m] = 0;
      }
      return part;
    }
    for (int m = 0; m < 3; ++m) {
      part.index[m] = across[axis].index[m];
      part.weight[m] = across[axis].weight[m];
    }
    part.index[3] = part.index[2];
    if ((ends[axis] & DivergenceFreeCell::low_wall) != 0) {
      part.weight[0] = 0;
      part.weight[1] = 1 - part.weight[2];
    }
    if ((ends[axis] & DivergenceFreeCell::high_wall) != 0) {
      part.weight[2] = 0;
      part.weight[1] = 1 - part.weight[0];
    }
    return part;
  }

 private:
  template <bool is_slope>
  DNS_HD void weigh(const ParticleAxis& axis, int number, double x) {
    using Cell = DivergenceFreeCell;
    const auto value = [&](int which) {
      return axis.divergence_free.numbers[which * axis.cells + cell[number]];
    };
    const auto index = [&](int which) {
      return axis.divergence_free.indices[which * axis.cells + cell[number]];
    };
    const double d = x - value(Cell::place);
    double cubic[3];   // L_0, L_2, L_3, or their derivatives
    double bottom[3];  // derivatives of `cubic`
    for (int m = 0; m < 3; ++m) {
      const double a = value(Cell::polynomial + 3 * m);
      const double b = value(Cell::polynomial + 3 * m + 1);
      const double c = value(Cell::polynomial + 3 * m + 2);
      const double first = a + d * (2 * b + 3 * c * d);
      cubic[m] = is_slope ? first : d * (a + d * (b + c * d));
      bottom[m] = is_slope ? 2 * b + 6 * c * d : first;
    }
    LinePoints<4>& own = along[number];
    LinePoints<3>& other = across[number];
    other.weight[0] = -value(Cell::widths) * bottom[0];
    other.weight[1] = value(Cell::widths + 1) * bottom[1] + value(Cell::widths + 2) * bottom[2];
    other.weight[2] = value(Cell::widths + 3) * bottom[2];
    for (int m = 0; m < 4; ++m) own.index[m] = index(Cell::faces + m);
    for (int m = 0; m < 3; ++m) other.index[m] = index(Cell::cells + m);
    const int at = ends[number] = index(Cell::ends);
    if ((at & Cell::low_wall) != 0) {
      cubic[0] = 0;
      other.weight[0] *= (at & Cell::low_moves) != 0 ? 0.5 : 0;
      other.weight[1] += other.weight[0];
    }
    if ((at & Cell::high_wall) != 0) {
      cubic[2] = 0;
      other.weight[2] *= (at & Cell::high_moves) != 0 ? 0.5 : 0;
      other.weight[1] += other.weight[2];
    }
    own.weight[0] = (at & Cell::low_odd) != 0 ? -cubic[0] : cubic[0];
    own.weight[1] = (is_slope ? 0 : 1) - cubic[0] - cubic[1] - cubic[2];
    own.weight[2] = cubic[1];
    own.weight[3] = (at & Cell::high_odd) != 0 ? -cubic[2] : cubic[2];
  }
};

/// The velocity [U].
template <class Real>
[[nodiscard]] DNS_HD PerAxis<double> velocity_by(const VelocityAround<Real>& velocity,
                                                 const DivergenceFreeWeights& weights) {
  const LinePoints<4>* const along = weights.along;
  const LinePoints<3>* const across = weights.across;
  return {weights.sign[0] * sum_by(velocity, 0, along[0], across[1], across[2]),
          weights.sign[1] * sum_by(velocity, 1, across[0], along[1], across[2]),
          weights.sign[2] * sum_by(velocity, 2, across[0], across[1], along[2])};
}

}  // namespace dns
