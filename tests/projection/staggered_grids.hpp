/// Grids and fields to test the Poisson solver with, and its operator by its definition.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns::testing {

enum class AxisKind { uniform_periodic, uniform_walled, stretched_periodic, stretched_walled };

inline constexpr std::array<AxisKind, 4> all_axis_kinds{AxisKind::uniform_periodic,
                                                        AxisKind::uniform_walled,
                                                        AxisKind::stretched_periodic,
                                                        AxisKind::stretched_walled};

/// n cells over `length`, from -1 on; stretched ones grow and shrink, not evenly.
inline StaggeredAxis axis_of(AxisKind kind, int n, double length) {
  StaggeredAxis axis;
  axis.is_periodic = kind == AxisKind::uniform_periodic || kind == AxisKind::stretched_periodic;
  axis.is_uniform = kind == AxisKind::uniform_periodic || kind == AxisKind::uniform_walled;
  for (int face = 0; face <= n; ++face) {
    double place = static_cast<double>(face) / n;
    if (kind == AxisKind::stretched_walled) {
      place = (1 + std::tanh(1.7 * (2 * place - 1)) / std::tanh(1.7)) / 2;
    }
    if (kind == AxisKind::stretched_periodic) {
      place -= 0.1 * std::sin(2 * std::numbers::pi * place);
    }
    axis.faces.push_back(-1 + length * place);
  }
  return axis;
}

inline StaggeredGrid grid_of(const PerAxis<AxisKind>& kinds, Extents n) {
  return {axis_of(kinds[0], n.nx, 2.0), axis_of(kinds[1], n.ny, 1.0), axis_of(kinds[2], n.nz, 1.5)};
}

inline std::string name_of(const StaggeredGrid& grid) {
  std::string name;
  for (const StaggeredAxis& axis : grid) {
    name += std::to_string(axis.cells()) + (axis.is_uniform ? " uniform" : " stretched") +
            (axis.is_periodic ? " periodic, " : " walled, ");
  }
  return name;
}

/// Values at all cells, x fastest.
class CellField {
 public:
  explicit CellField(const StaggeredGrid& grid)
      : n_{grid[0].cells(), grid[1].cells(), grid[2].cells()}, values_(n_.count()) {}

