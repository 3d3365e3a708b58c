/// Figures watched during a run, as contributions of single points and cells.
#pragma once

#include <type_traits>

#include "solver/core/layer_view.hpp"
#include "solver/core/tally.hpp"
#include "solver/numerics/central_differences.hpp"

namespace dns {

/// Contributions of the cell between nodes c and c + (1, 1, 1), with derivatives and means taken at
/// its centre from its 8 corners (second order):
///   continuity error  |u_x + v_y + w_z|: the net volume flux through the faces over the volume,
///                     face velocity = mean of its 4 corners (sum and maximum)
///   kinetic energy    (u^2 + v^2 + w^2)/2        dissipation function  Phi
///   temperature       T                          CFL rate  |u|/hx + |v|/hy + |w|/hz
/// Means over the box are the sums divided by the number of cells. The CFL rate is taken at the
/// lowest and the highest corner, so that every node off the edges of the box counts. Cells are
/// worked out in the precision of the fields, sums in double.
template <class Real, int together = 1>
struct CellFigures {
  enum Sum { divergence, kinetic_energy, dissipation, temperature_mean, sums };
  enum Maximum { divergence_max, cfl_rate, maxima };

  LayerView<const Real, together> layer;
  InverseTwoSpacings<Real> inverse_two_h;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Tally<Number, sums, maxima>& tally) const {
    const auto corners = corners_of(c);
    const auto u = cell(0, corners);
    const auto v = cell(1, corners);
    const auto w = cell(2, corners);
    const auto heat = cell(temperature_variable, corners);
    const auto phi = Real(2) * (u.x * u.x + v.y * v.y + w.z * w.z) + square(v.x + u.y) +
                     square(w.x + u.z) + square(w.y + v.z);
    const auto divergence_here = in_double(magnitude(u.x + v.y + w.z));

    tally.sum[divergence] += divergence_here;
    tally.sum[kinetic_energy] +=
        in_double(Real(0.5) * (u.mean * u.mean + v.mean * v.mean + w.mean * w.mean));
    tally.sum[dissipation] += in_double(phi);
    tally.sum[temperature_mean] += in_double(heat.mean);
    tally.raise(divergence_max, divergence_here);
    tally.raise(cfl_rate, in_double(rate(u.lowest, v.lowest, w.lowest)));
    tally.raise(cfl_rate, in_double(rate(u.highest, v.highest, w.highest)));
  }

 private:
  template <class Value>
  struct Cell {
    Value mean, x, y, z;    // the variable and its derivatives at the centre
    Value lowest, highest;  // its values at corners c and c + (1, 1, 1)
  };

  template <class Value>
  DNS_HD static Value square(Value a) {
    return a * a;
  }

  template <class Value>
  [[nodiscard]] DNS_HD Value rate(Value u, Value v, Value w) const {
    return Real(2) * (magnitude(u) * inverse_two_h.x + magnitude(v) * inverse_two_h.y +
                      magnitude(w) * inverse_two_h.z);
  }

  /// The variables at the corners of a cell.
  template <class Values>
  struct Corners {
    Values c000, c100, c010, c110, c001, c101, c011, c111;
  };
  template <class Point>
  [[nodiscard]] DNS_HD auto corners_of(Point c) const {
    const Point y = placed<Axis::y>(c, c.j + 1);
    const Point z = placed<Axis::z>(c, c.k + 1);
    const Point yz = placed<Axis::z>(y, c.k + 1);
    const auto beside = [&](Point at) { return layer.template beside<Axis::x>(at, 1); };
    return Corners<decltype(layer(c))>{
        layer(c), beside(c), layer(y), beside(y), layer(z), beside(z), layer(yz), beside(yz)};
  }

  template <class Values>
  [[nodiscard]] DNS_HD auto cell(int variable, const Corners<Values>& at) const {
    const auto c000 = at.c000[variable];
    const auto c100 = at.c100[variable];
    const auto c010 = at.c010[variable];
    const auto c110 = at.c110[variable];
    const auto c001 = at.c001[variable];
    const auto c101 = at.c101[variable];
    const auto c011 = at.c011[variable];
    const auto c111 = at.c111[variable];
    const auto low_x = (c000 + c010) + (c001 + c011);
    const auto high_x = (c100 + c110) + (c101 + c111);
    const auto low_y = (c000 + c100) + (c001 + c101);
    const auto high_y = (c010 + c110) + (c011 + c111);
    const auto low_z = (c000 + c100) + (c010 + c110);
    const auto high_z = (c001 + c101) + (c011 + c111);
    // Four corners a face: mean difference over h = sum difference * (1/2h) / 2.
    using Value = std::remove_const_t<decltype(c000)>;
    const Real half = Real(0.5);
    return Cell<Value>{Real(0.125) * (low_x + high_x),
                       (high_x - low_x) * (half * inverse_two_h.x),
                       (high_y - low_y) * (half * inverse_two_h.y),
                       (high_z - low_z) * (half * inverse_two_h.z),
                       c000,
                       c111};
  }
};

/// Largest change of any variable between two layers at a point.
template <class Real, int together = 1>
struct LayerChange {
  LayerView<const Real, together> before, after;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Tally<Number, 0, 1>& tally) const {
    const auto old_values = before(c);
    const auto new_values = after(c);
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      tally.raise(0, magnitude(in_double(new_values[variable] - old_values[variable])));
    }
  }
};

}  // namespace dns
