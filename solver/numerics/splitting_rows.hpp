/// The equations of one sweep of scheme `splitting`.
///
/// Source: Berezin, Paskonov & Sakharnykh, Simulation of 3D flows by a splitting method on the
/// parallel architecture of GPUs (2012). Different from their program: 1/dt in each sweep (theirs
/// has 3/dt, which advances time by dt/3), q_0 = 2 q_1 - q_2 at open boundaries (theirs solves
/// q_0 = q_1/2), and all variables of a sweep read the same non-linear level.
#pragma once

#include "solver/core/stencil_loads.hpp"
#include "solver/core/tridiagonal.hpp"
#include "solver/numerics/boundary_closure.hpp"
#include "solver/numerics/central_differences.hpp"
#include "solver/numerics/dissipation.hpp"

namespace dns {

/// u, v, w share one matrix; T has its own.
struct SharedVelocityMatrix {
  static constexpr int matrices = 2;
  static constexpr int unknowns = variables_per_level;
  DNS_HD static constexpr int matrix_of(int unknown) { return is_velocity(unknown) ? 0 : 1; }
  DNS_HD static constexpr int first_unknown_of(int matrix) {
    return matrix == 1 ? first_scalar : 0;
  }
};

/// The velocity along the sweep has a matrix of its own: on a symmetry plane its value is given,
/// while the other two have a given gradient.
template <Axis axis>
struct SeparateNormalVelocity {
  static constexpr int matrices = 3;
  static constexpr int unknowns = variables_per_level;
  DNS_HD static constexpr int matrix_of(int unknown) {
    if (!is_velocity(unknown)) return 1;
    return unknown == velocity_along(axis) ? 2 : 0;
  }
  DNS_HD static constexpr int first_unknown_of(int matrix) {
    if (matrix == 1) return first_scalar;
    if (matrix == 2) return velocity_along(axis);
    return axis == Axis::x ? 1 : 0;
  }
};

/// Constants of the equations, in the scales of the case.
template <class Real>
struct SplittingConstants {
  Real inverse_dt;          // [U/L]
  Real viscosity;           // 1/Re [U L]
  Real conductivity;        // 1/(Re Pr) [U L]
  Real dissipation_factor;  // (g - 1)/(g Re): heating per Phi
};

/// Moves what is given beyond an end of a line to the right-hand sides of the row next to it.
template <class Rows, class Real, class Point, class Data>
DNS_HD void subtract_given(
    const Rows& rows, const FaceClosures<Real>& face, bool is_high, Point c, Data& data) {
  using System = typename Rows::System;
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    const auto row = rows.coupling(System::matrix_of(unknown), data.coefficient);
    data.rhs[unknown] -= given_part(face, unknown, c, is_high ? row.upper : row.lower);
  }
}

/// Rows of the sweep along `axis` (s) from the source level S to the destination level D, with
/// coefficients frozen from the non-linear level N; c_s the velocity component along s:
///
///   (D - S)/dt + N.c_s dD/ds = nu_f d2D/ds2 + R_f
///   nu_f = 1/Re for u, v, w and 1/(Re Pr) for T
///   R_f  = -dN.T/ds for the component along s, 0 for the other two, (g-1)/(g Re) Phi_s(N) for T
///
/// at interior nodes, second-order central differences. All matrices follow from one number per
/// point, N.c_s/(2h). At the ends of an ordinary line the boundary nodes are eliminated (close_*
/// the right-hand sides, fold_* the matrices); lines along a periodic axis are cyclic and need
/// neither.
template <Axis axis, class Real, class Couplings, bool cyclic, int interleave_width = 1>
struct SplittingRows {
  using System = Couplings;
  static constexpr bool is_cyclic = cyclic;
  static constexpr int coefficients = 1;

  LevelView<Real, interleave_width> source;  // the solution may take its place
  LevelView<const Real, interleave_width> nonlinear;
  SplittingConstants<Real> constants;
  InverseTwoSpacings<Real> inverse_two_h;
  FaceClosures<Real> low, high;  // of the two faces across `axis`