  double& operator()(int i, int j, int k) { return values_[number(i, j, k)]; }
  double operator()(int i, int j, int k) const { return values_[number(i, j, k)]; }
  [[nodiscard]] Extents points() const { return n_; }
  [[nodiscard]] std::vector<double>& values() { return values_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

  [[nodiscard]] double largest() const {
    double most = 0;
    for (const double value : values_) most = larger_or_nan(most, std::abs(value));
    return most;
  }

 private:
  [[nodiscard]] std::size_t number(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * static_cast<std::size_t>(n_.ny) +
            static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(n_.nx) +
           static_cast<std::size_t>(i);
  }
  Extents n_;
  std::vector<double> values_;
};

template <class Function>
void for_each_cell(Extents n, const Function& function) {
  for (int k = 0; k < n.nz; ++k) {
    for (int j = 0; j < n.ny; ++j) {
      for (int i = 0; i < n.nx; ++i) function(i, j, k);
    }
  }
}

inline double mean_of(const StaggeredGrid& grid, const CellField& field) {
  double sum = 0;
  double volume = 0;
  for_each_cell(field.points(), [&](int i, int j, int k) {
    const double cell = grid[0].cell_volume(i) * grid[1].cell_volume(j) * grid[2].cell_volume(k);
    sum += cell * field(i, j, k);
    volume += cell;
  });
  return sum / volume;
}

/// A grid with order 4 across walls along y, and an order along x and z.
inline StaggeredGrid grid_across_walls(AxisKind y, Extents n, int order) {
  StaggeredGrid grid = grid_of({AxisKind::uniform_periodic, y, AxisKind::uniform_periodic}, n);
  grid[0].order = grid[2].order = order;
  grid[1].across_walls.emplace(grid[1].faces);
  grid[1].is_uniform = false;
  return grid;
}

/// div grad phi at one cell, along one axis, from phi(m) along it. Of higher order beyond the ends
/// of the axis phi repeats itself, or is even.
template <class Values>
double second_difference(const StaggeredAxis& axis, int m, const Values& phi) {
  const int n = axis.cells();
  if (axis.across_walls) {  // D G, without a gradient on the walls
    const OperatorsAcrossWalls& operators = *axis.across_walls;
    double sum = 0;
    for (int face = std::max(m - 2, 1); face < std::min(m + 5, n); ++face) {
      double slope = 0;
      for (int cell = std::max(face - 5, 0); cell < std::min(face + 5, n); ++cell)
        slope -= operators.difference(cell, face) * phi(cell);
      sum += operators.difference(m, face) * slope / operators.face_volume(face);
    }
    return sum / operators.cell_volume(m);
  }
  if (axis.order > 2) {
    const auto difference_of = [&](const auto& f, int low) {  // half-way between f(low), f(low + 1)
      double sum = 0;
      for (int pair = 0; pair < axis.order / 2; ++pair)
        sum += weight_of_order(axis.order, pair) / (2 * pair + 1) *
               (f(low + 1 + pair) - f(low - pair));
      return sum / axis.width(0);
    };
    const auto cell_of = [&](int cell) {
      if (axis.is_periodic) return (cell + n) % n;
      return cell < 0 ? -1 - cell : cell >= n ? 2 * n - 1 - cell : cell;
    };
    const auto slope = [&](int face) {
      return difference_of([&](int cell) { return phi(cell_of(cell)); }, face - 1);
    };
    return difference_of(slope, m);
  }
  double difference = 0;
  if (axis.is_periodic || m + 1 < n) {
    difference += (phi((m + 1) % n) - phi(m)) / axis.centre_distance(m + 1);
  }
  if (axis.is_periodic || m > 0) {
    difference -= (phi(m) - phi((m - 1 + n) % n)) / axis.centre_distance(m);
  }
  return difference / axis.width(m);
}

inline CellField div_grad(const StaggeredGrid& grid, const CellField& phi) {
  CellField result(grid);
  for_each_cell(phi.points(), [&](int i, int j, int k) {
    result(i, j, k) = second_difference(grid[0], i, [&](int m) { return phi(m, j, k); }) +
                      second_difference(grid[1], j, [&](int m) { return phi(i, m, k); }) +
                      second_difference(grid[2], k, [&](int m) { return phi(i, j, m); });
  });
  return result;
}

/// Sum over the axes of 4/(smallest width)^2, 7 at orders above 2: how much div grad can magnify
/// [1/L^2].
inline double largest_magnification(const StaggeredGrid& grid) {
  double sum = 0;
  for (const StaggeredAxis& axis : grid) {
    double smallest = axis.length();
    for (int m = 0; m < axis.cells(); ++m) smallest = std::min(smallest, axis.width(m));
    const double largest_wave = axis.order > 2 || axis.across_walls ? 7 : 4;
    if (axis.cells() > 1) sum += largest_wave / (smallest * smallest);
  }
  return sum;
}

/// Values between -1 and 1 without pattern.
inline double scattered_value(int n) {
  auto bits = static_cast<unsigned>(n) * 2654435761U;
  bits ^= bits >> 15U;
  bits *= 2246822519U;
  bits ^= bits >> 13U;
  return static_cast<double>(bits % 20001U) / 10000 - 1;
}

inline CellField scattered_field(const StaggeredGrid& grid, int seed) {
  CellField field(grid);
  int n = 1000 * seed;
  for (double& value : field.values()) value = scattered_value(++n);
  const double mean = mean_of(grid, field);
  for (double& value : field.values()) value -= mean;
  return field;
}

}  // namespace dns::testing
