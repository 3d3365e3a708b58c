/// Diagnostics of a flow at the nodes, as contributions of single points and cells.
#pragma once

#include <type_traits>

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/central_differences.hpp"
#include "solver/numerics/dissipation.hpp"

namespace dns {

/// Contributions of the cell between nodes c and c + (1, 1, 1), with derivatives and means taken at
/// its centre from its 8 corners (second order):
///   continuity error  |u_x + v_y + w_z|: the net volume flux through the faces over the volume,
///                     face velocity = mean of its 4 corners (sum and maximum)
///   kinetic energy    (u^2 + v^2 + w^2)/2        dissipation function  Phi
///   temperature       T                          CFL rate  |u|/hx + |v|/hy + |w|/hz
/// Means over the box are the sums divided by the number of cells. The CFL rate is taken at the
/// lowest and the highest corner, so that every node off the edges of the box is included.
/// Contributions are computed in the precision of the fields and summed in double.
template <class Real, int interleave_width = 1>
struct CellDiagnostics {
  enum Sum { divergence, kinetic_energy, dissipation, temperature_mean, sums };
  enum Maximum { divergence_max, cfl_rate, maxima };

  LevelView<const Real, interleave_width> level;
  InverseTwoSpacings<Real> inverse_two_h;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, maxima>& reduction) const {
    const auto plane = [&](int k) { return sums_of(read(placed<Axis::z>(c, k))); };
    between(plane(c.k), plane(c.k + 1), reduction);
  }

  /// The variables at the four corners of a cell on one plane across z.
  template <class Value>
  struct Corners {
    NodeValues<Value> c00, c10, c01, c11;
  };
  template <class Point>
  [[nodiscard]] DNS_HD auto read(Point c) const {
    const Point above = placed<Axis::y>(c, c.j + 1);
    return Corners<decltype(level(0, c))>{level(c),
                                          level.template beside<Axis::x>(c, 1),
                                          level(above),
                                          level.template beside<Axis::x>(above, 1)};
  }

  /// What cells need of these: sums of the variables, and of their differences along x and y.
  template <class Value>
  struct PlaneSums {
    Value sum[variables_per_level], x[3], y[3];
    Value lowest_rate, highest_rate;  // CFL rates at the lowest and the highest corner
  };
  template <class Value>
  [[nodiscard]] DNS_HD PlaneSums<Value> sums_of(const Corners<Value>& at) const {
    PlaneSums<Value> sums_of_plane;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      const Value low = at.c00[variable] + at.c10[variable];
      const Value high = at.c01[variable] + at.c11[variable];
      sums_of_plane.sum[variable] = low + high;
      if (!is_velocity(variable)) continue;
      sums_of_plane.x[variable] =
          (at.c10[variable] - at.c00[variable]) + (at.c11[variable] - at.c01[variable]);
      sums_of_plane.y[variable] = high - low;
    }
    sums_of_plane.lowest_rate = rate(at.c00);
    sums_of_plane.highest_rate = rate(at.c11);
    return sums_of_plane;
  }
  /// The contributions of the cell between two planes.
  template <class Value, class Number>
  DNS_HD void between(const PlaneSums<Value>& low,
                      const PlaneSums<Value>& high,
                      Reduction<Number, sums, maxima>& reduction) const {
    const Real half = Real(0.5);
    struct Cell {
      Value mean, x, y, z;  // a variable and its derivatives at the centre
    };
    // Four corners a face: mean difference over h = sum difference * (1/2h) / 2.
    const auto cell = [&](int variable) {
      return Cell{Real(0.125) * (low.sum[variable] + high.sum[variable]),
                  (low.x[variable] + high.x[variable]) * (half * inverse_two_h.x),
                  (low.y[variable] + high.y[variable]) * (half * inverse_two_h.y),
                  (high.sum[variable] - low.sum[variable]) * (half * inverse_two_h.z)};
    };
    const Cell u = cell(0);
    const Cell v = cell(1);
    const Cell w = cell(2);
    const Value temperature = Real(0.125) * (low.sum[first_scalar] + high.sum[first_scalar]);
    const Value phi = normal_dissipation(u.x) + normal_dissipation(v.y) + normal_dissipation(w.z) +
                      shear_dissipation(v.x, u.y) + shear_dissipation(w.x, u.z) +
                      shear_dissipation(w.y, v.z);
    const auto divergence_here = in_double(magnitude(u.x + v.y + w.z));

    reduction.sum[divergence] += divergence_here;
    reduction.sum[kinetic_energy] +=
        in_double(half * (u.mean * u.mean + v.mean * v.mean + w.mean * w.mean));
    reduction.sum[dissipation] += in_double(phi);
    reduction.sum[temperature_mean] += in_double(temperature);
    reduction.raise(divergence_max, divergence_here);
    reduction.raise(cfl_rate, in_double(larger_or_nan(low.lowest_rate, high.highest_rate)));
  }

 private:
  /// |u|/hx + |v|/hy + |w|/hz
  template <class Values>
  [[nodiscard]] DNS_HD auto rate(const Values& at) const {
    return Real(2) * (magnitude(at[0]) * inverse_two_h.x + magnitude(at[1]) * inverse_two_h.y +
                      magnitude(at[2]) * inverse_two_h.z);
  }
};

/// Largest change of any variable between two levels at a point.
template <class Real, int interleave_width = 1>
struct LevelChange {
  LevelView<const Real, interleave_width> before, after;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 0, 1>& reduction) const {
    const auto old_values = before(c);
    const auto new_values = after(c);
    for (int variable = 0; variable < variables_per_level; ++variable) {
      reduction.raise(0, magnitude(in_double(new_values[variable] - old_values[variable])));
    }
  }
};

}  // namespace dns