  /// The stencil of a row at its own point, without its neighbours along the line.
  template <class Value>
  struct StencilValues {
    NodeValues<Value> nonlinear, source;
    Value a_b, a_c;  // derivatives across the sweep of the velocity component along it
  };
  template <class Point>
  [[nodiscard]] DNS_HD auto load_stencil(Point c) const {
    const Real* here = nonlinear.address(a, c);
    return StencilValues<decltype(source(0, c))>{
        nonlinear(c), source(c), across<second>(here, c), across<third>(here, c)};
  }
  /// The row of the point where `here` was loaded, with N at its neighbours along the line.
  template <class Value>
  [[nodiscard]] DNS_HD auto row_between(const NodeValues<Value>& below,
                                        const StencilValues<Value>& here,
                                        const NodeValues<Value>& above) const {
    const Real inverse_two_h_s = inverse_two_h.template along<axis>();
    const auto difference = [&](int variable) {
      return (above[variable] - below[variable]) * inverse_two_h_s;
    };
    RowData<System, coefficients, Value> data;
    data.coefficient[0] = here.nonlinear[a] * inverse_two_h_s;
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      data.rhs[unknown] = here.source[unknown] * constants.inverse_dt;
    }
    data.rhs[a] -= difference(first_scalar);
    data.rhs[first_scalar] +=
        constants.dissipation_factor * dissipation_along(difference(a),
                                                         difference(velocity_along(second)),
                                                         difference(velocity_along(third)),
                                                         here.a_b,
                                                         here.a_c);
    return data;
  }
  template <class Point>
  DNS_HD auto operator()(Point c) const {
    return row_between(nonlinear.template beside<axis>(c, -1),
                       load_stencil(c),
                       nonlinear.template beside<axis>(c, 1));
  }

  /// The rows of a grid line, by their number of steps from its point `first`.
  struct Line {
    const SplittingRows& rows;
    LevelLine<axis, Real, interleave_width> source;
    LevelLine<axis, const Real, interleave_width> nonlinear;

    /// N is read again at the neighbours and by the sink, S is not. A backend chooses the Loader.
    template <class Loader = StencilLoader<StencilLoads::for_cache>>
    [[nodiscard]] DNS_HD StencilValues<Real> load_stencil(int steps) const {
      const Real* here = nonlinear.address(a, steps);
      return {Loader::read_again(nonlinear, steps),
              Loader::read_once(source, steps),
              rows.template across<second>(here, typename Loader::Point{}),
              rows.template across<third>(here, typename Loader::Point{})};
    }
    [[nodiscard]] DNS_HD auto operator()(int steps) const {
      return rows.row_between(
          nonlinear.values(steps - 1), load_stencil(steps), nonlinear.values(steps + 1));
    }
  };
  [[nodiscard]] DNS_HD Line line_from(Index3 first) const {
    return {*this, {source, first}, {nonlinear, first}};
  }

  /// nu_f/h^2 of a matrix.
  [[nodiscard]] DNS_HD Real diffusion(int matrix) const {
    const bool is_temperature = System::first_unknown_of(matrix) == first_scalar;
    const Real half_inverse_h = inverse_two_h.template along<axis>();
    return (is_temperature ? constants.conductivity : constants.viscosity) *
           (4 * half_inverse_h * half_inverse_h);
  }

  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int matrix,
                                                const Value (&coefficient)[coefficients]) const {
    const Real diffusion = this->diffusion(matrix);
    const Value convection = coefficient[0];
    return {-convection - diffusion,
            Value(constants.inverse_dt + 2 * diffusion),
            convection - diffusion};
  }

  template <class Point, class Data>
  DNS_HD void close_low(Point c, Data& data) const {
    subtract_given(*this, low, false, c, data);
  }
  template <class Point, class Data>
  DNS_HD void close_high(Point c, Data& data) const {
    subtract_given(*this, high, true, c, data);
  }
  template <class Value>
  DNS_HD void fold_low(int matrix, Coupling<Value>& row) const {
    fold_boundary_node(
        low.closure[System::first_unknown_of(matrix)], row.lower, row.diagonal, row.upper);
  }
  template <class Value>
  DNS_HD void fold_high(int matrix, Coupling<Value>& row) const {
    fold_boundary_node(
        high.closure[System::first_unknown_of(matrix)], row.upper, row.diagonal, row.lower);
  }

  /// Gives the values beyond an end: those of another rank's nodes in place of a boundary's.
  template <class ValueOf>
  void close_by_values(bool is_high, const ValueOf& value_of, FaceView<const Real> /*zero*/) {
    FaceClosures<Real>& face = is_high ? high : low;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      face.closure[variable] = {Real(0), Real(0), Real(1)};
      face.given[variable] = value_of(variable);
    }
  }

 private:
  static constexpr Axis second = axis == Axis::x ? Axis::y : axis == Axis::y ? Axis::z : Axis::x;
  static constexpr Axis third = axis == Axis::x ? Axis::z : axis == Axis::y ? Axis::x : Axis::y;
  static constexpr int a = velocity_along(axis);

  /// The derivative along another axis of the velocity component along this one.
  template <Axis other, class Point>
  [[nodiscard]] DNS_HD auto across(const Real* here, Point c) const {
    return central_difference<other>(nonlinear, here, c, inverse_two_h);
  }
};

