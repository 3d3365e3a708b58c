/// Signed distance from a surface, interpolated between the nodes of a regular lattice:
///
///   d(x) = sum of w d_node over the 8 nodes around x
///   w    = product of 1 - |x - x_node|/s along x, y, z
///
/// s is the spacing along an axis. d is continuous and exact for planes; elsewhere its error is
/// at most the sum over the axes of s^2/8 |second derivative of the distance|: s^2/(4 R) on a
/// sphere of radius R.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Nodes are kept in blocks near the surface only. Of other blocks the side is known.
struct DistanceLattice {
  static constexpr int cells_of_block = 4;                 // along an axis
  static constexpr int row_of_block = cells_of_block + 1;  // its last nodes are in the next one too
  static constexpr int nodes_of_block = row_of_block * row_of_block * row_of_block;
  static constexpr int outside = -1;
  static constexpr int inside = -2;

  PerAxis<double> low, spacing;  // of the nodes [L]
  PerAxis<int> cells, blocks;    // along the axes
  PerAxis<double> length;        // of the box [L]
  PerAxis<bool> repeats;
  float farthest;      // the largest distance of any node; blocks wholly outside have it [L]
  float deepest;       // the largest depth of any node, above 0; blocks wholly inside have it [L]
  const int* numbers;  // of blocks, x fastest: the place in distances, or outside or inside
  const float* distances;  // of the nodes of one block after the other, x fastest [L]

  /// Places beyond the lattice have the distance of its end.
  [[nodiscard]] DNS_HD double at(const PerAxis<double>& x) const {
    PerAxis<int> cell;
    PerAxis<double> part;
    for (int axis = 0; axis < 3; ++axis) {
      double way = x[axis] - low[axis];
      if (repeats[axis]) way -= length[axis] * std::floor(way / length[axis]);
      way /= spacing[axis];
      const double most = cells[axis];
      way = way > 0 ? (way < most ? way : most) : 0;  // 0 where it is no number
      cell[axis] = static_cast<int>(way);
      if (cell[axis] == cells[axis]) --cell[axis];
      part[axis] = way - cell[axis];
    }
    const int number = numbers[number_of_block(cell)];
    if (number < 0) return static_cast<double>(number == outside ? farthest : -deepest);
    const float* const first =
        distances + static_cast<std::size_t>(number) * nodes_of_block + node_of_block(cell);
    const auto along_x = [&](int node) {
      const auto left = static_cast<double>(first[node]);
      return left + part[0] * (static_cast<double>(first[node + 1]) - left);
    };
    const auto in_plane = [&](int node) {
      const double below = along_x(node);
      return below + part[1] * (along_x(node + row_of_block) - below);
    };
    const double near = in_plane(0);
    return near + part[2] * (in_plane(row_of_block * row_of_block) - near);
  }

  /// Gradient of the distance, away from the surface: central differences at the nodes,
  /// interpolated as the distance is.
  [[nodiscard]] DNS_HD PerAxis<double> gradient(const PerAxis<double>& x) const {
    PerAxis<double> gradient;
    for (int axis = 0; axis < 3; ++axis) {
      PerAxis<double> before = x;
      PerAxis<double> behind = x;
      before[axis] -= spacing[axis];
      behind[axis] += spacing[axis];
      gradient[axis] = (at(behind) - at(before)) / (2 * spacing[axis]);
    }
    return gradient;
  }

 private:
  [[nodiscard]] DNS_HD std::size_t number_of_block(const PerAxis<int>& cell) const {
    const auto block = [&](int axis) {
      return static_cast<std::size_t>(cell[axis] / cells_of_block);
    };
    return block(0) + static_cast<std::size_t>(blocks[0]) *
                          (block(1) + static_cast<std::size_t>(blocks[1]) * block(2));
  }
  [[nodiscard]] DNS_HD static int node_of_block(const PerAxis<int>& cell) {
    return cell[0] % cells_of_block +
           row_of_block * (cell[1] % cells_of_block + row_of_block * (cell[2] % cells_of_block));
  }
};

}  // namespace dns
