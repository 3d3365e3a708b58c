/// The weights of rows of order 4 across walls, as kernels read them.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/config/operators_across_walls.hpp"
#include "solver/numerics/rows_across_walls.hpp"

namespace dns {

/// All rows, as RowsAcrossWalls has them in memory.
[[nodiscard]] inline std::vector<double> weights_across_walls(const OperatorsAcrossWalls& axis) {
  using Kind = RowAcrossWalls;
  const int n = axis.cells();
  constexpr int width = OperatorsAcrossWalls::row_width;
  std::vector<double> weights(static_cast<std::size_t>(kinds_of_rows_across_walls) * (n + 1) *
                              width);
  const auto entry = [&](Kind kind, int row, int column) {
    switch (kind) {
      case Kind::difference_at_cell:
        return axis.difference(row, column);
      case Kind::mean_at_cell:
        return axis.mean(column, row) / axis.weight_of_cell(row);
      case Kind::adjoint_at_cell:
        return axis.mean(column, row) / axis.weight_of_face(column);
      case Kind::difference_at_face:
        return -axis.difference(column, row);
      case Kind::mean_at_face:
        return axis.mean(row, column) / axis.weight_of_face(row);
      case Kind::adjoint_at_face:
        return axis.mean(row, column) / axis.weight_of_cell(column);
      case Kind::carry_at_face:
        return axis.carry(row, column);
    }
    return 0.0;
  };
  std::size_t at = 0;
  for (int kind = 0; kind < kinds_of_rows_across_walls; ++kind) {
    const auto which = static_cast<Kind>(kind);
    const bool at_face = RowsAcrossWalls<double>::is_at_face(which);
    for (int row = 0; row <= n; ++row) {
      const int first = at_face ? OperatorsAcrossWalls::first_cell(row, n)
                                : OperatorsAcrossWalls::first_face(row, n);
      for (int m = 0; m < width; ++m)
        weights[at++] = !at_face && row == n ? 0 : entry(which, row, first + m);
    }
  }
  return weights;
}

}  // namespace dns