/// Relaxes N with the solution D of a sweep at a point, and stores D:
///   N_next = (1 - weight) N + weight D,       S = D where it is the source of the next sweep
/// weight = 1/2 relaxes N; 3/4 relaxes it and merges it with D at the end of a global iteration,
/// ((N + D)/2 + D)/2. Either of the two may be left out.
template <class Real, int interleave_width = 1>
struct RelaxAndStore {
  static constexpr bool reaches_beyond_seams = true;  // sweeps read N there

  LevelView<const Real, interleave_width> nonlinear;
  LevelView<Real, interleave_width> nonlinear_next;
  LevelView<Real, interleave_width> source;
  Real weight;
  bool relaxes;
  bool stores_solution;

  /// What is needed at the point besides its solution.
  template <class Point>
  [[nodiscard]] DNS_HD auto read(Point c) const {
    return nonlinear(c);
  }

  template <class Point, class Value>
  DNS_HD void operator()(Point c,
                         const Value (&solution)[variables_per_level],
                         const NodeValues<Value>& before) const {
    if (relaxes) nonlinear_next.set(c, relaxed(before, solution));
    if (stores_solution) source.set(c, kept(solution));
  }
  /// The values of N_next.
  template <class Value>
  [[nodiscard]] DNS_HD NodeValues<Value> written(const Value (&solution)[variables_per_level],
                                                 const NodeValues<Value>& before) const {
    return relaxed(before, solution);
  }

  /// RelaxAndStore along a grid line, by the number of steps from its point `first`.
  template <Axis axis>
  struct Line {
    const RelaxAndStore& take;
    Index3 first;
    LevelLine<axis, const Real, interleave_width> nonlinear;
    LevelLine<axis, Real, interleave_width> nonlinear_next;

    [[nodiscard]] DNS_HD auto read(int steps) const { return nonlinear.values(steps); }
    DNS_HD void operator()(int steps,
                           const Real (&solution)[variables_per_level],
                           const NodeValues<Real>& before) const {
      if (take.relaxes) nonlinear_next.set(steps, take.relaxed(before, solution));
      if (take.stores_solution) {
        take.source.set(placed<axis>(first, along<axis>(first) + steps), take.kept(solution));
      }
    }
    [[nodiscard]] DNS_HD auto written(const Real (&solution)[variables_per_level],
                                      const NodeValues<Real>& before) const {
      return take.written(solution, before);
    }
  };
  template <Axis axis>
  [[nodiscard]] DNS_HD Line<axis> line_from(Index3 first) const {
    return {*this, first, {nonlinear, first}, {nonlinear_next, first}};
  }

 private:
  template <class Value>
  [[nodiscard]] DNS_HD NodeValues<Value> relaxed(
      const NodeValues<Value>& before, const Value (&solution)[variables_per_level]) const {
    NodeValues<Value> next;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      next[variable] = (Real(1) - weight) * before[variable] + weight * solution[variable];
    }
    return next;
  }
  template <class Value>
  [[nodiscard]] DNS_HD static NodeValues<Value> kept(const Value (&solution)[variables_per_level]) {
    NodeValues<Value> values;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      values[variable] = solution[variable];
    }
    return values;
  }
};

}  // namespace dns
