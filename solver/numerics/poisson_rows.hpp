/// The Poisson equation on a staggered grid, mode by mode.
///
///   (div grad phi)_i = [ (phi_(i+1) - phi_i)/d_(i+1) - (phi_i - phi_(i-1))/d_i ]/w_i
///
/// summed over the axes, w_i the width of cell i and d_i the distance of the centres on both sides
/// of face i; 1/d_i = 0 at walls. Along two axes phi is expanded in eigenvectors of this operator,
/// where it is multiplication by -mu; along the third, the line, a tridiagonal system remains.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/core/row_range.hpp"
#include "solver/core/team.hpp"
#include "solver/core/tridiagonal.hpp"
#include "solver/numerics/grid_metrics.hpp"

namespace dns {

/// mu [1/L^2] of mode m of n along a uniform axis of cell width h = `width` [L]:
///   periodic:      (2/h s P(s^2))^2, s = sin(pi m/n)   of modes m and n - m, of sine and cosine
///   between walls: (2/h sin(pi m/(2n)))^2              waves
/// `half_difference` is s P(s^2) (difference_of_wave), s where the order is 2.
DNS_HD double uniform_eigenvalue(double half_difference, double width) {
  const double root = 2 * half_difference / width;
  return root * root;
}

/// Divides modes of rhs along all axes by -mu and the gain of the transforms; the constant mode
/// becomes 0. mu is the sum of `of_line` and of `of_axis`, its part along `axis` [1/L^2].
template <Axis axis, class Real>
struct DivideByEigenvalues {
  FieldView<Real> modes;
  FieldView<const Real> of_line;  // one value for all points of a line
  const Real* of_axis;
  Real minus_inverse_gain;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    const auto mu = of_line(c) + entry<axis>(of_axis, c);
    modes.set(c, where_above(mu, Real(0), minus_inverse_gain * modes(c) / mu));
  }
};

/// Constants of the line: of cell m and its low face, along the axis of the sweep.
template <class Real>
struct PoissonLine {
  const Real* inverse_distance =
      nullptr;                   // 1/d_m [1/L], one more than cells; 0 where no flux passes
  const Real* width = nullptr;   // w_m [L]
  const Real* source = nullptr;  // -w_m over the gain of the transforms [L]
};

/// Rows for the modes with eigenvalues mu, times -w_m:
///
///   -phi_(m-1)/d_m + (1/d_m + 1/d_(m+1) + w_m mu) phi_m - phi_(m+1)/d_(m+1) = -w_m rhs_m
///
/// Requires mu > 0, also for the constant mode, whose true mu is 0 (see ConstantModeLine).
template <Axis axis, class Real, bool cyclic>
struct PoissonRows {
  using System = OneUnknown;
  static constexpr bool is_cyclic = cyclic;
  static constexpr int coefficients = 3;

  FieldView<Real> modes;              // of rhs; the solution may take its place
  FieldView<const Real> eigenvalues;  // mu [1/L^2]; one value for all points of a line
  PoissonLine<Real> line;
  FaceView<const Real> low = {}, high = {};  // values beyond the ends; null: no flux through them

  template <class Point>
  DNS_HD auto operator()(Point c) const {
    using Value = decltype(modes(c));
    RowData<System, coefficients, Value> data;
    data.coefficient[0] = along_line(line.inverse_distance, c);
    data.coefficient[1] = along_line(line.inverse_distance + 1, c);
    data.coefficient[2] = along_line(line.width, c) * eigenvalue(c);
    data.rhs[0] = along_line(line.source, c) * modes(c);
    return data;
  }

  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int /*matrix*/,
                                                const Value (&coefficient)[coefficients]) const {
    return {-coefficient[0], coefficient[0] + coefficient[1] + coefficient[2], -coefficient[1]};
  }

  template <class Point, class Data>
  DNS_HD void close_low(Point c, Data& data) const {
    if (low.values != nullptr) data.rhs[0] += data.coefficient[0] * low(c);
  }
  template <class Point, class Data>
  DNS_HD void close_high(Point c, Data& data) const {
    if (high.values != nullptr) data.rhs[0] += data.coefficient[1] * high(c);
  }
  // Where no flux passes, 1/d is 0 already.
  template <class Value>
  DNS_HD void fold_low(int /*matrix*/, Coupling<Value>& row) const {
    row.lower = Value(0);
  }
  template <class Value>
  DNS_HD void fold_high(int /*matrix*/, Coupling<Value>& row) const {
    row.upper = Value(0);
  }
  /// Gives the values beyond an end, of another rank's cells.
  template <class ValueOf>
  void close_by_values(bool is_high, const ValueOf& value_of, FaceView<const Real> /*zero*/) {
    (is_high ? high : low) = value_of(0);
  }

 private:
  template <class Point>
  [[nodiscard]] DNS_HD auto along_line(const Real* values, Point c) const {
    using Value = decltype(modes(c));
    if constexpr (axis == Axis::x) {
      return load_unaligned(values + c.i, c);
    } else {
      return Value(read_only(values + along<axis>(c)));
    }
  }
  template <class Point>
  [[nodiscard]] DNS_HD auto eigenvalue(Point c) const {
    using Value = decltype(modes(c));
    if constexpr (axis == Axis::x) {
      return Value(read_only(eigenvalues.address({0, c.j, c.k})));
    } else {
      return load(eigenvalues.address(c), c);
    }
  }
};

