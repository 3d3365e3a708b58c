/// Solid bodies in the equations of scheme `splitting`.
///
/// A node in a body has the body's values: rows 0 | 1 | 0. Where the neighbour of a fluid node
/// along the sweep is in a body, the surface lies theta of a spacing away, and the row becomes
///
///   -c - d | 1/dt + 2 d + d k | c - d  =  S/dt + R + d k W,    k = SUM over cut ends (1/theta - 1)
///
/// with c = N.c_s/(2h), d = nu_f/h^2. Nodes in bodies hold the values there, and W is the body's
/// velocity at the node itself: a rigid body's velocity is linear along the line, so that
/// q_wall/theta - q_solid = (1/theta - 1) W. The face towards an adiabatic body is closed for T:
/// the neighbour's value is that of the node.
///
/// Sources: as solver/numerics/solid_rows.hpp.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/closed_face.hpp"
#include "solver/numerics/nodal_diagnostics.hpp"
#include "solver/numerics/splitting_rows.hpp"

namespace dns {

/// k of the nodes in a body.
inline constexpr double pull_in_body = -1;

/// The term of k of one cut end.
[[nodiscard]] constexpr double pull_of_cut_end(double theta) {
  return 1 / theta - 1;
}

/// What bodies are to the nodes.
template <class Real>
struct SolidNodesView {
  /// Outside of it no node is in a body or has a neighbour that is. It begins some points early
  /// along x, because points are handled in packs.
  Box box;
  PerAxis<FieldView<const Real>> pull;                // k along each axis
  FieldView<const Real> insulated;                    // 1 in adiabatic bodies, else 0; null: none
  FieldView<const Real> target[variables_per_level];  // W; null: uniform_target everywhere
  Real uniform_target[variables_per_level] = {};

  /// 1 in a body, else 0, from k there.
  template <class Value>
  [[nodiscard]] DNS_HD static Value is_solid(Value k) {
    return where_above(-k, Real(0.5), Value(Real(1)));
  }
  template <class Point>
  [[nodiscard]] DNS_HD auto target_at(int variable, const Spot<Point>& c) const {
    using Value = decltype(pull[0](c));
    return target[variable].origin == nullptr ? Value(uniform_target[variable])
                                              : Value(target[variable](c));
  }
};

/// Rows of a sweep along `axis` with bodies. Fluid: SplittingRows.
template <Axis axis, class Fluid, class Real>
struct SplittingRowsAtSolids {
  using System = typename Fluid::System;
  static constexpr bool is_cyclic = Fluid::is_cyclic;
  static constexpr int coefficients = 3;  // c; k; 1 if the low end is closed for T + 2 if the high

  Fluid fluid;
  SolidNodesView<Real> solids;

  template <class Point>
  DNS_HD auto operator()(Point point) const {
    const auto open = fluid(point);
    using Value = std::remove_cvref_t<decltype(open.rhs[0])>;
    RowData<System, coefficients, Value> data;
    data.coefficient[0] = open.coefficient[0];
    data.coefficient[1] = Value(Real(0));
    data.coefficient[2] = Value(Real(0));
    for (int unknown = 0; unknown < System::unknowns; ++unknown)
      data.rhs[unknown] = open.rhs[unknown];
    if (!solids.box.holds(point)) return data;

    const auto& along_sweep = solids.pull[axis];
    const auto c = along_sweep.spot(point);
    const Value k = along_sweep(c);
    const Value solid = solids.is_solid(k);
    const Value pull = k + solid;
    data.coefficient[1] = k;
    Value pull_of_temperature = pull;
    Value kept_temperature = Value(Real(0));  // 1 where it has the value of N
    if (solids.insulated.origin != nullptr) {
      const Value low = is_closed_face<axis>(solids.insulated, c, -1);
      const Value high = is_closed_face<axis>(solids.insulated, c, 1);
      data.coefficient[2] = low + Real(2) * high;
      pull_of_temperature = pull * ((Real(1) - low) * (Real(1) - high));
      kept_temperature = solids.insulated(c);
    }
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const bool is_temperature = !is_velocity(unknown);
      const Real diffusion = fluid.diffusion(System::matrix_of(unknown));
      Value target = solids.target_at(unknown, c);
      if (is_temperature && solids.insulated.origin != nullptr) {
        target += kept_temperature * (Value(fluid.nonlinear(unknown, point)) - target);
      }
      const Value cut = diffusion * (is_temperature ? pull_of_temperature : pull);
      data.rhs[unknown] = (Real(1) - solid) * (data.rhs[unknown] + cut * target) + solid * target;
    }
    return data;
  }

  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int matrix,
                                                const Value (&coefficient)[coefficients]) const {
    const Value c[1] = {coefficient[0]};
    Coupling<Value> row = fluid.coupling(matrix, c);
    const Value solid = solids.is_solid(coefficient[1]);
    Value pull = coefficient[1] + solid;
    if (System::first_unknown_of(matrix) == first_scalar) {
      const Value high = where_above(coefficient[2], Real(1.5), Value(Real(1)));
      const Value low = coefficient[2] - Real(2) * high;
      row.diagonal += low * row.lower + high * row.upper;
      row.lower -= low * row.lower;
      row.upper -= high * row.upper;
      pull = pull * ((Real(1) - low) * (Real(1) - high));
    }
    const Value free = Real(1) - solid;
    return {free * row.lower,
            free * (row.diagonal + fluid.diffusion(matrix) * pull) + solid,
            free * row.upper};
  }

  template <class Point, class Data>
  DNS_HD void close_low(Point c, Data& data) const {
    subtract_given(*this, fluid.low, false, c, data);
  }
  template <class Point, class Data>
  DNS_HD void close_high(Point c, Data& data) const {
    subtract_given(*this, fluid.high, true, c, data);
  }
  template <class Value>
  DNS_HD void fold_low(int matrix, Coupling<Value>& row) const {
    fluid.fold_low(matrix, row);
  }
  template <class Value>
  DNS_HD void fold_high(int matrix, Coupling<Value>& row) const {
    fluid.fold_high(matrix, row);
  }
  template <class ValueOf>
  void close_by_values(bool is_high, const ValueOf& value_of, FaceView<const Real> zero) {
    fluid.close_by_values(is_high, value_of, zero);
  }
};