/// Constants of ConstantModeLine, of cell m, in double whatever the precision of the fields.
struct ConstantModeConstants {
  const double* width;     // w_m [L]
  const double* distance;  // d_(m+1), across the high face [L]; 0 where no flux passes
  const double* centre;    // coordinates X_m [L], with mean 0 weighted by the widths
  const double* parabola;  // the solution for rhs = 1, whose mean is not subtracted [L^2]
  double inverse_length;   // of the line [1/L]
  double inverse_period;   // the same along a cyclic line, else 0
  int points;
};

/// Copies the constant mode, the first of all, from the modes of rhs.
template <Axis axis, class Real>
struct GatherConstantMode {
  FieldView<const Real> modes;
  double* rhs;

  DNS_HD void operator()(Index3 c) const { rhs[along<axis>(c)] = in_double(modes(c)); }
};

/// The line of the constant mode, where mu = 0: the solution without mean for the right-hand side
/// without its mean, by summing up the flux and then phi,
///
///   F_(m+1) = F_m + w_m rhs_m,    phi_(m+1) = phi_m + d_(m+1) F_(m+1)
///
/// from F_0 = phi_0 = 0. Along a cyclic line a constant is added to the flux so that phi is
/// periodic. The mean of rhs is known after the last cell only: its part of phi, a parabola, is
/// then subtracted.
struct ConstantModeLine {
  ConstantModeConstants of;

  /// Calls store(m, phi_m, rhs_m without the mean) for each cell; rhs(m) gives rhs_m. All threads
  /// of a team call it. A thread stores its own cells, and has read rhs there before.
  template <class Team, class Rhs, class Store>
  DNS_HD void solve(const Team& team, const Rhs& rhs, const Store& store) const {
    const RowRange own = team.share(of.points);
    double brought = 0;
    for (int m = own.begin; m < own.end; ++m) brought += of.width[m] * rhs(m);
    const RunningSum flux = team.running_sum(brought);
    // Calls visit(m, phi_m, rhs_m) for each cell, with `phi` in the first one. Returns phi of the
    // cell after the last one.
    const auto add_up = [&](double phi, const auto& visit) {
      double through = flux.before;
      for (int m = own.begin; m < own.end; ++m) {
        const double value = rhs(m);
        visit(m, phi, value);
        through += of.width[m] * value;
        phi += of.distance[m] * through;
      }
      return phi;
    };
    const RunningSum rise = team.running_sum(add_up(0, [](int, double, double) {}));
    double weighted = 0;
    add_up(rise.before, [&](int m, double phi, double) { weighted += of.width[m] * phi; });
    const double mean = team.running_sum(weighted).total * of.inverse_length;
    const double mean_rhs = flux.total * of.inverse_length;
    const double jump = rise.total * of.inverse_period;  // per length
    add_up(rise.before, [&](int m, double phi, double value) {
      store(m, phi - mean - jump * of.centre[m] - mean_rhs * of.parabola[m], value - mean_rhs);
    });
  }
};

/// The constant mode beside a sweep with PoissonRows, which have mu > 0 there in place of 0. It is
/// the line through point (0, 0, 0); phi is the solution of ConstantModeLine. solve() replaces rhs
/// by phi over the gain of the transforms, and the sweep leaves the line out. The call replaces rhs
/// by rhs - mu phi before a sweep of all lines: (div grad - mu) phi = rhs - mu phi has the same
/// solution.
template <Axis axis, class Real>
struct ConstantModeBeside {
  FieldView<Real> modes;
  ConstantModeLine line;
  double mu;     // [1/L^2]
  double scale;  // 1 over the gain

  template <class Team>
  DNS_HD void operator()(const Team& team) const {
    replace(team, [&](double phi, double rhs) { return rhs - mu * phi; });
  }
  template <class Team>
  DNS_HD void solve(const Team& team) const {
    replace(team, [&](double phi, double /*rhs*/) { return scale * phi; });
  }

 private:
  template <class Team, class By>
  DNS_HD void replace(const Team& team, const By& by) const {
    const auto at = [&](int m) { return modes.address(placed<axis>(Index3{}, m)); };
    line.solve(
        team,
        [&](int m) { return double{*at(m)}; },
        [&](int m, double phi, double rhs) { *at(m) = static_cast<Real>(by(phi, rhs)); });
  }
};

/// Stores the solution of ConstantModeLine in the modes, for a part of the line's cells.
template <Axis axis, class Real>
struct StoreConstantMode {
  const double* rhs;  // of the whole line
  ConstantModeLine line;
  double scale;  // 1 over the gain of the transforms
  RowRange part;
  FieldView<Real> modes;

  template <class Team>
  DNS_HD void operator()(const Team& team) const {
    line.solve(
        team,
        [&](int m) { return rhs[m]; },
        [&](int m, double phi, double) {
          if (m >= part.begin && m < part.end)
            *modes.address(placed<axis>(Index3{}, m - part.begin)) = static_cast<Real>(scale * phi);
        });
  }
};

}  // namespace dns