/// Gives the nodes in bodies the values there, T in adiabatic ones excepted.
template <class Real, int interleave_width>
struct ImposeSolidNodes {
  SolidNodesView<Real> solids;
  LevelView<Real, interleave_width> level;

  DNS_HD void operator()(Index3 point) const {
    const auto c = solids.pull[0].spot(point);
    if (solids.pull[0](c) > Real(-0.5)) return;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      const bool is_kept = !is_velocity(variable) && solids.insulated.origin != nullptr &&
                           solids.insulated(c) > Real(0.5);
      if (!is_kept) level.set(variable, point, Real(solids.target_at(variable, c)));
    }
  }
};

/// T of the nodes in adiabatic bodies := mean of that of the neighbours in the fluid, if any, for
/// the gradients that fluid nodes take of it.
template <class Real, int interleave_width>
struct InsulateNodes {
  SolidNodesView<Real> solids;
  LevelView<Real, interleave_width> level;

  DNS_HD void operator()(Index3 point) const {
    const auto c = solids.insulated.spot(point);
    if (solids.insulated(c) < Real(0.5)) return;
    Real sum = 0;
    Real count = 0;
    add<Axis::x>(c, sum, count);
    add<Axis::y>(c, sum, count);
    add<Axis::z>(c, sum, count);
    if (count > 0) level.set(first_scalar, point, sum / count);
  }

 private:
  template <Axis axis, class Point>
  DNS_HD void add(const Spot<Point>& c, Real& sum, Real& count) const {
    for (int side = -1; side <= 1; side += 2) {
      if (solids.pull[0].template beside<axis>(c, side) < Real(-0.5)) continue;
      const Index3 beside = placed<axis>(Index3{c.i, c.j, c.k}, along<axis>(Index3(c)) + side);
      sum += Real(level(first_scalar, beside));
      count += Real(1);
    }
  }
};

/// The part of the diagnostics of cells that lies in bodies: of each as much as of its 8 corners.
template <class Real, int interleave_width>
struct CellDiagnosticsInSolids {
  using OfCell = CellDiagnostics<Real, interleave_width>;
  enum Sum { cells = OfCell::sums, sums };  // their number, last

  OfCell of_cell;
  SolidNodesView<Real> solids;

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, sums, 0>& reduction) const {
    Reduction<Number, OfCell::sums, OfCell::maxima> cell;
    of_cell(c, cell);
    const auto along_x = [&](Point first) {
      const auto& mark = solids.pull[0];
      const auto at = mark.spot(first);
      return in_double(solids.is_solid(mark(at))) +
             in_double(solids.is_solid(mark.template beside<Axis::x>(at, 1)));
    };
    const auto in_plane = [&](Point first) {
      return along_x(first) + along_x(placed<Axis::y>(first, first.j + 1));
    };
    const auto share = 0.125 * (in_plane(c) + in_plane(placed<Axis::z>(c, c.k + 1)));
    for (int which = 0; which < OfCell::sums; ++which)
      reduction.sum[which] += share * cell.sum[which];
    reduction.sum[cells] += share;
  }
};

}  // namespace dns
